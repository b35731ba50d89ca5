"""Where blanks stand between the tokens of one line."""

from typing import Final

_NO_SPACE_BEFORE: Final = frozenset([";", ",", ")", "]", ".", "..", "coalition end", "bounds"])
_NO_SPACE_AFTER: Final = frozenset(
    ["(", "[", ".", "..", "!", "~", "coalition", "coalition end", "empty coalition", "bounds"]
)
_CALLS: Final = frozenset(["K", "GK", "GCK", "DK", "O", "A", "E"])
_OPERAND_ENDS: Final = frozenset(["name", "number", ")", "]", "true", "false", "Environment"])


class Spacing:
    """Decides on blanks token by token; it remembers what it must to know the two uses of `-` apart.

    The brackets of a coalition are of the kinds "coalition", "coalition end" and "empty coalition" (`<>`);
    what opens the bounds of an operator is of the kind "bounds".
    Only the parser knows them from comparisons: whoever asks has looked them up in the tree.
    """

    def __init__(self) -> None:
        """Start a new line."""
        self.before = ""
        self.unary = False

    def space_before(self, kind: str, *, was_spaced: bool) -> bool:
        """Return whether a blank stands before the next token, and take note of it.

        `was_spaced` tells whether one stood there: it decides before brackets that follow a name, where
        `f(x)` and `1..n (body)` both make sense.
        """
        wanted = self._wanted(kind, was_spaced=was_spaced)
        self.unary = kind == "-" and self.before not in _OPERAND_ENDS
        self.before = kind
        return wanted

    def _wanted(self, kind: str, *, was_spaced: bool) -> bool:
        before = self.before
        if before == ".." and kind == "}":
            return True
        if not before or before in _NO_SPACE_AFTER or self.unary:
            return False
        if kind == ".." and before in ("{", ","):
            return True  # `{ a, .. }`: more values than are named
        if kind in _NO_SPACE_BEFORE:
            return False
        if kind == "(" and before in _CALLS:
            return False
        if kind in ("(", "[") and before in ("name", "number", "]"):
            return was_spaced
        return not (before == "{" and kind == "}")


_WORD: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_JOINED: Final = frozenset(["<=", ">=", "<>", "!=", "->", ":=", "..", "--"])


def must_be_apart(left: str, right: str) -> bool:
    """Return whether two tokens, written without a blank between them, would be read as others."""
    last, first = left[-1:], right[:1]
    return (
        (last in _WORD and first in _WORD)
        or last + first in _JOINED
        or (left == "<" and right.startswith("->"))
        or (left == "CTL" and first == "*")
    )
