"""What the search for strategies asks of an engine: its sets, one state at a time."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator
from typing import Protocol, TypeAlias, TypeVar

from gnomon.engines.concrete.agents import Numbers, View
from gnomon.engines.concrete.moves import Moves
from gnomon.model.budget import Budget
from gnomon.model.step import State

Set = TypeVar("Set")
#: What each member of a coalition does, in the order of the agents.
JointChoice: TypeAlias = tuple[str, ...]
#: An agent, by index, and what it sees.
Sight: TypeAlias = tuple[int, View]
#: An agent that sees everything, and the state.
Insight: TypeAlias = tuple[int, Numbers]


class Field(Protocol[Set]):
    """The states of an engine's sets, as the numbers of local states."""

    @property
    @abstractmethod
    def moves(self) -> Moves:
        """The agents, compiled."""

    @property
    @abstractmethod
    def budget(self) -> Budget:
        """The limits."""

    @abstractmethod
    def contains(self, states: Set) -> Callable[[Numbers], bool]:
        """Return what tells whether a reachable state is in a set."""

    @abstractmethod
    def forcing(
        self, members: tuple[int, ...], target: Set
    ) -> Callable[[Numbers], list[JointChoice]]:
        """Return what gives, for a reachable state, the choices that force the next one into a set.

        Each can be completed, and every result of every completion lies in `target`.
        """

    @abstractmethod
    def always(self, index: int, state: Numbers) -> frozenset[str]:
        """Return the actions that an agent has in every reachable state that looks like this one to it."""

    @abstractmethod
    def each(self, states: Set) -> Iterator[Numbers]:
        """Yield the states of a set."""

    @abstractmethod
    def gather(self, states: Collection[Numbers]) -> Set:
        """Return some reachable states as a set."""

    @abstractmethod
    def confused(self, members: tuple[int, ...], state: Numbers, universe: Set) -> Set:
        """Return the states of `universe` that some member confuses with a state."""


def show_choices(
    moves: Moves, actions: Collection[tuple[Sight, str]]
) -> dict[tuple[str, State], str]:
    """Return what is done in which view, with the names and values of the model."""
    return {
        (moves.system.agents[index].name, (*moves.locals[index].values[own], *seen)): action
        for (index, (own, seen)), action in actions
    }
