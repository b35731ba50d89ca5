"""Conditions without `if`, `in`, `min`, `<->` and the like, as far as they do not become too large.

A choice is lifted out of what it stands in: `x + (if c then 1 else 2) = y` says that `c` and `x + 1 = y`, or
that `c` does not hold and `x + 2 = y`.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import Final, Literal, TypeAlias

from gnomon.language import syntax
from gnomon.text.errors import Unable
from gnomon.text.record import replace, walk
from gnomon.text.source import Span

#: The most operators and operands that one condition may have when it is written without them.
MAX_PARTS: Final = 2_000

_COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}

#: A value where some conditions hold.
_Case: TypeAlias = tuple[tuple[syntax.Expression, ...], syntax.Expression]


class LiftedTooLarge(Unable):
    """Without `if` and the like, a condition would become too large."""


def is_choice(part: object, functions: frozenset[str] = syntax.FUNCTIONS) -> bool:
    """Return whether this is one of the operators that can be said in other words."""
    match part:
        case syntax.IfThenElse() | syntax.Membership() | syntax.Binary("<->" | "xor"):
            return True
        case syntax.Application(syntax.Name(text)):
            return text in functions
        case _:
            return False


def has_choice(expression: syntax.Expression, functions: frozenset[str] = syntax.FUNCTIONS) -> bool:
    """Return whether one of these operators occurs."""
    return any(is_choice(part, functions) for part in walk(expression))


class Lifter:
    """Writes conditions and values without choices; what else is applied to values than `functions` stays."""

    def __init__(
        self,
        functions: frozenset[str] = syntax.FUNCTIONS,
        most_parts: int = MAX_PARTS,
        values: Collection[str] = (),
    ) -> None:
        """Write no more than so many parts; names in `values` are values of enumerations."""
        self.functions = functions
        self.values = values
        self.left = most_parts

    def condition(self, condition: syntax.Expression) -> syntax.Expression:
        """Return a condition without choices."""
        self._count()
        match condition:
            case syntax.Chain("and" | "or", operands):
                return replace(condition, operands=tuple(map(self.condition, operands)))
            case syntax.Unary("!", operand):
                return replace(condition, operand=self.condition(operand))
            case syntax.Binary("->", left, right, span):
                return _join("or", (opposite(self.condition(left)), self.condition(right)), span)
            case syntax.Binary("<->", left, right, span):
                return self._either(left, right, opposite(right), span)
            case syntax.Binary("xor", left, right, span):
                return self._either(left, opposite(right), right, span)
            case syntax.IfThenElse(chosen, then, otherwise, span):
                return self._either(chosen, then, otherwise, span)
            case syntax.Membership(value, members, span):
                tests = (_member(value, member) for member in members)
                return _join("or", map(self.condition, tests), span)
            case syntax.Quantified("exists" | "forall" | "count", _, body):
                return replace(condition, body=self.condition(body))
            case syntax.Binary(operator, left, right, span) if operator in _COMPARE:
                return self._lifted(
                    (left, right), span, lambda a, b: replace(condition, left=a, right=b)
                )
            case syntax.Application(_, arguments, span):
                return self._lifted(arguments, span, lambda *new: replace(condition, arguments=new))
            case syntax.Reference(span=span):
                # MCMAS takes no variable for a condition.
                return syntax.Binary("=", condition, syntax.Truth(True, span), span)
            case _:
                return condition

    def _either(
        self,
        chosen: syntax.Expression,
        then: syntax.Expression,
        otherwise: syntax.Expression,
        span: Span,
    ) -> syntax.Expression:
        """Return that one condition holds where another does, and a third where it does not."""
        first = _join("and", (self.condition(chosen), self.condition(then)), span)
        second = _join("and", (opposite(self.condition(chosen)), self.condition(otherwise)), span)
        return _join("or", (first, second), span)

    def _lifted(
        self,
        values: tuple[syntax.Expression, ...],
        span: Span,
        join: Callable[..., syntax.Expression],
    ) -> syntax.Expression:
        """Return a condition on some values, with the choices of the values outside of it."""
        tests: list[syntax.Expression] = []
        for cases in product(*map(self.cases, values)):
            self._count(sum(len(conditions) + 1 for conditions, _ in cases))
            given = tuple(condition for conditions, _ in cases for condition in conditions)
            test = join(*(value for _, value in cases))
            known = self._decided(test)
            if known is None:
                given = (*given, test)
            if known is not False:
                tests.append(_join("and", given, span) if given else syntax.Truth(True, span))
        return _join("or", tests, span) if tests else syntax.Truth(False, span)

    def cases(self, value: syntax.Expression) -> list[_Case]:
        """Return the values that a value with choices comes to, each with the conditions for it."""
        self._count()
        match value:
            case syntax.IfThenElse(chosen, then, otherwise):
                where, elsewhere = self.condition(chosen), opposite(self.condition(chosen))
                found = [((where, *given), case) for given, case in self.cases(then)]
                return found + [
                    ((elsewhere, *given), case) for given, case in self.cases(otherwise)
                ]
            case syntax.Application(syntax.Name(text)) if text in self.functions:
                return self.cases(_written_out(value))
            case syntax.Application(_, operands) | syntax.Chain("+", operands):
                field = "operands" if isinstance(value, syntax.Chain) else "arguments"
                return self._combined(operands, lambda *new: replace(value, **{field: new}))
            case syntax.Unary("-" | "~", operand):
                return self._combined((operand,), lambda new: replace(value, operand=new))
            case syntax.Binary("*" | "/" | "div" | "mod" | "&" | "|" | "^", left, right):
                return self._combined((left, right), lambda a, b: replace(value, left=a, right=b))
            case syntax.Reference():
                return [((), value)]
            case _:
                return [((), self.condition(value))]

    def _combined(
        self, operands: tuple[syntax.Expression, ...], join: Callable[..., syntax.Expression]
    ) -> list[_Case]:
        found: list[_Case] = []
        for cases in product(*map(self.cases, operands)):
            given = tuple(condition for conditions, _ in cases for condition in conditions)
            self._count(1 + len(given) + len(cases))
            found.append((given, join(*(case for _, case in cases))))
        return found

    def _decided(self, test: syntax.Expression) -> bool | None:
        """Return what a comparison of two numbers, or of two names of values, comes to, None for others."""
        match test:
            case syntax.Binary(
                "=" | "<>" as operator,
                syntax.Reference(None, syntax.Name(left, ())),
                syntax.Reference(None, syntax.Name(right, ())),
            ) if left in self.values and right in self.values:
                # No program could say it: one side of a comparison has a type.
                return (left == right) == (operator == "=")
            case syntax.Binary(operator, left, right) if operator in _COMPARE:
                first, second = _number(left), _number(right)
                if first is not None and second is not None:
                    return bool(_COMPARE[operator](first, second))
                return None
            case _:
                return None

    def _count(self, parts: int = 1) -> None:
        self.left -= parts
        if self.left < 0:
            raise LiftedTooLarge


def _number(value: syntax.Expression) -> int | None:
    """Return the number that a sum of numbers is, None for any other value."""
    match value:
        case syntax.Number(number):
            return number
        case syntax.Unary("-", operand):
            inner = _number(operand)
            return None if inner is None else -inner
        case syntax.Chain("+", operands):
            terms = [term for term in map(_number, operands) if term is not None]
            return sum(terms) if len(terms) == len(operands) else None
        case _:
            return None


def opposite(condition: syntax.Expression) -> syntax.Expression:
    """Return the opposite of a condition."""
    match condition:
        case syntax.Unary("!", operand):
            return operand
        case _:
            return syntax.Unary("!", condition, condition.span)


def _join(
    word: Literal["and", "or"], operands: Iterable[syntax.Expression], span: Span
) -> syntax.Expression:
    found = tuple(operands)
    return found[0] if len(found) == 1 else syntax.Chain(word, found, span)


def _member(
    value: syntax.Expression, member: syntax.Expression | syntax.RangeType
) -> syntax.Expression:
    span = member.span
    if not isinstance(member, syntax.RangeType):
        return syntax.Binary("=", value, member, span)
    ends = (
        syntax.Binary(">=", value, member.low, span),
        syntax.Binary("<=", value, member.high, span),
    )
    return syntax.Chain("and", ends, span)


def _written_out(applied: syntax.Application) -> syntax.Expression:
    """Return what a function gives, with `if`."""
    arguments, span = applied.arguments, applied.span
    match applied.relation.text:
        case "number":
            one, zero = syntax.Number(1, span), syntax.Number(0, span)
            return syntax.IfThenElse(arguments[0], one, zero, span)
        case "abs":
            [value] = arguments
            zero = syntax.Number(0, span)
            # MCMAS has no minus sign before anything but numbers.
            without_sign = syntax.Chain("+", (zero, syntax.Unary("-", value, span)), span)
            return syntax.IfThenElse(
                syntax.Binary("<", value, zero, span), without_sign, value, span
            )
        case name:
            operator: syntax.Comparison = "<=" if name == "min" else ">="
            result = arguments[-1]
            for place in range(len(arguments) - 2, -1, -1):
                value, later = arguments[place], arguments[place + 1 :]
                beaten = (syntax.Binary(operator, value, other, span) for other in later)
                result = syntax.IfThenElse(_join("and", beaten, span), value, result, span)
            return result
