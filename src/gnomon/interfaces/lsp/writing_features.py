"""What editors ask to write a text with: completion, signatures, renaming, formatting, quick fixes."""

from collections.abc import Iterator, Sequence
from typing import Final

from lsprotocol import types

from gnomon.editing.analysis import Analysis
from gnomon.editing.completion import Completion, CompletionKind, complete
from gnomon.editing.edits import TextChange
from gnomon.editing.fixes import Fix, expectation_change, fixes
from gnomon.editing.formatting import formatted, formatted_lines, indentation
from gnomon.editing.rename import RenameRefused, renamable, rename
from gnomon.editing.signatures import SignatureHelp, signature_at
from gnomon.interfaces.lsp.diagnostics import of_text, visible_span
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.refusing import Refused
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Span

_COMPLETION_KINDS: Final = {
    CompletionKind.KEYWORD: types.CompletionItemKind.Keyword,
    CompletionKind.AGENT: types.CompletionItemKind.Class,
    CompletionKind.VARIABLE: types.CompletionItemKind.Variable,
    CompletionKind.ACTION: types.CompletionItemKind.Function,
    CompletionKind.VALUE: types.CompletionItemKind.EnumMember,
    CompletionKind.PROPOSITION: types.CompletionItemKind.Property,
    CompletionKind.GROUP: types.CompletionItemKind.Module,
    CompletionKind.DEFINITION: types.CompletionItemKind.Constant,
    CompletionKind.FORMULA: types.CompletionItemKind.Event,
    CompletionKind.CONSTANT: types.CompletionItemKind.Constant,
    CompletionKind.TYPE: types.CompletionItemKind.Enum,
    CompletionKind.RELATION: types.CompletionItemKind.Method,
    CompletionKind.INDEX: types.CompletionItemKind.TypeParameter,
    CompletionKind.OPERATOR: types.CompletionItemKind.Operator,
    CompletionKind.SNIPPET: types.CompletionItemKind.Snippet,
}
_TRIGGERS: Final = [".", "=", "{", "(", "<", ":", ",", " "]


def register(ls: GnomonLanguageServer) -> None:
    """Offer all of it."""
    ls.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS)
    )(completion)
    ls.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["(", ","]),
    )(signatures)
    ls.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(renaming)
    ls.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(prepare_renaming)
    ls.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)
    ls.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)(range_formatting)
    ls.feature(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        types.DocumentOnTypeFormattingOptions("\n", [";"]),
    )(formatting_on_type)
    ls.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    )(code_actions)


async def completion(
    ls: GnomonLanguageServer, params: types.CompletionParams
) -> types.CompletionList:
    """Say what could stand here."""
    item = getattr(ls.client_capabilities.text_document, "completion", None)
    snippets = bool(getattr(getattr(item, "completion_item", None), "snippet_support", False))

    def find(document: OpenDocument, analysis: Analysis) -> types.CompletionList:
        offset = document.lines.offset(params.position)
        found = complete(document.text, offset, analysis, snippets=snippets)
        place = document.lines.range(found.span)
        items = [_item(each, place) for each in found.items]
        return types.CompletionList(is_incomplete=found.incomplete, items=items)

    return await ls.about(params.text_document.uri, find)


def _item(each: Completion, place: types.Range) -> types.CompletionItem:
    plain, snippet = types.InsertTextFormat.PlainText, types.InsertTextFormat.Snippet
    return types.CompletionItem(
        label=each.label,
        kind=_COMPLETION_KINDS[each.kind],
        detail=each.detail or None,
        documentation=_markdown(each.documentation),
        sort_text=each.sort or None,
        insert_text_format=snippet if each.is_snippet else plain,
        text_edit=types.TextEdit(place, each.insert),
    )


def _markdown(text: str) -> types.MarkupContent | None:
    return types.MarkupContent(types.MarkupKind.Markdown, text) if text else None


