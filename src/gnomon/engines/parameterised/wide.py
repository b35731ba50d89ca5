"""The local states of a part that has too many for the bits of an integer: sets of them as decision diagrams.

A set behaves as the integers of `space` do: `&`, `|`, `& ~`, comparison, truth, and `>> n & 1` for whether it
holds the state with number n. 0 is the empty set and -1 stands for all states, whatever the space.
"""

from collections.abc import Iterable
from typing import Any, cast

from gnomon.engines.bdd.diagrams import Diagram, Diagrams
from gnomon.engines.bdd.with_oxidd import OxiddDiagrams
from gnomon.engines.parameterised.space import Piece, Space
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.system import Part

#: The most bits that the values of a part's variables may take.
_MOST_BITS = 1_000
#: The most values of one variable: a diagram for each may be needed.
_MOST_VALUES = 10_000


class WideSet:
    """A set of local states as a decision diagram."""

    __slots__ = ("_diagram", "_space")

    def __init__(self, space: "WideSpace", diagram: Diagram) -> None:
        """Wrap a diagram of a space."""
        self._space = space
        self._diagram = diagram

    def _other(self, other: object) -> Diagram:
        if isinstance(other, WideSet):
            return other._diagram  # noqa: SLF001 - it is another set
        return self._space.diagrams.false if other == 0 else self._space.valid

    def __and__(self, other: object) -> "WideSet":
        return WideSet(self._space, self._space.diagrams.both(self._diagram, self._other(other)))

    def __or__(self, other: object) -> "WideSet":
        return WideSet(self._space, self._space.diagrams.either(self._diagram, self._other(other)))

    __rand__ = __and__
    __ror__ = __or__

    def __invert__(self) -> "WideSet":
        return WideSet(self._space, self._space.diagrams.minus(self._space.valid, self._diagram))

    def __bool__(self) -> bool:
        return bool(self._diagram != self._space.diagrams.false)

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
        return int(self._space.diagrams.evaluate(self._diagram, self._space.code(number)))

    def bit_count(self) -> int:
        """Return how many states it holds."""
        return self._space.diagrams.count(self._diagram, self._space.width)

    def without(self, variable: int) -> "WideSet":
        """Return the states that differ from one of these in a variable at most."""
        cube = self._space.cubes[variable]
        freed = self._space.diagrams.exists(self._diagram, cube)
        return WideSet(self._space, self._space.diagrams.both(freed, self._space.valid))

    def pick(self) -> dict[int, bool]:
        """Return the bits of one of the states; those that do not matter are left out."""
        return self._space.diagrams.pick(self._diagram)


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
        self._first: list[int] = []
        self.width = 0
        for size in self.sizes:
            self._first.append(self.width)
            self.width += max(1, (size - 1).bit_length())
        if self.width > _MOST_BITS:
            msg = f"the local states of `{part.name}` take more than {_MOST_BITS:,} bits"
            raise LimitReached(msg)
        self.diagrams: Diagrams = OxiddDiagrams(self.width)
        self.cubes = [self.diagrams.cube(self._bits(n)) for n in range(len(self.sizes))]
        self.valid: Diagram = self.diagrams.true
        self.valid = self._valid()
        self.full = cast(int, WideSet(self, self.valid))

    def _bits(self, variable: int) -> range:
        start = self._first[variable]
        return range(start, start + max(1, (self.sizes[variable] - 1).bit_length()))

    def _valid(self) -> Diagram:
        result = self.diagrams.true
        for variable, size in enumerate(self.sizes):
            if size == 1 << len(self._bits(variable)):
                continue
            any_value = self.diagrams.false
            for value in range(size):
                any_value = self.diagrams.either(any_value, self._code(variable, value))
            result = self.diagrams.both(result, any_value)
        return result

    def _code(self, variable: int, value: int) -> Diagram:
        result = self.diagrams.true
        for place, bit in enumerate(self._bits(variable)):
            literal = self.diagrams.variable(bit)
            if not value >> place & 1:
                literal = self.diagrams.opposite(literal)
            result = self.diagrams.both(result, literal)
        return result

    def code(self, number: int) -> list[tuple[int, bool]]:
        """Return the bits of a state."""
        return [
            (bit, bool(number // stride % size >> place & 1))
            for variable, (stride, size) in enumerate(zip(self.strides, self.sizes, strict=True))
            for place, bit in enumerate(self._bits(variable))
        ]

    def pattern(self, variable: int, value: int) -> int:
        """Return the states where a variable has a value, both given by their numbers."""
        found = self._patterns.get((variable, value))
        if found is None:
            code = self.diagrams.both(self._code(variable, value), self.valid)
            found = self._patterns[variable, value] = cast(int, WideSet(self, code))
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
        chosen = cast(WideSet, states).pick()
        number = 0
        for variable, stride in enumerate(self.strides):
            value = sum(
                1 << place
                for place, bit in enumerate(self._bits(variable))
                if chosen.get(bit, False)
            )
            number += stride * value
        return number
