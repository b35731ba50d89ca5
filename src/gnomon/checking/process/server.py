"""The prepared process: it has everything loaded and nothing running, and forks a child for each job.

A program that uses Gnomon may have threads, event loops and native state of its own; forking it is not safe,
and starting Python afresh for each check would take longer than most checks. So one process is started beside
it, which does nothing but fork. Each child speaks with the caller directly; this process only starts it and
says how it ended.
"""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Final, NoReturn

from gnomon.checking.process.channel import Channel, readable
from gnomon.checking.process.child import NOT_STARTED, live_as_long_as, work
from gnomon.checking.process.fork import leave_standard_streams

#: What children need most, first; loaded while there is nothing else to do.
_PREPARED: Final = (
    "gnomon.checking.check",
    "gnomon.engines.bdd.bdd_algebra",
    "gnomon.engines.bdd.setup",
    "oxidd.bdd",
    "gnomon.engines.explicit.engine",
    "gnomon.checking.batch",
    "gnomon.campaign.worker",
    "gnomon.checking.supported",
    "gnomon.checking.cells",
    "gnomon.checking.populations",
    "gnomon.checking.certify",
    "gnomon.language.expand.families",
    "gnomon.certificate.verify",
    "pysat.solvers",
    "z3",
)


def serve(descriptor: int, lifeline: int) -> NoReturn:
    """Fork a child for every request that comes over a socket, until that or the lifeline is closed."""
    live_as_long_as(lifeline)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever started this process may have blocked anything.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    control = socket.socket(fileno=descriptor)
    bell, rings = socket.socketpair()
    bell.setblocking(False)
    rings.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
    nursery = _Nursery(control, (control, bell, rings), lifeline)
    preparations = _preparations()
    while True:
        idle = next(preparations, None)
        ready = readable([control.fileno(), rings.fileno()], None if idle is None else 0)
        if rings.fileno() in ready:
            rings.recv(4096)
            nursery.bury()
        if control.fileno() in ready and not nursery.start():
            os._exit(0)


def _preparations() -> Iterator[str]:
    """Load one module after the other, one each time that is asked; then try them out."""
    for name in _PREPARED:
        try:
            import_module(name)
        except ImportError:
            continue  # an extra that is not installed; whoever needs it will say so
        yield name
    # It stands on this module: what is rehearsed is a whole check.
    yield from import_module("gnomon.checking.rehearsal").rehearse()


class _Nursery:
    """The children that are alive, each with the pipe that its end is told through."""

    def __init__(
        self, control: socket.socket, ours: tuple[socket.socket, ...], lifeline: int
    ) -> None:
        self._control = control
        self._lifeline = lifeline
        self._ours = ours
        self._wills: dict[int, int] = {}

    def start(self) -> bool:
        """Fork a child for the next request; return False where there will be no more."""
        try:
            word, descriptors, _, _ = socket.recv_fds(self._control, 1, 3)
        except OSError:
            return False
        if not word or len(descriptors) != 3:
            return False
        link, lifeline, will = descriptors
        try:
            pid = os.fork()
        except OSError:
            os.write(will, str(NOT_STARTED).encode())
            for descriptor in descriptors:
                os.close(descriptor)
            return True
        if pid == 0:
            for each in self._ours:
                each.close()
            os.close(self._lifeline)
            for other in (*self._wills.values(), will):
                os.close(other)
            leave_standard_streams(link, lifeline)
            work(None, Channel(link, link), lifeline)
        os.close(link)
        os.close(lifeline)
        self._wills[pid] = will
        return True

    def bury(self) -> None:
        """Say of every child that has ended how it did."""
        while self._wills:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            will = self._wills.pop(pid)
            with suppress(OSError):  # nobody may want to know
                os.write(will, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(will)
