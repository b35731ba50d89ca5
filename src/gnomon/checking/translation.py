"""A population of any size as an ordinary system, where that is possible."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from gnomon.model.budget import LimitReached
from gnomon.model.domain import Integers, OpenEnumeration
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import System

if TYPE_CHECKING:
    from gnomon.engines.parameterised.compiled import CompiledPopulation

GIVE_A_NUMBER: Final = "give a number, as in --agents 3"


class CannotExport(Exception):
    """There is no such program: the message says why, and what to do instead."""


@dataclass(frozen=True)
class Occupancy:
    """A population for which it is enough to know which local states are occupied."""

    population: OpenSystem
    _program: "CompiledPopulation"

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """How many local states of each template can be occupied."""
        return {name: self._program.within[name].bit_count() for name in self._program.names}

    def system(self) -> System:
        """Return the system with a variable for each local state: whether it is occupied."""
        from gnomon.engines.parameterised.occupancy_system import OccupancyTranslation

        return OccupancyTranslation(self._program).system()


def occupancy(population: OpenSystem) -> Occupancy:
    """Return a population compiled; raise `CannotExport` where sets of agents are not all that matters."""
    from gnomon.engines.parameterised.compiled import CompiledPopulation
    from gnomon.engines.parameterised.saturation import is_for

    _refuse_what_counts(population)
    try:
        program = CompiledPopulation(population)
    except LimitReached as limit:
        raise CannotExport(f"{limit}: {GIVE_A_NUMBER}") from None
    if not is_for(program):
        raise CannotExport(
            "a guard speaks of every agent with `forall`, and sets of agents only say where some are: "
            f"{GIVE_A_NUMBER}"
        )
    return Occupancy(population, program)


def _refuse_what_counts(population: OpenSystem) -> None:
    """Raise `CannotExport` where there is no end to local states, or it matters how many agents there are."""
    if not population.is_finite:
        raise CannotExport(
            f"every local state becomes a variable, and there is no end to them: {_endless(population)}"
        )
    for action, kind in population.sync.items():
        if kind != "some":
            what = (
                "exactly one agent takes part" if kind == "one" else "all agents take part that can"
            )
            raise CannotExport(
                f"in `{action}` {what}, and sets of agents do not say how many there are: "
                f"{GIVE_A_NUMBER}"
            )
    for part in population.templates:
        if part.high is not None:
            raise CannotExport(
                f"`{part.name}` has {part.high} agents at most, and sets of agents do not say how many there "
                f"are: {GIVE_A_NUMBER}, or leave the bound out"
            )


def _endless(population: OpenSystem) -> str:
    """Return what has infinitely many values, and what to do about it."""
    for part in population.part.values():
        for variable in part.variables:
            whole = f"{part.name}.{variable.name}"
            if isinstance(variable.domain, OpenEnumeration):
                return f"name all values of `{variable.domain}`, the type of `{whole}`, in `Types`"
            if isinstance(variable.domain, Integers):
                return f"give `{whole}` bounds, as in 0..9, or {GIVE_A_NUMBER}"
    return "name all values of the types of relations in `Types`"
