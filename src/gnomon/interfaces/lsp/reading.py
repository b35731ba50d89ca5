"""Texts of an editor to what is known of them; only the thread that reads calls this."""

from typing import NamedTuple

from gnomon.editing.analysis import Analysis, analyse, read_open_text
from gnomon.editing.fingerprint import FormulaKey, formula_keys


class ReadText(NamedTuple):
    """What was read, and what verdicts on its formulae depend on where somebody wants to know."""

    analysis: Analysis
    keys: dict[int, FormulaKey]


class TextReader:
    """Reads texts again and again."""

    def read(self, uri: str, text: str, name: str, *, keys: bool) -> ReadText:
        """Read a text as it is now."""
        del uri
        source = read_open_text(text, name)
        analysis = source if isinstance(source, Analysis) else analyse(source)
        return ReadText(analysis, formula_keys(analysis) if keys else {})

    def forget(self, uri: str) -> None:
        """Keep nothing of a text."""
