"""Limits that hold whatever the work is doing, inside a native call too: the work has a process of its own.

The caller waits for what that process tells, looks at the clock and at its memory, and hears Ctrl-C. When a
limit is passed the process is ended, and with it all that it held. No two pieces of work share native state.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from gnomon.checking.process.channel import Channel, readable
from gnomon.checking.process.child import LOST, NOT_STARTED, Born, Done, Failed, Job, Told
from gnomon.model.budget import Budget, memory_in_use
from gnomon.text.ending import Terminated
from gnomon.text.limits import room_to_recurse

_PAUSE: Final = 0.02
#: Without a limit of its own, a check may use this share of the machine's memory.
_SHARE: Final = 0.85

INTERRUPTED: Final = "interrupted"
TERMINATED: Final = "terminated"


class Ended(NamedTuple):
    """What work has come to: its value, or the reason why it was given up."""

    reason: str = ""
    value: Any = None


class Child(Protocol):
    """A process that does one job."""

    channel: Channel

    def end(self) -> int:
        """See to it that it is gone, and return its status, or minus the signal that ended it."""

    def wait(self) -> int:
        """Wait until it is gone by itself, and return the same."""


Workplace: TypeAlias = Literal["served", "forked", "here"]


class _Chosen:
    """Where work is done, for the whole process."""

    place: Workplace = "served" if hasattr(os, "fork") else "here"


#: Work that is done in this very process waits for what is there already: native state is never shared.
_one_at_a_time = RLock()


def fork_from_here() -> None:
    """Say that this process has one thread and no native state, and never will: it may be forked."""
    if hasattr(os, "fork"):
        _Chosen.place = "forked"


@contextmanager
def work_here() -> Iterator[None]:
    """Do all work in this very process, one after the other, for as long as this lasts.

    Limits then hold only where the work looks at them. For tests that change what the work does, and for
    platforms without processes.
    """
    before, _Chosen.place = _Chosen.place, "here"
    try:
        yield
    finally:
        _Chosen.place = before


def has_processes() -> bool:
    """Return whether work is done in processes of its own."""
    return _Chosen.place != "here"


def _started(job: Job) -> Child:
    if _Chosen.place == "forked" or not sys.executable:
        from gnomon.checking.process.fork import ForkedChild

        return ForkedChild(job)
    from gnomon.checking.process.client import ServedChild

    return ServedChild(job)


class Worker:
    """A child at work: who hears what it tells, and what it has come to once it is over."""

    def __init__(self, job: Job, hear: Callable[[Any], None]) -> None:
        """Start it."""
        self._child = _started(job)
        self._hear = hear
        self.pid: int | None = None
        self.ended: Ended | None = None

    def fileno(self) -> int:
        """Return what can be waited for."""
        return self._child.channel.fileno()

    def listen(self) -> None:
        """Hear what has arrived; raise what the work raises."""
        try:
            for message in self._child.channel.arrived():
                match message:
                    case Born(pid):
                        self.pid = pid
                    case Told(said):
                        self._hear(said)
                    case Done(value):
                        self._child.wait()
                        self.ended = Ended("", value)
                        return
                    case Failed(error):
                        self._child.wait()
                        self.ended = Ended(str(error))
                        raise error
        except EOFError:
            self.ended = Ended(last_words(self._child.wait()))

    def memory(self) -> float:
        """Return the megabytes that it holds."""
        return 0.0 if self.pid is None or self.ended is not None else memory_in_use(self.pid)

    def end(self, reason: str = "") -> None:
        """See to it that it is gone, for some reason, unless it is gone already."""
        self._child.end()
        self.ended = self.ended or Ended(reason)


class Crew:
    """All who work on one thing, within limits that are for all of them together.

    Where they hold too much memory, one after the other is ended, the largest first: the leader, who was
    there first, only once it is alone.
    """

    def __init__(self, budget: Budget) -> None:
        """Begin with nobody."""
        self.budget = budget
        self.workers: list[Worker] = []
        self._most = budget.megabytes or machine_memory()

    def start(self, job: Job, hear: Callable[[Any], None]) -> Worker:
        """Have a job done as well."""
        worker = Worker(job, hear)
        self.workers.append(worker)
        return worker

    @property
    def leader(self) -> Worker:
        """Return who was there first."""
        return self.workers[0]

    @property
    def busy(self) -> list[Worker]:
        """Return who is at work, the leader first."""
        return [worker for worker in self.workers if worker.ended is None]

    def listen(self) -> None:
        """Wait a moment for something to hear, and hear it."""
        ready = set(readable([worker.fileno() for worker in self.busy], _PAUSE))
        for worker in self.busy:
            if worker.fileno() in ready:
                worker.listen()

    def end(self) -> None:
        """See to it that nobody is left."""
        for worker in self.workers:
            worker.end()

    def past_limits(self) -> str:
        """Return which limit was reached, where that ends it all."""
        budget = self.budget
        # The work looks at the same limits and knows better what to say: give it a moment.
        if budget.seconds is not None and budget.spent() > budget.seconds + 2 * _PAUSE:
            return f"the time limit of {budget.seconds:g} s was reached"
        busy = self.busy
        while self._most is not None and sum(each.memory() for each in busy) > self._most:
            whose = "" if budget.megabytes else f", {_SHARE:.0%} of what this machine has,"
            reason = f"the memory limit of {self._most:,.0f} MB{whose} was reached"
            if len(busy) == 1:
                return reason
            spare = [each for each in busy if each is not self.leader]
            largest = max(spare, key=Worker.memory)
            largest.end(reason)
            busy.remove(largest)
        return ""


#: Is asked many times a second whether work is over, and may have others join it.
CrewWatch: TypeAlias = Callable[[Crew], Ended | None]


def supervise(
    job: Job,
    budget: Budget,
    hear: Callable[[Any], None],
    meanwhile: Callable[[], None] | None = None,
    look: CrewWatch = lambda crew: crew.leader.ended,
) -> Ended:
    """Have a job done, hear what it tells, and return what it has come to; raise what it raises.

    Once it has begun, and while there is nothing to hear, `meanwhile` is called many times a second. It is
    over when `look` says so; nobody else can join work that is done in this very process.
    """
    if _Chosen.place == "here":
        return _done_here(job, hear)
    crew = Crew(budget)
    try:
        crew.start(job, hear)
        return _watch(crew, meanwhile, look)
    except KeyboardInterrupt:
        return Ended(INTERRUPTED)
    except Terminated:
        return Ended(TERMINATED)
    finally:
        crew.end()


def _done_here(job: Job, hear: Callable[[Any], None]) -> Ended:
    with _one_at_a_time, room_to_recurse():
        try:
            return Ended("", job(hear))
        except KeyboardInterrupt:
            return Ended(INTERRUPTED)
        except Terminated:
            return Ended(TERMINATED)


def _watch(crew: Crew, meanwhile: Callable[[], None] | None, look: CrewWatch) -> Ended:
    looked = 0.0
    while True:
        crew.listen()
        ended = look(crew)
        if ended is not None:
            return ended
        now = time.monotonic()
        if now - looked < _PAUSE:
            continue
        looked = now
        if meanwhile is not None and crew.leader.pid is not None:
            meanwhile()
        reason = crew.past_limits()
        if reason:
            return Ended(reason)


def last_words(status: int) -> str:
    """Return in words how a process ended that did not say so itself."""
    if status == LOST:
        return "the process that starts others ended unexpectedly, or could not be started"
    if status == NOT_STARTED:
        return "the machine could not start another process"
    if status == -signal.SIGKILL:
        return "its process was killed, most likely because the machine had no more memory"
    if status < 0:
        name = signal.strsignal(-status) or f"signal {-status}"
        return f"its process ended unexpectedly ({name}): this is a bug in gnomon, please report it"
    return f"its process ended unexpectedly, with status {status}"


def machine_memory() -> float | None:
    """Return the megabytes that work may use where nobody has set a limit."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20 * _SHARE
    except (AttributeError, ValueError, OSError):
        return None
