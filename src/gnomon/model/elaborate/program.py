"""The whole program: agents, propositions, initial states, groups, fairness, formulae."""

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import ENVIRONMENT, Semantics
from gnomon.model.elaborate.agents import AgentElaborator, declare
from gnomon.model.elaborate.expressions import Elaborator, TypeProblem
from gnomon.model.elaborate.formulae import FormulaElaborator
from gnomon.model.elaborate.scope import AgentNames, Names
from gnomon.model.formula import (
    Formula,
    Group,
    show_formula,
    without_quantifiers,
)
from gnomon.model.fragment import has_coalition
from gnomon.model.system import GivenPredicate, Specification, System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import NOWHERE, Source, Span


def elaborate(
    program: syntax.Program, diagnostics: Diagnostics, *, written_out: bool = False
) -> System:
    """Return the system that a plain program describes.

    Mistakes go to `diagnostics`; with errors among them the system is not to be used. `written_out` says
    that families were expanded, so that a formula's own text may still have indices in it.
    """
    with room_to_recurse():
        return _ProgramElaborator(program, diagnostics, written_out=written_out).system()


def elaborate_formula(
    line: syntax.FormulaLine, system: System, diagnostics: Diagnostics
) -> Specification | None:
    """Return a formula that a user typed, read with the names of a system."""
    with room_to_recurse():
        formula = FormulaElaborator(_names_of(system), diagnostics).line(line)
    if formula is None:
        return None
    text = as_written(diagnostics.source, line.span)
    return Specification(formula, text, logic=line.logic)


def report_missing_sections(program: syntax.Program, diagnostics: Diagnostics) -> None:
    """Report that nothing is said of where to start, or nothing asked."""
    end = Span(max(program.span.end - 1, 0), program.span.end)
    if program.initial is None:
        diagnostics.add(
            "G0113",
            "the program does not say which states are initial",
            end,
            help="add `InitStates … end InitStates`",
        )
    if not program.formulae:
        diagnostics.add(
            "G0410",
            "the program has no formula: there is nothing to check",
            end,
            help="add `Formulae … end Formulae`, or give one with `--formula`",
        )


def as_written(source: Source, span: Span) -> str:
    """Return a piece of the program on one line, without its comments."""
    lines = source.slice(span).split("\n")
    return " ".join(" ".join(line.split("--")[0] for line in lines).split())


def _names_of(system: System) -> Names:
    names = Names(has_environment=True)
    for agent in system.agents:
        own = AgentNames(agent.name, NOWHERE)
        own.variables = {variable.name: variable for variable in agent.variables}
        own.actions = dict.fromkeys(agent.actions, NOWHERE)
        names.agents[agent.name] = own
    names.propositions = dict.fromkeys(system.propositions, NOWHERE)
    names.groups = {name: group.members for name, group in system.groups.items()}
    return names


