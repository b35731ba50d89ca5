"""What is proved of all populations over time is accepted, and nothing is that small populations refute."""

import json
from collections import Counter
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import counted_steps
from gnomon.certificate.parameterised.counted_paths import check_counted
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.checking.certify_counted import Unwritten, counted_proof
from gnomon.checking.certify_population import proved
from gnomon.checking.check import check
from gnomon.checking.population_paths import decide_paths
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.system import OpenSystem
from tests.certificates import changed, damage, leaves, verified
from tests.counted_forgeries import LOCK, SERVED, forged
from tests.population_paths import BRANCHING, SHAPES, question
from tests.populations import read
from tests.systems import examples, seeds

KINDS = {"some": ("some",), "mixed": ("some", "one", "all")}


def asked(kind: str, seed: int, *, branching: bool = False) -> tuple[OpenSystem, OverTime]:
    shapes = BRANCHING if branching else SHAPES
    system = read(question(seed, KINDS[kind], forall=True, shapes=shapes).text)
    query = system.questions[0].query
    assert isinstance(query, OverTime)
    return system, query


def accepted(system: OpenSystem, query: OverTime, proof: Any) -> bool | None:
    """Return whether a proof is accepted; None where it is too large to be checked."""
    try:
        check_counted(system, json.loads(json.dumps(proof)), query, Budget())
    except Rejected:
        return False
    except TooMuch:
        return None
    return True


def compared(kind: str, seed: int, *, branching: bool) -> Counter[str]:
    """Hold what is decided against its proof, and against lies; return what was seen."""
    system, query = asked(kind, seed, branching=branching)
    try:
        decision = decide_paths(system, query, Budget(seconds=2))
    except LimitReached:
        return Counter(["too much"])
    seen = Counter([str(decision.reached)])
    if decision.reached is False:
        try:
            proof = counted_proof(system, query, 0, Budget(seconds=20))
        except LimitReached:
            return Counter(["too much"])
        except Unwritten as reason:
            # The tableau of the checker may be larger than the automaton that decided; and where all
            # populations were gone through there need not be a graph that shows it.
            looked_at_all = decision.method == "all populations"
            assert looked_at_all or "more than" in str(reason)  # noqa: PT017
            return Counter(["too much"])
        assert accepted(system, query, proof) is not False
        seen += _entries(proof)
    elif decision.reached and decision.steps < 200:
        rng = Random(seed)
        for lie, false in islice(forged(system, query, rng), 6):
            assert not accepted(system, query, false), lie
            seen["lies"] += 1
    return seen


def _entries(proof: Any) -> Counter[str]:
    found = Counter[str]()
    for way in proof["ways"]:
        for label in way["labels"]:
            found["never"] += bool(label["states"])
            found["certain"] += bool(label["certain"])
        for deletion in way["never"]["deletions"]:
            found[deletion["kind"]] += 1
            found.update(each[1] for each in deletion.get("missing", ()))
    return found


@pytest.fixture(autouse=True)
def _small_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_steps, "MOST_STEPS", 50_000)


