"""The local states of a part that has too many for the bits of an integer: sets of them as decision diagrams.

A set behaves as the integers of `space` do: `&`, `|`, `& ~`, comparison, truth, and `>> n & 1` for whether it
holds the state with number n. 0 is the empty set and -1 stands for all states, whatever the space.
"""

from collections.abc import Iterable
from typing import Any, cast

from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams
from gnomon.engines.parameterised.space import Piece, Space
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.system import Part

#: The most bits that the values of a part's variables may take.
_MOST_BITS = 1_000
#: Room for so many nodes, which is reserved, and results, which is taken.
_NODES = 1 << 24
_RESULTS = 1 << 16
#: The most values of one variable: a diagram for each may be needed.
_MOST_VALUES = 10_000


class Codes:
    """The diagrams of a space, and how states are written in bits.

    Sets know this and not their space, which knows some sets: there are no cycles, so that diagrams, for
    which much memory is reserved, go as soon as nobody needs them.
    """

    def __init__(self, sizes: list[int], strides: list[int]) -> None:
        """Give each variable as many bits as its values take."""
        self._digits: list[tuple[int, int, range]] = []
        self.width = 0
        for size, stride in zip(sizes, strides, strict=True):
            bits = max(1, (size - 1).bit_length())
            self._digits.append((size, stride, range(self.width, self.width + bits)))
            self.width += bits
        if self.width > _MOST_BITS:
            msg = f"the local states of a part take more than {_MOST_BITS:,} bits"
            raise LimitReached(msg)
        self.diagrams: Diagrams = OxiddDiagrams(self.width, _NODES, _RESULTS)
        self.cubes = [self.diagrams.cube(bits) for _, _, bits in self._digits]
        self.valid: Diagram = self._valid()

    def _valid(self) -> Diagram:
        """Return the codes that are values of all variables."""
        result = self.diagrams.true
        for variable, (size, _, bits) in enumerate(self._digits):
            if size == 1 << len(bits):
                continue
            any_value = self.diagrams.false
            for value in range(size):
                any_value = self.diagrams.either(any_value, self.code(variable, value))
            result = self.diagrams.both(result, any_value)
        return result

    def code(self, variable: int, value: int) -> Diagram:
        """Return that a variable has a value."""
        result = self.diagrams.true
        for place, bit in enumerate(self._digits[variable][2]):
            literal = self.diagrams.variable(bit)
            if not value >> place & 1:
                literal = self.diagrams.opposite(literal)
            result = self.diagrams.both(result, literal)
        return result

    def state(self, number: int) -> list[tuple[int, bool]]:
        """Return the bits of a state."""
        return [
            (bit, bool(number // stride % size >> place & 1))
            for size, stride, bits in self._digits
            for place, bit in enumerate(bits)
        ]

    def number(self, chosen: dict[int, bool]) -> int:
        """Return the number of the state with these bits; those that are left out are zero."""
        return sum(
            stride << place
            for _, stride, bits in self._digits
            for place, bit in enumerate(bits)
            if chosen.get(bit, False)
        )


class WideSet:
    """A set of local states as a decision diagram."""

    __slots__ = ("_codes", "_diagram")

    def __init__(self, codes: Codes, diagram: Diagram) -> None:
        """Wrap a diagram of a space."""
        self._codes = codes
        self._diagram = diagram

    def _other(self, other: object) -> Diagram:
        if isinstance(other, WideSet):
            return other._diagram  # noqa: SLF001 - it is another set
        return self._codes.diagrams.false if other == 0 else self._codes.valid

    def __and__(self, other: object) -> "WideSet":
        return WideSet(self._codes, self._codes.diagrams.both(self._diagram, self._other(other)))

    def __or__(self, other: object) -> "WideSet":
        return WideSet(self._codes, self._codes.diagrams.either(self._diagram, self._other(other)))

    __rand__ = __and__
    __ror__ = __or__

    def __invert__(self) -> "WideSet":
        return WideSet(self._codes, self._codes.diagrams.minus(self._codes.valid, self._diagram))

    def __bool__(self) -> bool:
        return bool(self._diagram != self._codes.diagrams.false)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WideSet):
            return bool(self._diagram == other._diagram)
        return other == 0 and not self

    def __hash__(self) -> int:
        return hash(self._diagram)

    def __lt__(self, other: int) -> bool:
        """Return whether it stands for no agent, as -1 does: it never does."""
        return False

    def __rshift__(self, number: int) -> int:
        return int(self._codes.diagrams.evaluate(self._diagram, self._codes.state(number)))

    def bit_count(self) -> int:
        """Return how many states it holds."""
        return self._codes.diagrams.count(self._diagram, self._codes.width)

    def without(self, variable: int) -> "WideSet":
        """Return the states that differ from one of these in a variable at most."""
        freed = self._codes.diagrams.exists(self._diagram, self._codes.cubes[variable])
        return WideSet(self._codes, self._codes.diagrams.both(freed, self._codes.valid))

    def first(self) -> int:
        """Return the number of one of the states."""
        return self._codes.number(self._codes.diagrams.pick(self._diagram))


class WideSpace(Space):
    """The local states of one part, sets of them as decision diagrams."""

    is_wide = True

    def __init__(self, part: Part) -> None:
        """Give each variable as many bits as its values take."""
        super().__init__(part, most=None)
        for variable, size in zip(part.variables, self.sizes, strict=True):
            if size > _MOST_VALUES:
                msg = f"`{variable.name}` of `{part.name}` has more than {_MOST_VALUES:,} values"
                raise LimitReached(msg)
        self._codes = Codes(self.sizes, self.strides)
        self.full = cast(int, WideSet(self._codes, self._codes.valid))

    def pattern(self, variable: int, value: int) -> int:
        """Return the states where a variable has a value, both given by their numbers."""
        found = self._patterns.get((variable, value))
        if found is None:
            code = self._codes.diagrams.both(self._codes.code(variable, value), self._codes.valid)
            found = self._patterns[variable, value] = cast(int, WideSet(self._codes, code))
        return found

    def image(self, pieces: Iterable[Piece], states: int) -> int:
        """Return where the states of a set go."""
        result: Any = 0
        for piece in pieces:
            moved: Any = states & piece.where
            for variable, value in piece.values if moved else ():
                moved = moved.without(variable) & self.pattern(variable, value)
            result |= moved
        return cast(int, result)

    def preimage(self, pieces: Iterable[Piece], states: int) -> int:
        """Return which states go into a set."""
        result: Any = 0
        for piece in pieces:
            source: Any = states & self.full
            for variable, value in piece.values:
                source = (source & self.pattern(variable, value)).without(variable)
            result |= source & piece.where
        return cast(int, result)

    def only(self, number: int) -> int:
        """Return the set of one state."""
        result: Any = self.full
        for variable, (stride, size) in enumerate(zip(self.strides, self.sizes, strict=True)):
            result &= self.pattern(variable, number // stride % size)
        return cast(int, result)

    def first(self, states: int) -> int:
        """Return a state of a set that is not empty."""
        return cast(WideSet, states).first()
