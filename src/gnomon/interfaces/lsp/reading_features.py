"""What editors ask to read a text with: hover, definitions, references, symbols, folding, colours, hints."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from lsprotocol import types

from gnomon.editing.analysis import Analysis
from gnomon.editing.colouring import TOKEN_MODIFIERS, TOKEN_TYPES, coloured
from gnomon.editing.hints import code_links, hints
from gnomon.editing.hover import hover
from gnomon.editing.outline import OutlineNode, folds, grown, outline
from gnomon.editing.symbols import Occurrence
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.showing import beside, verdict_sentence
from gnomon.interfaces.lsp.symbol_kinds import SYMBOL_KINDS, location
from gnomon.results.phrases import grouped
from gnomon.text.source import Span

#: Longer texts are coloured only where they are seen.
_LONG: Final = 300_000


def register(ls: GnomonLanguageServer) -> None:
    """Offer all of it."""
    legend = types.SemanticTokensLegend(list(TOKEN_TYPES), list(TOKEN_MODIFIERS))
    ls.feature(types.TEXT_DOCUMENT_HOVER)(hovering)
    ls.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
    ls.feature(types.TEXT_DOCUMENT_REFERENCES)(references)
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(highlights)
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbols)
    ls.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(folding)
    ls.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)(selection)
    ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(colours)
    ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)(colours_of_range)
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)(links)
    ls.feature(types.TEXT_DOCUMENT_INLAY_HINT)(inlay_hints)


async def hovering(ls: GnomonLanguageServer, params: types.HoverParams) -> types.Hover | None:
    """Say what stands at a place."""
    uri = params.text_document.uri

    def say(document: OpenDocument, analysis: Analysis) -> types.Hover | None:
        found = hover(analysis, document.lines.offset(params.position))
        if found is None:
            return None
        words = found.markdown
        if found.formula is not None:
            told = [
                verdict_sentence(status, ls.settings.strategies)
                for status in ls.status(document)
                if status.number in found.formula.numbers and status.found is not None
            ]
            words = "\n\n".join([words, *islice(told, 8)])
        content = types.MarkupContent(types.MarkupKind.Markdown, words)
        return types.Hover(content, document.lines.range(found.span))

    return await ls.about(uri, say)


def _occurrences(
    document: OpenDocument, analysis: Analysis, position: types.Position
) -> list[Occurrence]:
    """Return all places of what is named at a position; none where nothing is."""
    named = analysis.symbols.at(document.lines.offset(position))
    return [] if named is None else analysis.symbols.of(named.symbol)


async def definition(
    ls: GnomonLanguageServer, params: types.DefinitionParams
) -> list[types.Location]:
    """Say where a name is declared."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.Location]:
        found = _occurrences(document, analysis, params.position)
        return [location(document, each.span) for each in found if each.declares]

    return await ls.about(params.text_document.uri, find)


async def references(
    ls: GnomonLanguageServer, params: types.ReferenceParams
) -> list[types.Location]:
    """Say where a name is used."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.Location]:
        return [
            location(document, each.span)
            for each in _occurrences(document, analysis, params.position)
            if params.context.include_declaration or not each.declares
        ]

    return await ls.about(params.text_document.uri, find)


async def highlights(
    ls: GnomonLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """Say where the name at a place stands elsewhere."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.DocumentHighlight]:
        write, read = types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read
        return [
            types.DocumentHighlight(
                document.lines.range(each.span), write if each.declares or each.assigns else read
            )
            for each in _occurrences(document, analysis, params.position)
        ]

    return await ls.about(params.text_document.uri, find)


