"""Checking in the editor: lenses and commands, and what clients ask beyond the protocol."""

import codecs
import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from lsprotocol import types

from gnomon.campaign.executor import JobLost
from gnomon.editing.analysis import Analysis
from gnomon.editing.fingerprint import VerdictKey, formula_keys
from gnomon.editing.hover import formula_at
from gnomon.interfaces.lsp.check_progress import CheckProgress
from gnomon.interfaces.lsp.checks import CannotCheck, CheckEnded
from gnomon.interfaces.lsp.command_arguments import (
    CommandArguments,
    field_of,
    read_arguments,
    uri_of,
)
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.evidence import main_run
from gnomon.interfaces.lsp.picturing import reachable_graph
from gnomon.interfaces.lsp.refusing import ContentModified, Refused
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.showing import formula_data, lenses
from gnomon.interfaces.lsp.telling import mark_stale, publish
from gnomon.interfaces.lsp.verdicts import MOST_SHOWN, ShownFormula
from gnomon.text.diagnostic import InputError

FORMULAE: Final = "gnomon/formulae"
EXPLANATION: Final = "gnomon/explanation"
_TRIES: Final = 5


def register(ls: GnomonLanguageServer) -> None:
    """Offer all of it."""
    ls.on_read = publish
    ls.on_change = mark_stale
    ls.feature(types.TEXT_DOCUMENT_DID_SAVE)(saved)
    ls.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lenses)
    ls.feature(FORMULAE)(formulae)
    ls.feature(EXPLANATION)(explanation)
    ls.command("gnomon.check")(check)
    ls.command("gnomon.cancel")(cancel)
    ls.command("gnomon.explain")(explain)
    ls.command("gnomon.simulate")(simulate)
    ls.command("gnomon.graph")(graph)


# Lenses, and what clients ask for beyond the protocol


async def code_lenses(
    ls: GnomonLanguageServer, params: types.CodeLensParams
) -> list[dict[str, Any]]:
    """Say what can be done with formulae."""
    if not ls.settings.lenses:
        return []
    texts = ls.client_capabilities.text_document
    hinted = texts is not None and texts.inlay_hint is not None and ls.settings.hints

    def find(document: OpenDocument, analysis: Analysis) -> list[dict[str, Any]]:
        heads = [each.head for each in analysis.sections if each.word == "Formulae"]
        head = heads[0] if heads else None
        chosen = None if hinted else ls.settings.strategies
        return lenses(document, ls.status(document), head, chosen)

    # They are about the whole text, and some clients ask once: who types meanwhile wants the newer ones.
    for _ in range(_TRIES):
        with suppress(ContentModified):
            return await ls.about(params.text_document.uri, find)
    raise ContentModified


async def formulae(ls: GnomonLanguageServer, params: Any) -> list[dict[str, Any]]:
    """Return all formulae of a text with what is known of them; none of a text that is not open."""
    if uri_of(params) not in ls.documents:
        return []
    document, _ = await ls.current(uri_of(params))
    return [formula_data(document, status) for status in ls.status(document)]


async def explanation(ls: GnomonLanguageServer, params: Any) -> dict[str, Any] | None:
    """Return the page of the formula at a position, if one was made; nothing is checked for it."""
    if uri_of(params) not in ls.documents:
        return None
    document, analysis = await ls.current(uri_of(params))
    position = field_of(params, "position")
    line, character = field_of(position, "line"), field_of(position, "character")
    if not _counts(line) or not _counts(character):
        raise Refused("a position has a line and a character")
    written = formula_at(analysis, document.lines.offset(types.Position(line, character)))
    for status in ls.status(document):
        if written is not None and status.span == written.span and status.found is not None:
            return _page(status)
    return None


def _counts(number: Any) -> bool:
    return type(number) is int and 0 <= number < 2**31


def _page(status: ShownFormula) -> dict[str, Any] | None:
    page = None if status.found is None else status.found.page
    if page is None:
        return None
    return {
        "number": status.number,
        "title": page.title,
        "text": page.text,
        "html": page.html,
        "state": status.state,
    }


# Commands


async def check(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any]:
    """Check formulae, and return all of the text with what is known of them then."""
    wanted = read_arguments(given)
    document = await _check(ls, wanted)
    if len(document.keys) > MOST_SHOWN:
        words = f"verdicts are shown of the first {MOST_SHOWN:,} of {len(document.keys):,} formulae"
        _say(ls, words)
    return {"formulae": [formula_data(document, status) for status in ls.status(document)]}


