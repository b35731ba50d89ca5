"""The rule for operators with bounds, where moves are the same at every step: a condition for each step.

Who sees everything can count, so bounds are unrolled there. Who goes by what they see does the same at every
step, and it is about one set of moves: a state is won at a step if it is won there at once, or if it goes on
and all moves lead to what is won at the next step.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from gnomon.certificate.deductive.assertions import (
    Assertion,
    condition_of,
    every,
    opposite,
    some,
)
from gnomon.certificate.deductive.moves import Moves
from gnomon.certificate.deductive.temporal_rules import Setting, lead_to
from gnomon.certificate.rejection import require
from gnomon.certificate.shape import integer, items, row

#: Where it is won at a step, and where it goes on to the next one.
StandingSides: TypeAlias = tuple[Assertion, Assertion]


class ClockObjective(NamedTuple):
    """What has to come about by the clock: before step `low`, from then on, and at step `high`, the last."""

    low: int
    high: int
    early: StandingSides
    inside: StandingSides
    last: StandingSides

    def at(self, step: int) -> StandingSides:
        """Return where it is won at a step, and where it goes on; at the last step it goes on nowhere."""
        if step == self.high:
            return self.last
        return self.early if step < self.low else self.inside


class _StepsAlike(NamedTuple):
    """Steps of which the same is to be shown: how it stands there, what is said of them, and of the next."""

    sides: StandingSides
    here: Assertion
    later: Assertion


def check_clock(
    setting: Setting,
    clock: ClockObjective,
    moving: Callable[[Assertion], Moves],
    where: Assertion,
    data: object,
    unfair: Assertion,
) -> None:
    """Have a label proved of which it is said that some moves, the same at each step, keep to bounds.

    The label comes with a condition for each step. States that are `unfair` do not count, whatever was
    before.
    """
    script, invariant = setting.steps.script, setting.invariant
    now = setting.steps.step({}).now
    told = _by_step(setting, data, clock.high)
    what = "a label has a state that it should not have"
    script.prove([invariant.text(now), where.text(now)], told[0].text(now), what)
    won = some((clock.last[0], unfair))
    given = [invariant.text(now), told[clock.high].text(now)]
    script.prove(given, won.text(now), what)
    alike = tuple(_alike(clock, told))
    open_ = tuple(every((each.here, opposite(some((each.sides[0], unfair))))) for each in alike)
    moving(some(open_)).check()
    for each, here in zip(alike, open_, strict=True):
        kept = each.sides[1].text(now)
        script.prove([invariant.text(now), here.text(now)], kept, what)
        lead_to(moving(here), some((each.later, unfair)), "a label is left")


def _by_step(setting: Setting, data: object, high: int) -> tuple[Assertion, ...]:
    """Return the condition of each step; each that is written goes up to where the next one begins."""
    told: list[Assertion] = []
    rows = [row(each, 2) for each in items(data)]
    ends = [*(integer(first) for first, _ in rows), high + 1]
    in_order = all(one < two for one, two in pairwise(ends))
    require(ends[0] == 0 and in_order, "not a condition for each step")
    for (_, ref), (one, two) in zip(rows, pairwise(ends), strict=True):
        condition = condition_of(setting.written, setting.written.ref(ref))
        told += [condition] * (two - one)
    return tuple(told)


def _alike(clock: ClockObjective, told: tuple[Assertion, ...]) -> Iterator[_StepsAlike]:
    """Yield what is to be shown of the steps before the last one, once where it is the same."""
    before: tuple[int, ...] = ()
    for step in range(clock.high):
        sides = clock.at(step)
        same = id(sides), id(told[step]), id(told[step + 1])
        if same != before:
            yield _StepsAlike(sides, told[step], told[step + 1])
        before = same
