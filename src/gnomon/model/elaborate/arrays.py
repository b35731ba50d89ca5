"""Members of families whose indices are computed: `x[Environment.i]` is one of several variables."""

from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Final, Protocol, TypeAlias

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.bounds import UNBOUNDED, BoundsReader, ValueBounds
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    comparable,
    is_number,
)
from gnomon.model.elaborate.conditionals import limited
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.names import DefinedName, Names
from gnomon.model.elaborate.scope import Scope, Typed
from gnomon.text.errors import Reported
from gnomon.text.numbers import show_integer
from gnomon.text.source import Span

#: The most variables that one name may stand for, and the most lines that one line may.
MAX_MEMBERS: Final = 4096

#: A value for each of several indices.
Values: TypeAlias = tuple[int, ...]


class IndexValueReader(Protocol):
    """What reads the expressions of a section, and so its indices."""

    names: Names
    scope: Scope

    def read(self, expression: syntax.Expression, expected: Domain | None = None) -> Typed:
        """Return the typed expression."""


def bounds_of(expression: typed.Expression, scope: Scope) -> ValueBounds:
    """Return between which numbers a value that is read in a section lies."""

    def defined(definition: typed.Defined) -> ValueBounds:
        return scope.names.shared(definition.name).bounds

    return BoundsReader(scope.domain_of, defined).bounds(expression)


class IndexedName:
    """A name, with an agent in front or alone, whose indices are only known in a state."""

    def __init__(self, names: tuple[syntax.Name, ...], reader: IndexValueReader) -> None:
        """Read the indices."""
        self.names = names
        self.reader = reader
        self.indices: list[typed.Expression] = []
        self.ranges: list[range] = []
        for name in names:
            for index in name.indices:
                assert not isinstance(index, syntax.Binder), "ranges are written out"
                self._read(index, name)
        refuse_too_many(self.ranges, "variables", names[-1].span, reader)

    def _read(self, index: syntax.Expression, name: syntax.Name) -> None:
        found, domain = self.reader.read(index)
        fail = self.reader.scope.fail
        if not is_number(domain):
            what = f"an index is a number, and this is {describe(domain)}"
            raise fail("G0301", what, index.span)
        if self.reader.names.may_be_fraction(found):
            what = "an index is a whole number, and `/` may give a fraction"
            raise fail("G0313", what, index.span, help="use `div`")
        low, high = bounds_of(found, self.reader.scope)
        if low is None or high is None:
            raise fail(
                "G0320",
                f"the index of `{name.text}` has no bounds",
                index.span,
                label="may be any number",
                help=f"bound it, as in `{name.text}[(i mod 3) + 1]`",
            )
        self.indices.append(found)
        self.ranges.append(range(low, high + 1))

    def written(self, values: Values) -> tuple[str, ...]:
        """Return the names with numbers in them."""
        rest = iter(values)
        return tuple(
            f"{name.text}[{','.join(show_integer(next(rest)) for _ in name.indices)}]"
            if name.indices
            else name.text
            for name in self.names
        )

    def shown(self) -> tuple[str, ...]:
        """Return the names with their indices as they are shown."""
        rest = iter(self.indices)
        return tuple(
            f"{name.text}[{', '.join(typed.show(next(rest)) for _ in name.indices)}]"
            if name.indices
            else name.text
            for name in self.names
        )

    @property
    def of_definitions(self) -> bool:
        """Return whether it stands for definitions, and not for variables."""
        first = self.written(tuple(each.start for each in self.ranges))
        return len(self.names) == 1 and first[0] in self.reader.names.defined_at

    def missing(self, member: str, values: Values) -> Reported:
        """Report that the indices may have values for which there is no member."""
        plain = [index for name in self.names for index in name.indices]
        several = len(plain) > 1
        ranges = [f"{show_integer(each[0])}..{show_integer(each[-1])}" for each in self.ranges]
        return self.reader.scope.fail(
            "G0320",
            f"{'the indices' if several else 'the index'} may be "
            f"{', '.join(map(show_integer, values))}, and there is no `{member}`",
            Span(plain[0].span.start, plain[-1].span.end),
            label=f"{'are' if several else 'is'} in {' and '.join(ranges)}",
            help="bound it, as in `(i mod 3) + 1`, or declare the variable",
        )


