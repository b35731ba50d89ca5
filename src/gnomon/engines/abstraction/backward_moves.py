"""Moves backwards: from where a state surely has a predecessor, and in which cells that may be.

`x := x + 1` has an inverse everywhere, `x := 2 * x` where a number is even, `x := 0` where it is zero; what
the last one lost may have been anything, and is chosen. So is what is kept exactly: only when numbers are
known, where they do not depend on it. All else follows from the state, and must be right in whatever cell.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from gnomon.engines.abstraction.cell_changes import AssignmentEffect, CellChanges
from gnomon.engines.abstraction.cell_moves import Unit, choice_name
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.certain_changes import certain
from gnomon.engines.abstraction.inverses import Inverses
from gnomon.engines.abstraction.linear import form_of
from gnomon.engines.abstraction.partition import reads_of
from gnomon.engines.diagrams.image import PartitionedImage, RelationPart, support
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import size_of
from gnomon.model.expression import Expression, Read


class _Loss(NamedTuple):
    """Under which choices the value that a number had is lost."""

    when: Diagram
    read: Read


class History(NamedTuple):
    """What the state before may be if what was lost is chosen in one way, that choice included."""

    image: PartitionedImage
    relation: Diagram


class BackwardMoves(CellChanges):
    """The moves between the cells of a space, looked at from their results.

    Present bits are those of the result, next bits those of the state before.
    """

    def __init__(self, space: CellSpace) -> None:
        """Turn round the moves of a space in which nothing is hidden."""
        super().__init__(space.cells)
        self._space = space
        self._budget = space.budget
        #: Each unit has made one of its choices, also where cells and actions alone decide which.
        self._effects = {
            (unit.agent.name, name): list(self._effects_of(unit, name))
            for unit in space.moves.units
            for name in unit.variables
        }
        self._exchange = self.diagrams.renaming(space.layout.pairs)
        self._inverses = Inverses(space, self._effects)

    def turned(self, diagram: Diagram) -> Diagram:
        """Return the same with results and states before exchanged."""
        return self.diagrams.rename(diagram, self._exchange)

    def predecessors(self, forbidden: Diagram) -> Diagram:
        """Return the cells all of whose states have a predecessor outside of what is forbidden.

        `forbidden` speaks of results, actions, choices, and states before.
        """
        d = self.diagrams
        fine = d.opposite(forbidden)
        return self.cells.disjunction(
            d.exists(good, self._chosen) for _, good in self.ways_back(fine)
        )

    def ways_back(self, fine: Diagram) -> Iterator[tuple[History, Diagram]]:
        """Yield for each way to choose what was lost where all that may have been before is fine.

        That is over results, actions, choices and what is chosen of states before.
        """
        d = self.diagrams
        wrong = d.opposite(self._required.apply(fine))
        for history in self._histories:
            self._budget.check("what surely was before")
            yield history, d.minus(self._possible, history.image.apply(wrong))

    # What is chosen: actions, lines, what was kept exactly, and what was lost

    def levels(self, unit: Unit) -> tuple[int, ...]:
        """Return the bits of the choice of a unit, also where cells and actions alone decide."""
        whole = self.system.semantics == "MultiAssignment"
        name = choice_name(unit.agent.name, "" if whole else next(iter(unit.variables)))
        return self.encoder.layout.actions[name]

    def _mark(self, unit: Unit, number: int) -> Diagram:
        return self.encoder.is_code(self.levels(unit), number)

    def _effects_of(self, unit: Unit, name: str) -> Iterator[AssignmentEffect]:
        for number, choice in enumerate(unit.choices):
            mark = self._mark(unit, number)
            for value, where in self._split(choice.value(name)):
                yield AssignmentEffect(value, self.diagrams.both(mark, where))

    def is_rough(self, variable: Variable) -> bool:
        """Return whether cells tell only between which numbers a variable lies."""
        return Read(variable.agent, variable.name) in self.cells.partition.coarse

    @cached_property
    def changing(self) -> list[Variable]:
        """The variables that may change."""
        return [v for v in self.system.variables if (v.agent, v.name) in self._effects]

    @cached_property
    def rough_levels(self) -> frozenset[int]:
        """The bits of states before that are not chosen: of numbers, and of what relates them."""
        layout = self.encoder.layout
        quantities = [self.cells.bits(each) for each in self.cells.partition.relations]
        numbers = [layout.variables[v.agent, v.name] for v in self.changing if self.is_rough(v)]
        return frozenset(level for bits in (*quantities, *numbers) for level in bits.next)

    @cached_property
    def _chosen(self) -> Diagram:
        layout = self.encoder.layout
        late = self.rough_levels | self.free
        before = [level for level in layout.next if level not in late]
        acts = [level for levels in layout.actions.values() for level in levels]
        return self.diagrams.cube([*before, *acts])

    # Where there is a state before, and what it may be

    @cached_property
    def _possible(self) -> Diagram:
        """Where each number has an inverse, and what is chosen are values."""
        valid = self.turned(self.cells.conjunction(self._values()))
        kept = self.diagrams.exists(valid, self.diagrams.cube(self.free))
        return self.diagrams.both(self._invertible, kept)

    @cached_property
    def _invertible(self) -> Diagram:
        """Where each number has an inverse."""
        d = self.diagrams
        rough = frozenset(
            level
            for variable in self.changing
            if self.is_rough(variable)
            for level in self.encoder.layout.variables[variable.agent, variable.name].now
        )
        parts: list[Diagram] = []
        for variable in self.changing:
            if self.is_rough(variable):
                read = Read(variable.agent, variable.name)
                options = [
                    d.both(effect.when, self._inverses.exists(read, effect.value))
                    for effect in self.effects(read)
                    if not self._looks_at_numbers(effect.when, rough)
                ]
                parts.append(self.cells.disjunction(options))
        return self.turned(self.cells.conjunction(parts))

    @cached_property
    def free(self) -> frozenset[int]:
        """The bits of states before on which no number depends: they may be chosen when numbers are known.

        What no number is computed from, that is: cells may not show a difference that there is.
        """
        looked_at = {read for q in self.cells.partition.relations for read in reads_of(q)}
        for unit in self._space.moves.units:
            for choice in unit.choices:
                for item in choice.assignments:
                    if Read(unit.agent.name, item.variable) in self.cells.partition.coarse:
                        looked_at |= typed.reads(item.value)
        return frozenset(
            level
            for variable in self.changing
            if not self.is_rough(variable) and Read(variable.agent, variable.name) not in looked_at
            for level in self.encoder.layout.variables[variable.agent, variable.name].next
        )

    def _looks_at_numbers(self, when: Diagram, rough: frozenset[int]) -> bool:
        """Return whether it is only known of the state before whether this is what happened."""
        relations = (
            level for q in self.cells.partition.relations for level in self.cells.bits(q).now
        )
        return bool(support(self.diagrams, when) & rough.union(relations))

    @cached_property
    def _histories(self) -> list[History]:
        """What the state before may be, for each way to choose what was lost."""
        d = self.diagrams
        known = d.exists(self._space.after(self._space.all), d.cube(self.free))
        parts = [*self._changes_of_numbers, self.part(known)]
        losses = self._losses
        sizes = [len(self.cells.partition.pieces[form_of(loss.read)]) for loss in losses]
        found = []
        for number in range(max(sizes, default=1)):
            chosen = [
                self.part(
                    d.either(
                        d.opposite(loss.when),
                        self.cells.is_piece(form_of(loss.read), min(number, size - 1), after=True),
                    )
                )
                for loss, size in zip(losses, sizes, strict=True)
            ]
            every = [part for part in (*parts, *chosen) if part.diagram != d.true]
            image = PartitionedImage(d, every, self.rough_levels)
            found.append(History(image, self.cells.conjunction(each.diagram for each in every)))
        return found

    @cached_property
    def _changes_of_numbers(self) -> list[RelationPart]:
        return [self.part(self.turned(part.diagram)) for part in self._rough_changes()]

    def _rough_changes(self) -> Iterator[RelationPart]:
        for variable in self.changing:
            if self.is_rough(variable):
                yield self._change(variable)
        for quantity in self.cells.partition.relations:
            # Whether what is kept exactly becomes what it is, is not known yet.
            if self.cells.partition.coarse.issuperset(reads_of(quantity)):
                yield self._change_of(quantity)

    def _change(self, variable: Variable) -> RelationPart:
        effects = self.effects(Read(variable.agent, variable.name))
        parts = [self.diagrams.both(e.when, self._becomes(variable, e.value)) for e in effects]
        return self.part(self.cells.disjunction(parts), (variable,))

    @cached_property
    def _losses(self) -> list[_Loss]:
        found = []
        for variable in self.changing:
            read = Read(variable.agent, variable.name)
            if read in self.cells.partition.coarse:
                for effect in self.effects(read):
                    lost = self._inverses.loses(read, effect.value)
                    when = self.turned(self.diagrams.both(effect.when, lost))
                    if when != self.diagrams.false:
                        found.append(_Loss(when, read))
        return found

    # What has to be so in the state before

    @cached_property
    def _required(self) -> PartitionedImage:
        """What has to be so in the state before; what numbers do not depend on is chosen last."""
        return PartitionedImage(self.diagrams, self._required_parts, self.free)

    @cached_property
    def _required_parts(self) -> list[RelationPart]:
        parts = [self.part(self.turned(each)) for each in (*self._requirements(), *self._values())]
        return [part for part in parts if part.diagram != self.diagrams.true]

    @cached_property
    def required(self) -> Diagram:
        """All that has to be so in the state before."""
        return self.cells.conjunction(part.diagram for part in self._required_parts)

    def may_lead(self, moves: Diagram) -> Diagram:
        """Return the cells that may have one of some moves back: over results, moves, and states before."""
        return self._origins.apply(moves)

    @cached_property
    def _origins(self) -> PartitionedImage:
        """From which results one may go back."""
        known = self.part(self._space.after(self._space.all))
        layout = self.encoder.layout
        gone = [*layout.next, *(level for levels in layout.actions.values() for level in levels)]
        parts = [*self._changes_of_numbers, known, *self._required_parts]
        return PartitionedImage(
            self.diagrams, [each for each in parts if each.diagram != self.diagrams.true], gone
        )

    def _requirements(self) -> Iterator[Diagram]:
        moves = self._space.moves
        yield from (part.diagram for part in moves.acting_surely.values())
        for unit in moves.units:
            yield self.cells.disjunction(self._enabled(unit))
        for variable in self.changing:
            if not self.is_rough(variable):
                yield certain(self._space, self._change(variable))
                yield self._fitting_result(variable)

    def _values(self) -> Iterator[Diagram]:
        """Yield where what is chosen of the state before are values."""
        for v in self.changing:
            if not self.is_rough(v):
                bits = self.encoder.layout.variables[v.agent, v.name].now
                yield self.encoder.valid(bits, size_of(v.domain) or 1)

    def _enabled(self, unit: Unit) -> Iterable[Diagram]:
        """Yield where each choice is surely the one that could be made."""
        for number, choice in enumerate(unit.choices):
            # Where cells and actions decide, the only one that may be enabled is enabled.
            enabled = choice.when.must if unit.levels else choice.when.may
            yield self.diagrams.both(self._mark(unit, number), enabled)

    def _fitting_result(self, variable: Variable) -> Diagram:
        read = Read(variable.agent, variable.name)

        def fits(value: Expression | None) -> Diagram:
            return self.diagrams.true if value is None else self._fits(read, value)

        return self.cells.disjunction(
            self.diagrams.both(effect.when, fits(effect.value)) for effect in self.effects(read)
        )
