"""Conditions on agents as expressions over the variables of agents that have names.

The facts of relations are variables of the environment, which no step changes.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final

from gnomon.model.agent import ENVIRONMENT, Assignment, EvolutionLine, Variable
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    OpenEnumeration,
    contains,
    show_value,
    values_of,
)
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    Compare,
    Conditional,
    Defined,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    Sum,
    reads,
    substituted,
    value_parts,
    walk,
)
from gnomon.model.parameterised import condition as open_condition
from gnomon.model.parameterised.condition import Lookup, Term
from gnomon.model.parameterised.step import Place
from gnomon.model.parameterised.system import (
    Change,
    OpenSystem,
    Part,
    change_when_doing,
    when_doing,
)
from gnomon.text.errors import Unable

#: The most facts of relations that become variables.
MOST_FACTS: Final = 2_000
#: A quotient that has to be a whole number is compared with no more numbers than that.
_MOST_QUOTIENTS: Final = 1_000
_LIST_THEM: Final = "name them all in `Types`, as in `Room : { hall, cellar };`"


class NotFinite(Unable):
    """There is no such system, or it is too large: the message says why, and what to do about it."""


def fresh(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: this one, or one like it."""
    while name in taken:
        name += "_"
    return name


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
                cases = self._cases(relation, arguments, who)
                return Or(
                    tuple(And((*found, Read(ENVIRONMENT, fact.name))) for found, fact in cases)
                )
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
            case open_condition.Enough():
                return self._enough(condition, who)
            case open_condition.ForValues():
                raise NotFinite(f"an axiom runs through a type that is not listed: {_LIST_THEM}")

    def _enough(self, condition: open_condition.Enough, who: Mapping[str, str]) -> Expression:
        """Return whether counts reach a number, as a sum of ones."""
        total: list[Expression] = [Literal(condition.rest.value({}))]
        for factor, tally in condition.counts:
            for there, now in self.candidates(tally.index, tally.template, who):
                counted = _both(there, self.expression(tally.body, now))
                one = Conditional(counted, Literal(factor), Literal(0))
                total.append(one)
        return Compare(">=", Sum(tuple(total)), Literal(0))

    def named(self, expression: Expression, who: Mapping[str, str]) -> Expression:
        """Return an expression with the names of agents in the place of indices."""
        found = {
            read: self.read(who.get(read.agent, read.agent), read.variable)
            for read in reads(expression)
        }
        return substituted(expression, found) if found else expression

    def _cases(
        self, relation: str, arguments: tuple[Term, ...], who: Mapping[str, str]
    ) -> Iterator[tuple[list[Expression], Variable]]:
        """Yield what arguments are, case by case, and the fact that a relation has there."""
        columns = self.open.relations[relation].columns
        for values in product(*(values_of(column) for column in columns)):
            found = [
                self.has_value(argument, value, who)
                for argument, value in zip(arguments, values, strict=True)
            ]
            if FALSE not in found:
                yield found, self.facts[relation, values]

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

    def has_value(self, term: Term, value: Datum, who: Mapping[str, str]) -> Expression:
        """Return whether a term has a value."""
        if not isinstance(term, Lookup):
            expression = self.named(term, who)
            if isinstance(expression, Literal):
                return Literal(expression.value == value)
            return Compare("=", expression, Literal(value))
        return Or(
            tuple(
                And((*found, Compare("=", Read(ENVIRONMENT, fact.name), Literal(value))))
                for found, fact in self._cases(term.relation, term.arguments, who)
            )
        )

    # What actions do

    def changes(
        self, part: Part, action: str, happens: Expression, who: Mapping[str, str]
    ) -> Iterator[EvolutionLine]:
        """Yield what an action does where it happens."""
        domains = {variable.name: variable.domain for variable in part.variables}
        for each in part.changes:
            guard = self.named(when_doing(each.line.guard, action), who)
            if guard == FALSE:
                continue
            change = change_when_doing(each, action)
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
        for each in part.changes:
            change = change_when_doing(each, action)
            guard = self.named(when_doing(change.line.guard, action), who)
            for item in change.line.assignments:
                fits = self._fits(part, item, who)
                if fits is not None and guard != FALSE:
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
            case Enumeration(names), _:
                wider = not self._possible_names(part, item.value) <= set(names)
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

    def _possible_names(self, part: Part, value: Expression) -> set[str]:
        """Return names of which a value is one: those of variables, and constants, that it chooses from."""
        found: set[str] = set()
        for leaf in _chosen(value):
            match leaf:
                case Literal(str(name)):
                    found.add(name)
                case Read(agent, variable):
                    owner = self.open.environment if agent == ENVIRONMENT else part
                    domain = next(v.domain for v in owner.variables if v.name == variable)
                    found.update(domain.names if isinstance(domain, Enumeration) else ())
                case _:
                    pass
        return found

    def _looked_within(
        self, part: Part, change: Change, guard: Expression, who: Mapping[str, str]
    ) -> Iterator[Expression]:
        for looked in change.looked:
            domain = next(v.domain for v in part.variables if v.name == looked.variable)
            result = self.open.relations[looked.value.relation].result
            assert result is not None
            for value in values_of(result):
                if not contains(domain, value) and guard != FALSE:
                    yield Or((Not(guard), Not(self.has_value(looked.value, value, who))))


def _is_listed(domain: Domain) -> bool:
    return isinstance(domain, (Boolean, IntegerRange, Enumeration))


def _in_axioms(system: OpenSystem) -> frozenset[str]:
    return frozenset().union(*map(open_condition.relations, system.axioms))


def joined(name: str, values: Iterable[Datum]) -> str:
    """Return a name with some values behind it."""
    return "_".join([name, *(show_value(value).replace("-", "minus") for value in values)])


def _chosen(value: Expression) -> Iterator[Expression]:
    """Yield what a value chooses between."""
    waiting = [value]
    seen: set[Expression] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, (Conditional, Defined)):
            if part not in seen:
                seen.add(part)
                waiting.extend(value_parts(part))
        else:
            yield part


def _one_of(value: Expression, values: Iterable[Datum]) -> Expression:
    return Or(tuple(Compare("=", value, Literal(each)) for each in values))


def _both(there: Expression, condition: Expression) -> Expression:
    return condition if there == TRUE else And((there, condition))


def _unless(there: Expression, condition: Expression) -> Expression:
    return condition if there == TRUE else Or((Not(there), condition))
