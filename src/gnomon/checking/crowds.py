"""Whether it is worth counting agents: a crowd of a system, and how much is to be tried with it."""

from typing import Final, NamedTuple

from gnomon.checking.decider import Task
from gnomon.model.numbered_names import IndexFamily, families
from gnomon.model.symmetry import symmetries
from gnomon.model.system import Specification, System

#: Fewer agents are soon gone through one by one.
_FEWEST: Final = 5
#: What may be tried before diagrams, on the average for each state; then where they have outgrown their room;
#: and where nobody else is wanted.
_SOME_WORK: Final = 2_500_000
_MOST_FOR_ONE: Final = 1_000
_MORE_WORK: Final = 20_000_000
_ALL_WORK: Final = 1 << 60


class CrowdToCount(NamedTuple):
    """A family that may be counted, but for those that are kept apart."""

    family: IndexFamily
    #: How many have to be left.
    least: int
    #: How much may be gone through.
    work: int
    #: How much for one state, on the average: more is no sign that it pays.
    most_for_one: int | None
    #: Whether nobody else is to be asked.
    alone: bool
    #: Whether others are asked first for what there is evidence of, which is not counted.
    leaves_evidence: bool


def crowd_of(system: System, task: Task, *, alone: bool = False) -> CrowdToCount | None:
    """Return the largest crowd of a finite system that may be counted; None where none is worth it."""
    options = task.options
    fewest = 2 if alone else _FEWEST
    if system.interleaved or options.strategies == "uniform-model":
        return None
    if not alone and (options.certificate or options.paranoid):
        return None  # what is counted is not proved
    if not any(isinstance(formula, Specification) for _, formula in task.asked):
        return None
    if not any(len(family.numbers) >= fewest for family in families(system)):
        return None
    crowds = [
        each.family
        for each in symmetries(system)
        if not each.ring and len(each.family.numbers) >= fewest
    ]
    if not crowds:
        return None
    largest = max(crowds, key=lambda family: len(family.numbers))
    if alone:
        return CrowdToCount(largest, fewest - 1, _ALL_WORK, None, alone=True, leaves_evidence=False)
    return CrowdToCount(
        largest, fewest - 1, _SOME_WORK, _MOST_FOR_ONE, alone=False, leaves_evidence=True
    )


def second_try(crowd: CrowdToCount) -> CrowdToCount:
    """Return what to try where diagrams have outgrown their room: more, and only for verdicts."""
    return crowd._replace(work=_MORE_WORK, most_for_one=None, leaves_evidence=False)
