"""Invariants that are guessed and that count agents: what is accepted is so, and mistakes are found out."""

import json
import time
from collections import Counter
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import situations
from gnomon.certificate.parameterised.counted_classes import CountedClass
from gnomon.certificate.parameterised.crowds import CountedCrowd, _sum
from gnomon.certificate.smt_terms import conj, same
from gnomon.checking.invariant_words import sentences
from gnomon.checking.load import load
from gnomon.checking.population_invariants import decide_with_guesses
from gnomon.engines.parameterised.invariants.guesses import Guesser, Rung, can_be_guessed
from gnomon.engines.solvers import population_steps
from gnomon.engines.solvers.population_clauses import PopulationClauses
from gnomon.engines.solvers.population_counts import Counting
from gnomon.engines.solvers.population_moves import MoveFinder
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.condition import FALSE, Exists, Forall
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem
from tests.comparing import Wrong, bad_of
from tests.counted_claims import accepted, compare_claims, compare_guesses, guesses
from tests.counted_programs import CountedProgram
from tests.populations import read
from tests.support import EXAMPLES, ROOT
from tests.systems import examples, seeds

COUNTED = ROOT / "benchmarks" / "counted"


@given(seeds)
@examples(6)
def test_what_is_guessed_is_accepted_and_what_it_excludes_is_not_reached(seed: int) -> None:
    compare_guesses(read(CountedProgram(seed).text), 2)


@given(seeds)
@examples(3)
def test_whatever_the_checker_accepts_holds_of_all_that_is_reached(seed: int) -> None:
    compare_claims(read(CountedProgram(seed).text), seed, 2)


@pytest.mark.slow
@given(seeds)
@examples(15)
def test_both_with_more_agents(seed: int) -> None:
    system = read(CountedProgram(seed).text)
    compare_guesses(system, 3)
    compare_claims(system, seed, 3)


#: How many of a hundred programs have what is treated specially somewhere, at least.
SHARES = {
    "a number of the environment": 60,
    "an agent's number": 10,
    "two agents' numbers compared": 2,
    "exists": 40,
    "forall": 15,
    "nobody is bad": 10,
    "one state": 10,
    "one": 60,
    "some": 20,
    "all": 20,
    "bounds [0..0]": 5,
    "bounds [1..1]": 5,
    "bounds [2..2]": 5,
    "a number that starts anywhere": 4,
    "follows": 10,
    "reads the environment in Evolution": 2,
}


@pytest.fixture(scope="module")
def census() -> Counter[str]:
    """Return in how many of five hundred programs each thing occurs."""
    found: Counter[str] = Counter()
    for seed in range(500):
        found.update(name for name, count in CountedProgram(seed).census.items() if count)
    return found


@pytest.mark.parametrize(("name", "share"), SHARES.items())
def test_what_is_treated_specially_occurs(census: Counter[str], name: str, share: int) -> None:
    assert share <= census[name] / 5


# By hand


def walkers(
    kind: str, *, own: str = "", bounds: str = "", others: str = "", flee: bool = False
) -> OpenSystem:
    """Return agents that go from home to out, and an environment that counts `go`; they may all `flee`."""
    follows, fled = (", flee : all with come", "at = home : { flee };") if flee else ("", "")
    return read(
        f"""
        Environment
          Vars: n : int; end Vars
          Sync = {{ go : {kind}, come : one }};
          Protocol: true : {{ go, come }}; end Protocol
          Evolution: n = n + 1 if Action = go; n = n - 1 if Action = come; end Evolution
        end Environment
        Template T {bounds}
          Vars: at : {{ home, out }}; lame : boolean; end Vars
          Actions = {{ walk }};
          Sync = {{ go, come{follows} }};
          Protocol:
            {fled} at = home : {{ go }}; at = out : {{ come }};
            {own or "lame = true and at = home"} : {{ walk }};
          end Protocol
          Evolution:
            at = out if Action = go; at = home if Action = come; at = out if Action = walk;
            {"at = out if Action = flee;" if flee else ""}
          end Evolution
        end Template
        Template V {others}
          Vars: at : {{ home, out }}; old : boolean; end Vars
          Sync = {{ go }};
          Protocol: at = home : {{ go }}; end Protocol
          Evolution: at = out if Action = go; end Evolution
        end Template
        Evaluation bad if exists i : T (i.at = out) and Environment.n < 0; end Evaluation
        InitStates Environment.n = 0 and T.at = home and T.lame = false and V.at = home
          and V.old = false; end InitStates
        Formulae AG !bad; end Formulae
        """
    )


OUT = ["T", [["at", "out"]]]
HOME = ["T", [["at", "home"]]]
V_OUT = ["V", [["at", "out"]]]


