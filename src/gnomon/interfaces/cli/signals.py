"""What the system may tell a program, and the standard streams it may come without.

Nothing here imports more than Python has loaded anyway: a program is asked to end while it starts, too.
"""

import io
import os
import signal
import sys
from errno import EBADF
from typing import TYPE_CHECKING, Any

from gnomon.text.ending import Terminated

if TYPE_CHECKING:
    from types import FrameType

__all__ = [
    "Terminated",
    "have_streams",
    "hear_nothing_more",
    "hear_termination",
]


def hear_termination() -> None:
    """Turn a request to end into an exception in the main thread, so that nothing is left lying about.

    Where it is ignored (`nohup`), it stays so.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def _terminate(number: int, frame: "FrameType | None") -> None:
    del frame
    # Once is enough: a second request must not come in between while we tidy up.
    signal.signal(number, signal.SIG_IGN)
    raise Terminated


def hear_nothing_more() -> None:
    """Ignore Ctrl-C from now on: the program is leaving."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Closed(io.RawIOBase):
    """A standard stream that was closed before the program began."""

    def __init__(self, words: str) -> None:
        self._words = words

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ARG002
        raise OSError(EBADF, self._words)

    def write(self, data: Any) -> int:  # noqa: ARG002
        raise OSError(EBADF, self._words)


class _ClosedOutput(io.TextIOBase):
    """Standard output that was closed: whoever writes to it hears so at once."""

    encoding = "utf-8"
    buffer = _Closed("it is closed")

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return self.buffer.write(text)


def have_streams() -> None:
    """See to it that there are three standard streams, whatever the program was started with.

    Their numbers are taken, so that no file that is opened later gets one of them by chance.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest number that is free
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_Closed("standard input is closed")))
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
