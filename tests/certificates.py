"""Certificates as tests make them and change them: read as a file would be, and checked."""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from gnomon.certificate.document import AskedFormula, Certificate, ClaimedVerdict, read
from gnomon.certificate.parameterised.population_rules import PopulationRules
from gnomon.certificate.parameterised.solvers import SOLVERS
from gnomon.certificate.rejection import require
from gnomon.certificate.verify import ProofOutcome, judge, verify
from gnomon.model.budget import Budget
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import System

#: The outside of a certificate that says nothing.
EMPTY: dict[str, Any] = {"digest": "", "constants": {}, "space": None, "labels": [], "verdicts": []}


def document(data: Any) -> Certificate:
    """Return a certificate that has gone through JSON; what tests leave out of its outside is added."""
    whole = {**EMPTY, **json.loads(json.dumps(data))}
    for entry in whole["verdicts"]:
        entry.setdefault("typed", False)
    return read(whole)


def one_of(asked: Sequence[AskedFormula]) -> Callable[[ClaimedVerdict], AskedFormula]:
    """Find formulae by their numbers."""

    def find(claim: ClaimedVerdict) -> AskedFormula:
        require(1 <= claim.index <= len(asked), "no such formula")
        return asked[claim.index - 1]

    return find


def verified(
    model: System | OpenSystem, data: Any, asked: Sequence[AskedFormula]
) -> list[ProofOutcome]:
    """Return what the verdicts of a certificate are worth."""
    return list(verify(model, document(data), one_of(asked)))


def verified_with(
    system: OpenSystem,
    data: Any,
    find: Callable[[ClaimedVerdict], AskedFormula],
    budget: Budget | None = None,
    solvers: tuple[str, ...] = SOLVERS,
) -> list[ProofOutcome]:
    """Return the same for any number of agents, by certain solvers."""
    rules = PopulationRules(system, budget or Budget(), solvers)
    return list(judge(document(data).verdicts, find, rules))


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in data: what holds it, and its key."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def _deep(levels: int) -> Any:
    found: Any = []
    for _ in range(levels):
        found = [found]
    return found


#: What does not belong where it is put, most of the time.
ODD: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: True,
    lambda: False,
    lambda: 0,
    lambda: 1,
    lambda: -1,
    lambda: 10**6,
    lambda: 10**5000,
    lambda: -(10**5000),
    lambda: 0.5,
    lambda: float("inf"),
    lambda: float("nan"),
    lambda: "",
    lambda: "a",
    lambda: "true",
    lambda: "\ud800",
    list,
    dict,
    lambda: [[]],
    lambda: [None],
    lambda: [[], []],
    lambda: {"kind": []},
    lambda: _deep(200),
    lambda: ["and", ["not", []]],
)


def damage(rng: Random, data: Any) -> None:
    """Change data somewhere inside: other, less, twice, or two things swapped."""
    found = list(places(data))
    if not found:
        return
    holder, key = rng.choice(found)
    other, place = rng.choice(found)
    one, two = deepcopy(holder[key]), deepcopy(other[place])
    match rng.randrange(6):
        case 0 | 1:
            holder[key] = rng.choice(ODD)()
        case 2:
            del holder[key]
        case 3:
            other[place], holder[key] = one, two
        case 4:
            holder[key] = two
        case _ if isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), one)
        case _:
            holder["more"] = one
