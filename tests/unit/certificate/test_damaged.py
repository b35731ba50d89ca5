"""Certificates with anything in any place: refused, or right, and never a surprise."""

import json
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.document import AskedFormula, read
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.verify import ProofOutcome, verify
from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.load import load, load_text
from gnomon.checking.proof_check import own_formulae
from gnomon.model.budget import Budget
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import System
from tests.certificates import damage, one_of
from tests.e2e.test_certificate_kinds import FINITE, UNBOUNDED
from tests.e2e.test_cli_open_certificates import MODEL as WORKERS
from tests.support import EXAMPLES
from tests.systems import examples, seeds

SOURCES = {
    "labels": lambda: load_text(FINITE),
    "fairness": lambda: load_text(FINITE + "Fairness P.n = most; end Fairness"),
    "uniform": lambda: load(str(EXAMPLES / "blind_guess.ispl")),
    "unbounded": lambda: load_text(UNBOUNDED),
    "runs": lambda: load_text(WORKERS),
    "never": lambda: load(str(EXAMPLES / "parameterised" / "batteries.ispl")),
    "counted": lambda: load(str(EXAMPLES / "parameterised" / "lending_library.ispl")),
}
SOURCE = pytest.mark.parametrize("name", SOURCES)


@cache
def certified(name: str) -> tuple[System | OpenSystem, Sequence[AskedFormula], Any]:
    """Return a model, its formulae, and a certificate that has gone through JSON."""
    loaded = SOURCES[name]()
    model = loaded.model
    assert model is not None
    reading: Strategies = "uniform" if name == "uniform" else "perfect"
    options = Options(strategies=reading, certificate=True)
    result = check(model, None, options, source=loaded.source)
    return model, own_formulae(loaded), json.loads(json.dumps(result.certificate))


def judged(name: str, data: Any) -> list[ProofOutcome]:
    model, asked, _ = certified(name)
    return list(verify(model, read(data), one_of(asked), Budget(20)))


@SOURCE
def test_undamaged_it_proves_something(name: str) -> None:
    outcomes = judged(name, certified(name)[2])

    assert True in {outcome.accepted for outcome in outcomes}
    assert False not in {outcome.accepted for outcome in outcomes}


@SOURCE
@given(seed=seeds)
@examples(20)
def test_whatever_is_damaged_nothing_breaks_and_nothing_false_is_accepted(
    name: str, seed: int
) -> None:
    rng = Random(seed)
    whole = certified(name)[2]
    right = {entry["index"]: entry["verdict"] for entry in whole["verdicts"]}
    for _ in range(4):
        data = deepcopy(whole)
        inside = [entry["proof"] for entry in data["verdicts"] if entry["proof"]]
        target = rng.choice([*inside, *inside, data["space"] or data, data["labels"], data])
        for _ in range(rng.choice((1, 1, 2, 4))):
            damage(rng, target)
        try:
            found = judged(name, data)
        except Rejected:
            continue  # it is no certificate at all
        for outcome in found:
            if outcome.accepted:
                assert right[outcome.index] == outcome.verdict, outcome


def in_lists(data: Any, word: str | None, levels: int) -> Any:
    for _ in range(levels):
        data = [data] if word is None else [word, data]
    return data


def test_explanations_that_never_end() -> None:
    data = deepcopy(certified("labels")[2])
    [entry] = [each for each in data["verdicts"] if each["formula"] == "EF full"]
    tree = entry["proof"]["evidence"][0]["tree"]
    for _ in range(3_000):
        tree = {**tree, "branches": [{"position": 0, "because": tree}]}
    entry["proof"]["evidence"][0]["tree"] = tree

    [outcome] = [each for each in judged("labels", data) if each.index == entry["index"]]
    assert "nested more than" in outcome.why


def test_a_crowd_that_is_spoken_of_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.certificate.parameterised.never._MOST_TUPLES", 10_000)
    data = deepcopy(certified("never")[2])
    for entry in data["verdicts"]:
        if (entry["proof"] or {}).get("kind") == "invariant":
            crowd = {"agents": ["Robot"] * 8, "conditions": [["holds", ["value", False]]]}
            entry["proof"]["invariant"]["cubes"].append(crowd)

    assert "tuples of agents" in " ".join(outcome.why for outcome in judged("never", data))


@pytest.mark.parametrize("word", ["not", "and", "holds", "-", None])
def test_conditions_that_never_end(word: str | None) -> None:
    data = deepcopy(certified("never")[2])
    for entry in data["verdicts"]:
        if (entry["proof"] or {}).get("kind") == "invariant":
            [first, *_] = entry["proof"]["invariant"]["cubes"]
            first["conditions"] = [in_lists(["value", True], word, 5_000)]

    assert False in {outcome.accepted for outcome in judged("never", data)}
