"""How many processors this program may use, and how many of them have nothing to do."""

import os
import time
from math import ceil
from typing import Final, NamedTuple

#: Where Linux says what each processor has done, and how much of them a container may use.
_STATISTICS: Final = "/proc/stat"
_QUOTA: Final = "/sys/fs/cgroup/cpu.max"


def usable_cores() -> int:
    """Return how many processors this program may use."""
    asks = hasattr(os, "sched_getaffinity")
    allowed = len(os.sched_getaffinity(0)) if asks else os.cpu_count() or 1
    return max(1, min(allowed, _quota() or allowed))


def _quota() -> int | None:
    """Return how many processors a container has, None where there is no limit."""
    try:
        with open(_QUOTA, encoding="ascii") as file:
            most, period = file.read().split()
        return None if most == "max" else ceil(int(most) / int(period))
    except (OSError, ValueError, ZeroDivisionError):
        return None


class _Ticks(NamedTuple):
    """What the processors that we may use have done since the machine was started, in any unit."""

    idle: int
    all: int


class IdleCores:
    """Measures how many processors have nothing to do, from one look to the next.

    The average load of a minute would tell of what we did ourselves a moment ago, and not of what others have
    begun since; it is asked only where nothing better is known.
    """

    def __init__(self) -> None:
        """Begin to measure."""
        self._before = _ticks()
        self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        """Return for how long it was measured."""
        return time.monotonic() - self._since

    def free(self) -> int:
        """Return how many processors had nothing to do since the last look, about."""
        now = _ticks()
        before, self._before, self._since = self._before, now, time.monotonic()
        cores = usable_cores()
        if now is None or before is None or now.all <= before.all:
            return max(0, round(cores - _load()))
        return round(cores * (now.idle - before.idle) / (now.all - before.all))


def _load() -> float:
    """Return how many processes were at work, as far as that is known."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return 1.0


def _ticks() -> _Ticks | None:
    """Return what the processors have done, None where the system does not tell."""
    try:
        names = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        with open(_STATISTICS, encoding="ascii") as file:
            lines = [line.split() for line in file if line.startswith("cpu")]
        counted = [list(map(int, line[1:9])) for line in lines if line[0] in names]
        # The fourth and the fifth number are the time without work, and that of waiting for a disk.
        return _Ticks(sum(sum(each[3:5]) for each in counted), sum(map(sum, counted)))
    except (AttributeError, OSError, ValueError, IndexError):
        return None
