"""What each name of a text is, for colours that only its meaning tells."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis
from gnomon.editing.symbols import Occurrence, SymbolKind
from gnomon.language.words import CONTEXTUAL, contextual
from gnomon.text.source import Span

#: Types of semantic tokens, in the order of the legend; all are the protocol's own.
TOKEN_TYPES: Final = (
    "class",
    "interface",
    "variable",
    "function",
    "enumMember",
    "property",
    "namespace",
    "macro",
    "event",
    "number",
    "type",
    "method",
    "parameter",
    "keyword",
    "comment",
)
#: What may be said beside, in the order of the legend.
TOKEN_MODIFIERS: Final = ("declaration", "modification", "readonly")

_TYPE_OF: Final = {
    SymbolKind.AGENT: "class",
    SymbolKind.TEMPLATE: "interface",
    SymbolKind.VARIABLE: "variable",
    SymbolKind.ACTION: "function",
    SymbolKind.VALUE: "enumMember",
    SymbolKind.PROPOSITION: "property",
    SymbolKind.GROUP: "namespace",
    SymbolKind.DEFINITION: "macro",
    SymbolKind.FORMULA: "event",
    SymbolKind.CONSTANT: "number",
    SymbolKind.PARAMETER: "number",
    SymbolKind.TYPE: "type",
    SymbolKind.RELATION: "method",
    SymbolKind.INDEX: "parameter",
}
_READ_ONLY: Final = (SymbolKind.CONSTANT, SymbolKind.PARAMETER, SymbolKind.VALUE)
#: Words that are special only where no name could stand, which no grammar by words alone can tell.
_WORDS: Final = frozenset(contextual(*CONTEXTUAL))


class ColouredToken(NamedTuple):
    """Some characters of one line, as numbers of the legend: a type, and a bit for each modifier."""

    span: Span
    type: int
    modifiers: int = 0


def coloured(analysis: Analysis, start: int, end: int) -> Iterator[ColouredToken]:
    """Yield the names, and the words that may be names elsewhere, in a part of a text."""
    found = {each.span.start: _named(each) for each in analysis.symbols.between(start, end)}
    tokens = analysis.tokens
    keyword = TOKEN_TYPES.index("keyword")
    for place in range(bisect_left(tokens.starts, start), bisect_left(tokens.starts, end)):
        begins = tokens.starts[place]
        if tokens.texts[place] in _WORDS and begins not in found:
            found[begins] = ColouredToken(Span(begins, tokens.ends[place]), keyword)
    for begins in sorted(found):
        yield found[begins]


def _named(each: Occurrence) -> ColouredToken:
    kind = each.symbol.kind
    said = [each.declares, each.assigns, kind in _READ_ONLY]
    modifiers = sum(1 << bit for bit, holds in enumerate(said) if holds)
    return ColouredToken(each.span, TOKEN_TYPES.index(_TYPE_OF[kind]), modifiers)
