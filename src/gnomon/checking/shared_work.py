"""What the deciders of one task share: whatever one of them has found out serves the next."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gnomon.checking.decider import Task
from gnomon.checking.overlapping import Overlapping
from gnomon.model.budget import Budget
from gnomon.model.system import System

if TYPE_CHECKING:
    from gnomon.checking.certify import Certifier


@dataclass(frozen=True)
class SharedWork:
    """A task about a system, its budget, and what is worked out once for all who decide it."""

    task: Task
    system: System
    budget: Budget

    @cached_property
    def overlapping(self) -> Overlapping:
        """Return the lines that get in each other's way."""
        return Overlapping(self.system, self.task.source)

    @cached_property
    def certifier(self) -> "Certifier":
        """Return what makes proofs; a certificate has one list of states, whoever has listed them."""
        from gnomon.checking.certify import Certifier  # most checks prove nothing

        return Certifier(self.system, self.budget)
