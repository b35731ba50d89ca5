"""Cells that surely contain reachable states: what it takes to show that somebody does not know."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Final

from gnomon.engines.abstraction.backward_reachability import wholly_reached
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.certain_changes import certain
from gnomon.engines.abstraction.concretise import (
    Cell,
    cell_of,
    diagram_of,
    is_inhabited,
    local_part,
    pick_cell,
    space_concretiser,
)
from gnomon.engines.abstraction.intervals import point
from gnomon.engines.abstraction.linear import affine, form_of
from gnomon.engines.abstraction.partition import reads_of
from gnomon.engines.diagrams.events import explore
from gnomon.engines.diagrams.image import PartitionedImage, RelationPart
from gnomon.engines.diagrams.interface import Diagram, Outgrown
from gnomon.engines.solvers.smt import NotExpressible
from gnomon.engines.solvers.system_terms import IncrementalSolver
from gnomon.model import expression as typed
from gnomon.model.expression import Read
from gnomon.model.step import State

#: Where cells may be empty, so many initial ones are looked into.
_MOST_STARTS: Final = 50
#: Of so many cells it is asked whether they have a state for every view.
_MOST_COVERED: Final = 12
#: So many cells together may have a state for every view of one.
_MOST_COVERING: Final = 12
#: States of so many initial cells are looked at to see where they lead to.
_MOST_INITIAL: Final = 4


class MustReachability:
    """What is surely reachable among the cells of a space.

    `everywhere`: cells all of whose states are reachable. `somewhere`: cells with some reachable state.
    """

    def __init__(self, space: CellSpace) -> None:
        """Look among the cells of a space."""
        self._space = space
        self._d = space.diagrams

    @cached_property
    def everywhere(self) -> Diagram:
        """The cells that are known to have only reachable states.

        All their states are initial, or are the results of one move from all states of such a cell.
        """
        return self._closure(self._start, self._onto)

    @cached_property
    def somewhere(self) -> Diagram:
        """The cells that are known to have some reachable state.

        Some states are visited one by one; from a cell with some reachable state, a move that has a single
        next cell leads to another one.
        """
        known = self._d.either(self._start, self.everywhere)
        return self._closure(self._d.either(known, self._visited()), self._single)

    def _visited(self) -> Diagram:
        """Return the cells of some states that were visited one by one."""
        space = self._space
        samples = space.partition.samples
        if not samples.known:
            found_first = list(self._some_initial())  # all of them, or none: it may be interrupted
            samples.known.extend(found_first)
        found = {cell_of(space, state) for state in samples.states}
        return space.cells.disjunction(diagram_of(space, cell) for cell in found)

    def _some_initial(self) -> Iterator[State]:
        """Yield states of some initial cells."""
        space, left = self._space, self._space.initial.may
        concretiser = space_concretiser(space)
        for _ in range(_MOST_INITIAL):
            if left == self._d.false:
                return
            cell = pick_cell(space, left)
            left = self._d.minus(left, diagram_of(space, cell))
            _, state = concretiser.state_in(space.partition, cell, space.system.initial)
            if state is not None:
                yield state

    @cached_property
    def _start(self) -> Diagram:
        """Cells that contain states, all of them initial."""
        found = self._space.initial.must
        if self._space.inhabited:
            return found
        confirmed = self._d.false
        for _ in range(_MOST_STARTS):
            left = self._d.minus(found, confirmed)
            if left == self._d.false:
                break
            cell = pick_cell(self._space, left)
            here = diagram_of(self._space, cell)
            if is_inhabited(self._space, cell):
                confirmed = self._d.either(confirmed, here)
            else:
                found = self._d.minus(found, here)
        return confirmed

    @cached_property
    def inductively(self) -> Diagram:
        """The cells that are known to have only reachable states, or none, by an induction backwards."""
        try:
            return wholly_reached(self._space, self.everywhere)
        except Outgrown:  # then without; what else is known may be enough
            return self.everywhere

    def confused(
        self, agents: Collection[str], cells: Diagram, wanted: Diagram | None = None
    ) -> Diagram:
        """Return cells each of whose states looks to the agents like a reachable state in some of `cells`.

        What is no part of `wanted` need not be found.
        """
        d, space = self._d, self._space
        found = space.alike(agents, self._seen_whole(agents, d.both(cells, self.everywhere)))
        some = d.both(cells, self.somewhere)
        if some != d.false:
            exact = d.both(some, self._exactly_seen(agents))
            found = d.either(found, space.alike(agents, exact))
        left = d.minus(space.all if wanted is None else wanted, found)
        if left != d.false:
            found = d.either(found, self._covered(agents, cells, left))
        return d.both(found, space.all)

    def met_in_all_views(self, agent: str) -> Diagram:
        """Return cells of which each has a reachable state for everything that looks like it to an agent."""
        d = self._d
        exact = d.both(self.somewhere, self._exactly_seen((agent,)))
        return d.either(self._seen_whole((agent,), self.everywhere), exact)

    def _covered(self, agents: Collection[str], cells: Diagram, wanted: Diagram) -> Diagram:
        """Return those of some cells whose views are all seen in reachable states of other cells."""
        d, space = self._d, self._space
        found = d.false
        known = d.both(cells, self.inductively)
        left = d.both(wanted, space.alike(agents, known))
        for _ in range(_MOST_COVERED):
            if left == d.false:
                break
            cell = pick_cell(space, left)
            here = space.alike(agents, diagram_of(space, cell))
            left = d.minus(left, here)
            if self._covers(cell, agents, self._some_of(d.both(here, known))):
                found = d.either(found, here)
        return found

    def _some_of(self, cells: Diagram) -> Iterator[Cell]:
        for _ in range(_MOST_COVERING):
            if cells == self._d.false:
                return
            cell = pick_cell(self._space, cells)
            cells = self._d.minus(cells, diagram_of(self._space, cell))
            yield cell

    def _seen_whole(self, agents: Collection[str], cells: Diagram) -> Diagram:
        """Return the cells that have a state for everything that looks like them to the agents.

        Where a quantity relates what is seen to what is not, a cell may be without states for some of it.
        """
        d, space = self._d, self._space
        shown = space.shown_to(agents)
        relations = [set(reads_of(quantity)) for quantity in space.partition.relations]
        if not any(reads & shown and reads - shown for reads in relations):
            return cells
        found = d.false
        for _ in range(_MOST_COVERED):
            if cells == d.false:
                break
            cell = pick_cell(space, cells)
            here = diagram_of(space, cell)
            cells = d.minus(cells, here)
            if self._covers(cell, agents, [cell]):
                found = d.either(found, here)
        return found

    def _covers(self, cell: Cell, agents: Collection[str], covering: Iterable[Cell]) -> bool:
        """Return whether for everything that looks like one cell some others have a state."""
        partition = self._space.partition
        seen = local_part(self._space, cell, agents).condition(partition)
        whole = typed.Or(tuple(each.condition(partition) for each in covering))
        unseen = sorted(typed.reads(whole) - self._space.shown_to(agents), key=str)
        try:
            solver = IncrementalSolver(self._space.system, partition.context, self._space.budget)
            return solver.covers(seen, whole, unseen)
        except NotExpressible:
            return False

    def _exactly_seen(self, agents: Collection[str]) -> Diagram:
        """Return the cells in which all that the agents see has just one value."""
        space = self._space
        if space.shown_to(agents) & space.partition.hidden:
            return self._d.false
        parts = []
        for read in space.shown_to(agents) & space.partition.coarse:
            form = form_of(read)
            points = [
                space.cells.is_piece(form, number)
                for number, piece in enumerate(space.partition.pieces[form])
                if piece.point is not None
            ]
            parts.append(space.cells.disjunction(points))
        return space.cells.conjunction(parts)

    # Steps that surely lead somewhere

    def _closure(self, start: Diagram, changes: "list[RelationPart] | None") -> Diagram:
        if changes is None or start == self._d.false:
            return start
        space, moves = self._space, self._space.moves
        parts = [*moves.acting_surely.values(), *moves.choosing_surely, *changes]
        layout = space.layout
        gone = [*(now for now, _ in layout.pairs)]
        gone.extend(level for levels in layout.actions.values() for level in levels)
        steps = PartitionedImage(
            self._d, [part for part in parts if part.diagram != self._d.true], gone
        )
        exchange = self._d.renaming(layout.pairs)

        def image(cells: Diagram) -> Diagram:
            return self._d.rename(steps.apply(cells), exchange)

        found = start
        for depth, larger in enumerate(explore(self._d, [image], start, space.all)):
            found = larger
            space.budget.check("what surely is reached, step", depth)
        return found

    @cached_property
    def _single(self) -> list[RelationPart] | None:
        """The changes that have a single next piece for each quantity."""
        return [
            self._certain(part) if part.assigned else part for part in self._space.moves.changes
        ]

    def _certain(self, part: RelationPart) -> RelationPart:
        """Return where a change has just one next value."""
        return self._space.moves.part(certain(self._space, part), part.assigned)

    @cached_property
    def _onto(self) -> list[RelationPart] | None:
        """The changes by which every state of the next cell is the result of some state of this one.

        Quantities that depend on each other would need more thought: with them, nothing is claimed.
        """
        space = self._space
        if space.partition.relations or space.partition.hidden:
            return None
        coarse = space.partition.coarse
        parts = [
            self._certain(part)
            for part in space.moves.changes
            if part.assigned and Read(part.assigned[0].agent, part.assigned[0].name) not in coarse
        ]
        # Also those that are not cut: `x = 0` does not lead to all states of a cell.
        parts.extend(space.moves.part(self._covering(read)) for read in coarse)
        return parts

    def _covering(self, read: Read) -> Diagram:
        """Return which next pieces of a number are covered by what its present piece becomes."""
        d, space = self._d, self._space
        cells, form = space.cells, form_of(read)
        pieces = space.partition.pieces[form]
        found: list[Diagram] = []
        for effect in space.moves.effects(read):
            term = affine(read if effect.value is None else effect.value)
            if term is None:
                continue
            for number, piece in enumerate(pieces):
                if term.terms == {read: 1}:
                    result = piece.plus(point(term.constant))
                elif not term.terms:
                    result = point(term.constant)
                else:
                    continue
                met = [j for j, target in enumerate(pieces) if target.inside(result)]
                after = cells.disjunction(cells.is_piece(form, j, after=True) for j in met)
                found.append(d.both(effect.when, d.both(cells.is_piece(form, number), after)))
        return cells.disjunction(found)