@pytest.mark.parametrize("branching", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(12)
def test_what_is_true_for_all_has_a_proof_and_what_is_false_has_none(
    kind: str, branching: bool, seed: int
) -> None:
    compared(kind, seed, branching=branching)


def altered(system: OpenSystem, query: OverTime, proof: Any, rng: Random, times: int) -> int:
    """Change a proof in some places; nothing breaks. Return how often it still is accepted."""
    count = 0
    for _ in range(times):
        other = deepcopy(proof)
        if rng.random() < 0.5:
            holder, key = rng.choice(list(leaves(other)))
            holder[key] = changed(rng, holder[key])
        else:
            damage(rng, other)
        try:
            check_counted(system, other, query, Budget())
            count += 1
        except (Rejected, TooMuch):
            continue
    return count


@pytest.mark.parametrize("branching", [False, True])
@given(seed=seeds)
@examples(12)
def test_whatever_is_changed_nothing_breaks(branching: bool, seed: int) -> None:
    system, query = asked("mixed", seed, branching=branching)
    try:
        proof = json.loads(json.dumps(counted_proof(system, query, 0, Budget(seconds=1))))
    except (Unwritten, LimitReached):
        return
    if len(json.dumps(proof)) < 20_000:
        altered(system, query, proof, Random(seed), 20)


def test_a_proof_with_less_in_it_is_none() -> None:
    """Of one natural proof, no number of a node, no deletion and no node can be left out."""
    system, query = natural("strong")
    proof = json.loads(json.dumps(counted_proof(system, query, 0, Budget())))
    never = proof["ways"][0]["never"]

    assert accepted(system, query, proof)
    for kind in ("nodes", "deletions"):
        for place in range(len(never[kind])):
            other = deepcopy(proof)
            del other["ways"][0]["never"][kind][place]
            assert not accepted(system, query, other)


@pytest.mark.parametrize("promise", ["weak", "none"])
def test_a_proof_under_strong_fairness_is_none_under_less(promise: str) -> None:
    system, query = natural("strong")
    proof = counted_proof(system, query, 0, Budget())
    other, asked_there = natural(promise)

    assert not accepted(other, asked_there, proof)


def natural(promise: str) -> tuple[OpenSystem, OverTime]:
    """Return a lock, and whether everybody who waits for it gets it."""
    fairness = "" if promise == "none" else f"Fairness {promise}; end Fairness\n"
    system = read(LOCK + fairness + SERVED)
    query = system.questions[0].query
    assert isinstance(query, OverTime)
    return system, query


@pytest.mark.slow
def test_proofs_have_all_kinds_of_reasons() -> None:
    seen = Counter[str]()
    for seed in (*range(24), *range(48, 72)):
        for branching in (False, True):
            seen += compared("mixed", seed, branching=branching)

    assert min(seen[each] for each in ("True", "False", "never", "certain")) > 3
    assert min(seen[each] for each in ("components", "strands", "promise", "fair", "lies")) > 3


_QUORUM = """
Environment
  Vars: red : 0..2; blue : 0..2; end Vars
  Sync = { vote_red : one, vote_blue : one };
  Protocol: red < 2 : { vote_red }; blue < 2 : { vote_blue }; end Protocol
  Evolution: red = red + 1 if Action = vote_red; blue = blue + 1 if Action = vote_blue; end Evolution
end Environment
Template Voter
  Vars: voted : boolean; end Vars
  Sync = { vote_red, vote_blue };
  Protocol: voted = false : { vote_red, vote_blue }; end Protocol
  Evolution: voted = true if Action = vote_red or Action = vote_blue; end Evolution
end Template
InitStates Environment.red = 0 and Environment.blue = 0 and Voter.voted = false; end InitStates
Formulae AF (Environment.red = 2 or Environment.blue = 2); end Formulae
"""


def test_from_which_number_on_it_holds_is_proved_beside_the_run() -> None:
    """Two votes carry a motion: with three voters, one of two motions is carried."""
    system = read(_QUORUM)
    [question_] = system.questions
    query = question_.query
    assert isinstance(query, OverTime)
    decision = decide_paths(system, query, Budget())
    [verdict] = check(system).verdicts
    entry = proved(system, question_, verdict, decision, Budget()).entry

    [outcome] = verified(system, {"verdicts": [entry]}, system.questions)
    assert (outcome.accepted, outcome.beyond) == (True, "true from 3 Voter on")
    for least in (-1, 0, 1, 2, True, 10**9):
        other = deepcopy(entry)
        other["proof"]["from_on"]["least"] = least
        [outcome] = verified(system, {"verdicts": [other]}, system.questions)
        assert not outcome.accepted
    del entry["proof"]["from_on"]
    [outcome] = verified(system, {"verdicts": [entry]}, system.questions)
    assert (outcome.accepted, outcome.beyond) == (True, "")
