"""Interleaved systems: every engine, its evidence and certificates, beside the definitions once more."""

import json
from dataclasses import replace
from random import Random
from typing import Any, get_args
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.verdict import Value
from gnomon.engines.concrete import interleaved_moves
from gnomon.engines.diagrams import interleaving
from gnomon.engines.explicit.engine import explore
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import ENVIRONMENT, Agent
from gnomon.model.system import Specification, System
from tests.certificates import accepted_as_it_is, never_for_the_opposite
from tests.contract.compare import ENGINES, Contest, compare_steps
from tests.contract.test_formulae import coalition
from tests.contract.test_ways import asking, truth
from tests.contract.ways import ways
from tests.fairness import fairly
from tests.oracle import Oracle, TooMany
from tests.support import VACUOUS
from tests.systems import (
    LOGICS,
    examples,
    random_formula,
    random_system,
    seeds,
)

every_engine = pytest.mark.parametrize("engine", ENGINES)
EVERYTHING = Options(
    allow=VACUOUS, evidence=True, certificate=True, check_deadlock=True, check_overflow=True
)


def interleaved(
    rng: Random, *, largest: int = 48, fair: float = 0.0, prying: float = 0.0
) -> System:
    system = random_system(rng, largest=largest, prying=prying, interleaved=True)
    if rng.random() < fair:
        system = fairly(rng, system)
    return system


def watched(system: System) -> bool:
    """Return whether fairness is about actions: then nothing can be asked of coalitions (`G0821`)."""
    return any(agent.observer for agent in system.agents)


# The reference


@given(seeds)
@examples(20)
def test_the_reference_is_the_definition(seed: int) -> None:
    system = interleaved(Random(seed), fair=0.5)
    oracle = Oracle(system)
    for state, expected in oracle.moves.items():
        found: dict[tuple[str, ...], set[step.State]] = {}
        for move in step.moves(system, state):
            targets = found.setdefault(move.actions, set())
            if move.target is not None:
                targets.add(move.target)
        assert expected == found
        assert len(expected) == step.joint_action_count(system, state)
        names = tuple(system.groups["h"].members)
        for choice, results in oracle.choices(state, names).items():
            chosen = dict(zip(names, choice, strict=True))
            joint = list(step.completions(system, state, chosen))
            assert len(joint) == step.completion_count(system, state, chosen)
            assert all(step.may_follow(system, state, each, chosen) for each in joint)
            assert results == {
                target
                for actions in joint
                for target in expected.get(actions, {state})
            }  # fmt: skip


# Engines


@every_engine
@given(seed=seeds)
@examples(20)
def test_steps(engine: str, seed: int) -> None:
    compare_steps(engine, interleaved(Random(seed), fair=0.5))


