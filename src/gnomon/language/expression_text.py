"""Expressions back to text, with no more brackets than they need."""

from typing import Final

from gnomon.language import syntax
from gnomon.text.numbers import show_integer
from gnomon.text.source import Source, Span

_ATOM: Final = 13
_NEGATIVE: Final = 12
_NOT: Final = 6
_COMPARISON: Final = 7
_VALUE: Final = 8
_COMPLEMENT: Final = 9.5
_SUM: Final = 10
_TIGHTNESS: Final[dict[str, float]] = {
    "<->": 1,
    "->": 2,
    "or": 3,
    "xor": 4,
    "and": 5,
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), _COMPARISON),
    **dict.fromkeys("|^", _VALUE),
    "&": 9,
    "+": _SUM,
    **dict.fromkeys(("*", "/", "div", "mod"), 11),
}


class ExpressionText:
    """Writes expressions; names with indices, and binders, are taken from the text where they were read."""

    def __init__(self, source: Source) -> None:
        """Write what was read from this text."""
        self.source = source

    def show(self, expression: syntax.Expression, outer: float = 0) -> str:
        """Return an expression; in brackets, where it binds less tightly than `outer`."""
        text, tightness = self._show(expression)
        return f"({text})" if tightness < outer else text

    def _show(self, expression: syntax.Expression) -> tuple[str, float]:
        match expression:
            case syntax.Number(value):
                return show_integer(value), _NEGATIVE if value < 0 else _ATOM
            case syntax.Truth(value):
                return ("true" if value else "false"), _ATOM
            case syntax.Reference(owner, name):
                return self._owned(owner, self.name(name)), _ATOM
            case syntax.ActionOf(owner):
                return self._owned(owner, "Action"), _ATOM
            case syntax.ActionIs(owner, action, equal):
                sign = "=" if equal else "<>"
                return f"{self._owned(owner, 'Action')} {sign} {self.name(action)}", _COMPARISON
            case syntax.Unary():
                return self._unary(expression)
            case syntax.Binary(operator, left, right):
                level = _TIGHTNESS[operator]
                # `->` groups to the right, comparisons not at all, and all others to the left.
                first = level + (operator == "->" or level == _COMPARISON)
                second = level + (operator != "->")
                return f"{self.show(left, first)} {operator} {self.show(right, second)}", level
            case syntax.Chain():
                return self._chain(expression)
            case syntax.IfThenElse(condition, then, otherwise):
                choice = (
                    f"{self.show(condition)} then {self.show(then)} else {self.show(otherwise)}"
                )
                return f"if {choice}", 0
            case syntax.Membership(value, members):
                listed = ", ".join(self._member(member) for member in members)
                return f"{self.show(value, _VALUE)} in {{ {listed} }}", _COMPARISON
            case syntax.Application(name, arguments):
                inner = ", ".join(self.show(argument) for argument in arguments)
                return f"{self.name(name)}({inner})", _ATOM
            case syntax.Quantified(word, binders, body):
                written = self._text(Span(binders[0].span.start, binders[-1].span.end))
                return f"{word} {written} ({self.show(body)})", _ATOM

    def _unary(self, unary: syntax.Unary) -> tuple[str, float]:
        match unary.operator:
            case "!":
                return f"!{self.show(unary.operand, _ATOM)}", _NOT
            case "~":
                return f"~{self.show(unary.operand, _SUM)}", _COMPLEMENT
            case "-":
                return f"-{self.show(unary.operand, _ATOM)}", _NEGATIVE

    def _chain(self, chain: syntax.Chain) -> tuple[str, float]:
        level = _TIGHTNESS[chain.operator]
        if chain.operator != "+":
            parts = (self.show(operand, level + 1) for operand in chain.operands)
            return f" {chain.operator} ".join(parts), level
        text = self.show(chain.operands[0], level + 1)
        for term in chain.operands[1:]:
            # Subtraction is a sum with a negative term.
            minus = isinstance(term, syntax.Unary) and term.operator == "-"
            inner = term.operand if isinstance(term, syntax.Unary) and minus else term
            text += f" {'-' if minus else '+'} {self.show(inner, level + 1)}"
        return text, level

    def _member(self, member: syntax.Expression | syntax.RangeType) -> str:
        if not isinstance(member, syntax.RangeType):
            return self.show(member, _VALUE)
        return f"{self.show(member.low, _VALUE)}..{self.show(member.high, _VALUE)}"

    def _owned(self, owner: syntax.Name | None, name: str) -> str:
        return f"{self.name(owner)}.{name}" if owner else name

    def name(self, name: syntax.Name) -> str:
        """Return a name with its indices."""
        return self._text(name.span) if name.indices else name.text

    def _text(self, span: Span) -> str:
        return self.source.on_one_line(span)
