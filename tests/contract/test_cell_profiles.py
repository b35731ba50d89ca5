"""Profiles of strategies on cells agree with trying all of them, and their proofs are about what is so."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.deductive import profile as profiles
from gnomon.certificate.deductive.profile import StrategyProfile
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.checking import predicate_abstraction
from gnomon.checking.cell_profiles import ProfileSearch
from gnomon.checking.check import Options, check
from gnomon.checking.decider import Decision
from gnomon.checking.profile_proofs import proved_by_profile
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.partition import first_partition
from gnomon.model import formula as f
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.expression import Read
from gnomon.model.formula import show_formula
from gnomon.model.fragment import has_coalition
from gnomon.model.system import Specification, System
from tests.abstraction import Wrong
from tests.certificates import verified
from tests.contract.test_condition_certificates import Accepted, nothing
from tests.contract.test_empty_lines import with_empty_lines
from tests.contract.test_uniform_certificates import PUMP, system_of
from tests.counting import arena, counting_system
from tests.fairness import fairly
from tests.oracle import Oracle, TooMany
from tests.similar import similar
from tests.support import VACUOUS
from tests.systems import examples, random_formula, random_path, random_system, seeds
from tests.uniform import dim


def small(rng: Random) -> System:
    """Return a system in which agents may have nothing to do, or no variables, or see the same."""
    return random_system(rng, largest=8, stuck=0.3)


def numbers(rng: Random) -> System:
    """Return a system of numbers, some of one value."""
    return counting_system(rng, rng.choice((4, 8, 12)), stuck=0.2)


def emptied(rng: Random) -> System:
    """Return a system some of whose lines allow nothing; one event may happen at a time."""
    return with_empty_lines(rng, random_system(rng, largest=8, interleaved=rng.random() < 0.5))


def interleaved(rng: Random) -> System:
    """Return a system in which one event happens at a time."""
    return random_system(rng, largest=8, interleaved=True)


KINDS: dict[str, Callable[[Random], System]] = {
    "small": small,
    "numbers": numbers,
    "emptied": emptied,
    "interleaved": interleaved,
    "arena": lambda rng: rng.choice((arena, dim))(rng),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
#: Numbers are cut, also those of few values; or only those of some more.
WIDTHS = (0, 0, 4, 64)
#: Solvers take two seconds for each product of numbers, and there is one in some guards.
SECONDS = 30


def asked_of(rng: Random, system: System) -> Specification:
    """Return something to ask about a system."""
    if rng.random() < 0.15:
        return _asked(f.All(random_path(rng, system, 2, "bool know")), "LTL")
    if rng.random() < 0.15:
        return _asked(f.All(f.Next(f.Constant(value=False))))
    kinds = rng.choice(("bool ctl know norm atl", "know ctl", "atl ctl"))
    return _asked(random_formula(rng, system, rng.choice((1, 2, 2)), kinds))


def _asked(formula: f.Formula, logic: Any = "CTL") -> Specification:
    return Specification(formula, show_formula(formula), logic=logic)


def searched(
    system: System, asked: Specification, wide: int, refine: int = 2
) -> tuple[ProfileSearch, Decision]:
    """Return what is found out about a formula, and by what."""
    options = Options(strategies="uniform-model", engine="abstraction", refine=refine)
    cut = partial(first_partition, wide=wide)
    with patch.object(predicate_abstraction, "first_partition", cut):
        search = ProfileSearch(system, asked, options, Budget(SECONDS))
        return search, search.decide()


def proof_of(system: System, asked: Specification, search: ProfileSearch) -> tuple[Any, str]:
    """Return the proof of what is true, and why there is none."""
    entry = {
        "index": 1,
        "name": None,
        "formula": asked.text,
        "parsed": show_formula(asked.formula),
        "logic": asked.logic,
        "strategies": "uniform-model",
        "verdict": "true",
        "proof": None,
        "reason": "",
        "typed": False,
    }
    assert search.found is not None
    found = proved_by_profile(system, asked, entry, search.found, Budget(SECONDS)).entry
    return json.loads(json.dumps(found["proof"])), found["reason"]


#: What there is no rule for; all else has a proof.
REASONS = (
    "there is no rule",
    "a limit was reached",
    "a value may leave its range",
    "a run may end",
)


def compare(kind: str, seed: int) -> Counter[str]:
    """Let verdicts be right and what is true have a proof, which is none for what is not so elsewhere."""
    rng = Random(seed)
    system = KINDS[kind](rng)
    if rng.random() < 0.3:
        system = fairly(rng, system)
    asked = asked_of(rng, system)
    seen: Counter[str] = Counter()
    try:
        expected = Oracle(system, "uniform-model").holds(asked.formula, asked.logic)
    except TooMany:
        return seen
    try:
        search, decision = searched(system, asked, rng.choice(WIDTHS), rng.choice((0, 2)))
    except LimitReached:
        return seen
    seen[decision.value.name] += 1
    if decision.value not in {Value.UNDEFINED, Value.TRUE if expected else Value.FALSE}:
        raise Wrong(asked.text, decision.value)
    if decision.value is not Value.TRUE or (system.interleaved and has_coalition(asked.formula)):
        return seen
    proof, why = proof_of(system, asked, search)
    assert proof or why.startswith(REASONS), (why, asked.text)
    for other in [similar(rng, system) for _ in range(3 if proof else 0)]:
        seen[elsewhere(other, asked, proof)] += 1
    return seen


def elsewhere(other: System, asked: Specification, proof: Any) -> str:
    """Return what becomes of a proof that is shown to another system."""
    try:
        truth = Oracle(other, "uniform-model").holds(asked.formula, asked.logic)
        accepts(proof, other, asked)
    except (Rejected, TooMuch, TooMany, LimitReached):
        return "refused"
    if not truth:
        raise Accepted(asked.text)
    return "accepted"


def accepts(proof: Any, system: System, asked: Specification, *, value: bool = True) -> str:
    """Return the solver that accepts a proof."""
    return check_conditions(system, asked, proof, Budget(20), value=value, reading="uniform-model")


@every_kind
@given(seed=seeds)
@examples(20)
def test_profiles_on_cells(kind: str, seed: int) -> None:
    compare(kind, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_most_is_decided_and_proved(kind: str) -> None:
    seen = sum((compare(kind, seed) for seed in range(8)), Counter[str]())

    assert seen["UNDEFINED"] <= 4
    assert min(seen["TRUE"], seen["accepted"], seen["refused"]) > 0


#: Cells do not tell where the agent can do something, nor does a solver.
UNCLEAR = """
Agent Environment Vars: e : 0..0; end Vars Evolution: e = 0 if e = 0; end Evolution end Agent
Agent P
  Vars: x : -2..3; end Vars
  Actions = {a, b};
  Protocol: (~x) + x mod 3 > x : {a, b}; end Protocol
  Evolution: x = x if Action = a; end Evolution
