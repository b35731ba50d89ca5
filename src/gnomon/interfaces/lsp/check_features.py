"""Checking in the editor: lenses, commands, progress, and everybody told when something is known."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from gnomon.campaign.executor import JobLost
from gnomon.campaign.explained import Underway
from gnomon.editing.analysis import Analysis
from gnomon.editing.fingerprint import formula_keys
from gnomon.editing.hover import formula_at
from gnomon.interfaces.lsp.checks import CannotCheck, CheckEnded, RunningCheck
from gnomon.interfaces.lsp.diagnostics import main_run, of_text, of_verdicts
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.picturing import reachable_graph
from gnomon.interfaces.lsp.refusing import Refused
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.settings import read_settings
from gnomon.interfaces.lsp.showing import formula_data, lenses
from gnomon.interfaces.lsp.verdicts import FormulaStatus
from gnomon.text.diagnostic import InputError

FORMULAE: Final = "gnomon/formulae"
EXPLANATION: Final = "gnomon/explanation"
VERDICTS: Final = "gnomon/verdicts"


def register(ls: GnomonLanguageServer) -> None:
    """Offer all of it."""
    ls.on_read = publish
    ls.on_change = mark_stale
    ls.feature(types.INITIALIZE)(initialize)
    ls.feature(types.INITIALIZED)(initialized)
    ls.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(configure)
    ls.feature(types.TEXT_DOCUMENT_DID_SAVE)(saved)
    ls.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lenses)
    ls.feature(FORMULAE)(formulae)
    ls.feature(EXPLANATION)(explanation)
    ls.command("gnomon.check")(check)
    ls.command("gnomon.cancel")(cancel)
    ls.command("gnomon.explain")(explain)
    ls.command("gnomon.simulate")(simulate)
    ls.command("gnomon.graph")(graph)


# The user's choices


def initialize(ls: GnomonLanguageServer, params: types.InitializeParams) -> None:
    """Take over what the client says of itself, and the settings that it sends at once."""
    given = params.initialization_options
    if isinstance(given, Mapping):
        ls.has_panel = given.get("panel") is True
        ls.settings, wrong = read_settings(given.get("settings"))
        _complain(ls, wrong)


async def initialized(ls: GnomonLanguageServer, _: types.InitializedParams) -> None:
    """Ask for the settings."""
    await _fetch_settings(ls)


async def configure(ls: GnomonLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    """Take new settings over: those that are sent, or those that are asked for."""
    sent = params.settings.get("gnomon") if isinstance(params.settings, Mapping) else None
    if sent is not None:
        _settle(ls, sent)
    else:
        await _fetch_settings(ls)


async def _fetch_settings(ls: GnomonLanguageServer) -> None:
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    wanted = types.ConfigurationParams([types.ConfigurationItem(section="gnomon")])
    try:
        found = await ls.workspace_configuration_async(wanted)
    except JsonRpcException:
        return  # the client has none after all
    _settle(ls, found[0] if found else None)


def _settle(ls: GnomonLanguageServer, given: object) -> None:
    ls.settings, wrong = read_settings(given)
    _complain(ls, wrong)
    _refresh(ls)


def _complain(ls: GnomonLanguageServer, wrong: list[str]) -> None:
    for words in wrong:
        message = f"settings of gnomon: {words}"
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))


# Everybody told


def publish(ls: GnomonLanguageServer, document: OpenDocument) -> None:
    """Tell what is wrong with a text that was just read, and what is known of its formulae."""
    analysis = document.analysis
    assert analysis is not None
    found = ls.status(document)
    items = [*of_text(document, analysis.diagnostics, ls.pages), *of_verdicts(document, found)]
    ls.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, items, document.version)
    )
    if not ls.books[document.uri].is_empty:
        _tell(ls, document, found)


def mark_stale(ls: GnomonLanguageServer, document: OpenDocument) -> None:
    """Say at once that verdicts no longer count, where the change could have made them others."""
    book = ls.books.get(document.uri)
    if book is not None and not book.is_empty and not document.same_since_read:
        _tell(ls, document, ls.status(document))


def _tell(ls: GnomonLanguageServer, document: OpenDocument, found: list[FormulaStatus]) -> None:
    if ls.has_panel:
        data = [formula_data(document, status) for status in found]
        ls.protocol.notify(VERDICTS, {"uri": document.uri, "formulae": data})
    _refresh(ls)


def _refresh(ls: GnomonLanguageServer) -> None:
    """Have the client ask again for what stands beside and above formulae, if it can."""
    workspace = ls.client_capabilities.workspace
    for name, method in (
        ("code_lens", types.WORKSPACE_CODE_LENS_REFRESH),
        ("inlay_hint", types.WORKSPACE_INLAY_HINT_REFRESH),
    ):
        if getattr(getattr(workspace, name, None), "refresh_support", False):
            ls.protocol.send_request(method)


# Lenses, and what clients ask for beyond the protocol


async def code_lenses(
    ls: GnomonLanguageServer, params: types.CodeLensParams
) -> list[types.CodeLens]:
    """Say what can be done with formulae."""
    if not ls.settings.lenses:
        return []
    document, analysis = await ls.current(params.text_document.uri)
    heads = [each.head for each in analysis.sections if each.word == "Formulae"]
    return lenses(document, ls.status(document), heads[0] if heads else None)


async def formulae(ls: GnomonLanguageServer, params: Any) -> list[dict[str, Any]]:
    """Return all formulae of a text with what is known of them."""
    document, _ = await ls.current(_uri(params))
    return [formula_data(document, status) for status in ls.status(document)]


async def explanation(ls: GnomonLanguageServer, params: Any) -> dict[str, Any] | None:
    """Return the page of the formula at a position, if one was made; nothing is checked for it."""
    document, analysis = await ls.current(_uri(params))
    position = _field(params, "position")
    line, character = _field(position, "line"), _field(position, "character")
    if not isinstance(line, int) or not isinstance(character, int):
        raise Refused("a position has a line and a character")
    written = formula_at(analysis, document.lines.offset(types.Position(line, character)))
    for status in ls.status(document):
        if written is not None and status.span == written.span and status.found is not None:
            return _page(status)
    return None


def _page(status: FormulaStatus) -> dict[str, Any] | None:
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


@dataclass(frozen=True)
class CommandArguments:
    """What a command was given: a text, formulae of it, and how strategies are read."""

    uri: str
    numbers: tuple[int, ...] | None
    strategies: str | None


def _arguments(given: tuple[Any, ...]) -> CommandArguments:
    """Read the arguments of a command; raise `Refused` where they are none."""
    if len(given) != 1:
        raise Refused("the command takes one object: { uri, … }")
    uri = _field(given[0], "uri")
    numbers = _field(given[0], "numbers")
    number = _field(given[0], "number")
    strategies = _field(given[0], "strategies")
    if not isinstance(uri, str):
        raise Refused("the command wants to know which text is meant: { uri: … }")
    chosen = [number] if number is not None else numbers
    if chosen is not None and not (
        isinstance(chosen, list | tuple) and all(type(each) is int for each in chosen)
    ):
        raise Refused("formulae are given by their numbers")
    if strategies is not None and not isinstance(strategies, str):
        raise Refused("how strategies are read is a word, such as uniform")
    return CommandArguments(uri, None if chosen is None else tuple(chosen), strategies)


async def check(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any]:
    """Check formulae, and return all of the text with what is known of them then."""
    wanted = _arguments(given)
    document = await _check(ls, wanted)
    return {"formulae": [formula_data(document, status) for status in ls.status(document)]}


async def _check(ls: GnomonLanguageServer, wanted: CommandArguments) -> OpenDocument:
    document, analysis = await ls.current(wanted.uri)
    if not document.keys:
        document.keys = await ls.about(wanted.uri, lambda _, known: formula_keys(known))
    try:
        options = ls.settings.options(wanted.strategies)
    except InputError as error:
        raise Refused("; ".join(item.message for item in error.diagnostics)) from None
    progress = CheckProgress(ls, document, analysis, wanted)
    await progress.create()
    try:
        await ls.checker.check(
            wanted.uri,
            analysis,
            ls.books[wanted.uri],
            keys=document.keys,
            numbers=wanted.numbers,
            options=options,
            on_progress=progress.report,
            on_begin=progress.begin,
        )
    except (CannotCheck, JobLost, InputError) as error:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))
    except CheckEnded:
        pass  # the user knows
    finally:
        progress.end()
        if ls.documents.get(wanted.uri) is document:
            if document.is_read:
                publish(ls, document)
            else:
                mark_stale(ls, document)
    return document


class CheckProgress:
    """What the client sees of a check while it goes on; it can be cancelled there."""

    def __init__(
        self,
        ls: GnomonLanguageServer,
        document: OpenDocument,
        analysis: Analysis,
        wanted: CommandArguments,
    ) -> None:
        """Begin with nothing shown."""
        self.ls = ls
        self.document = document
        count = sum(len(each.numbers) for each in analysis.written)
        self.count = count if wanted.numbers is None else len(wanted.numbers)
        self.token: str | None = None
        self.check: RunningCheck | None = None

    async def create(self) -> None:
        """Ask the client for a place to show it, if it has one."""
        window = self.ls.client_capabilities.window
        if window is None or not window.work_done_progress:
            return
        token = str(uuid4())
        try:
            await asyncio.wait_for(self.ls.work_done_progress.create_async(token), 5)
        except (JsonRpcException, TimeoutError):
            return
        self.token = token

    def begin(self, check: RunningCheck) -> None:
        """Say that it has begun."""
        self.check = check
        _tell(self.ls, self.document, self.ls.status(self.document))
        if self.token is None:
            return
        title = "Checking one formula" if self.count == 1 else f"Checking {self.count} formulae"
        shown = types.WorkDoneProgressBegin(title, cancellable=True, percentage=0)
        self.ls.work_done_progress.begin(self.token, shown)
        self.ls.work_done_progress.tokens[self.token].add_done_callback(lambda _: self.cancel())

    def cancel(self) -> None:
        """End the check, because the user wants that."""
        if self.check is not None and not self.check.future.done():
            self.check.cancel()

    def report(self, said: Underway) -> None:
        """Say how far it is."""
        if self.token is not None:
            part = min(100 * said.decided // max(self.count, 1), 100)
            shown = types.WorkDoneProgressReport(message=said.words, percentage=part)
            self.ls.work_done_progress.report(self.token, shown)

    def end(self) -> None:
        """Say that it is over."""
        if self.token is not None:
            self.ls.work_done_progress.end(self.token, types.WorkDoneProgressEnd())
            self.ls.work_done_progress.tokens.pop(self.token, None)


def cancel(ls: GnomonLanguageServer, *given: Any) -> int:
    """End the checks of a text, and return how many there were."""
    return ls.checker.cancel(_arguments(given).uri)


async def explain(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any] | None:
    """Return why a formula has its value, after a check where there is no fresh verdict."""
    wanted = _arguments(given)
    if wanted.numbers is None:
        raise Refused("which formula? { uri, number }")
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
    if address is not None and window is not None and window.show_document is not None:
        ls.window_show_document(types.ShowDocumentParams(address, external=True))


def _is_known(
    ls: GnomonLanguageServer, document: OpenDocument, number: int, strategies: str | None
) -> bool:
    for status in ls.status(document):
        if status.number == number and status.state == "fresh" and status.found is not None:
            return strategies is None or status.found.strategies == strategies
    return False


def simulate(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any]:
    """Return the command that walks through the model, to be run in a terminal."""
    wanted = _arguments(given)
    document = ls.document(wanted.uri)
    if not wanted.uri.startswith("file:"):
        raise Refused("save the text as a file first: the simulator reads files")
    command = [sys.executable, "-P", "-m", "gnomon", "simulate", document.name]
    for status in ls.status(document):
        known = status.found if status.state == "fresh" else None
        if status.number not in (wanted.numbers or ()) or known is None:
            continue
        if main_run(known.data.get("evidence")) is not None:
            command += ["--after", str(status.number)]
    return {"command": command, "cwd": os.path.dirname(document.name) or None}


async def graph(ls: GnomonLanguageServer, *given: Any) -> dict[str, Any]:
    """Return a picture of the reachable states, or of as many as there is time for."""
    document, analysis = await ls.current(_arguments(given).uri)
    if analysis.loaded.has_errors:
        raise Refused("nothing can be drawn before the mistakes are mended")
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


def _uri(params: Any) -> str:
    uri = _field(_field(params, "textDocument"), "uri")
    if not isinstance(uri, str):
        raise Refused("which text? { textDocument: { uri } }")
    return uri


def _field(data: Any, name: str) -> Any:
    """Return a field of what a client sent, which the library may have made an object of."""
    if isinstance(data, Mapping):
        return data.get(name)
    return getattr(data, name, None)