def claim(classes: list[Any], sign: str, left: list[Any], right: list[Any]) -> dict[str, Any]:
    said = ["holds", [sign, left, right]]
    return {"kind": "numbers", "classes": classes, "always": [said], "cubes": []}


N = ["read", ENVIRONMENT, "n"]
BOTH = ["+", ["count", 0], ["count", 1]]


def test_a_number_of_agents_is_what_it_is_said_to_be_or_the_claim_is_refused() -> None:
    at_rest = "at = out and lame = true"
    one, some, everybody = (walkers(kind, own=at_rest) for kind in ("one", "some", "all"))

    assert accepted(one, claim([OUT, V_OUT], "=", N, BOTH), FALSE)
    assert not accepted(one, claim([OUT, V_OUT], "=", N, ["count", 0]), FALSE)
    assert not accepted(one, claim([OUT], "=", N, ["count", 0]), FALSE)
    assert accepted(one, claim([OUT], "<=", ["value", 0], ["count", 0]), FALSE)
    assert not accepted(some, claim([OUT, V_OUT], "=", N, BOTH), FALSE)
    assert not accepted(everybody, claim([OUT, V_OUT], "=", N, BOTH), FALSE)


def test_local_actions_of_those_without_names_count_and_so_do_bounds() -> None:
    lame = claim([["T", [["lame", True]]]], "=", ["count", 0], ["value", 0])
    walking = walkers("one", own="at = home")
    two = walkers("one", bounds="[0..2]")
    at_most = claim([OUT], "<=", ["count", 0], ["value", 2])

    assert accepted(walkers("some"), lame, FALSE)
    assert not accepted(walking, claim([OUT, V_OUT], "=", N, BOTH), FALSE)
    assert accepted(two, at_most, FALSE)
    assert not accepted(walkers("one"), at_most, FALSE)
    assert not accepted(walkers("one", bounds="[0..3]"), at_most, FALSE)


# Mistakes of the checker


def nobody_else_moves(self: CountedCrowd, *, moving: bool, staying: bool) -> Any:
    return _ways(self, moving=False, staying=False)


def each_name_counts(self: CountedCrowd, place: int, names: Any, *, after: bool = False) -> str:
    own = [name for name in names if name.template == self.part.name]
    return _sum(
        f"(ite {conj((self.encoding.there(n), self.inside(place, n, after=after)))} 1 0)"
        for n in own
    )


def nobody_follows(system: OpenSystem, shared: str) -> list[str]:
    return [] if system.sync[shared] == "one" else [shared]


def changes_nothing(self: CountedCrowd, actions: Any) -> bool:
    return False


def nobody_starts(self: CountedCrowd, ones: Any, initial: Any) -> str:
    return conj(f"(= {self.count(n)} 0)" for n, _ in enumerate(ones))


def only_those_in_classes(self: CountedCrowd, names: Any) -> Any:
    yield from _always(self, names)
    yield same(self.count(self._rest), "0")


def classes_may_overlap(self: CountedClass, other: CountedClass) -> bool:
    return True


_ways, _always = CountedCrowd.ways, CountedCrowd.always

#: What to plant: where, what, and a claim that is wrong, about what.
CHECKER: dict[str, tuple[Any, str, Any, dict[str, Any], dict[str, Any]]] = {
    "nobody else takes part": (
        CountedCrowd,
        "ways",
        nobody_else_moves,
        {"kind": "some"},
        claim([OUT], "<=", ["count", 0], N),
    ),
    "nobody follows": (
        situations,
        "_joining",
        nobody_follows,
        {"kind": "one", "flee": True, "own": "at = out"},
        claim([OUT], "<=", ["count", 0], N),
    ),
    "actions change no class": (
        CountedCrowd,
        "may_change",
        changes_nothing,
        {"kind": "all"},
        claim([OUT], "<=", ["count", 0], ["value", 0]),
    ),
    "there is nobody in the beginning": (
        CountedCrowd,
        "starts",
        nobody_starts,
        {"kind": "one"},
        claim([HOME, OUT], "<=", BOTH, ["value", 0]),
    ),
    "nobody is in none of the classes": (
        CountedCrowd,
        "always",
        only_those_in_classes,
        {"kind": "one"},
        claim([OUT], "=", ["count", 0], ["value", 0]),
    ),
    "one agent in two classes": (
        CountedClass,
        "excludes",
        classes_may_overlap,
        {"kind": "one", "others": "[1..1]"},
        claim([["V", [["at", "home"]]], ["V", [["old", False]]]], "<=", BOTH, ["value", 1]),
    ),
    "one agent with two names is two": (
        CountedCrowd,
        "_named",
        each_name_counts,
        {"kind": "one", "bounds": "[1..1]", "own": "at = out"},
        {
            **claim([HOME], ">=", ["count", 0], ["value", 0]),
            "cubes": [
                {
                    "agents": ["T"],
                    "conditions": [["holds", ["=", ["read", "a0", "at"], ["value", "out"]]]],
                }
            ],
        },
    ),
}


