"""An algebra whose strategies are searched for state by state."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import CoalitionGame, StrategySearch
from gnomon.model.step import State

if TYPE_CHECKING:
    from gnomon.engines.uniform.statewise import StatewiseSets  # loads what only a search needs


class SearchedAlgebra(Algebra[Set], Protocol[Set]):
    """What the algebra says about strategies, given its states one at a time.

    The search, and with it the solver, is loaded when the first one begins.
    """

    @property
    @abstractmethod
    def statewise(self) -> "StatewiseSets[Set]":
        """The same states one at a time, for the search for strategies."""

    def _members(self, coalition: Collection[str]) -> tuple[int, ...]:
        """Return the members of a coalition by their places among all agents, in order and each once."""
        return tuple(sorted({self.system.agent_index[name] for name in coalition}))

    def uniform_search(
        self, coalition: Collection[str], game: CoalitionGame[Set]
    ) -> StrategySearch[Set]:
        """Return the search for uniform strategies of a coalition in a game."""
        from gnomon.engines.uniform.search import UniformWins

        return UniformWins(self.statewise, self._members(coalition), game)

    def informed_strategy(
        self, coalition: Collection[str], game: CoalitionGame[Set], state: State
    ) -> dict[State, tuple[tuple[str, str], ...]] | None:
        """Return what members who see everything do, state by state, to win from a state, if they can."""
        from gnomon.engines.uniform.search import informed_win

        members = self._members(coalition)
        found = informed_win(self.statewise, members, game, state)
        if found is None:
            return None
        names = [self.system.agents[index].name for index in members]
        return {where: tuple(zip(names, actions, strict=True)) for where, actions in found}

    def conflicting_views(
        self,
        coalition: Collection[str],
        game: CoalitionGame[Set],
        states: Sequence[State],
        most: int,
    ) -> list[tuple[str, tuple[State, ...]]]:
        """Return views that cannot all be acted on: whose each is, and up to `most` states that look so."""
        from gnomon.engines.uniform.conflict import conflict

        moves = self.statewise.moves
        starts = [moves.encode(each) for each in states]
        found = conflict(self.statewise, self._members(coalition), game, starts)
        return [
            (self.system.agents[index].name, tuple(moves.decode(each) for each in alike[:most]))
            for (index, _), alike in found or ()
        ]

    def confused_states(
        self, coalition: Collection[str], state: State, universe: Set
    ) -> list[State]:
        """Return the states of `universe` that some member confuses with a state, one by one."""
        sets, moves = self.statewise, self.statewise.moves
        alike = sets.confused(self._members(coalition), moves.encode(state), universe)
        return [moves.decode(each) for each in sets.each(alike)]
