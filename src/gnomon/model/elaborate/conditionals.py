"""Choices between values: `if`, `min`, `max`, `abs`, `number`, `in`, and actions as values.

In the model they are all conditionals, or conditions made of `and` and `or`. Each of them says its operands
more than once: that is shared, and what becomes too large to be written is refused.
"""

from typing import Final, Protocol

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.chosen import absolute, action_taken, either, extreme, joined, number_of_truth
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    comparable,
    is_number,
    is_within,
)
from gnomon.model.elaborate.comparisons import check_bound, check_comparable, check_range, mismatch
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.problems import each
from gnomon.model.elaborate.scope import Scope, Typed
from gnomon.model.printing import shown_size
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_BOOLEAN: Final = Boolean()
#: The most parts that one of these may have once it is written out.
MAX_PARTS: Final = 50_000
#: The most values that are compared with each other: more have too many parts, and that takes long to find.
_MAX_VALUES: Final = 300
#: How many values each function takes: at least, and at most.
_ARITY: Final = {"min": (1, None), "max": (1, None), "abs": (1, 1), "number": (1, 1)}


class ValueReader(Protocol):
    """What reads the expressions that a choice is made of."""

    @property
    def scope(self) -> Scope:
        """Return what names mean."""

    def read(self, expression: syntax.Expression, expected: Domain | None = None) -> Typed:
        """Return an expression with its type."""

    def condition(self, expression: syntax.Expression) -> typed.Expression:
        """Return an expression as a condition."""

    def number(self, expression: syntax.Expression) -> typed.Expression:
        """Return an expression as a number."""


Choice = syntax.IfThenElse | syntax.Membership | syntax.Application | syntax.ActionOf


def read_choice(reader: ValueReader, expression: Choice, expected: Domain | None) -> Typed:
    """Return what one of these means; `expected` tells whose value a bare name may be."""
    match expression:
        case syntax.IfThenElse():
            return _conditional(reader, expression, expected)
        case syntax.Membership():
            return _membership(reader, expression)
        case syntax.Application():
            return _function(reader, expression)
        case syntax.ActionOf():
            does, domain = reader.scope.possible_actions(expression)
            return action_taken(does[0].agent, domain.names), domain


def limited(scope: Scope, result: typed.Expression, span: Span) -> typed.Expression:
    """Return what was written out, or refuse it where it is too large."""
    if shown_size(result) > MAX_PARTS:
        raise scope.fail(
            "G0323",
            f"written out, this has more than {MAX_PARTS:,} parts",
            span,
            label="too large",
            help="use fewer or smaller operands: each is written out several times",
        )
    return result


# if


def _conditional(reader: ValueReader, chosen: syntax.IfThenElse, expected: Domain | None) -> Typed:
    condition: typed.Expression | None = None
    try:
        condition = reader.condition(chosen.condition)
    except Reported:
        _branches(reader, chosen, expected)
        raise
    (then, left), (otherwise, right) = _branches(reader, chosen, expected)
    domain = _joined(left, right, expected)
    if domain is None:
        raise reader.scope.fail(
            "G0301",
            f"`if` cannot choose between {describe(left)} and {describe(right)}",
            chosen.span,
            label="the two values have different types",
        )
    choose = either if isinstance(domain, Boolean) else typed.Conditional
    return limited(reader.scope, choose(condition, then, otherwise), chosen.span), domain


def _branches(
    reader: ValueReader, chosen: syntax.IfThenElse, expected: Domain | None
) -> tuple[Typed, Typed]:
    """Return both values; a bare name is read with the type of the other."""
    scope = reader.scope
    if scope.is_value(chosen.then) and not scope.is_value(chosen.otherwise):
        otherwise = reader.read(chosen.otherwise, expected)
        return reader.read(chosen.then, expected or otherwise[1]), otherwise
    try:
        then = reader.read(chosen.then, expected)
    except Reported:
        if not scope.is_value(chosen.otherwise):
            reader.read(chosen.otherwise, expected)
        raise
    return then, reader.read(chosen.otherwise, expected or then[1])


