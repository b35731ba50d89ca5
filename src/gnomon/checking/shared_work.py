"""What the deciders of one task share: whatever one of them has found out serves the next."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gnomon.checking.decider import Task
from gnomon.model.budget import Budget
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source

if TYPE_CHECKING:
    from gnomon.checking.certify import Certifier
    from gnomon.checking.overlapping import Overlapping
    from gnomon.engines.algebra import Algebra


@dataclass(frozen=True)
class SharedWork:
    """A task about a system, its budget, and what is worked out once for all who decide it."""

    task: Task
    system: System
    budget: Budget

    @cached_property
    def overlapping(self) -> "Overlapping | None":
        """Return the lines that hold at once although only one is taken; None where none do."""
        return overlapping_lines(self.system, self.task.source)

    def possible_overlaps(self) -> tuple[Diagnostic, ...]:
        """Return a word on the lines that hold at once for some values of the variables, reachable or not."""
        return () if self.overlapping is None else self.overlapping.possible()

    def reachable_overlaps(self, algebra: "Algebra[Any]") -> tuple[Diagnostic, ...]:
        """Return a word on the lines that hold at once in a reachable state."""
        return () if self.overlapping is None else self.overlapping.reachable(algebra)

    @cached_property
    def certifier(self) -> "Certifier":
        """Return what makes proofs; a certificate has one list of states, whoever has listed them."""
        from gnomon.checking.certify import Certifier  # most checks prove nothing

        return Certifier(self.system, self.budget)


def overlapping_lines(system: System, source: Source) -> "Overlapping | None":
    """Return the lines of a system that hold at once although only one is taken; None where none do."""
    from gnomon.model.overlaps import overlaps

    try:
        families = overlaps(system)
    except RecursionError:
        return None  # conditions that were built may be deeper than any text; engines may still take them
    if not families:
        return None
    from gnomon.checking.overlapping import Overlapping  # most models have nothing to say about

    return Overlapping(system, source, families)
