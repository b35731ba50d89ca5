"""Expressions: operators on the values that names stand for, with types and bounds checked on the way."""

from typing import Final

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, Integers, is_number
from gnomon.model.elaborate.comparisons import check_bound, check_comparable, mismatch
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.problems import each
from gnomon.model.elaborate.scope import Scope, Typed
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_NUMBER: Final = Integers()
_BOOLEAN: Final = Boolean()


class ExpressionReader:
    """Reads the expressions of one section, whose names mean what `scope` says."""

    def __init__(self, scope: Scope) -> None:
        """Read with these names."""
        self.scope = scope
        self.names = scope.names

    def condition(self, expression: syntax.Expression) -> typed.Expression:
        """Return the expression as a condition."""
        result, domain = self.read(expression, _BOOLEAN)
        if not isinstance(domain, Boolean):
            raise self.scope.fail(
                "G0301",
                f"a condition is needed here, and this is {describe(domain)}",
                expression.span,
                help="compare it with something, as in `x = 1`",
            )
        return result

    def read(self, expression: syntax.Expression, expected: Domain | None = None) -> Typed:
        """Return the typed expression; `expected` tells whose value a bare name may be."""
        self.names.count()
        match expression:
            case syntax.Number(value):
                return typed.Literal(value), IntegerRange(value, value)
            case syntax.Truth(value):
                return typed.Literal(value), _BOOLEAN
            case syntax.Reference(owner, name, span):
                if name.indices or (owner is not None and owner.indices):
                    return self._indexed(expression)
                if owner is None:
                    return self.scope.bare(name.text, span, expected)
                return self.scope.qualified(owner.text, name.text, span)
            case syntax.ActionIs(owner, action, equal, span):
                found = self.scope.action(expression)
                if found is not None:
                    return found
                other = syntax.Reference(None, action, action.span)
                actions = syntax.ActionOf(owner, span)
                return self._binary(syntax.Binary("=" if equal else "<>", actions, other, span))
            case syntax.Unary():
                return self._unary(expression)
            case syntax.Binary():
                return self._binary(expression)
            case syntax.Chain("+", operands):
                return typed.Sum(tuple(self.number(item) for item in operands)), _NUMBER
            case syntax.Chain("and", operands):
                return typed.And(each(self.condition, operands)), _BOOLEAN
            case syntax.Chain(_, operands):
                return typed.Or(each(self.condition, operands)), _BOOLEAN
            case syntax.Application() if not self.scope.is_function(expression):
                raise self.scope.misplaced(expression)
            case (
                syntax.IfThenElse() | syntax.Membership() | syntax.ActionOf() | syntax.Application()
            ):
                from gnomon.model.elaborate.conditionals import read_choice  # rarely used

                return read_choice(self, expression, expected)
            case syntax.Quantified():
                raise self.scope.misplaced(expression)

    def _indexed(self, reference: syntax.Reference) -> Typed:
        from gnomon.model.elaborate.arrays import read_indexed  # few programs compute indices

        return read_indexed(reference, self)

    def number(self, expression: syntax.Expression) -> typed.Expression:
        """Return the expression as a number."""
        result, domain = self.read(expression, _NUMBER)
        if not is_number(domain):
            raise self.scope.fail(
                "G0301",
                f"a number is needed here, and this is {describe(domain)}",
                expression.span,
                notes=("MCMAS counts Booleans and names as 0 in arithmetic, whatever their value",),
            )
        return result

    def _unary(self, unary: syntax.Unary) -> Typed:
        match unary.operator:
            case "!":
                return typed.Not(self.condition(unary.operand)), _BOOLEAN
            case "-":
                return typed.Negative(self.number(unary.operand)), _NUMBER
            case "~":
                operand, domain = self.read(unary.operand, _BOOLEAN)
                if isinstance(domain, Boolean):
                    return typed.Not(operand), _BOOLEAN
                self._bits_of_numbers(unary.span, domain)
                self._must_be_whole(unary, operand)
                return typed.BitComplement(operand), _NUMBER

    def _binary(self, binary: syntax.Binary) -> Typed:
        match binary.operator:
            case "->":
                left = self.condition(binary.left)
                return typed.Or((typed.Not(left), self.condition(binary.right))), _BOOLEAN
            case "<->" | "xor" as operator:
                left, right = each(self.condition, (binary.left, binary.right))
                return typed.Compare("=" if operator == "<->" else "<>", left, right), _BOOLEAN
            case "=" | "<>" if isinstance(binary.left, syntax.ActionOf) or isinstance(
                binary.right, syntax.ActionOf
            ):
                from gnomon.model.elaborate.conditionals import compare_actions  # rarely used

                return compare_actions(self, binary), _BOOLEAN
            case "=" | "<>" | "<" | "<=" | ">" | ">=" as operator:
                found = self.scope.compared(binary)
                if found is not None:
                    return found, _BOOLEAN
                left, right = self._compared(binary)
                return typed.Compare(operator, left, right), _BOOLEAN
            case "&" | "|" | "^":
                return self._bits(binary)
            case "*" | "/" | "div" | "mod" as operator:
                left = self.number(binary.left)
                right = self.number(binary.right)
                if operator in ("div", "mod"):
                    self._must_be_whole(binary, left, right)
                return typed.Arithmetic(operator, left, right), _NUMBER

    def _bits(self, binary: syntax.Binary) -> Typed:
        left, left_domain = self.read(binary.left, _BOOLEAN)
        right, right_domain = self.read(binary.right, _BOOLEAN)
        both = isinstance(left_domain, Boolean), isinstance(right_domain, Boolean)
        if all(both):
            return _boolean_bits(binary.operator, left, right), _BOOLEAN
        if any(both):
            raise mismatch(self.scope, binary, left_domain, right_domain)
        self._bits_of_numbers(binary.span, left_domain)
        self._bits_of_numbers(binary.span, right_domain)
        self._must_be_whole(binary, left, right)
        return typed.Arithmetic(binary.operator, left, right), _NUMBER  # type: ignore[arg-type]

    def _bits_of_numbers(self, span: Span, domain: Domain) -> None:
        if isinstance(domain, Enumeration):
            raise self.scope.fail("G0301", "bit operators need Booleans or numbers", span)
        self.scope.diagnostics.add(
            "G0408",
            "bit operators on numbers are read bit by bit",
            span,
            notes=("MCMAS accepts them and then lets the assigned variable take any value",),
        )

    def _must_be_whole(
        self, operation: syntax.Unary | syntax.Binary, *operands: typed.Expression
    ) -> None:
        """Refuse quotients, which may be fractions, where whole numbers are needed."""
        for operand in operands:
            if self.names.may_be_fraction(operand):
                raise self.scope.fail(
                    "G0313",
                    f"`{operation.operator}` works on whole numbers, and `/` may give a fraction",
                    operation.span,
                    help="use `div`",
                )

    def _compared(self, binary: syntax.Binary) -> tuple[typed.Expression, typed.Expression]:
        """Return both sides of a comparison; a bare value is read with the type of the other side."""
        scope = self.scope
        if scope.is_value(binary.left) and not scope.is_value(binary.right):
            right, right_domain = self.read(binary.right)
            left, left_domain = self.read(binary.left, right_domain)
        else:
            try:
                left, left_domain = self.read(binary.left)
            except Reported:
                if not scope.is_value(binary.right):
                    self.read(binary.right)
                raise
            right, right_domain = self.read(binary.right, left_domain)
        check_comparable(scope, binary, left_domain, right_domain)
        check_bound(scope, binary, binary.left, right, flipped=False)
        check_bound(scope, binary, binary.right, left, flipped=True)
        return left, right


def _boolean_bits(
    operator: str, left: typed.Expression, right: typed.Expression
) -> typed.Expression:
    match operator:
        case "&":
            return typed.And((left, right))
        case "|":
            return typed.Or((left, right))
        case _:
            return typed.Compare("<>", left, right)
