"""Systems: agents, propositions, initial states, groups, fairness and formulae."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import Semantics
from gnomon.model.elaborate.agents import AgentReader
from gnomon.model.elaborate.declarations import (
    declare_proposition,
    declare_system,
    declares_values,
    report_missing_sections,
)
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.fairness import report_unfit
from gnomon.model.elaborate.formulae import FormulaReader
from gnomon.model.elaborate.labels import FormulaNames
from gnomon.model.elaborate.members import GroupReader
from gnomon.model.elaborate.names import AgentNames, DefinedName, Names
from gnomon.model.elaborate.scope import Scope
from gnomon.model.formula import (
    Formula,
    Group,
    show_formula,
    without_quantifiers,
)
from gnomon.model.observers import with_observers
from gnomon.model.system import GivenPredicate, NamedExpression, Specification, System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import NOWHERE, Span

if TYPE_CHECKING:
    from gnomon.model.elaborate.memory import MeaningMemory

Written = TypeVar("Written")
Meaning = TypeVar("Meaning")


def names_of(system: System) -> Names:
    """Return the names that formulae about a system may use."""
    names = Names()
    for agent in system.agents:
        if agent.observer:
            continue
        own = AgentNames(agent.name, NOWHERE)
        own.variables = {variable.name: variable for variable in agent.variables}
        own.actions = dict.fromkeys(agent.actions, NOWHERE)
        names.agents[agent.name] = own
    names.propositions = dict.fromkeys(system.propositions, NOWHERE)
    names.definitions = {
        name: DefinedName(found.expression, found.domain, acts=found.acts, bounds=found.bounds)
        for name, found in system.definitions.items()
    }
    names.defined_at = dict.fromkeys(system.definitions, NOWHERE)
    names.groups = {name: group.members for name, group in system.groups.items()}
    return names


def _said(line: syntax.FormulaLine) -> tuple[str, syntax.Expectation | None]:
    """Return the name of a formula, "" where it has none, and what is expected of it."""
    said = line.annotation
    return said.name.text if said.name else "", said.expected


class SystemElaborator:
    """Turns a program without templates into a system."""

    def __init__(
        self,
        program: syntax.Program,
        diagnostics: Diagnostics,
        memory: "MeaningMemory | None" = None,
    ) -> None:
        """Read a program, with its mistakes to `diagnostics`, but for what is remembered."""
        self.program = program
        self.memory = memory
        self.diagnostics = diagnostics
        self.names = Names()
        # Every copy of a formula in `for` was written in the same place, which may be long.
        self.texts: dict[Span, str] = {}

    def system(self) -> System:
        """Return the system."""
        semantics: Semantics = self.program.semantics or "MultiAssignment"
        if self.memory is not None:
            self.memory.semantics = semantics
        self._report_missing()
        self.names, declared = declare_system(self.program.agents, self.diagnostics, self.memory)
        self.names.interleaved = semantics == "Interleaved"
        definitions = self._definitions()
        reader = AgentReader(self.names, semantics, self.diagnostics, self.memory)
        agents = tuple(reader.agent(agent) for agent in declared)
        propositions = self._propositions()
        groups = self._groups()
        system = System(
            name=self.diagnostics.source.name,
            agents=agents,
            initial=self._initial(declared),
            terminal=self._condition(self.program.terminal),
            semantics=semantics,
            propositions=propositions,
            groups=groups,
            fairness=self._fairness(),
            specifications=self._specifications(self.program.formulae or ()),
            predicates=self._predicates(),
            definitions=definitions,
            initial_at=None if self.program.initial is None else self.program.initial.span,
        )
        return system if self.diagnostics.has_errors else with_observers(system)

    def _report_missing(self) -> None:
        program = self.program
        end = Span(max(program.span.end - 1, 0), program.span.end)
        if not any(agent.kind == "agent" for agent in program.agents):
            self.diagnostics.add(
                "G0112",
                "the program has no agent",
                end if program.agents else Span(0, 0),
                help="an agent is declared with `Agent Name … end Agent`",
            )
        report_missing_sections(program, self.diagnostics, self._declares_values)
        self._report_without_effect()
        environments = [agent for agent in program.agents if agent.kind == "environment"]
        if environments and program.agents[0].kind != "environment":
            self.diagnostics.add(
                "G0411",
                "MCMAS wants the environment to be the first agent",
                environments[0].name.span,
                help="move it to the front",
            )

    def _report_without_effect(self) -> None:
        """Report sections that only programs with templates use."""
        program = self.program
        sections = (
            *program.types[:1],
            *program.relations[:1],
            *program.axioms[:1],
            *program.parameters[:1],
            *program.assumptions[:1],
        )
        for section in sections:
            self.diagnostics.add(
                "G0413", "this section has no effect without a template", section.span
            )

    def _recall(
        self, written: Written, question: str, read: Callable[[Written], Meaning]
    ) -> Meaning:
        """Return what something means, read or remembered."""
        return read(written) if self.memory is None else self.memory.recall(written, question, read)

    def _reader(self) -> ExpressionReader:
        return ExpressionReader(Scope(self.names, None, self.diagnostics))

    def _definitions(self) -> dict[str, NamedExpression]:
        if self.program.definitions is None:
            return {}
        from gnomon.model.elaborate.definitions import read_definitions  # few programs have some

        read_definitions(self.program, self.names, self.diagnostics)
        return {
            name: NamedExpression(found.expression, found.domain, found.bounds, found.acts)
            for name, found in self.names.definitions.items()
        }

    def _propositions(self) -> dict[str, typed.Expression]:
        reader = self._reader()

        def condition(line: syntax.Proposition) -> typed.Expression:
            return reader.condition(line.condition)

        result: dict[str, typed.Expression] = {}
        for line in self.program.evaluation or ():
            assert isinstance(line, syntax.Proposition)
            declare_proposition(line, self.names, self.diagnostics)
            try:
                result[line.name.text] = self._recall(line, "proposition", condition)
            except Reported:
                continue
        return result

    def _predicates(self) -> tuple[GivenPredicate, ...]:
        reader = self._reader()
        result: list[GivenPredicate] = []
        for condition in self.program.predicates:
            assert not isinstance(condition, syntax.Repeat)
            try:
                found = self._recall(condition, "condition", reader.condition)
            except Reported:
                continue
            place = self.diagnostics.source.line_of(condition.span)
            result.append(GivenPredicate(found, place))
        return tuple(result)

    def _initial(self, agents: list[syntax.Agent]) -> typed.Expression:
        given = self._given_values(agents)
        condition = self._condition(self.program.initial)
        if condition is None:
            return typed.And(given) if given else typed.TRUE
        return typed.And((condition, *given)) if given else condition

    def _condition(self, condition: syntax.Expression | None) -> typed.Expression | None:
        """Return the one condition of a section; nothing where there is none, or it has mistakes."""
        if condition is None:
            return None
        try:
            return self._recall(condition, "condition", self._reader().condition)
        except Reported:
            return None

    def _given_values(self, agents: list[syntax.Agent]) -> tuple[typed.Expression, ...]:
        """Return the values that are given beside declarations, as conditions."""
        if not self._declares_values(agents):
            return ()
        from gnomon.model.elaborate.initial_values import initial_values, starts_as  # seldom used

        def given(agent: syntax.Agent) -> tuple[typed.Expression, ...]:
            own = self.names.agents[agent.name.text]
            found = initial_values(agent, own, self.diagnostics)
            return tuple(starts_as(variable, value) for variable, value, _ in found)

        return tuple(each for agent in agents for each in self._recall(agent, "values", given))

    def _declares_values(self, agents: Iterable[syntax.Agent]) -> bool:
        if self.memory is None:
            return declares_values(agents)

        def declares(agent: syntax.Agent) -> bool:
            return declares_values((agent,))

        return any(self._recall(agent, "declares", declares) for agent in agents)

    def _groups(self) -> dict[str, Group]:
        for line in self.program.groups:
            assert isinstance(line, syntax.Group)
            name = line.name.text
            if name in self.names.groups:
                self.diagnostics.add(
                    "G0402",
                    f"group `{name}` is defined twice; the last definition counts",
                    line.span,
                )
            members = [agent for member in line.members for agent in self._members(member)]
            self.names.groups[name] = tuple(dict.fromkeys(members))
        return {name: Group(members, name) for name, members in self.names.groups.items()}

    def _members(self, member: syntax.Members) -> tuple[str, ...]:
        """Return what a line of `Groups` lists; nothing where it was reported."""
        try:
            return GroupReader(self.names, self.diagnostics).listed(member)
        except Reported:
            return ()

    def _fairness(self) -> tuple[Specification, ...]:
        constraints = self._specifications(self.program.fairness, of_steps=True)
        for constraint in constraints:
            span = self.diagnostics.source.line_span(constraint.line)
            report_unfit(constraint, span, self.diagnostics)
        return constraints

    def _specifications(
        self,
        lines: tuple[syntax.FormulaLine | syntax.Repeat[syntax.FormulaLine], ...],
        *,
        of_steps: bool = False,
    ) -> tuple[Specification, ...]:
        reader = FormulaReader(self.names, self.diagnostics, of_steps=of_steps)
        labels = FormulaNames(self.diagnostics)
        question = "fairness" if of_steps else "formula"

        def read(line: syntax.FormulaLine) -> tuple[Formula | None, str]:
            formula = reader.line(line)
            return formula, "" if formula is None else self._text(line, formula)

        result: list[Specification] = []
        for line in lines:
            assert isinstance(line, syntax.FormulaLine)
            name, expected = self._recall(line, "annotation", _said)
            if name:
                labels.take(name, line)
            formula, text = self._recall(line, question, read)
            if formula is not None:
                place = self.diagnostics.source.line_of(line.span)
                said = (line.logic, name, expected, line.span)
                result.append(Specification(formula, text, place, *said))
        return tuple(result)

    def _text(self, line: syntax.FormulaLine, formula: Formula) -> str:
        """Return the formula as written; where it is one of many, with the values of its indices."""
        text = self.texts.get(line.span)
        if text is None:
            text = self.texts[line.span] = self.diagnostics.source.on_one_line(line.span)
        if line.reads_otherwise:
            if line.logic == "LTL":
                return f"LTL {show_formula(without_quantifiers(formula))}"
            return ("" if line.logic == "CTL" else "CTL* ") + show_formula(formula)
        return text
