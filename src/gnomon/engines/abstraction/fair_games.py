"""What coalitions enforce on the outcomes that are fair; those that are not do not count.

To be sure that a coalition wins, it is let off wherever it can make all outcomes unfair: constraints count as
met wherever they may hold. To be sure that it does not, its opponents have to meet them in turn: there,
constraints count where they surely hold. On both sides, quantities that run out end what cells cannot tell
to end.
"""

from collections.abc import Collection
from functools import cached_property

from gnomon.engines.abstraction.attractors import (
    Attraction,
    AttractorLayer,
    GameSide,
    deepest,
)
from gnomon.engines.abstraction.fair_attractors import FairAttractor
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram


class FairGames:
    """The games of one coalition under some fairness constraints.

    What is said of a cell is said of those of its states that are fair.
    """

    def __init__(
        self,
        algebra: CellAlgebra,
        coalition: Collection[str],
        fair: ThreeValued,
        constraints: tuple[ThreeValued, ...],
    ) -> None:
        """Play on the cells of an algebra; `fair` are those whose states start a fair path."""
        members = tuple(coalition)
        self._algebra = algebra
        self._space = algebra.space
        self._d = algebra.space.diagrams
        self._ours: GameSide = ("surely", members)
        self._theirs: GameSide = ("never", members)
        self.fair = fair
        self._constraints = constraints
        self._reaching: dict[tuple[Diagram, Diagram], Attraction] = {}

    @cached_property
    def against(self) -> ThreeValued:
        """The cells from where some outcome is fair, whatever the coalition does."""
        everywhere = self._space.reachable
        true = self.kept_fair(everywhere, self._d.false)
        return self._algebra.consistent(true, self.unfairly.cells)

    @cached_property
    def unfairly(self) -> Attraction:
        """From where the coalition can make all outcomes unfair, and how."""
        return self.reaching(self._space.reachable, self.fair.false)

    def next(self, body: ThreeValued) -> ThreeValued:
        """Return where ⟨Γ⟩X body holds."""
        d, unfair = self._d, self.against.false
        true = self._algebra.preimage(self._ours, d.either(body.true, unfair))
        false = self.answered(d.both(body.false, self.against.true))
        return self._algebra.consistent(d.either(true, unfair), false)

    def until(self, left: ThreeValued, right: ThreeValued) -> ThreeValued:
        """Return where ⟨Γ⟩(left U right) holds.

        It fails where the opponents break it and are fair from then on, or are fair without `right`.
        """
        d = self._d
        true = self.arriving(left, right).cells
        broken = d.both(d.both(left.false, right.false), self.against.true)
        return self._algebra.consistent(true, self.kept_fair(right.false, broken))

    def weak(self, held: ThreeValued, won: ThreeValued) -> ThreeValued:
        """Return where ⟨Γ⟩(won R held) holds; G is where nothing is won."""
        d, true = self._d, self.staying(held, won)
        broken = d.both(held.false, self.against.true)
        false = self._algebra.attraction(self._theirs, self.alive(won.false), broken).cells
        return self._algebra.consistent(true, false)

    def arriving(self, left: ThreeValued, right: ThreeValued) -> Attraction:
        """Return where the coalition surely has (left U right), or makes outcomes unfair, and how."""
        return self.reaching(left.true, self._d.either(right.true, self.against.false))

    def staying(self, held: ThreeValued, won: ThreeValued) -> Diagram:
        """Return where the coalition surely has (won R held), or makes outcomes unfair."""
        d, unfair = self._d, self.against.false
        exits, within = d.either(won.true, unfair), d.either(held.true, unfair)
        return self._algebra.confine(self._ours, exits, within)

    def reaching(self, within: Diagram, target: Diagram) -> Attraction:
        """Return from where the coalition reaches the target through some cells on every fair outcome."""
        if self._space.bound_to:
            return self._reached(within, target)
        key = within, target
        found = self._reaching.get(key)
        if found is None:
            found = self._reaching[key] = self._reached(within, target)
        return found

    def _reached(self, within: Diagram, target: Diagram) -> Attraction:
        d = self._d
        missing = [each.false for each in self._constraints]
        search = FairAttractor(self._space, self._ours, d.minus(within, target), missing)
        rankings = self._algebra.rankings if self._algebra.ranked else []
        found = search.lead_to([(d.true, target)], d.true, rankings, deepest(len(rankings)))
        layers = (AttractorLayer(target, d.false), *search.layers)
        return Attraction(d.either(target, found), layers, tuple(search.used))

    def kept_fair(self, within: Diagram, target: Diagram) -> Diagram:
        """Return from where the opponents get to the target, or meet each constraint again and again.

        The greatest Z with Z = ⋂ μY. target ∪ (within ∩ ((constraint ∩ OPre(Z)) ∪ OPre(Y))).
        """
        d, algebra = self._d, self._algebra
        within = self.alive(within)
        found = d.either(within, target)
        while True:
            before = found
            for constraint in self._constraints:
                again = d.both(constraint.true, self.answered(found))
                goal = d.either(target, d.both(within, again))
                found = d.both(found, algebra.attraction(self._theirs, within, goal).cells)
            if found == before:
                return found

    def answered(self, target: Diagram) -> Diagram:
        """Return where the opponents get into a set by the next step, whatever the coalition does."""
        return self.alive(self._algebra.preimage(self._theirs, target))

    def alive(self, cells: Diagram) -> Diagram:
        """Return the cells where everybody surely has something to do: nothing else can be gone on from."""
        return self._d.minus(cells, self._space.stuck)
