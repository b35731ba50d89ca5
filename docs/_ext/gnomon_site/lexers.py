"""Colours for blocks of code: ISPL by our own lexer, the grammar, and what Pygments does not know."""

from typing import Any, ClassVar

from pygments.lexer import RegexLexer  # type: ignore[import-untyped]
from pygments.lexers.special import TextLexer  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Keyword,
    Name,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from gnomon.interfaces.pygments_lexer import IsplLexer


class IsplPartLexer(IsplLexer):
    """A piece of a program."""

    name = "ISPL, in part"
    aliases: ClassVar[list[str]] = ["ispl-part"]
    filenames: ClassVar[list[str]] = []


class GrammarLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """The notation of the grammar, where rules end in a full stop and may have parameters."""

    name = "grammar"
    aliases: ClassVar[list[str]] = ["ebnf"]
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"\(\*(?:[^*]|\*(?!\)))*\*\)", Comment.Multiline),
            (r'"[^"]*"', String.Double),
            (r"^\w+", Name.Function),
            (r"\w+", Name),
            (r"[=|.]", Operator),
            (r"[\[\](){},]", Punctuation),
            (r".", Keyword),
        ]
    }


#: Languages of blocks by our own names; those that Pygments has no lexer for are plain text.
LEXERS = {
    "ispl": IsplLexer,
    "ispl-part": IsplPartLexer,
    "ebnf": GrammarLexer,
    "kak": TextLexer,
}
