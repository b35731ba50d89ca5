"""Names in all models of a workspace, those that are open as they are in the editor."""

import os
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from gnomon.editing.analysis import Analysis, analyse, read_open_text
from gnomon.editing.symbols import SymbolKind
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.refusing import ContentModified
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.symbol_kinds import SYMBOL_KINDS, location
from gnomon.text.errors import GnomonError

#: Files in which names are looked for, how much of each, and names that are told.
_MOST_FILES: Final = 500
_LONG: Final = 300_000
_MOST_SYMBOLS: Final = 300
_MODELS: Final = (".ispl", ".pmas")
#: Folders that take longer to go through, in seconds, are left.
_PATIENCE: Final = 2.0


def register(ls: GnomonLanguageServer) -> None:
    """Offer it."""
    ls.feature(types.WORKSPACE_SYMBOL)(workspace_symbols)


async def workspace_symbols(
    ls: GnomonLanguageServer, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """Find names in all models of the workspace, those that are open as they are in the editor."""
    wanted = params.query.lower()
    found: list[types.WorkspaceSymbol] = []
    for uri in list(ls.documents):
        try:
            found += await ls.about(uri, lambda doc, known: _named(doc, known, wanted))
        except ContentModified:
            continue
    for path in await ls.elsewhere(partial(_models_of, _folders(ls), _open_names(ls))):
        if len(found) >= _MOST_SYMBOLS:
            break
        found += await ls.elsewhere(partial(_in_file, path, wanted))
    return found[:_MOST_SYMBOLS]


def _folders(ls: GnomonLanguageServer) -> list[str]:
    folders = [to_fs_path(uri) for uri in ls.workspace.folders]
    return [str(each) for each in dict.fromkeys([*folders, ls.workspace.root_path]) if each]


def _open_names(ls: GnomonLanguageServer) -> set[str]:
    return {document.name for document in ls.documents.values()}


def _models_of(folders: list[str], taken: set[str]) -> list[str]:
    """Return the models below folders that are not open: the first of very many, of the first folders."""
    files = (path for folder in folders for path in _files(folder) if path not in taken)
    return list(islice(files, _MOST_FILES))


def _files(folder: str) -> Iterator[str]:
    started = time.monotonic()
    for place, inside, names in os.walk(folder):
        inside[:] = [name for name in inside if not name.startswith(".") and name != "node_modules"]
        for name in sorted(names):
            path = os.path.join(place, name)
            # What is no file may keep a reader waiting for ever.
            if name.endswith(_MODELS) and os.path.isfile(path):
                yield path
        if time.monotonic() - started > _PATIENCE:
            return


def _in_file(path: str, wanted: str) -> list[types.WorkspaceSymbol]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(_LONG)
        source = read_open_text(text, path)
        analysis = source if isinstance(source, Analysis) else analyse(source)
        address = from_fs_path(path) or path
        return _named(OpenDocument(address, text, 0, "utf-16"), analysis, wanted)
    except (OSError, GnomonError):
        return []


def _named(document: OpenDocument, analysis: Analysis, wanted: str) -> list[types.WorkspaceSymbol]:
    return [
        types.WorkspaceSymbol(
            location=location(document, each.span),
            name=each.symbol.name,
            kind=SYMBOL_KINDS[each.symbol.kind],
            container_name=each.symbol.owner or None,
        )
        for each in analysis.symbols.occurrences
        if each.declares
        and each.symbol.kind is not SymbolKind.INDEX
        and _matches(wanted, each.symbol.name.lower())
    ]


def _matches(wanted: str, name: str) -> bool:
    """Return whether the letters of what is wanted stand in a name, in their order."""
    letters = iter(name)
    return all(letter in letters for letter in wanted)
