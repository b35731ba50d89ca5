"""Limits that hold whatever the work is doing, inside a native call too.

The work runs in a thread of its own. The calling thread waits, looks at the clock and the memory, and hears
Ctrl-C. When a limit is passed it stops waiting and reports; the work is told to give up and does so at its
next look at the budget. A program that ends then need not wait for it.
"""

import os
import threading
from collections.abc import Callable
from typing import Final

from gnomon.model.budget import WORKER, Budget, memory_in_use
from gnomon.text.limits import room_to_recurse

_PAUSE: Final = 0.02
#: Without a limit of its own, a check may use this share of the machine's memory.
_SHARE: Final = 0.85


def supervise(work: Callable[[], None], budget: Budget) -> str:
    """Do the work; return "" when it is done, else why it was given up.

    An exception of the work is raised here, Ctrl-C included.
    """
    problem: list[BaseException] = []

    def run() -> None:
        try:
            with room_to_recurse():
                work()
        except BaseException as caught:  # noqa: BLE001 - it is raised again, in the right thread
            problem.append(caught)

    thread = threading.Thread(target=run, name=WORKER, daemon=True)
    thread.start()
    try:
        reason = _wait(thread, budget)
    except KeyboardInterrupt:
        reason = "interrupted"
    if reason:
        budget.cancelled = True
        return reason
    if problem:
        raise problem[0]
    return ""


def _wait(thread: threading.Thread, budget: Budget) -> str:
    """Wait for the thread, and return which limit was passed first, if any."""
    most = budget.megabytes or _machine_memory()
    whose = "" if budget.megabytes else f", {_SHARE:.0%} of what this machine has,"
    while True:
        thread.join(_PAUSE)
        if not thread.is_alive():
            return ""
        # The work looks at the same limits and knows better what to say: give it a moment.
        if budget.seconds is not None and budget.spent() > budget.seconds + 2 * _PAUSE:
            return f"the time limit of {budget.seconds:g} s was reached"
        if most is not None and memory_in_use() > most:
            return f"the memory limit of {most:,.0f} MB{whose} was reached"


def _machine_memory() -> float | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20 * _SHARE
    except (AttributeError, ValueError, OSError):
        return None
