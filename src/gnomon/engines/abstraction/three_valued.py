"""Three-valued sets of cells, and the modal algebra over them.

What is said of a cell is said of all the reachable states in it. Both sides of a set come from one relation
that is too large rather than too small, and both look at all that may follow: that is what makes them sound.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple, Protocol

from gnomon.engines.abstraction.attractors import (
    EVERY_PATH,
    SOME_PATH,
    Attraction,
    Attractor,
    AttractorLayer,
    GameSide,
    deepest,
)
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import inhabited_cell
from gnomon.engines.abstraction.elimination import (
    ONE_NODE,
    CellsByNode,
    Elimination,
    NodeSuccessors,
    Remaining,
)
from gnomon.engines.abstraction.must_reachability import MustReachability
from gnomon.engines.abstraction.node_product import NodeProduct, met_in_turn
from gnomon.engines.abstraction.rankings import Ranking, find_rankings
from gnomon.engines.abstraction.sum_rankings import sum_ranking
from gnomon.engines.algebra import ModalAlgebra
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.expression import Expression
from gnomon.model.formula import Formula
from gnomon.model.scheduled import as_written
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.errors import Bug

#: So many cells in which something came out both true and false are looked into for a state, each time.
_MOST_LOOKED_INTO: Final = 8


class ThreeValued(NamedTuple):
    """Where something surely holds and where it surely fails; it may hold wherever it does not fail.

    So `true` is the under-approximation, the complement of `false` the over-approximation, and to take the
    complement is to exchange the two.
    """

    true: Diagram
    false: Diagram


class Inconsistent(Bug):
    """Something surely holds and surely fails in one reachable cell: a fault of the engine."""


class CellSemantics(Protocol):
    """What the engine asks of the satisfaction relation over its algebra."""

    @property
    def algebra(self) -> "CellAlgebra":
        """The algebra."""

    @property
    def fair(self) -> ThreeValued:
        """The cells whose states count: what is said of a cell is said of these."""

    @property
    def constraints(self) -> tuple[ThreeValued, ...]:
        """What has to be met again and again on paths that count."""

    def states(self, formula: Formula, /) -> ThreeValued:
        """Return where a formula surely holds and where it surely fails."""

    def fails_in(self, formula: Formula, state: State, /) -> bool:
        """Return whether a formula surely fails in a state, where its cell does not tell."""

    def doubts(self, formula: Formula, /) -> tuple[ThreeValued, ...]:
        """Return what else was found out about a formula that is open: cells may differ in that, too."""


class CellAlgebra(ModalAlgebra[ThreeValued]):
    """The cells of one space, as three-valued sets.

    A pre-image takes on the sure side moves that are enabled in all states of a cell, and is universal over
    all cells that may follow. What is reached in the end is refined by rankings.
    """

    def __init__(self, space: CellSpace, *, ranked: bool = True) -> None:
        """Work on a space, with or without rankings."""
        self.space = space
        self.ranked = ranked
        self._d = space.diagrams
        self._attractions: dict[object, Attraction] = {}
        self._endless: dict[object, Remaining] = {}
        self._hollow = self._d.false  # cells in which no state was found, where one was looked for

    @property
    def system(self) -> System:
        """The system whose states these are, as it was written."""
        return as_written(self.space.system)

    # Sets

    @cached_property
    def empty(self) -> ThreeValued:
        """No cell."""
        return ThreeValued(self._d.false, self.space.reachable)

    @cached_property
    def reachable(self) -> ThreeValued:
        """All cells that may be reached."""
        return ThreeValued(self.space.reachable, self._d.false)

    def union(self, left: ThreeValued, right: ThreeValued) -> ThreeValued:
        """Return what is in either: surely not where it surely is in neither."""
        d = self._d
        return ThreeValued(d.either(left.true, right.true), d.both(left.false, right.false))

    def intersection(self, left: ThreeValued, right: ThreeValued) -> ThreeValued:
        """Return what is in both: surely not where it surely is not in one of them."""
        d = self._d
        return ThreeValued(d.both(left.true, right.true), d.either(left.false, right.false))

    def difference(self, left: ThreeValued, right: ThreeValued) -> ThreeValued:
        """Return the intersection with the complement."""
        return self.intersection(left, _opposite(right))

    def is_empty(self, states: ThreeValued) -> bool:
        """Return whether surely nothing is in it."""
        return self.is_subset(states, self.empty)

    def is_subset(self, left: ThreeValued, right: ThreeValued) -> bool:
        """Return whether both approximations of `left` are part of those of `right`."""
        d = self._d
        surely = d.minus(left.true, right.true) == d.false
        return surely and bool(d.minus(right.false, left.false) == d.false)

    def grow(
        self, start: ThreeValued, step: Callable[[ThreeValued, ThreeValued], ThreeValued]
    ) -> ThreeValued:
        """Return the least set that contains `start` and whatever `step` adds, on both sides."""
        found = start
        while not self.is_subset(larger := self.union(found, step(found, found)), found):
            found = larger
        return found

    def undecided(self, states: ThreeValued) -> Diagram:
        """Return the cells that are surely in a set neither way."""
        return self._d.minus(self._d.minus(self.space.reachable, states.true), states.false)

    def where(self, condition: Expression) -> ThreeValued:
        """Return where a condition holds."""
        three, everything = self.space.cells.condition(condition), self.space.reachable
        return ThreeValued(
            self._d.both(three.must, everything), self._d.minus(everything, three.may)
        )

    # Time and strategy

    def before(self, target: ThreeValued, within: ThreeValued) -> ThreeValued:
        """Return the cells of `within` that have some successor in `target`."""
        true, false = self.preimage(SOME_PATH, target.true), self.preimage(EVERY_PATH, target.false)
        return self.intersection(self._checked(true, false), within)

    def leads_to(self, target: ThreeValued, within: ThreeValued) -> ThreeValued:
        """Return the least Z = `target` ∪ (`within` ∩ pre(Z))."""
        true = self.attraction(SOME_PATH, within.true, target.true).cells
        return self._checked(true, self.confine(EVERY_PATH, within.false, target.false))

    def lasting(self, within: ThreeValued) -> ThreeValued:
        """Return the greatest Z = `within` ∩ pre(Z)."""
        return self.released(self.reachable, within)

    def released(self, kept: ThreeValued, held: ThreeValued) -> ThreeValued:
        """Return the greatest Z = `held` ∩ (not `kept` ∪ pre(Z)).

        Which of the two ends it comes to may differ from state to state of a cell, so it is one fixpoint.
        """
        true = self.confine(SOME_PATH, kept.false, held.true)
        return self._checked(true, self.attraction(EVERY_PATH, kept.true, held.false).cells)

    def fairly_lasting(
        self, within: ThreeValued, constraints: tuple[ThreeValued, ...]
    ) -> ThreeValued:
        """Return where some path stays in `within` and meets each constraint again and again."""
        return self.accepting(ONE_NODE, (within,), [(each,) for each in constraints])[0]

    def accepting(
        self,
        following: NodeSuccessors,
        labels: tuple[ThreeValued, ...],
        visited: Sequence[tuple[ThreeValued, ...]],
    ) -> tuple[ThreeValued, ...]:
        """Return from where some path goes through the labels of nodes and meets some sets again and again.

        Each node of an automaton has a label, nodes that may follow it, and its part of every set.
        """
        may = self._may_be_accepting(following, labels, visited)
        # Where there is none, rankings would find none: without them, both sides are still compared.
        nowhere = all(each == self._d.false for each in may)
        finder = CellAlgebra(self.space, ranked=False) if nowhere else self
        surely = finder._surely_accepting(following, labels, visited)  # noqa: SLF001 - our own
        false = (self._d.minus(self.space.reachable, each) for each in may)
        return tuple(map(self._checked, surely, false))

    def _may_be_accepting(
        self,
        following: NodeSuccessors,
        labels: tuple[ThreeValued, ...],
        visited: Sequence[tuple[ThreeValued, ...]],
    ) -> CellsByNode:
        """Return from where there may be such a path: what no ranking and no set excludes."""
        search = possible_paths(self.space, following, labels, visited)
        return search.leading_to(self.eliminated(search).cells)

    def _surely_accepting(
        self,
        following: NodeSuccessors,
        labels: tuple[ThreeValued, ...],
        visited: Sequence[tuple[ThreeValued, ...]],
    ) -> CellsByNode:
        """Return from where there surely is such a path: to each set in turn, whatever cell follows."""
        nodes = tuple(each.true for each in labels)
        sets = [tuple(each.true for each in part) for part in visited]
        rankings = self.rankings if self.ranked else []
        return met_in_turn(NodeProduct(self.space, following), nodes, sets, rankings)

    def controllable(
        self, coalition: Collection[str], target: ThreeValued, within: ThreeValued
    ) -> ThreeValued:
        """Return the cells of `within` where the coalition can force the next state into `target`."""
        members = tuple(coalition)
        true = self.preimage(("surely", members), target.true)
        false = self.preimage(("never", members), target.false)
        return self.intersection(self._checked(true, false), within)

    def attractor(
        self, coalition: Collection[str], target: ThreeValued, within: ThreeValued
    ) -> ThreeValued:
        """Return the least Z = `target` ∪ (`within` ∩ CPre(coalition, Z))."""
        members = tuple(coalition)
        true = self.attraction(("surely", members), within.true, target.true).cells
        return self._checked(true, self.confine(("never", members), within.false, target.false))

    def trap(
        self, coalition: Collection[str], within: ThreeValued, free: ThreeValued | None = None
    ) -> ThreeValued:
        """Return the greatest Z = `within` ∩ (`free` ∪ CPre(coalition, Z))."""
        members, free = tuple(coalition), self.empty if free is None else free
        true = self.confine(("surely", members), free.true, within.true)
        false = self.attraction(("never", members), free.false, within.false).cells
        return self._checked(true, false)

    def preimage(self, player: GameSide, target: Diagram) -> Diagram:
        """Return the cells from which a player surely gets into the target in one step."""
        forbidden = self.space.after(self._d.minus(self.space.reachable, target))
        return self.space.predecessors(*player, forbidden)

    def confine(self, player: GameSide, exits: Diagram, within: Diagram) -> Diagram:
        """Return the greatest Z = within ∩ (exits ∪ pre(Z))."""
        d, key = self._d, (player, exits, within)
        # Rankings make no difference to it, so that algebras over one space share what is found.
        known = {} if self.space.bound_to else self.space.confined
        found = known.get(key, within)
        while True:
            smaller = d.both(found, d.either(exits, self.preimage(player, found)))
            if smaller == found:
                known[key] = found
                return found
            found = smaller

    def attraction(self, player: GameSide, within: Diagram, target: Diagram) -> Attraction:
        """Return the least Z = target ∪ (within ∩ pre(Z)), what rankings add to it, and how it came about."""
        if self.space.bound_to:
            return self._attract(player, within, target)
        key = (player, within, target)
        found = self._attractions.get(key)
        if found is None:
            found = self._attractions[key] = self._attract(player, within, target)
        return found

    def _attract(self, player: GameSide, within: Diagram, target: Diagram) -> Attraction:
        d = self._d
        if player == EVERY_PATH:
            return self._inevitable(d.minus(within, target), target)
        attractor = Attractor(self.space, player, d.minus(within, target))
        rankings = self.rankings if self.ranked else []
        outside = attractor.lead_to([(d.true, target)], d.true, rankings, deepest(len(rankings)))
        layers = (AttractorLayer(target, d.false), *attractor.layers)
        return Attraction(d.either(target, outside), layers, tuple(attractor.used))

    def _inevitable(self, within: Diagram, target: Diagram) -> Attraction:
        """Return the cells from which every run through `within` that goes on comes to the target."""
        d, space = self._d, self.space
        search = Elimination(space, (within,))
        endless = self.eliminated(search)
        lost = d.either(endless.cells[0], d.minus(d.minus(space.reachable, within), target))
        (lost,) = search.leading_to((lost,))
        used = dict.fromkeys(level.ranking for level in endless.levels)
        return Attraction(d.either(target, d.minus(within, lost)), (), tuple(used))

    def eliminated(self, search: Elimination) -> Remaining:
        """Return what is left of a search, for each question only once."""
        if not self.ranked:
            return search.run()
        if search.question not in self._endless:
            found = search.run(self.rankings, partial(sum_ranking, self.space))
            self._endless[search.question] = found
        return self._endless[search.question]

    @cached_property
    def rankings(self) -> list[Ranking]:
        """The quantities that may serve as rankings, alone or together."""
        return list(find_rankings(self.space))

    def consistent(self, true: Diagram, false: Diagram) -> ThreeValued:
        """Return a set with these sides, which must not contradict each other."""
        return self._checked(true, false)

    def _checked(self, true: Diagram, false: Diagram) -> ThreeValued:
        """Return a set, unless a cell that has a state is on both sides."""
        both = self._d.minus(self._d.both(true, false), self._hollow)
        if both != self._d.false:
            both = self._d.both(both, self.space.reachable)
            found, without = inhabited_cell(self.space, both, _MOST_LOOKED_INTO)
            if found is not None:
                raise Inconsistent("a formula came out both true and false in one cell")
            self._hollow = self._d.either(self._hollow, without)
        return ThreeValued(true, false)

    # Knowledge

    @cached_property
    def must_reach(self) -> MustReachability:
        """The cells that surely contain reachable states."""
        return MustReachability(self.space)

    def indistinguishable(self, agents: Collection[str], states: ThreeValued) -> ThreeValued:
        """Return what looks like one of `states` to all of `agents` at once.

        Surely so where each state of a cell looks like a state that is surely reached and surely in the set.
        """
        d, space = self._d, self.space
        may = space.alike(agents, d.minus(space.reachable, states.false))
        true = states.true
        open_ = d.minus(d.both(may, space.reachable), true)
        if open_ != d.false and d.both(true, space.reachable) != d.false:
            true = d.either(true, self.must_reach.confused(agents, true, open_))
        return self._checked(true, d.minus(space.reachable, may))

    def if_subset(self, left: ThreeValued, right: ThreeValued, within: ThreeValued) -> ThreeValued:
        """Return `within` if no state of `left` is outside `right`, as far as that is known unseen."""
        return self.unlike((), self.difference(left, right), within)


def _opposite(states: ThreeValued) -> ThreeValued:
    return ThreeValued(states.false, states.true)


def possible_paths(
    space: CellSpace,
    following: NodeSuccessors,
    labels: tuple[ThreeValued, ...],
    visited: Sequence[tuple[ThreeValued, ...]],
) -> Elimination:
    """Return what looks for paths through labels that meet some sets, among all that there may be."""

    def may(sets: tuple[ThreeValued, ...]) -> CellsByNode:
        return tuple(space.diagrams.minus(space.reachable, each.false) for each in sets)

    return Elimination(space, may(labels), following, map(may, visited))
