"""Processes of the workbench that wait for work, so that a new page need not wait for them."""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

from gnomon.interfaces.studio.bench_process import BenchProcess
from gnomon.workbench.failure import RequestFailed

#: So many wait: a page takes two.
SPARES: Final = 2


class ProcessStable:
    """Starts processes, and sees to it that none is left."""

    def __init__(self) -> None:
        """Have none yet."""
        self._spares: deque[asyncio.Task[BenchProcess]] = deque()
        self._all: set[BenchProcess] = set()
        self._burying: set[asyncio.Task[None]] = set()
        self._closed = False

    def prepare(self) -> None:
        """See to it that some are ready, or will be soon."""
        while len(self._spares) < SPARES and not self._closed:
            self._spares.append(asyncio.ensure_future(self._start()))

    async def take(self) -> BenchProcess:
        """Return a process, and prepare another one."""
        self.prepare()
        if self._closed:
            raise RequestFailed("cancelled", "the studio has ended")
        spare = self._spares.popleft()
        try:
            process = await asyncio.shield(spare)
        except OSError as error:
            why = f"the machine could not start a process: {error}"
            raise RequestFailed("unable", why) from None
        except asyncio.CancelledError:
            self._spares.append(spare)  # for the next one
            raise
        if not process.is_alive:  # somebody has ended it
            self.end(process)
            return await self.take()
        self.prepare()
        return process

    async def _start(self) -> BenchProcess:
        process = await BenchProcess.start()
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
        for spare in self._spares:
            with suppress(OSError):
                await spare
        for process in list(self._all):
            self.end(process)
        while self._burying:
            await asyncio.gather(*self._burying)