async def _check(ls: GnomonLanguageServer, wanted: CommandArguments) -> OpenDocument:
    document, analysis = await ls.current(wanted.uri)
    # What verdicts depend on belongs to what was read just now: the text may change while we wait below.
    book, keys = document.book, await _keys_of(ls, document, analysis)
    try:
        options = ls.settings.options(wanted.strategies)
    except InputError as error:
        raise Refused("; ".join(item.message for item in error.diagnostics)) from None
    progress = CheckProgress(ls, document, analysis, wanted)
    await progress.create()
    if ls.documents.get(wanted.uri) is not document:
        raise ContentModified
    try:
        await ls.checker.check(
            wanted.uri,
            analysis,
            book,
            keys=keys,
            numbers=wanted.numbers,
            options=options,
            by_name=wanted.strategies is not None,
            on_progress=progress.report,
            on_begin=progress.begin,
        )
    except (CannotCheck, JobLost, InputError) as error:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))
    except CheckEnded:
        pass  # the user knows
    finally:
        progress.end()
        if document.is_read and document.analysis is not None:
            # It may have been read once more while nobody wanted to know what verdicts depend on.
            await _keys_of(ls, document, document.analysis)
        if ls.documents.get(wanted.uri) is document:
            if document.is_read:
                publish(ls, document)
            else:
                mark_stale(ls, document)
    return document


async def _keys_of(
    ls: GnomonLanguageServer, document: OpenDocument, analysis: Analysis
) -> Mapping[int, VerdictKey]:
    """Return what verdicts on a text depend on, as it was read."""
    if document.analysis is analysis and document.keys:
        return document.keys
    keys = await ls.elsewhere(partial(formula_keys, analysis))
    if document.analysis is analysis:
        document.keys = keys
    return keys


def cancel(ls: GnomonLanguageServer, *given: Any) -> int:
    """End the checks of a text, and return how many there were."""
    return ls.checker.cancel(read_arguments(given).uri)


async def explain(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any] | None:
    """Return why a formula has its value, after a check where there is no fresh verdict."""
    wanted = read_arguments(given)
    if wanted.numbers is None:
        raise Refused("which formula? { uri, number }")
    if len(wanted.numbers) != 1:
        raise Refused("one formula is explained at a time: { uri, number }")
    [number] = wanted.numbers
    document, _ = await ls.current(wanted.uri)
    if not _is_known(ls, document, number, wanted.strategies):
        document = await _check(ls, wanted)
    for status in ls.status(document):
        if status.number == number:
            page = _page(status)
            if page is not None and not ls.has_panel:
                _show(ls, page["html"])
            return page
    return None


def _show(ls: GnomonLanguageServer, html: str) -> None:
    """Open a page in a browser, for an editor that can ask for that and has no place of its own for it."""
    window = ls.client_capabilities.window
    address = ls.pages.keep(html)
    can = window is not None and window.show_document is not None and window.show_document.support
    if address is None:
        return
    if can:
        ls.window_show_document(types.ShowDocumentParams(address, external=True))
    else:
        _say(ls, f"the page is {address}")


def _say(ls: GnomonLanguageServer, words: str) -> None:
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))


def _is_known(
    ls: GnomonLanguageServer, document: OpenDocument, number: int, strategies: str | None
) -> bool:
    for status in ls.status(document):
        if status.number == number and status.state == "fresh" and _page(status) is not None:
            assert status.found is not None
            return strategies is None or status.found.strategies == strategies
    return False


def simulate(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any]:
    """Return the command that walks through the model, to be run in a terminal."""
    wanted = read_arguments(given)
    document = ls.document(wanted.uri)
    if not wanted.uri.startswith("file:"):
        raise Refused("save the text as a file first: the simulator reads files")
    if not _is_saved(document):
        raise Refused("save the text first: the simulator reads the file")
    command = [sys.executable, "-P", "-m", "gnomon", "simulate", document.name]
    for status in ls.status(document):
        known = status.found if status.state == "fresh" else None
        if status.number not in (wanted.numbers or ()) or known is None:
            continue
        if main_run(known.data.get("evidence")) is not None:
            command += ["--after", str(status.number)]
    if not ls.has_panel:
        _say(ls, f"in a terminal: {shlex.join(command)}")
    return {"command": command, "cwd": os.path.dirname(document.name) or None}


def _is_saved(document: OpenDocument) -> bool:
    """Return whether the file has the text as it is now."""
    try:
        with open(document.name, "rb") as file:
            data = file.read()
    except OSError:
        return False
    written = document.text.encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8) == written.removeprefix(codecs.BOM_UTF8)


async def graph(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any]:
    """Return a picture of the reachable states, or of as many as there is time for."""
    document, analysis = await ls.current(read_arguments(given).uri)
    if analysis.loaded.has_errors:
        raise Refused("nothing can be drawn before the mistakes are mended")
    async with ls.drawing:
        page = await reachable_graph(document.text, document.name)
    if not ls.has_panel:
        _show(ls, page["html"])
    return page


def saved(ls: GnomonLanguageServer, params: types.DidSaveTextDocumentParams) -> None:
    """Check what was saved, if the user wants that."""
    document = ls.documents.get(params.text_document.uri)
    if ls.settings.on_save and document is not None:
        ls.soon(_check_saved(ls, CommandArguments(document.uri, None, None)))


async def _check_saved(ls: GnomonLanguageServer, wanted: CommandArguments) -> None:
    _, analysis = await ls.current(wanted.uri)
    if not analysis.loaded.has_errors and analysis.written:
        await _check(ls, wanted)
