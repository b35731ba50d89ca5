"""A definite number of agents of each template as an ordinary system.

The environment says which kind of step it is: `step` for local actions of agents alone, one of its local
actions, or a synchronised one. What agents choose that does not go with that has no effect. So the reachable
states are those of the definition, step by step.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final

from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    OpenEnumeration,
    Value,
    contains,
    show_value,
    values_of,
)
from gnomon.model.expression import (
    TRUE,
    And,
    Arithmetic,
    Compare,
    Does,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    reads,
    substituted,
    walk,
)
from gnomon.model.formula import All, Condition, Exists, Formula, Globally, Knows, Proposition
from gnomon.model.formula import Finally as Eventually
from gnomon.model.formula import Implies as FormulaImplies
from gnomon.model.formula import Not as FormulaNot
from gnomon.model.parameterised import condition as open_condition
from gnomon.model.parameterised.condition import SELF, Lookup, Term
from gnomon.model.parameterised.step import Place
from gnomon.model.parameterised.system import (
    Change,
    Knowledge,
    OpenSystem,
    Part,
    Safety,
    when_doing,
)
from gnomon.model.system import Specification, System
from gnomon.text.errors import Unable

STEP: Final = "step"
NOP: Final = "nop"
#: The most facts of relations that become variables.
MOST_FACTS: Final = 2_000
#: A quotient that has to be a whole number is compared with no more numbers than that.
_MOST_QUOTIENTS: Final = 1_000
_LIST_THEM: Final = "name them all in `Types`, as in `Room : { hall, cellar };`"


class NotFinite(Unable):
    """There is no such system, or it is too large: the message says why, and what to do about it."""


def named(members: Iterable[str]) -> tuple[str, ...]:
    """Return a name for each agent: its template's, and a number."""
    counts: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    for template in members:
        counts[template] = counts.get(template, 0) + 1
        found.append((template, counts[template]))
    between = ""
    # The eleventh `T` and the first `T1` would have one name.
    while len({f"{template}{between}{number}" for template, number in found}) < len(found):
        between += "_"
    return tuple(f"{template}{between}{number}" for template, number in found)


