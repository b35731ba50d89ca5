"""Certificates as tests make them and change them: read as a file would be, and checked."""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from gnomon.certificate.document import AskedFormula, Certificate, ClaimedVerdict, read
from gnomon.certificate.parameterised.population_rules import PopulationRules
from gnomon.certificate.rejection import Rejected, require
from gnomon.certificate.solvers import SOLVERS
from gnomon.certificate.verify import ProofOutcome, judge, verify
from gnomon.model.budget import Budget
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import Specification, System

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


def leaves(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place with a plain value: what holds it, and its key."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from leaves(value)
            if value and isinstance(value, list):
                yield data, key
        else:
            yield data, key


def changed(rng: Random, value: Any) -> Any:
    """Return something else in the place of a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, str):
        return rng.choice(("true", "false", value + "x", ""))
    if isinstance(value, list) and value:
        kept = list(value)
        del kept[rng.randrange(len(kept))]
        return kept
    return 0


def accepted_as_it_is(system: System, certificate: Any, asked: Sequence[Specification]) -> None:
    """Every proof of a certificate is accepted."""
    outcomes = verified(system, certificate, asked)
    for outcome, entry in zip(outcomes, certificate["verdicts"], strict=True):
        assert outcome.accepted is (None if entry["proof"] is None else True), outcome


def never_for_the_opposite(
    rng: Random, system: System, certificate: Any, asked: Sequence[Specification]
) -> None:
    """Whatever is changed in a certificate: the verdicts that are still accepted are right."""
    other = deepcopy(certificate)
    if rng.random() < 0.5:
        for entry in other["verdicts"]:
            entry["verdict"] = {"true": "false", "false": "true"}[entry["verdict"]]
            for evidence in (entry["proof"] or {}).get("evidence", ()):
                evidence["tree"]["value"] = not evidence["tree"]["value"]
    found_places = list(leaves(other))
    for _ in range(rng.choice((0, 1, 1, 3))):
        holder, key = rng.choice(found_places)
        holder[key] = changed(rng, holder[key])
    try:
        found = verified(system, other, asked)
    except Rejected:
        return
    for outcome in found:
        if outcome.accepted:
            assert outcome.verdict == certificate["verdicts"][outcome.index - 1]["verdict"], outcome
