"""Children of the prepared process, for programs that may have threads and native state of their own."""

import atexit
import os
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from threading import Lock
from weakref import WeakSet

from gnomon.checking.process.channel import Channel, packed, readable
from gnomon.checking.process.child import LOST, Job

_START = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from gnomon.checking.process.server import serve; serve(*map(int, sys.argv[1].split()))"
)


#: So many seconds pass before we look why the prepared process does not say that a child has ended.
_PATIENCE = 1.0


class ServedChild:
    """A child of the prepared process, at our command all the same."""

    def __init__(self, job: Job) -> None:
        """Start it."""
        data = packed(job)
        with ExitStack() as theirs, ExitStack() as ours:
            near, far = socket.socketpair()
            ours.callback(near.close)
            theirs.callback(far.close)
            reading, self._lifeline = _pipe(theirs, ours)
            self._will, will = _pipe(ours, theirs)
            _prepared.start(far.fileno(), reading, will)
            ours.pop_all()  # all went well: they stay open
        descriptor = near.detach()
        self.channel = Channel(descriptor, descriptor)
        self._status: int | None = None
        _alive.add(self)
        with suppress(ConnectionError):  # then it is gone already, and listening will tell
            self.channel.send_packed(data)

    def end(self) -> int:
        """See to it that the child is gone, and return how it ended: its status, or minus the signal."""
        if self._status is None:
            # A process that was forked from this one may hold the other end, too: so say it aloud.
            with suppress(OSError):
                os.write(self._lifeline, b"x")
            self.channel.close()
            self._bury()
        return self._status or 0

    def wait(self) -> int:
        """Wait for a child that has said its last word."""
        if self._status is None:
            self._bury()
            self.channel.close()
        return self._status or 0

    def forget(self) -> None:
        """Close what belongs to the process that this one was forked from."""
        for descriptor in (self._lifeline, self._will):
            with suppress(OSError):
                os.close(descriptor)
        self.channel.close()
        self._status = 0

    def _bury(self) -> None:
        while not readable([self._will], _PATIENCE):
            _prepared.end_if_stopped()
        said = os.read(self._will, 16)
        # Without a word the prepared process is gone; the child goes with its lifeline.
        self._status = int(said) if said else LOST
        _alive.discard(self)
        os.close(self._will)
        os.close(self._lifeline)


def _paths() -> list[str]:
    """Return where modules are found; an empty path is the folder we are in, wherever that process is."""
    found = []
    for path in sys.path:
        with suppress(OSError):  # the folder we are in may be gone
            if path is not None:
                found.append(os.path.abspath(path))
    return found


def _pipe(reading: ExitStack, writing: ExitStack) -> tuple[int, int]:
    """Return a pipe; each end is closed with its stack."""
    ends = os.pipe()
    reading.callback(os.close, ends[0])
    writing.callback(os.close, ends[1])
    return ends


def _is_stopped(pid: int) -> bool:
    """Return whether somebody has stopped a process, as far as the system tells."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] in {"T", "t"}
    except (OSError, IndexError):
        return False


_alive: WeakSet[ServedChild] = WeakSet()


class _Prepared:
    """The prepared process of this one: started when it is first needed, and again should it be gone."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._control: socket.socket | None = None
        self._lifeline = -1
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *descriptors: int) -> None:
        """Have a child started with these."""
        with self._lock:
            if self._control is not None:
                try:
                    socket.send_fds(self._control, [b"+"], descriptors)
                except OSError:
                    self._close()  # somebody has ended it
                else:
                    return
            socket.send_fds(self._open(), [b"+"], descriptors)

    def _open(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        reading, self._lifeline = os.pipe()
        ends = (theirs.fileno(), reading)
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and our own words
            [sys.executable, "-c", _START, " ".join(map(str, ends)), *_paths()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=ends,
            start_new_session=True,
            # Ties are broken by hashes in places: what is asked twice is to be answered alike.
            env={**os.environ, "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED") or "0"},
        )
        theirs.close()
        os.close(reading)
        self._control = ours
        return ours

    @property
    def pid(self) -> int | None:
        """Return which process it is; None where it is not there."""
        return None if self._process is None else self._process.pid

    def end_if_stopped(self) -> None:
        """End it where somebody has stopped it: it would tell of nobody's end, and end with nobody.

        Another one is started when it is needed.
        """
        process = self._process
        if process is not None and _is_stopped(process.pid):
            process.kill()

    def close(self) -> None:
        """Let it go."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self.end_if_stopped()
            self._process.wait()
            self._process = None
            os.close(self._lifeline)

    def forget(self) -> None:
        """Leave it to the process that this one was forked from."""
        self._lock = Lock()
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            os.close(self._lifeline)
            self._process.returncode = (
                0  # it is no child of this process: there is nothing to wait for
            )
        self._control = self._process = None


_prepared = _Prepared()
atexit.register(_prepared.close)


def prepared_process() -> int | None:
    """Return which process all others are forked from; None where none was needed yet."""
    return _prepared.pid


def _forget_all() -> None:
    _prepared.forget()
    for child in list(_alive):
        child.forget()
    _alive.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
