"""Programs with templates to systems with any number of agents."""

from collections.abc import Sequence

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum
from gnomon.model.elaborate.declarations import (
    declare_proposition,
    declares_values,
    each_once,
    report_missing_sections,
)
from gnomon.model.elaborate.labels import FormulaNames
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.elaborate.templates.determinism import check_deterministic
from gnomon.model.elaborate.templates.fairness import FairnessReader
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.elaborate.templates.parts import PartReader, declare_part
from gnomon.model.elaborate.templates.pointers import (
    declare_flags,
    with_pointers,
    without_pointers,
)
from gnomon.model.elaborate.templates.quantifiers import ConditionReader
from gnomon.model.elaborate.templates.questions import QuestionReader
from gnomon.model.elaborate.templates.relations import declare_relations, declare_types
from gnomon.model.elaborate.templates.synchronisation import synchronised
from gnomon.model.elaborate.templates.thresholds import (
    check_assumption,
    check_parameters,
    declare_parameters,
)
from gnomon.model.parameterised.condition import (
    TRUE,
    And,
    Condition,
    Exists,
    Forall,
    expressions,
    positive,
    walk,
)
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import walk as parts_of
from gnomon.text.source import NOWHERE, Span


def names_of_population(system: OpenSystem) -> PopulationNames:
    """Return the names that formulae about any number of agents may use."""
    names = PopulationNames(
        types=dict(system.types),
        relations=dict(system.relations),
        meanings=dict(system.propositions),
        parameters=dict.fromkeys(system.parameters, NOWHERE),
        pointers=dict(system.pointers),
    )
    for part in system.part.values():
        own = AgentNames(part.name, NOWHERE)
        own.variables = {variable.name: variable for variable in part.variables}
        names.agents[part.name] = own
    return names


