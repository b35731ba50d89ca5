"""Indices: their values, the ranges that they run through, and the names that they give."""

from collections.abc import Iterator, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Final, TypeAlias

from gnomon.language import syntax
from gnomon.language.expand.size import Size
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.numbers import show_integer
from gnomon.text.record import walk
from gnomon.text.source import Span

_MAX_BITS: Final = 4096
#: So many characters of a name count as much as another name.
LONG_NAME: Final = 64

_COMPARISONS: Final = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}

#: The value of each index that is bound; constants are everywhere.
Bindings: TypeAlias = Mapping[str, int]


class IndexReader:
    """Works out indices, bounds and conditions on them, and writes out names."""

    def __init__(
        self,
        diagnostics: Diagnostics,
        constants: Mapping[str, int],
        functions: frozenset[str] = syntax.FUNCTIONS,
    ) -> None:
        """Read with these constants; whatever else than `functions` is applied to values is a relation."""
        self.functions = functions
        self.diagnostics = diagnostics
        self.fail = diagnostics.fail
        self.constants = constants
        self.size = Size(diagnostics)

    def integer(self, expression: syntax.Expression, bound: Bindings) -> int:
        """Return the value of an index or a bound."""
        self.size.work(expression.span)
        match expression:
            case syntax.Number(value):
                return value
            case syntax.Reference(None, syntax.Name(text, ())) if text in bound:
                return bound[text]
            case syntax.Reference(None, syntax.Name(text, ())) if text in self.constants:
                return self.constants[text]
            case syntax.Reference(_, name, span):
                known = () if self.diagnostics.full else (*bound, *self.constants)
                raise self.fail(
                    "G0503",
                    f"`{name.text}` is neither a constant nor an index here",
                    span,
                    help=self.diagnostics.did_you_mean(name.text, known),
                )
            case syntax.Chain("+", operands):
                return sum(self.integer(operand, bound) for operand in operands)
            case syntax.Unary("-", operand):
                return -self.integer(operand, bound)
            case syntax.Binary("*" | "/" | "div" | "mod" as operator, left, right, span):
                return self._calculate(
                    operator, self.integer(left, bound), self.integer(right, bound), span
                )
            case syntax.IfThenElse(condition, then, otherwise):
                return self.integer(then if self.condition(condition, bound) else otherwise, bound)
            case syntax.Application(syntax.Name("number", ()), (condition,)):
                return int(self.condition(condition, bound))
            case syntax.Application(syntax.Name("abs", ()), (argument,)):
                return abs(self.integer(argument, bound))
            case syntax.Application(syntax.Name("min" | "max" as name, ()), arguments):
                values = [self.integer(argument, bound) for argument in arguments]
                return min(values) if name == "min" else max(values)
            case syntax.Quantified("sum" | "count" as word, binders, body):
                part = self.integer if word == "sum" else self.condition
                return sum(part(body, inner) for inner in self.bindings(binders, bound))
            case _:
                raise self.fail("G0504", "an index or a bound must be a number", expression.span)

    def _calculate(self, operator: str, left: int, right: int, span: Span) -> int:
        if operator == "*":
            if left.bit_length() + right.bit_length() > _MAX_BITS:
                raise self.fail("G0504", "an index or a bound is too large a number", span)
            return left * right
        if right == 0:
            raise self.fail("G0504", "an index or a bound divides by zero", span)
        remainder = left % abs(right)
        if operator == "mod":
            return remainder
        if operator == "/" and remainder:
            quotient = f"{show_integer(left)} / {show_integer(right)}"
            raise self.fail("G0504", f"{quotient} is not an integer", span, help="use `div`")
        return (left - remainder) // right

    def condition(self, expression: syntax.Expression, bound: Bindings) -> bool:
        """Return whether a condition on indices and constants holds."""
        self.size.work(expression.span)
        match expression:
            case syntax.Truth(value):
                return value
            case syntax.Unary("!", operand):
                return not self.condition(operand, bound)
            case syntax.Chain("and", operands):
                return all(self.condition(operand, bound) for operand in operands)
            case syntax.Chain("or", operands):
                return any(self.condition(operand, bound) for operand in operands)
            case syntax.Binary("=" | "<>" | "<" | "<=" | ">" | ">=" as operator, left, right):
                compare = _COMPARISONS[operator]
                return bool(compare(self.integer(left, bound), self.integer(right, bound)))
            case syntax.Binary("->", left, right):
                return not self.condition(left, bound) or self.condition(right, bound)
            case syntax.Binary("<->" | "xor" as operator, left, right):
                same = self.condition(left, bound) == self.condition(right, bound)
                return same == (operator == "<->")
            case syntax.IfThenElse(chosen, then, otherwise):
                return self.condition(then if self.condition(chosen, bound) else otherwise, bound)
            case syntax.Membership(value, members):
                number = self.integer(value, bound)
                return any(self._is_member(number, member, bound) for member in members)
            case syntax.Quantified("exists" | "forall" as word, binders, body):
                join = any if word == "exists" else all
                return join(self.condition(body, inner) for inner in self.bindings(binders, bound))
            case _:
                raise self.fail(
                    "G0504", "only indices and constants can be compared here", expression.span
                )

    def _is_member(
        self, number: int, member: syntax.Expression | syntax.RangeType, bound: Bindings
    ) -> bool:
        if not isinstance(member, syntax.RangeType):
            return number == self.integer(member, bound)
        return self.integer(member.low, bound) <= number <= self.integer(member.high, bound)

    def is_constant(self, expression: syntax.Expression, bound: Bindings) -> bool:
        """Return whether constants and indices alone decide a condition."""
        inside: set[str] = set()
        named = False
        for part in walk(expression):
            match part:
                case syntax.Binder(variable, syntax.RangeType()):
                    inside.add(variable)
                case syntax.Binder() | syntax.ActionIs() | syntax.ActionOf() | syntax.Unary("~"):
                    return False
                case syntax.Application(syntax.Name(text)) if text not in self.functions:
                    return False
                case syntax.Binary("&" | "|" | "^"):
                    return False
                case syntax.Reference(None, syntax.Name(text, ())):
                    if text not in bound and text not in self.constants and text not in inside:
                        return False
                    named = True
                case syntax.Reference():
                    return False
                case _:
                    pass
        return named

    # Ranges

    def bindings(self, binders: tuple[syntax.Binder, ...], bound: Bindings) -> Iterator[Bindings]:
        """Yield the values of all indices, once for every combination of values of range binders."""
        if not binders:
            yield bound
            return
        first, rest = binders[0], binders[1:]
        if not isinstance(first.domain, syntax.RangeType):
            raise self.fail("G0504", "an index runs through a range, `1..n`", first.span)
        if first.variable in bound or first.variable in self.constants:
            raise self.fail(
                "G0502", f"`{first.variable}` is already a constant or an index here", first.span
            )
        low = self.integer(first.domain.low, bound)
        high = self.integer(first.domain.high, bound)
        running = self.size.begin(low, high, first.span)
        try:
            for value in range(low, high + 1):
                self.size.count(first.span)
                inner = {**bound, first.variable: value}
                if first.where is None or self.condition(first.where, inner):
                    yield from self.bindings(rest, inner)
                running.done += 1
        finally:
            # Where a line is given up, what runs inside another may end after it.
            self.size.running.remove(running)

    # Names

    def name(self, name: syntax.Name, bound: Bindings) -> syntax.Name:
        """Return the name of one member of a family."""
        if not name.indices:
            return name
        self.size.write(name.span, 1 + len(name.text) // LONG_NAME)
        numbers: list[str] = []
        for index in name.indices:
            if isinstance(index, syntax.Binder):
                raise self.fail(
                    "G0506", "a range cannot stand here: it names one thing", index.span
                )
            numbers.append(show_integer(self.integer(index, bound)))
        return syntax.Name(f"{name.text}[{','.join(numbers)}]", (), name.span)

    def names(self, names: tuple[syntax.Name, ...], bound: Bindings) -> tuple[syntax.Name, ...]:
        """Return all the names that some names with ranges stand for."""
        return tuple(full for name in names for full, _ in self.family(name, bound))

    def members(
        self, members: tuple[syntax.Members, ...], bound: Bindings
    ) -> tuple[syntax.Members, ...]:
        """Return all the agents and groups that some with ranges stand for."""
        found: list[syntax.Members] = []
        for each in members:
            match each:
                case syntax.Name():
                    found += self.names((each,), bound)
                case syntax.GroupDifference(group, removed, span):
                    group = self.name(group, bound)
                    found.append(syntax.GroupDifference(group, self.names(removed, bound), span))
        return tuple(found)

    def family(self, name: syntax.Name, bound: Bindings) -> Iterator[tuple[syntax.Name, Bindings]]:
        """Yield each member that a name with ranges stands for, and the values of indices that gave it."""
        binders = tuple(index for index in name.indices if isinstance(index, syntax.Binder))
        for binder in binders:
            if not isinstance(binder.domain, syntax.RangeType):
                raise self.fail("G0504", "an index runs through a range, `1..n`", binder.span)
        for inner in self.bindings(binders, bound):
            numbers = [
                inner[index.variable]
                if isinstance(index, syntax.Binder)
                else self.integer(index, inner)
                for index in name.indices
            ]
            text = f"{name.text}[{','.join(map(show_integer, numbers))}]" if numbers else name.text
            self.size.write(name.span, 1 + len(text) // LONG_NAME)
            yield syntax.Name(text, (), name.span), inner
