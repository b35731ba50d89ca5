"""Sets of local states: the bits of an integer or, where there are too many, a decision diagram.

Both have `&`, `|`, `& ~`, comparison, truth, and `>> n & 1` for whether they hold the state with number n.
0 is the empty set and -1 stands for all states, whatever the space.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from gnomon.model.budget import LimitReached

if TYPE_CHECKING:
    from gnomon.engines.diagrams.interface import Diagram, Diagrams  # few systems need them

#: The most bits that the values of a part's variables may take.
_MOST_BITS: Final = 1_000
#: Room for so many nodes, which is reserved, and results, which is taken.
_NODES: Final = 1 << 24
_RESULTS: Final = 1 << 16


class StateCodes:
    """The diagrams of a space, and how states are written in bits.

    Sets know this and not their space, which knows some sets: there are no cycles, so that diagrams, for
    which much memory is reserved, go as soon as nobody needs them.
    """

    def __init__(self, sizes: list[int], strides: list[int]) -> None:
        """Give each variable as many bits as its values take."""
        from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams

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

    def _valid(self) -> "Diagram":
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

    def code(self, variable: int, value: int) -> "Diagram":
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


class DiagramSet:
    """A set of local states as a decision diagram."""

    __slots__ = ("_codes", "_diagram")

    def __init__(self, codes: StateCodes, diagram: "Diagram") -> None:
        """Wrap a diagram of a space."""
        self._codes = codes
        self._diagram = diagram

    def _other(self, other: "LocalSet") -> "Diagram":
        if isinstance(other, DiagramSet):
            return other._diagram  # noqa: SLF001 - it is another set
        return self._codes.diagrams.false if other == 0 else self._codes.valid

    def __and__(self, other: "LocalSet") -> "DiagramSet":
        return DiagramSet(self._codes, self._codes.diagrams.both(self._diagram, self._other(other)))

    def __or__(self, other: "LocalSet") -> "DiagramSet":
        return DiagramSet(
            self._codes, self._codes.diagrams.either(self._diagram, self._other(other))
        )

    __rand__ = __and__
    __ror__ = __or__

    def __invert__(self) -> "DiagramSet":
        return DiagramSet(self._codes, self._codes.diagrams.minus(self._codes.valid, self._diagram))

    def __bool__(self) -> bool:
        return bool(self._diagram != self._codes.diagrams.false)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DiagramSet):
            return bool(self._diagram == other._diagram)
        return other == 0 and not self

    def __hash__(self) -> int:
        return hash(self._diagram)

    def __rshift__(self, number: int) -> int:
        return int(self._codes.diagrams.evaluate(self._diagram, self._codes.state(number)))

    def bit_count(self) -> int:
        """Return how many states it holds."""
        return self._codes.diagrams.count(self._diagram, self._codes.width)

    def without(self, variable: int) -> "DiagramSet":
        """Return the states that differ from one of these in a variable at most."""
        freed = self._codes.diagrams.exists(self._diagram, self._codes.cubes[variable])
        return DiagramSet(self._codes, self._codes.diagrams.both(freed, self._codes.valid))

    def first(self) -> int:
        """Return the number of one of the states."""
        return self._codes.number(self._codes.diagrams.pick(self._diagram))


LocalSet: TypeAlias = int | DiagramSet


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers in a set, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def first(states: LocalSet) -> int:
    """Return the number of a state of a set that is not empty: the least, where they are bits."""
    if isinstance(states, DiagramSet):
        return states.first()
    return (states & -states).bit_length() - 1
