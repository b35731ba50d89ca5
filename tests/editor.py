"""An editor for tests: a client of the real server, in a process of its own, with a limit on every wait."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from gnomon.interfaces.lsp.serve import serve_client

T = TypeVar("T")

#: A server that hangs must not hang the tests, and a loaded machine must not fail them.
PATIENCE = 60.0


async def soon(waited: Awaitable[T]) -> T:
    """Return what is awaited, or fail."""
    return await asyncio.wait_for(waited, PATIENCE)


class Session:
    """A client with its server, what it heard, and any number of texts."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.numbers = count(1)
        #: The version of each text that was last told about.
        self.versions: dict[str, int | None] = {}
        #: What was told beyond the protocol, in its order.
        self.told: list[Mapping[str, Any]] = []
        self.refreshed = 0
        #: Set whenever something was told about a text.
        self.heard = asyncio.Event()

    async def open(self, text: str, name: str = "model.ispl", uri: str = "") -> "Editor":
        """Open a text, and wait until it was read."""
        editor = Editor(self, uri or f"file:///nowhere/{next(self.numbers)}/{name}")
        editor.text, editor.version = text, 1
        item = types.TextDocumentItem(editor.uri, "ispl", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await editor.diagnostics()
        return editor


@asynccontextmanager
async def session(
    *,
    panel: bool = False,
    root: Path | None = None,
    settings: Any = None,
    kind: str = "",
    own_process: bool = False,
) -> AsyncIterator[Session]:
    """Start a server, and a client of a `kind` that `pytest-lsp` knows; end both.

    The server is in this process, on a port, where it is measured and begins at once; or in its own, on its
    streams.
    """
    client = make_test_lsp_client()
    found = Session(client)
    _listen(client, found)
    client.set_configuration(settings or {}, section="gnomon")
    async with AsyncExitStack() as stack:
        if own_process:
            await client.start_io(sys.executable, "-m", "gnomon", "lsp")
        else:
            port = await stack.enter_async_context(_port_of_a_server())
            await client.start_tcp("127.0.0.1", port)
        async with _talking(client, panel=panel, root=root, kind=kind):
            yield found


@asynccontextmanager
async def _port_of_a_server() -> AsyncIterator[int]:
    """Serve, and wait in the end until nobody is served: no test leaves a connection to the next."""
    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        served.add(task)
        await serve_client(reader, writer)
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**20)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await soon(server.wait_closed())
        if served:
            await asyncio.wait(served, timeout=PATIENCE)


@asynccontextmanager
async def _talking(
    client: LanguageClient, *, panel: bool, root: Path | None, kind: str
) -> AsyncIterator[None]:
    try:
        options = {"panel": panel}
        params = types.InitializeParams(
            capabilities=client_capabilities(kind or "visual-studio-code"),
            root_uri=None if root is None else root.as_uri(),
            initialization_options=options,
        )
        await soon(client.initialize_session(params))
        yield
        if client._server is None or client._server.returncode is None:
            await soon(client.shutdown_session())
    finally:
        await client.stop()  # type: ignore[no-untyped-call]  # the library's own
        writer = client.protocol.writer
        if isinstance(writer, asyncio.StreamWriter):  # of a port, which the library leaves open
            writer.close()
            with suppress(ConnectionError):
                await soon(writer.wait_closed())


def _listen(client: LanguageClient, found: Session) -> None:
    before = client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def published(params: types.PublishDiagnosticsParams) -> None:
        before(params)
        found.versions[params.uri] = params.version
        found.heard.set()

    def told(params: Any) -> None:
        found.told.append(plain(params))

    def refreshed(*_: object) -> None:
        found.refreshed += 1

    client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published
    client.feature("gnomon/verdicts")(told)
    client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(refreshed)
    client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(refreshed)


def plain(data: Any) -> Any:
    """Return what came over the wire as dictionaries and lists."""
    if isinstance(data, Mapping):
        return {key: plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple) and not hasattr(data, "_fields"):
        return [plain(value) for value in data]
    if hasattr(data, "_asdict"):
        return plain(data._asdict())
    return data


