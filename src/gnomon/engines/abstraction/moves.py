"""What agents may and surely can do in a cell, and where that may lead.

Among several lines that are enabled together a choice is made, which has bits of its own. So a resolved
move, a joint action with all choices, is a function on states; on cells it leads to all cells that may
contain a result.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gnomon.engines.abstraction.cells import Case, Cells, Three, key_of
from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, near
from gnomon.engines.abstraction.linear import Form, affine
from gnomon.engines.abstraction.partition import Opaque, Quantity, Residue, reads_of
from gnomon.engines.diagrams.image import RelationPart as Part
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.relation import Partitioned
from gnomon.engines.diagrams.relation import ProtocolDiagrams as Protocol
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, Assignment, EvolutionLine, Variable
from gnomon.model.domain import Boolean, IntegerRange
from gnomon.model.expression import Expression, Read

#: After the name of an agent: the choice among its lines, or among those of one variable.
_CHOICE: Final = "\N{MIDDLE DOT}"


def choice_name(agent: str, variable: str = "") -> str:
    """Return the name under which a layout keeps the bits of a choice."""
    return f"{agent}{_CHOICE}{variable}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One way in which some variables may change: the new values, and when it is enabled.

    `fits` is where the new values are surely within their ranges.
    """

    assignments: tuple[Assignment, ...]
    when: Three
    fits: Diagram
    guards: tuple[Expression, ...] = ()

    def value(self, variable: str) -> Expression | None:
        """Return what a variable becomes; None where it stays as it is."""
        for assignment in self.assignments:
            if assignment.variable == variable:
                return assignment.value
        return None


@dataclass(frozen=True, slots=True)
class Unit:
    """Variables of one agent that change by one choice; without levels, the cell and actions decide it."""

    agent: Agent
    variables: frozenset[str]
    choices: tuple[Choice, ...]
    levels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """What a variable becomes (None: it stays), and under which actions and choices in which cells."""

    value: Expression | None
    when: Diagram


@dataclass(frozen=True, slots=True)
class Enabled:
    """Where each action of an agent may be enabled, and where it surely is."""

    actions: dict[str, Three]
    #: Where some action is surely enabled.
    alive: Diagram


