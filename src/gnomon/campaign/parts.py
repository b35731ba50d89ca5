"""Initial states in parts that can be asked about apart: when, how, and whether all are there.

A formula holds in a model iff it holds in every initial state. Where what holds in a state depends only on
what can follow it, a part of the initial states can be asked about as if there were no others.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from gnomon.checking.options import Options
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Datum
from gnomon.model.evaluation import evaluate
from gnomon.model.formula import Enforces, GroupKnows, Knows, Obliged, walk
from gnomon.model.initial import assignments_satisfying
from gnomon.model.starts import show_start, start_conditions
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.model.views import acts_on_sight
from gnomon.text.errors import Bug

#: More initial states than this are not listed.
MOST_STARTS: Final = 20_000
#: Operators that look at all reachable states, or at all that count.
_LOOK_AROUND: Final = (Knows, GroupKnows, Obliged)


class NotCovered(Bug):
    """Parts leave out an initial state, or two of them have it: what they say is not about the model."""


@dataclass(frozen=True)
class StartsPart:
    """Initial states: all in which the conditions hold, and these are they."""

    conditions: tuple[str, ...]
    starts: tuple[State, ...]


def unsplittable(
    model: AnyModel, formulae: Sequence[AnySpecification], options: Options
) -> Iterator[str]:
    """Yield why a question cannot be asked in parts; nothing where it can."""
    system = model.fixed
    if system is None:
        yield "the number of agents is open"
        return
    if options.strategies in {"uniform-subjective", "uniform-model"}:
        yield f"with `{options.strategies}`, one strategy has to do for several initial states"
    if system.fairness:
        yield "the model has fairness constraints"
    if options.checks or options.certificate or options.paranoid or options.strict:
        yield "deadlocks, overflows, certificates, --paranoid and --strict are about the whole model"
    for formula in formulae:
        if isinstance(formula, Specification):
            yield from _of_formula(system, formula, options)


def _of_formula(system: System, formula: Specification, options: Options) -> Iterator[str]:
    nodes = list(walk(formula.formula))
    if any(isinstance(node, _LOOK_AROUND) for node in nodes):
        yield f"`{formula.text}` is about what is known or obliged, which other initial states change"
    if options.strategies == "uniform":
        members = {
            name for node in nodes if isinstance(node, Enforces) for name in node.group.members
        }
        for name in sorted(members):
            if not acts_on_sight(system, system.agent(name)):
                yield f"what `{name}` can do depends on what it does not see"


def listed_starts(system: System, budget: Budget) -> tuple[State, ...] | None:
    """Return all initial states, by the reference semantics; None where there are too many for a list."""
    try:
        found = tuple(
            islice(assignments_satisfying(system, system.initial, budget), MOST_STARTS + 1)
        )
    except LimitReached:
        return None
    return None if len(found) > MOST_STARTS else found


def parts_of(system: System, starts: tuple[State, ...], count: int) -> list[StartsPart]:
    """Return so many parts, if there are so many initial states; always the largest is halved."""
    found = [StartsPart((), starts)]
    while len(found) < min(count, len(starts)):
        found.sort(key=lambda part: len(part.starts))
        found += halves(system, found.pop())
    return found


def halves(system: System, part: StartsPart) -> tuple[StartsPart, StartsPart]:
    """Return two parts of one with several initial states, as equal as one value of a variable makes them."""
    place, value = _dividing(part.starts)
    variable = system.variables[place]
    inside = tuple(state for state in part.starts if state[place] == value)
    outside = tuple(state for state in part.starts if state[place] != value)

    def with_condition(starts: tuple[State, ...], *, equal: bool) -> StartsPart:
        text = show_start(variable.agent, variable.name, value, equal=equal)
        return StartsPart((*part.conditions, text), starts)

    return with_condition(inside, equal=True), with_condition(outside, equal=False)


def _dividing(starts: Sequence[State]) -> tuple[int, Datum]:
    """Return the place of a variable and a value of it that half of the states have, or nearly so."""
    best: tuple[float, int, Datum] | None = None
    for place, values in enumerate(zip(*starts, strict=True)):
        for value, number in Counter(values).items():
            distance = abs(number - len(starts) / 2)
            if number < len(starts) and (best is None or distance < best[0]):
                best = distance, place, value
    assert best is not None, "states that are not the same differ somewhere"
    return best[1:]


def covered(system: System, starts: Sequence[State], parts: Sequence[StartsPart]) -> None:
    """Raise `NotCovered` unless each initial state meets the conditions of one part, and of only one."""
    conditions = [start_conditions(system, part.conditions) for part in parts]
    for state in starts:
        number = sum(evaluate(condition, system, state) is True for condition in conditions)
        if number != 1:
            msg = f"an initial state is in {number} parts of those that were asked about"
            raise NotCovered(msg)
