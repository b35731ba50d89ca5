"""Many jobs, so many of them at once, each in a process of its own.

All of them are children of the prepared process, and one thread listens to all: whatever happens to it,
Ctrl-C included, no child outlives it.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Self

from gnomon.checking.process.channel import readable
from gnomon.checking.process.child import Begun, Done, Failed, Job, Told
from gnomon.checking.process.client import ServedChild
from gnomon.checking.supervise import last_words

_PAUSE: Final = 0.05


class Finished(NamedTuple):
    """What a job has come to, by its number: its value, what it raised, or why there is neither."""

    number: int
    value: Any = None
    reason: str = ""
    error: BaseException | None = None


class _Waiting(NamedTuple):
    number: int
    job: Job
    #: It is ended after so many seconds.
    seconds: float | None


class _Running(NamedTuple):
    number: int
    child: ServedChild
    seconds: float | None
    #: When its process began with it; None as long as it has not.
    started: float | None = None


class Pool:
    """Jobs in processes of their own; leaving the `with` block ends all that are left."""

    def __init__(self, at_once: int, on_told: Callable[[int, Any], None] | None = None) -> None:
        """Have so many done at once; `on_told` hears what jobs tell, with their numbers, while they go on."""
        self._most = at_once
        self._on_told = on_told
        self._added = 0
        self._waiting: deque[_Waiting] = deque()
        self._running: dict[int, _Running] = {}

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all that is still running, and forget the rest."""
        self._waiting.clear()
        while self._running:
            self._running.popitem()[1].child.end()

    def add(self, job: Job, seconds: float | None = None) -> int:
        """Have one more job done, which is ended after so many seconds; return its number, from 0 on."""
        number = self._added
        self._added += 1
        self._waiting.append(_Waiting(number, job, seconds))
        return number

    def end(self, number: int) -> None:
        """See to it that a job is not done, or no more; when this returns, its process is gone."""
        for descriptor, running in self._running.items():
            if running.number == number:
                del self._running[descriptor]
                running.child.end()
                return
        self._waiting = deque(each for each in self._waiting if each.number != number)

    def under_way(self) -> tuple[int, ...]:
        """Return the numbers of the jobs that have begun and not ended."""
        return tuple(each.number for each in self._running.values())

    def finished(self, look: Callable[[tuple[int, ...]], None]) -> Iterator[Finished]:
        """Yield what jobs come to, in the order in which they end; raise what they raise.

        Every now and then, `look` is told the numbers of those that are under way.
        """
        while self.start():
            look(self.under_way())
            for ended in self.wait(_PAUSE):
                if ended.error is not None:
                    raise ended.error
                yield ended

    def start(self) -> bool:
        """Start as many as there is room for; return whether any is under way."""
        while self._waiting and len(self._running) < self._most:
            number, job, seconds = self._waiting[0]
            try:
                child = ServedChild(job)
            except OSError:
                if not self._running:
                    raise
                self._most = len(self._running)  # the machine allows no more at once
                break
            self._waiting.popleft()
            descriptor = child.channel.fileno()
            self._running[descriptor] = _Running(number, child, seconds)
        return bool(self._running)

    def wait(self, seconds: float | None, also: Sequence[int] = ()) -> list[Finished]:
        """Wait until something has been heard, at most so long, and return what has ended by then.

        Something to read at one of the descriptors in `also` ends the waiting, too.
        """
        heard = readable([*self._running, *also], seconds)
        ended = [self._hear(descriptor) for descriptor in heard if descriptor in self._running]
        return [each for each in ended if each is not None] + list(self._late())

    def _hear(self, descriptor: int) -> Finished | None:
        running = self._running[descriptor]
        number = running.number
        try:
            for message in running.child.channel.arrived():
                match message:
                    case Begun():
                        self._running[descriptor] = running._replace(started=time.monotonic())
                    case Told(said) if self._on_told is not None:
                        self._on_told(number, said)
                    case Done(value):
                        self._bury(descriptor)
                        return Finished(number, value)
                    case Failed(error):
                        self._bury(descriptor)
                        return Finished(number, error=error)
        except EOFError:
            return Finished(number, reason=last_words(self._bury(descriptor)))
        return None

    def _bury(self, descriptor: int) -> int:
        status = self._running[descriptor].child.wait()
        del self._running[descriptor]
        return status

    def _late(self) -> Iterator[Finished]:
        """End what should have ended by itself."""
        now = time.monotonic()
        for descriptor, running in list(self._running.items()):
            if running.seconds is None or running.started is None:
                continue
            if now - running.started > running.seconds:
                del self._running[descriptor]
                running.child.end()
                yield Finished(running.number, reason=f"it did not end after {running.seconds:g} s")
