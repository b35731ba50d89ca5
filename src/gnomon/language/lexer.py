"""Text to tokens with their places.

Tokens are four parallel lists, not objects: a megabyte of ISPL has a quarter of a million of them and
reading it should take less time than checking it.
"""

import re
from dataclasses import dataclass

from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Source, Span

#: The words that MCMAS reserves. Words of our own (`for`, `int`, `where`, `div`, …) are only special
#: where no identifier could stand, so that no MCMAS program loses a name to them.
KEYWORDS = frozenset(
    """Semantics MultiAssignment SingleAssignment MA SA Agent Environment Obsvars Lobsvars Vars
    RedStates GreenStates Actions Action Protocol Evolution Evaluation InitStates Groups Fairness
    Formulae end boolean true false Other if and or LTL CTL* AG EG AX EX AF EF A E X F G U K GK GCK O
    DK""".split()
)

#: Reserved words that only formulae use; outside them they may still name a value of a type.
FORMULA_WORDS = frozenset("LTL AG EG AX EX AF EF A E X F G U K GK GCK O DK".split())

_KIND = {word: word for word in KEYWORDS}

_TOKEN = re.compile(
    r"(?P<skip>(?:[ \t\r\n\f\v]+|--[^\n]*)+)"
    r"|(?P<word>CTL\*|[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<number>[0-9]+)"
    r"|(?P<operator><=|>=|<>|!=|->|\.\.|[()\[\]{}<>=!:,.;+*/&|~^?\-])"
    r"|(?P<bad>[^ \t\r\n\f\vA-Za-z0-9()\[\]{}<>=!:,.;+*/&|~^?\-]+)",
)


@dataclass(slots=True)
class Tokens:
    """The tokens of a text.

    `kinds[k]` is "name", "number", "end of file", or the keyword or operator itself.
    """

    source: Source
    kinds: list[str]
    texts: list[str]
    starts: list[int]
    ends: list[int]


def tokenize(source: Source, diagnostics: Diagnostics) -> Tokens:
    """Cut a text into tokens; characters that ISPL does not know are reported and left out."""
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    keyword = _KIND.get
    for match in _TOKEN.finditer(source.text):
        group = match.lastgroup
        if group == "skip":
            continue
        text = match.group()
        if group == "bad":
            _report_bad(text, Span(*match.span()), diagnostics)
            continue
        if group == "word":
            kinds.append(keyword(text, "name"))
        else:
            kinds.append(text if group == "operator" else "number")
        texts.append(text)
        starts.append(match.start())
        ends.append(match.end())
    length = len(source.text)
    kinds.append("end of file")
    texts.append("")
    starts.append(length)
    ends.append(length)
    return Tokens(source, kinds, texts, starts, ends)


def _report_bad(text: str, span: Span, diagnostics: Diagnostics) -> None:
    shown = text if len(text) <= 12 and text.isprintable() else ascii(text[:12])[1:-1] + "…"
    hint = ""
    if text[0] in "\"'“”‘’":
        hint = "ISPL has no strings: write names without quotation marks"
    elif text[0] == "_":
        hint = "a name starts with a letter"
    elif not text.isascii():
        hint = (
            "names use the letters a-z and A-Z, digits and `_`; other characters only in comments"
        )
    diagnostics.add(
        "G0101",
        f"`{shown}` means nothing in ISPL",
        span,
        label="not a character of ISPL",
        help=hint,
    )
