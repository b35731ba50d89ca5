"""Our symbols and places in the words of the protocol."""

from typing import Final

from lsprotocol import types

from gnomon.editing.symbols import SymbolKind
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.text.source import Span

SYMBOL_KINDS: Final = {
    SymbolKind.AGENT: types.SymbolKind.Class,
    SymbolKind.TEMPLATE: types.SymbolKind.Interface,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
    SymbolKind.ACTION: types.SymbolKind.Function,
    SymbolKind.VALUE: types.SymbolKind.EnumMember,
    SymbolKind.PROPOSITION: types.SymbolKind.Property,
    SymbolKind.GROUP: types.SymbolKind.Namespace,
    SymbolKind.DEFINITION: types.SymbolKind.Constant,
    SymbolKind.FORMULA: types.SymbolKind.Event,
    SymbolKind.CONSTANT: types.SymbolKind.Number,
    SymbolKind.PARAMETER: types.SymbolKind.Number,
    SymbolKind.TYPE: types.SymbolKind.Enum,
    SymbolKind.RELATION: types.SymbolKind.Method,
    SymbolKind.INDEX: types.SymbolKind.TypeParameter,
}


def location(document: OpenDocument, span: Span) -> types.Location:
    """Return a place of a text."""
    return types.Location(document.uri, document.lines.range(span))
