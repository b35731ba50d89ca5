"""What a path formula says of other paths that branch off, and what is known of these."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gnomon.certificate.parameterised.counted_steps import CountedState
from gnomon.model import formula as f
from gnomon.model.evaluation import every, some


class BranchLabel(NamedTuple):
    """In which counted states no fair run satisfies a path formula, and in which one surely does."""

    never: frozenset[CountedState]
    certain: frozenset[CountedState]


def branching(formula: f.Formula) -> tuple[f.Formula, ...]:
    """Return the path formulae that some paths are asked for inside a formula, inner ones first.

    That all paths satisfy one is asked as whether some path does the opposite.
    """
    found: dict[f.Formula, None] = {}
    for part in _inside(formula):
        match part:
            case f.All(path):
                found[f.Not(path)] = None
            case f.Exists(path):
                found[path] = None
    return tuple(found)


def _inside(formula: f.Formula) -> Iterator[f.Formula]:
    for part in f.parts(formula):
        yield from _inside(part)
    yield formula


def state_value(
    formula: f.Formula,
    state: CountedState,
    condition: Callable[[int, CountedState], bool],
    labels: Mapping[f.Formula, BranchLabel],
) -> bool | None:
    """Return what a formula about the state is worth; None where that is not known."""

    def known(path: f.Formula) -> bool | None:
        label = labels[path]
        if state in label.never:
            return False
        return True if state in label.certain else None

    return settled(formula, lambda number: condition(number, state), known)


def settled(
    formula: f.Formula,
    condition: Callable[[int], bool | None],
    somewhere: Callable[[f.Formula], bool | None],
) -> bool | None:
    """Return what a formula about a state is worth, by its conditions and by what some path from it does."""

    def value(part: f.Formula) -> bool | None:
        match part:
            case f.Constant(found):
                return found
            case f.Proposition(name):
                return condition(int(name))
            case f.Not(body):
                return _opposite(value(body))
            case f.And(operands):
                return every(map(value, operands))
            case f.Or(operands):
                return some(map(value, operands))
            case f.Implies(left, right):
                return some((_opposite(value(left)), value(right)))
            case f.Iff(left, right):
                values = value(left), value(right)
                return None if None in values else values[0] == values[1]
            case f.All(path):
                return _opposite(somewhere(f.Not(path)))
            case f.Exists(path):
                return somewhere(path)
            case _:
                raise AssertionError(part)

    return value(formula)


def _opposite(value: bool | None) -> bool | None:  # noqa: FBT001
    return None if value is None else not value
