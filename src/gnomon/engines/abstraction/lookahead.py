"""Some of the states that follow a state, one by one: a coalition may lose there by what its members see.

Each view of a member is one view, however large numbers become. Beyond the states that are looked at, and
wherever cells do not tell, the coalition is taken to win. So where it still has no uniform strategy, it has
none.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.view_cells import looks_at_its_view
from gnomon.engines.concrete.interleaved_moves import moves_of
from gnomon.engines.concrete.joint_moves import JointMoves
from gnomon.engines.concrete.players import NumberedState, View
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import BROKEN, FIRST, OPEN, CoalitionGame, SearchTooLong, Window
from gnomon.engines.uniform.conflict import conflict
from gnomon.engines.uniform.outcomes import FoundStrategy, OutcomeSearch
from gnomon.engines.uniform.search import member_views
from gnomon.engines.uniform.statewise import AgentView, JointChoice, StatewiseSets
from gnomon.model.budget import Budget
from gnomon.model.step import State

#: So many states are looked at, nearest first: few, and then more.
HORIZONS: Final = (40, 400)
#: So many strategies are tried.
_MOST_TRIED: Final = 400

#: States, by what tells whether one is among them.
StatePredicate: TypeAlias = Callable[[NumberedState], bool]


class Lookahead(StatewiseSets[StatePredicate]):
    """Concrete states and how cells label them, for the search for strategies."""

    def __init__(self, algebra: CellAlgebra) -> None:
        """Look at states as the cells of an algebra tell of them."""
        self._algebra = algebra
        self._d = algebra.space.diagrams
        self._walks = CellWalks(algebra)
        self._moves = moves_of(algebra.system)
        self._cells: dict[NumberedState, Diagram] = {}

    @property
    def moves(self) -> JointMoves:
        """The agents, compiled."""
        return self._moves

    @property
    def budget(self) -> Budget:
        """The limits."""
        return self._algebra.space.budget

    def contains(self, states: StatePredicate) -> StatePredicate:
        """Return what tells whether a state is in a set."""
        return states

    def forcing(
        self, members: tuple[int, ...], target: StatePredicate
    ) -> Callable[[NumberedState], list[JointChoice]]:
        """Return what gives the choices that force the next state into a set.

        Where everything is lost, a choice that has no result is lost, too.
        """

        def choices(state: NumberedState) -> list[JointChoice]:
            found = {} if target is nowhere else self._moves.choices(state, members)
            return [choice for choice, results in found.items() if all(map(target, results))]

        return choices

    def always(self, index: int, state: NumberedState) -> frozenset[str]:
        """Return all actions of an agent: which of them it has elsewhere is not known."""
        player = self._moves.players[index]
        return frozenset((*self._moves.system.agents[index].actions, *player.enabled(state)))

    def each(self, states: StatePredicate) -> Iterator[NumberedState]:
        """Yield the states of a set that were met."""
        return filter(states, list(self._cells))

    def classes(
        self, members: tuple[int, ...], states: StatePredicate, universe: StatePredicate
    ) -> Iterator[tuple[NumberedState, StatePredicate]]:
        """Yield a state of each class of those that were met and that all members take for one another."""
        players = [self._moves.players[index] for index in members]
        alike: dict[tuple[View, ...], list[NumberedState]] = {}
        for state in self.each(states):
            alike.setdefault(tuple(player.view(state) for player in players), []).append(state)
        for found in alike.values():
            yield found[0], self.gather(list(filter(universe, found)))

    def gather(self, states: Collection[NumberedState]) -> StatePredicate:
        """Return some states as a set."""
        return frozenset(states).__contains__

    def confused(
        self, members: tuple[int, ...], state: NumberedState, universe: StatePredicate
    ) -> StatePredicate:
        """Return the states of `universe` that some member confuses with a state."""
        players = [self._moves.players[index] for index in members]
        return lambda other: (
            universe(other) and any(player.view(other) == player.view(state) for player in players)
        )

    # What cells tell

    def _cell(self, state: NumberedState) -> Diagram:
        found = self._cells.get(state)
        if found is None:
            found = self._cells[state] = self._walks.here(self._moves.decode(state))
        return found

    def _perhaps(self, states: ThreeValued) -> StatePredicate:
        return lambda state: self._d.both(self._cell(state), states.false) == self._d.false

    def _surely(self, states: ThreeValued) -> StatePredicate:
        return lambda state: self._d.both(self._cell(state), states.true) != self._d.false

    def _near(self, starts: Sequence[NumberedState], most: int) -> frozenset[NumberedState]:
        """Return so many of the states that are reached from some states, nearest first."""
        near, waiting = dict.fromkeys(starts), list(starts)
        for state in waiting:
            self.budget.check("looking ahead, states", len(near))
            for target in self._moves.successors(state)[0]:
                if len(near) >= most:
                    return frozenset(near)
                if target not in near:
                    near[target] = None
                    waiting.append(target)
        return frozenset(near)

    def game(
        self,
        game: CoalitionGame[ThreeValued],
        starts: Sequence[NumberedState],
        most: int,
        fair: ThreeValued | None,
    ) -> CoalitionGame[StatePredicate]:
        """Return a game that is won wherever cells do not say that it is lost; `fair` states count."""
        near = self._near(starts, most)
        left, right, bound = map(self._perhaps, (game.left, game.right, game.bound))
        counts = near.__contains__ if fair is None else _both(near.__contains__, self._surely(fair))
        escape = nowhere if fair is None else everywhere
        opened = _either(right, _both(left, bound))
        safe = {FIRST: _either(right, escape), OPEN: _either(opened, escape), BROKEN: escape}
        window: Window[StatePredicate] | None = None
        if game.window is not None:
            window = game.window.changed(
                lambda *pair: (self._perhaps(pair[0]), self._perhaps(pair[1]))
            )
            safe |= dict.fromkeys(range(window.high), everywhere)
        constraints = tuple(map(self._surely, game.constraints))
        return CoalitionGame(
            game.kind, left, right, bound, counts, safe, constraints, window=window
        )

    def closed_game(
        self, game: CoalitionGame[ThreeValued], starts: Sequence[NumberedState], most: int
    ) -> CoalitionGame[StatePredicate]:
        """Return a game that is lost beyond some states, and wherever cells do not say that it is won."""
        near = self._near(starts, most).__contains__
        left, right = self._surely(game.left), self._surely(game.right)
        opened = _either(right, _both(left, near))
        safe = {FIRST: right, OPEN: opened, BROKEN: nowhere}
        window: Window[StatePredicate] | None = None
        if game.window is not None:
            window = game.window.changed(
                lambda *pair: (self._surely(pair[0]), self._surely(pair[1]))
            )
            # What is broken is lost, also where nothing has a result from there on.
            for step in range(window.high):
                won, kept = window.at(step + 1)
                safe[step] = _either(won, _both(kept, near))
        bound = _both(near, self._perhaps(game.bound))
        return CoalitionGame(game.kind, left, right, bound, everywhere, safe, window=window)

    def members(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the places of members among all agents."""
        return tuple(sorted({self._moves.system.agent_index[name] for name in names}))

    def clash(
        self, names: Sequence[str], game: CoalitionGame[StatePredicate], states: Sequence[State]
    ) -> list[tuple[str, tuple[State, ...]]]:
        """Return views that cannot all be acted on: whose each is, and some states that look so."""
        starts = list(map(self._moves.encode, states))
        found = conflict(self, self.members(names), game, starts)
        agents = self._moves.system.agents
        return [
            (agents[index].name, tuple(map(self._moves.decode, alike)))
            for (index, _), alike in found or ()
        ]