def refuse_too_many(
    ranges: Iterable[range], what: str, span: Span, reader: IndexValueReader
) -> None:
    """Refuse indices that have too many values together."""
    if prod(each.stop - each.start for each in ranges) > MAX_MEMBERS:
        raise reader.scope.fail(
            "G0505",
            f"by its indices this stands for more than {MAX_MEMBERS:,} {what}",
            span,
            label="too many",
            help="choose indices with fewer values",
        )


def equals(index: typed.Expression, value: int) -> typed.Expression:
    """Return the condition that an index has a value."""
    return typed.Compare("=", index, typed.Literal(value))


def read_indexed(reference: syntax.Reference, reader: IndexValueReader) -> Typed:
    """Return the member of a family that the indices choose in a state."""
    owner, name, span = reference.owner, reference.name, reference.span
    indexed = IndexedName((name,) if owner is None else (owner, name), reader)
    found = [(values, _member(indexed, values, span)) for values in product(*indexed.ranges)]
    domain = _common([member[1] for _, member in found], span, reader)
    members = [(values, member[0]) for values, member in found]
    if len(members) == 1:
        return members[0][1], domain
    if isinstance(domain, Boolean):
        body = _condition(indexed.indices, members)
    else:
        body = _chosen(indexed.indices, members, 0)
    return _named(indexed, body, domain), domain


def _named(indexed: IndexedName, body: typed.Expression, domain: Domain) -> typed.Expression:
    """Return a member with its name, so that it is shown as it is written, and shared."""
    names, scope = indexed.reader.names, indexed.reader.scope
    if not scope.shares_members:
        return limited(scope, body, indexed.names[-1].span)
    *agent, family = indexed.shown()
    own = f"{scope.owner.name}." if scope.owner is not None and not agent else ""
    if indexed.of_definitions:
        own = ""
    name = own + ".".join((*agent, family))
    found = names.members.get(name)
    if found is None:
        bounds = (domain.low, domain.high) if isinstance(domain, IntegerRange) else UNBOUNDED
        found = DefinedName(typed.Defined(name, body), domain, bounds=bounds)
        names.members[name] = found
    return found.expression


def _member(indexed: IndexedName, values: Values, span: Span) -> Typed:
    scope, names = indexed.reader.scope, indexed.reader.names
    *owner, name = indexed.written(values)
    if owner:
        if name not in scope.variables_of(owner[0]):
            raise indexed.missing(f"{owner[0]}.{name}", values)
        return scope.qualified(owner[0], name, span)
    own = scope.owner is not None and name in scope.owner.variables
    if not own and name not in names.defined_at:
        raise indexed.missing(name, values)
    return scope.bare(name, span, None)


def _common(domains: list[Domain], span: Span, reader: IndexValueReader) -> Domain:
    """Return what values members have together."""
    first = domains[0]
    for domain in domains[1:]:
        names = isinstance(first, Enumeration) and isinstance(domain, Enumeration)
        if not (names or comparable(first, domain)):
            raise reader.scope.fail(
                "G0301",
                f"by its index this is {describe(first)} or {describe(domain)}",
                span,
                label="members of different types",
            )
    if isinstance(first, Enumeration):
        values = [name for each in domains if isinstance(each, Enumeration) for name in each.names]
        return Enumeration(tuple(dict.fromkeys(values)))
    ranges = [domain for domain in domains if isinstance(domain, IntegerRange)]
    if not is_number(first):
        return first
    if len(ranges) < len(domains):
        return Integers()
    return IntegerRange(min(each.low for each in ranges), max(each.high for each in ranges))


def _chosen(
    indices: list[typed.Expression], members: list[tuple[Values, typed.Expression]], place: int
) -> typed.Expression:
    """Return the member of these indices, from a place among them on: ranges are halved."""
    first, last = members[0][0], members[-1][0]
    while place < len(indices) and first[place] == last[place]:
        place += 1
    if place == len(indices):
        return members[0][1]
    middle = (first[place] + last[place]) // 2
    lower = [item for item in members if item[0][place] <= middle]
    upper = [item for item in members if item[0][place] > middle]
    return typed.Conditional(
        typed.Compare("<=", indices[place], typed.Literal(middle)),
        _chosen(indices, lower, place),
        _chosen(indices, upper, place),
    )


def _condition(
    indices: list[typed.Expression], members: list[tuple[Values, typed.Expression]]
) -> typed.Expression:
    """Return whether the member of these indices is true."""
    return typed.Or(
        tuple(typed.And((*map(equals, indices, values), member)) for values, member in members)
    )
