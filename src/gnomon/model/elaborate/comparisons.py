"""Comparisons: whether the two sides go together, and whether a constant is within a variable's bounds."""

from typing import Final

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.domain import (
    Domain,
    IntegerRange,
    OpenEnumeration,
    comparable,
    contains,
    is_number,
    show_value,
)
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.scope import Scope
from gnomon.text.errors import Reported

#: The comparisons that only numbers have.
ORDERED: Final = ("<", "<=", ">", ">=")


def check_comparable(scope: Scope, binary: syntax.Binary, left: Domain, right: Domain) -> None:
    """Refuse a comparison of values that have nothing to do with each other, or have no order."""
    if is_number(left) and is_number(right):
        return
    differ = isinstance(left, OpenEnumeration) and left != right
    if type(left) is not type(right) or differ:
        raise mismatch(scope, binary, left, right)
    if binary.operator in ORDERED:
        raise scope.fail(
            "G0303",
            f"`{binary.operator}` compares numbers, and these are {describe(left)}",
            binary.span,
            help="use `=` or `<>`",
        )
    if not comparable(left, right):
        raise mismatch(scope, binary, left, right)


def mismatch(scope: Scope, binary: syntax.Binary, left: Domain, right: Domain) -> Reported:
    """Report that an operator stands between values that it cannot join."""
    return scope.fail(
        "G0301",
        f"`{binary.operator}` cannot join {describe(left)} and {describe(right)}",
        binary.span,
        label="the two sides have different types",
    )


def check_bound(
    scope: Scope,
    binary: syntax.Binary,
    side: syntax.Expression,
    other: typed.Expression,
    *,
    flipped: bool,
) -> None:
    """Look at a comparison of a variable with a constant that it cannot have."""
    if not isinstance(other, typed.Literal):
        return
    variable = scope.variable(side)
    if variable is None:
        return
    domain, constant = variable.domain, other.value
    if not isinstance(domain, IntegerRange) or contains(domain, constant):
        return
    assert isinstance(constant, int), "only numbers are comparable with numbers"
    shown = f"`{variable.name}` is in {domain}"
    empty = about_empty_sum(binary.left if flipped else binary.right)
    if binary.operator in ("=", "<>"):
        raise scope.fail(
            "G0304",
            f"{shown} and can never be {show_value(constant)}",
            binary.span,
            label="outside its range",
            notes=empty,
        )
    grows = binary.operator in ("<", "<=")
    truth = (constant > domain.high) == (grows != flipped)
    scope.diagnostics.add(
        "G0401",
        f"this is always {show_value(truth)}: {shown}",
        binary.span,
        label=f"always {show_value(truth)}",
        notes=(
            *empty,
            "MCMAS rejects a comparison with a constant outside the variable's range",
        ),
    )


def check_range(
    scope: Scope,
    side: syntax.Expression,
    member: syntax.RangeType,
    low: typed.Expression,
    high: typed.Expression,
) -> None:
    """Refuse a constant range that has no value, or none that a variable can have."""
    if not isinstance(low, typed.Literal) or not isinstance(high, typed.Literal):
        return
    assert isinstance(low.value, int), "the ends of a range are numbers"
    assert isinstance(high.value, int), "the ends of a range are numbers"
    shown = IntegerRange(low.value, high.value)
    if low.value > high.value:
        raise scope.fail("G0304", f"the range {shown} is empty", member.span)
    variable = scope.variable(side)
    domain = None if variable is None else variable.domain
    outside = isinstance(domain, IntegerRange) and (
        high.value < domain.low or domain.high < low.value
    )
    if variable is not None and outside:
        raise scope.fail(
            "G0304",
            f"`{variable.name}` is in {domain} and can never be in {shown}",
            member.span,
            label="outside its range",
        )


def about_empty_sum(value: syntax.Expression) -> tuple[str, ...]:
    """Return a note on a value that is 0 only because nothing was added up."""
    if not isinstance(value, syntax.EmptySum):
        return ()
    where = f" for {value.settings}" if value.settings else ""
    return (f"this `{value.word}` runs through no value at all{where}, and so it is 0",)
