"""What a run would have to do that a formula excludes, as far as there is a rule for it."""

from collections.abc import Iterator
from typing import NamedTuple

from gnomon.certificate.rejection import Rejected
from gnomon.model import formula as f
from gnomon.model.one_path import one_path
from gnomon.model.parameterised.condition import FALSE, TRUE, And, Condition, Not, Or, positive
from gnomon.model.parameterised.query import OverTime, Query, Safety

_NO_RULE = "there is no rule for this formula of time beside parameters"


class WishedMoment(NamedTuple):
    """What holds at a moment of a run, and what from then on."""

    now: Condition
    always: tuple[Condition, ...] = ()


class WishedRun(NamedTuple):
    """The moments of a run, the first where it starts, and what holds in the end.

    Where it does not `end`, it does not matter how it goes on.
    """

    moments: tuple[WishedMoment, ...]
    end: tuple[Condition, ...] = ()
    ends: bool = True


def wish_of(query: Query) -> WishedRun:
    """Return what no run must do for a formula to be as is claimed."""
    match query:
        case Safety(bad):
            return WishedRun((WishedMoment(TRUE), WishedMoment(bad)), ends=False)
        case OverTime(f.All(path), conditions):
            return _WishReader(conditions).wish(one_path(f.Not(path)))
        case OverTime(f.Exists(path), conditions):
            return _WishReader(conditions).wish(one_path(path))
        case _:
            raise Rejected("there is no rule for this question beside parameters")


class _WishReader:
    def __init__(self, conditions: tuple[Condition, ...]) -> None:
        self._conditions = conditions

    def wish(self, path: f.Formula) -> WishedRun:
        """Return what a conjunction asks, of which one part may be about some moment later on."""
        now: list[Condition] = []
        always: list[Condition] = []
        end: list[Condition] = []
        later: list[f.Formula] = []
        for part in _conjuncts(path):
            match part:
                case _ if _is_state(part):
                    now.append(self._condition(part))
                case f.Finally(body) | f.Globally(body) if (last := _last(part, body)) is not None:
                    end.append(self._condition(last))
                case f.Globally(body) if _is_state(body):
                    always += _together(positive(self._condition(body)))
                case f.Finally(body):
                    later.append(body)
                case _:
                    raise Rejected(_NO_RULE)
        first = WishedMoment(And(tuple(now)), tuple(always))
        if not later:
            return WishedRun((first,), tuple(end))
        if len(later) > 1:
            raise Rejected(_NO_RULE)
        rest = self.wish(later[0])
        return WishedRun((first, *rest.moments), (*end, *rest.end))

    def _condition(self, formula: f.Formula) -> Condition:
        match formula:
            case f.Constant(value):
                return TRUE if value else FALSE
            case f.Proposition(name):
                return self._conditions[int(name)]
            case f.Not(body):
                return Not(self._condition(body))
            case f.And(operands):
                return And(tuple(map(self._condition, operands)))
            case f.Or(operands):
                return Or(tuple(map(self._condition, operands)))
            case f.Implies(left, right):
                return Or((Not(self._condition(left)), self._condition(right)))
            case f.Iff(left, right):
                one, other = self._condition(left), self._condition(right)
                return Or((And((one, other)), And((Not(one), Not(other)))))
            case _:
                raise Rejected(_NO_RULE)


def _together(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions of which a condition says that all hold."""
    if isinstance(condition, And):
        for each in condition.operands:
            yield from _together(each)
    else:
        yield condition


def _conjuncts(path: f.Formula) -> Iterator[f.Formula]:
    match _outward(path):
        case f.And(operands):
            for each in operands:
                yield from _conjuncts(each)
        case found:
            yield found


def _outward(path: f.Formula) -> f.Formula:
    """Return a path formula with no negation in front of an operator of time, outside."""
    match path:
        case f.Not(body) if not _is_state(body):
            match body:
                case f.Not(inner):
                    return _outward(inner)
                case f.Finally(inner):
                    return f.Globally(f.Not(inner))
                case f.Globally(inner):
                    return f.Finally(f.Not(inner))
                case f.Or(operands):
                    return f.And(tuple(map(f.Not, operands)))
                case f.Implies(left, right):
                    return f.And((left, f.Not(right)))
                case _:
                    raise Rejected(_NO_RULE)
        case _:
            return path


def _last(path: f.Formula, body: f.Formula) -> f.Formula | None:
    """Return what holds in the end, if a formula says that something recurs, or stays so from a moment on.

    A run comes to an end in which nothing changes any more, so both say the same.
    """
    inner = _outward(body)
    opposite = f.Globally if isinstance(path, f.Finally) else f.Finally
    if isinstance(inner, opposite) and _is_state(inner.body):
        return inner.body
    return None


def _is_state(formula: f.Formula) -> bool:
    plain = (f.Constant, f.Proposition, f.Not, f.And, f.Or, f.Implies, f.Iff)
    return all(isinstance(part, plain) for part in f.walk(formula))
