"""Everybody told when something is known of a text, or no longer."""

from typing import Final

from lsprotocol import types

from gnomon.interfaces.lsp.diagnostics import of_text, of_verdicts
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.showing import formula_data
from gnomon.interfaces.lsp.verdicts import ShownFormula

#: What clients with a panel are told, beyond the protocol.
VERDICTS: Final = "gnomon/verdicts"


def publish(ls: GnomonLanguageServer, document: OpenDocument) -> None:
    """Tell what is wrong with a text that was just read, and what is known of its formulae."""
    analysis = document.analysis
    assert analysis is not None
    # Where nothing was asked, nothing is known: a text may have very many formulae.
    found = [] if document.book.is_empty else ls.status(document)
    remarks = document.book.remarks(document.keys)
    items = [
        *of_text(document, analysis.diagnostics, ls.pages),
        *of_verdicts(document, found, remarks),
    ]
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, items, document.version)
    )
    if not document.book.is_empty:
        tell(ls, document, found)


def mark_stale(ls: GnomonLanguageServer, document: OpenDocument) -> None:
    """Say at once that verdicts no longer count, where the change could have made them others."""
    if not document.book.is_empty and not document.same_since_read:
        tell(ls, document, ls.status(document))


def tell(ls: GnomonLanguageServer, document: OpenDocument, found: list[ShownFormula]) -> None:
    """Tell clients that show verdicts what is known of the formulae of a text."""
    if ls.has_panel:
        data = [formula_data(document, status) for status in found]
        ls.protocol.notify(VERDICTS, {"uri": document.uri, "formulae": data})
    refresh(ls)


def refresh(ls: GnomonLanguageServer) -> None:
    """Have the client ask again for what stands beside and above formulae, if it can."""
    workspace = ls.client_capabilities.workspace
    for name, method in (
        ("code_lens", types.WORKSPACE_CODE_LENS_REFRESH),
        ("inlay_hint", types.WORKSPACE_INLAY_HINT_REFRESH),
    ):
        if getattr(getattr(workspace, name, None), "refresh_support", False):
            ls.protocol.send_request(method)
