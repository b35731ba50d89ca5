"""The local states of the environment or of a template, numbered, and what becomes of sets of them.

The number of a state is written with one digit a variable. So, in the bits of an integer, the set where a
variable has a value is a pattern that repeats, and giving a variable a value moves bits by a fixed distance:
whole sets are handled by a few operations on integers, however many states they hold.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Final

from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.model.budget import LimitReached
from gnomon.model.domain import Datum, contains, number_of, size_of, value_at, values_of
from gnomon.model.evaluation import value_of
from gnomon.model.expression import (
    And,
    Compare,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    reads,
)
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import Part
from gnomon.text.record import Record

#: The most local states of a part: a set of them takes so many bits.
MOST_STATES: Final = 1 << 20
#: The most combinations of values that one comparison or assignment is worked out for.
_MOST_CASES: Final = 1 << 20
#: A set with so few states is handled state by state.
_FEW: Final = 4


class GuardedUpdate(Record):
    """What becomes of the states of a set: some variables get these values, by their numbers."""

    where: LocalSet
    values: tuple[tuple[int, int], ...]


class TooManyLocalStates(LimitReached):
    """There are too many local states for a set of them to be an integer."""


class LocalSpace(ABC):
    """The local states of one part."""

    #: All states.
    full: LocalSet

    def __init__(self, part: Part) -> None:
        """Number the states of a part."""
        self.part = part
        self.sizes = [size_of(variable.domain) or 0 for variable in part.variables]
        self.index = {variable.name: n for n, variable in enumerate(part.variables)}
        self.strides: list[int] = []
        total = 1
        for size in self.sizes:
            self.strides.append(total)
            total *= size
        self.total = total

    def number(self, state: Local) -> int:
        """Return the number of a state."""
        return sum(
            stride * number_of(variable.domain, value)
            for stride, variable, value in zip(
                self.strides, self.part.variables, state, strict=True
            )
        )

    def state(self, number: int) -> Local:
        """Return the state with a number."""
        return tuple(
            value_at(variable.domain, number // stride % size)
            for stride, size, variable in zip(
                self.strides, self.sizes, self.part.variables, strict=True
            )
        )

    @abstractmethod
    def pattern(self, variable: int, value: int) -> LocalSet:
        """Return the states where a variable has a value, both given by their numbers."""

    @abstractmethod
    def image(self, updates: Iterable[GuardedUpdate], states: LocalSet) -> LocalSet:
        """Return where the states of a set go."""

    @abstractmethod
    def preimage(self, updates: Iterable[GuardedUpdate], states: LocalSet) -> LocalSet:
        """Return which states go into a set."""

    @abstractmethod
    def only(self, number: int) -> LocalSet:
        """Return the set of one state."""

    def having(self, name: str, value: Datum) -> LocalSet:
        """Return the states where a variable has a value."""
        variable = self.index[name]
        domain = self.part.variables[variable].domain
        if not contains(domain, value):
            return 0
        return self.pattern(variable, number_of(domain, value))

    def classes(self, name: str, among: LocalSet) -> Iterator[tuple[Datum, LocalSet]]:
        """Yield each value that a variable has in a set, and where."""
        variable = self.index[name]
        for number, value in enumerate(values_of(self.part.variables[variable].domain)):
            there = among & self.pattern(variable, number)
            if there:
                yield value, there

    # Conditions

    def where(self, condition: Expression) -> LocalSet:
        """Return the states where a condition on this part alone holds."""
        result: LocalSet = 0
        match condition:
            case Literal(value):
                return self.full if value else 0
            case Compare("=", Read(_, variable), Literal(value)):
                return self.having(variable, value)
            case Compare("<>", Read(_, variable), Literal(value)):
                return self.full & ~self.having(variable, value)
            case Not(operand):
                return self.full & ~self.where(operand)
            case And(operands):
                result = self.full
                for operand in operands:
                    result &= self.where(operand)
            case Or(operands):
                for operand in operands:
                    result |= self.where(operand)
            case _:
                for there, holds in self.cases(condition):
                    if holds:
                        result |= there
        return result

    def cases(
        self, expression: Expression, among: LocalSet | None = None
    ) -> Iterator[tuple[LocalSet, object]]:
        """Yield the values of an expression over this part's variables, and where it has each."""
        names = sorted({read.variable for read in reads(expression)})
        cases = 1
        for name in names:
            cases *= self.sizes[self.index[name]]
        if cases > _MOST_CASES:
            msg = f"an expression of `{self.part.name}` has more than {_MOST_CASES:,} cases"
            raise LimitReached(msg)
        rest = self.full if among is None else among
        yield from self._cases(expression, names, {}, rest)

    def _cases(
        self, expression: Expression, names: list[str], known: dict[str, Datum], rest: LocalSet
    ) -> Iterator[tuple[LocalSet, object]]:
        if not rest:
            return
        if not names:
            yield rest, value_of(expression, known)
            return
        for value, there in self.classes(names[0], rest):
            yield from self._cases(expression, names[1:], {**known, names[0]: value}, there)

    def fixed(self, updates: Iterable[GuardedUpdate]) -> LocalSet:
        """Return the states that do not change."""
        result: LocalSet = 0
        for update in updates:
            same = update.where
            for variable, value in update.values:
                same &= self.pattern(variable, value)
            result |= same
        return result


