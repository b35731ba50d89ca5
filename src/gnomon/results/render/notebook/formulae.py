"""Formulae in a notebook: their operators marked, and read aloud in everyday words."""

import re
from typing import Final

from gnomon.language.parse import parse_formula
from gnomon.language.words import words
from gnomon.results.formula_reading import read_aloud
from gnomon.results.render.notebook.frame import shown
from gnomon.text.source import Source

_OPERATORS: Final = frozenset(words("temporal", "until", "epistemic", "logic", "connective"))
#: Longer ones are not read aloud: parsing them takes time that nobody asked for.
_MOST: Final = 4_000


def formula(text: str) -> str:
    """Return a formula whose operators can be told from names."""

    def coloured(found: re.Match[str]) -> str:
        return f'<span class="g-act">{found[0]}</span>' if found[0] in _OPERATORS else found[0]

    # Escapes are passed over: their letters are no words of a formula.
    return f"<code>{re.sub(r'&[a-z#0-9]+;|[A-Za-z][A-Za-z0-9_]*', coloured, shown(text))}</code>"


def aloud(text: str) -> str:
    """Return a formula in everyday words; "" where that is too long, or cannot be done."""
    if len(text) > _MOST:
        return ""
    source = Source("<formula>", text)
    line, diagnostics = parse_formula(source)
    return "" if line is None or diagnostics.has_errors else read_aloud(line, source)
