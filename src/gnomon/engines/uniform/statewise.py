"""What the search for strategies asks of an engine: its sets, one state at a time."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator
from typing import Protocol, TypeAlias, TypeVar

from gnomon.engines.concrete.joint_moves import JointMoves
from gnomon.engines.concrete.players import NumberedState, View
from gnomon.model.budget import Budget
from gnomon.model.step import State

Set = TypeVar("Set")
#: What each member of a coalition does, in the order of the agents.
JointChoice: TypeAlias = tuple[str, ...]
#: An agent, by index, and what it sees.
AgentView: TypeAlias = tuple[int, View]
#: An agent that sees everything, and the state.
AgentState: TypeAlias = tuple[int, NumberedState]


class StatewiseSets(Protocol[Set]):
    """The states of an engine's sets, as the numbers of local states."""

    @property
    @abstractmethod
    def moves(self) -> JointMoves:
        """The agents, compiled."""

    @property
    @abstractmethod
    def budget(self) -> Budget:
        """The limits."""

    @abstractmethod
    def contains(self, states: Set) -> Callable[[NumberedState], bool]:
        """Return what tells whether a reachable state is in a set."""

    @abstractmethod
    def forcing(
        self, members: tuple[int, ...], target: Set
    ) -> Callable[[NumberedState], list[JointChoice]]:
        """Return what gives, for a reachable state, the choices that force the next one into a set.

        Each can be completed, and every result of every completion lies in `target`.
        """

    @abstractmethod
    def always(self, index: int, state: NumberedState) -> frozenset[str]:
        """Return the actions that an agent has in every reachable state that looks like this one to it."""

    @abstractmethod
    def each(self, states: Set) -> Iterator[NumberedState]:
        """Yield the states of a set."""

    @abstractmethod
    def classes(
        self, members: tuple[int, ...], states: Set, universe: Set
    ) -> Iterator[tuple[NumberedState, Set]]:
        """Yield a state of each class of those that all members take for one another.

        With it come all states of `universe` in the class.
        """

    @abstractmethod
    def gather(self, states: Collection[NumberedState]) -> Set:
        """Return some reachable states as a set."""

    @abstractmethod
    def confused(self, members: tuple[int, ...], state: NumberedState, universe: Set) -> Set:
        """Return the states of `universe` that some member confuses with a state."""


def show_choices(
    moves: JointMoves, actions: Collection[tuple[AgentView, str]]
) -> dict[tuple[str, State], str]:
    """Return what is done in which view, with the names and values of the model."""
    return {
        (moves.system.agents[index].name, (*moves.locals[index].values[own], *seen)): action
        for (index, (own, seen)), action in actions
    }
