"""The whole program with templates."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import TypeAlias

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Integers, OpenEnumeration, size_of, values_of
from gnomon.model.elaborate.expressions import TypeProblem
from gnomon.model.elaborate.program import as_written, report_missing_sections
from gnomon.model.elaborate.scope import AgentNames
from gnomon.model.evaluation import value_of
from gnomon.model.parameterised.condition import (
    TRUE,
    And,
    Condition,
    Exists,
    Forall,
    Lookup,
    expressions,
    positive,
    walk,
)
from gnomon.model.parameterised.elaborate.conditions import ConditionReader
from gnomon.model.parameterised.elaborate.formulae import QueryReader
from gnomon.model.parameterised.elaborate.parts import (
    PartReader,
    declare_part,
    declare_relations,
    declare_types,
    synchronised,
)
from gnomon.model.parameterised.elaborate.scope import OpenNames
from gnomon.model.parameterised.system import Change, OpenSystem, Part, Question
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import Span

#: So many values are tried to see whether two lines contradict each other, and so many pairs of lines; what
#: is left, the engines find out.
_MOST_STATES = 1_000
_MOST_PAIRS = 2_000


def elaborate_open(program: syntax.Program, diagnostics: Diagnostics) -> OpenSystem:
    """Return the system that a program with templates describes.

    Mistakes go to `diagnostics`; with errors among them the system is not to be used.
    """
    with room_to_recurse():
        return _Elaborator(program, diagnostics).system()


def elaborate_question(
    line: syntax.FormulaLine, program: syntax.Program, diagnostics: Diagnostics
) -> Question | None:
    """Return a formula that a user typed, read with the names of a program."""
    with room_to_recurse():
        reader = _Elaborator(program, Diagnostics(diagnostics.source))
        reader.declare()
        reader.propositions()
        text = as_written(diagnostics.source, line.span)
        return QueryReader(reader.names, diagnostics).question(line, text)


class _Elaborator:
    def __init__(self, program: syntax.Program, diagnostics: Diagnostics) -> None:
        self.program = program
        self.diagnostics = diagnostics
        self.names = OpenNames()
        self.agents: list[syntax.Agent] = []

    def system(self) -> OpenSystem:
        self._report_strange()
        self.declare()
        sync = synchronised(self.agents, self.diagnostics)
        initial = self._initial()
        reader = PartReader(self.names, sync, self.diagnostics)
        parts = {a.name.text: reader.part(a, initial.get(a.name.text, TRUE)) for a in self.agents}
        environment = parts.pop(ENVIRONMENT)
        self.propositions()
        system = OpenSystem(
            name=self.diagnostics.source.name,
            environment=environment,
            templates=tuple(parts.values()),
            sync=sync,
            relations=self.names.relations,
            axioms=self._axioms(),
            axioms_at=_whole([line.span for line in self.program.axioms]),
            propositions=dict(self.names.propositions),
            questions=self._questions(),
        )
        if not self.diagnostics.has_errors:
            for part in (environment, *parts.values()):
                self._check_lines(system, part)
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
                Span(0, 0),
            )
        for name, section in (
            ("Fairness", program.fairness),
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

    def declare(self) -> None:
        """Collect the names of types, relations and parts."""
        declare_types(self.program.types, self.names, self.diagnostics)
        declare_relations(self.program.relations, self.names, self.diagnostics)
        agents = [agent for agent in self.program.agents if agent.kind != "agent"]
        if not any(agent.kind == "environment" for agent in agents):
            agents.insert(0, syntax.Agent(syntax.Name(ENVIRONMENT), "environment"))
        agents.sort(key=lambda agent: agent.kind != "environment")
        for agent in agents:
            name = agent.name.text
            if name in self.names.parts.agents:
                first = self.names.parts.agents[name]
                self.diagnostics.add(
                    "G0402",
                    f"a second template `{name}`; it is left out",
                    agent.name.span,
                    label="declared again",
                    related=(Label(first.span, "the first one is here"),),
                )
                continue
            self.agents.append(agent)
            self.names.parts.agents[name] = AgentNames(name, agent.name.span)
            self.names.parts.agents[name] = declare_part(agent, self.names, self.diagnostics)

    def propositions(self) -> None:
        """Read `Evaluation`."""
        for line in self.program.evaluation or ():
            assert isinstance(line, syntax.Proposition)
            name = line.name.text
            if name in self.names.places:
                self.diagnostics.add(
                    "G0402",
                    f"proposition `{name}` is defined twice; the last definition counts",
                    line.span,
                )
            self.names.places[name] = line.span
            reader = ConditionReader(self.names, None, self.diagnostics)
            try:
                self.names.propositions[name] = reader.read_condition(line.condition)
            except TypeProblem:
                self.names.propositions.setdefault(name, TRUE)

    # Sections

    def _initial(self) -> dict[str, Condition]:
        found: dict[str, list[Condition]] = {}
        for conjunct in _conjuncts(self.program.initial):
            owners = sorted({owner for owner in _owners(conjunct) if owner})
            if len(owners) > 1:
                self.diagnostics.add(
                    "G0714",
                    f"where agents of {' and '.join(owners)} start cannot depend on each other",
                    conjunct.span,
                    help="write one condition for each, joined by `and`",
                )
                continue
            reader = ConditionReader(self.names, None, self.diagnostics, every=True, alone=True)
            try:
                condition = reader.read_condition(conjunct)
            except TypeProblem:
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

    def _axioms(self) -> tuple[Condition, ...]:
        axioms: list[Condition] = []
        for line in self.program.axioms:
            reader = ConditionReader(self.names, None, self.diagnostics, axioms=True)
            try:
                axiom = reader.read_condition(line)
            except TypeProblem:
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

    def _questions(self) -> tuple[Question, ...]:
        reader = QueryReader(self.names, self.diagnostics)
        found: list[Question] = []
        for line in self.program.formulae or ():
            assert isinstance(line, syntax.FormulaLine)
            place = self.diagnostics.source.location(line.span.start).line
            text = as_written(self.diagnostics.source, line.span)
            question = reader.question(line, text, place)
            if question is not None:
                found.append(question)
        return tuple(found)

    # Whether what an action does is determined

    def _check_lines(self, system: OpenSystem, part: Part) -> None:
        reported: set[tuple[int, int]] = set()
        pairs = (
            (action, one, other)
            for action in part.actions
            for one, other in combinations(system.effects[part.name, action], 2)
        )
        for action, one, other in islice(pairs, _MOST_PAIRS):
            if _may_share(one[1], other[1]):
                lines = (one[1].line.line, other[1].line.line)
                variable = _contradiction(part, one, other)
                if variable is None or lines in reported:
                    continue
                reported.add(lines)
                self.diagnostics.add(
                    "G0712",
                    f"lines {lines[0]} and {lines[1]} of `{part.name}` can give `{variable}` "
                    f"different values when it does `{action}`",
                    self.diagnostics.source.line_span(lines[1]),
                    label="contradicts another line",
                    help="what an action does must be determined: make the conditions exclude each other",
                )


Line: TypeAlias = tuple[plain.Expression, Change]


def _contradiction(part: Part, one: Line, other: Line) -> str | None:
    """Return a variable that two lines can give different values, where that can be tried out."""
    values = dict(_values(one[1]))
    for variable, value in _values(other[1]):
        if variable not in values or values[variable] == value:
            continue
        before = values[variable]
        differ: plain.Expression = plain.TRUE
        if not isinstance(value, Lookup) and not isinstance(before, Lookup):
            differ = plain.Compare("<>", before, value)
        # What is looked up may be anything: then the conditions have to exclude each other.
        if _is_possible(part, plain.And((one[0], other[0], differ))):
            return variable
    return None


def _may_share(one: Change, other: Change) -> bool:
    return bool({name for name, _ in _values(one)} & {name for name, _ in _values(other)})


def _values(change: Change) -> Iterator[tuple[str, plain.Expression | Lookup]]:
    for item in change.line.assignments:
        yield item.variable, item.value
    for looked in change.looked:
        yield looked.variable, looked.value


def _is_possible(part: Part, condition: plain.Expression) -> bool:
    """Return whether some values of the variables satisfy a condition; False where there are too many."""
    names = sorted({read.variable for read in plain.reads(condition)})
    domains = {variable.name: variable.domain for variable in part.variables}
    cases = 1
    for name in names:
        endless = isinstance(domains[name], (Integers, OpenEnumeration))
        cases *= _MOST_STATES + 1 if endless else size_of(domains[name]) or 1
    if cases > _MOST_STATES:
        return False  # the engine that takes such models looks at it again
    for chosen in product(*(values_of(domains[name]) for name in names)):
        if value_of(condition, dict(zip(names, chosen, strict=True))):
            return True
    return False


def _conjuncts(expression: syntax.Expression | None) -> list[syntax.Expression]:
    match expression:
        case None:
            return []
        case syntax.Chain("and", operands):
            return [inner for operand in operands for inner in _conjuncts(operand)]
        case _:
            return [expression]


def _owners(expression: syntax.Expression) -> list[str]:
    match expression:
        case syntax.Reference(owner):
            return [owner.text] if owner else []
        case syntax.Unary(_, operand):
            return _owners(operand)
        case syntax.Binary(_, left, right):
            return [*_owners(left), *_owners(right)]
        case syntax.Chain(_, operands) | syntax.Application(_, operands):
            return [name for operand in operands for name in _owners(operand)]
        case syntax.Quantified(_, _, body):
            return _owners(body)
        case _:
            return []


def _whole(spans: Sequence[Span]) -> Span | None:
    return Span(spans[0].start, spans[-1].end) if spans else None