end Agent
Evaluation p if P.x = 0; end Evaluation
InitStates P.x = -1 and Environment.e = 0; end InitStates
Formulae AX false; EX true; end Formulae
"""


def test_an_agent_of_which_it_is_not_clear_what_it_can_do_does_not_do_nothing() -> None:
    system = system_of(UNCLEAR)

    for asked in system.specifications:
        truth = Oracle(system, "uniform-model").holds(asked.formula)
        for wide in WIDTHS:
            _, decision = searched(system, asked, wide)
            assert decision.value in {Value.UNDEFINED, Value.TRUE if truth else Value.FALSE}


# Forged profiles

PROFILED = PUMP.split("Formulae", maxsplit=1)[0] + "Formulae AG fine; AX false; end Formulae"


def pumped(number: int = 0, program: str = PROFILED) -> tuple[System, Specification, Any]:
    """Return a system, one of its formulae, and the proof of that."""
    system = system_of(program)
    asked = system.specifications[number]
    search, decision = searched(system, asked, 64)
    assert decision.value is Value.TRUE
    proof, why = proof_of(system, asked, search)
    assert proof, why
    return system, asked, proof


def leave_one_out(told: dict[str, Any]) -> None:
    del told["Pump"]


def name_a_stranger(told: dict[str, Any]) -> None:
    told["Nobody"] = told["Pump"]


def go_by_what_is_hidden(told: dict[str, Any]) -> None:
    told["Pump"][0][0].append({"variable": ["Environment", "lid"], "value": True})


def go_by_another_number(told: dict[str, Any]) -> None:
    pump = {"agent": "Pump", "variable": "on"}
    told["Environment"][0][0].append({"comparison": ["=", pump, 0], "holds": True})


def do_what_others_do(told: dict[str, Any]) -> None:
    told["Pump"][0][1] = "leak"


def do_nothing(told: dict[str, Any]) -> None:
    told["Pump"] = []


def do_nothing_somewhere(told: dict[str, Any]) -> None:
    del told["Pump"][0]


def always_fill(told: dict[str, Any]) -> None:
    told["Pump"].insert(0, [[], "fill"])


FLAWS: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (leave_one_out, "not a strategy for each agent"),
    (name_a_stranger, "not a strategy for each agent"),
    (go_by_what_is_hidden, "Pump goes by what it does not see"),
    (go_by_another_number, "a sum of what are no numbers"),
    (do_what_others_do, "there is no such action"),
    (do_nothing, "a profile says nothing where something can be done"),
    (do_nothing_somewhere, "a profile says nothing where something can be done"),
    (always_fill, "the invariant fails after a step"),
]


def test_a_profile_is_accepted() -> None:
    system, asked, proof = pumped()

    assert accepts(proof, system, asked)


@pytest.mark.parametrize(("flaw", "why"), FLAWS)
def test_a_profile_with_a_flaw_is_refused(flaw: Callable[[Any], None], why: str) -> None:
    system, asked, proof = pumped()
    flaw(proof["profile"])

    with pytest.raises(Rejected, match=why):
        accepts(proof, system, asked)


def test_a_profile_does_only_what_can_be_done() -> None:
    _, asked, proof = pumped()
    first, _, last = PROFILED.rpartition("Protocol: Other : {fill, stop}; end Protocol")
    other = "Protocol: Environment.level <= 0 : {stop}; Other : {fill}; end Protocol"

    with pytest.raises(Rejected, match="a profile says what cannot be done"):
        accepts(proof, system_of(first + other + last), asked)


def test_a_profile_proves_nothing_of_the_whole_model_or_of_all_profiles() -> None:
    system, asked, proof = pumped()

    with pytest.raises(Rejected):
        check_conditions(system, asked, proof, Budget(20), value=True)
    with pytest.raises(Rejected, match="no profile makes true"):
        accepts(proof, system, asked, value=False)
    del proof["profile"]
    with pytest.raises(Rejected):
        accepts(proof, system, asked)


def all_variables(system: System, _agents: object) -> Any:
    """Let everybody see everything."""
    return frozenset(Read(each.agent, each.name) for each in system.variables)


def test_a_mistake_of_the_checker_lets_a_flaw_through() -> None:
    system, _, proof = pumped()
    go_by_what_is_hidden(proof["profile"])
    proof["profile"]["Pump"].insert(1, [proof["profile"]["Pump"][0][0][:-1], "stop"])
    ends = {"formula": "AX false", "holds": True, "where": True, "moves": []}
    dead = {"profile": {"Environment": [], "Pump": []}, "labels": [ends], "invariant": True}
    never = system.specifications[1]

    with pytest.raises(Rejected, match="nothing where something can be done"):
        accepts({**proof, **dead}, system, never)
    with patch.object(StrategyProfile, "check", nothing):
        assert accepts({**proof, **dead}, system, never)
    with pytest.raises(Rejected, match="does not see"):
        accepts(proof, system, system.specifications[0])
    with patch.object(profiles, "seen_by", all_variables):
        assert accepts(proof, system, system.specifications[0])


# As a user meets it

CHECKED = Options(
    allow=VACUOUS,
    strategies="uniform-model",
    engine="abstraction",
    evidence=True,
    certificate=True,
    refine=2,
)


def test_what_is_true_comes_with_a_profile_that_is_verified() -> None:
    system = system_of(PROFILED)
    result = check(system, system.specifications[:1], CHECKED)
    assert result.certificate is not None
    [fine] = verified(system, result.certificate, system.specifications[:1])

    assert (True, "uniform-model") == (fine.accepted, fine.strategies)


def test_that_there_is_no_profile_has_no_proof() -> None:
    system = system_of(UNCLEAR.replace("(~x) + x mod 3 > x", "x <= 3"))
    result = check(system, system.specifications, CHECKED)
    assert result.certificate is not None
    entries = result.certificate["verdicts"]

    assert [Value.FALSE, Value.TRUE] == [each.value for each in result]
    assert [True, False] == [each["proof"] is None for each in entries]
    assert "no profile" in entries[0]["reason"]


def test_profiles_of_some_agents_have_no_proof() -> None:
    system = system_of(PROFILED)
    options = replace(CHECKED, uniform_group="Pump")
    result = check(system, system.specifications[:1], options)
    assert result.certificate is not None
    [entry] = result.certificate["verdicts"]

    assert "all agents" in entry["reason"]
    assert entry["proof"] is None


#: Nothing counts where the number is 1: of what is known there nothing need be shown.
SELDOM_FAIR = """
Semantics = Interleaved;
Agent Environment Vars: n : int; end Vars Evolution: n = 1 if n >= 1; end Evolution end Agent
Agent P Actions = {a}; Protocol: Other : {a}; end Protocol Evolution: end Evolution end Agent
Evaluation p if Environment.n = 0; q if Environment.n >= 2; end Evaluation
InitStates Environment.n >= 0 and Environment.n <= 1; end InitStates
Groups g = {P}; end Groups
Fairness p; end Fairness
Formulae A(GCK(g, q) U p); end Formulae
"""


@pytest.mark.parametrize("strategies", ["perfect", "uniform-model"])
def test_knowledge_is_proved_of_what_counts(strategies: Any) -> None:
    system = system_of(SELDOM_FAIR)
    options = replace(CHECKED, strategies=strategies)
    result = check(system, system.specifications[:1], options)
    assert result.certificate is not None
    [entry] = result.certificate["verdicts"]

    assert ("true", "") == (entry["verdict"], entry["reason"])
    assert entry["proof"]


def test_checks_side_by_side_do_not_disturb_each_other() -> None:
    systems = [KINDS[kind](Random(seed)) for kind in KINDS for seed in range(2)]

    def values(system: System) -> list[Value]:
        asked = [asked_of(Random(number), system) for number in range(2)]
        return [ProfileSearch(system, each, CHECKED, Budget()).decide().value for each in asked]

    alone = list(map(values, systems))
    with ThreadPoolExecutor(4) as threads:
        assert alone == list(threads.map(values, systems))