def fresh(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: this one, or one like it."""
    while name in taken:
        name += "_"
    return name


def pictured(system: OpenSystem, members: tuple[str, ...]) -> System:
    """Return the agents of a population with their variables and actions, to show a run of theirs."""
    agents = [_pictured(system.environment, ENVIRONMENT)]
    for template, name in zip(members, named(members), strict=True):
        agents.append(_pictured(system.part[template], name))
    return System(system.name, tuple(agents), TRUE)


def _pictured(part: Part, name: str) -> Agent:
    variables = tuple(Variable(name, v.name, v.domain, v.observed) for v in part.variables)
    return Agent(name, variables, (NOP, *part.actions), sees=part.sees)


def instance(system: OpenSystem, members: tuple[str, ...]) -> System:
    """Return the system with this population; the facts of relations are variables of the environment."""
    return _Instance(system, members).system()


class Grounding:
    """Writes conditions on agents as expressions; the facts of relations are variables of the environment.

    Who the agents are, and how their variables are read, is for others to say.
    """

    def __init__(self, system: OpenSystem) -> None:
        """Write conditions of a system; raises `NotFinite` where values are not listed."""
        self.open = system
        self.facts: dict[Place, Variable] = {}
        self._taken = {variable.name for variable in system.environment.variables}
        for part in system.part.values():
            for variable in part.variables:
                if isinstance(variable.domain, OpenEnumeration):
                    raise NotFinite(
                        f"the values of `{variable.domain}` are not listed: {_LIST_THEM}"
                    )
        for name in sorted(system.used_relations | _in_axioms(system)):
            self._add_facts(name)

    def candidates(
        self, index: str, template: str, who: Mapping[str, str]
    ) -> Iterator[tuple[Expression, Mapping[str, str]]]:
        """Yield all agents that an index may stand for: where each is there, and who is who then."""
        raise NotImplementedError

    def read(self, agent: str, variable: str) -> Expression:
        """Return the value of an agent's variable."""
        return Read(agent, variable)

    def _add_facts(self, name: str) -> None:
        relation = self.open.relations[name]
        for domain in (*relation.columns, *((relation.result,) if relation.result else ())):
            if isinstance(domain, OpenEnumeration) or not _is_listed(domain):
                raise NotFinite(
                    f"the values of `{domain}` in relation `{name}` are not listed: {_LIST_THEM}"
                )
        for arguments in product(*(values_of(column) for column in relation.columns)):
            domain = relation.result or Boolean()
            shown = fresh(joined(name, arguments), self._taken)
            self._taken.add(shown)
            self.facts[name, arguments] = Variable(ENVIRONMENT, shown, domain)
            if len(self.facts) > MOST_FACTS:
                raise NotFinite(
                    f"the relations have more than {MOST_FACTS:,} facts: use smaller types"
                )

    # Conditions

    def expression(self, condition: open_condition.Condition, who: Mapping[str, str]) -> Expression:
        """Return a condition as an expression, `who` being the name of each index."""

        def inner(part: open_condition.Condition) -> Expression:
            return self.expression(part, who)

        match condition:
            case open_condition.Holds(expression):
                return self.named(expression, who)
            case open_condition.Related(relation, arguments):
                return self._related(relation, arguments, who)
            case open_condition.Equal(left, right):
                return self._equal(left, right, who)
            case open_condition.Same(left, right):
                return Literal(who[left] == who[right])
            case open_condition.Not(operand):
                return Not(inner(operand))
            case open_condition.And(operands):
                return And(tuple(map(inner, operands)))
            case open_condition.Or(operands):
                return Or(tuple(map(inner, operands)))
            case open_condition.Exists(index, template, body):
                found = self.candidates(index, template, who)
                return Or(tuple(_both(there, self.expression(body, now)) for there, now in found))
            case open_condition.Forall(index, template, body):
                found = self.candidates(index, template, who)
                return And(
                    tuple(_unless(there, self.expression(body, now)) for there, now in found)
                )
            case open_condition.ForValues():
                raise NotFinite(f"an axiom runs through a type that is not listed: {_LIST_THEM}")

    def named(self, expression: Expression, who: Mapping[str, str]) -> Expression:
        """Return an expression with the names of agents in the place of indices."""
        found = {
            read: self.read(who.get(read.agent, read.agent), read.variable)
            for read in reads(expression)
        }
        return substituted(expression, found) if found else expression

    def _related(
        self, relation: str, arguments: tuple[Term, ...], who: Mapping[str, str]
    ) -> Expression:
        """Return whether a relation holds, by cases of its arguments."""
        columns = self.open.relations[relation].columns
        cases = []
        for values in product(*(values_of(column) for column in columns)):
            fact = self.facts[relation, values]
            found = [
                self.has_value(argument, value, who)
                for argument, value in zip(arguments, values, strict=True)
            ]
            if all(part != _FALSE for part in found):
                cases.append(And((*found, Read(ENVIRONMENT, fact.name))))
        return Or(tuple(cases))

    def _equal(self, left: Term, right: Term, who: Mapping[str, str]) -> Expression:
        if not isinstance(left, Lookup):
            left, right = right, left
        assert isinstance(left, Lookup)
        result = self.open.relations[left.relation].result
        assert result is not None
        return Or(
            tuple(
                And((self.has_value(left, value, who), self.has_value(right, value, who)))
                for value in values_of(result)
            )
        )

    def has_value(self, term: Term, value: Value, who: Mapping[str, str]) -> Expression:
        """Return whether a term has a value."""
        if not isinstance(term, Lookup):
            expression = self.named(term, who)
            if isinstance(expression, Literal):
                return Literal(expression.value == value)
            return Compare("=", expression, Literal(value))
        cases = []
        columns = self.open.relations[term.relation].columns
        for values in product(*(values_of(column) for column in columns)):
            fact = self.facts[term.relation, values]
            found = [
                self.has_value(argument, wanted, who)
                for argument, wanted in zip(term.arguments, values, strict=True)
            ]
            if all(part != _FALSE for part in found):
                cases.append(
                    And((*found, Compare("=", Read(ENVIRONMENT, fact.name), Literal(value))))
                )
        return Or(tuple(cases))

    # What actions do

    def changes(
        self, part: Part, action: str, happens: Expression, who: Mapping[str, str]
    ) -> Iterator[EvolutionLine]:
        """Yield what an action does where it happens."""
        domains = {variable.name: variable.domain for variable in part.variables}
        for change in part.changes:
            guard = self.named(when_doing(change.line.guard, action), who)
            if guard == Literal(False):
                continue
            whole = And((happens, guard))
            for item in change.line.assignments:
                assigned = Assignment(item.variable, self.named(item.value, who))
                yield EvolutionLine((assigned,), whole, change.line.line)
            for looked in change.looked:
                result = self.open.relations[looked.value.relation].result
                assert result is not None
                for value in filter(partial(contains, domains[looked.variable]), values_of(result)):
                    when = And((whole, self.has_value(looked.value, value, who)))
                    line = Assignment(looked.variable, Literal(value))
                    yield EvolutionLine((line,), when, change.line.line)

    def within(self, part: Part, action: str, who: Mapping[str, str]) -> Expression:
        """Return where no value leaves its range when an action is done."""
        found: list[Expression] = []
        for change in part.changes:
            guard = self.named(when_doing(change.line.guard, action), who)
            for item in change.line.assignments:
                fits = self._fits(part, item, who)
                if fits is not None and guard != Literal(False):
                    found.append(Or((Not(guard), fits)))
            found += self._looked_within(part, change, guard, who)
        return And(tuple(found)) if found else TRUE

    def _fits(self, part: Part, item: Assignment, who: Mapping[str, str]) -> Expression | None:
        """Return where a value is one of its variable's, None where it always is."""
        domains = {variable.name: variable.domain for variable in part.variables}
        domain, value = domains[item.variable], self.named(item.value, who)
        if isinstance(item.value, Literal) or isinstance(domain, Boolean):
            return None
        divides = any(isinstance(each, Arithmetic) and each.operator == "/" for each in walk(value))
        match domain, item.value:
            case Enumeration(names), Read(_, variable):
                other = domains[variable]
                wider = isinstance(other, Enumeration) and not set(other.names) <= set(names)
                return _one_of(value, names) if wider else None
            case IntegerRange(low, high), _ if divides and high - low < _MOST_QUOTIENTS:
                return _one_of(value, range(low, high + 1))
            case _ if divides:
                raise NotFinite(
                    f"a quotient that may be no whole number becomes `{item.variable}`: use `div`"
                )
            case IntegerRange(low, high), _:
                inside = (Compare("<=", Literal(low), value), Compare("<=", value, Literal(high)))
                return And(inside)
        return None

    def _looked_within(
        self, part: Part, change: Change, guard: Expression, who: Mapping[str, str]
    ) -> Iterator[Expression]:
        for looked in change.looked:
            domain = next(v.domain for v in part.variables if v.name == looked.variable)
            result = self.open.relations[looked.value.relation].result
            assert result is not None
            for value in values_of(result):
                if not contains(domain, value) and guard != Literal(False):
                    yield Or((Not(guard), Not(self.has_value(looked.value, value, who))))


class _Instance(Grounding):
    """The system of a population."""

    def __init__(self, system: OpenSystem, members: tuple[str, ...]) -> None:
        self.members = members
        self.names = named(members)
        self.step = fresh(STEP, system.environment.actions)
        super().__init__(system)

    def system(self) -> System:
        agents = [self._environment()]
        for number, template in enumerate(self.members):
            agents.append(self._agent(number, self.open.part[template]))
        return System(
            name=self.open.name,
            agents=tuple(agents),
            initial=self._initial(),
            semantics="SingleAssignment",
            propositions=self._propositions(),
            specifications=tuple(self._specifications()),
        )

    def candidates(
        self, index: str, template: str, who: Mapping[str, str]
    ) -> Iterator[tuple[Expression, Mapping[str, str]]]:
        for name, member in zip(self.names, self.members, strict=True):
            if member == template:
                yield TRUE, {**who, index: name}

    # Agents

    def _environment(self) -> Agent:
        part = self.open.environment
        own = tuple(Variable(ENVIRONMENT, v.name, v.domain, v.observed) for v in part.variables)
        who = {ENVIRONMENT: ENVIRONMENT}
        lines = [ProtocolLine(TRUE, (self.step,))]
        for action in part.actions:
            if action in part.guards:
                guard = self.expression(part.guards[action], who)
                lines.append(ProtocolLine(And((guard, self.within(part, action, who))), (action,)))
        evolution: list[EvolutionLine] = []
        for action in part.actions:
            happens = And((Does(ENVIRONMENT, action), self._takes_place(action)))
            evolution += self.changes(part, action, happens, who)
        return Agent(
            ENVIRONMENT,
            (*own, *self.facts.values()),
            (self.step, *part.actions),
            tuple(lines),
            evolution=tuple(evolution),
        )

    def _takes_place(self, action: str) -> Expression:
        """Return whether enough agents take part in what the environment does."""
        kind = self.open.sync.get(action)
        if kind is None or kind == "all":
            return TRUE
        doing = [Does(name, action) for name in self._who_can(action)]
        if kind == "some":
            return Or(tuple(doing))
        return Or(tuple(self._alone(does, doing) for does in doing))

    def _alone(self, does: Does, doing: list[Does]) -> Expression:
        return And((does, *(Not(other) for other in doing if other != does)))

    def _who_can(self, action: str) -> list[str]:
        return [
            name
            for name, template in zip(self.names, self.members, strict=True)
            if action in self.open.part[template].actions
        ]

    def _agent(self, number: int, part: Part) -> Agent:
        name = self.names[number]
        who = {SELF: name, ENVIRONMENT: ENVIRONMENT}
        variables = tuple(Variable(name, v.name, v.domain) for v in part.variables)
        nop = fresh(NOP, part.actions)
        lines = [ProtocolLine(TRUE, (nop,))]
        evolution: list[EvolutionLine] = []
        for action in part.actions:
            if action not in part.guards:
                continue
            guard = And((self.expression(part.guards[action], who), self.within(part, action, who)))
            lines.append(ProtocolLine(guard, (action,)))
            happens = self._happens(name, action, guard)
            evolution += self.changes(part, action, happens, who)
        return Agent(
            name,
            variables,
            (nop, *part.actions),
            tuple(lines),
            evolution=tuple(evolution),
            sees=part.sees,
        )

    def _happens(self, name: str, action: str, guard: Expression) -> Expression:
        """Return when what an agent does has its effect."""
        kind = self.open.sync.get(action)
        if kind is None:
            modes = (self.step, *self.open.environment.local)
            return And((Does(name, action), Or(tuple(Does(ENVIRONMENT, mode) for mode in modes))))
        if action not in self.open.environment.guards:
            return Literal(False)
        together = Does(ENVIRONMENT, action)
        if kind == "all":
            return And((together, guard))
        if kind == "some":
            return And((together, Does(name, action)))
        doing = [Does(other, action) for other in self._who_can(action)]
        return And((together, self._alone(Does(name, action), doing)))

    # The rest

    def _initial(self) -> Expression:
        found = [self.expression(self.open.environment.initial, {ENVIRONMENT: ENVIRONMENT})]
        for name, template in zip(self.names, self.members, strict=True):
            found.append(self.expression(self.open.part[template].initial, {SELF: name}))
        found += [self.expression(axiom, {}) for axiom in self.open.axioms]
        return And(tuple(found))

    def _propositions(self) -> dict[str, Expression]:
        return {
            name: self.expression(condition, {ENVIRONMENT: ENVIRONMENT})
            for name, condition in self.open.propositions.items()
        }

    def _specifications(self) -> Iterator[Specification]:
        for question in self.open.questions:
            match question.query:
                case Safety(bad, reach):
                    where: Formula = self._formula(bad, {ENVIRONMENT: ENVIRONMENT})
                    formula: Formula = (
                        Exists(Eventually(where)) if reach else All(Globally(FormulaNot(where)))
                    )
                    yield Specification(formula, question.text, question.line)
                case Knowledge(template, when, doubt):
                    for name, member in zip(self.names, self.members, strict=True):
                        if member == template:
                            who = {ENVIRONMENT: ENVIRONMENT, SELF: name}
                            knows = Knows(name, FormulaNot(self._formula(doubt, who)))
                            inside = FormulaImplies(self._formula(when, who), knows)
                            yield Specification(All(Globally(inside)), question.text, question.line)

    def _formula(self, condition: open_condition.Condition, who: Mapping[str, str]) -> Formula:
        for name, meaning in self.open.propositions.items():
            if meaning == condition:
                return Proposition(name)
        return Condition(self.expression(condition, who))


_FALSE: Final = Literal(False)


def _is_listed(domain: Domain) -> bool:
    return isinstance(domain, (Boolean, IntegerRange, Enumeration))


def _in_axioms(system: OpenSystem) -> frozenset[str]:
    return frozenset().union(*map(open_condition.relations, system.axioms))


def joined(name: str, values: Iterable[Value]) -> str:
    """Return a name with some values behind it."""
    return "_".join([name, *(show_value(value).replace("-", "minus") for value in values)])


def _one_of(value: Expression, values: Iterable[Value]) -> Expression:
    return Or(tuple(Compare("=", value, Literal(each)) for each in values))


def _both(there: Expression, condition: Expression) -> Expression:
    return condition if there == TRUE else And((there, condition))


def _unless(there: Expression, condition: Expression) -> Expression:
    return condition if there == TRUE else Or((Not(there), condition))
