"""Uniform strategies, and strategies of those who see everything, found by following outcomes."""

from collections.abc import Callable, Iterator

from gnomon.engines.concrete.agents import Numbers
from gnomon.engines.game import Game, StrategySearch, Win
from gnomon.engines.uniform.field import Field, Insight, Set, Sight, show_choices
from gnomon.engines.uniform.outcomes import Search
from gnomon.model.step import State


class UniformWins(StrategySearch[Set]):
    """Uniform strategies for one coalition and one game; what is learnt about one state serves the next."""

    def __init__(self, field: Field[Set], coalition: tuple[int, ...], game: Game[Set]) -> None:
        """Start without having searched."""
        self._field = field
        self._coalition = coalition
        self._universe = game.universe
        self._search: Search[Set, Sight] = Search(field, coalition, game, sights(field, coalition))

    def each(self, wanted: Set, *, subjective: bool, most: int | None = None) -> Iterator[Win[Set]]:
        """Yield strategies that together win from every state of `wanted` where one can."""
        field, search = self._field, self._search
        search.most = most
        won: set[Numbers] = set()
        for state in field.each(wanted):
            if state in won:
                continue
            starts = [state]
            if subjective:
                starts = list(field.each(field.confused(self._coalition, state, self._universe)))
            found = search.run(starts)
            if found is None:
                continue
            states = search.visited(found) if not subjective else {state}
            won |= states
            choices = show_choices(field.moves, search.played(found))
            yield Win(field.gather(states | {state}), choices)


def informed_win(
    field: Field[Set], coalition: tuple[int, ...], game: Game[Set], state: State
) -> list[tuple[State, tuple[str, ...]]] | None:
    """Return what members who see everything do, state by state, to win from a state, if they can.

    Whoever plays for a disjunction of "from some time on never" needs no memory (Emerson and Jutla 1991),
    so one action for each state will do under fairness as well.
    """
    search: Search[Set, Insight] = Search(field, coalition, game, insights(coalition))
    found = search.run([field.moves.encode(state)])
    if found is None:
        return None
    table: dict[Numbers, dict[int, str]] = {}
    for (index, where), action in search.played(found):
        table.setdefault(where, {})[index] = action
    return [
        (field.moves.decode(where), tuple(actions[index] for index in coalition))
        for where, actions in table.items()
    ]


def sights(field: Field[Set], coalition: tuple[int, ...]) -> Callable[[Numbers], list[Sight]]:
    """Return what gives the views of the members in a state."""
    players = [field.moves.players[index] for index in coalition]
    return lambda state: [(player.index, player.view(state)) for player in players]


def insights(coalition: tuple[int, ...]) -> Callable[[Numbers], list[Insight]]:
    """Return what gives the state to each of the members."""
    return lambda state: [(index, state) for index in coalition]
