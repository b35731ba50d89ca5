"""Proofs about any number of agents that somebody wrote by hand: each flaw is found out."""

from typing import Any

import pytest

from gnomon.model.parameterised.system import OpenSystem
from tests.certificates import verified
from tests.populations import read


def outcome(system: OpenSystem, proof: Any, *, verdict: str) -> tuple[bool | None, str]:
    """Return whether a proof of the first formula is accepted, or why not."""
    [asked] = system.questions
    reading = "perfect" if type(asked.query).__name__ == "Ability" else None
    entry = {
        "index": 1,
        "name": None,
        "formula": asked.text,
        "parsed": asked.parsed,
        "logic": "CTL",
        "strategies": reading,
        "verdict": verdict,
        "proof": proof,
        "reason": "",
    }
    [found] = verified(system, {"verdicts": [entry]}, system.questions)
    return found.accepted, found.why


#: The axioms allow both keys, so that everybody gets on; an empty list of facts does not say so.
KEYS = """
Types Key : { u, v }; end Types
Relations may : Key; end Relations
Axioms may(u) or may(v); may(u) -> may(v); may(v) -> may(u); end Axioms
Template T
  Vars: key : Key; done : boolean = false; end Vars
  Actions = { go };
  Protocol: done = false and may(key) : { go }; end Protocol
  Evolution: done = true if Action = go; end Evolution
end Template
FAIRNESS
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize(
    ("formula", "fairness", "proof"),
    [
        (
            "AF forall t : T (t.done = true)",
            "Fairness weak; end Fairness",
            {
                "kind": "population-lasso",
                "run": {"facts": [], "start": [[], [["u", False]]], "events": []},
                "loop": None,
                "from_on": None,
            },
        ),
        (
            "forall t : T (<t>F t.done = true)",
            "",
            {
                "kind": "population-answers",
                "facts": [],
                "start": [[], [["u", False]]],
                "entries": [[[[], [["u", False]]], [[[None, [None]], [None, [None]]]]]],
            },
        ),
    ],
)
def test_who_cannot_act_must_not_depend_on_facts_that_are_left_open(
    formula: str, fairness: str, proof: dict[str, Any]
) -> None:
    system = read(KEYS.replace("FORMULA", formula).replace("FAIRNESS", fairness))
    accepted, why = outcome(system, {**proof, "members": ["T"]}, verdict="false")

    assert not accepted
    assert why == "the facts leave open how the relations are filled"