def _joined(left: Domain, right: Domain, expected: Domain | None) -> Domain | None:
    """Return a domain with the values of both; names go together where one type, or the expected, has all."""
    if isinstance(left, Enumeration) and isinstance(right, Enumeration):
        both = (left, right)
        within = expected is not None and all(
            comparable(expected, side) and is_within(side, expected) for side in both
        )
        if not within and not comparable(left, right):
            return None
    return joined(left, right)


# Functions


def _function(reader: ValueReader, applied: syntax.Application) -> Typed:
    name, arguments, span = applied.relation.text, applied.arguments, applied.span
    least, most = _ARITY[name]
    if not least <= len(arguments) <= (most or len(arguments)):
        raise reader.scope.fail(
            "G0324", f"`{name}` takes one value, and here are {len(arguments)}", span
        )
    if name == "number":
        return number_of_truth(reader.condition(arguments[0])), IntegerRange(0, 1)
    if len(arguments) > _MAX_VALUES:
        raise reader.scope.fail(
            "G0323",
            f"each two of the values are compared, and here are {len(arguments):,}",
            span,
            label="too large",
            help=f"`{name}` takes {_MAX_VALUES} values at most",
        )
    values = each(reader.number, arguments)
    result = absolute(values[0]) if name == "abs" else extreme(values, smallest=name == "min")
    return limited(reader.scope, result, span), Integers()


# in


def _membership(reader: ValueReader, asked: syntax.Membership) -> Typed:
    value, domain = reader.read(asked.value)
    found = each(lambda member: _is_member(reader, asked, member, (value, domain)), asked.members)
    result = found[0] if len(found) == 1 else typed.Or(found)
    return limited(reader.scope, result, asked.span), _BOOLEAN


def _is_member(
    reader: ValueReader,
    asked: syntax.Membership,
    member: syntax.Expression | syntax.RangeType,
    given: Typed,
) -> typed.Expression:
    value, domain = given
    scope = reader.scope
    if isinstance(member, syntax.RangeType):
        if not is_number(domain):
            message = f"a range has numbers, and this is {describe(domain)}"
            raise scope.fail("G0301", message, asked.value.span)
        low, high = reader.number(member.low), reader.number(member.high)
        check_range(scope, asked.value, member, low, high)
        return typed.And((typed.Compare(">=", value, low), typed.Compare("<=", value, high)))
    other, its_domain = reader.read(member, domain)
    test = syntax.Binary("=", asked.value, member, member.span)
    check_comparable(scope, test, domain, its_domain)
    check_bound(scope, test, asked.value, other, flipped=False)
    return typed.Compare("=", value, other)


# Actions as values


def compare_actions(reader: ValueReader, binary: syntax.Binary) -> typed.Expression:
    """Return whether what an agent does is a value: the same action of another agent, say."""
    left, right = binary.left, binary.right
    if not isinstance(left, syntax.ActionOf):
        left, right = right, left
    assert isinstance(left, syntax.ActionOf)
    does, actions = reader.scope.possible_actions(left, compared=True)
    same: list[typed.Expression]
    if isinstance(right, syntax.ActionOf):
        others, domain = reader.scope.possible_actions(right, compared=True)
        by_name = {other.action: other for other in others}
        same = [typed.And((test, by_name[test.action])) for test in does if test.action in by_name]
    else:
        value, domain_of_value = reader.read(right, actions)
        if not isinstance(domain_of_value, Enumeration):
            raise mismatch(reader.scope, binary, actions, domain_of_value)
        domain = domain_of_value
        same = [
            typed.And((test, typed.Compare("=", value, typed.Literal(test.action))))
            for test in does
            if test.action in domain.names
        ]
    if not same:
        raise reader.scope.fail(
            "G0301",
            f"{describe(actions)} is never {describe(domain)}: they have nothing in common",
            binary.span,
        )
    result = limited(reader.scope, typed.Or(tuple(same)), binary.span)
    return result if binary.operator == "=" else typed.Not(result)