class Editor:
    """One text in an editor, whose positions are in UTF-16."""

    def __init__(self, of: Session, uri: str) -> None:
        self.session = of
        self.client = of.client
        self.uri = uri
        self.text = ""
        self.version = 0

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    async def diagnostics(self) -> tuple[types.Diagnostic, ...]:
        """Return what is wrong with the text as it is now, as soon as the server has said so."""

        async def told() -> None:
            while self.session.versions.get(self.uri) != self.version:
                self.session.heard.clear()
                await self.session.heard.wait()

        await soon(told())
        return tuple(self.client.diagnostics[self.uri])

    async def change(self, old: str, new: str) -> tuple[types.Diagnostic, ...]:
        """Replace the first occurrence of some words, and return what is wrong then."""
        start = self.text.index(old)
        self.replace(start, start + len(old), new)
        return await self.diagnostics()

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace some characters."""
        place = types.Range(self.position(start), self.position(end))
        self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangePartial(place, new)],
            )
        )

    def position(self, offset: int) -> types.Position:
        """Return an offset as the protocol counts it."""
        lines = split_lines(self.text[:offset])
        return types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position."""
        lines = split_lines(self.text)
        before = sum(map(len, lines[: position.line]))
        line = lines[position.line].encode("utf-16-le")[: 2 * position.character]
        return before + len(line.decode("utf-16-le"))

    def at(self, words: str, inside: int = 0) -> types.Position:
        """Return the place of the first occurrence of some words, so many characters in."""
        return self.position(self.text.index(words) + inside)

    def words(self, place: types.Range) -> str:
        """Return what stands in a range."""
        return self.text[self.offset(place.start) : self.offset(place.end)]

    def whole(self) -> types.Range:
        """Return the range of all of it."""
        return types.Range(types.Position(0, 0), self.position(len(self.text)))

    def applied(self, edits: Sequence[Any]) -> str:
        """Return the text with edits of it."""
        text = self.text
        places = [(self.offset(edit.range.start), self.offset(edit.range.end)) for edit in edits]
        for (start, end), edit in sorted(
            zip(places, edits, strict=True), key=lambda each: each[0], reverse=True
        ):
            text = text[:start] + edit.new_text + text[end:]
        return text

    def applied_workspace(self, edit: types.WorkspaceEdit) -> str:
        """Return the text with an edit of the workspace, which is about nothing else."""
        if edit.document_changes:
            [change] = edit.document_changes
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == self.version

            return self.applied(change.edits)
        assert edit.changes is not None
        return self.applied(edit.changes[self.uri])

    async def command(self, name: str, **arguments: Any) -> Any:
        """Have a command done."""
        params = types.ExecuteCommandParams(name, [{"uri": self.uri, **arguments}])
        return plain(await soon(self.client.workspace_execute_command_async(params)))

    async def ask(self, method: str, **params: Any) -> Any:
        """Ask for something that is beyond the protocol."""
        given = {"textDocument": {"uri": self.uri}, **params}
        protocol: Any = self.client.protocol
        return plain(await soon(protocol.send_request_async(method, given)))

    async def hints(self) -> list[str]:
        """Return what stands between the words."""
        params = types.InlayHintParams(self.document, self.whole())
        found = await soon(self.client.text_document_inlay_hint_async(params))
        return [str(hint.label) for hint in found or ()]

    async def lenses(self) -> list[types.CodeLens]:
        """Return what can be done."""
        params = types.CodeLensParams(self.document)
        found = await soon(self.client.text_document_code_lens_async(params))
        return [] if found is None else list(found)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as the protocol counts them, each with its end."""
    import re

    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$|(?<=[\r\n])$|^$", text) or [""]


def example(name: str) -> str:
    """Return the text of an example."""
    return Path("examples", name).read_text(encoding="utf-8")


def read(address: str) -> str:
    """Return what is in the file of an address."""
    return Path(address.removeprefix("file://")).read_text(encoding="utf-8")
