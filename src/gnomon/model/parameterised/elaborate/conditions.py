"""Conditions on agents: quantifiers, relations and equal indices around ordinary expressions."""

from collections.abc import Callable, Iterable

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT, Variable
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    OpenEnumeration,
    contains,
    show_value,
    size_of,
    values_of,
)
from gnomon.model.elaborate.expressions import Elaborator, TypeProblem, describe
from gnomon.model.elaborate.scope import AgentNames
from gnomon.model.parameterised.condition import (
    FALSE,
    SELF,
    TRUE,
    And,
    Condition,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Same,
    Term,
)
from gnomon.model.parameterised.elaborate.scope import OpenNames
from gnomon.model.parameterised.system import Relation
from gnomon.text.diagnostic import Diagnostics, closest
from gnomon.text.source import Span

#: A quantifier over a listed type is written out, as long as that gives no more parts than this.
_MOST_PARTS = 100_000
_NOT_COMPARED = ("<", "<=", ">", ">=")


class ConditionReader(Elaborator):
    """Reads the conditions of one section of the program."""

    def __init__(
        self, names: OpenNames, owner: AgentNames | None, diagnostics: Diagnostics, **flags: bool
    ) -> None:
        """Read for a part, or for nobody."""
        super().__init__(names.parts, owner, diagnostics, actions=flags.get("actions", False))
        self.open = names
        #: Whether agents may be looked for with `exists`, and relations asked.
        self.alone = flags.get("alone", False)
        #: Whether this is an axiom, which may run through types that are not listed.
        self.axioms = flags.get("axioms", False)
        #: Whether `Robot.room` stands for a variable of every robot, as it does where they start.
        self.every = flags.get("every", False)
        #: The only template whose name may stand so, where there is only one.
        self.template: str | None = None
        #: The template of each index, and the value of each variable of an axiom.
        self.indices: dict[str, str] = {}
        self.values: dict[str, tuple[plain.Expression, Domain]] = {}
        self.copies = 0
        if owner is not None and owner.name != ENVIRONMENT:
            self.indices[SELF] = owner.name

    # Structure

    def read_condition(self, expression: syntax.Expression) -> Condition:
        """Return the meaning of a condition."""
        match expression:
            case syntax.Truth(value):
                return TRUE if value else FALSE
            case syntax.Unary("!", operand):
                return Not(self.read_condition(operand))
            case syntax.Chain("and" | "or" as operator, operands):
                inner = self._each(operands, self.read_condition)
                return And(inner) if operator == "and" else Or(inner)
            case syntax.Binary("->", left, right):
                first, second = self._each((left, right), self.read_condition)
                return Or((Not(first), second))
            case syntax.Application(relation, arguments, span):
                return self._related(relation, arguments, span)
            case syntax.Quantified():
                return self._quantified(expression)
            case syntax.Binary("=" | "<>", left, right) if self._is_index(left, right):
                same = self._same(left, right)
                return same if expression.operator == "=" else Not(same)
            case syntax.Binary(operator, left, right) if _looks_up(left) or _looks_up(right):
                return self._equal(expression, operator)
            case _:
                return Holds(self.condition(expression))

    def _each(
        self,
        operands: Iterable[syntax.Expression],
        read: Callable[[syntax.Expression], Condition],
    ) -> tuple[Condition, ...]:
        """Read several conditions, so that each can report its own mistakes."""
        results: list[Condition] = []
        problem: TypeProblem | None = None
        for operand in operands:
            try:
                results.append(read(operand))
            except TypeProblem as caught:
                problem = caught
        if problem is not None:
            raise problem
        return tuple(results)

    # Quantifiers

    def _quantified(self, quantified: syntax.Quantified) -> Condition:
        if quantified.quantifier == "sum":
            raise self.fail(
                "G0504", "`sum` runs through a range here, as in `sum i : 1..n`", quantified.span
            )
        return self._bind(quantified, list(quantified.binders))

    def _bind(self, quantified: syntax.Quantified, binders: list[syntax.Binder]) -> Condition:
        if not binders:
            return self.read_condition(quantified.body)
        binder, *rest = binders
        if binder.where is not None or isinstance(binder.domain, syntax.RangeType):
            raise self.fail(
                "G0504",
                "agents and values of a type have no `where`, and are not mixed with ranges",
                binder.span,
                help="write two quantifiers, and the condition in the body",
            )
        self._check_new(binder)
        domain = binder.domain.text
        if domain in self.open.templates:
            return self._over_agents(quantified, binder, domain, rest)
        if domain in self.open.types:
            return self._over_values(quantified, binder, self.open.types[domain], rest)
        known = [*self.open.templates, *self.open.types]
        guess = closest(domain, known)
        raise self.fail(
            "G0702",
            f"`{domain}` is neither a template nor a type",
            binder.domain.span,
            label="unknown name",
            notes=(f"the templates and types: {', '.join(known)}",),
            help=f"did you mean `{guess}`?" if guess else "",
        )

    def _check_new(self, binder: syntax.Binder) -> None:
        name = binder.variable
        if name in self.indices and name != SELF:
            raise self.fail(
                "G0705",
                f"`{name}` stands for an agent of `{self.indices[name]}` already",
                binder.span,
                label="used again",
                help="choose another name",
            )
        taken = self.owner is not None and name in self.owner.variables
        if name in (SELF, ENVIRONMENT) or name in self.values or taken:
            raise self.fail("G0502", f"`{name}` has another meaning here", binder.span)

    def _over_agents(
        self,
        quantified: syntax.Quantified,
        binder: syntax.Binder,
        template: str,
        rest: list[syntax.Binder],
    ) -> Condition:
        if self.alone:
            raise self.fail(
                "G0713",
                f"other agents cannot be looked at here: `{quantified.quantifier}`",
                quantified.span,
                help="look at them in `Protocol`, where actions are allowed",
            )
        self.indices[binder.variable] = template
        try:
            body = self._bind(quantified, rest)
        finally:
            del self.indices[binder.variable]
        kind = Exists if quantified.quantifier == "exists" else Forall
        return kind(binder.variable, template, body, quantified.span)

    def _over_values(
        self,
        quantified: syntax.Quantified,
        binder: syntax.Binder,
        domain: Domain,
        rest: list[syntax.Binder],
    ) -> Condition:
        name = binder.variable
        size = None if isinstance(domain, OpenEnumeration) else size_of(domain)
        if size is None:
            return self._over_open(quantified, name, domain, rest)
        parts: list[Condition] = []
        for value in values_of(domain):
            self.copies += 1
            if self.copies > _MOST_PARTS:
                raise self.fail(
                    "G0505", "the types give too many values to write out", quantified.span
                )
            self.values[name] = (plain.Literal(value), domain)
            try:
                parts.append(self._bind(quantified, rest))
            finally:
                del self.values[name]
        return And(tuple(parts)) if quantified.quantifier == "forall" else Or(tuple(parts))

    def _over_open(
        self,
        quantified: syntax.Quantified,
        name: str,
        domain: Domain,
        rest: list[syntax.Binder],
    ) -> Condition:
        if not self.axioms or quantified.quantifier == "exists":
            raise self.fail(
                "G0704",
                f"the values of `{domain}` are not listed: only axioms run through them, with `forall`",
                quantified.span,
            )
        self.values[name] = (plain.Read("", name), domain)
        try:
            return ForValues(name, domain, self._bind(quantified, rest))
        finally:
            del self.values[name]

    # Indices

    def _is_index(self, *sides: syntax.Expression) -> bool:
        """Return whether one side names an agent, so that the other has to."""
        return any(
            isinstance(side, syntax.Reference)
            and side.owner is None
            and (side.name.text in self.indices or side.name.text == SELF)
            for side in sides
        )

    def _same(self, left: syntax.Expression, right: syntax.Expression) -> Condition:
        names: list[str] = []
        for side in (left, right):
            name = side.name.text if isinstance(side, syntax.Reference) and not side.owner else ""
            if name not in self.indices:
                raise self.fail(
                    "G0705",
                    "an agent can only be compared with another agent",
                    side.span,
                    label="not an index" if name != SELF else "there is no `self` here",
                    help=f"the indices here: {', '.join(self.indices)}" if self.indices else "",
                )
            names.append(name)
        first, second = (self.indices[name] for name in names)
        if first != second:
            raise self.fail(
                "G0705",
                f"`{names[0]}` is an agent of `{first}` and `{names[1]}` of `{second}`: they differ always",
                Span(left.span.start, right.span.end),
            )
        return Same(*names)

    # Names of variables and values

    def read(
        self, expression: syntax.Expression, expected: Domain | None = None
    ) -> tuple[plain.Expression, Domain]:
        """Return a value; what only conditions may have is refused in the words of templates."""
        match expression:
            case syntax.Application(_, _, span) if self.alone:
                raise self.fail("G0713", "relations cannot be asked here", span)
            case syntax.Application(name, _, span):
                raise self.fail(
                    "G0704",
                    f"what `{name.text}` gives can only be compared with `=` and `<>`",
                    span,
                )
            case syntax.Quantified(quantifier, _, _, span) if quantifier != "sum":
                raise self.fail(
                    "G0713",
                    f"`{quantifier}` cannot stand here",
                    span,
                    help="how an agent changes, and where it starts, depends on itself alone: write "
                    "`Robot.room = …` in `InitStates`, and look for others in `Protocol`",
                )
            case _:
                return super().read(expression, expected)

    def variable(self, reference: syntax.Expression) -> Variable | None:
        """Return the variable that an expression names."""
        match reference:
            case syntax.Reference(syntax.Name(owner), name) if owner in self.indices:
                return self.names.agents[self.indices[owner]].variables.get(name.text)
            case _:
                return super().variable(reference)

    def _bare(
        self, name: str, span: Span, expected: Domain | None
    ) -> tuple[plain.Expression, Domain]:
        if name in self.values:
            return self.values[name]
        if name in self.indices:
            raise self.fail(
                "G0705",
                f"`{name}` is an agent, and a value is needed here",
                span,
                help=f"write `{name}.` and one of its variables",
            )
        return super()._bare(name, span, expected)

    def _qualified(self, agent: str, name: str, span: Span) -> tuple[plain.Expression, Domain]:
        if agent == ENVIRONMENT:
            return self._of_environment(name, span)
        template = self.indices.get(agent)
        named = agent in self.open.templates and self.template in (None, agent)
        if template is None and self.every and named:
            template = agent
        if template is None:
            raise self._not_an_index(agent, name, span)
        index = agent if agent in self.indices else SELF
        if self.alone and agent != SELF and not self.every:
            raise self.fail("G0713", "the variables of other agents cannot be looked at here", span)
        variable = self.names.agents[template].variables.get(name)
        if variable is None:
            raise self._no_variable(agent, template, name, span)
        return plain.Read(index, name), variable.domain

    def _of_environment(self, name: str, span: Span) -> tuple[plain.Expression, Domain]:
        if self.alone and self.owner is not None and self.owner.name != ENVIRONMENT:
            raise self.fail(
                "G0713",
                f"how an agent changes cannot depend on `Environment.{name}`",
                span,
                help="let different actions be allowed in `Protocol`, which may look at the environment",
            )
        variable = self.names.environment.variables.get(name)
        if variable is None:
            raise self._no_variable(ENVIRONMENT, ENVIRONMENT, name, span)
        return plain.Read(ENVIRONMENT, name), variable.domain

    def _not_an_index(self, agent: str, name: str, span: Span) -> TypeProblem:
        if agent in self.open.templates:
            own = self.owner is not None and self.owner.name == agent
            return self.fail(
                "G0705",
                f"`{agent}` has any number of agents: `{agent}.{name}` does not say whose",
                span,
                label="whose variable?",
                help=f"write `{name}`"
                if own
                else f"write `exists j : {agent} ( j.{name} … )`, or `forall`",
            )
        known = [*self.indices, ENVIRONMENT, *(self.open.templates if self.every else ())]
        guess = closest(agent, known)
        hint = f"did you mean `{guess}`?" if guess else ""
        if not hint and agent != SELF and not self.every:
            template = next(iter(self.open.templates), "T")
            hint = f"an agent is looked for with `exists {agent} : {template} ( … )`"
        return self.fail(
            "G0705",
            "there is no `self` here: this is nobody's section"
            if agent == SELF
            else f"there is no agent or index `{agent}` here",
            span,
            label="unknown index",
            notes=(f"what there is: {', '.join(known)}",),
            help=hint,
        )

    def _no_variable(self, agent: str, template: str, name: str, span: Span) -> TypeProblem:
        known = list(self.names.agents[template].variables)
        guess = closest(name, known)
        others = [owner for owner in self.names.owners_of(name) if owner != template]
        notes = [f"its variables: {', '.join(known)}"] if known else []
        if others:
            notes.append(f"`{name}` is a variable of {' and '.join(f'`{o}`' for o in others)}")
        what = (
            "the environment"
            if template == ENVIRONMENT
            else f"`{agent}`, an agent of `{template}`,"
        )
        return self.fail(
            "G0705" if others and template != ENVIRONMENT else "G0202",
            f"{what} has no variable `{name}`",
            span,
            label="another template's variable" if others else "unknown variable",
            notes=tuple(notes),
            help=f"did you mean `{guess}`?" if guess else "",
        )

    def _comparable(self, binary: syntax.Binary, left: Domain, right: Domain) -> None:
        either = (left, right)
        if any(isinstance(side, OpenEnumeration) for side in either) and left != right:
            raise self._mismatch(binary, left, right)
        super()._comparable(binary, left, right)

    # Relations

    def _relation(
        self, name: syntax.Name, arguments: tuple[syntax.Expression, ...], span: Span
    ) -> Relation:
        relation = self.open.relations.get(name.text)
        if relation is None:
            known = list(self.open.relations)
            guess = closest(name.text, known)
            raise self.fail(
                "G0703",
                f"there is no relation `{name.text}`",
                name.span,
                label="not declared in `Relations`",
                notes=(f"the relations: {', '.join(known)}",) if known else (),
                help=f"did you mean `{guess}`?" if guess else "",
            )
        if len(arguments) != len(relation.columns):
            count, wanted = len(arguments), len(relation.columns)
            raise self.fail(
                "G0704",
                f"`{name.text}` takes {wanted} value{'' if wanted == 1 else 's'}, and here are {count}",
                span,
            )
        return relation

    def _arguments(
        self, relation: Relation, arguments: tuple[syntax.Expression, ...]
    ) -> tuple[Term, ...]:
        results: list[Term] = []
        problem: TypeProblem | None = None
        for argument, column in zip(arguments, relation.columns, strict=True):
            try:
                results.append(self._fitting(argument, column))
            except TypeProblem as caught:
                problem = caught
        if problem is not None:
            raise problem
        return tuple(results)

    def _fitting(self, argument: syntax.Expression, column: Domain) -> Term:
        """Return a value for a column of a relation."""
        term, domain = self.term(argument, column)
        fits = same_kind(column, domain)
        value = term.value if isinstance(term, plain.Literal) else None
        listed = value is not None and not isinstance(column, OpenEnumeration)
        if fits and listed and value is not None and not contains(column, value):
            raise self.fail(
                "G0304",
                f"{show_value(value)} is not one of {column}",
                argument.span,
                label="outside its type",
            )
        if not fits or (value is None and not _within(domain, column)):
            reason = f"and this is {describe(domain)}" if not fits else f"and this is in {domain}"
            raise self.fail(
                "G0704",
                f"a value of {column} is needed here, {reason}",
                argument.span,
                label="another type" if not fits else "may be outside",
            )
        return term

    def term(
        self, expression: syntax.Expression, expected: Domain | None = None
    ) -> tuple[Term, Domain]:
        """Return a value, which may be looked up in a relation with a key."""
        if not isinstance(expression, syntax.Application):
            return self.read(expression, expected)
        relation = self._relation(expression.relation, expression.arguments, expression.span)
        if relation.result is None:
            raise self.fail(
                "G0704",
                f"relation `{relation.name}` has no key: it holds or does not hold, and gives no value",
                expression.span,
                help=f"a key is declared with an arrow: `{relation.name} : … -> Type;`",
            )
        arguments = self._arguments(relation, expression.arguments)
        return Lookup(relation.name, arguments), relation.result

    def _related(
        self, name: syntax.Name, arguments: tuple[syntax.Expression, ...], span: Span
    ) -> Condition:
        if self.alone:
            raise self.fail("G0713", "relations cannot be asked here", span)
        relation = self._relation(name, arguments, span)
        if relation.result is not None:
            raise self.fail(
                "G0704",
                f"`{relation.name}` gives a value: compare it, as in `{relation.name}(…) = …`",
                span,
            )
        return Related(relation.name, self._arguments(relation, arguments))

    def _equal(self, binary: syntax.Binary, operator: str) -> Condition:
        if self.alone:
            raise self.fail("G0713", "relations cannot be asked here", binary.span)
        if operator not in ("=", "<>"):
            raise self.fail(
                "G0303" if operator in _NOT_COMPARED else "G0301",
                "what a relation gives can only be compared with `=` and `<>`",
                binary.span,
            )
        first, second = binary.left, binary.right
        if not _looks_up(first):
            first, second = second, first
        left, domain = self.term(first)
        right, other = self.term(second, domain)
        if not same_kind(domain, other):
            raise self._mismatch(binary, domain, other)
        value = right.value if isinstance(right, plain.Literal) else None
        listed = value is not None and not isinstance(domain, OpenEnumeration)
        if listed and value is not None and not contains(domain, value):
            raise self.fail(
                "G0304",
                f"{show_value(value)} is not one of {domain}, so it is never given",
                binary.span,
                label="outside its type",
            )
        equal = Equal(left, right)
        return equal if operator == "=" else Not(equal)


def _looks_up(expression: syntax.Expression) -> bool:
    return isinstance(expression, syntax.Application)


def _within(domain: Domain, column: Domain) -> bool:
    """Return whether all values of a type are ones of another."""
    match column, domain:
        case IntegerRange(low, high), IntegerRange(least, most):
            return low <= least and most <= high
        case IntegerRange(), _:
            return False
        case Enumeration(wide), Enumeration(narrow):
            return set(narrow) <= set(wide)
        case _:
            return True


def same_kind(target: Domain, domain: Domain) -> bool:
    """Return whether values of one type may be where the other is wanted."""
    match target, domain:
        case (OpenEnumeration(), _) | (_, OpenEnumeration()):
            return target == domain
        case ((IntegerRange() | Integers()), (IntegerRange() | Integers())):
            return True
        case Boolean(), Boolean():
            return True
        case Enumeration(wide), Enumeration(narrow):
            return set(narrow) <= set(wide) or set(wide) <= set(narrow)
        case _:
            return False
