"""What a run has to do, one thing after the other: from path formulae made of `F` and `G`.

Agents only go forward, so every run comes to a configuration that it stays in for ever: its end. What holds
time and again is what holds there.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.model import formula as f
from gnomon.model.one_path import one_path
from gnomon.model.parameterised.condition import (
    FALSE,
    TRUE,
    And,
    Condition,
    Not,
    Or,
    positive,
)
from gnomon.model.parameterised.query import Ability, OverTime, Query, Safety
from gnomon.text.errors import Abandoned

#: More ways to do what a formula asks are not gone through.
_MOST: Final = 64
_FORMS: Final = (
    "with `Parameters`, formulae of time are made of F and G, as in AF p, AG (p -> AF q), EG p and "
    "EF EG p"
)


class NotPlanned(Abandoned):
    """A formula asks for more than is decided; the message says why."""


class PlanStage(NamedTuple):
    """What holds in a configuration, and what holds from there on for ever."""

    now: tuple[Condition, ...] = ()
    always: tuple[Condition, ...] = ()


class RunPlan(NamedTuple):
    """The stages of a run, the first one where it starts, and what holds in the end.

    Without `ends`, it does not matter how the run goes on.
    """

    stages: tuple[PlanStage, ...]
    end: tuple[Condition, ...] = ()
    ends: bool = True


class _Asking(NamedTuple):
    """What a path formula asks: now, always, in the end, and at some time, in any order."""

    now: tuple[Condition, ...] = ()
    always: tuple[Condition, ...] = ()
    end: tuple[Condition, ...] = ()
    later: tuple["_Asking", ...] = ()


def plans(query: Query) -> tuple[RunPlan, ...]:
    """Return the ways in which a run may be what a question asks for, or excludes."""
    match query:
        case Safety(bad):
            return (RunPlan((PlanStage(), PlanStage((bad,))), (), ends=False),)
        case OverTime(formula, conditions):
            path = _sought(formula)
            found: list[RunPlan] = []
            for wish in _Wishes(conditions).of(path):
                for stages in _in_order(wish):
                    found.append(RunPlan(stages, _end_of(wish)))
                    if len(found) > _MOST:
                        raise NotPlanned("the formula can be true in too many ways")
            return tuple(found)
        case Ability():
            raise NotPlanned("with `Parameters`, what coalitions enforce is not decided")
        case _:
            raise NotPlanned("with `Parameters`, what agents know is not decided")


def _sought(formula: f.Formula) -> f.Formula:
    match formula:
        case f.All(path):
            return one_path(f.Not(path))
        case f.Exists(path):
            return one_path(path)
        case _:
            raise NotPlanned(_FORMS)


class _Wishes:
    """Reads path formulae; their propositions are the places of conditions."""

    def __init__(self, conditions: tuple[Condition, ...]) -> None:
        self._conditions = conditions

    def of(self, path: f.Formula, *, wanted: bool = True) -> list[_Asking]:
        """Return the ways in which a path formula, or its opposite, is true."""
        if self._is_state(path):
            return [_Asking((self._condition(path, wanted=wanted),))]
        match path:
            case f.Not(body):
                return self.of(body, wanted=not wanted)
            case f.And(operands) | f.Or(operands):
                if isinstance(path, f.And) == wanted:
                    return self._all([self.of(each, wanted=wanted) for each in operands])
                return [wish for each in operands for wish in self.of(each, wanted=wanted)]
            case f.Implies(left, right):
                return self.of(f.Or((f.Not(left), right)), wanted=wanted)
            case f.Finally(body) | f.Globally(body):
                if isinstance(path, f.Finally) == wanted:
                    return self._eventually(body, wanted=wanted)
                return self._always(body, wanted=wanted)
            case _:
                raise NotPlanned(_FORMS)

    def _all(self, choices: list[list[_Asking]]) -> list[_Asking]:
        found = [_Asking()]
        for ways in choices:
            found = [_joined(one, other) for one in found for other in ways]
            if len(found) > _MOST:
                raise NotPlanned("the formula can be true in too many ways")
        return found

    def _eventually(self, body: f.Formula, *, wanted: bool) -> list[_Asking]:
        return [
            _Asking(end=each.end, later=(each._replace(end=()),))
            for each in self.of(body, wanted=wanted)
        ]

    def _always(self, body: f.Formula, *, wanted: bool) -> list[_Asking]:
        """Return what it takes that something, or its opposite, holds from now on."""
        if self._is_state(body):
            return [_Asking(always=(self._condition(body, wanted=wanted),))]
        match body:
            case f.Not(inner):
                return self._always(inner, wanted=not wanted)
            case f.And(operands) | f.Or(operands) if isinstance(body, f.And) == wanted:
                return self._all([self._always(each, wanted=wanted) for each in operands])
            case f.Finally(inner) | f.Globally(inner):
                if isinstance(body, f.Globally) == wanted:
                    return self._always(inner, wanted=wanted)
                if self._is_state(inner):
                    # Time and again: in the end.
                    return [_Asking(end=(self._condition(inner, wanted=wanted),))]
                return self._recurring(inner, wanted=wanted)
            case _:
                raise NotPlanned(_FORMS)

    def _recurring(self, body: f.Formula, *, wanted: bool) -> list[_Asking]:
        """Return what it takes that something holds time and again, itself being about what follows."""
        match body:
            case f.Not(inner):
                return self._recurring(inner, wanted=not wanted)
            case f.Finally(inner) | f.Globally(inner):
                # From the end on nothing changes: sometimes is always.
                if self._is_state(inner):
                    return [_Asking(end=(self._condition(inner, wanted=wanted),))]
                return self._recurring(inner, wanted=wanted)
            case _:
                raise NotPlanned(_FORMS)

    def _is_state(self, formula: f.Formula) -> bool:
        return all(
            isinstance(part, f.Constant | f.Proposition | f.Not | f.And | f.Or | f.Implies | f.Iff)
            for part in f.walk(formula)
        )

    def _condition(self, formula: f.Formula, *, wanted: bool = True) -> Condition:
        return positive(self._plain(formula), wanted=wanted)

    def _plain(self, formula: f.Formula) -> Condition:
        match formula:
            case f.Constant(value):
                return TRUE if value else FALSE
            case f.Proposition(name):
                return self._conditions[int(name)]
            case f.Not(body):
                return Not(self._plain(body))
            case f.And(operands):
                return And(tuple(map(self._plain, operands)))
            case f.Or(operands):
                return Or(tuple(map(self._plain, operands)))
            case f.Implies(left, right):
                return Or((Not(self._plain(left)), self._plain(right)))
            case f.Iff(left, right):
                one, other = self._plain(left), self._plain(right)
                return Or((And((one, other)), And((Not(one), Not(other)))))
            case _:
                raise AssertionError(formula)


def _joined(one: _Asking, other: _Asking) -> _Asking:
    return _Asking(
        (*one.now, *other.now),
        (*one.always, *other.always),
        (*one.end, *other.end),
        (*one.later, *other.later),
    )


def _in_order(wish: _Asking) -> Iterator[tuple[PlanStage, ...]]:
    """Yield the orders in which what is wished for at some time may come true."""
    here = PlanStage(wish.now, wish.always)
    if not wish.later:
        yield (here,)
    for number, first in enumerate(wish.later):
        others = wish.later[:number] + wish.later[number + 1 :]
        for rest in _in_order(first._replace(later=(*first.later, *others))):
            yield (here, *rest)


def _end_of(wish: _Asking) -> tuple[Condition, ...]:
    """Return all that is to hold in the end; the end is one, whenever it was wished for."""
    return (*wish.end, *(each for inner in wish.later for each in _end_of(inner)))
