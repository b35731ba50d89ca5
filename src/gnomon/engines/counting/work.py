"""How much may be gone through while states are counted."""

from typing import Final

from gnomon.model.budget import TryAnother

_TOO_MUCH: Final = "counting takes more steps than were to be tried"
#: After so many steps it is looked ahead, and again after as many more.
_FIRST_LOOK: Final = 10_000


class WorkLeft:
    """So much may be gone through, whatever the machine: a step takes about a microsecond.

    Now and then it is looked ahead: where what is left will not do, there is no use in going on.
    """

    def __init__(self, work: int, most_for_one: int | None = None) -> None:
        """Start with so much, and for each state with no more than so much on the average."""
        self._all = self._left = work
        self._look_at = work - _FIRST_LOOK
        self._most = most_for_one

    def take(self, work: int) -> None:
        """Use some up; raises `TryAnother` where there is not so much left."""
        self._left -= work
        if self._left < 0:
            raise TryAnother(_TOO_MUCH)

    def look_ahead(self, done: int, known: int) -> None:
        """Raise `TryAnother` where so many of those that are known cannot all be gone through."""
        if self._most is None or self._left > self._look_at:
            return
        self._look_at = self._left - _FIRST_LOOK
        spent = self._all - self._left
        if spent * known > self._all * done or spent > self._most * done:
            raise TryAnother(_TOO_MUCH)
