"""Conditions on agents: quantifiers, relations and equal indices around ordinary expressions."""

from itertools import product
from operator import methodcaller
from typing import Final

from gnomon.language import syntax
from gnomon.language.lifting import LiftedTooLarge, Lifter, has_choice
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain, OpenEnumeration, size_of, values_of
from gnomon.model.elaborate.arrays import IndexedName, equals
from gnomon.model.elaborate.problems import each
from gnomon.model.elaborate.templates.counts import (
    Counted,
    CountedAgents,
    CountReader,
    compares_count,
)
from gnomon.model.elaborate.templates.indices import IndexScope
from gnomon.model.elaborate.templates.relations import RelationReader
from gnomon.model.elaborate.templates.thresholds import ThresholdReader, compares_parameters
from gnomon.model.parameterised.condition import (
    FALSE,
    SELF,
    TRUE,
    And,
    Condition,
    Exists,
    Forall,
    ForValues,
    Holds,
    Not,
    Or,
    Same,
    walk,
)
from gnomon.text.record import replace
from gnomon.text.record import walk as parts_of
from gnomon.text.source import Span

#: A quantifier over a listed type is written out, as long as that gives no more parts than this.
_MOST_PARTS: Final = 100_000


class ConditionReader:
    """Reads conditions on agents. Axioms may run through types that are not listed."""

    def __init__(self, scope: IndexScope, *, axioms: bool = False) -> None:
        """Read with these names."""
        self.scope = scope
        self.axioms = axioms
        self.relations = RelationReader(scope)
        self.copies = 0

    def read(self, expression: syntax.Expression) -> Condition:
        """Return the meaning of a condition."""
        is_index = self.scope.is_index
        if self._is_to_be_lifted(expression):
            expression = self._lifted(expression)
        match expression:
            case syntax.Truth(value):
                return TRUE if value else FALSE
            case syntax.Unary("!", operand):
                return Not(self.read(operand))
            case syntax.Chain("and", operands):
                return And(each(self.read, operands))
            case syntax.Chain("or", operands):
                return Or(each(self.read, operands))
            case syntax.Binary("->", left, right):
                first, second = each(self.read, (left, right))
                return Or((Not(first), second))
            case syntax.Application() if not self.scope.is_function(expression):
                return self.relations.related(expression)
            case syntax.Quantified():
                return self._quantified(expression)
            case syntax.Reference(None, syntax.Name() as name) if self._chooses_definition(name):
                return self._chosen_definition(name)
            case syntax.Binary() | syntax.Membership() if self.scope.followed(expression):
                return self._followed(expression)
            case syntax.Binary() if self._points(expression):
                return Holds(self.relations.expressions.condition(expression))
            case syntax.Binary() if compares_parameters(expression, self.scope.names):
                return ThresholdReader(self.scope, self._counted).compared(expression)
            case syntax.Binary() if compares_count(expression):
                return CountReader(self.scope, self._counted).compared(expression)
            case syntax.Binary("=", left, right) if is_index(left) or is_index(right):
                return self._same(left, right)
            case syntax.Binary("<>", left, right) if is_index(left) or is_index(right):
                return Not(self._same(left, right))
            case syntax.Binary(_, left, right) if self._looks_up(left) or self._looks_up(right):
                return self.relations.equal(expression)
            case _:
                return Holds(self.relations.expressions.condition(expression))

    def _looks_up(self, expression: syntax.Expression) -> bool:
        return isinstance(expression, syntax.Application) and not self.scope.is_function(expression)

    def _points(self, binary: syntax.Binary) -> bool:
        """Return whether something is asked of a pointer."""
        return any(self.scope.pointer(side) for side in (binary.left, binary.right))

    def _followed(self, expression: syntax.Expression) -> Condition:
        """Return that a pointer points to somebody of whom a condition holds: `owner.room = hall`."""
        name = self.scope.followed(expression)
        assert name is not None
        pointer = self.scope.names.pointers[name]
        self.scope.indices[name] = pointer.template
        try:
            body = self.read(expression)
        finally:
            del self.scope.indices[name]
        flag = Holds(plain.Compare("=", plain.Read(name, pointer.flag), plain.TRUE))
        return Exists(name, pointer.template, And((flag, body)), expression.span)

    def equivalent(self, left: Condition, right: Condition, span: Span) -> Condition:
        """Return that two conditions hold both or not at all."""
        size = sum(1 for part in (left, right) for _ in walk(part))
        self.copies += size
        if self.copies > _MOST_PARTS:
            raise self.scope.fail("G0323", "written out, this has too many parts", span)
        return Or((And((left, right)), And((Not(left), Not(right)))))

    # Definitions that an index chooses

    def _chooses_definition(self, name: syntax.Name) -> bool:
        family = f"{name.text}["
        return bool(name.indices) and any(map(methodcaller("startswith", family), self._bodies))

    @property
    def _bodies(self) -> dict[str, syntax.Expression]:
        return self.scope.names.bodies

    def _chosen_definition(self, name: syntax.Name) -> Condition:
        """Return the definition that an index chooses in a state, which may look for agents."""
        chosen = IndexedName((name,), self.relations.expressions)
        cases: list[Condition] = []
        for values in product(*chosen.ranges):
            [member] = chosen.written(values)
            if member not in self._bodies:
                raise chosen.missing(member, values)
            here = tuple(Holds(equals(*pair)) for pair in zip(chosen.indices, values, strict=True))
            body = self.scope.names.body(member, name.span)
            cases.append(And((*here, self.read(body))))
        return Or(tuple(cases))

    # Choices that depend on other agents

    def _is_to_be_lifted(self, expression: syntax.Expression) -> bool:
        """Return whether a choice in this condition, or what it is between, speaks of agents or relations."""
        match expression:
            case syntax.IfThenElse() | syntax.Membership() | syntax.Binary() | syntax.Application():
                return has_choice(expression, self._functions) and self._speaks_of_agents(
                    expression
                )
            case _:
                return False

    @property
    def _functions(self) -> frozenset[str]:
        return syntax.FUNCTIONS - self.scope.names.relations.keys()

    def _speaks_of_agents(self, expression: syntax.Expression) -> bool:
        for part in parts_of(expression):
            match part:
                case syntax.Quantified():
                    return True
                case syntax.Application(syntax.Name(text)) if text not in self._functions:
                    return True
                case syntax.Reference() if self.scope.is_index(part):
                    return True
                case _:
                    pass
        return False

    def _lifted(self, expression: syntax.Expression) -> syntax.Expression:
        try:
            return Lifter(self._functions).condition(expression)
        except LiftedTooLarge:
            raise self.scope.fail(
                "G0323",
                "with its choices written out, this condition has too many parts",
                expression.span,
                label="too large",
                help="say it in several conditions, or with fewer choices",
            ) from None

    def _same(self, left: syntax.Expression, right: syntax.Expression) -> Condition:
        """Return whether two indices stand for one agent."""
        indices = self.scope.indices
        names: list[str] = []
        for side in (left, right):
            name = side.name.text if isinstance(side, syntax.Reference) and not side.owner else ""
            if name not in indices:
                raise self.scope.fail(
                    "G0705",
                    "an agent can only be compared with another agent",
                    side.span,
                    label="not an index" if name != SELF else "there is no `self` here",
                    help=f"the indices here: {', '.join(indices)}" if indices else "",
                )
            names.append(name)
        first, second = (indices[name] for name in names)
        if first != second:
            raise self.scope.fail(
                "G0705",
                f"`{names[0]}` is an agent of `{first}` and `{names[1]}` of `{second}`: they differ always",
                Span(left.span.start, right.span.end),
            )
        return Same(*names)

    # Quantifiers

    def _quantified(self, quantified: syntax.Quantified) -> Condition:
        if quantified.quantifier in ("sum", "count"):
            raise self.scope.misplaced(quantified)
        return self._bind(quantified, 0)

    def _counted(self, count: syntax.Quantified) -> Counted:
        """Return what a count is of: the agents of one template, or the values of one type."""
        if len(count.binders) > 1:
            raise self.scope.misplaced(count)
        match self._bind(replace(count, quantifier="exists"), 0):
            case Exists(index, template, body):
                return CountedAgents(index, template, body, count.span)
            case Or(cases):
                return cases
            case _:
                raise self.scope.misplaced(count)

    def _bind(self, quantified: syntax.Quantified, place: int) -> Condition:
        """Read a quantifier from one of its binders on."""
        if place == len(quantified.binders):
            return self.read(quantified.body)
        binder = quantified.binders[place]
        names, diagnostics = self.scope.names, self.scope.diagnostics
        if binder.where is not None or isinstance(binder.domain, syntax.RangeType):
            raise self.scope.fail(
                "G0504",
                "agents and values of a type have no `where`, and are not mixed with ranges",
                binder.span,
                help="write two quantifiers, and the condition in the body",
            )
        self._check_new(binder)
        domain = binder.domain.text
        if domain in names.templates:
            return self._over_agents(quantified, place, domain)
        if domain in names.types:
            return self._over_values(quantified, place, names.types[domain])
        known = [*names.templates, *names.types]
        raise self.scope.fail(
            "G0702",
            f"`{domain}` is neither a template nor a type",
            binder.domain.span,
            label="unknown name",
            notes=diagnostics.listing("the templates and types", known),
            help=diagnostics.did_you_mean(domain, known),
        )

    def _check_new(self, binder: syntax.Binder) -> None:
        scope, name = self.scope, binder.variable
        if name in scope.indices and name != SELF:
            raise scope.fail(
                "G0705",
                f"`{name}` stands for an agent of `{scope.indices[name]}` already",
                binder.span,
                label="used again",
                help="choose another name",
            )
        taken = scope.owner is not None and name in scope.owner.variables
        if name in (SELF, ENVIRONMENT) or name in scope.values or taken:
            raise scope.fail("G0502", f"`{name}` has another meaning here", binder.span)

    def _over_agents(self, quantified: syntax.Quantified, place: int, template: str) -> Condition:
        if self.scope.alone:
            raise self.scope.fail(
                "G0713",
                f"other agents cannot be looked at here: `{quantified.quantifier}`",
                quantified.span,
                help="look at them in `Protocol`, where actions are allowed",
            )
        index = quantified.binders[place].variable
        self.scope.indices[index] = template
        try:
            body = self._bind(quantified, place + 1)
        finally:
            del self.scope.indices[index]
        kind = Exists if quantified.quantifier == "exists" else Forall
        return kind(index, template, body, quantified.span)

    def _over_values(self, quantified: syntax.Quantified, place: int, domain: Domain) -> Condition:
        if isinstance(domain, OpenEnumeration) or size_of(domain) is None:
            return self._over_open(quantified, place, domain)
        name = quantified.binders[place].variable
        found: list[Condition] = []
        for value in values_of(domain):
            self.copies += 1
            if self.copies > _MOST_PARTS:
                raise self.scope.fail(
                    "G0505", "the types give too many values to write out", quantified.span
                )
            self.scope.values[name] = (plain.Literal(value), domain)
            try:
                found.append(self._bind(quantified, place + 1))
            finally:
                del self.scope.values[name]
        return And(tuple(found)) if quantified.quantifier == "forall" else Or(tuple(found))

    def _over_open(self, quantified: syntax.Quantified, place: int, domain: Domain) -> Condition:
        if not self.axioms or quantified.quantifier == "exists":
            raise self.scope.fail(
                "G0704",
                f"the values of `{domain}` are not listed: only axioms run through them, with `forall`",
                quantified.span,
            )
        name = quantified.binders[place].variable
        self.scope.values[name] = (plain.Read("", name), domain)
        try:
            return ForValues(name, domain, self._bind(quantified, place + 1))
        finally:
            del self.scope.values[name]
