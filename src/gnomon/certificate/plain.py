"""What a formula is worth where one only has to look: at a state, or along a run."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from gnomon.certificate.rejection import Unproved
from gnomon.model.formula import (
    And,
    Bounded,
    Constant,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Norm,
    Not,
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
)
from gnomon.model.step import State, holds
from gnomon.model.system import System
from gnomon.model.windows import at_step, dual

#: What a formula is worth in a state, by whoever is believed; raises `Unproved` where nobody says.
FormulaValue: TypeAlias = Callable[[Formula, State], bool]


def plain_value(system: System, formula: Formula, state: State) -> bool | None:
    """Return the value of a formula that only looks at the state; None for another."""
    match formula:
        case Constant(constant):
            return constant
        case Proposition(name):
            return holds(system.propositions[name], system, state)
        case StateCondition(expression):
            return holds(expression, system, state)
        case Norm(agent, red):
            condition = system.agent(agent).red
            return (condition is not None and holds(condition, system, state)) == red
        case _:
            return connected(formula, lambda part: plain_value(system, part, state))


def is_plain(formula: Formula) -> bool:
    """Return whether a formula only looks at the state."""
    match formula:
        case Constant() | Proposition() | StateCondition() | Norm():
            return True
        case Not(body):
            return is_plain(body)
        case And(operands) | Or(operands):
            return all(map(is_plain, operands))
        case Implies(left, right) | Iff(left, right):
            return is_plain(left) and is_plain(right)
        case _:
            return False


def connected(formula: Formula, value: Callable[[Formula], bool | None]) -> bool | None:
    """Return what a connective makes of its operands; None where that is open, or for another formula."""
    match formula:
        case Not(body):
            return _opposite(value(body))
        case And(operands):
            return _all(tuple(map(value, operands)))
        case Or(operands):
            return _opposite(_all(tuple(_opposite(value(operand)) for operand in operands)))
        case Implies(left, right):
            return _opposite(_all((value(left), _opposite(value(right)))))
        case Iff(left, right):
            return _same(value(left), value(right))
        case _:
            return None


def _opposite(value: bool | None) -> bool | None:  # noqa: FBT001
    return None if value is None else not value


def _same(left: bool | None, right: bool | None) -> bool | None:  # noqa: FBT001
    return None if left is None or right is None else left == right


def standing(path: Formula, truth: FormulaValue, state: State) -> Literal["won", "open", "broken"]:
    """Return how what a coalition plays for stands in a state that its outcomes come to.

    For X that is the state after the first step.
    """
    match path:
        case Next(body):
            return "won" if truth(body, state) else "broken"
        case Globally(body):
            return "open" if truth(body, state) else "broken"
        case Finally(goal):
            return "won" if truth(goal, state) else "open"
        case Until(left, goal) | WeakUntil(left, goal):
            if truth(goal, state):
                return "won"
            return "open" if truth(left, state) else "broken"
        case Release(left, right):
            if not truth(right, state):
                return "broken"
            return "won" if truth(left, state) else "open"
        case _:
            raise Unproved(show_formula(path))


def standing_at(path: Bounded, truth: FormulaValue, state: State, step: int) -> str | int:
    """Return how what a coalition plays for stands in a state that outcomes come to at some step.

    Where it is open, that is the number of the step.
    """
    won, kept = at_step(path, step)
    if truth(won, state):
        return "won"
    return step if truth(kept, state) else "broken"


def path_value(
    path: Formula, length: int, loop: int | None, value: Callable[[Formula, int], bool | None]
) -> bool | None:
    """Return the value of a path formula on a run; None where a run without a loop leaves it open.

    On a lasso every operator is evaluated at every position, `until` as a least fixpoint.
    """

    def along(part: Formula) -> list[bool | None]:
        if not is_path_formula(part):
            return [value(part, position) for position in range(length)]
        match part:
            case Not(body):
                return [None if v is None else not v for v in along(body)]
            case And(operands):
                return [_all(column) for column in zip(*map(along, operands), strict=True)]
            case Or(operands):
                return along(Not(And(tuple(Not(operand) for operand in operands))))
            case Implies(left, right):
                return along(Or((Not(left), right)))
            case Iff(left, right):
                return [_same(*column) for column in zip(along(left), along(right), strict=True)]
            case Next(body):
                inner = along(body)
                return [*inner[1:], None if loop is None else inner[loop]]
            case Finally(body):
                return _until([True] * length, along(body), loop)
            case Globally(body):
                return [None if v is None else not v for v in along(Finally(Not(body)))]
            case Until(left, right):
                return _until(along(left), along(right), loop)
            case WeakUntil() | Release():
                return along(Not(dual(part)))
            case Bounded():
                return bounded(part)
            case _:
                raise AssertionError(part)

    def bounded(part: Bounded) -> list[bool | None]:
        known: dict[Formula, list[bool | None]] = {}

        def column(operand: Formula) -> list[bool | None]:
            if operand not in known:
                known[operand] = along(operand)
            return known[operand]

        found: list[bool | None] = [False] * length
        for step in reversed(range(part.high + 1)):
            won, kept = at_step(part, step)
            later = [*found[1:], None if loop is None else found[loop]]
            goes_on = map(_all, zip(column(kept), later, strict=True))
            pairs = zip(column(won), goes_on, strict=True)
            found = [_opposite(_all((_opposite(a), _opposite(b)))) for a, b in pairs]
        return found

    return along(path)[0]


def _all(values: tuple[bool | None, ...]) -> bool | None:
    return False if False in values else (None if None in values else True)


def _until(
    left: list[bool | None] | list[bool], right: list[bool | None], loop: int | None
) -> list[bool | None]:
    """Go round the loop often enough for what happens on it to be known at its start."""
    found: list[bool | None] = [None if loop is None else False] * len(right)
    for _ in range(1 if loop is None else 2):
        later = None if loop is None else found[loop]
        for position in reversed(range(len(right))):
            waits = _all((left[position], later))
            later = True if right[position] else (None if waits is None else waits)
            if right[position] is None and later is False:
                later = None
            found[position] = later
    return found
