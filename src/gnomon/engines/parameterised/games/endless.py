"""Opponents who keep a coalition from its goal only by always sending somebody else.

In the game of all populations there is no end to the agents of a place that counts as "the cap or more"; in
a population there is. So where it loses the game of all, the coalition tries to do the same things for ever:
if whatever the opponents do then cannot recur in any population, it gets to its goal all the same.
"""

from collections.abc import Iterator
from itertools import islice, permutations
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.parameterised.games.counted_game import CountedOption
from gnomon.engines.parameterised.games.solved_game import SolvedGame
from gnomon.engines.parameterised.recurrence.candidates import Candidates, CappedProduct
from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph, CappedStep
from gnomon.engines.parameterised.recurrence.deletions import Deletion
from gnomon.engines.parameterised.recurrence.flows import never_balanced
from gnomon.engines.parameterised.recurrence.product import WatchedGraph
from gnomon.engines.parameterised.recurrence.tracker import Tracker
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula

#: So many orders of what to prefer are gone through, and graphs with so many steps are looked at.
_MOST_ORDERS: Final = 30
_MOST_STEPS: Final = 20_000
#: How often steps recur is worked out for so few strategies, where so few steps are left.
_BALANCED: Final = 2
_MOST_BALANCED: Final = 300
#: Every path is watched, and nothing has to be seen on it.
_ANY_PATH: Final = Tracker(((),), (0,), ((0,),), (frozenset(),), 0)

#: What the environment and `self` choose.
_OwnChoice: TypeAlias = tuple[str | None, str | None]


class PlayedForEver(NamedTuple):
    """What is chosen where the coalition has not won yet, and why that does not last for ever."""

    chosen: dict[Capped, CountedOption]
    deletions: tuple[Deletion, ...]


def run_out(graph: CappedGraph, solved: SolvedGame, budget: Budget) -> PlayedForEver | None:
    """Return a simple strategy against which opponents cannot keep it up for ever in any population.

    Steps are told by where they lead: so there may be more of them than come of the choices, never fewer.
    """
    left: list[tuple[int, dict[Capped, CountedOption], CappedProduct]] = []
    for chosen in _strategies(solved):
        found = _played(graph, solved, chosen, budget)
        candidates = Candidates(graph, found, budget, None)
        parts = candidates.all()
        if not parts:
            return PlayedForEver(chosen, tuple(candidates.deletions))
        left.append((sum(len(part.edges) for part in parts), chosen, found))
    if "one" not in graph.situations.system.sync.values():
        return None
    fewest = sorted((each for each in left if each[0] <= _MOST_BALANCED), key=lambda each: each[0])
    for _, chosen, found in fewest[:_BALANCED]:
        candidates = Candidates(graph, found, budget, lambda edges: never_balanced(edges, budget))
        if not candidates.all():
            return PlayedForEver(chosen, tuple(candidates.deletions))
    return None


def _played(
    graph: CappedGraph, solved: SolvedGame, chosen: dict[Capped, CountedOption], budget: Budget
) -> CappedProduct:
    """Return where opponents can get as long as the coalition has not won."""

    def following(now: Capped) -> Iterator[tuple[Capped, CappedStep]]:
        results = {after for after in chosen[now].results if not solved.wins(after)}
        return ((step.after, step) for step in graph.steps(now) if step.after in results)

    lost = [start for start in solved.starts if not solved.wins(start)]
    return WatchedGraph(lost, following, _ANY_PATH, _agrees, budget, _MOST_STEPS)


def _agrees(_what: Formula, _now: Capped) -> bool:
    return True


def _strategies(solved: SolvedGame) -> Iterator[dict[Capped, CountedOption]]:
    """Yield different strategies that prefer some choices to others, always in the same order."""
    labels = dict.fromkeys(
        (option.environment, option.own)
        for options in solved.options.values()
        for option in options
    )
    known: list[dict[Capped, CountedOption]] = []
    for order in islice(permutations(labels), _MOST_ORDERS):
        chosen = _chosen(solved, order)
        if chosen is not None and chosen not in known:
            known.append(chosen)
            yield chosen


def _chosen(
    solved: SolvedGame, order: tuple[_OwnChoice, ...]
) -> dict[Capped, CountedOption] | None:
    """Return the first choice in each configuration that can be come to; None where all is lost in one."""
    found: dict[Capped, CountedOption] = {}
    waiting = [start for start in solved.starts if not solved.wins(start)]
    while waiting:
        now = waiting.pop()
        if now in found:
            continue
        if not solved.options[now]:
            return None  # what has to be kept is broken
        found[now] = min(solved.options[now], key=lambda o: order.index((o.environment, o.own)))
        waiting += [after for after in found[now].results if not solved.wins(after)]
    return found
