"""How many states a model has: those that are possible, initial and reachable."""

from dataclasses import dataclass
from math import prod
from typing import Final

from gnomon.checking.check import check
from gnomon.checking.choose import counting_engine
from gnomon.checking.options import Options
from gnomon.model.budget import Budget, Details, LimitReached, Report
from gnomon.model.domain import size_of
from gnomon.model.formula import Constant
from gnomon.model.initial import InfinitelyMany
from gnomon.model.step import initial_states
from gnomon.model.system import Specification, System
from gnomon.text.ending import Terminated

#: What is asked so that the answer says why counting stopped.
_ANYTHING: Final = Specification(Constant(True), "true")
#: Errors of a check that are nothing but numbers here: there may be no state that is initial, or fair.
_WELCOME: Final = ("G0803", "G0804")
#: The part of the time that is kept for counting the initial states alone, where all states were too many.
_KEPT = 0.1
#: Without a limit of time it still ends some day.
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many states there could be, start and are; None where there is no bound.

    Where not `complete`, counting stopped early and `reachable` is a lower bound; where not
    `all_initial`, so is `initial`.
    """

    possible: int | None
    initial: int | None
    reachable: int | None
    complete: bool = True
    all_initial: bool = True


def measure(
    system: System,
    limit: int,
    seconds: float | None = None,
    report: Report | None = None,
    memory: float | None = None,
) -> Sizes:
    """Count the reachable states as far as time and memory allow; without bounds, at most `limit` of them."""
    possible = [size_of(variable.domain) for variable in system.variables]
    total = None if None in possible else prod(size for size in possible if size is not None)
    most = 0

    def listen(task: str, phase: str, amount: int, details: Details) -> None:
        nonlocal most
        if phase == "reachable states":
            most = max(most, amount)
        if report is not None:
            report(task, phase, amount, details)

    counting = None if seconds is None else seconds * (1 - _KEPT)
    options = Options(
        engine=counting_engine(system),
        timeout=counting,
        memory=memory,
        max_states=limit,
        report=listen,
        race=False,
        allow=_WELCOME,
    )
    result = check(system, (_ANYTHING,), options)
    if result.interrupted:
        # Whoever is to hear it hears it: a part of the answer is of no use.
        raise Terminated if result.terminated else KeyboardInterrupt
    if result.states is not None:
        return Sizes(total, result.initial or 0, result.states)
    left = _PATIENCE if seconds is None else seconds * _KEPT
    try:
        first, counted_all = _count_initial(system, limit, Budget(left, memory))
    except InfinitelyMany:
        return Sizes(total, None, None)
    if any(verdict.reason.startswith(f"more than {limit:,} states") for verdict in result):
        most = max(most, limit)
    return Sizes(total, first, max(most, first), False, counted_all)


def _count_initial(system: System, limit: int, budget: Budget) -> tuple[int, bool]:
    """Return how many initial states there are, or were found, and whether these are all."""
    found = 0
    try:
        for _ in initial_states(system, budget):
            if found >= limit:
                return found, False
            found += 1
    except InfinitelyMany:
        raise
    except LimitReached:
        return found, False
    return found, True
