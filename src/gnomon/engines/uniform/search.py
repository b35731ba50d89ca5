"""Uniform strategies, and strategies of those who see everything, found by following outcomes."""

from collections.abc import Callable, Iterator

from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.game import CoalitionGame, StrategySearch, Win
from gnomon.engines.uniform.outcomes import OutcomeSearch
from gnomon.engines.uniform.statewise import AgentState, AgentView, Set, StatewiseSets, show_choices
from gnomon.model.step import State


class UniformWins(StrategySearch[Set]):
    """Uniform strategies for one coalition and one game; what is learnt about one state serves the next."""

    def __init__(
        self, sets: StatewiseSets[Set], coalition: tuple[int, ...], game: CoalitionGame[Set]
    ) -> None:
        """Start without having searched."""
        self._sets = sets
        self._coalition = coalition
        self._universe = game.universe
        self._search: OutcomeSearch[Set, AgentView] = OutcomeSearch(
            sets, coalition, game, member_views(sets, coalition)
        )

    def each(self, wanted: Set, *, subjective: bool, most: int | None = None) -> Iterator[Win[Set]]:
        """Yield strategies that together win from every state of `wanted` where one can."""
        self._search.most = most
        return self._each_class(wanted) if subjective else self._each_state(wanted)

    def _each_state(self, wanted: Set) -> Iterator[Win[Set]]:
        sets, search = self._sets, self._search
        won: set[NumberedState] = set()
        for state in sets.each(wanted):
            if state in won:
                continue
            found = search.run([state])
            if found is not None:
                states = search.visited(found) | {state}
                won |= states
                yield Win(sets.gather(states), show_choices(sets.moves, search.played(found)))

    def _each_class(self, wanted: Set) -> Iterator[Win[Set]]:
        """Ask once for what looks alike to every member: to win there is to win from the same states."""
        sets, search, members = self._sets, self._search, self._coalition
        for state, alike in sets.classes(members, wanted, self._universe):
            starts = list(sets.each(sets.confused(members, state, self._universe)))
            found = search.run(starts)
            if found is not None:
                yield Win(alike, show_choices(sets.moves, search.played(found)))


def informed_win(
    sets: StatewiseSets[Set], coalition: tuple[int, ...], game: CoalitionGame[Set], state: State
) -> list[tuple[State, tuple[str, ...]]] | None:
    """Return what members who see everything do, state by state, to win from a state, if they can.

    Whoever plays for a disjunction of "from some time on never" needs no memory (Emerson and Jutla 1991),
    so one action for each state will do under fairness as well.
    """
    search: OutcomeSearch[Set, AgentState] = OutcomeSearch(
        sets, coalition, game, member_states(coalition)
    )
    found = search.run([sets.moves.encode(state)])
    if found is None:
        return None
    table: dict[NumberedState, dict[int, str]] = {}
    for (index, where), action in search.played(found):
        table.setdefault(where, {})[index] = action
    return [
        (sets.moves.decode(where), tuple(actions[index] for index in coalition))
        for where, actions in table.items()
    ]


def member_views(
    sets: StatewiseSets[Set], coalition: tuple[int, ...]
) -> Callable[[NumberedState], list[AgentView]]:
    """Return what gives the views of the members in a state."""
    players = [sets.moves.players[index] for index in coalition]
    return lambda state: [(player.index, player.view(state)) for player in players]


def member_states(coalition: tuple[int, ...]) -> Callable[[NumberedState], list[AgentState]]:
    """Return what gives the state to each of the members."""
    return lambda state: [(index, state) for index in coalition]
