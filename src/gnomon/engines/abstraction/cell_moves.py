"""What agents may and surely can do in a cell, and where that may lead.

Among several lines that are enabled together a choice is made, which has bits of its own. So a resolved
move, a joint action with all choices, is a function on states; on cells it leads to all cells that may
contain a result.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from gnomon.engines.abstraction.cell_changes import AssignmentEffect, CellChanges
from gnomon.engines.abstraction.cell_conditions import CellConditions, MayMust
from gnomon.engines.diagrams.image import RelationPart
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.relation import ProtocolDiagrams
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, Assignment, EvolutionLine, Variable
from gnomon.model.expression import Expression, Read

#: After the name of an agent: the choice among its lines, or among those of one variable.
_CHOICE: Final = "\N{MIDDLE DOT}"


def choice_name(agent: str, variable: str = "") -> str:
    """Return the name under which a layout keeps the bits of a choice."""
    return f"{agent}{_CHOICE}{variable}"


@dataclass(frozen=True, slots=True)
class LineChoice:
    """One way in which some variables may change: the new values, and when it is enabled.

    `fits` is where the new values may be, and where they surely are, within their ranges.
    """

    assignments: tuple[Assignment, ...]
    when: MayMust
    fits: MayMust
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
    choices: tuple[LineChoice, ...]
    levels: tuple[int, ...] = ()


class Resolved(NamedTuple):
    """A move: the actions of those who have any, and the choice of each unit that has one to make."""

    actions: dict[str, str]
    choices: list[LineChoice | None]


@dataclass(frozen=True, slots=True)
class EnabledInCells:
    """Where each action of an agent may be enabled, and where it surely is."""

    actions: dict[str, MayMust]
    #: Where some action is surely enabled.
    alive: Diagram


class CellMoves(CellChanges):
    """The moves between cells; as a relation in parts, all those that may be."""

    joins_actions = False

    def __init__(self, cells: CellConditions, relations: Iterable[Diagram] = ()) -> None:
        """Encode protocols and evolutions; `relations` say which next pieces go together.

        They are over the next bits.
        """
        super().__init__(cells)
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
            name: ProtocolDiagrams(
                {action: three.may for action, three in enabled.actions.items()},
                enabled.alive,
                forced=False,
            )
            for name, enabled in self.enabled.items()
        }
        self.renew()

    def renew(self) -> None:
        """Put the relation together.

        Events leave out what does not change: which next pieces go together is looked at after a step.
        """
        changes = [part for part in self.changes if part.assigned]
        self.parts = [*self.acting.values(), *self.choosing, *changes]

    def with_acting(self, acting: Mapping[str, tuple[Diagram, Diagram]]) -> "CellMoves":
        """Return the moves where some agents may, and surely can, do other things."""
        moves = copy(self)
        may = {name: self.part(each) for name, (each, _) in acting.items()}
        surely = {name: self.part(each) for name, (_, each) in acting.items()}
        moves.acting = {**self.acting, **may}
        moves.acting_surely = {**self.acting_surely, **surely}
        moves.renew()
        return moves

    def _next_bits(self, variable: Variable) -> tuple[int, ...]:
        return self.encoder.layout.variables[variable.agent, variable.name].next

    # Protocols

    def _enabled(self, agent: Agent) -> EnabledInCells:
        d = self.diagrams
        if not agent.actions:
            return EnabledInCells({}, d.true)
        some = typed.Or(tuple(line.condition for line in agent.protocol))
        free = agent.is_environment and not agent.protocol and agent.other is None
        actions: dict[str, MayMust] = {}
        for action in agent.actions:
            where = [line.condition for line in agent.protocol if action in line.actions]
            if free:
                where.append(typed.TRUE)
            elif agent.other is not None and action in agent.other:
                where.append(typed.Not(some))
            actions[action] = self.cells.condition(typed.Or(tuple(where)))
        return EnabledInCells(actions, d.true if free else self._alive(agent))

    def _alive(self, agent: Agent) -> Diagram:
        """Return where a protocol surely allows something. Lines that apply may still allow nothing."""
        allowing = [line.condition for line in agent.protocol if line.actions]
        empty = [line.condition for line in agent.protocol if not line.actions]
        if agent.other:
            if not empty:
                return self.diagrams.true
            allowing.append(typed.Not(typed.Or(tuple(empty))))
        return self.cells.condition(typed.Or(tuple(allowing))).must

    def able(self, agents: Iterable[str]) -> Diagram:
        """Return the cells in all of whose states each of some agents has something to do."""
        return self.cells.conjunction(self.enabled[name].alive for name in agents)

    def unable(self, agents: Iterable[str]) -> Diagram:
        """Return the cells in none of whose states all of some agents have something to do."""
        acting = (self.enabled[name].actions.values() for name in agents)
        able = [self.cells.disjunction(three.may for three in each) for each in acting if each]
        return self.diagrams.opposite(self.cells.conjunction(able))

    def _acting(self, name: str, *, surely: bool) -> RelationPart:
        """Return which codes of which actions an agent may choose, or surely can."""
        d = self.diagrams
        actions = self.enabled[name].actions
        if not actions:
            return self.part(d.true)
        parts = [
            d.both(self.cells.does(name, action), three.must if surely else three.may)
            for action, three in actions.items()
        ]
        return self.part(self.cells.disjunction(parts))

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
        # Codes that stand for no action do nothing, and are none.
        nothing = MayMust(d.both(nothing.may, self._actions_of_all), nothing.must)
        choices.append(LineChoice((), nothing, MayMust(d.true, d.true)))
        possible = tuple(choice for choice in choices if choice.when.may != d.false)
        decided = self._exclude_each_other([choice.when.may for choice in possible])
        levels = () if decided else self.encoder.layout.actions[name]
        return Unit(agent, variables, possible, levels)

    @cached_property
    def _actions_of_all(self) -> Diagram:
        """Where all codes of actions stand for some."""
        actions = self.encoder.layout.actions
        return self.cells.conjunction(
            self.encoder.valid(actions.get(agent.name, ()), len(agent.actions))
            for agent in self.system.agents
            if agent.actions
        )

    def _choice(
        self, agent: Agent, assignments: tuple[Assignment, ...], lines: list[EvolutionLine]
    ) -> LineChoice:
        guards = tuple(line.guard for line in lines)
        assigned = [(Read(agent.name, item.variable), item.value) for item in assignments]
        surely = self.cells.conjunction(
            self.cells.for_all_hidden(self._fits(*each)) for each in assigned
        )
        perhaps = surely
        if surely != self.diagrams.true:
            perhaps = self.cells.conjunction(
                self.cells.for_some_hidden(self._may_fit(*each)) for each in assigned
            )
        fits = MayMust(perhaps, surely)
        return LineChoice(assignments, self.cells.condition(typed.Or(guards)), fits, guards)

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

    def _choosing(self, unit: Unit) -> Iterator[RelationPart]:
        """Yield where a choice may be made and may have a result: what leaves its range is no step."""
        d = self.diagrams
        if unit.levels:
            marks = zip(self.marks(unit), unit.choices, strict=True)
            possible = [d.both(mark, choice.fits.may) for mark, choice in marks]
            yield self.part(self.cells.disjunction(possible))
        elif any(choice.fits.may != d.true for choice in unit.choices):
            lost = [d.minus(choice.when.may, choice.fits.may) for choice in unit.choices]
            yield self.part(d.opposite(self.cells.disjunction(lost)))

    def _choosing_surely(self, unit: Unit) -> Iterator[RelationPart]:
        """Yield where a choice can surely be made and has a result.

        Where cell and actions decide, the only one that may be enabled is enabled.
        """
        d = self.diagrams
        if unit.levels:
            marks = [
                d.both(self._mark(unit, number), d.both(choice.when.must, choice.fits.must))
                for number, choice in enumerate(unit.choices)
            ]
            yield self.part(self.cells.disjunction(marks))
        elif any(choice.fits.must != d.true for choice in unit.choices):
            lost = [d.minus(choice.when.may, choice.fits.must) for choice in unit.choices]
            yield self.part(d.opposite(self.cells.disjunction(lost)))

    def decoded(self, found: Mapping[int, bool], chosen: Mapping[str, str]) -> Resolved:
        """Return the move that some bits stand for, where some agents have chosen what they do."""

        def code(levels: tuple[int, ...]) -> int:
            number = 0
            for level in levels:
                number = 2 * number + found.get(level, False)
            return number

        actions = {
            agent.name: agent.actions[code(self.encoder.layout.actions.get(agent.name, ()))]
            for agent in self.system.agents
            if agent.actions
        }
        actions.update(chosen)
        choices = [unit.choices[code(unit.levels)] if unit.levels else None for unit in self.units]
        return Resolved(actions, choices)

    @cached_property
    def overflow(self) -> Diagram:
        """Where, under which actions and choices, a value may leave its range."""
        d = self.diagrams
        return self.cells.disjunction(
            d.both(d.minus(choice.when.may, choice.fits.must), self._mark(unit, number))
            for unit in self.units
            for number, choice in enumerate(unit.choices)
            if choice.fits.must != d.true
        )

    def _effects_of(self, unit: Unit, name: str) -> list[AssignmentEffect]:
        marks: dict[Expression | None, list[Diagram]] = {}
        for number, choice in enumerate(unit.choices):
            mark = self._mark(unit, number)
            for value, where in self._split(choice.value(name)):
                marks.setdefault(value, []).append(self.diagrams.both(mark, where))
        return [
            AssignmentEffect(value, self.cells.disjunction(where)) for value, where in marks.items()
        ]
