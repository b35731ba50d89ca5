"""Refinement that goes on without end: the same sum cut again and again, always one step further.

Or each time twice as far, or three times: that has no end either.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final

from gnomon.engines.abstraction.linear import Affine, Form, scaled
from gnomon.engines.abstraction.partition import Origin, Predicate
from gnomon.text.numbers import show_integer
from gnomon.text.record import Record

#: A sum that has been cut so many times in a row, by the same distance, or by one that grows by the same
#: factor, is likely to be cut for ever.
_OFTEN: Final = 5
#: What seems to have no end may go on for so many rounds more, where nothing else is left to try.
_MOST_MORE: Final = 12
#: With more than two numbers, there are too many ways to compare them.
_PAIR: Final = 2


class Divergence(Record):
    """A sum, and the last of its cuts."""

    form: Form
    cuts: tuple[int, ...]

    def __str__(self) -> str:
        """Say what goes on."""
        return f"{self.form} is cut at {', '.join(map(show_integer, self.cuts))} … without end"


class CutHistory:
    """Where sums have been cut, round by round."""

    def __init__(self, start: Callable[[Form], int | None], most_rounds: int) -> None:
        """Watch; `start` is the only value that a sum has in initial states, if there is just one.

        Cuts that come to it within so many rounds come to an end there.
        """
        self._start = start
        self._most = most_rounds
        self._cuts: dict[Form, list[int]] = {}
        self._endless: dict[Form, None] = {}
        #: In how many rounds sums were cut although that seemed to have no end.
        self._more = 0
        #: Whether two numbers that are cut in step were compared: that helps at once, or not at all.
        self.compared = False
        #: How many rounds there were.
        self.rounds = 0

    def record(self, added: Iterable[Predicate]) -> None:
        """Take note of the cuts of one round: of each sum, the one that is farthest from those before."""
        self.rounds += 1
        found: dict[Form, list[int]] = {}
        for predicate in added:
            if isinstance(predicate.quantity, Form):
                found.setdefault(predicate.quantity, []).append(predicate.bound)
        self._more += any(form in self._endless for form in found)
        for form in self._cuts.keys() - found.keys() - self._endless.keys():
            del self._cuts[form]  # not in a row
        for form, bounds in found.items():
            known = self._cuts.setdefault(form, [])
            last = known[-1] if known else 0
            known.append(max(bounds, key=lambda bound: abs(bound - last)))
            if self._seems_endless(form, known[-_OFTEN:]):
                self._endless[form] = None

    def _seems_endless(self, form: Form, cuts: list[int]) -> bool:
        factor = _growth(cuts)
        if len(cuts) < _OFTEN or factor is None:
            return False
        start = self._start(form)
        return start is None or not self._comes_to(start, cuts, factor)

    def _comes_to(self, start: int, cuts: list[int], factor: int) -> bool:
        """Return whether cuts come to a value within the rounds there are, if they go on like that."""
        cut, step = cuts[-1], cuts[-1] - cuts[-2]
        if (cut - start) * step > 0:
            return False
        for _ in range(self._most):
            if (cut - start) * step >= 0:
                break
            step *= factor
            cut += step
        return (cut - start) * step >= 0

    def diverging(self, form: object) -> bool:
        """Return whether the cuts of a sum seem to have no end."""
        return form in self._endless

    def in_step(self) -> Iterator[Predicate]:
        """Yield cuts of the sums in which two numbers that are cut in step make up for each other."""
        origin = Origin("numbers that are cut in step")
        if len(self._endless) != _PAIR or self.compared:
            return
        (one, two), (first, second) = self._endless, (self._cuts[form] for form in self._endless)
        if not _growth(first[-_OFTEN:]) == _growth(second[-_OFTEN:]) == 1:
            return
        steps = first[-1] - first[-2], second[-1] - second[-2]
        terms = Affine(dict(one.terms)).times(steps[1]).plus(Affine(dict(two.terms)), -steps[0])
        found = scaled(terms.terms)
        if 0 not in steps and found is not None:
            meeting = (steps[1] * first[-1] - steps[0] * second[-1]) // found.factor
            for bound in dict.fromkeys((meeting - 1, meeting, -1, 0)):
                yield Predicate(found.form, bound, origin)

    @property
    def goes_on(self) -> bool:
        """Whether sums may be cut once more although that seems to have no end."""
        return self._more < _MOST_MORE

    def endless(self) -> Divergence | None:
        """Return the sum that was cut most often of those that seem to have no end."""
        if not self._endless:
            return None
        form = max(self._endless, key=lambda form: len(self._cuts[form]))
        return Divergence(form, tuple(self._cuts[form][-3:]))


def _growth(cuts: list[int]) -> int | None:
    """Return by what the distance of cuts is multiplied each time: 1 where it is always the same."""
    steps = [after - before for before, after in pairwise(cuts)]
    if len(steps) <= 1 or 0 in steps:
        return None
    factor, rest = divmod(steps[1], steps[0])
    regular = not rest and all(after == factor * before for before, after in pairwise(steps))
    return factor if regular and factor > 0 else None
