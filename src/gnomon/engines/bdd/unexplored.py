"""The symbolic engine on all states there might be, where nobody knows which of them are reachable.

What is reachable only leads to what is reachable. So where a formula holds in a reachable state depends on no
other one, as long as it speaks of steps and choices alone: evaluated on all values that variables can have,
each of its sets is right where states are reachable, whatever it is elsewhere. Knowledge, and everything that
is said of all reachable states together, needs to know them. See decision 0067.
"""

from collections.abc import Collection

from gnomon.engines.bdd.bdd_algebra import BddAlgebra
from gnomon.engines.diagrams.events import AnyEvent
from gnomon.engines.diagrams.image import PartitionedImage
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.substitution import NextFunctions, SubstitutingEvent


class UnexploredBddAlgebra(BddAlgebra):
    """Sets of states, reachable or not; `reachable` are all of them. Where everybody moves at once."""

    def _steps(self) -> list[AnyEvent]:
        self._functions = NextFunctions(self.relation)
        if not self._functions.bits:
            return super()._steps()
        return [SubstitutingEvent(self.relation, self._functions)]

    def _explore(self) -> Diagram:
        self.depth = 0
        return self.relation.valid()

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what was done: nothing to explore, and with functions in the place of variables."""
        told = dict(super().account())
        told["reachable"] = "not explored"
        told["relation"] += f"; {self._functions.bits:,} bits by functions"
        return tuple(told.items())

    def _look_back_less(self) -> None:
        """Look back to all states: they are too many to leave out the others."""

    def _ahead(self, states: Diagram) -> Diagram:
        return self._functions.ahead(states) if self._functions.bits else super()._ahead(states)

    def _behind(self, coalition: Collection[str]) -> PartitionedImage:
        if not self._functions.bits:
            return super()._behind(coalition)
        return self._functions.backward(coalition)
