"""Every certificate about any number of agents is accepted, and none for a verdict that is not so."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace as with_fields
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.solvers import SOLVERS
from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.certify_population import proved
from gnomon.checking.check import Options, check
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decision import NO_START, PopulationDecision
from gnomon.engines.parameterised.knowledge import decide_knowledge
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import values_of
from gnomon.model.parameterised.condition import TRUE, And, Condition, Exists, Forall, walk
from gnomon.model.parameterised.query import Knowledge, Safety
from gnomon.model.parameterised.system import Multiplicity, OpenSystem, Part, PopulationQuestion
from gnomon.text.record import replace
from gnomon.text.source import Source
from tests.certificates import one_of, places, verified, verified_with
from tests.population_operators import operator_program
from tests.populations import KINDS, chain_program, random_program, read
from tests.support import VACUOUS
from tests.systems import examples, seeds

SOME = ("some",)


def certified(system: OpenSystem, text: str) -> Any:
    result = check(
        system, None, Options(allow=VACUOUS, certificate=True), source=Source("<random>", text)
    )
    return json.loads(json.dumps(result.certificate))


def verified_by(system: OpenSystem, certificate: Any, solver: str) -> list[ProofOutcome]:
    return verified_with(system, certificate, one_of(system.questions), solvers=(solver,))


def outcome(system: OpenSystem, entry: Any) -> ProofOutcome:
    [found] = verified(system, {"verdicts": [entry]}, system.questions)
    return found


# Whatever is decided is proved


def check_all_proved(text: str, seed: int) -> None:
    system = read(text)
    certificate = certified(system, text)
    for entry in certificate["verdicts"]:
        assert entry["proof"] is not None or entry["verdict"] == "unknown", (seed, entry, text)
    proved = {**certificate, "verdicts": [e for e in certificate["verdicts"] if e["proof"]]}
    # The solvers take turns, each alone.
    found = verified_by(system, proved, SOLVERS[seed % len(SOLVERS)])
    assert all(each.accepted for each in found), (seed, found, text)
    for entry in proved["verdicts"]:
        entry["verdict"] = {"true": "false", "false": "true"}[entry["verdict"]]
    assert not any(each.accepted for each in verified_by(system, proved, "z3")), (seed, text)


@given(seeds)
@examples(20)
def test_where_all_operators_occur(seed: int) -> None:
    check_all_proved(operator_program(seed, KINDS)[0].fancy, seed)


@given(seeds)
@examples(30)
def test_where_any_number_may_take_part(seed: int) -> None:
    check_all_proved(random_program(seed), seed)


@given(seeds)
@examples(40)
def test_where_one_or_all_take_part(seed: int) -> None:
    check_all_proved(random_program(seed, KINDS), seed)


@given(seeds)
@examples(40)
def test_where_guards_speak_of_every_agent(seed: int) -> None:
    check_all_proved(random_program(seed, KINDS, forall=True), seed)


@given(seeds)
@examples(20)
def test_where_agents_go_from_place_to_place(seed: int) -> None:
    check_all_proved(chain_program(seed, SOME), seed)


@given(seeds)
@examples(30)
def test_where_they_do_so_alone_or_together(seed: int) -> None:
    check_all_proved(chain_program(seed, KINDS), seed)


# What is not known


@given(seeds)
@examples(40)
def test_two_runs_for_what_is_not_known(seed: int) -> None:
    """A run that reaches a state and another one that looks alike; of what is known there is no proof yet."""
    rng = random.Random(seed)
    system = read(random_program(seed, rng.choice([SOME, KINDS])))
    template = rng.choice(system.templates)
    conditions = [
        guard
        for guard in template.guards.values()
        if not any(isinstance(part, Exists | Forall) for part in walk(guard))
    ]
    query = Knowledge(
        template.name, rng.choice([TRUE, *conditions]), rng.choice([TRUE, *conditions])
    )
    question = PopulationQuestion(query, "text", "parsed")
    asked = with_fields(system, questions=(question,))
    decision = decide_knowledge(CompiledPopulation(asked), query, Budget(seconds=20))
    if decision.reached is None:
        return
    [verdict] = check(asked, options=Options(allow=VACUOUS)).verdicts
    entry = json.loads(json.dumps(proved(asked, question, verdict, decision, Budget()).entry))
    if not decision.reached:
        if entry["proof"] is None:
            assert decision.method == NO_START, entry["reason"]
            return
        assert outcome(asked, entry).accepted, (seed, entry)
        never_for_relatives(rng, asked, query, entry)
        return
    assert outcome(asked, entry).accepted, (seed, entry)
    proof = entry["proof"]
    other = {**proof, "runs": proof["runs"][:1]}
    assert outcome(asked, {**entry, "proof": other}).accepted is False


# What is proved of one system is not so of another


def weaker(rng: random.Random, condition: Condition) -> Condition:
    if isinstance(condition, And) and condition.operands and rng.random() < 0.7:
        left = rng.randrange(len(condition.operands))
        return And(condition.operands[:left] + condition.operands[left + 1 :])
    return TRUE


def with_part(system: OpenSystem, part: Part) -> OpenSystem:
    if part.name == system.environment.name:
        return with_fields(system, environment=part)
    templates = tuple(part if old.name == part.name else old for old in system.templates)
    return with_fields(system, templates=templates)


def relatives(rng: random.Random, system: OpenSystem) -> Iterator[OpenSystem]:
    """Yield systems that can do more, or something else."""
    for part in system.part.values():
        for action, guard in part.guards.items():
            guards = {**part.guards, action: weaker(rng, guard)}
            yield with_part(system, replace(part, guards=guards))
        for number in range(len(part.changes)):
            changes = part.changes[:number] + part.changes[number + 1 :]
            yield with_part(system, replace(part, changes=changes))
        yield with_part(system, replace(part, initial=TRUE))
        if part.high is not None:
            yield with_part(system, replace(part, high=part.high + 1))
    for action, kind in system.sync.items():
        other: Multiplicity = "one" if kind == "some" else "some"
        yield with_fields(system, sync={**system.sync, action: other})
    for number in range(len(system.axioms)):
        axioms = system.axioms[:number] + system.axioms[number + 1 :]
        yield with_fields(system, axioms=axioms)


def decided(system: OpenSystem) -> PopulationDecision | None:
    query = system.questions[0].query
    assert isinstance(query, Safety)
    try:
        return decide_safety(CompiledPopulation(system), query.bad, Budget(seconds=20))
    except LimitReached:
        return None


def never_for_relatives(
    rng: random.Random, system: OpenSystem, query: Knowledge, entry: Any
) -> None:
    """What is always known in a system is no proof for a relative where it is not, or with views left out."""
    for relative in relatives(rng, system):
        try:
            found = decide_knowledge(CompiledPopulation(relative), query, Budget(seconds=20))
        except LimitReached:
            continue
        if found.reached:
            assert outcome(relative, entry).accepted is False
    views = entry["proof"]["views"]
    for _ in range(3):
        other = json.loads(json.dumps(entry))
        other["proof"]["views"] = [rng.sample(each, rng.randrange(len(each) + 1)) for each in views]
        assert outcome(system, other).accepted is not None


def check_relatives(text: str, seed: int) -> None:
    """Proofs of a system are no proofs of a relative where the opposite holds, and the other way round."""
    system = read(text)
    [entry] = certified(system, text)["verdicts"]
    if entry["verdict"] != "true":
        return
    for relative in relatives(random.Random(seed), system):
        decision = decided(relative)
        if decision is None or not decision.reached:
            continue
        assert outcome(relative, entry).accepted is False, (seed, text)
        [verdict] = check(relative, options=Options(allow=VACUOUS)).verdicts
        [question] = system.questions
        run = json.loads(json.dumps(proved(relative, question, verdict, decision, Budget()).entry))
        if relative.axioms == system.axioms:
            assert run["proof"] is not None, (seed, run)
        assert outcome(system, run).accepted is not True, (seed, text)


@given(seeds)
@examples(40)
def test_proofs_of_relatives_are_rejected(seed: int) -> None:
    check_relatives(random_program(seed, random.Random(seed).choice([SOME, KINDS])), seed)


@given(seeds)
@examples(20)
def test_proofs_of_relatives_on_their_way_are_rejected(seed: int) -> None:
    check_relatives(chain_program(seed, random.Random(seed).choice([SOME, KINDS])), seed)


# Forgeries for what is not so


def anything(system: OpenSystem) -> list[Any]:
    """Return invariants that say nothing, or the opposite of what is so."""
    domains = [values_of(variable.domain) for variable in system.environment.variables]
    everywhere: Any = {part.name: [[]] for part in system.templates}
    nowhere: Any = {part.name: [] for part in system.templates}
    environment = system.environment.name

    def cases(occupied: Any) -> Any:
        return {
            "kind": "occupied",
            "cases": [
                {"environment": list(state), "occupied": occupied, "facts": []}
                for state in product(*domains)
            ],
        }

    def cubes(within: Any, own: Any, *agents: Any) -> Any:
        cube = {"environment": [[]], "agents": list(agents), "facts": []}
        return {
            "kind": "avoided",
            "within": {environment: own, **within},
            "cubes": [cube] if agents else [],
        }

    first = system.templates[0].name
    return [
        cases(everywhere),
        cases(nowhere),
        {"kind": "occupied", "cases": []},
        cubes(everywhere, [[]]),
        cubes(nowhere, [[]]),
        cubes(everywhere, []),
        cubes(everywhere, [[]], [first, [[]]]),
        cubes(everywhere, [[]], [first, []]),
    ]


@given(seeds)
@examples(30)
def test_what_is_reached_is_never_excluded(seed: int) -> None:
    text = random_program(seed, random.Random(seed).choice([SOME, KINDS]))
    system = read(text)
    [entry] = certified(system, text)["verdicts"]
    if entry["verdict"] != "false":
        return
    for data in anything(system):
        forged = {
            **entry,
            "verdict": "true",
            "proof": {"kind": "invariant", "invariant": data},
        }
        assert outcome(system, forged).accepted is False, (seed, data)


@given(seeds)
@examples(40)
def test_whatever_is_changed_nothing_breaks(seed: int) -> None:
    """A certificate with anything else in some place is accepted or not, and never a surprise."""
    rng = random.Random(seed)
    text = random_program(seed, rng.choice([SOME, KINDS]))
    system = read(text)
    [entry] = certified(system, text)["verdicts"]
    if entry["proof"] is None:
        return
    for _ in range(6):
        copy = json.loads(json.dumps(entry))
        holder, key = rng.choice(list(places(copy["proof"])))
        holder[key] = rng.choice([None, 0, -1, True, "a", "", [], {}, [[]], ["a"], [["v0", ["a"]]]])
        found = outcome(system, copy)
        assert found.accepted is not None
        assert found.accepted or found.why


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_alone(solver: str) -> None:
    """Each solver proves what the other one does."""
    for seed in range(12):
        text = chain_program(seed, KINDS)
        system = read(text)
        found = verified_by(system, certified(system, text), solver)
        assert [each.accepted for each in found] == [True], (seed, found)
