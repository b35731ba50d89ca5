"""What a child process does: its job, and what it tells of it.

It lives no longer than whoever asked. The caller holds the writing end of a pipe, the child the reading end
with `O_ASYNC` set: when the caller closes it, or dies in whatever way, the kernel sends SIGKILL (SIGIO where
there is no choice), which ends the child even inside a native call, or stopped. No thread and no cooperation
is needed for that.
"""

import os
import signal
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeAlias

from gnomon.checking.process.channel import Channel, readable
from gnomon.text.diagnostic import InputError
from gnomon.text.limits import room_to_recurse

#: Called with whatever the caller is to hear before the work is done.
Tell: TypeAlias = Callable[[object], None]
#: A function with what it needs but for `Tell`; where it goes to another process it must be picklable.
Job: TypeAlias = Callable[[Tell], Any]


#: How a child has ended that nobody knows of, and one that was never there.
LOST = 1_000
NOT_STARTED = 1_001


class Born(NamedTuple):
    """The first word of a child: who it is."""

    pid: int


class Begun(NamedTuple):
    """The job has arrived, and what it needs is loaded: from now on its time counts."""


class Told(NamedTuple):
    """Something the caller is to hear while the work goes on."""

    message: Any


class Done(NamedTuple):
    """The last word: what the work has come to."""

    value: Any


class Failed(NamedTuple):
    """The last word: the work raised an exception."""

    error: BaseException


class ChildError(RuntimeError):
    """An exception of a child that cannot be sent as it is; the message has its name and its place."""


def work(job: Job | None, channel: Channel, lifeline: int) -> NoReturn:
    """Do a job, the one that is given or the one that comes over the channel, and end the process."""
    status = 1
    try:
        _hear_signals()
        live_as_long_as(lifeline)
        channel.send(Born(os.getpid()))
        with room_to_recurse():
            channel.send(_outcome(channel, job))
        status = 0
    except (OSError, EOFError):
        pass  # nobody listens any more
    finally:
        # Nothing of the parent's is tidied up, and no native library gets a chance to wait for its threads.
        os._exit(status)


def _outcome(channel: Channel, job: Job | None) -> Done | Failed:
    def tell(message: object) -> None:
        # Work may be interrupted by a timer at any point but this: half a message would spoil all others.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            channel.send(Told(message))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        if job is None:
            job = channel.receive()
            channel.send(Begun())
        return Done(job(tell))
    except (BrokenPipeError, EOFError):
        raise
    except BaseException as error:  # noqa: BLE001 - whoever asked gets it
        return Failed(_sendable(error))


def _sendable(error: BaseException) -> BaseException:
    """Return the exception with its place as a note, or one that says the same and can be sent."""
    import pickle
    import traceback

    place = "".join(traceback.format_exception(error)).rstrip()
    try:
        if not isinstance(error, InputError):  # a mistake of the user's is told by its diagnostics
            error.add_note(place)
        error.__traceback__ = error.__cause__ = error.__context__ = None
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - exceptions of libraries may refuse in any way
        return ChildError(f"{type(error).__name__}: {error}\n{place}")
    return error


def live_as_long_as(lifeline: int) -> None:
    """Die when the other end of a pipe is closed, in whatever state this process is."""
    import fcntl  # not everywhere, and neither are forks

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    if hasattr(fcntl, "F_SETSIG"):
        # A process that somebody has stopped hears nothing else.
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    # It may have been closed before the kernel was asked to tell.
    if readable([lifeline], 0):
        os._exit(1)


def _hear_signals() -> None:
    """Hear what ends a process; leave Ctrl-C to the caller, who hears it as well."""
    signal.set_wakeup_fd(-1)
    # A parent may hear these in ways of its own.
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGIO, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
