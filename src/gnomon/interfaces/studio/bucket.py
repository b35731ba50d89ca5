"""How many messages a connection may send: fast typing is fine, a flood is not."""

import time
from collections.abc import Callable
from typing import Final

#: So many messages at once, and so many a second in the long run.
BURST: Final = 400.0
RATE: Final = 100.0
#: So many bytes count as one more message.
_BYTES: Final = 64 * 1024


class MessageBucket:
    """Fills up with time, and is emptied by messages."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Be full."""
        self._clock = clock
        self._left = BURST
        self._seen = clock()

    def take(self, size: int) -> bool:
        """Return whether a message of so many characters may pass."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._seen) * RATE)
        self._seen = now
        # What is refused costs as well: whoever goes on in the same way is not heard for longer.
        self._left = max(self._left - 1 - size / _BYTES, -BURST)
        return self._left >= 0

    @property
    def is_flooded(self) -> bool:
        """Return whether somebody goes on all the same."""
        return self._left <= -BURST
