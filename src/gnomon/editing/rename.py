"""A name changed wherever it means the same thing, and nowhere else.

The changed text is read again, and every place must mean what it meant before: a name that is taken, or that
would be read as something else, is refused.
"""

import re
from bisect import bisect_left
from collections import Counter
from typing import Final

from gnomon.editing.analysis import Analysis, analyse
from gnomon.editing.edits import TextChange, changed
from gnomon.editing.symbols import Occurrence, Symbol, SymbolKind
from gnomon.language.lexer import FORMULA_WORDS, KEYWORDS
from gnomon.model.agent import ENVIRONMENT
from gnomon.text.errors import Unable
from gnomon.text.source import Source, Span

_IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class RenameRefused(Unable):
    """A name cannot be changed like that; the message says why."""


def renamable(analysis: Analysis, offset: int) -> Occurrence:
    """Return the name at a place; raise `RenameRefused` where there is none that can be changed."""
    found = analysis.symbols.at(offset)
    if found is None:
        raise RenameRefused("there is no name here that could be changed")
    if found.symbol.name == ENVIRONMENT:
        raise RenameRefused("`Environment` is what the environment is called in every program")
    if not analysis.symbols.declarations(found.symbol):
        raise RenameRefused(f"`{found.symbol.name}` is not declared in this file")
    return found


def rename(analysis: Analysis, offset: int, new: str) -> list[TextChange]:
    """Return the changes that give what is named at a place a new name."""
    found = renamable(analysis, offset)
    _refuse_word(new, found.symbol)
    if new == found.symbol.name:
        return []
    if found.symbol._replace(name=new) in set(analysis.symbols.symbols()):
        raise RenameRefused(f"there is a {found.symbol.kind.value} `{new}` already")
    places = [each.span for each in analysis.symbols.of(found.symbol)]
    changes = [TextChange(place, new) for place in places]
    _compare(analysis, found.symbol, changes)
    return changes


def _refuse_word(new: str, symbol: Symbol) -> None:
    if not _IDENTIFIER.fullmatch(new):
        raise RenameRefused(f"`{new[:40]}` is no name: a letter, then letters, digits and `_`")
    if new in KEYWORDS and not (symbol.kind is SymbolKind.VALUE and new in FORMULA_WORDS):
        raise RenameRefused(f"`{new}` is a reserved word")


def _compare(analysis: Analysis, symbol: Symbol, changes: list[TextChange]) -> None:
    """See that after the change every name means what it meant, with one called otherwise."""
    new = changes[0].text
    source = Source(analysis.source.name, changed(analysis.text, changes))
    renamed_text = analyse(source)
    before_codes = Counter(item.code for item in analysis.loaded.diagnostics)
    new_codes = Counter(item.code for item in renamed_text.loaded.diagnostics) - before_codes
    if new_codes:
        said = next(item for item in renamed_text.loaded.diagnostics if item.code in new_codes)
        raise RenameRefused(f"with the name `{new}`, {said.message} (line {said.line})")
    after = renamed_text.symbols.occurrences
    before = analysis.symbols.occurrences
    renamed = {each.span for each in before if each.symbol == symbol}
    moved = _Moved(changes)
    expected = {}
    for each in before:
        name = new if each.span in renamed else each.symbol.name
        expected[moved.span(each.span, len(name))] = _meaning(each, symbol, new, moved)
    found = {each.span: _key(each) for each in after}
    if found != expected:
        other = next((place for place, key in found.items() if expected.get(place) != key), None)
        line = "" if other is None else f" (line {source.line_of(other)})"
        raise RenameRefused(f"with the name `{new}` something would mean something else{line}")


class _Moved:
    """Where places of a text are after its changes."""

    def __init__(self, changes: list[TextChange]) -> None:
        ordered = sorted(changes)
        self.starts = [change.span.start for change in ordered]
        self.grown = len(ordered[0].text) - (ordered[0].span.end - ordered[0].span.start)

    def offset(self, offset: int) -> int:
        """Return where a character before which nothing was cut in two is now."""
        return offset + self.grown * bisect_left(self.starts, offset)

    def span(self, span: Span, length: int) -> Span:
        """Return where a name of so many letters is now."""
        start = self.offset(span.start)
        return Span(start, start + length)


def _meaning(each: Occurrence, symbol: Symbol, new: str, moved: _Moved) -> tuple[object, ...]:
    """Return what an occurrence must mean after the change."""
    kind, name, owner, scope = each.symbol
    agents = (SymbolKind.AGENT, SymbolKind.TEMPLATE)
    if each.symbol == symbol:
        name = new
    if symbol.kind in agents and owner == symbol.name:
        owner = new
    return (kind, name, owner, moved.offset(scope) if scope >= 0 else scope, each.declares)


def _key(each: Occurrence) -> tuple[object, ...]:
    return (*each.symbol, each.declares)
