"""Many jobs, so many of them at once, each in a process of its own.

All of them are children of the prepared process, and this one thread listens to all: whatever happens to it,
Ctrl-C included, no child outlives it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Self

from gnomon.checking.process.channel import readable
from gnomon.checking.process.child import Done, Failed, Job
from gnomon.checking.process.client import ServedChild
from gnomon.checking.supervise import last_words

_PAUSE: Final = 0.05


class Finished(NamedTuple):
    """What a job has come to, by its place in the list: its value, or the reason why there is none."""

    place: int
    value: Any = None
    reason: str = ""


class _Running(NamedTuple):
    place: int
    child: ServedChild
    started: float


class Pool:
    """Jobs in processes of their own; leaving the `with` block ends all that are left."""

    def __init__(self, jobs: Sequence[Job], at_once: int, seconds: float | None = None) -> None:
        """Have so many done at once; each of them is ended after so many `seconds`."""
        self._jobs = jobs
        self._most = at_once
        self._seconds = seconds
        self._next = 0
        self._running: dict[int, _Running] = {}

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all that is still running."""
        while self._running:
            self._running.popitem()[1].child.end()

    def finished(self, look: Callable[[tuple[int, ...]], None]) -> Iterator[Finished]:
        """Yield what jobs come to, in the order in which they end; raise what they raise.

        Every now and then, `look` is told the places of those that are under way.
        """
        while self._start():
            look(tuple(each.place for each in self._running.values()))
            for descriptor in readable(list(self._running), _PAUSE):
                yield from self._hear(descriptor)
            yield from self._late()

    def _start(self) -> bool:
        """Start as many as there is room for; return whether any is under way."""
        while self._next < len(self._jobs) and len(self._running) < self._most:
            try:
                child = ServedChild(self._jobs[self._next])
            except OSError:
                if not self._running:
                    raise
                self._most = len(self._running)  # the machine allows no more at once
                break
            self._running[child.channel.fileno()] = _Running(self._next, child, time.monotonic())
            self._next += 1
        return bool(self._running)

    def _hear(self, descriptor: int) -> Iterator[Finished]:
        running = self._running[descriptor]
        try:
            for message in running.child.channel.arrived():
                match message:
                    case Done(value):
                        self._bury(descriptor)
                        yield Finished(running.place, value)
                        return
                    case Failed(error):
                        self._bury(descriptor)
                        raise error
        except EOFError:
            yield Finished(running.place, reason=last_words(self._bury(descriptor)))

    def _bury(self, descriptor: int) -> int:
        status = self._running[descriptor].child.wait()
        del self._running[descriptor]
        return status

    def _late(self) -> Iterator[Finished]:
        """End what should have ended by itself."""
        if self._seconds is None:
            return
        now = time.monotonic()
        for descriptor, running in list(self._running.items()):
            if now - running.started > self._seconds:
                del self._running[descriptor]
                running.child.end()
                yield Finished(running.place, reason=f"it did not end after {self._seconds:g} s")
