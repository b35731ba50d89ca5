"""What members of a coalition see of cells, and what they choose to do by it: from both, the model pruned."""

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from typing import TypeAlias

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import Cell, diagram_of, local_part, pick_cell
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.expression import reads

#: A member, and what it sees of a cell.
LocalCell: TypeAlias = tuple[str, Cell]
#: What members do by what they see.
LocalChoices: TypeAlias = Mapping[LocalCell, str]


class ViewCells:
    """The views of some members in the cells of one space."""

    def __init__(self, space: CellSpace, members: Collection[str]) -> None:
        """Look at those of the members who have something to choose."""
        self._space = space
        self._d = space.diagrams
        self.deciding = [name for name in members if space.system.agent(name).actions]
        self._diagrams: dict[LocalCell, Diagram] = {}

    def sights(self, cell: Cell) -> dict[str, LocalCell]:
        """Return what each member sees of a cell."""
        return {name: (name, local_part(self._space, cell, (name,))) for name in self.deciding}

    def where(self, sight: LocalCell) -> Diagram:
        """Return the cells that look so to a member."""
        found = self._diagrams.get(sight)
        if found is None:
            found = self._diagrams[sight] = diagram_of(self._space, sight[1])
        return found

    def new(self, cells: Diagram, known: Collection[LocalCell]) -> Iterator[LocalCell]:
        """Yield the views in some cells that are not among the known ones."""
        for name in self.deciding:
            left = cells
            for sight in known:
                if sight[0] == name:
                    left = self._d.minus(left, self.where(sight))
            while left != self._d.false:
                sight = self.sights(pick_cell(self._space, left))[name]
                left = self._d.minus(left, self.where(sight))
                yield sight

    def is_exact(self, sight: LocalCell) -> bool:
        """Return whether all states that look so, as far as cells tell, are one view for the member."""
        partition, (name, seen) = self._space.partition, sight
        exact = {read for read, _ in seen.values}
        for quantity, number in seen.pieces:
            if isinstance(quantity, Form) and quantity.single is not None:
                piece = partition.pieces[quantity][number]
                if piece.low is not None and piece.low == piece.high:
                    exact.add(quantity.single)
        return exact >= self._space.shown_to((name,))

    def options(self, sight: LocalCell) -> list[str]:
        """Return the actions that may be enabled where it looks so, those that surely are first."""
        d, (name, _) = self._d, sight
        here = d.both(self._space.reachable, self.where(sight))
        enabled = self._space.moves.enabled[name].actions
        possible = [
            action for action, three in enabled.items() if d.both(here, three.may) != d.false
        ]
        return sorted(possible, key=lambda action: not self.is_enabled(sight, action, here))

    def is_enabled(self, sight: LocalCell, action: str, cells: Diagram) -> bool:
        """Return whether a member surely can do something in all those cells that look so."""
        d, (name, _) = self._d, sight
        surely = self._space.moves.enabled[name].actions[action].must
        return bool(d.minus(d.both(cells, self.where(sight)), surely) == d.false)

    def is_allowed(self, choices: LocalChoices) -> bool:
        """Return whether what is chosen in a view can be done in all reachable states with that view.

        Whose protocol looks at the view alone can do there what it can do in one of them.
        """
        reachable = self._space.reachable
        return all(
            looks_at_its_view(self._space, sight[0]) or self.is_enabled(sight, action, reachable)
            for sight, action in choices.items()
        )

    def binding(self, choices: LocalChoices) -> dict[str, Diagram]:
        """Return what members have bound themselves to do, over cells and actions."""
        d = self._d
        limits: dict[str, Diagram] = {}
        for sight, action in choices.items():
            name = sight[0]
            allowed = d.either(d.opposite(self.where(sight)), self._space.cells.does(name, action))
            limits[name] = d.both(limits.get(name, d.true), allowed)
        return limits

    def bound(self, choices: LocalChoices) -> Diagram:
        """Return the same for all members together."""
        return self._space.cells.conjunction(self.binding(choices).values())

    def pruned(self, algebra: CellAlgebra, choices: LocalChoices) -> CellAlgebra:
        """Return the algebra in which the members do what they have chosen; elsewhere, what they may."""
        changed = {name: self._chosen(name, choices) for name in self.deciding}
        space = acting_otherwise(self._space, self.deciding, changed)
        found = CellAlgebra(space, ranked=algebra.ranked)
        if algebra.ranked:
            found.rankings = algebra.rankings
        return found

    def _chosen(self, name: str, choices: LocalChoices) -> tuple[Diagram, Diagram]:
        """Return what a member may do, and what it surely can; what is chosen counts as enabled.

        Unless it surely is not: else it might lead out of what is reachable.
        """
        d, moves = self._d, self._space.moves_against(self.deciding)
        may, surely = moves.acting[name].diagram, moves.acting_surely[name].diagram
        for sight, action in choices.items():
            if sight[0] == name:
                here = self.where(sight)
                may_do = moves.enabled[name].actions[action].may
                does = d.both(d.both(here, may_do), self._space.cells.does(name, action))
                may, surely = (d.either(d.minus(each, here), does) for each in (may, surely))
        return may, surely


def acting_otherwise(
    space: CellSpace, members: Collection[str], acting: Mapping[str, tuple[Diagram, Diagram]]
) -> CellSpace:
    """Return the same cells where some agents may, and surely can, do other things than they could.

    Nobody chooses any more, since the members have. What is reachable stays as it is, although less may be.
    """
    reachable = space.reachable
    other = copy(space)
    other.reachable = reachable
    other.moves = space.moves_against(members).with_acting(acting)
    other.event_choices = None
    # What was worked out by how agents act.
    for name in ("lively", "may_end"):
        other.__dict__.pop(name, None)
    other.__dict__.update(bound_to={}, confined={}, _steps={})
    return other


def looks_at_its_view(space: CellSpace, name: str) -> bool:
    """Return whether the protocol of an agent looks at nothing but what the agent sees."""
    shown = space.shown_to((name,))
    return all(shown >= reads(line.condition) for line in space.system.agent(name).protocol)
