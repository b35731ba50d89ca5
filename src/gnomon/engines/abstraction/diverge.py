"""Refinement that goes on without end: the same sum cut again and again, always one step further."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import Predicate
from gnomon.text.record import Record

#: A sum that has been cut so many times in a row, by the same distance, is likely to be cut for ever.
_OFTEN: Final = 5
#: What seems to have no end may go on for so many rounds more, where nothing else is left to try.
_MOST_MORE: Final = 12


class Divergence(Record):
    """A sum, and the last of its cuts."""

    form: Form
    cuts: tuple[int, ...]

    def __str__(self) -> str:
        """Say what goes on."""
        return f"{self.form} is cut at {', '.join(map(str, self.cuts))} … without end"


class Progress:
    """Where sums have been cut, round by round."""

    def __init__(self, start: Callable[[Form], int | None], most_rounds: int) -> None:
        """Watch; `start` is the only value that a sum has in initial states, if there is just one.

        Cuts that come to it within so many rounds come to an end there.
        """
        self._start = start
        self._most = most_rounds
        self._cuts: dict[Form, list[int]] = {}
        self._more: dict[Form, int] = {}
        #: How many rounds there were.
        self.rounds = 0

    def record(self, added: Iterable[Predicate]) -> None:
        """Take note of the cuts of one round: of each sum, the one that is farthest from those before."""
        self.rounds += 1
        found: dict[Form, list[int]] = {}
        for predicate in added:
            if isinstance(predicate.quantity, Form):
                found.setdefault(predicate.quantity, []).append(predicate.bound)
        for form, bounds in found.items():
            known = self._cuts.setdefault(form, [])
            last = known[-1] if known else 0
            if self.diverging(form):
                self._more[form] = self._more.get(form, 0) + 1
            known.append(max(bounds, key=lambda bound: abs(bound - last)))
        for form in self._cuts.keys() - found.keys():
            if form not in self._more:
                del self._cuts[form]  # not in a row

    def diverging(self, form: object) -> bool:
        """Return whether the cuts of a sum seem to have no end."""
        if not isinstance(form, Form):
            return False
        if form in self._more:
            return True
        cuts = self._cuts.get(form, [])[-_OFTEN:]
        steps = {after - before for before, after in pairwise(cuts)}
        if len(cuts) < _OFTEN or len(steps) != 1 or steps == {0}:
            return False
        (step,) = steps
        start = self._start(form)
        rounds = None if start is None else (start - cuts[-1]) / step
        return rounds is None or not 0 <= rounds <= self._most

    def goes_on(self, form: object) -> bool:
        """Return whether a sum may be cut once more although that seems to have no end."""
        return not isinstance(form, Form) or self._more.get(form, 0) < _MOST_MORE

    def endless(self) -> Divergence | None:
        """Return the sum that was cut most often of those that seem to have no end."""
        found = [form for form in self._cuts if self.diverging(form)]
        if not found:
            return None
        form = max(found, key=lambda form: len(self._cuts[form]))
        return Divergence(form, tuple(self._cuts[form][-3:]))