class _ProgramElaborator:
    def __init__(
        self, program: syntax.Program, diagnostics: Diagnostics, *, written_out: bool
    ) -> None:
        self.program = program
        self.diagnostics = diagnostics
        self.written_out = written_out
        self.names = Names()
        # Every copy of a formula in `for` was written in the same place, which may be long.
        self.texts: dict[Span, str] = {}

    def system(self) -> System:
        semantics: Semantics = "MultiAssignment"
        if self.program.semantics == "SingleAssignment":
            semantics = "SingleAssignment"
        self._report_missing()
        self.names, declared = declare(self.program.agents, self.diagnostics)
        builder = AgentElaborator(self.names, semantics, self.diagnostics)
        agents = tuple(builder.agent(agent) for agent in declared)
        propositions = self._propositions()
        groups = self._groups()
        return System(
            name=self.diagnostics.source.name,
            agents=agents,
            initial=self._initial(),
            semantics=semantics,
            propositions=propositions,
            groups=groups,
            fairness=self._fairness(),
            specifications=self._specifications(self.program.formulae or ()),
            predicates=self._predicates(),
        )

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
        report_missing_sections(program, self.diagnostics)
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
        sections = (*program.types[:1], *program.relations[:1], *program.axioms[:1])
        for section in sections:
            self.diagnostics.add(
                "G0413", "this section has no effect without a template", section.span
            )
        if program.semantics == "Interleaved":
            self.diagnostics.add(
                "G0413",
                "`Interleaved` has no effect without a template: agents move together",
                Span(0, 0),
            )

    def _propositions(self) -> dict[str, typed.Expression]:
        reader = Elaborator(self.names, None, self.diagnostics)
        result: dict[str, typed.Expression] = {}
        for line in self.program.evaluation or ():
            assert isinstance(line, syntax.Proposition)
            name = line.name.text
            if name in self.names.propositions:
                self.diagnostics.add(
                    "G0402",
                    f"proposition `{name}` is defined twice; the last definition counts",
                    line.span,
                )
            self.names.propositions[name] = line.span
            try:
                result[name] = reader.condition(line.condition)
            except TypeProblem:
                continue
        return result

    def _predicates(self) -> tuple[GivenPredicate, ...]:
        reader = Elaborator(self.names, None, self.diagnostics)
        result: list[GivenPredicate] = []
        for condition in self.program.predicates:
            assert not isinstance(condition, syntax.Repeat)
            try:
                found = reader.condition(condition)
            except TypeProblem:
                continue
            place = self.diagnostics.source.location(condition.span.start).line
            result.append(GivenPredicate(found, place))
        return tuple(result)

    def _initial(self) -> typed.Expression:
        if self.program.initial is None:
            return typed.TRUE
        try:
            return Elaborator(self.names, None, self.diagnostics).condition(self.program.initial)
        except TypeProblem:
            return typed.TRUE

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
            members = [self._member(member) for member in line.members]
            kept = [member for member in members if member is not None]
            self.names.groups[name] = tuple(dict.fromkeys(kept))
        return {name: Group(members, name) for name, members in self.names.groups.items()}

    def _member(self, member: syntax.Name) -> str | None:
        if member.text in self.names.agents:
            return member.text
        agents = () if self.diagnostics.full else self.names.agents
        known = [name for name in agents if name != ENVIRONMENT]
        self.diagnostics.add(
            "G0203",
            f"there is no agent `{member.text}`",
            member.span,
            label="unknown agent",
            notes=self.diagnostics.listing("the agents", known),
            help=self.diagnostics.did_you_mean(member.text, known),
        )
        return None

    def _fairness(self) -> tuple[Specification, ...]:
        constraints = self._specifications(self.program.fairness)
        for constraint in constraints:
            if has_coalition(constraint.formula) or constraint.logic != "CTL":
                self.diagnostics.add(
                    "G0605",
                    "a fairness constraint cannot speak of coalitions, nor be in LTL or CTL*",
                    self.diagnostics.source.line_span(constraint.line),
                )
        return constraints

    def _specifications(
        self, lines: tuple[syntax.FormulaLine | syntax.Repeat[syntax.FormulaLine], ...]
    ) -> tuple[Specification, ...]:
        reader = FormulaElaborator(self.names, self.diagnostics)
        result: list[Specification] = []
        for line in lines:
            assert isinstance(line, syntax.FormulaLine)
            formula = reader.line(line)
            if formula is not None:
                place = self.diagnostics.source.location(line.span.start).line
                text = self._text(line, formula)
                result.append(Specification(formula, text, place, line.logic))
        return tuple(result)

    def _text(self, line: syntax.FormulaLine, formula: Formula) -> str:
        """Return the formula as written; where indices were written out, as it reads now."""
        text = self.texts.get(line.span)
        if text is None:
            text = self.texts[line.span] = as_written(self.diagnostics.source, line.span)
        if self.written_out and any(mark in text for mark in ("[", "forall ", "exists ")):
            if line.logic == "LTL":
                return f"LTL {show_formula(without_quantifiers(formula))}"
            return ("" if line.logic == "CTL" else "CTL* ") + show_formula(formula)
        return text
