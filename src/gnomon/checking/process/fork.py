"""Children forked from this very process: for our own programs, with one thread and no native state."""

import os
import signal
from contextlib import suppress
from weakref import WeakSet

from gnomon.checking.process.channel import Channel
from gnomon.checking.process.child import Job, work

_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ForkedChild:
    """A child of this process."""

    def __init__(self, job: Job) -> None:
        """Start it."""
        # It has its job from before the fork, so that it only has to speak.
        hearing, speaking = os.pipe()
        reading, self._lifeline = os.pipe()
        # A signal between the fork and the first steps of the child would run the parent's handlers there.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._lifeline)
            os.close(hearing)
            for other in _alive:
                other.forget()
            _alive.clear()
            leave_standard_streams(speaking, reading)
            work(job, Channel(-1, speaking), reading)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(speaking)
        os.close(reading)
        self.channel = Channel(hearing, -1)
        self._status: int | None = None
        _alive.add(self)

    def end(self) -> int:
        """See to it that the child is gone, and return how it ended: its status, or minus the signal."""
        if self._status is None:
            # A process that was forked in the meantime may hold the other end, too: so say it aloud.
            with suppress(OSError):
                os.write(self._lifeline, b"x")
            self._bury()
        return self._status or 0

    def wait(self) -> int:
        """Wait for a child that has said its last word."""
        if self._status is None:
            self._bury()
        return self._status or 0

    def forget(self) -> None:
        """Close what belongs to the process that this one was forked from: no brother keeps another alive."""
        os.close(self._lifeline)
        self.channel.close()

    def _bury(self) -> None:
        self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        _alive.discard(self)
        os.close(self._lifeline)
        self.channel.close()


#: Those that may still be at work.
_alive: WeakSet[ForkedChild] = WeakSet()


def leave_standard_streams(*needed: int) -> None:
    """Keep native libraries from writing between the lines that the parent prints.

    Where a stream was closed, its number may belong to something that is `needed`.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in {0, 1}.difference(needed):
        os.dup2(nowhere, descriptor)
    if nowhere > 1:
        os.close(nowhere)