class Moves(Partitioned):
    """The moves between cells; as a relation in parts, all those that may be."""

    joins_actions = False

    def __init__(self, cells: Cells, relations: Iterable[Diagram] = ()) -> None:
        """Encode protocols and evolutions; `relations` say which next pieces go together.

        They are over the next bits.
        """
        super().__init__(cells.system, cells.encoder)
        self.cells = cells
        self.enabled = {agent.name: self._enabled(agent) for agent in self.system.agents}
        self.units = [unit for agent in self.system.agents for unit in self._units(agent)]
        self._effects = {
            (unit.agent.name, name): self._effects_of(unit, name)
            for unit in self.units
            for name in unit.variables
        }
        together = [self.part(relation) for relation in relations]
        # What may become anything has a part that says nothing: kept, to be known as changing.
        self.changes = [
            part
            for part in (*self._changes(), *together)
            if part.levels or any(self._next_bits(variable) for variable in part.assigned)
        ]
        self.acting = {agent: self._acting(agent, surely=False) for agent in self.enabled}
        self.acting_surely = {agent: self._acting(agent, surely=True) for agent in self.enabled}
        self.choosing = [part for unit in self.units for part in self._choosing(unit)]
        self.choosing_surely = [part for unit in self.units for part in self._choosing_surely(unit)]
        self.protocols = {
            name: Protocol(
                {action: three.may for action, three in enabled.actions.items()},
                enabled.alive,
                forced=False,
            )
            for name, enabled in self.enabled.items()
        }
        # Events leave out what does not change: which next pieces go together is looked at after a step.
        changes = [part for part in self.changes if part.assigned]
        self.parts = [*self.acting.values(), *self.choosing, *changes]

    def _next_bits(self, variable: Variable) -> tuple[int, ...]:
        return self.encoder.layout.variables[variable.agent, variable.name].next

    # Protocols

    def _enabled(self, agent: Agent) -> Enabled:
        d = self.diagrams
        if not agent.actions:
            return Enabled({}, d.true)
        some = typed.Or(tuple(line.condition for line in agent.protocol))
        free = agent.is_environment and not agent.protocol and agent.other is None
        actions: dict[str, Three] = {}
        for action in agent.actions:
            where = [line.condition for line in agent.protocol if action in line.actions]
            if free:
                where.append(typed.TRUE)
            elif agent.other is not None and action in agent.other:
                where.append(typed.Not(some))
            actions[action] = self.cells.condition(typed.Or(tuple(where)))
        return Enabled(actions, d.true if free else self._alive(agent))

    def _alive(self, agent: Agent) -> Diagram:
        """Return where a protocol surely allows something. Lines that apply may still allow nothing."""
        allowing = [line.condition for line in agent.protocol if line.actions]
        empty = [line.condition for line in agent.protocol if not line.actions]
        if agent.other:
            if not empty:
                return self.diagrams.true
            allowing.append(typed.Not(typed.Or(tuple(empty))))
        return self.cells.condition(typed.Or(tuple(allowing))).must

    def _acting(self, name: str, *, surely: bool) -> Part:
        """Return which codes of which actions an agent may choose, or surely can."""
        d = self.diagrams
        actions = self.enabled[name].actions
        if not actions:
            return self.part(d.true)
        parts = [
            d.both(self.cells.does(name, action), three.must if surely else three.may)
            for action, three in actions.items()
        ]
        return self.part(self.cells.anyone(parts))

    # Choices

    def _units(self, agent: Agent) -> Iterator[Unit]:
        if self.system.semantics == "MultiAssignment":
            names = {item.variable for line in agent.evolution for item in line.assignments}
            if names:
                yield self._unit(agent, frozenset(names), agent.evolution, choice_name(agent.name))
            return
        for variable in agent.variables:
            lines = [x for x in agent.evolution if x.assignments[0].variable == variable.name]
            if lines:
                name = choice_name(agent.name, variable.name)
                yield self._unit(agent, frozenset((variable.name,)), lines, name)

    def _unit(
        self, agent: Agent, variables: frozenset[str], lines: Iterable[EvolutionLine], name: str
    ) -> Unit:
        d = self.diagrams
        groups: dict[tuple[Assignment, ...], list[EvolutionLine]] = {}
        for line in lines:
            groups.setdefault(line.assignments, []).append(line)
        choices = [self._choice(agent, assignments, same) for assignments, same in groups.items()]
        guards = tuple(guard for choice in choices for guard in choice.guards)
        nothing = self.cells.condition(typed.Not(typed.Or(guards)))
        choices.append(Choice((), nothing, d.true))
        possible = tuple(choice for choice in choices if choice.when.may != d.false)
        decided = self._exclude_each_other([choice.when.may for choice in possible])
        levels = () if decided else self.encoder.layout.actions[name]
        return Unit(agent, variables, possible, levels)

    def _choice(
        self, agent: Agent, assignments: tuple[Assignment, ...], lines: list[EvolutionLine]
    ) -> Choice:
        guards = tuple(line.guard for line in lines)
        fits = self.cells.all(
            self.cells.anyhow(self._fits(Read(agent.name, item.variable), item.value))
            for item in assignments
        )
        return Choice(assignments, self.cells.condition(typed.Or(guards)), fits, guards)

    def _exclude_each_other(self, conditions: list[Diagram]) -> bool:
        d = self.diagrams
        seen = d.false
        for condition in conditions:
            if d.both(seen, condition) != d.false:
                return False
            seen = d.either(seen, condition)
        return True

    def _mark(self, unit: Unit, number: int) -> Diagram:
        """Return where a choice is the one that is made."""
        if unit.levels:
            return self.encoder.is_code(unit.levels, number)
        return unit.choices[number].when.may

    def marks(self, unit: Unit) -> list[Diagram]:
        """Return where each choice of a unit may be made, and is."""
        return [
            self.diagrams.both(self._mark(unit, number), choice.when.may)
            for number, choice in enumerate(unit.choices)
        ]

    def _choosing(self, unit: Unit) -> Iterator[Part]:
        if unit.levels:
            yield self.part(self.cells.anyone(self.marks(unit)))

    def _choosing_surely(self, unit: Unit) -> Iterator[Part]:
        """Yield where a choice can surely be made and has a result.

        Where cell and actions decide, the only one that may be enabled is enabled.
        """
        d = self.diagrams
        if unit.levels:
            marks = [
                d.both(self._mark(unit, number), d.both(choice.when.must, choice.fits))
                for number, choice in enumerate(unit.choices)
            ]
            yield self.part(self.cells.anyone(marks))
        elif any(choice.fits != d.true for choice in unit.choices):
            lost = [d.minus(choice.when.may, choice.fits) for choice in unit.choices]
            yield self.part(d.opposite(self.cells.anyone(lost)))

    @cached_property
    def overflow(self) -> Diagram:
        """Where, under which actions and choices, a value may leave its range."""
        d = self.diagrams
        return self.cells.anyone(
            d.both(d.minus(choice.when.may, choice.fits), self._mark(unit, number))
            for unit in self.units
            for number, choice in enumerate(unit.choices)
            if choice.fits != d.true
        )

    # Changes

    def _effects_of(self, unit: Unit, name: str) -> list[Effect]:
        marks: dict[Expression | None, list[Diagram]] = {}
        for number, choice in enumerate(unit.choices):
            marks.setdefault(choice.value(name), []).append(self._mark(unit, number))
        return [Effect(value, self.cells.anyone(where)) for value, where in marks.items()]

    def effects(self, read: Read) -> list[Effect]:
        """Return all that may happen to a variable."""
        return self._effects.get((read.agent, read.variable)) or [Effect(None, self.diagrams.true)]

    def _changes(self) -> Iterator[Part]:
        for variable in self.system.variables:
            read = Read(variable.agent, variable.name)
            if read in self.cells.partition.hidden:
                continue
            if (read.agent, read.variable) in self._effects:
                parts = [
                    self.diagrams.both(
                        effect.when, self.cells.somehow(self._becomes(variable, effect.value))
                    )
                    for effect in self.effects(read)
                ]
                yield self.part(self.cells.anyone(parts), (variable,))
        for quantity in self.cells.partition.relations:
            yield self._change_of(quantity)

    def _change_of(self, quantity: Quantity) -> Part:
        d = self.diagrams
        agent, name = key_of(quantity)
        size = self.cells.partition.size(quantity)
        shown = Variable(agent, name, IntegerRange(0, size - 1))
        if not self.cells.bits(quantity).next:
            return self.part(d.true)
        if isinstance(quantity, Opaque):
            return self.part(self._comparison_becomes(quantity, shown), (shown,))
        form = quantity.form if isinstance(quantity, Residue) else quantity
        parts = []
        for values, where in self.effects_on(form):
            if values is None:
                changed = self._stays(shown)
            elif isinstance(quantity, Residue):
                changed = self._residue_becomes(quantity, values)
            else:
                changed = self._form_becomes(quantity, self.cells.cases(values))
            parts.append(d.both(where, self.cells.somehow(changed)))
        return self.part(self.cells.anyone(parts), (shown,))

    def _comparison_becomes(self, opaque: Opaque, shown: Variable) -> Diagram:
        """Return how the value of a comparison may change: what it will be is a comparison of now."""
        d, cells = self.diagrams, self.cells
        after = d.variable(cells.bits(opaque).next[0])
        parts: list[Diagram] = []
        for effects, where in self._together(reads_of(opaque)):
            changes = {
                read: effect.value
                for read, effect in zip(reads_of(opaque), effects, strict=True)
                if effect.value is not None
            }
            if not changes:
                parts.append(d.both(where, self._stays(shown)))
                continue
            if any(map(_may_be_fraction, changes.values())):
                parts.append(where)  # it may have no result, and what it is then means nothing
                continue
            three = cells.condition(typed.substituted(opaque.atom, changes))
            parts.append(d.both(where, d.choose(after, three.may, d.opposite(three.must))))
        return cells.anyone(parts)

    def _together(self, reads: Iterable[Read]) -> list[tuple[tuple[Effect, ...], Diagram]]:
        """Return what may happen to some variables at once, and when."""
        d = self.diagrams
        found: list[tuple[tuple[Effect, ...], Diagram]] = [((), d.true)]
        for read in reads:
            found = [
                ((*effects, effect), both)
                for effects, where in found
                for effect in self.effects(read)
                if (both := d.both(where, effect.when)) != d.false
            ]
        return found

    def effects_on(self, form: Form) -> Iterator[tuple[Expression | None, Diagram]]:
        """Yield what may become of a form (None: it stays), and when."""
        for effects, where in self._together(form.reads):
            if all(effect.value is None for effect in effects):
                yield None, where
                continue
            terms = tuple(
                _times(weight, read if effect.value is None else effect.value)
                for (read, weight), effect in zip(form.terms, effects, strict=True)
            )
            yield terms[0] if len(terms) == 1 else typed.Sum(terms), where

    def _becomes(self, variable: Variable, value: Expression | None) -> Diagram:
        """Return which next values a variable may have."""
        read = Read(variable.agent, variable.name)
        if value is None:
            return self._stays(variable)
        if read in self.cells.partition.coarse:
            return self._form_becomes(_form(read), self.cells.cases(value))
        if not typed.reads(value) & self.cells.partition.coarse:
            return self.encoder.becomes(variable, value)
        bits = self.encoder.layout.variables[variable.agent, variable.name].next
        if isinstance(variable.domain, Boolean):
            d, three = self.diagrams, self.cells.condition(value)
            on = d.variable(bits[0])
            return d.choose(on, three.may, d.opposite(three.must))
        assert isinstance(variable.domain, IntegerRange)
        low, high = variable.domain.low, variable.domain.high
        return self._one_of(
            self.cells.cases(value), [(n, Interval(n, n)) for n in range(low, high + 1)], bits, low
        )

    def _form_becomes(self, form: Form, cases: Iterable[Case]) -> Diagram:
        pieces = list(enumerate(self.cells.partition.pieces[form]))
        return self._one_of(cases, pieces, self.cells.bits(form).next, 0)

    def _one_of(
        self,
        cases: Iterable[Case],
        targets: list[tuple[int, Interval]],
        bits: tuple[int, ...],
        low: int,
    ) -> Diagram:
        """Return which of some targets, each with its number, may be met."""
        d = self.diagrams
        parts: list[Diagram] = []
        for case in cases:
            if case.where == d.false:
                continue
            close = near([target for _, target in targets], case.bounds)
            met = [targets[place][0] for place in close if case.meets(targets[place][1])]
            if len(met) == len(targets):
                codes = self.encoder.valid(bits, len(targets))
            else:
                codes = self.cells.anyone(self.encoder.is_code(bits, n - low) for n in met)
            parts.append(d.both(case.where, codes))
        return self.cells.anyone(parts)

    def _residue_becomes(self, residue: Residue, value: Expression) -> Diagram:
        d = self.diagrams
        bits = self.cells.bits(residue).next
        term = affine(value)
        cases = None if term is None else self.cells.residue_cases(term, residue.modulus)
        if cases is None:
            return self.encoder.valid(bits, residue.modulus)
        return self.cells.anyone(
            d.both(where, self.encoder.is_code(bits, number)) for where, number in cases
        )

    def _fits(self, read: Read, value: Expression) -> Diagram:
        """Return where a new value is surely one that the variable can have."""
        d = self.diagrams
        variable = self.system.variables[self.system.position[read.agent, read.variable]]
        if not typed.reads(value) & self.cells.partition.coarse and read not in (
            self.cells.partition.coarse
        ):
            bits = self.encoder.layout.variables[variable.agent, variable.name].next
            return d.exists(self.encoder.becomes(variable, value), d.cube(bits))
        if isinstance(variable.domain, Boolean):
            return d.true
        range_ = self.cells.partition.range_of(read)
        if range_ == EVERYTHING and not _may_be_fraction(value):
            return d.true
        return self.cells.anyone(
            case.where for case in self.cells.cases(value) if case.inside(range_)
        )

    # Growth, for rankings

    def drifts(self, form: Form, sign: int) -> tuple[Diagram, Diagram]:
        """Return where `sign * form` surely becomes less, and where it surely does not become more.

        Cells, actions and choices together.
        """
        d = self.diagrams
        less: list[Diagram] = []
        not_more: list[Diagram] = []
        for value, where in self.effects_on(form):
            if value is None:
                not_more.append(where)
                continue
            below: list[Diagram] = []
            level: list[Diagram] = []
            for case in self._difference(form, value):
                bounds = case.bounds.times(sign)
                if case.whole and bounds.inside(Interval(None, -1)):
                    below.append(case.where)
                if case.whole and bounds.inside(Interval(None, 0)):
                    level.append(case.where)
            anyone, anyhow = self.cells.anyone, self.cells.anyhow
            less.append(d.both(where, anyhow(anyone(below))))
            not_more.append(d.both(where, anyhow(anyone(level))))
        return self.cells.anyone(less), self.cells.anyone(not_more)

    def _difference(self, form: Form, value: Expression) -> Iterable[Case]:
        after, before = affine(value), affine(form.expression)
        if after is None or before is None:
            return self.cells.cases(typed.Sum((value, typed.Negative(form.expression))))
        return self.cells.linear_cases(after.plus(before, -1))


def _form(read: Read) -> Form:
    return Form(((read, 1),))


def _times(weight: int, value: Expression) -> Expression:
    return value if weight == 1 else typed.Arithmetic("*", typed.Literal(weight), value)


def _may_be_fraction(value: Expression) -> bool:
    return any(
        isinstance(part, typed.Arithmetic) and part.operator == "/" for part in typed.walk(value)
    )
