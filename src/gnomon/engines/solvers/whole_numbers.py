"""Conditions on whole numbers from 0 on: linear ones, and what `and` and `or` make of them."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, TypeAlias

from gnomon.engines.solvers.smt import Context, Satisfiable, check
from gnomon.model.budget import Budget
from gnomon.model.patience import patience
from gnomon.text.errors import Abandoned
from gnomon.text.record import Record

#: So many milliseconds may one question take.
_PATIENCE: Final = 30_000

#: What a number is called.
NumberName: TypeAlias = Hashable


class AtLeast(Record):
    """That a sum of numbers, each so many times, and a constant is not below 0."""

    terms: tuple[tuple[NumberName, int], ...]
    constant: int


class Every(Record):
    """All of them."""

    parts: tuple["NumberCondition", ...]


class OneOf(Record):
    """One of them, or more."""

    parts: tuple["NumberCondition", ...]


NumberCondition: TypeAlias = AtLeast | Every | OneOf

ALWAYS: Final = Every(())
NEVER: Final = OneOf(())


def at_least(terms: Mapping[NumberName, int], constant: int) -> NumberCondition:
    """Return a linear condition, decided where nothing is unknown."""
    found = tuple((name, factor) for name, factor in terms.items() if factor)
    if not found:
        return ALWAYS if constant >= 0 else NEVER
    return AtLeast(found, constant)


def every(*parts: NumberCondition) -> NumberCondition:
    """Return that all hold; simply, where that is simple."""
    left = tuple(dict.fromkeys(part for part in parts if part != ALWAYS))
    if NEVER in left:
        return NEVER
    return left[0] if len(left) == 1 else Every(left)


def either(*parts: NumberCondition) -> NumberCondition:
    """Return that one holds at least; simply, where that is simple."""
    left = tuple(dict.fromkeys(part for part in parts if part != NEVER))
    if ALWAYS in left:
        return ALWAYS
    return left[0] if len(left) == 1 else OneOf(left)


def opposite(condition: NumberCondition) -> NumberCondition:
    """Return the opposite of a condition."""
    match condition:
        case AtLeast(terms, constant):
            return AtLeast(tuple((name, -factor) for name, factor in terms), -constant - 1)
        case Every(parts):
            return either(*map(opposite, parts))
        case OneOf(parts):
            return every(*map(opposite, parts))


def renamed(
    condition: NumberCondition, name: Callable[[NumberName], NumberName]
) -> NumberCondition:
    """Return a condition on other numbers."""
    match condition:
        case AtLeast(terms, constant):
            return AtLeast(tuple((name(each), factor) for each, factor in terms), constant)
        case Every(parts):
            return Every(tuple(renamed(part, name) for part in parts))
        case OneOf(parts):
            return OneOf(tuple(renamed(part, name) for part in parts))


class NoAnswer(Abandoned):
    """The solver did not find out."""


class WholeNumbers:
    """A solver that is told conditions, and what numbers satisfy them."""

    def __init__(self, budget: Budget) -> None:
        """Begin with nothing said."""
        import z3

        self._budget = budget
        self._context = Context().of_solver
        self._solver = z3.SolverFor("QF_LIA", ctx=self._context)
        self._numbers: dict[NumberName, Any] = {}

    def add(self, condition: NumberCondition) -> None:
        """Say that a condition holds."""
        term = self._term(condition)
        self._solver.add(term)

    def find(self) -> dict[NumberName, int] | None:
        """Return numbers that satisfy all that was said; None where there are none."""
        self._solver.set("timeout", patience(_PATIENCE, self._budget))
        match check(self._solver):
            case Satisfiable.NO:
                return None
            case Satisfiable.UNKNOWN:
                self._budget.check()
                raise NoAnswer
            case Satisfiable.YES:
                model = self._solver.model()
                return {
                    name: model.eval(number, model_completion=True).as_long()
                    for name, number in self._numbers.items()
                }

    def least(
        self, found: dict[NumberName, int], terms: Mapping[NumberName, int]
    ) -> dict[NumberName, int]:
        """Return numbers for which a sum of some is least, and say that it is; `found` satisfy all."""

        def value(numbers: Mapping[NumberName, int]) -> int:
            return sum(factor * numbers.get(name, 0) for name, factor in terms.items())

        for name in terms:
            self._number(name)  # before anything is said that is taken back
        low, best = 0, found
        while low < value(best):
            middle = (low + value(best)) // 2
            self._solver.push()
            self.add(self._at_most(terms, middle))
            try:
                better = self.find()
            finally:
                self._solver.pop()
            if better is None:
                low = middle + 1
            else:
                best = better
        self.add(self._at_most(terms, value(best)))
        return best

    @staticmethod
    def _at_most(terms: Mapping[NumberName, int], most: int) -> NumberCondition:
        return at_least({name: -factor for name, factor in terms.items()}, most)

    def _term(self, condition: NumberCondition) -> Any:
        import z3

        match condition:
            case AtLeast(terms, constant):
                return z3.Sum([k * self._number(name) for name, k in terms]) + constant >= 0
            case Every(parts):
                return z3.And([z3.BoolVal(True, self._context), *map(self._term, parts)])
            case OneOf(parts):
                return z3.Or([z3.BoolVal(False, self._context), *map(self._term, parts)])

    def _number(self, name: NumberName) -> Any:
        import z3

        if name not in self._numbers:
            number = z3.Int(f"x{len(self._numbers)}", self._context)
            self._numbers[name] = number
            self._solver.add(number >= 0)
        return self._numbers[name]
