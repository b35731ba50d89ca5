"""Where blanks stand between the tokens of one line."""

from typing import Final

_NO_SPACE_BEFORE: Final = frozenset([";", ",", ")", "]", ".", ".."])
_NO_SPACE_AFTER: Final = frozenset(["(", "[", ".", "..", "!", "~"])
_CALLS: Final = frozenset(["K", "GK", "GCK", "DK", "O", "A", "E"])
_OPERAND_ENDS: Final = frozenset(["name", "number", ")", "]", "true", "false", "Environment"])


class Spacing:
    """Decides on blanks token by token; it remembers what it must to know `-` and `<` apart."""

    def __init__(self, *, formulae: bool = False) -> None:
        """Start a new line; only formulae have coalitions, elsewhere `<` compares."""
        self.formulae = formulae
        self.before = ""
        self.unary = False
        self.coalition = False

    def space_before(self, kind: str, *, was_spaced: bool) -> bool:
        """Return whether a blank stands before the next token, and take note of it.

        `was_spaced` tells whether one stood there: it decides before brackets that follow a name, where
        `f(x)` and `1..n (body)` both make sense.
        """
        wanted = self._wanted(kind, was_spaced=was_spaced)
        self._note(kind)
        return wanted

    def _wanted(self, kind: str, *, was_spaced: bool) -> bool:
        before = self.before
        if kind == "-" and before == "-":
            return True  # two of them would start a comment
        if before == ".." and kind == "}":
            return True
        if not before or before in _NO_SPACE_AFTER or self.unary:
            return False
        if kind == ".." and before in ("{", ","):
            return True  # `{ a, .. }`: more values than are named
        if kind in _NO_SPACE_BEFORE:
            return False
        if self.coalition:
            return before == ","
        if before == "coalition end":
            return False
        if kind == "(" and before in _CALLS:
            return False
        if kind in ("(", "[") and before in ("name", "number", "]"):
            return was_spaced
        return not (before == "{" and kind == "}")

    def _note(self, kind: str) -> None:
        starts_operand = self.before not in _OPERAND_ENDS
        self.unary = kind == "-" and starts_operand
        if kind == "<" and starts_operand and self.formulae:
            self.coalition = True
            self.before = "("
        elif kind == "<>" and starts_operand and self.formulae:
            self.before = "coalition end"
        elif kind == ">" and self.coalition:
            self.coalition = False
            self.before = "coalition end"
        else:
            self.before = kind
