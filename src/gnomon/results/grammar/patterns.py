r"""Where a word is special, as regular expressions.

Reserved words are special everywhere, with one exception: those of formulae are names outside them. Words of
our own are names unless what stands beside them says otherwise, and the parser knows that better than a
pattern can: what is written over two lines may look otherwise.

All patterns are meant for Python's `re` and for Oniguruma, which editors use: a look back has a fixed width,
groups have numbers, and `$` is the end of a line. No pattern needs `\b` in front, since nothing begins in the
middle of a word where all words are matched.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from gnomon.language.lexer import OPERATORS
from gnomon.language.words import KEYWORDS, WordRole, contextual, reserved, words

NAME: Final = "[A-Za-z][A-Za-z0-9_]*"
NUMBER: Final = "[0-9]+"
COMMENT: Final = r"--[^\n]*"
#: The code of a warning, in a comment.
CODE: Final = "G[0-9]{4}(?![A-Za-z0-9_])"
#: What people write from other languages: each is one mistake.
FOREIGN: Final = (
    r"//[^\n]*|/\*(?:[^*\n]|\*(?!/))*(?:\*/)?|/\\|\\/|#[^\n]*" + r"|\"[^\"\n]*\"|'[A-Za-z0-9_ ]*'"
)

_ENDS: Final = "(?![A-Za-z0-9_])"
#: Only inside a line: the line before may be a comment.
_BLANK: Final = r"[ \t]"
_NOTHING_MORE: Final = "$|--"
#: No longer than anybody writes them: they are looked for behind every name, however long its line is.
_INDICES: Final = r"(?:\s*\[[^\]\n;]{0,80}\])?"

SignKind: TypeAlias = Literal[
    "comparison",
    "logical",
    "arithmetic",
    "range",
    "definition",
    "separator",
    "terminator",
    "bracket",
]

#: What is written with signs.
SYMBOLS: Final[Mapping[SignKind, tuple[str, ...]]] = MappingProxyType(
    {
        "comparison": ("=", "<>", "!=", "<", "<=", ">", ">="),
        "logical": ("!", "->", "<->", "&", "|", "^", "~", "?"),
        "arithmetic": ("+", "-", "*", "/", "\\"),
        "range": ("..",),
        "definition": (":=",),
        "separator": (",", ".", ":"),
        "terminator": (";",),
        "bracket": ("(", ")", "[", "]", "{", "}"),
    }
)


def any_word(texts: tuple[str, ...]) -> str:
    """Return a pattern for any of these words, whole."""
    spelt = sorted((text for text in texts if text.isalpha()), key=lambda text: (-len(text), text))
    # What ends in a sign ends there: `CTL*`.
    ended = [re.escape(text) for text in sorted(texts) if not text.isalpha()]
    plain = [f"(?:{'|'.join(spelt)}){_ENDS}"] if spelt else []
    return "|".join(ended + plain)


def symbols(kind: SignKind) -> str:
    """Return a pattern for the signs of a kind, none of which is the beginning of a longer sign."""
    found = []
    for sign in SYMBOLS[kind]:
        longer = sorted(other[len(sign) :] for other in OPERATORS if other.startswith(sign))
        rest = "|".join(re.escape(text) for text in longer if text)
        found.append(re.escape(sign) + (f"(?!{rest})" if rest else ""))
    return "|".join(found)


def _not_after(signs: str, texts: tuple[str, ...] = ()) -> str:
    """Return a condition: before this stands none of these signs, at most a blank apart, and no such word."""
    escaped = "".join("\\" + sign if sign in r"[]\^-" else sign for sign in signs)
    by_signs = f"(?<![{escaped}])(?<![{escaped}]{_BLANK})" if signs else ""
    return by_signs + "".join(rf"(?<!\b{text}{_BLANK})" for text in texts)


#: Words between two operands; names can stand before them, and not behind.
_BETWEEN: Final = (*words("connective"), *contextual("operator", "choice", "expectation"), "where")
_AFTER_OPERAND: Final = _not_after("-+*/=<>!~&|^(,:{[.;", ("and", "or", "if"))
_NO_OPERATOR: Final = rf"(?!\s*(?:{any_word(_BETWEEN)}))"
_BEFORE_OPERAND: Final = rf"(?=\s*(?:[A-Za-z0-9(!~{{]|-(?!>)|$)){_NO_OPERATOR}"
#: Bounds or a coalition may follow, too.
_BEFORE_FORMULA: Final = rf"(?=\s*(?:[A-Za-z0-9(!<\[]|-(?!>)|$))(?!\s*<->){_NO_OPERATOR}"
_AFTER_FORMULA: Final = _AFTER_OPERAND + _not_after("", tuple(reserved("temporal")))


def _infix(texts: tuple[str, ...]) -> str:
    return f"{_AFTER_OPERAND}(?:{any_word(texts)}){_BEFORE_OPERAND}"


def _formula_words(*roles: WordRole) -> str:
    # What is compared with is a value, and such words may name one.
    return f"{_not_after('=')}(?:{any_word(reserved(*roles))})"


_UNTIL: Final = f"{_AFTER_FORMULA}(?:{any_word(contextual('until'))}){_BEFORE_FORMULA}"

#: Where the words for something stand in conditions and values.
IN_CONDITIONS: Final[Mapping[WordRole, str]] = MappingProxyType(
    {
        "constant": any_word(reserved("constant")),
        "choice": f"{any_word(reserved('choice'))}|{_infix(contextual('choice'))}",
        "connective": f"{any_word(reserved('connective'))}|{_infix(contextual('connective'))}",
        "operator": _infix(contextual("operator")),
        "quantifier": rf"(?:{any_word(words('quantifier'))})(?=\s+{NAME}\s*[:,])",
        "repetition": rf"for{_ENDS}(?=\s+{NAME}\s*[:,])|{_infix(('where',))}",
        "function": rf"(?:{any_word(words('function'))})(?=\s*\()",
        "type": any_word(reserved("type")),
        "otherwise": any_word(words("otherwise")),
        "attribute": any_word(words("attribute")),
        "agent": any_word(("Environment",)),
    }
)

#: Where they stand in formulae only; first of all.
IN_FORMULAE: Final[Mapping[WordRole, str]] = MappingProxyType(
    {
        "logic": any_word(words("logic")),
        "temporal": _formula_words("temporal"),
        "until": f"{_formula_words('until')}|{_UNTIL}",
        "epistemic": _formula_words("epistemic"),
        # Where its verdict is on the next line.
        "expectation": rf"{_AFTER_FORMULA}(?:{any_word(words('expectation'))})(?=\s*(?:{_NOTHING_MORE}))",
        "group": rf"(?:{any_word(words('group'))})(?=\s*\\)"
        rf"|(?:(?<=<)|(?<=\()|(?<=\[\[))(?:{any_word(words('group'))})(?=\s*[,>\]])",
    }
)

#: `expect false`, with groups for either word and the blanks.
EXPECTATION: Final = rf"({any_word(words('expectation'))})(\s+)({any_word(words('verdict'))})"
#: `allow G0407`, in a comment.
RULE: Final = rf"(?:{any_word(words('rule'))})(?=[ \t]+{CODE})"
#: `: int`, with groups for either and the blanks.
TYPED: Final = rf"(:)(\s*)({any_word(contextual('type'))})(?=\s*(?:[;=]|{_NOTHING_MORE}))"
#: `: one`, in the same way.
MULTIPLICITY: Final = (
    rf"(:)(\s*)({any_word(words('multiplicity'))})"
    rf"(?=\s*(?:[,}}]|{any_word(words('following'))}|{_NOTHING_MORE}))"
)
#: `with`, in a list: there no name follows another one.
FOLLOWING: Final = rf"(?:{any_word(words('following'))})(?=\s+{NAME})"
#: An agent whose variable is meant.
OWNER: Final = rf"{NAME}(?={_INDICES}\s*\.(?!\.))"

# Sections

#: `Agent Sender`, with groups for the word, blanks and name. An agent may be called `Environment`.
NAMED_AGENT: Final = (
    rf"((?:{any_word(('Agent', *contextual('agent')))}))(\s+)"
    rf"({any_word(('Environment',))}|(?!{any_word(tuple(sorted(KEYWORDS)))}){NAME})"
)
AGENT: Final = any_word(words("agent"))
#: `end Vars`, with groups for the two words and the blanks; the second is left out where it is misspelt.
END: Final = rf"(end{_ENDS})(?:(\s+)({any_word(('for', *words('agent', 'section', 'part')))}))?"
#: The same, but for that of a repetition inside a section.
END_OF_SECTION: Final = rf"(?!end\s+for{_ENDS}){END}"


def opening(texts: tuple[str, ...]) -> str:
    """Return a pattern for words that open sections; `Sender.RedStates` opens none."""
    return rf"(?<!\.)(?<!\.{_BLANK})(?:{any_word(texts)})"


_OPENING: Final = tuple(
    word
    for word in reserved("agent", "setting", "section", "part", "list")
    if word != "Environment"
)
#: What may follow a name, other than names.
_NO_NAMES: Final = (*_BETWEEN, *contextual("until"), *sorted(KEYWORDS))
#: A place at which no section goes on, although its `end` is missing: the next one begins. Words of our own
#: could be names there, so they are only believed with what follows them.
NEXT_SECTION: Final = "|".join(
    (
        rf"(?={opening(_OPENING)})",
        rf"(?=Environment{_ENDS}\s*(?:{_NOTHING_MORE}|{any_word((*words('part', 'list'), 'end'))}))",
        rf"(?={any_word(contextual('agent'))}\s+(?!{any_word(_NO_NAMES)})[A-Za-z])",
        rf"^[ \t]*(?={any_word(contextual('section'))}\s*:\s*(?:{_NOTHING_MORE}))",
    )
)
#: `Constants n = 3;` has no `end`: what does not go on as a constant or a value is a section.
NEXT_AFTER_CONSTANTS: Final = (
    rf"{NEXT_SECTION}|(?={any_word(contextual('section'))}(?!\s*[-=;+*/)]))"
)

DeclaredKind: TypeAlias = Literal["function", "type", "constant"]


def _declared(following: str) -> str:
    """Return a pattern for a name that a line declares.

    Indices are none, as in `forall i : 1..n`, nor are words in the middle of a line, as in `x mod if …`, nor
    those of choices, which often begin one: `else if …`.
    """
    index = _not_after(",[", ("for", *words("quantifier")))
    no_choice = f"(?!{any_word((*words('choice'), *sorted(KEYWORDS)))})"
    begins = rf"(?:(?<![A-Za-z0-9_)\]]{_BLANK})|(?!{any_word(_BETWEEN)}))"
    return rf"{index}{no_choice}{begins}{NAME}(?={_INDICES}\s*{following})"


#: Sections whose lines give names to something, by the sign behind the names.
DECLARED: Final[Mapping[str, tuple[DeclaredKind, str]]] = MappingProxyType(
    {
        "Evaluation": ("function", _declared(f"if{_ENDS}")),
        "Definitions": ("function", _declared(":=")),
        "Formulae": ("function", _declared(":(?!=)")),
        "Relations": ("function", _declared(":(?!=)")),
        "Types": ("type", _declared(":(?!=)")),
        "Groups": ("type", _declared("=")),
        "Constants": ("constant", _declared("=")),
    }
)
#: Sections whose lines are formulae; those of all others are conditions, or something like them.
OF_FORMULAE: Final = ("Fairness", "Formulae")
