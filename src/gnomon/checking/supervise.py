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


def supervise(
    job: Job,
    budget: Budget,
    hear: Callable[[Any], None],
    meanwhile: Callable[[], None] | None = None,
) -> Ended:
    """Have a job done, hear what it tells, and return what it has come to; raise what it raises.

    Once it has begun, and while there is nothing to hear, `meanwhile` is called many times a second.
    """
    if _Chosen.place == "here":
        return _done_here(job, hear)
    child: Child | None = None
    try:
        child = _started(job)
        return _listen(child, budget, hear, meanwhile)
    except KeyboardInterrupt:
        return Ended(INTERRUPTED)
    except Terminated:
        return Ended(TERMINATED)
    finally:
        if child is not None:
            child.end()


def _done_here(job: Job, hear: Callable[[Any], None]) -> Ended:
    with _one_at_a_time, room_to_recurse():
        try:
            return Ended("", job(hear))
        except KeyboardInterrupt:
            return Ended(INTERRUPTED)
        except Terminated:
            return Ended(TERMINATED)


def _listen(
    child: Child,
    budget: Budget,
    hear: Callable[[Any], None],
    meanwhile: Callable[[], None] | None,
) -> Ended:
    most = budget.megabytes or machine_memory()
    whose = "" if budget.megabytes else f", {_SHARE:.0%} of what this machine has,"
    pid: int | None = None
    looked = 0.0
    while True:
        if readable([child.channel.fileno()], _PAUSE):
            try:
                for message in child.channel.arrived():
                    match message:
                        case Born(pid):
                            pass
                        case Told(said):
                            hear(said)
                        case Done(value):
                            child.wait()
                            return Ended("", value)
                        case Failed(error):
                            child.wait()
                            raise error
            except EOFError:
                return Ended(last_words(child.wait()))
        now = time.monotonic()
        if now - looked < _PAUSE:
            continue
        looked = now
        if meanwhile is not None and pid is not None:
            meanwhile()
        # The work looks at the same limits and knows better what to say: give it a moment.
        if budget.seconds is not None and budget.spent() > budget.seconds + 2 * _PAUSE:
            return Ended(f"the time limit of {budget.seconds:g} s was reached")
        if most is not None and pid is not None and memory_in_use(pid) > most:
            return Ended(f"the memory limit of {most:,.0f} MB{whose} was reached")


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
