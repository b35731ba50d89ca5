"""Whether a plan can be asked at all: constants, formulae and choices that none of its models knows.

A mistake of the plan's is what every model complains of, at its first and its last, its smallest and its
largest size. What is wrong with one of many models is no mistake of the plan, but an answer.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Final, TypeAlias

from gnomon.campaign.plan import Plan, PlannedCheck
from gnomon.campaign.plan_text import PlanPath
from gnomon.campaign.plan_values import PlanValues
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.selection import missing
from gnomon.model.budget import LimitReached
from gnomon.text.diagnostic import Diagnostic, InputError

#: A model that takes longer to read complains of nothing; all of them together may take so long.
_SECONDS: Final = 5.0
_ALTOGETHER: Final = 20.0
_MEGABYTES: Final = 2000.0

#: The key of the plan that is complained of, and the value below it.
_Complaint: TypeAlias = tuple[str, str | int]


def unaskable(plan: Plan, values: PlanValues) -> None:
    """Tell of all that no model of a check knows."""
    data = values.text.data
    for number, check in enumerate(plan.checks):
        path: PlanPath = ("check", number) if "check" in data else ()
        for (key, value), said in _complaints(check).items():
            own = bool(path) and key in data["check"][number]
            where = (*path, key) if own else (key,)
            if key == "constants":
                values.wrong((*where, value), said.message, notes=said.notes, help=said.help)
            else:
                notes = said.notes
                if not values.text.source.text and key in {"formulae", "predicates"}:
                    notes = (f"in `{value}`", *notes)  # there is no text to point at
                values.wrong(where, said.message, value, notes=notes, help=said.help)


def _complaints(check: PlannedCheck) -> dict[_Complaint, Diagnostic]:
    """Return what all models complain of, with the words of the last one."""
    if not (check.constants or check.formulae or check.only or check.predicates):
        return {}
    end = time.monotonic() + _ALTOGETHER
    common: dict[_Complaint, Diagnostic] | None = None
    for question in _tried(check):
        found = _heard(question)
        if found is None:
            continue
        common = found if common is None else {k: v for k, v in found.items() if k in common}
        if not common or time.monotonic() > end:
            break
    return common or {}


def _tried(check: PlannedCheck) -> Iterator[Question]:
    options = replace(check.options, timeout=_SECONDS, memory=_MEGABYTES)
    picks: tuple[Callable[[tuple[int, ...]], int], ...] = (itemgetter(0), itemgetter(-1), min, max)
    sizes = dict.fromkeys(
        tuple(sorted((name, pick(several)) for name, several in check.constants.items()))
        for pick in picks
    )
    for model in check.models:
        for size in sizes:
            yield Question(
                model.text,
                model.name,
                size,
                check.formulae,
                check.only,
                check.predicates,
                options,
            )


def _heard(question: Question) -> dict[_Complaint, Diagnostic] | None:
    """Return what a model complains of; None where it cannot be read for reasons of its own."""
    try:
        asked = read(question)
    except (LimitReached, MemoryError):
        return {}
    except InputError as error:
        return {("models", question.name): error.diagnostics[0]}
    found = dict(_of_the_plan(asked))
    unknown = {name for key, name in found if key == "constants"}
    if unknown:  # what else is wrong is seen without them
        known = tuple(each for each in question.constants if each[0] not in unknown)
        return found | (_heard(replace(question, constants=known)) or {})
    errors = [item for item in asked.diagnostics if item.is_error]
    return found if found or not errors else None


def _of_the_plan(asked: Asked) -> Iterator[tuple[_Complaint, Diagnostic]]:
    question = asked.question
    model = None if asked.loaded is None else asked.loaded.model
    unknown = () if model is None else missing(question.only, model.specifications)
    for item in asked.diagnostics:
        if item.code == "G0501":
            for name, _ in question.constants:
                if f"`{name}`" in item.message:
                    yield ("constants", name), item
        elif item.code == "G0818":
            for choice in unknown:
                if str(choice) in item.message:
                    yield ("only", choice), item
        elif item.is_error and item.source.text in question.formulae:
            yield ("formulae", item.source.text), item
        elif item.is_error and item.source.text in question.predicates:
            yield ("predicates", item.source.text), item
