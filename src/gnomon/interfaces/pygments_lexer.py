"""ISPL for Pygments, which colours programs on pages, in papers and in notebooks.

It has the structure of the TextMate grammar and its patterns. Pygments need not be installed for anything
else; it finds this lexer by the entry point `pygments.lexers`.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias

from pygments.lexer import RegexLexer, bygroups  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    Whitespace,
)

from gnomon.language.lexer import REMARK
from gnomon.language.words import WordRole, reserved, words
from gnomon.results.grammar import patterns

#: A pattern, what it is, and perhaps the state that follows: Pygments' own types say no more.
_LexerRule: TypeAlias = Any

TOKENS: Final[Mapping[WordRole, Any]] = MappingProxyType(
    {
        "agent": Keyword.Declaration,
        "section": Keyword.Declaration,
        "setting": Keyword.Declaration,
        "part": Keyword.Declaration,
        "list": Keyword.Declaration,
        "end": Keyword,
        "semantics": Keyword.Constant,
        "type": Keyword.Type,
        "constant": Keyword.Constant,
        "attribute": Keyword.Pseudo,
        "otherwise": Keyword,
        "connective": Operator.Word,
        "operator": Operator.Word,
        "choice": Keyword,
        "repetition": Keyword,
        "quantifier": Operator.Word,
        "function": Name.Builtin,
        "logic": Keyword.Reserved,
        "temporal": Keyword.Reserved,
        "until": Keyword.Reserved,
        "epistemic": Keyword.Reserved,
        "multiplicity": Keyword.Pseudo,
        "following": Keyword.Pseudo,
        "group": Name.Builtin.Pseudo,
        "expectation": Keyword,
        "verdict": Keyword.Constant,
        "rule": Keyword,
    }
)

_SYMBOLS: Final[Mapping[patterns.SignKind, Any]] = MappingProxyType(
    {
        "comparison": Operator,
        "logical": Operator,
        "arithmetic": Operator,
        "range": Operator,
        "definition": Operator,
        "separator": Punctuation,
        "terminator": Punctuation,
        "bracket": Punctuation,
    }
)

_DECLARED: Final[Mapping[patterns.DeclaredKind, Any]] = MappingProxyType(
    {"function": Name.Function, "type": Name.Class, "constant": Name.Constant}
)

#: Line by line, so that what begins a line is looked for where it begins.
_BLANKS: Final = r"\n|[^\S\n]+"
#: What a pattern is that only looks.
_NOTHING: Final = bygroups()
#: States: sections of formulae and of conditions.
_FORMULAE, _CONDITIONS = "formulae", "conditions"
#: What ends in `;`, each a state of its own.
_LISTINGS: Final[tuple[WordRole, ...]] = ("setting", "list")


def _three(first: Any, last: Any) -> Any:
    """Return what the groups of a pattern are that has two words with blanks between them."""
    return bygroups(first, Whitespace, last)


def _sections() -> Iterator[_LexerRule]:
    """Yield the rules for what stands outside sections; the rest of a text is coloured like formulae."""
    yield from _comments()
    yield patterns.NAMED_AGENT, _three(TOKENS["agent"], Name.Class)
    yield patterns.AGENT, TOKENS["agent"]
    for role in _LISTINGS:
        yield patterns.any_word(words(role)), TOKENS[role], role
    for section in words("section", "part"):
        yield patterns.opening((section,)), TOKENS["section"], _state(section)
    yield patterns.END, _three(TOKENS["end"], TOKENS["section"])
    yield from _formula()


def _state(section: str) -> str:
    """Return the state in which the lines of a section are read."""
    if section in patterns.DECLARED:
        return section
    return _FORMULAE if section in patterns.OF_FORMULAE else _CONDITIONS


def _lines(section: str) -> Iterator[_LexerRule]:
    """Yield the rules for the lines of a section."""
    after = patterns.NEXT_SECTION
    if section == "Constants":
        after = patterns.NEXT_AFTER_CONSTANTS
    yield from _comments()
    yield patterns.END_OF_SECTION, _three(TOKENS["end"], TOKENS["section"]), "#pop"
    yield f"(?={after})", _NOTHING, "#pop"
    if section in patterns.DECLARED:
        kind, pattern = patterns.DECLARED[section]
        yield pattern, _DECLARED[kind]
    yield from _formula() if section in patterns.OF_FORMULAE else _condition()


def _listing(role: WordRole) -> Iterator[_LexerRule]:
    """Yield the rules for what ends in `;`."""
    yield from _comments()
    yield ";", _SYMBOLS["terminator"], "#pop"
    yield f"(?={patterns.END_OF_SECTION}|{patterns.NEXT_SECTION})", _NOTHING, "#pop"
    if role == "setting":
        yield patterns.any_word(words("semantics")), TOKENS["semantics"]
    else:
        yield patterns.MULTIPLICITY, _three(_SYMBOLS["separator"], TOKENS["multiplicity"])
        yield patterns.FOLLOWING, TOKENS["following"]
    yield from _condition()


def _comments() -> Iterator[_LexerRule]:
    """Yield comments for us, and then all others."""
    yield rf"(?={REMARK}){patterns.COMMENT}", Comment.Special
    yield patterns.COMMENT, Comment.Single


def _formula() -> Iterator[_LexerRule]:
    """Yield what only formulae have, and then all else."""
    yield patterns.EXPECTATION, _three(TOKENS["expectation"], TOKENS["verdict"])
    for role, pattern in patterns.IN_FORMULAE.items():
        yield pattern, TOKENS[role]
    yield from _condition()


def _condition() -> Iterator[_LexerRule]:
    """Yield what stands in conditions, values, types and lists."""
    yield _BLANKS, Whitespace
    yield patterns.END, _three(TOKENS["end"], TOKENS["repetition"])
    yield patterns.TYPED, _three(_SYMBOLS["separator"], TOKENS["type"])
    for role, pattern in patterns.IN_CONDITIONS.items():
        yield pattern, TOKENS["attribute"] if role == "agent" else TOKENS[role]
    yield patterns.any_word(reserved("semantics", "setting")), TOKENS["semantics"]
    yield patterns.NUMBER, Number.Integer
    yield patterns.FOREIGN, Error
    for kind, token in _SYMBOLS.items():
        yield patterns.symbols(kind), token
    yield patterns.OWNER, Name.Namespace
    yield patterns.NAME, Name


class IsplLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Colours ISPL, the language of MCMAS and Gnomon."""

    name = "ISPL"
    aliases: ClassVar = ["ispl", "gnomon"]
    filenames: ClassVar = ["*.ispl", "*.pmas"]
    mimetypes: ClassVar = ["text/x-ispl"]

    tokens: ClassVar[dict[str, list[_LexerRule]]] = {
        "root": list(_sections()),
        **{role: list(_listing(role)) for role in _LISTINGS},
        **{_state(section): list(_lines(section)) for section in words("section", "part")},
    }
