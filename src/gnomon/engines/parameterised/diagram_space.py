"""The local states of a part that has too many for the bits of an integer."""

from collections.abc import Iterable
from typing import Final

from gnomon.engines.parameterised.local_sets import DiagramSet, LocalSet, StateCodes
from gnomon.engines.parameterised.local_space import GuardedUpdate, LocalSpace
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.system import Part

#: The most values of one variable: a diagram for each may be needed.
_MOST_VALUES: Final = 10_000


class DiagramSpace(LocalSpace):
    """The local states of one part, sets of them as decision diagrams."""

    full: DiagramSet

    def __init__(self, part: Part) -> None:
        """Give each variable as many bits as its values take."""
        super().__init__(part)
        for variable, size in zip(part.variables, self.sizes, strict=True):
            if size > _MOST_VALUES:
                msg = f"`{variable.name}` of `{part.name}` has more than {_MOST_VALUES:,} values"
                raise LimitReached(msg)
        self._codes = StateCodes(self.sizes, self.strides)
        self.full = DiagramSet(self._codes, self._codes.valid)
        self._patterns: dict[tuple[int, int], DiagramSet] = {}

    def pattern(self, variable: int, value: int) -> DiagramSet:
        """Return the states where a variable has a value, both given by their numbers."""
        found = self._patterns.get((variable, value))
        if found is None:
            code = DiagramSet(self._codes, self._codes.code(variable, value))
            found = self._patterns[variable, value] = code & self.full
        return found

    def image(self, updates: Iterable[GuardedUpdate], states: LocalSet) -> DiagramSet:
        """Return where the states of a set go."""
        result = self.full & 0
        for update in updates:
            moved = self.full & states & update.where
            for variable, value in update.values if moved else ():
                moved = moved.without(variable) & self.pattern(variable, value)
            result |= moved
        return result

    def preimage(self, updates: Iterable[GuardedUpdate], states: LocalSet) -> DiagramSet:
        """Return which states go into a set."""
        result = self.full & 0
        for update in updates:
            source = self.full & states
            for variable, value in update.values:
                source = (source & self.pattern(variable, value)).without(variable)
            result |= source & update.where
        return result

    def only(self, number: int) -> DiagramSet:
        """Return the set of one state."""
        result = self.full
        for variable, (stride, size) in enumerate(zip(self.strides, self.sizes, strict=True)):
            result &= self.pattern(variable, number // stride % size)
        return result
