"""Why there is no uniform strategy: the views in which one action would have to do for different states."""

from collections.abc import Sequence
from typing import Final

from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.game import CoalitionGame
from gnomon.engines.uniform.outcomes import FoundStrategy, OutcomeSearch
from gnomon.engines.uniform.search import member_states
from gnomon.engines.uniform.statewise import AgentState, AgentView, Set, StatewiseSets
from gnomon.model.budget import OutOfReach

#: More states than this are too many to tell a story about.
_MOST_STATES: Final = 20_000
#: So many views are tried one by one; of more than that, some may be there for nothing.
_FEW: Final = 24


def conflict(
    sets: StatewiseSets[Set],
    coalition: tuple[int, ...],
    game: CoalitionGame[Set],
    states: Sequence[NumberedState],
) -> list[tuple[AgentView, list[NumberedState]]] | None:
    """Return views that cannot all be acted on, each with states that look so; None where that takes long.

    The game must be one that cannot be won. Where all views but those returned could be told apart state by
    state, it still could not; where few are returned, leaving out any one of them would change that.
    """
    search = _Linked(sets, coalition, game)
    try:
        return search.conflict(states)
    except OutOfReach:
        return None


class _Linked(OutcomeSearch[Set, AgentState]):
    """Everybody sees everything, but acts alike in states that look alike, as long as that is asked for."""

    def __init__(
        self, sets: StatewiseSets[Set], coalition: tuple[int, ...], game: CoalitionGame[Set]
    ) -> None:
        super().__init__(sets, coalition, game, member_states(coalition))
        self._views: dict[AgentView, tuple[int, dict[str, int]]] = {}
        self._alike: dict[AgentView, list[NumberedState]] = {}
        self._dropped: set[int] = set()

    def _sight(self, sight: AgentState, allowed: frozenset[str]) -> int:
        new = sight not in self._sight_ids
        found = super()._sight(sight, allowed)
        if new:
            if len(self._sights) > _MOST_STATES:
                msg = "there are too many states to tell which views are in conflict"
                raise OutOfReach(msg)
            self._link(sight, self._seen[found].variables)
        return found

    def _link(self, sight: AgentState, variables: dict[str, int]) -> None:
        """Say that what is done in this state is what is done in its view, if views are acted on alike."""
        index, state = sight
        view = (index, self._moves.players[index].view(state))
        if view not in self._views:
            shared = {action: self._clauses.variable() for action in variables}
            self._at_most_one(list(shared.values()))
            self._views[view] = (self._clauses.variable(), shared)
        selector, shared = self._views[view]
        self._alike.setdefault(view, []).append(state)
        for action, variable in variables.items():
            self._clauses.add([-selector, -variable, shared[action]])

    def _follow(self, starts: Sequence[int], model: Sequence[int]) -> FoundStrategy | None:
        """Follow a solution, and see to it that states that look alike are acted on alike.

        The solution may say nothing about states that are met for the first time; the next one will.
        """
        found = super()._follow(starts, model)
        if found is None:
            return None
        done: dict[int, str] = {}
        for sight, action in found.actions.items():
            index, state = self._sights[sight]
            selector, _ = self._views[index, self._moves.players[index].view(state)]
            if selector not in self._dropped and done.setdefault(selector, action) != action:
                return None
        return found

    def _assumed(self, starts: Sequence[int]) -> list[int]:
        selectors = [selector for selector, _ in self._views.values()]
        kept = [selector for selector in selectors if selector not in self._dropped]
        return [*super()._assumed(starts), *kept]

    def conflict(
        self, states: Sequence[NumberedState]
    ) -> list[tuple[AgentView, list[NumberedState]]] | None:
        """Return the views that matter, with the states met that look so."""
        if self.run(states) is not None:
            return None
        names = {selector: view for view, (selector, _) in self._views.items()}
        core = [literal for literal in self._clauses.core() if literal in names]
        self._dropped = set(names) - set(core)
        if len(core) <= _FEW:
            core = self._fewest(states, core)
        return [(names[selector], self._alike[names[selector]]) for selector in core]

    def _fewest(self, states: Sequence[NumberedState], core: list[int]) -> list[int]:
        """Drop one view after the other as long as the game stays lost."""
        kept = list(core)
        for selector in core:
            self._dropped.add(selector)
            if self.run(states) is None:
                kept.remove(selector)
            else:
                self._dropped.discard(selector)
        return kept
