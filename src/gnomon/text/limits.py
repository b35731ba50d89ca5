"""Limits on what a text may ask of the machine."""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

#: Larger files are refused: reading one takes about a hundred times its size in memory.
MAX_FILE_BYTES: Final = 32 * 2**20

_FRAMES: Final = 20_000

#: More new values than this are not looked through for garbage right after they were made.
_MANY_NEW: Final = 100_000

#: What looks at the clock and the memory while a text is read, and raises to stop it; nothing by default.
watch: ContextVar[Callable[[], None] | None] = ContextVar("watch", default=None)


def check_limits() -> None:
    """Let the watch, if one was set, stop what is going on; called every few thousand pieces of work."""
    watching = watch.get()
    if watching is not None:
        watching()


# Recursion


class _Room:
    """The recursion limit, which all threads of a process share, and those who need more of it.

    The first one raises it and the last one puts back what was there, so that it never falls under anybody
    who still recurses.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.before = 0
        # How often the current thread is among the users: after a fork, the others are gone.
        self.own = threading.local()

    def enter(self) -> None:
        with self.lock:
            if self.users == 0:
                self.before = sys.getrecursionlimit()
            if sys.getrecursionlimit() < _FRAMES:
                sys.setrecursionlimit(_FRAMES)
            self.users += 1
            self.own.count = getattr(self.own, "count", 0) + 1

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            self.own.count -= 1
            # A limit that somebody else has set in the meantime is theirs. One that is too low for where
            # this thread stands is refused by Python; then the higher one stays.
            if self.users == 0 and sys.getrecursionlimit() == _FRAMES:
                with suppress(RecursionError):
                    sys.setrecursionlimit(self.before)

    def forked(self) -> None:
        self.lock = threading.Lock()
        others = self.users - getattr(self.own, "count", 0)
        self.users -= others
        if others and self.users == 0 and sys.getrecursionlimit() == _FRAMES:
            with suppress(RecursionError):
                sys.setrecursionlimit(self.before)


_ROOM: Final = _Room()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_ROOM.forked)


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Let trees as deep as the parser allows be walked by plain recursion, in any number of threads."""
    _ROOM.enter()
    try:
        yield
    finally:
        _ROOM.leave()


@contextmanager
def paused_collection() -> Iterator[None]:
    """Do not look for garbage while a large tree is built: there is none, and looking takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_count()[0] > _MANY_NEW and not gc.get_freeze_count():
                # Going through all that is new takes a sixth of what it took to read it. It is kept, so let
                # it be old at once: freezing and thawing does no more than that.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
