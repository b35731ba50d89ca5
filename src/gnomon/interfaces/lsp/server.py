"""The language server as one object: what an editor has open, what was read of it, and what was found."""

import asyncio
import inspect
import sys
import traceback
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.json_rpc import JsonRPCNotification
from pygls.protocol.language_server import lsp_method

from gnomon.editing.analysis import Analysis, unreadable
from gnomon.interfaces.lsp.analysing import AnalysisThread, Superseded, TooSlow
from gnomon.interfaces.lsp.checks import Checker
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.pages import PageFiles
from gnomon.interfaces.lsp.positions import Encoding
from gnomon.interfaces.lsp.reading import ReadText, TextReader
from gnomon.interfaces.lsp.refusing import ContentModified, NotInitialized, Refused
from gnomon.interfaces.lsp.settings import EditorSettings
from gnomon.interfaces.lsp.verdicts import ShownFormula
from gnomon.version import __version__

T = TypeVar("T")

#: What stands for a message that could not be read; nobody hears of it.
_UNREADABLE: Final = "gnomon/unreadable"


class GnomonProtocol(LanguageServerProtocol):
    """The protocol with texts of our own: those of the library end lines where the protocol does not."""

    _server: "GnomonLanguageServer"

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Begin with a text."""
        item = params.text_document
        self._server.open(item.uri, item.text, item.version)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take changes over."""
        document = params.text_document
        self._server.change(document.uri, params.content_changes, document.version)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a text."""
        self._server.close(params.text_document.uri)

    def handle_message(self, message: Any) -> None:
        """Take a message; before the first one nothing else is answered, as the protocol has it."""
        method = getattr(message, "method", None)
        if self._workspace is None and method not in (None, types.INITIALIZE, types.EXIT):
            if hasattr(message, "id"):
                error = NotInitialized("initialize comes first").to_response_error()
                self._send_response(message.id, error=error)
            return
        super().handle_message(message)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Make an object of a message; one that cannot be read is answered, so that nobody waits for ever."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            elif data.get("method") == types.TEXT_DOCUMENT_DID_CHANGE:
                self._server.lose(data)
            return JsonRPCNotification(_UNREADABLE, self.VERSION, None)

    # That of the library cannot be cancelled once it has begun.
    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Do a command; where the request is cancelled, so is what it does."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise Refused(f"there is no command `{params.command}`")
        found = handler(*(params.arguments or ()))
        return await found if inspect.isawaitable(found) else found


class GnomonLanguageServer(LanguageServer):
    """One editor's server."""

    def __init__(self) -> None:
        """Have nothing open."""
        super().__init__(
            "gnomon",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=GnomonProtocol,
            converter_factory=default_converter,
        )
        self.documents: dict[str, OpenDocument] = {}
        self.settings = EditorSettings()
        self.has_panel = False
        self.analysing = AnalysisThread()
        self.reader = TextReader()
        self.checker = Checker()
        self.pages = PageFiles()
        #: One picture at a time.
        self.drawing = asyncio.Semaphore(1)
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bug_reported = False
        #: Called whenever the text, or what is known of it, has changed.
        self.on_read: Callable[[GnomonLanguageServer, OpenDocument], None] = lambda *_: None
        self.on_change: Callable[[GnomonLanguageServer, OpenDocument], None] = lambda *_: None

    # Texts

    @property
    def encoding(self) -> Encoding:
        """Return what the client counts characters in."""
        chosen = str(
            getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding)
        )
        return chosen if chosen in ("utf-8", "utf-32") else "utf-16"  # type: ignore[return-value]

    def open(self, uri: str, text: str, version: int) -> None:
        """Begin with a text, and read it."""
        document = OpenDocument(uri, text, version, self.encoding)
        self.documents[uri] = document
        self._read_soon(document, 0.0)

    def change(
        self, uri: str, changes: Sequence[types.TextDocumentContentChangeEvent], version: int
    ) -> None:
        """Take changes of a text over, and read it again."""
        document = self.documents.get(uri)
        if document is None:
            return
        document.change(changes, version)
        self.on_change(self, document)
        self._read_soon(document, 0.01 if len(document.text) < 200_000 else 0.1)

    def close(self, uri: str) -> None:
        """Forget a text; its checks end."""
        document = self.documents.pop(uri, None)
        if document is None:
            return
        self.checker.cancel(uri)
        self.analysing.forget(uri)
        self.reader.forget(uri)
        task = self._reading.pop(uri, None)
        if task is not None:
            task.cancel()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def lose(self, data: Any) -> None:
        """Forget a text of which a change could not be read: nothing that is said about it would be right."""
        place = data.get("params")
        place = place.get("textDocument") if isinstance(place, dict) else None
        uri = place.get("uri") if isinstance(place, dict) else None
        if isinstance(uri, str) and uri in self.documents:
            self.close(uri)
            message = f"a change of {uri} could not be read: close the text and open it again"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def _read_soon(self, document: OpenDocument, pause: float) -> None:
        self.analysing.now(document.uri, document.revision)
        before = self._reading.get(document.uri)
        if before is not None:
            before.cancel()
        task = asyncio.ensure_future(self._read(document, document.revision, pause))
        self._reading[document.uri] = task

    async def _read(self, document: OpenDocument, revision: int, pause: float) -> None:
        try:
            await asyncio.sleep(pause)
            text, name, uri = document.text, document.name, document.uri
            known = not document.book.is_empty
            read = await self.analysing.run(
                uri, revision, lambda: self.reader.read(uri, text, name, keys=known), urgent=True
            )
        except Superseded:
            return
        except TooSlow as slow:
            read = ReadText(unreadable(document.name, "G0004", f"nothing is known of it: {slow}"))
        except Exception as error:  # noqa: BLE001 - whatever it is, what was known before no longer counts
            self.report_bug(error)
            message = "nothing is known of it: a mistake of gnomon's keeps it from being read"
            read = ReadText(unreadable(document.name, "G0004", message))
        if self.documents.get(document.uri) is document and document.revision == revision:
            document.was_read(read)
            self.on_read(self, document)

    def document(self, uri: str) -> OpenDocument:
        """Return a text that is open."""
        found = self.documents.get(uri)
        if found is None:
            raise Refused(f"this text is not open: {uri}")
        return found

    async def current(self, uri: str) -> tuple[OpenDocument, Analysis]:
        """Return a text and what was read of it as it is now, as soon as that is there."""
        document = self.document(uri)
        while not document.is_read:
            task = self._reading.get(uri)
            if task is None:
                raise ContentModified
            await asyncio.wait((task,))
            if self.documents.get(uri) is not document:
                raise ContentModified
            if task.done() and self._reading.get(uri) is task and not document.is_read:
                raise ContentModified
        assert document.analysis is not None
        return document, document.analysis

    async def about(self, uri: str, work: Callable[[OpenDocument, Analysis], T]) -> T:
        """Work something out about a text as it is now, away from where messages are taken.

        The text may change meanwhile: `work` gets what does not, and what it found then is of no use.
        """
        document, analysis = await self.current(uri)
        still = document.frozen()
        try:
            found = await self.analysing.run(uri, still.revision, lambda: work(still, analysis))
        except Superseded:
            raise ContentModified from None
        except TooSlow as slow:
            raise Refused(str(slow)) from None
        # Places in what was found are places in that text.
        if document.revision != still.revision:
            raise ContentModified
        return found

    async def elsewhere(self, work: Callable[[], T]) -> T:
        """Work something out about a text that is not open."""
        return await asyncio.get_running_loop().run_in_executor(self.thread_pool, work)

    def status(self, document: OpenDocument) -> list[ShownFormula]:
        """Return all formulae of a text with what is known of them, as far as the text was read."""
        return document.status(self.settings.strategies)

    # Work beside requests, and mistakes of ours

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside what is asked; a mistake in it is reported."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.report_bug(error)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Say once that something went wrong, unless it is a plain answer of the protocol."""
        del source
        if not isinstance(error, JsonRpcException) or error.code == types.ErrorCodes.InternalError:
            self.report_bug(error)

    def report_bug(self, error: BaseException) -> None:
        """Say that this is our fault, once, and what a report should contain; details go to the log."""
        details = "".join(traceback.format_exception(error)).rstrip()
        sys.stderr.write(f"{details}\n")
        if self._bug_reported:
            return
        self._bug_reported = True
        python = ".".join(map(str, sys.version_info[:3]))
        message = (
            f"this is a bug in gnomon ({type(error).__name__}: {error}); the editor goes on. Please report "
            "it with the model and with what the output of the language server says: "
            f"gnomon {__version__}, Python {python}, {sys.platform}"
        )
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def end(self) -> None:
        """End all that is under way; nothing is left when this returns."""
        for task in (*self._reading.values(), *self._tasks):
            task.cancel()
        self.checker.close()
        self.analysing.close()
        self.pages.close()