@pytest.mark.parametrize("name", CHECKER)
def test_a_mistake_of_the_checker_is_found_out(name: str) -> None:
    owner, attribute, instead, options, wrong = CHECKER[name]
    system = walkers(**options)
    assert not accepted(system, wrong, FALSE)

    with patch.object(owner, attribute, instead):
        assert accepted(system, wrong, FALSE)


# Mistakes of the search


def one_mover_at_a_time(self: PopulationClauses, part: Any) -> bool:
    return False


def without_premises(self: Counting, names: Any) -> Any:
    return iter(())


def nobody_is_looked_for(condition: Any, names: Any, *, witnesses: bool = True) -> Any:
    return FALSE if isinstance(condition, Exists) else _among(condition, names, witnesses=witnesses)


def somebody_is_unlike_all(condition: Any, names: Any, *, witnesses: bool = True) -> Any:
    return FALSE if isinstance(condition, Forall) else _among(condition, names, witnesses=witnesses)


def only_those_who_lead(self: MoveFinder, template: str, action: str, kind: str) -> Any:
    return iter(())


_among = population_steps.among

#: What to plant, and a program that shows it.
SEARCH: dict[str, tuple[Any, str, Any, int]] = {
    "nobody is looked for": (population_steps, "among", nobody_is_looked_for, 24),
    "forall holds never": (population_steps, "among", somebody_is_unlike_all, 16),
    "only the environment changes": (MoveFinder, "_together", only_those_who_lead, 6),
}


@pytest.mark.parametrize("name", SEARCH)
def test_a_mistake_of_the_search_is_found_out_by_the_checker(name: str) -> None:
    *planted, seed = SEARCH[name]
    system = read(CountedProgram(seed).text)
    compare_guesses(system, 0)

    with patch.object(*planted), pytest.raises(Wrong):
        compare_guesses(system, 0)


def of(name: str) -> OpenSystem:
    path = COUNTED / f"{name}.ispl"
    found = load(str(path if path.exists() else EXAMPLES / "parameterised" / f"{name}.ispl")).model
    assert isinstance(found, OpenSystem)
    return found


def excluded(system: OpenSystem) -> list[bool]:
    """Return which guesses exclude what is bad, to the checker."""
    bad = bad_of(system)
    return [
        accepted(system, json.loads(json.dumps(g.invariant)), bad) for g in guesses(system, bad)
    ]


def test_who_lets_one_move_at_a_time_is_wrong_where_two_meet_and_is_refused() -> None:
    system = of("bakery_of_equals")
    assert [] == excluded(system)

    with patch.object(PopulationClauses, "_looks", one_mover_at_a_time):
        guessed = excluded(system)
    assert guessed
    assert not any(guessed)


def test_numbers_of_agents_are_of_no_use_without_what_they_mean() -> None:
    system = of("counted_readers")
    assert excluded(system)[-1]

    with patch.object(Counting, "assumed", without_premises):
        assert not any(excluded(system))


def test_a_guess_ends_where_a_limit_is_passed() -> None:
    system = of("patient_writers")
    guesser = Guesser(system, bad_of(system), Budget(within=Budget(1.0)))
    started = time.process_time()

    with pytest.raises(LimitReached):
        list(guesser.climb([Rung(3, counting=False, effort=20)]))
    assert time.process_time() - started < 60


def test_who_follows_and_relations_are_left_to_the_search() -> None:
    assert can_be_guessed(walkers("one"))
    assert not can_be_guessed(walkers("one", flee=True))
    assert not can_be_guessed(of("vault"))


def test_words_say_what_numbers_mean() -> None:
    told = {
        name: [line for line in words(of(name)) if "always" in line]
        for name in ("counted_readers", "places", "ticket_office")
    }

    assert (
        "`readers` is always the number of agents of `Reader` with at = in"
        in told["counted_readers"]
    )
    assert ["`free` plus the number of agents of `Car` with parked = true is always 2"] == told[
        "places"
    ]
    assert [] == told["ticket_office"]


def words(system: OpenSystem) -> tuple[str, ...]:
    query = system.questions[0].query
    assert isinstance(query, Safety)
    decision = decide_with_guesses(system, query, Budget(60))
    assert decision.reached is False
    assert decision.invariant is not None
    return sentences(system, decision.invariant)