async def signatures(
    ls: GnomonLanguageServer, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    """Say what belongs between the brackets around a place."""

    def find(document: OpenDocument, analysis: Analysis) -> SignatureHelp | None:
        return signature_at(document.text, document.lines.offset(params.position), analysis)

    found = await ls.about(params.text_document.uri, find)
    if found is None:
        return None
    shown = types.SignatureInformation(
        found.label,
        documentation=_markdown(found.documentation),
        parameters=[types.ParameterInformation(each) for each in found.parameters],
        active_parameter=found.active,
    )
    return types.SignatureHelp([shown], active_signature=0, active_parameter=found.active)


# Changes of the text


async def prepare_renaming(
    ls: GnomonLanguageServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder:
    """Say whether the name at a place can be changed, and what it is."""

    def find(document: OpenDocument, analysis: Analysis) -> types.PrepareRenamePlaceholder:
        named = renamable(analysis, document.lines.offset(params.position))
        place = document.lines.range(named.span)
        return types.PrepareRenamePlaceholder(place, named.symbol.name)

    try:
        return await ls.about(params.text_document.uri, find)
    except RenameRefused as refused:
        raise Refused(str(refused)) from None


async def renaming(ls: GnomonLanguageServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """Change a name wherever it means the same."""

    def find(document: OpenDocument, analysis: Analysis) -> types.WorkspaceEdit:
        offset = document.lines.offset(params.position)
        return edit_of(ls, document, rename(analysis, offset, params.new_name))

    try:
        return await ls.about(params.text_document.uri, find)
    except RenameRefused as refused:
        raise Refused(str(refused)) from None


def edit_of(
    ls: GnomonLanguageServer, document: OpenDocument, changes: Sequence[TextChange]
) -> types.WorkspaceEdit:
    """Return changes of one text; where the client can, only of this version of it."""
    edits = _text_edits(document, changes)
    workspace = ls.client_capabilities.workspace
    versioned = getattr(getattr(workspace, "workspace_edit", None), "document_changes", False)
    if not versioned:
        return types.WorkspaceEdit(changes={document.uri: edits})
    place = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(place, list(edits))])


def _text_edits(document: OpenDocument, changes: Sequence[TextChange]) -> list[types.TextEdit]:
    return [types.TextEdit(document.lines.range(span), text) for span, text in changes]


async def formatting(
    ls: GnomonLanguageServer, params: types.DocumentFormattingParams
) -> list[types.TextEdit] | None:
    """Format a whole text; one that cannot be read stays as it is, and the user hears why."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.TextEdit] | None:
        found = formatted(analysis.text, document.name)
        return None if found is None else _text_edits(document, found)

    edits = await ls.about(params.text_document.uri, find)
    if edits is None:
        words = "nothing is formatted before the text can be read: mend the first mistake"
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))
    return edits


async def range_formatting(
    ls: GnomonLanguageServer, params: types.DocumentRangeFormattingParams
) -> list[types.TextEdit] | None:
    """Format some lines."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.TextEdit] | None:
        part = document.lines.span(params.range)
        found = formatted_lines(analysis.text, document.name, part)
        return None if found is None else _text_edits(document, found)

    return await ls.about(params.text_document.uri, find)


async def formatting_on_type(
    ls: GnomonLanguageServer, params: types.DocumentOnTypeFormattingParams
) -> list[types.TextEdit] | None:
    """Format the statement that was just ended, or indent the line that was just begun."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.TextEdit] | None:
        offset = document.lines.offset(params.position)
        line = document.lines.span(document.lines.line_range(params.position.line))
        if params.ch != "\n":
            found = formatted_lines(analysis.text, document.name, line)
            return None if found is None else _text_edits(document, found)
        text = document.text[line.start : line.end]
        blanks = Span(line.start, line.start + len(text) - len(text.lstrip()))
        wanted = indentation(document.text, blanks.end)
        if offset < blanks.start or document.text[blanks.start : blanks.end] == wanted:
            return []
        return _text_edits(document, [TextChange(blanks, wanted)])

    return await ls.about(params.text_document.uri, find)


# Quick fixes


async def code_actions(
    ls: GnomonLanguageServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Offer what mends the mistakes at a place, and to expect what was found."""

    def find(document: OpenDocument, analysis: Analysis) -> list[types.CodeAction]:
        part = document.lines.span(params.range)
        return [
            *_mending(ls, document, analysis, part),
            *_expecting(ls, document, analysis, part),
        ]

    return await ls.about(params.text_document.uri, find)


def _mending(
    ls: GnomonLanguageServer, document: OpenDocument, analysis: Analysis, part: Span
) -> Iterator[types.CodeAction]:
    for said in analysis.diagnostics:
        place = visible_span(document, said.span)
        if place.start <= part.end and part.start <= place.end:
            for fix in fixes(analysis, said):
                yield _action(ls, document, said, fix)


def _action(
    ls: GnomonLanguageServer, document: OpenDocument, said: Diagnostic, fix: Fix
) -> types.CodeAction:
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=of_text(document, (said,), ls.pages),
        is_preferred=fix.preferred,
        edit=edit_of(ls, document, fix.changes),
    )


def _expecting(
    ls: GnomonLanguageServer, document: OpenDocument, analysis: Analysis, part: Span
) -> Iterator[types.CodeAction]:
    """Offer to expect the verdict that was found, where the text expects another."""
    for status in ls.status(document):
        if status.state != "fresh" or status.found is None or status.standing == "expected":
            continue
        if status.found.value == "unknown" or not (
            status.span.start <= part.end and part.start <= status.span.end
        ):
            continue
        for written in analysis.written:
            if written.span == status.span and len(written.numbers) == 1:
                change = expectation_change(analysis, written, status.found.value)
                if change is not None:
                    yield types.CodeAction(
                        title=f"Expect `{status.found.value}` of this formula",
                        kind=types.CodeActionKind.QuickFix,
                        edit=edit_of(ls, document, [change]),
                    )
