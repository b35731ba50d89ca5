"""Requests to the workbench, one after the other in a process of their own: what is quick, and the rest."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gnomon.interfaces.studio.bench_process import BenchDied, BenchProcess
from gnomon.interfaces.studio.models import OPEN, POPULATE, KnownModels
from gnomon.interfaces.studio.stable import ProcessStable
from gnomon.workbench.failure import RequestFailed

#: Methods that make a model, whose text is remembered.
_MAKING: Final = frozenset({OPEN, POPULATE, "run/join"})
#: What somebody has cancelled may come to its end within so many seconds: its process is warm.
_MOMENT: Final = 0.1
#: No request takes all memory within so many seconds: a process that is killed by then was dying already.
_SUDDEN: Final = 0.5
#: So many processes that were ended while they waited are passed over: this one, and those that were ready.
_TRIES: Final = 3


class BenchLane:
    """Has requests answered by one process, which is started anew when it was ended."""

    def __init__(
        self, stable: ProcessStable, models: KnownModels, seconds: float, megabytes: float
    ) -> None:
        """Give each request so many seconds and megabytes."""
        self._stable = stable
        self._models = models
        self._limits = (seconds, megabytes)
        self._turn = asyncio.Lock()
        self._process: BenchProcess | None = None
        self._work: asyncio.Task[Any] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Return which process answers; None where there is none now."""
        return None if self._process is None else self._process.pid

    async def prepare(self) -> None:
        """Have a process ready."""
        async with self._turn:
            await self._ready()

    async def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the answer; raise `RequestFailed` where there is none. To cancel it ends the process."""
        await self._turn.acquire()
        if self._closed:
            self._turn.release()
            raise RequestFailed("cancelled", "the connection has ended")
        work = self._work = asyncio.ensure_future(self._answer(method, params))
        work.add_done_callback(self._done)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(_MOMENT, work.cancel)
            raise

    def _done(self, work: "asyncio.Task[Any]") -> None:
        self._turn.release()
        if not work.cancelled():
            work.exception()  # whoever asked has heard of it, or does not want to know

    async def _answer(self, method: str, params: Mapping[str, Any]) -> Any:
        for _ in range(_TRIES):
            process, began = await self._ready(), time.monotonic()
            try:
                return await self._answer_by(process, method, params)
            except BenchDied as died:
                if died.kind == "bug" or time.monotonic() - began > _SUDDEN:
                    raise
            # Somebody else has ended it while it waited: that is not the fault of this request. Those that
            # were ready may have been ended with it.
        return await self._answer_by(await self._ready(), method, params)

    async def _answer_by(
        self, process: BenchProcess, method: str, params: Mapping[str, Any]
    ) -> Any:
        try:
            for model in dict.fromkeys(_models_in(params)):
                if model not in process.models:
                    await self._open(process, model)
            try:
                result = await process.ask(method, params, *self._limits)
            except RequestFailed as failed:
                # It keeps so many models only.
                if failed.kind != "unknown-model" or not await self._open_all(process, params):
                    raise
                result = await process.ask(method, params, *self._limits)
        finally:
            if not process.is_alive:
                self._stable.end(process)
        if method in _MAKING:
            self._models.note(method, params, result)
            process.models.add(_made(result))
        return result

    async def _ready(self) -> BenchProcess:
        if self._process is None or not self._process.is_alive:
            self._process = await self._stable.take()
            if self._closed:
                self._end()
                raise RequestFailed("cancelled", "the connection has ended")
        return self._process

    async def _open_all(self, process: BenchProcess, params: Mapping[str, Any]) -> bool:
        opened = [await self._open(process, model) for model in _models_in(params)]
        return any(opened)

    async def _open(self, process: BenchProcess, model: str) -> bool:
        """Tell a process of a model; return whether it is known here."""
        openings = self._models.openings(model)
        for made, method, params in openings:
            await process.ask(method, params, *self._limits)
            process.models.add(made)
        return bool(openings)

    def close(self) -> None:
        """End the process at once, whatever it is doing, and answer nothing more."""
        self._closed = True
        if self._work is not None:
            self._work.cancel()
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._stable.end(self._process)
            self._process = None


def _models_in(params: Mapping[str, Any]) -> Iterator[str]:
    """Yield the models that a request is about, wherever it names them."""
    for place in (params, params.get("params"), params.get("graph")):
        if isinstance(place, Mapping) and isinstance(place.get("model"), str):
            yield place["model"]


def _made(result: Mapping[str, Any]) -> str:
    opened = result.get("opened", result)
    return str(opened.get("model")) if isinstance(opened, Mapping) else ""
