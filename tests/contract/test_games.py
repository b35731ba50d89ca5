"""Games of imperfect information: every way of searching agrees with trying all uniform strategies.

A state is a number; what each of two players sees of it is one of a few colours. Players and opponent move at
once, and a table says where that leads. So views are coarse, strategies go wrong in many ways, and cycles
abound, which the general random systems seldom offer.
"""

from dataclasses import replace
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value
from gnomon.logic import uniform_games as uniform
from gnomon.logic.satisfaction import Reading
from gnomon.model import formula as f
from gnomon.model.agent import ENVIRONMENT, Agent, ProtocolLine
from gnomon.model.domain import values_of
from gnomon.model.expression import Compare, Does, Literal, Read
from gnomon.model.observers import with_observers
from gnomon.model.system import Specification, System
from gnomon.text import record
from tests.contract.compare import ENGINES, Contest
from tests.oracle import Oracle
from tests.support import VACUOUS
from tests.systems import examples, random_bounded, seeds

every_engine = pytest.mark.parametrize("engine", ENGINES)
readings = pytest.mark.parametrize("strategies", ["uniform", "uniform-subjective"])


def game(rng: Random) -> System:
    """Return a random game: up to ten states, up to four colours, two players and an opponent."""
    states = range(rng.randint(2, 10))
    seen = {who: [rng.randrange(rng.randint(1, 4)) for _ in states] for who in "PQ"}
    starts = rng.sample(states, rng.randint(1, min(2, len(states))))
    lines = []
    for state, a, b in product(states, "xy", "xy"):
        for wind in rng.choice((("l", "r"), ("-",))):
            to = rng.choice(states)
            windy = f" and Action = {wind}" if wind != "-" else ""
            lines.append(
                f"s = {to} and a = {seen['P'][to]} and b = {seen['Q'][to]} "
                f"if s = {state} and P.Action = {a} and Q.Action = {b}{windy};"
            )
    initial = " or ".join(
        f"(Environment.s = {s} and Environment.a = {seen['P'][s]} and Environment.b = {seen['Q'][s]})"
        for s in starts
    )
    goals = rng.sample(states, rng.randint(1, max(1, len(states) // 3)))
    goal = " or ".join(f"Environment.s = {s}" for s in goals)
    bad = f"Environment.s = {rng.choice(states)}"
    protocol = "Protocol: Other : {x, y}; end Protocol"
    text = f"""
    Agent Environment
      Vars: s : 0..{len(states) - 1}; a : 0..3; b : 0..3; end Vars
      Actions = {{l, r}};
      Protocol: Other : {{l, r}}; end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    Agent P
      Lobsvars = {{a}}; Vars: one : boolean; end Vars Actions = {{x, y}}; {protocol}
      Evolution: one = one if one; end Evolution
    end Agent
    Agent Q
      Lobsvars = {{b}}; Vars: one : boolean; end Vars Actions = {{x, y}}; {protocol}
      Evolution: one = one if one; end Evolution
    end Agent
    Evaluation goal if {goal}; bad if {bad}; end Evaluation
    InitStates P.one = true and Q.one = true and ({initial}); end InitStates
    Groups both = {{P, Q}}; one = {{P}}; end Groups
    Formulae AG goal; end Formulae
    """
    loaded = load_text(text)
    assert loaded.system is not None, [item.message for item in loaded.diagnostics]
    return loaded.system


def prying(rng: Random, system: System) -> System:
    """Return a game in which what players may do depends on the state, of which they see the colour alone.

    No program may say so; a uniform strategy takes what is allowed in all states that look alike.
    """
    last = values_of(system.environment.variables[0].domain)[-1]

    def changed(agent: Agent) -> Agent:
        if agent.is_environment:
            return agent
        here = Compare("<=", Read(ENVIRONMENT, "s"), Literal(rng.randint(0, int(last))))
        return record.replace(agent, protocol=(ProtocolLine(here, rng.choice((("x",), ("y",)))),))

    return replace(system, agents=tuple(map(changed, system.agents)))


def wishes(rng: Random, system: System, *, bounded: bool = True) -> f.Formula:
    goal, bad = f.Proposition("goal"), f.Proposition("bad")
    fine = f.Not(bad)
    paths = (
        f.Finally(goal),
        f.Until(fine, goal),
        f.Globally(fine),
        f.Next(goal),
        f.WeakUntil(fine, goal),
        f.Release(goal, fine),
        random_bounded(rng, lambda: rng.choice((goal, fine))),
    )
    path = rng.choice(paths if bounded else paths[:-1])
    return f.Enforces(system.groups[rng.choice(("both", "one"))], path)


@every_engine
@readings
@given(seed=seeds)
@examples(80)
def test_the_search(engine: str, strategies: Reading, seed: int) -> None:
    rng = Random(seed)
    system = game(rng)
    contest = Contest(engine, system, strategies)
    for _ in range(3):
        contest.on(wishes(rng, system))


@every_engine
@readings
@given(seed=seeds)
@examples(80)
def test_what_is_allowed_in_some_of_the_states_that_look_alike(
    engine: str, strategies: Reading, seed: int
) -> None:
    rng = Random(seed)
    system = prying(rng, game(rng))
    contest = Contest(engine, system, strategies)
    for _ in range(3):
        contest.on(wishes(rng, system))


@every_engine
@readings
@given(seed=seeds)
@examples(80)
def test_what_sets_alone_can_tell(engine: str, strategies: Reading, seed: int) -> None:
    rng = Random(seed)
    system = game(rng)
    contest = Contest(engine, system, strategies)
    with patch.object(uniform, "FEW_STATES", 0):
        for _ in range(3):
            contest.on(wishes(rng, system))


@every_engine
@given(seed=seeds)
@examples(60)
def test_a_search_that_is_broken_off_and_taken_up_again(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = game(rng)
    contest = Contest(engine, system, "uniform")
    with patch.object(uniform, "MOST_VISITS", rng.randint(0, 3)):
        for _ in range(3):
            contest.on(wishes(rng, system))


def unfair_at_times(rng: Random, system: System, often: list[f.Formula]) -> System:
    """Return a game in which outcomes do not count that lack one or two of these, sooner or later."""
    fairness = tuple(Specification(part, "") for part in rng.sample(often, rng.randint(1, 2)))
    return with_observers(replace(system, fairness=fairness))


@every_engine
@given(seed=seeds)
@examples(80)
def test_outcomes_that_do_not_count(engine: str, seed: int) -> None:
    rng = Random(seed)
    bad, goal = f.Proposition("bad"), f.Proposition("goal")
    system = unfair_at_times(rng, game(rng), [bad, f.Not(bad), f.Not(goal)])
    contest = Contest(engine, system, "uniform")
    for _ in range(3):
        contest.on(wishes(rng, system))


@every_engine
@given(seed=seeds)
@examples(24)
def test_outcomes_that_do_not_count_by_what_is_done(engine: str, seed: int) -> None:
    rng = Random(seed)
    strategies: Reading = rng.choice(("uniform", "uniform-subjective"))
    often: list[f.Formula] = [
        f.StateCondition(Does(who, action))
        for who, action in (("P", "x"), ("P", "y"), ("Q", "x"), (ENVIRONMENT, "l"))
    ]
    often.append(f.And((f.Not(f.Proposition("bad")), often[-1])))
    system = unfair_at_times(rng, game(rng), often)
    contest = Contest(engine, system, strategies)
    for _ in range(3):
        contest.on(wishes(rng, system))


def _counts_steps(formula: f.Formula) -> bool:
    return any(isinstance(part, f.Bounded) for part in record.walk(formula))


@every_engine
@readings
@given(seed=seeds)
@examples(80)
def test_reasons(engine: str, strategies: Reading, seed: int) -> None:
    """Every false coalition formula of these games has a reason, and every true one a strategy."""
    rng = Random(seed)
    system = game(rng)
    asked = [Specification(wishes(rng, system), "") for _ in range(3)]
    options = Options(allow=VACUOUS, engine=engine, strategies=strategies, evidence=True)  # type: ignore[arg-type]
    oracle = Oracle(system, strategies)
    informed = Oracle(system)
    for verdict, question in zip(check(system, asked, options), asked, strict=True):
        evidence = verdict.evidence
        assert evidence is not None
        assert (verdict.value is Value.TRUE) == oracle.holds(question.formula)
        if verdict.value is Value.TRUE:
            assert evidence.strategies
            continue
        assert evidence.explanation is not None
        state = evidence.explanation.state
        could = state in informed.states(question.formula)
        if not could:
            # Answers that go by the step are not listed.
            assert evidence.defences or _counts_steps(question.formula)
        elif strategies == "uniform":
            assert evidence.clashes
            assert evidence.clashes[0].views
