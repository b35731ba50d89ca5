"""Parameters, and counts compared with linear terms of them: `count j : Node (j.sent) + f >= n - t`."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from gnomon.language import syntax
from gnomon.model.elaborate.templates.counts import Counted, CountedAgents
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.parameterised.condition import (
    TRUE,
    And,
    Condition,
    Enough,
    Not,
    Or,
    Tally,
    walk,
)
from gnomon.model.parameterised.linear import ZERO, LinearTerm, linear, plus, scaled
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_COMPARED: Final = frozenset(["=", "<>", "<", "<=", ">", ">="])
_HELP: Final = (
    "write numbers, parameters and counts, added and taken a fixed number of times, as in "
    "`count j : Node (j.sent = true) + f >= n - 2 * t`"
)

#: What a count is of.
ReadCount: TypeAlias = Callable[[syntax.Quantified], Counted]


class _CountSum(NamedTuple):
    """Counts, each so many times, and a linear term."""

    counts: tuple[tuple[int, Tally], ...]
    rest: LinearTerm


def declare_parameters(
    program: syntax.Program, names: PopulationNames, diagnostics: Diagnostics
) -> None:
    """Collect the parameters; names of constants and definitions are taken."""
    constants = {constant.name: constant.span for constant in program.constants}
    taken = {**constants, **names.defined_at}
    for line in program.parameters:
        for name in line.names:
            first = taken.get(name.text)
            if first is not None:
                message = f"parameter `{name.text}` has the name of something else"
                here = (Label(first, "here it is, too"),)
                diagnostics.add("G0502", message, name.span, related=here)
            taken.setdefault(name.text, name.span)
            names.parameters[name.text] = name.span
    if program.assumptions and not program.parameters:
        span = _span(program.assumptions[0])
        message = "there are no parameters of which something could be assumed"
        diagnostics.add(
            "G0724", message, span, help="declare them: `Parameters n, t; end Parameters`"
        )


def check_parameters(names: PopulationNames, diagnostics: Diagnostics) -> None:
    """Report parameters that have the name of a variable or of a value."""
    for name, span in names.parameters.items():
        owners = names.owners_of(name)
        if owners or names.has_value(name):
            what = f"a variable of `{owners[0]}`" if owners else "a value"
            message = f"parameter `{name}` has the name of {what}"
            diagnostics.add("G0502", message, span, help="choose another name")


def compares_parameters(binary: syntax.Binary, names: PopulationNames) -> bool:
    """Return whether counts or parameters are compared, in a program that has parameters."""
    if not names.parameters or binary.operator not in _COMPARED:
        return False
    return any(
        _is_counted(leaf, names) for side in (binary.left, binary.right) for leaf in _leaves(side)
    )


def _is_counted(leaf: syntax.Expression, names: PopulationNames) -> bool:
    match leaf:
        case syntax.Quantified("count"):
            return True
        case syntax.Reference(None, syntax.Name(text, ())):
            body = names.bodies.get(text)
            if text in names.parameters or body is None:
                return text in names.parameters
            return any(_is_counted(each, names) for each in _leaves(body))
        case _:
            return False


def _leaves(expression: syntax.Expression) -> Iterator[syntax.Expression]:
    """Yield what sums, differences and products are made of."""
    waiting = [expression]
    while waiting:
        match waiting.pop():
            case syntax.Chain("+", operands):
                waiting.extend(operands)
            case syntax.Binary("-" | "*" | "/" | "div" | "mod", left, right):
                waiting += [left, right]
            case syntax.Unary("-", operand):
                waiting.append(operand)
            case leaf:
                yield leaf


class ThresholdReader:
    """Reads comparisons of counts and parameters in one section; `counted` says what a count is of."""

    def __init__(self, scope: IndexScope, counted: ReadCount | None = None) -> None:
        """Read with these names; without `counted`, nothing is counted."""
        self._scope = scope
        self._counted = counted

    def compared(self, binary: syntax.Binary) -> Condition:
        """Return what a comparison says."""
        if self._scope.alone and self._scope.every:
            message = "where agents start does not depend on parameters"
            help_ = "say it in `Assume`, or in the formula"
            raise self._scope.fail("G0724", message, binary.span, help=help_)
        left, right = self._sum(binary.left), self._sum(binary.right)
        match binary.operator:
            case ">=":
                return _at_least(left, right, 0)
            case ">":
                return _at_least(left, right, 1)
            case "<=":
                return _at_least(right, left, 0)
            case "<":
                return _at_least(right, left, 1)
            case "=":
                return And((_at_least(left, right, 0), _at_least(right, left, 0)))
            case _:
                return Or((_at_least(left, right, 1), _at_least(right, left, 1)))

    def linear(self, expression: syntax.Expression) -> LinearTerm:
        """Return a linear term of parameters, in which nothing is counted."""
        found = self._sum(expression)
        if found.counts:
            raise self._fail("agents are counted here", expression.span)
        return found.rest

    def _sum(self, expression: syntax.Expression) -> _CountSum:
        match expression:
            case syntax.Number(value):
                return _CountSum((), LinearTerm((), value))
            case syntax.Chain("+", operands):
                found = _CountSum((), ZERO)
                for operand in operands:
                    found = _added(found, self._sum(operand))
                return found
            case syntax.Binary("-", left, right):
                return _added(self._sum(left), _times(self._sum(right), -1))
            case syntax.Unary("-", operand):
                return _times(self._sum(operand), -1)
            case syntax.Binary("*", left, right, span):
                return self._product(self._sum(left), self._sum(right), span)
            case syntax.Quantified("count", _, _, span):
                return self._tally(expression, span)
            case syntax.Reference(None, syntax.Name(text, ()), span):
                return self._named(text, span)
            case _:
                raise self._fail(
                    "this is neither a count nor a linear term of parameters", expression.span
                )

    def _product(self, left: _CountSum, right: _CountSum, span: Span) -> _CountSum:
        for one, other in ((left, right), (right, left)):
            if not one.counts and not one.rest.times:
                return _times(other, one.rest.number)
        raise self._fail("parameters and counts are not multiplied with each other", span)

    def _named(self, name: str, span: Span) -> _CountSum:
        names = self._scope.names
        if name in names.parameters:
            return _CountSum((), linear({name: 1}, 0))
        if name in names.bodies:
            return self._sum(names.body(name, span))
        raise self._fail(
            f"`{name}` is no parameter, and beside counts and parameters nothing else can stand",
            span,
        )

    def _tally(self, count: syntax.Quantified, span: Span) -> _CountSum:
        counted = None if self._counted is None else self._counted(count)
        if not isinstance(counted, CountedAgents):
            raise self._fail("only agents are counted here", span)
        tally = Tally(counted.index, counted.template, counted.body, span)
        return _CountSum(((1, tally),), ZERO)

    def _fail(self, message: str, span: Span) -> Reported:
        return self._scope.fail("G0724", message, span, help=_HELP)


def _added(one: _CountSum, other: _CountSum) -> _CountSum:
    return _CountSum((*one.counts, *other.counts), plus(one.rest, other.rest))


def _times(one: _CountSum, factor: int) -> _CountSum:
    counts = tuple((factor * k, tally) for k, tally in one.counts if factor)
    return _CountSum(counts, scaled(one.rest, factor))


def _at_least(one: _CountSum, other: _CountSum, more: int) -> Enough:
    """Return that one sum is larger than another by so many, or more."""
    counts, rest = _added(one, _times(other, -1))
    return Enough(counts, plus(rest, LinearTerm((), -more)))


# What is assumed


def check_assumption(condition: Condition, span: Span, diagnostics: Diagnostics) -> None:
    """Report an assumption that is about more than parameters."""
    for part in walk(condition):
        if isinstance(part, Enough | Not | And | Or) or part in (TRUE, Not(TRUE)):
            continue
        diagnostics.add(
            "G0724",
            "assumptions speak of parameters alone",
            span,
            help="write comparisons of linear terms, as in `n > 3 * t`",
        )
        return


def _span(line: object) -> Span:
    span = getattr(line, "span", None)
    return span if isinstance(span, Span) else Span(0, 0)
