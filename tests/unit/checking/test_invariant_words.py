"""Invariants for any number of agents in words: they say what the invariant says, and not all at once."""

import re
from itertools import product
from random import Random
from typing import Any

from hypothesis import given

from gnomon.checking.check import check
from gnomon.checking.invariant_words import MOST_SENTENCES, sentences
from gnomon.checking.load import load, load_text
from gnomon.checking.options import Options
from gnomon.checking.state_words import region_words
from gnomon.model.domain import values_of
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.results.data import of_result
from gnomon.results.render.json import dumps
from tests.systems import examples, seeds
from tests.unit.results.schemas import validate

_PARTS = """
Environment
  Vars: lock : { free, held, lost }; n : 0..2; end Vars
end Environment
Template Robot
  Vars: at : { home, way, dock }; tired : boolean; load : 0..3; end Vars
  Actions = { a };
  Protocol: true : { a }; end Protocol
end Template
Evaluation bad if exists r : Robot (r.at = dock and r.at = home); end Evaluation
InitStates Robot.at = home; end InitStates
Formulae AG !bad; end Formulae
"""


def _system() -> OpenSystem:
    found = load_text(_PARTS).templates
    assert found is not None
    return found


def _means(words: str, state: dict[str, Any]) -> bool:
    """Return whether a state is one of those in words, by Python's own reading of them."""
    if not words:
        return True
    if words == "nothing at all":
        return False
    quoted = re.sub(r"\b(?!and\b|or\b|in\b)([a-z]\w*)\b", r"'\1'", words)
    read = re.sub(r"'(\w+)' (=|<>|in)", r"state['\1'] \2", quoted)
    python = re.sub(r"\{ (.*?) \}", r"(\1,)", read.replace(" = ", " == ").replace("<>", "!="))
    python = python.replace("'true'", "True").replace("'false'", "False")
    return bool(eval(python, {"state": state}))


@given(seed=seeds)
@examples(300)
def test_states_in_words_are_these_states(seed: int) -> None:
    rng = Random(seed)
    part: Part = _system().templates[0]
    domains = {v.name: list(values_of(v.domain)) for v in part.variables}
    boxes: list[list[list[Any]]] = [
        [
            [name, sorted(rng.sample(values, rng.randint(1, len(values))), key=values.index)]
            for name, values in domains.items()
            if rng.random() < 0.6
        ]
        for _ in range(rng.randint(0, 3))
    ]
    words = region_words(part, boxes)
    for row in product(*domains.values()):
        state = dict(zip(domains, row, strict=True))
        inside = any(all(state[name] in values for name, values in box) for box in boxes)

        assert inside == _means(words, state), (boxes, words, state)


def test_agents_that_are_alike_are_counted_and_facts_come_first() -> None:
    dock = [[["at", ["dock"]]]]
    cube = {
        "environment": [[["lock", ["free", "lost"]]]],
        "agents": [["Robot", dock], ["Robot", [[["tired", [True]]]]], ["Robot", dock]],
        "facts": [["Near", ["a"], True, True], ["Key", ["b"], "red", False]],
    }
    invariant = {"kind": "avoided", "within": {"Robot": [[]]}, "cubes": [cube]}

    [found] = sentences(_system(), invariant)

    assert found == (
        "where Near(a) and Key(b) <> red, while lock <> held, there are never two agents of `Robot` "
        "with at = dock together with another with tired = true"
    )


def test_many_sentences_are_cut_with_a_word() -> None:
    cubes = [
        {"environment": [[["n", [n]]]], "agents": [["Robot", [[["load", [k]]]]]] * m, "facts": []}
        for n in range(3)
        for k in range(4)
        for m in range(1, 4)
    ]
    found = sentences(_system(), {"kind": "avoided", "within": {}, "cubes": cubes})

    assert len(found) == MOST_SENTENCES + 1
    assert found[-1].startswith(f"and {len(cubes) - MOST_SENTENCES} more like these")
    assert "--certificate" in found[-1]


def test_cases_are_told_by_the_state_of_the_environment() -> None:
    def case(lock: str, at: list[str]) -> dict[str, Any]:
        return {"environment": [lock, 0], "occupied": {"Robot": [[["at", at]]]}, "facts": []}

    cases = [case("free", ["home"]), case("held", ["home", "way"]), case("lost", ["home", "way"])]
    found = sentences(_system(), {"kind": "occupied", "cases": cases})

    assert found == (
        "the environment always has n = 0",
        "while lock = free and n = 0, every agent of `Robot` has at = home",
        "while lock <> free and n = 0, every agent of `Robot` has at <> dock",
    )


def test_conditions_on_numbers_without_bounds_are_told_agent_by_agent() -> None:
    model = load("examples/parameterised/batteries.ispl").templates
    assert model is not None
    [first, *_] = check(model, model.questions[:1], Options(evidence=True))

    assert first.numbers is not None
    assert first.numbers.invariant == ("there is never an agent of `Robot` with battery < 0",)


def test_sentences_come_with_evidence_and_in_json() -> None:
    model = load("examples/parameterised/mutex.ispl").templates
    assert model is not None
    without = check(model, model.questions[:1], Options(evidence=False))
    with_ = check(model, model.questions[:1], Options(evidence=True))

    assert without[0].numbers is not None
    assert without[0].numbers.invariant == ()
    data = validate("check", dumps(of_result(with_)))
    assert data["formulae"][0]["agents"]["invariant"][0] == (
        "there are never two agents of `Process` with at = critical"
    )
