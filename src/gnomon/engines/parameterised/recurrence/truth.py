"""Formulae of time about a graph of configurations: certainly so, certainly not so, or open."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from gnomon.engines.parameterised.recurrence.product import WatchedGraph, WatchedNode
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.model import formula as f
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.evaluation import every, some

Now = TypeVar("Now")
Step = TypeVar("Step")

#: Larger graphs are not looked at.
MOST_STEPS: Final = 100_000


class PathTruth(ABC, Generic[Now, Step]):
    """What formulae are worth in the configurations of a graph."""

    def __init__(self, track: Track, budget: Budget) -> None:
        """Ask for automata where paths are looked at."""
        self._track = track
        self.budget = budget
        self._paths: dict[f.Formula, set[Now]] = {}
        self._reachable: list[Now] | None = None

    # What graphs differ in

    @abstractmethod
    def initial(self) -> Iterable[Now]:
        """Return the initial configurations."""

    @abstractmethod
    def following(self, now: Now) -> Iterable[tuple[Now, Step]]:
        """Return what can come next, and how."""

    @abstractmethod
    def condition(self, number: int, now: Now) -> bool:
        """Return whether a condition of the question holds."""

    @abstractmethod
    def recurring(self, found: WatchedGraph[Now, Step]) -> Iterator[WatchedNode[Now]]:
        """Yield nodes of all loops that a fair run may stay in; all of them may be too many."""

    @abstractmethod
    def certain(self, path: f.Formula, now: Now) -> bool | None:
        """Return whether some path is certain to satisfy a formula, where that is not excluded."""

    # Formulae

    def value(self, formula: f.Formula, now: Now) -> bool | None:
        """Return what a formula about the state is worth; None where it is open."""
        match formula:
            case f.Constant(value):
                return value
            case f.Proposition(name):
                return self.condition(int(name), now)
            case f.Not(body):
                return _opposite(self.value(body, now))
            case f.And(operands):
                return every(self.value(each, now) for each in operands)
            case f.Or(operands):
                return some(self.value(each, now) for each in operands)
            case f.Implies(left, right):
                return some((_opposite(self.value(left, now)), self.value(right, now)))
            case f.Iff(left, right):
                values = self.value(left, now), self.value(right, now)
                return None if None in values else values[0] == values[1]
            case f.All(path):
                return _opposite(self._somewhere(f.Not(path), now))
            case f.Exists(path):
                return self._somewhere(path, now)
            case _:
                msg = f"not a formula about the states of a graph: {formula}"
                raise ValueError(msg)

    def _somewhere(self, path: f.Formula, now: Now) -> bool | None:
        return self.certain(path, now) if now in self.possible(path) else False

    def possible(self, path: f.Formula) -> set[Now]:
        """Return in which configurations it is not excluded that some path satisfies a formula."""
        found = self._paths.get(path)
        if found is None:
            watched = self.watch(path, self.reachable())
            near = watched.from_which(self.recurring(watched))
            found = self._paths[path] = {node.now for node in watched.starts if node in near}
        return found

    def watch(self, path: f.Formula, starts: Iterable[Now]) -> WatchedGraph[Now, Step]:
        """Return the graph with the automaton of a path formula."""
        return WatchedGraph(
            starts, self.following, self._track(path), self._possible, self.budget, MOST_STEPS
        )

    def _possible(self, formula: f.Formula, now: Now) -> bool:
        return self.value(formula, now) is not False

    def reachable(self) -> list[Now]:
        """Return all reachable configurations."""
        if self._reachable is None:
            self._reachable = list(explored(self.initial(), self.following, self.budget))
        return self._reachable


def explored(
    starts: Iterable[Now],
    following: Callable[[Now], Iterable[tuple[Now, object]]],
    budget: Budget,
) -> Iterator[Now]:
    """Yield all configurations that can be reached."""
    seen = dict.fromkeys(starts)
    waiting = list(seen)
    yield from waiting
    steps = 0
    while waiting:
        budget.check("configurations", len(seen))
        for after, _ in following(waiting.pop()):
            steps += 1
            if after not in seen:
                seen[after] = None
                waiting.append(after)
                yield after
        if steps > MOST_STEPS:
            msg = f"there are more than {MOST_STEPS:,} steps between configurations"
            raise OutOfReach(msg)


def _opposite(value: bool | None) -> bool | None:  # noqa: FBT001
    return None if value is None else not value