class Refuted(NamedTuple):
    """States from all of which no uniform strategy wins, and the game near them that shows it."""

    ahead: Lookahead
    game: CoalitionGame[StatePredicate]
    states: tuple[State, ...]


def refuted(
    algebra: CellAlgebra,
    members: Sequence[str],
    game: CoalitionGame[ThreeValued],
    states: Sequence[State],
    fair: ThreeValued | None = None,
) -> Refuted | None:
    """Return the game near states that no uniform strategy wins from all of; None where that is not found."""
    ahead = Lookahead(algebra)
    indices, starts = ahead.members(members), list(map(ahead.moves.encode, states))
    for most in HORIZONS:
        near = ahead.game(game, starts, most, fair)
        search = _FewTries(ahead, indices, near, member_views(ahead, indices))
        try:
            if search.run(starts) is None:
                return Refuted(ahead, near, tuple(states))
        except SearchTooLong:
            return None
    return None


def won_nearby(
    algebra: CellAlgebra,
    members: Sequence[str],
    game: CoalitionGame[ThreeValued],
    states: Sequence[State],
) -> bool:
    """Return whether a uniform strategy wins from all of some states without leaving what is near them."""
    if game.constraints or not all(looks_at_its_view(algebra.space, name) for name in members):
        return False
    ahead = Lookahead(algebra)
    indices, starts = ahead.members(members), list(map(ahead.moves.encode, states))
    near = ahead.closed_game(game, starts, HORIZONS[-1])
    search = _FewTries(ahead, indices, near, member_views(ahead, indices))
    try:
        return search.run(starts) is not None
    except SearchTooLong:
        return False


class _FewTries(OutcomeSearch[StatePredicate, AgentView]):
    """The search, for as long as it is worth it."""

    _tries = 0

    def _follow(self, starts: Sequence[int], model: Sequence[int]) -> FoundStrategy | None:
        self._tries += 1
        if self._tries > _MOST_TRIED:
            raise SearchTooLong
        return super()._follow(starts, model)


def nowhere(state: NumberedState) -> bool:  # noqa: ARG001 - a set of states
    """Return False."""
    return False


def everywhere(state: NumberedState) -> bool:  # noqa: ARG001 - a set of states
    """Return True."""
    return True


def _both(one: StatePredicate, other: StatePredicate) -> StatePredicate:
    return lambda state: one(state) and other(state)


def _either(one: StatePredicate, other: StatePredicate) -> StatePredicate:
    return lambda state: one(state) or other(state)
