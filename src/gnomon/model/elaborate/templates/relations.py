"""Relations: their declarations, and the conditions and values that ask them."""

from collections.abc import Iterable

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.domain import (
    Domain,
    Enumeration,
    OpenEnumeration,
    comparable,
    contains,
    is_within,
    show_value,
)
from gnomon.model.elaborate.comparisons import ORDERED, mismatch
from gnomon.model.elaborate.domains import describe, read_domain, unknown_type
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.problems import each
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.parameterised.condition import Condition, Equal, Lookup, Not, Related, Term
from gnomon.model.parameterised.system import Relation
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span

# Declarations


def declare_types(
    declarations: Iterable[syntax.TypeDeclaration], names: PopulationNames, diagnostics: Diagnostics
) -> None:
    """Collect the named types."""
    for line in declarations:
        name = line.name.text
        if name in names.types:
            diagnostics.add(
                "G0402", f"type `{name}` is declared twice; the first one counts", line.span
            )
            continue
        match line.type:
            case syntax.EnumerationType(values, True):
                named = tuple(dict.fromkeys(value.text for value in values))
                names.types[name] = OpenEnumeration(named, name)
            case _:
                names.types[name] = read_domain(line.type, name, names.types, diagnostics)


def declare_relations(
    declarations: Iterable[syntax.RelationDeclaration],
    names: PopulationNames,
    diagnostics: Diagnostics,
) -> None:
    """Collect the relations."""
    for line in declarations:
        name = line.name.text
        if name in names.relations:
            diagnostics.add(
                "G0402", f"relation `{name}` is declared twice; the first one counts", line.span
            )
            continue
        columns = tuple(_column(column, names, diagnostics) for column in line.columns)
        result = None if line.result is None else _column(line.result, names, diagnostics)
        names.relations[name] = Relation(name, columns, result)


def _column(column: syntax.Name, names: PopulationNames, diagnostics: Diagnostics) -> Domain:
    if column.text in names.types:
        return names.types[column.text]
    guess = diagnostics.did_you_mean(column.text, names.types)
    hint = guess or "declare it: `Types Name : { a, b }; end Types`"
    unknown_type(column.text, column.span, names.types, hint, diagnostics)
    return Enumeration(())


# Conditions and values


class RelationReader:
    """Reads what is asked of relations in one section."""

    def __init__(self, scope: IndexScope) -> None:
        """Read with these names."""
        self.scope = scope
        self.expressions = ExpressionReader(scope)

    def term(
        self, expression: syntax.Expression, expected: Domain | None = None
    ) -> tuple[Term, Domain]:
        """Return a value, which may be looked up in a relation with a key."""
        if not isinstance(expression, syntax.Application) or self.scope.is_function(expression):
            return self.expressions.read(expression, expected)
        relation = self._relation(expression.relation, expression.arguments, expression.span)
        if relation.result is None:
            raise self.scope.fail(
                "G0704",
                f"relation `{relation.name}` has no key: it holds or does not hold, and gives no value",
                expression.span,
                help=f"a key is declared with an arrow: `{relation.name} : … -> Type;`",
            )
        return Lookup(relation.name, self._arguments(relation, expression)), relation.result

    def related(self, asked: syntax.Application) -> Condition:
        """Return whether a relation without a key holds."""
        if self.scope.alone:
            raise self.scope.fail("G0713", "relations cannot be asked here", asked.span)
        relation = self._relation(asked.relation, asked.arguments, asked.span)
        if relation.result is not None:
            raise self.scope.fail(
                "G0704",
                f"`{relation.name}` gives a value: compare it, as in `{relation.name}(…) = …`",
                asked.span,
            )
        return Related(relation.name, self._arguments(relation, asked))

    def equal(self, binary: syntax.Binary) -> Condition:
        """Return a comparison with what a relation gives."""
        if self.scope.alone:
            raise self.scope.fail("G0713", "relations cannot be asked here", binary.span)
        if binary.operator not in ("=", "<>"):
            raise self.scope.fail(
                "G0303" if binary.operator in ORDERED else "G0301",
                "what a relation gives can only be compared with `=` and `<>`",
                binary.span,
            )
        first, second = binary.left, binary.right
        if not isinstance(first, syntax.Application) or self.scope.is_function(first):
            first, second = second, first
        left, domain = self.term(first)
        right, other = self.term(second, domain)
        if not comparable(domain, other):
            raise mismatch(self.scope, binary, domain, other)
        if isinstance(right, plain.Literal) and _is_outside(right, domain):
            raise self.scope.fail(
                "G0304",
                f"{show_value(right.value)} is not one of {domain}, so it is never given",
                binary.span,
                label="outside its type",
            )
        equal = Equal(left, right)
        return equal if binary.operator == "=" else Not(equal)

    def _relation(
        self, name: syntax.Name, arguments: tuple[syntax.Expression, ...], span: Span
    ) -> Relation:
        known = self.scope.names.relations
        relation = known.get(name.text)
        if relation is None:
            raise self.scope.fail(
                "G0703",
                f"there is no relation `{name.text}`",
                name.span,
                label="not declared in `Relations`",
                notes=self.scope.diagnostics.listing("the relations", known),
                help=self.scope.diagnostics.did_you_mean(name.text, known),
            )
        if len(arguments) != len(relation.columns):
            count, wanted = len(arguments), len(relation.columns)
            raise self.scope.fail(
                "G0704",
                f"`{name.text}` takes {wanted} value{'' if wanted == 1 else 's'}, and here are {count}",
                span,
            )
        return relation

    def _arguments(self, relation: Relation, asked: syntax.Application) -> tuple[Term, ...]:
        columns = zip(asked.arguments, relation.columns, strict=True)
        return each(lambda pair: self._argument(*pair), columns)

    def _argument(self, argument: syntax.Expression, column: Domain) -> Term:
        """Return a value for a column of a relation."""
        term, domain = self.term(argument, column)
        fits = comparable(column, domain)
        constant = isinstance(term, plain.Literal)
        if fits and isinstance(term, plain.Literal) and _is_outside(term, column):
            raise self.scope.fail(
                "G0304",
                f"{show_value(term.value)} is not one of {column}",
                argument.span,
                label="outside its type",
            )
        if not fits or (not constant and not is_within(domain, column)):
            reason = f"and this is {describe(domain)}" if not fits else f"and this is in {domain}"
            raise self.scope.fail(
                "G0704",
                f"a value of {column} is needed here, {reason}",
                argument.span,
                label="another type" if not fits else "may be outside",
            )
        return term


def _is_outside(constant: plain.Literal, domain: Domain) -> bool:
    return not isinstance(domain, OpenEnumeration) and not contains(domain, constant.value)