class PopulationElaborator:
    """Turns a program with templates into a system with any number of agents."""

    def __init__(self, program: syntax.Program, diagnostics: Diagnostics) -> None:
        """Read a program, with its mistakes to `diagnostics`."""
        self.program = program
        self.diagnostics = diagnostics
        self.names = PopulationNames()
        self.agents: list[syntax.Agent] = []

    def population(self) -> OpenSystem:
        """Return the system."""
        self._report_strange()
        self._declare()
        together = synchronised(self.agents, self.diagnostics)
        initial = self._initial()
        reader = PartReader(self.names, together.broadcast, self.diagnostics)
        parts = {a.name.text: reader.part(a, initial.get(a.name.text, TRUE)) for a in self.agents}
        environment = parts.pop(ENVIRONMENT)
        self._propositions()
        fairness = FairnessReader(self.names, self.diagnostics)
        fair = fairness.conditions(self.program.fairness)
        system = OpenSystem(
            name=self.diagnostics.source.name,
            environment=environment,
            templates=tuple(parts.values()),
            sync=together.sync,
            relations=self.names.relations,
            axioms=self._axioms(),
            axioms_at=_whole([line.span for line in self.program.axioms]),
            initial_at=None if self.program.initial is None else self.program.initial.span,
            propositions=dict(self.names.meanings),
            terminal=self._terminal(),
            questions=self._questions(fair=bool(fair)),
            types=self.names.types,
            promise=fairness.promise(self.program.fairness),
            fairness=fair,
            parameters=tuple(self.names.parameters),
            assumptions=self._assumptions(),
            followed_by=together.followed_by,
            pointers=self.names.pointers,
        )
        if system.pointers:
            promised_at = _whole([line.span for line in self.program.fairness])
            system = with_pointers(system, promised_at, self.diagnostics)
            environment, parts = system.environment, {p.name: p for p in system.templates}
        if not self.diagnostics.has_errors:
            for part in (environment, *parts.values()):
                check_deterministic(system, part, self.diagnostics)
        return system

    # What does not belong

    def _report_strange(self) -> None:
        program = self.program
        for agent in program.agents:
            if agent.kind == "agent":
                self.diagnostics.add(
                    "G0716",
                    f"`{agent.name.text}` is a single agent in a program with templates",
                    agent.name.span,
                    help=f"write `Template {agent.name.text} [1..1]`",
                )
            if agent.red is not None:
                self._strange("RedStates", agent.red.span)
        if program.semantics in ("MultiAssignment", "SingleAssignment"):
            self.diagnostics.add(
                "G0413",
                "this line `Semantics` has no effect with templates: steps are interleaved",
                Span(0, 0) if program.semantics_word is None else program.semantics_word.span,
            )
        for name, section in (
            ("Groups", program.groups),
            ("Predicates", program.predicates),
        ):
            for line in section[:1]:
                self._strange(name, line.span)
        report_missing_sections(program, self.diagnostics)

    def _strange(self, section: str, span: Span) -> None:
        self.diagnostics.add(
            "G0722", f"`{section}` does not go with templates", span, help="leave the section out"
        )

    # Names

    def _declare(self) -> None:
        """Collect the names of types, relations and parts."""
        if self.program.definitions is not None:
            self.names.declare_definitions(self.program.definitions)
        declare_parameters(self.program, self.names, self.diagnostics)
        declare_types(self.program.types, self.names, self.diagnostics)
        declare_relations(self.program.relations, self.names, self.diagnostics)
        written = without_pointers(self.program, self.names, self.diagnostics)
        agents = [agent for agent in written if agent.kind != "agent"]
        for agent in each_once(agents, self.names, "template", self.diagnostics):
            self.agents.append(agent)
            own = declare_part(agent, self.names, self.diagnostics)
            self.names.agents[agent.name.text] = own
        declare_flags(self.names)
        check_parameters(self.names, self.diagnostics)

    # Sections

    def _propositions(self) -> None:
        for line in self.program.evaluation or ():
            assert isinstance(line, syntax.Proposition)
            declare_proposition(line, self.names, self.diagnostics)
            reader = ConditionReader(IndexScope(self.names, None, self.diagnostics))
            name = line.name.text
            try:
                self.names.meanings[name] = reader.read(line.condition)
            except Reported:
                self.names.meanings.setdefault(name, TRUE)

    def _terminal(self) -> Condition | None:
        """Return where a run may end: a condition on a configuration, as propositions are."""
        if self.program.terminal is None:
            return None
        reader = ConditionReader(IndexScope(self.names, None, self.diagnostics))
        try:
            return reader.read(self.program.terminal)
        except Reported:
            return None

    def _initial(self) -> dict[str, Condition]:
        found: dict[str, list[Condition]] = {}
        for conjunct in (*_conjuncts(self.program.initial), *self._given_values()):
            owners = sorted({owner for owner in _owners(conjunct) if owner})
            if len(owners) > 1:
                self.diagnostics.add(
                    "G0714",
                    f"where agents of {' and '.join(owners)} start cannot depend on each other",
                    conjunct.span,
                    help="write one condition for each, joined by `and`",
                )
                continue
            every = next((owner for owner in owners if owner in self.names.templates), None)
            scope = IndexScope(
                self.names, None, self.diagnostics, every=True, alone=True, template=every
            )
            try:
                condition = ConditionReader(scope).read(conjunct)
            except Reported:
                continue
            if owners:
                found.setdefault(owners[0], []).append(condition)
            elif condition != TRUE:
                self.diagnostics.add(
                    "G0714",
                    "this speaks neither of the environment nor of a template",
                    conjunct.span,
                )
        return {name: positive(And(tuple(conditions))) for name, conditions in found.items()}

    def _given_values(self) -> list[syntax.Expression]:
        """Return the values that are given beside declarations, as conditions on every agent."""
        if not declares_values(self.agents):
            return []
        from gnomon.model.elaborate.initial_values import initial_values  # seldom used

        return [
            syntax.Binary(
                "=",
                syntax.Reference(agent.name, syntax.Name(variable.name), span),
                _written(value, span),
                span,
            )
            for agent in self.agents
            for variable, value, span in initial_values(
                agent, self.names.agents[agent.name.text], self.diagnostics
            )
        ]

    def _assumptions(self) -> tuple[Condition, ...]:
        found: list[Condition] = []
        for line in self.program.assumptions if self.program.parameters else ():
            assert not isinstance(line, syntax.Repeat)
            scope = IndexScope(self.names, None, self.diagnostics, alone=True)
            try:
                condition = positive(ConditionReader(scope).read(line))
            except Reported:
                continue
            check_assumption(condition, line.span, self.diagnostics)
            found.append(condition)
        return tuple(found)

    def _axioms(self) -> tuple[Condition, ...]:
        axioms: list[Condition] = []
        for line in self.program.axioms:
            scope = IndexScope(self.names, None, self.diagnostics)
            try:
                axiom = ConditionReader(scope, axioms=True).read(line)
            except Reported:
                continue
            reads = {read.agent for e in expressions(axiom) for read in plain.reads(e)}
            quantified = any(isinstance(part, (Exists, Forall)) for part in walk(axiom))
            if quantified or reads - {""}:
                self.diagnostics.add(
                    "G0713",
                    "axioms speak of the relations alone: agents change, and relations do not",
                    line.span,
                    help="run through values: `forall x : Type ( … )`",
                )
                continue
            axioms.append(axiom)
        return tuple(axioms)

    def _questions(self, *, fair: bool) -> tuple[PopulationQuestion, ...]:
        reader = QuestionReader(self.names, self.diagnostics, fair=fair)
        labels = FormulaNames(self.diagnostics)
        found: list[PopulationQuestion] = []
        for line in self.program.formulae or ():
            assert isinstance(line, syntax.FormulaLine)
            labels.name(line)  # no two may be the same
            place = self.diagnostics.source.line_of(line.span)
            text = self.diagnostics.source.on_one_line(line.span)
            question = reader.question(line, text, place)
            if question is not None:
                found.append(question)
        return tuple(found)


def _whole(spans: Sequence[Span]) -> Span | None:
    return Span(spans[0].start, spans[-1].end) if spans else None


def _written(value: Datum, span: Span) -> syntax.Expression:
    """Return a value as it is written."""
    if isinstance(value, bool):
        return syntax.Truth(value, span)
    if isinstance(value, int):
        return syntax.Number(value, span)
    return syntax.Reference(None, syntax.Name(value, (), span), span)


def _conjuncts(expression: syntax.Expression | None) -> list[syntax.Expression]:
    match expression:
        case None:
            return []
        case syntax.Chain("and", operands):
            return [inner for operand in operands for inner in _conjuncts(operand)]
        case _:
            return [expression]


def _owners(expression: syntax.Expression) -> list[str]:
    """Return whose variables an expression reads, as it is written."""
    references = (part for part in parts_of(expression) if isinstance(part, syntax.Reference))
    return [reference.owner.text for reference in references if reference.owner is not None]