class BitSpace(LocalSpace):
    """The local states of one part, sets of them as the bits of integers."""

    full: int

    def __init__(self, part: Part) -> None:
        """Number the states of a part; raise `TooManyLocalStates` where there are too many."""
        super().__init__(part)
        if self.total > MOST_STATES:
            raise TooManyLocalStates(part.name)
        self.full = (1 << self.total) - 1
        self._patterns: dict[tuple[int, int], int] = {}

    def pattern(self, variable: int, value: int) -> int:
        """Return the states where a variable has a value, both given by their numbers."""
        found = self._patterns.get((variable, value))
        if found is None:
            stride, size = self.strides[variable], self.sizes[variable]
            found, length = ((1 << stride) - 1) << (value * stride), stride * size
            while length < self.total:
                found |= found << length
                length *= 2
            found &= self.full
            self._patterns[variable, value] = found
        return found

    def image(self, updates: Iterable[GuardedUpdate], states: LocalSet) -> int:
        """Return where the states of a set go."""
        assert isinstance(states, int)
        result = 0
        for update in updates:
            where = update.where
            assert isinstance(where, int)
            moved = states & where
            for variable, value in update.values if moved else ():
                moved = self._given(moved, variable, value)
            result |= moved
        return result

    def preimage(self, updates: Iterable[GuardedUpdate], states: LocalSet) -> int:
        """Return which states go into a set."""
        assert isinstance(states, int)
        result = 0
        for update in updates:
            source, where = states, update.where
            assert isinstance(where, int)
            for variable, value in update.values:
                source = self._freed(source & self.pattern(variable, value), variable, value)
            result |= source & where
        return result

    def only(self, number: int) -> int:
        """Return the set of one state."""
        return 1 << number

    def regardless(self, states: int, variable: int) -> int:
        """Return the states that differ from one of these in a variable at most."""
        result = 0
        for value in range(self.sizes[variable]):
            there = states & self.pattern(variable, value)
            result |= self._freed(there, variable, value) if there else 0
        return result

    def _given(self, states: int, variable: int, value: int) -> int:
        """Return the states of a set with another value for one variable."""
        stride, size = self.strides[variable], self.sizes[variable]
        if states.bit_count() <= _FEW:
            result = 0
            while states:
                number = states.bit_length() - 1
                states ^= 1 << number
                result |= 1 << (number + (value - number // stride % size) * stride)
            return result
        result = states & self.pattern(variable, value)
        for other in range(size):
            if other != value:
                there = states & self.pattern(variable, other)
                result |= _shifted(there, (value - other) * stride) if there else 0
        return result

    def _freed(self, states: int, variable: int, value: int) -> int:
        """Return the states that differ from those of a set, where a variable has `value`, in it alone."""
        stride = self.strides[variable]
        result = lowest = states >> (value * stride)
        for other in range(1, self.sizes[variable]):
            result |= lowest << (other * stride)
        return result


def _shifted(bits: int, distance: int) -> int:
    return bits << distance if distance >= 0 else bits >> -distance


def boxes(space: LocalSpace, mask: int) -> Iterator[tuple[tuple[str, tuple[Datum, ...]], ...]]:
    """Yield a set as a union of products: for some variables the values they may have."""
    return _boxes(space, mask, len(space.sizes) - 1)


def _boxes(
    space: LocalSpace, mask: int, last: int
) -> Iterator[tuple[tuple[str, tuple[Datum, ...]], ...]]:
    if not mask:
        return
    if last < 0:
        yield ()
        return
    stride, size = space.strides[last], space.sizes[last]
    block = (1 << stride) - 1
    groups: dict[int, list[int]] = {}
    for value in range(size):
        rest = mask >> (value * stride) & block
        if rest:
            groups.setdefault(rest, []).append(value)
    variable = space.part.variables[last]
    for rest, numbers in groups.items():
        values = tuple(value_at(variable.domain, number) for number in numbers)
        limited = ((variable.name, values),) if len(numbers) < size else ()
        for box in _boxes(space, rest, last - 1):
            yield (*box, *limited)
