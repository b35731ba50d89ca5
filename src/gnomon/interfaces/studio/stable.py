"""Processes of the workbench that wait for work: one is always ready, so that nobody waits for it."""

import asyncio
from contextlib import suppress

from gnomon.interfaces.studio.bench_process import BenchProcess
from gnomon.workbench.failure import RequestFailed


class ProcessStable:
    """Starts processes, and sees to it that none is left."""

    def __init__(self) -> None:
        """Have none yet."""
        self._spare: asyncio.Task[BenchProcess] | None = None
        self._all: set[BenchProcess] = set()
        self._burying: set[asyncio.Task[None]] = set()
        self._closed = False

    def prepare(self) -> None:
        """See to it that one is ready, or will be soon."""
        if self._spare is None and not self._closed:
            self._spare = asyncio.ensure_future(self._start())

    async def take(self) -> BenchProcess:
        """Return a process, and prepare another one."""
        spare, self._spare = self._spare, None
        try:
            process = await (self._start() if spare is None else asyncio.shield(spare))
        except OSError as error:
            why = f"the machine could not start a process: {error}"
            raise RequestFailed("unable", why) from None
        except asyncio.CancelledError:
            if spare is not None and self._spare is None:
                self._spare = spare  # for the next one
            raise
        if not process.is_alive:  # somebody has ended it
            self.end(process)
            return await self.take()
        self.prepare()
        return process

    async def _start(self) -> BenchProcess:
        process = await BenchProcess.start()
        if self._closed:
            await process.gone()
            msg = "the studio has ended"
            raise RequestFailed("cancelled", msg)
        self._all.add(process)
        return process

    def end(self, process: BenchProcess) -> None:
        """End a process; nobody waits until it is gone."""
        process.kill()
        if process in self._all:
            self._all.discard(process)
            task = asyncio.ensure_future(process.gone())
            self._burying.add(task)
            task.add_done_callback(self._burying.discard)

    async def close(self) -> None:
        """End all of them; none is left when this returns."""
        self._closed = True
        if self._spare is not None:
            with suppress(RequestFailed, OSError):
                await self._spare
        for process in list(self._all):
            self.end(process)
        while self._burying:
            await asyncio.gather(*self._burying)
