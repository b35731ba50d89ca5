"""A process of the workbench: asked one thing after the other, and ended when that takes too long."""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, Final

from gnomon.checking.supervise import last_words
from gnomon.interfaces.studio.telling import tell
from gnomon.model.budget import memory_in_use
from gnomon.workbench.failure import RequestFailed

#: A process that is killed as soon as this one closes its end of a pipe, or is gone.
_WORK: Final = "import sys; from gnomon.workbench.worker import run; run(int(sys.argv[1]))"
#: No answer is longer; neither is what it says to standard error, in one line.
_MOST_BYTES: Final = 64 * 2**20
#: A process keeps to its limits by itself and says what it found; after so many more seconds it is ended.
_GRACE: Final = 1.0
#: How often its memory is looked at, in seconds; it may have so many megabytes more than work should take.
_LOOK: Final = 0.2
_SPARE_MEMORY: Final = 200.0


class BenchFailed(RequestFailed):
    """A request has no answer, as the workbench says; its data are passed on as they are."""

    def __init__(self, said: dict[str, Any]) -> None:
        """Take over what it said."""
        data = said["data"]
        super().__init__(data["kind"], said["message"])
        self._said = said

    def to_data(self) -> dict[str, Any]:
        """Return it as an answer has it."""
        return self._said


class BenchDied(RequestFailed):
    """A process has gone before it answered; the message says how."""


class BenchProcess:
    """A process that was started, and what it knows."""

    def __init__(self, process: asyncio.subprocess.Process, lifeline: int) -> None:
        """Have a process that dies with the lifeline."""
        self._process = process
        self._lifeline: int | None = lifeline
        self._number = 0
        #: The models that are on its bench, unless it had to make room.
        self.models: set[str] = set()
        self._listening = asyncio.ensure_future(self._listen())

    @staticmethod
    async def start() -> "BenchProcess":
        """Start one; it is ready when it answers."""
        reading, writing = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # what lies in the folder of a model is no program of ours
                *("-c", _WORK, str(reading)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                pass_fds=(reading,),
                limit=_MOST_BYTES,
                start_new_session=True,  # Ctrl-C is for us
                # Ties are broken by hashes in places: whoever asks twice is answered alike.
                env={**os.environ, "PYTHONHASHSEED": "0"},
            )
        except BaseException:
            os.close(writing)
            raise
        finally:
            os.close(reading)
        return BenchProcess(process, writing)

    @property
    def pid(self) -> int:
        """Return which process it is."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Return whether it can be asked."""
        if self._lifeline is None or self._process.returncode is not None:
            return False
        # It may be gone already, and nobody has told us yet.
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    async def ask(self, method: str, params: Any, seconds: float, megabytes: float) -> Any:
        """Return what it answers; raise `RequestFailed` where that is nothing.

        Where it does not answer in its time, takes too much memory, or nobody waits any more, it is ended.
        """
        self._number += 1
        asked = {
            "id": self._number,
            "method": method,
            "params": params,
            "seconds": seconds,
            "megabytes": megabytes,
        }
        line = json.dumps(asked, separators=(",", ":")).encode() + b"\n"
        try:
            async with asyncio.timeout(seconds + _GRACE):
                said = await self._exchanged(line, megabytes + _SPARE_MEMORY)
        except TimeoutError:
            self.kill()
            raise RequestFailed("limit", f"it was not finished after {seconds:g} s") from None
        except BaseException:
            self.kill()
            raise
        return self._answer(said)

    async def _exchanged(self, line: bytes, megabytes: float) -> bytes:
        assert self._process.stdin is not None and self._process.stdout is not None
        reading = asyncio.ensure_future(self._process.stdout.readline())
        try:
            with suppress(ConnectionError):  # then it is gone, and says nothing
                self._process.stdin.write(line)
                await self._process.stdin.drain()
            while not reading.done():
                await asyncio.wait({reading}, timeout=_LOOK)
                if memory_in_use(self.pid) > megabytes and not reading.done():
                    raise RequestFailed("limit", f"it took more than {megabytes:,.0f} MB of memory")
            said = reading.result()
        except ValueError:
            raise RequestFailed("limit", "the answer is too long to be sent") from None
        finally:
            reading.cancel()
        if not said:
            raise await self._death()
        return said

    async def _death(self) -> RequestFailed:
        status = await self._process.wait()
        killed = status == -signal.SIGKILL
        why = last_words(status)
        return BenchDied("limit" if killed else "bug", f"this was not answered: {why}")

    def _answer(self, said: bytes) -> Any:
        try:
            answer = json.loads(said)
        except (ValueError, RecursionError) as error:
            self.kill()
            raise RequestFailed("bug", f"the workbench answered strangely: {error}") from None
        if "error" in answer:
            raise BenchFailed(answer["error"])
        return answer["result"]

    async def _listen(self) -> None:
        """Show what it says beside its answers: it is a mistake of ours."""
        assert self._process.stderr is not None
        with suppress(ValueError):
            while line := await self._process.stderr.readline():
                tell(line.decode("utf-8", "replace").rstrip())

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        if self._lifeline is not None:
            # Not by the method of the process: that may hear of its end first, and nobody else would then.
            if self._process.returncode is None:
                with suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)
            os.close(self._lifeline)
            self._lifeline = None

    async def gone(self) -> None:
        """Come back when there is nothing left of it."""
        self.kill()
        await self._process.wait()
        await self._listening
