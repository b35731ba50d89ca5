"""Sets of cells, and what coalitions surely can, and surely cannot, bring about from them."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

from gnomon.engines.abstraction.cell_conditions import CellConditions, MayMust
from gnomon.engines.abstraction.cell_layout import diagrams_for, layout_of, size_in
from gnomon.engines.abstraction.cell_moves import CellMoves, Resolved
from gnomon.engines.abstraction.cell_views import CellViews
from gnomon.engines.abstraction.clusters import clusters, consistent
from gnomon.engines.abstraction.event_choices import EventChoices
from gnomon.engines.abstraction.partition import Partition, reads_of
from gnomon.engines.diagrams.events import events_by_action, explore
from gnomon.engines.diagrams.image import PartitionedImage, RelationPart, cluster, support
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.model.budget import Budget
from gnomon.model.expression import Read
from gnomon.model.formula import Formula
from gnomon.model.scheduled import ScheduledSystem
from gnomon.text.limits import room_to_recurse

#: `surely`: the coalition can force it in every state of a cell; `never`: it cannot in any.
Certainty: TypeAlias = Literal["surely", "never"]

#: Parts of the relation are joined up to so many nodes.
_COARSE: Final = 2_000
#: To find out what larger diagrams depend on takes too long.
_LARGE: Final = 2_000


class CellSpace(CellViews):
    """The cells of one partition. Sets are diagrams over the current bits."""

    def __init__(
        self, partition: Partition, formulae: Iterable[Formula] = (), budget: Budget | None = None
    ) -> None:
        """Encode a system over the cells of a partition."""
        self.budget = budget or Budget()
        self.partition = partition
        self.system = partition.system
        with room_to_recurse():
            self.layout = layout_of(partition, formulae)
            self.diagrams: Diagrams = diagrams_for(self.layout)
            self.budget.check("abstracting")
            self.cells = CellConditions(partition, self.layout, self.diagrams)
            self._exchange = self.diagrams.renaming(self.layout.pairs)
            together = [consistent(self.cells, group, self.budget) for group in clusters(partition)]
            #: Whether each cell is known to contain a state: clusters do not know of values that are kept.
            apart = all(partition.coarse.issuperset(reads_of(q)) for q in partition.relations)
            self.inhabited = apart and all(found.exact for found in together)
            relations = [self.after(found.cells) for found in together]
            self.moves = CellMoves(self.cells, relations)
            #: Where one event happens at a time: what those leave who choose.
            self.event_choices: EventChoices | None = None
            if isinstance(self.system, ScheduledSystem):
                self.event_choices = EventChoices(self.system, self.cells, self.moves)
                self.moves = self.event_choices.of_nobody
            #: The cells there are.
            self.all: Diagram = self.cells.conjunction([_valid(self), *(f.cells for f in together)])
            initial = self.cells.condition(self.system.initial)
            self.initial = MayMust(*(self.diagrams.both(part, self.all) for part in initial))
        self._steps: dict[tuple[object, ...], PartitionedImage] = {}
        #: What was found out about who can stay where: see `CellAlgebra.confine`.
        self.confined: dict[tuple[object, ...], Diagram] = {}
        #: What agents have bound themselves to do, over cells and actions.
        self.bound_to: dict[str, Diagram] = {}

    # Reachability

    @cached_property
    def reachable(self) -> Diagram:
        """All cells that may contain a reachable state: every one that does, and perhaps more."""
        with room_to_recurse():
            events = events_by_action(self.moves)
        found = self.initial.may
        steps = [event.image for event in events]
        for depth, larger in enumerate(explore(self.diagrams, steps, found, self.all)):
            found = larger
            self.budget.check("exploring cells, step", depth)
        return found

    def count(self, cells: Diagram) -> int:
        """Return how many cells there are in a set."""
        hidden = [self.layout.variables[r.agent, r.variable].now for r in self.partition.hidden]
        return self.diagrams.count(cells, len(self.layout.now) - sum(map(len, hidden)))

    @cached_property
    def stuck(self) -> Diagram:
        """The reachable cells in which some agent may have nothing to do."""
        alive = self.moves.able(self.moves.enabled)
        if self.diagrams.minus(self.all, alive) == self.diagrams.false:
            return self.diagrams.false
        return self.diagrams.minus(self.reachable, alive)

    @cached_property
    def lively(self) -> Diagram:
        """The cells in all of whose states some move has a result."""
        d = self.diagrams
        if self.moves.overflow == d.false and self.stuck == d.false:
            return self.reachable
        return self.predecessors("never", (), d.false)

    @cached_property
    def may_end(self) -> bool:
        """Whether some reachable state may be one where nothing has a result."""
        return bool(self.stuck != self.diagrams.false or self.lively != self.reachable)

    @cached_property
    def reachable_after(self) -> Diagram:
        """The reachable cells, as next cells."""
        return self.after(self.reachable)

    # Choice

    def moves_against(self, members: Collection[str]) -> CellMoves:
        """Return what may happen where some agents choose, and so say which events are left."""
        return self.moves if self.event_choices is None else self.event_choices.of(members)

    def may_lead(self, moves: Diagram) -> Diagram:
        """Return the cells that may have one of some moves: over cells, actions, choices and next cells."""
        return self.diagrams.minus(self.reachable, self.predecessors("surely", (), moves))

    def moves_into(self, moves: Diagram, target: Diagram) -> Diagram:
        """Return those of some moves that may be made and may lead into a set, without next cells."""
        wanted = self.diagrams.both(moves, self.after(target))
        changes = self._changes_seen_by(wanted)
        found = self._apply(("never", "next"), changes, self.layout.next, wanted)
        for part in (*self.moves.acting.values(), *self.moves.choosing):
            found = self.diagrams.both(found, part.diagram)
        return found

    def predecessors(
        self, mode: Certainty, coalition: Collection[str], forbidden: Diagram
    ) -> Diagram:
        """Return the cells from which a coalition surely can keep out of what is forbidden, or never can.

        `forbidden` speaks of cells, actions, choices and next cells. `surely`: the members have actions,
        enabled in all states of the cell, after which nothing the others may do leads to the forbidden.
        `never`: to whatever the members may do the others have an answer, enabled in all states, after which
        no next cell is forbidden: there, "forbidden" is where the coalition might still be happy.
        """
        self.budget.check("pre-image")
        d = self.diagrams
        members = frozenset(coalition)
        moves = self.moves_against(members)
        if mode == "surely":
            good = self._kept_out(members, forbidden)
            return self._somehow(good, members, moves.acting_surely)
        others = [name for name in moves.enabled if name not in members]
        changes = self._changes_seen_by(forbidden)
        next_levels = self.layout.next
        bad = self._apply(("never", "next"), changes, next_levels, forbidden)
        answers = [*moves.choosing_surely, *(moves.acting_surely[name] for name in others)]
        gone = [*self.choice_levels, *self.action_levels(others)]
        good = self._apply(("never", members), answers, gone, d.minus(self.reachable, bad))
        if members:  # what cannot be completed is no choice
            good = d.either(good, moves.unable(others))
        bad = _as_bound(self, d.minus(self.reachable, good), members)
        unanswered = self._somehow(bad, members, moves.acting)
        return d.minus(self.reachable, unanswered)

    def forcing(self, coalition: Collection[str], forbidden: Diagram) -> Diagram:
        """Return where the members surely keep out of what is forbidden, by which actions of theirs."""
        self.budget.check("choices of a coalition")
        members = frozenset(coalition)
        good = self._kept_out(members, forbidden)
        acting = self.moves_against(members).acting_surely
        return self.cells.conjunction((good, *(acting[name].diagram for name in sorted(members))))

    def _kept_out(self, members: frozenset[str], forbidden: Diagram) -> Diagram:
        """Return where, and by which actions of the members, nothing forbidden may follow."""
        moves = self.moves_against(members)
        others = [name for name in moves.enabled if name not in members]
        parts = [
            *self._changes_seen_by(forbidden),
            *moves.choosing,
            *(moves.acting[name] for name in others),
        ]
        gone = [*self.layout.next, *self.choice_levels, *self.action_levels(others)]
        bad = self._apply(("surely", members), parts, gone, forbidden)
        good = _as_bound(self, self.diagrams.minus(self.reachable, bad), members)
        if members:  # their choice has to be completed
            good = self.diagrams.both(good, moves.able(others))
        return good

    def answering(self, coalition: Collection[str], forbidden: Diagram) -> Diagram:
        """Return which answers of the others, enabled in all states, keep out of what is forbidden.

        They speak of cells, of what the members do, and of the actions and choices that are the answer.
        """
        self.budget.check("answers to a coalition")
        d, members = self.diagrams, frozenset(coalition)
        moves = self.moves_against(members)
        changes = self._changes_seen_by(forbidden)
        bad = self._apply(("never", "next"), changes, self.layout.next, forbidden)
        good = d.minus(self.reachable, bad)
        for part in moves.choosing_surely:
            good = d.both(good, part.diagram)
        for name in moves.enabled:
            acting = moves.acting if name in members else moves.acting_surely
            good = d.both(good, acting[name].diagram)
        return good

    def answer(
        self, cell: Diagram, forbidden: Diagram, chosen: Mapping[str, str]
    ) -> Resolved | None:
        """Return a move from all states of a cell whose results are not forbidden, if there is one.

        Some agents have chosen what they do; the actions of the others, and the choices among lines, are
        enabled in all states.
        """
        self.budget.check("answer")
        d, moves = self.diagrams, self.moves_against(chosen)
        changes = self._changes_seen_by(forbidden)
        bad = self._apply(("never", "next"), changes, self.layout.next, d.both(cell, forbidden))
        good = d.minus(cell, bad)
        for part in moves.choosing_surely:
            good = d.both(good, part.diagram)
        for name in moves.enabled:
            if name in chosen:
                if self.system.agent(name).actions:
                    good = d.both(good, self.cells.does(name, chosen[name]))
            else:
                good = d.both(good, moves.acting_surely[name].diagram)
        if good == d.false:
            return None
        return moves.decoded(d.pick(good), chosen)

    def forced(
        self, cell: Diagram, members: Collection[str], forbidden: Diagram
    ) -> dict[str, str] | None:
        """Return actions of the members after which nothing forbidden may follow, if there are any."""
        self.budget.check("choice")
        d = self.diagrams
        moves = self.moves_against(members)
        others = [name for name in moves.enabled if name not in members]
        changes = self._changes_seen_by(forbidden)
        parts = [*changes, *moves.choosing, *(moves.acting[name] for name in others)]
        gone = [*self.layout.next, *self.choice_levels, *self.action_levels(others)]
        key = ("surely", frozenset(members))
        good = d.minus(cell, self._apply(key, parts, gone, d.both(cell, forbidden)))
        good = d.both(good, moves.able(others))
        for name in members:
            good = d.both(good, moves.acting_surely[name].diagram)
        good = _as_bound(self, good, members)
        if good == d.false:
            return None
        actions = moves.decoded(d.pick(good), {}).actions
        return {name: actions[name] for name in members if name in actions}

    def successors(
        self, cell: Diagram, chosen: Mapping[str, str], members: Collection[str] = ()
    ) -> Diagram:
        """Return the cells that may follow where some agents do what they have chosen.

        Other `members` have chosen what the cell says, which may have actions in it.
        """
        self.budget.check("outcome")
        d = self.diagrams
        here = cell
        for name, action in chosen.items():
            here = d.both(here, self.cells.does(name, action))
        gone = [now for now, _ in self.layout.pairs]
        gone += [level for levels in self.layout.actions.values() for level in levels]
        moves = self.moves_against((*chosen, *members))
        key = ("successors", *(id(part) for part in moves.parts))
        steps = self._steps.get(key)
        if steps is None:
            parts = [part for part in moves.parts if part.diagram != d.true]
            steps = self._steps[key] = PartitionedImage(d, cluster(d, parts, _COARSE), gone)
        return d.both(d.rename(steps.apply(here), self._exchange), self.all)

    def _somehow(
        self, cells: Diagram, members: frozenset[str], acting: dict[str, RelationPart]
    ) -> Diagram:
        """Return the cells where some joint choice of the members is in a set."""
        d = self.diagrams
        for name in self.moves.enabled:
            if name in members:
                cube = d.cube(self.layout.actions.get(name, ()))
                cells = d.both_exists(cells, acting[name].diagram, cube)
        return cells

    def _changes_seen_by(self, forbidden: Diagram) -> list[RelationPart]:
        """Return the parts that give values to the next bits that a diagram looks at.

        To leave out the others only makes the relation larger.
        """
        nexts = self._next_levels
        if self.diagrams.size(forbidden) > _LARGE:
            return self.moves.changes  # it is likely to look at all of them
        seen = support(self.diagrams, forbidden)
        for part, own in zip(self.moves.changes, nexts, strict=True):
            if not part.assigned and own & seen:
                seen |= own  # what goes together
        return [part for part, own in zip(self.moves.changes, nexts, strict=True) if own & seen]

    @cached_property
    def _next_levels(self) -> list[frozenset[int]]:
        after = frozenset(self.layout.next)
        return [part.levels & after for part in self.moves.changes]

    def _apply(
        self, key: tuple[object, ...], parts: list[RelationPart], gone: list[int], start: Diagram
    ) -> Diagram:
        d = self.diagrams
        known = (*key, *(id(part) for part in parts))
        steps = self._steps.get(known)
        if steps is None:
            useful = [part for part in parts if part.diagram != d.true]
            joined = cluster(d, useful, _COARSE)
            steps = self._steps[known] = PartitionedImage(d, joined, gone)
        return steps.apply(start)

    @cached_property
    def choice_levels(self) -> list[int]:
        """The levels of all choices among lines."""
        return [level for unit in self.moves.units for level in unit.levels]

    def action_levels(self, agents: Iterable[str]) -> list[int]:
        """Return the levels of what some agents do."""
        return [level for name in agents for level in self.layout.actions.get(name, ())]

    def after(self, cells: Diagram) -> Diagram:
        """Return a set of cells as one of next cells."""
        return self.diagrams.rename(cells, self._exchange)


def _valid(space: CellSpace) -> Diagram:
    """Return the codes that stand for something."""
    cells, partition = space.cells, space.partition
    parts = [
        cells.encoder.valid(
            space.layout.variables[variable.agent, variable.name].now, size_in(partition, variable)
        )
        for variable in space.system.variables
        if Read(variable.agent, variable.name) not in partition.hidden
    ]
    parts.extend(
        cells.encoder.valid(cells.bits(quantity).now, partition.size(quantity))
        for quantity in partition.relations
    )
    return cells.conjunction(parts)


def _as_bound(space: CellSpace, choices: Diagram, members: Collection[str]) -> Diagram:
    """Leave out, of cells with actions, what members have bound themselves not to do."""
    for name in members:
        choices = space.diagrams.both(choices, space.bound_to.get(name, space.diagrams.true))
    return choices
