"""Where a monotone property of groups changes, found by asking about few of them, several at a time.

Groups are numbers: bit `i` is the member `i`. What is open is asked from both ends by turns: the largest
groups that are open, of which every `no` is a group at the border for certain, then the smallest ones, of
which every `yes` is. After Gunopulos, Khardon, Mannila and Toivonen (1997), "Dualize and Advance", and
Liffiton, Previti, Malik and Marques-Silva (2016), "MARCO", who go up or down from one group at a time. That
asks less, and is done where only a few questions at a time are wanted; many take far fewer rounds.
"""

from collections.abc import Iterable
from typing import Final, Protocol

from gnomon.results.groups import Direction, GroupMask, minimal

#: Fewer questions are asked for where each costs more than a round does.
_AT_LEAST: Final = 4


class GroupSearch(Protocol):
    """Says which groups to ask about, and hears what was found."""

    def ask(self, most: int) -> list[GroupMask]:
        """Return groups to ask about now, at most so many; none where nothing is left to ask."""

    def tell(self, group: GroupMask, *, holds: bool | None) -> None:
        """Hear whether a group has the property; None: nobody knows."""


class BorderSearch:
    """Asks as little as it takes to know of every group whether it has a monotone property."""

    def __init__(self, groups: Iterable[GroupMask], direction: Direction) -> None:
        """Look at these groups, and first of all at all their members together."""
        self._open: Final = set(groups)
        self._up: Final = direction == "up"
        whole = 0
        for group in self._open:
            whole |= group
        self._whole: Final = whole
        self._rounds = 0
        self._heard = False
        #: Groups on the side of the larger ones.
        self._above: list[GroupMask] = []

    def ask(self, most: int) -> list[GroupMask]:
        """Return the largest or, by turns, the smallest open groups: no more than the other end has."""
        if not self._open:
            return []
        self._rounds += 1
        if self._rounds == 1 and not self._heard:
            # Where all together say no (or yes), one question may be all there is to ask.
            return [self._whole]
        if most < _AT_LEAST:
            return self._smaller(most)
        ends = {largest: self._end(most, largest=largest) for largest in (True, False)}
        # Where the other end is close to the border, many questions at this one would be for nothing.
        enough = max(min(len(end) for end in ends.values()), _AT_LEAST)
        return ends[self._rounds % 2 == 1][:enough]

    def tell(self, group: GroupMask, *, holds: bool | None) -> None:
        """Settle the group, and all that follows; what nobody knows settles nothing else."""
        self._heard = True
        if holds is None:
            self._open.discard(group)
        elif holds == self._up:
            self._above.append(group)
            self._open.difference_update([each for each in self._open if each & group == group])
        else:
            self._open.difference_update([each for each in self._open if each & group == each])

    def _smaller(self, most: int) -> list[GroupMask]:
        """Return parts of the smallest group that is known to be above the border, then large open ones."""
        found: list[GroupMask] = []
        for group in minimal(self._above):
            bits = [1 << place for place in range(group.bit_length())]
            loose = [bit for bit in bits if group & bit and group & ~bit in self._open]
            if loose:
                # Several members at once: mostly few of them matter (Junker 2004, QuickXplain).
                size = max(1, len(loose) // max(2, most)) if len(loose) > most else 1
                parts = [group & ~sum(loose[at : at + size]) for at in range(0, len(loose), size)]
                found = [part for part in parts if part in self._open][:most]
                break
        for group in self._end(most, largest=True):
            if len(found) < most and all(group & each not in {group, each} for each in found):
                found.append(group)
        return found

    def _end(self, most: int, *, largest: bool) -> list[GroupMask]:
        """Return open groups that are in no other open one; or, at the other end, that have none in them."""
        found: list[GroupMask] = []
        by_size = sorted(self._open, key=lambda each: (each.bit_count(), each), reverse=largest)
        for group in by_size:
            if not any(group & each == (group if largest else each) for each in found):
                found.append(group)
                if len(found) == most:
                    break
        return found


class WholeSearch:
    """Asks about every group, the smallest first: where nothing is monotone, nothing follows from another."""

    def __init__(self, groups: Iterable[GroupMask]) -> None:
        """Look at these groups."""
        self._left: Final = dict.fromkeys(sorted(groups, key=lambda each: (each.bit_count(), each)))

    def ask(self, most: int) -> list[GroupMask]:
        """Return the next groups."""
        return list(self._left)[:most]

    def tell(self, group: GroupMask, *, holds: bool | None) -> None:
        """Settle this group alone."""
        del holds
        self._left.pop(group, None)
