"""Limits on what a text may ask of the machine."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: Larger files are refused: reading one takes about a hundred times its size in memory.
MAX_FILE_BYTES: Final = 32 * 2**20

_FRAMES: Final = 20_000


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Let trees as deep as the parser allows be walked by plain recursion."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def paused_collection() -> Iterator[None]:
    """Do not look for garbage while a large tree is built: there is none, and looking takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
