"""What a client sees of a check while it goes on, by the protocol's own reports."""

import asyncio
from typing import Any, Final
from uuid import uuid4

from lsprotocol import types

from gnomon.campaign.explained import Underway
from gnomon.editing.analysis import Analysis
from gnomon.interfaces.lsp.checks import RunningCheck
from gnomon.interfaces.lsp.command_arguments import CommandArguments
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.lsp.telling import tell

#: So many seconds a client has to say where progress is shown.
_PATIENCE: Final = 5.0


def _heard(asked: "asyncio.Future[Any]") -> None:
    """Take note of an answer that comes too late, or says no."""
    if not asked.cancelled():
        asked.exception()


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
        asked = asyncio.ensure_future(self.ls.work_done_progress.create_async(token))
        # A client that answers late is not cancelled: its answer would then be one to nothing.
        await asyncio.wait((asked,), timeout=_PATIENCE)
        if asked.done() and not asked.cancelled() and asked.exception() is None:
            self.token = token
        else:
            asked.add_done_callback(_heard)

    def begin(self, check: RunningCheck) -> None:
        """Say that it has begun."""
        self.check = check
        tell(self.ls, self.document, self.ls.status(self.document))
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
