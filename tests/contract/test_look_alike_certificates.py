"""What is said of agents that know, in any shape, is proved; and no lie about it is."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import counted_steps, known_points, look_alikes
from gnomon.certificate.parameterised.known_points import as_epistemic
from gnomon.certificate.parameterised.look_alikes import KnowledgePoint, KnownAt
from gnomon.checking.certify_knowledge import known_attempts
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import Epistemic, Knowledge
from gnomon.model.parameterised.system import OpenSystem
from tests.certificates import changed, damage, leaves
from tests.contract.test_population_knowledge import KINDS, decided, question
from tests.contract.test_population_knowledge_mutants import (
    BELL,
    DOOR,
    JAMMED,
    LETTERS,
    MEETING,
    ONE_BY_ONE,
)
from tests.look_alike_forgeries import accepted, lies
from tests.population_knowledge import Asked
from tests.populations import read
from tests.systems import examples, seeds


@pytest.fixture(autouse=True)
def _small_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_steps, "MOST_STEPS", 20_000)


OPPOSITE: Final = {"true": "false", "false": "true"}


def claim(text: str) -> tuple[OpenSystem, Epistemic]:
    """Return a system, and what is asked of it about knowledge."""
    system = read(text)
    query = system.questions[0].query
    assert isinstance(query, Epistemic | Knowledge)
    return system, as_epistemic(query)


def told(found: Asked) -> tuple[str, Any]:
    """Return the verdict, "" where it is open, and a proof of it that is accepted, if one is."""
    system, query = claim(found.text)
    decision = decided(found)
    if decision.reached is None:
        return "", None
    verdict = "true" if decision.reached is query.reach else "false"
    for attempt in known_attempts(system, query, decision, Budget(seconds=30)):
        proof = json.loads(json.dumps(attempt.proof))
        if accepted(system, query, verdict, proof):
            return verdict, proof
    return verdict, None


def compared(kind: str, seed: int) -> str:
    """Have a verdict proved, and lies about it refused; return what was seen."""
    found = question(kind, seed)
    try:
        verdict, proof = told(found)
    except LimitReached:
        return "too much"
    if not verdict:
        return "open"
    system, query = claim(found.text)
    for lie in lies(system):
        assert accepted(system, query, OPPOSITE[verdict], lie) is not True
    if proof is None:
        return "no proof"
    rng = Random(seed)
    for _ in range(6):
        other = deepcopy(proof)
        if rng.random() < 0.5:
            holder, key = rng.choice(list(leaves(other)))
            holder[key] = changed(rng, holder[key])
        else:
            damage(rng, other)
        assert accepted(system, query, OPPOSITE[verdict], other) is not True
    return f"{verdict}, by {'runs' if proof['cap'] is None else 'points'}"


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(4)
def test_what_agents_know_is_proved_and_its_opposite_never(kind: str, seed: int) -> None:
    compared(kind, seed)


def test_most_of_what_is_decided_has_a_proof() -> None:
    seen = Counter(compared("all", seed) for seed in range(20))

    assert not seen["no proof"]
    assert {"true, by runs", "true, by points", "false, by runs", "false, by points"} <= set(seen)


# By hand


def program(text: str, formula: str) -> Asked:
    return Asked(f"{text}Formulae {formula}; end Formulae", (), reach=False)


@pytest.mark.parametrize(
    ("text", "formula", "verdict", "counts"),
    [
        (BELL, "AG (Environment.bell = true -> GCK(Villager, burning))", "true", True),
        (BELL, "AG (alert -> GCK(Watch, burning))", "false", False),
        (BELL, "EF (alert and GK(Watch, burning))", "true", True),
        (LETTERS, "AG (Person.level = 3 -> GCK(Person, news))", "false", False),
        (ONE_BY_ONE, "AG (T.at = c -> !K(T, forall j : T (j.at <> b)))", "false", True),
        (JAMMED, "AG GK(T, works)", "true", True),
        (JAMMED, "AG forall t : T (!K(t, green))", "true", True),
        (JAMMED, "EF exists t : T (!K(t, green))", "true", False),
        (DOOR, "AG (T.in = false -> !K(T, !locked))", "true", True),
        (MEETING, "AG (DK(T, !met) or met or exists t : T (t.at <> s))", "false", False),
    ],
)
def test_there_are_proofs_by_runs_and_by_all_that_there_may_be(
    text: str, formula: str, verdict: str, counts: bool
) -> None:
    found, proof = told(program(text, formula))

    assert verdict == found
    assert counts is (proof["cap"] is not None)


def test_with_no_agent_everybody_knows_everything_and_somebody_nothing() -> None:
    everybody = claim(program(BELL, "EF GK(Villager, !burning)").text)
    somebody = claim(program(BELL, "EF exists v : Villager (K(v, alert))").text)
    nobody: Any = {
        "members": [],
        "run": {"facts": [], "start": [[False, False], []], "events": []},
        "loop": None,
    }
    proof = {"kind": "look-alikes", "runs": [nobody], "cap": 1, "ways": []}

    assert accepted(*everybody, "true", proof)
    assert not accepted(*somebody, "true", proof)


@pytest.mark.parametrize(
    ("flaw", "change"),
    [
        ("a run of a larger population", lambda p: p["runs"][0]["members"].append("T")),
        ("a run of a smaller one", lambda p: p["runs"][0]["members"].clear()),
        ("no run", lambda p: p["runs"].clear()),
        (
            "runs that end early",
            lambda p: [each["run"]["events"].clear() for each in p["runs"]],
        ),
    ],
)
def test_a_run_that_is_none_shows_nothing(flaw: str, change: Any) -> None:
    asked = program(ONE_BY_ONE, "EF exists t : T (t.at = b and !K(t, forall j : T (j.at = b)))")
    system, query = claim(asked.text)
    verdict, proof = told(asked)
    change(proof)

    assert verdict == "true"
    assert not accepted(system, query, verdict, proof), flaw


def test_from_where_no_fair_run_goes_on_is_not_taken_on_trust() -> None:
    asked = program(JAMMED, "AG GK(T, green)")
    system, query = claim(asked.text)
    verdict, proof = told(program(JAMMED, "AG GK(T, works)"))
    assert verdict == "true"
    assert proof["ways"]
    assert told(asked)[0] == "false"

    [way] = proof["ways"]
    way["gone"]["states"] = list(range(len(way["states"])))

    assert not accepted(system, query, "true", proof)


def test_a_run_that_is_not_fair_shows_nothing() -> None:
    asked = program(JAMMED, "EF !GK(T, works)")
    system, query = claim(asked.text)
    run = {"facts": [], "start": [[False, False], [[]]], "events": [["jam", [None]]]}
    proof = {
        "kind": "look-alikes",
        "runs": [{"members": ["T"], "run": run, "loop": None}],
        "cap": None,
        "ways": [],
    }

    assert told(asked)[0] == "false"
    assert not accepted(system, query, "true", proof)


# Mistakes in the checker


def _nothing_shown(*_: object) -> tuple[object, ...]:
    return ()


def _always(*_: object) -> bool:
    return True


def _each_alone(self: Any, views: list[Any], *, broken: bool) -> None:
    for view in views:
        self._root(view)
        if broken:
            self._broken.append(view)


_VALUE: Final = KnownAt.value


def _never_open(self: KnownAt, formula: Any, point: KnowledgePoint, who: Any = None) -> bool:
    """Take what is open for what is so."""
    return _VALUE(self, formula, point, who or {}) is not False


def _of_one_filling(*_: object) -> list[Any]:
    return [((("Locked", ("front",)), True),)]


def _one_each(self: KnowledgePoint, template: str) -> dict[Any, int]:
    return {self.now.agents[agent]: 1 for agent in self.agents(template)}


#: What is planted, and a program with a lie that is accepted then.
PLANTED: Final[dict[str, tuple[tuple[str, str, str], list[tuple[object, str, object]]]]] = {
    "agents see nothing of the environment": (
        (BELL, "EF exists v : Villager (!K(v, burning) and Environment.bell = true)", "true"),
        [(KnowledgePoint, "_shown", _nothing_shown)],
    ),
    "chains have one link": (
        (BELL, "AG (alert -> GCK(Watch, burning))", "true"),
        [(look_alikes._ViewChains, "join", _each_alone)],
    ),
    "what is open is so": (
        (BELL, "AG forall w : Watch (K(w, burning))", "true"),
        [(KnownAt, "value", _never_open)],
    ),
    "what is counted stands for just so many": (
        (MEETING, "EF (forall t : T (t.at = s) and exists t : T (t = t) and DK(T, !met))", "false"),
        [(KnowledgePoint, "is_exact", _always), (KnowledgePoint, "numbers", _one_each)],
    ),
    "relations are known": (
        (DOOR, "AG (T.in = false -> K(T, locked))", "true"),
        [(known_points, "fillings", _of_one_filling)],
    ),
    "all runs are fair": (
        (JAMMED, "EF !GK(T, works)", "true"),
        [(known_points, "fair_lasso", _always)],
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_lie_is_accepted_where_a_mistake_is_planted(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (text, formula, verdict), mistakes = PLANTED[name]
    system, query = claim(program(text, formula).text)

    assert not any(accepted(system, query, verdict, lie) for lie in lies(system))

    for owner, what, instead in mistakes:
        monkeypatch.setattr(owner, what, instead)

    assert any(accepted(system, query, verdict, lie) for lie in lies(system))