@every_engine
@given(seed=seeds)
@examples(20)
def test_time_knowledge_norms_and_perfect_strategies(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = interleaved(rng)
    contest = Contest(engine, system)
    for _ in range(2):
        contest.on(random_formula(rng, system, 3, "bool ctl know norm atl"))
        contest.on(coalition(rng, system, 1))
    for logic in LOGICS[1:]:
        contest.on(random_formula(rng, system, 2, "bool star star know"), logic)


@every_engine
@pytest.mark.parametrize("strategies", ["uniform", "uniform-subjective"])
@given(seed=seeds)
@examples(20)
def test_uniform_strategies(engine: str, strategies: Reading, seed: int) -> None:
    rng = Random(seed)
    system = interleaved(rng, largest=12, prying=0.2)
    contest = Contest(engine, system, strategies)
    for _ in range(3):
        contest.on(coalition(rng, system, rng.choice((0, 0, 1))))


@every_engine
@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
@given(seed=seeds)
@examples(20)
def test_fair_outcomes(engine: str, strategies: Reading, seed: int) -> None:
    rng = Random(seed)
    system = interleaved(rng, largest=12, fair=1.0)
    contest = Contest(engine, system, strategies)
    contest.on(random_formula(rng, system, 2, "bool ctl ctl know norm"))
    for _ in range(0 if watched(system) else 2):
        contest.on(coalition(rng, system, rng.choice((0, 0, 1))))


@given(seeds)
@examples(20)
def test_models_that_are_pruned_to_strategies(seed: int) -> None:
    rng = Random(seed)
    system = interleaved(rng, largest=8)
    asked = Specification(random_formula(rng, system, 2, "bool ctl know atl"), "?")
    [verdict] = check(system, (asked,), replace(EVERYTHING, strategies="uniform-model"))
    try:
        expected = Oracle(system, "uniform-model").holds(asked.formula)
    except TooMany:
        return
    assert (Value.TRUE if expected else Value.FALSE) is verdict.value, verdict.parsed


# Evidence and certificates


def questions(rng: Random, system: System) -> tuple[Specification, ...]:
    if watched(system):
        formulae = [random_formula(rng, system, 3, "bool ctl know norm") for _ in range(3)]
        return tuple(Specification(each, "") for each in formulae)
    return (
        Specification(random_formula(rng, system, 3, "bool ctl know norm atl"), "1"),
        Specification(coalition(rng, system, 0), "2"),
        Specification(coalition(rng, system, 1), "3"),
        Specification(random_formula(rng, system, 2, "bool star know"), "4", 0, LOGICS[1]),
    )


@every_engine
@pytest.mark.parametrize("strategies", [r for r in get_args(Strategies) if r != "uniform-model"])
@given(seed=seeds)
@examples(20)
def test_verdicts_with_evidence_and_certificates(
    engine: Engine, strategies: Strategies, seed: int
) -> None:
    """Evidence has been replayed; a certificate is accepted as it is, and never for the other verdict."""
    rng = Random(seed)
    system = interleaved(rng, largest=24 if strategies == "perfect" else 12, fair=0.3)
    asked = questions(rng, system)
    result = check(system, asked, replace(EVERYTHING, engine=engine, strategies=strategies))
    oracle = Oracle(system, strategies)
    assert len(oracle.reachable) == result.states
    for verdict, question in zip(result, asked, strict=True):
        try:
            expected = oracle.holds(question.formula, question.logic)
        except TooMany:
            continue
        assert (Value.TRUE if expected else Value.FALSE) is verdict.value, verdict.parsed
        assert expected or verdict.evidence is not None
    certificate = json.loads(json.dumps(result.certificate))
    accepted_as_it_is(system, certificate, asked)
    for _ in range(6):
        never_for_the_opposite(rng, system, certificate, asked)


# What follows from the definitions


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
@given(seed=seeds)
@examples(20)
def test_what_coalitions_can_do_beside_what_paths_do(strategies: Reading, seed: int) -> None:
    """The laws that docs/reference/semantics.md lists; `<g>G p` may hold without `EG p`."""
    system = interleaved(Random(seed), largest=12)
    algebra = explore(system)
    if algebra.deadlocks or algebra.overflows:
        return
    truth = Satisfaction(algebra, (), strategies)
    p, some = f.Proposition("p"), system.groups["g"]

    def where(formula: f.Formula) -> Any:
        return truth.states(formula, "CTL")

    assert where(f.Enforces(f.Group(()), f.Finally(p))) == where(f.All(f.Finally(p)))
    for everywhere in (f.Next(f.Constant(True)), f.Globally(f.Constant(True))):
        assert where(f.Enforces(some, everywhere)) == algebra.reachable
    for path in (f.Finally(p), f.Until(f.Proposition("q"), p)):
        assert where(f.Enforces(some, path)) <= where(f.Exists(path))
    if strategies != "uniform-subjective":  # else it has to hold in all states that look the same
        assert where(f.All(f.Globally(p))) <= where(f.Enforces(some, f.Globally(p)))
    if strategies == "perfect":
        for soon in (f.Next(p), f.Finally(p)):
            assert where(f.All(soon)) <= where(f.Enforces(some, soon))


# Beside the other semantics


def sharing_all(system: System) -> System:
    """Return a system in which all agents have the same actions, so that everybody takes part in each."""
    names = tuple(dict.fromkeys(action for agent in system.agents for action in agent.actions))

    def with_all(agent: Agent) -> Agent:
        other = agent.other if agent.actions else names
        fields = agent.name, agent.variables, names, agent.protocol, other
        return Agent(*fields, agent.evolution, agent.sees, agent.red)

    return replace(system, agents=tuple(map(with_all, system.agents)))


@given(seeds)
@examples(20)
def test_where_only_one_agent_acts_both_semantics_are_the_same(seed: int) -> None:
    system = interleaved(Random(seed))
    [actor, *others] = reversed(system.agents)
    idle = [Agent(agent.name, agent.variables, ()) for agent in reversed(others)]
    one = replace(system, agents=(*idle, actor))
    if actor.actions:
        together = replace(one, semantics="MultiAssignment")
        for state in Oracle(one).reachable:
            assert list(step.moves(one, state)) == list(step.moves(together, state))


@given(seeds)
@examples(20)
def test_where_everybody_shares_every_action_a_joint_action_is_an_event(seed: int) -> None:
    system = sharing_all(interleaved(Random(seed)))
    together = replace(system, semantics="MultiAssignment")
    for state in Oracle(system).reachable:
        same = {a for a in step.joint_actions(together, state) if len(set(a)) == 1 and "-" not in a}
        assert same == set(step.joint_actions(system, state))
        for move in step.moves(together, state):
            if move.actions in same and move.target is not None:
                assert move.target in step.successors(system, state)


# Written down


@given(seed=seeds)
@examples(20)
def test_every_way_to_write_a_system_gives_the_verdicts_of_the_oracle(seed: int) -> None:
    system = asking(Random(seed), 24, interleaved=True)
    expected, reached = truth(system), len(Oracle(system).reachable)
    for name, other in ways(system):
        assert other.interleaved
        result = check(other, None, Options(allow=VACUOUS, engine="explicit"))
        pairs = zip(expected, (verdict.value for verdict in result), strict=True)
        assert all(want in (None, value) for want, value in pairs), name
        assert reached == result.states, name


# Planted mistakes


def blocking_wins(
    state: Any, members: Any, choice: Any, happening: list[tuple[Any, list[Any]]]
) -> list[Any]:
    """Where a choice leaves nothing to happen, there is no outcome at all."""
    marked = [(event, [*targets, None]) for event, targets in happening]
    found: list[Any] = list(chosen(state, members, choice, marked))
    return [target for target in found if target is not None] if None in found else []


def everybody_agrees(self: Any, event: Any, coalition: Any) -> Any:
    """Members of a coalition do whatever happens."""
    del self, coalition
    return event.enabled


def one_is_enough(self: Any, options: Any) -> bool:
    """Whoever takes part may start an event."""
    return any(self.action in options[player.index] for player, _ in self.parts)


def all_but_the_first(self: Any, *arguments: Any) -> Any:
    """An event changes the first who takes part, and nobody else."""
    event = event_of(self, *arguments)
    kept = [part for part in event.parts[1:] if part.assigned][1:]
    return replace(event, parts=tuple(part for part in event.parts if part not in kept))


chosen = interleaved_moves.InterleavedMoves._chosen
event_of = interleaving.InterleavedRelation._event
MUTANTS: list[tuple[str, Any, str, Any]] = [
    ("explicit", interleaved_moves.InterleavedMoves, "_chosen", staticmethod(blocking_wins)),
    ("explicit", interleaved_moves._PreparedEvent, "fits", one_is_enough),
    ("bdd", interleaving.InterleavedRelation, "agreeing", everybody_agrees),
    ("bdd", interleaving.InterleavedRelation, "_event", all_but_the_first),
]


@pytest.mark.parametrize(("engine", "owner", "name", "mistake"), MUTANTS)
def test_a_planted_mistake_is_found(engine: str, owner: Any, name: str, mistake: Any) -> None:
    with patch.object(owner, name, mistake):
        for seed in range(100):
            rng = Random(seed)
            system = interleaved(rng, largest=24)
            try:
                compare_steps(engine, system)
                contest = Contest(engine, system)
                for _ in range(3):
                    contest.on(coalition(rng, system, 0))
            except (AssertionError, KeyError):
                return
    pytest.fail("nothing was found")


# What occurs


def test_random_systems_have_what_is_treated_in_a_way_of_its_own() -> None:
    """Deadlocks, agents that wait, choices that leave nothing to happen, events with one or several parts."""
    seen: dict[str, int] = dict.fromkeys(("deadlock", "waiting", "blocked", "joint", "alone"), 0)
    for seed in range(60):
        oracle = Oracle(system := interleaved(Random(seed), largest=24))
        names = tuple(agent.name for agent in system.agents if agent.name != ENVIRONMENT)
        moving = [sum(a != "-" for a in joint) for m in oracle.moves.values() for joint in m]
        able = [oracle.able(a, s) for a in system.agents if a.actions for s in oracle.reachable]
        seen["joint"] += any(count > 1 for count in moving)
        seen["alone"] += any(count == 1 for count in moving)
        seen["waiting"] += ("-",) in able
        seen["deadlock"] += any(not moves for moves in oracle.moves.values())
        seen["blocked"] += any(
            list(step.completions(system, state, dict(zip(names, choice, strict=True))))
            == [("-",) * len(system.agents)]
            for state in oracle.reachable
            for choice in oracle.choices(state, names)
        )
    assert min(seen.values()) >= 9, seen
