"""How much agents see of a state, by the variables alone."""

from collections.abc import Collection
from functools import cached_property
from math import prod

from gnomon.model.domain import size_of
from gnomon.model.system import System


class Sight:
    """What the agents of a system see, together, of the variables that have more than one value."""

    def __init__(self, system: System) -> None:
        """Look at the variables of this system."""
        self._system = system

    @cached_property
    def _sizes(self) -> dict[tuple[str, str], int | None]:
        """How many values each of these variables has, None where there is no end to them."""
        sizes = {(v.agent, v.name): size_of(v.domain) for v in self._system.variables}
        return {variable: size for variable, size in sizes.items() if size != 1}

    def _seen(self, agents: Collection[str]) -> list[int | None]:
        world = self._system.environment.name
        seen: dict[tuple[str, str], None] = {}
        for agent in map(self._system.agent, agents):
            seen.update(dict.fromkeys((agent.name, v.name) for v in agent.variables))
            seen.update(dict.fromkeys((world, name) for name in agent.sees))
        return [self._sizes[variable] for variable in seen if variable in self._sizes]

    def is_full(self, agents: Collection[str]) -> bool:
        """Return whether they see everything, so that no two states look the same."""
        return len(self._seen(agents)) == len(self._sizes)

    def views(self, agents: Collection[str]) -> int | None:
        """Return how many views there are at most; None where there is no end to them."""
        sizes = self._seen(agents)
        known = [size for size in sizes if size is not None]
        return prod(known) if len(known) == len(sizes) else None