async def document_symbols(
    ls: GnomonLanguageServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """Return the outline."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.DocumentSymbol]:
        return [_symbol(document, node) for node in outline(analysis)]

    return await ls.about(params.text_document.uri, find)


def _symbol(document: OpenDocument, node: OutlineNode) -> types.DocumentSymbol:
    kind = types.SymbolKind.Module if node.kind is None else SYMBOL_KINDS[node.kind]
    # Clients refuse a name that is not inside the whole.
    start = min(node.span.start, node.name_span.start)
    end = max(node.span.end, node.name_span.end)
    return types.DocumentSymbol(
        name=node.name or "?",
        kind=kind,
        range=document.lines.range(Span(start, end)),
        selection_range=document.lines.range(node.name_span),
        detail=node.detail or None,
        children=[_symbol(document, child) for child in node.children],
    )


async def folding(
    ls: GnomonLanguageServer, params: types.FoldingRangeParams
) -> list[types.FoldingRange]:
    """Say what can be folded."""

    def find(_: OpenDocument, analysis: Analysis) -> list[types.FoldingRange]:
        comment, region = types.FoldingRangeKind.Comment, types.FoldingRangeKind.Region
        return [
            types.FoldingRange(
                fold.first - 1, fold.last - 1, kind=comment if fold.is_comment else region
            )
            for fold in folds(analysis)
        ]

    return await ls.about(params.text_document.uri, find)


async def selection(
    ls: GnomonLanguageServer, params: types.SelectionRangeParams
) -> list[types.SelectionRange]:
    """Say what selections grow to."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.SelectionRange]:
        found = []
        for position in params.positions:
            chain: types.SelectionRange | None = None
            for span in reversed(grown(analysis, document.lines.offset(position))):
                chain = types.SelectionRange(document.lines.range(span), chain)
            found.append(chain or types.SelectionRange(types.Range(position, position)))
        return found

    return await ls.about(params.text_document.uri, find)


async def colours(
    ls: GnomonLanguageServer, params: types.SemanticTokensParams
) -> types.SemanticTokens:
    """Say what all names are."""

    def find(document: OpenDocument, analysis: Analysis) -> types.SemanticTokens:
        length = len(document.text)
        return _tokens(document, analysis, Span(0, length if length <= _LONG else 0))

    return await ls.about(params.text_document.uri, find)


async def colours_of_range(
    ls: GnomonLanguageServer, params: types.SemanticTokensRangeParams
) -> types.SemanticTokens:
    """Say what the names of a part of a text are."""

    def find(document: OpenDocument, analysis: Analysis) -> types.SemanticTokens:
        return _tokens(document, analysis, document.lines.span(params.range))

    return await ls.about(params.text_document.uri, find)


def _tokens(document: OpenDocument, analysis: Analysis, part: Span) -> types.SemanticTokens:
    """Return tokens as the protocol packs them: five numbers each, places beside the token before."""
    data: list[int] = []
    line = character = 0
    for token in coloured(analysis, *part):
        place = document.lines.position(token.span.start)
        length = document.lines.units(token.span)
        same = place.line == line
        step = place.character - character if same else place.character
        data += [place.line - line, step, length, token.type, token.modifiers]
        line, character = place.line, place.character
    return types.SemanticTokens(data)


async def links(
    ls: GnomonLanguageServer, params: types.DocumentLinkParams
) -> list[types.DocumentLink]:
    """Lead from codes in comments to their pages."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.DocumentLink]:
        return [
            types.DocumentLink(
                document.lines.range(link.span),
                ls.pages.address(link.code),
                f"the story of {link.code}",
            )
            for link in code_links(analysis)
        ]

    return await ls.about(params.text_document.uri, find)


def _reachable(document: OpenDocument, analysis: Analysis) -> Iterator[types.InlayHint]:
    """Yield how many states a check has found, behind the word `Formulae`."""
    states = document.book.states(document.keys if document.is_current else {})
    for section in analysis.sections:
        if section.word == "Formulae" and states is not None:
            place = document.lines.position(section.head.end)
            label = "1 reachable state" if states == 1 else f"{grouped(states)} reachable states"
            yield types.InlayHint(place, label, padding_left=True)


async def inlay_hints(
    ls: GnomonLanguageServer, params: types.InlayHintParams
) -> list[types.InlayHint]:
    """Say what constants are worth, how large things are, and what was found of formulae."""
    if not ls.settings.hints:
        return []

    def find(document: OpenDocument, analysis: Analysis) -> list[types.InlayHint]:
        part = document.lines.span(params.range)
        found = [
            types.InlayHint(
                document.lines.position(hint.offset),
                hint.label,
                tooltip=hint.tooltip or None,
                padding_left=True,
            )
            for hint in hints(analysis)
            if part.start <= hint.offset <= part.end
        ]
        return [
            *found,
            *_reachable(document, analysis),
            *beside(document, ls.status(document), part, ls.settings.strategies),
        ]

    return await ls.about(params.text_document.uri, find)
