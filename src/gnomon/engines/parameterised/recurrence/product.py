"""A graph of configurations together with an automaton that watches its paths."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from gnomon.engines.parameterised.recurrence.tracker import Tracker
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.formula import Formula

Now = TypeVar("Now")
Step = TypeVar("Step")


class WatchedNode(NamedTuple, Generic[Now]):
    """A configuration and a node of the automaton that its conditions agree with."""

    now: Now
    watching: int


class WatchedEdge(NamedTuple, Generic[Now, Step]):
    """A step from one node to another, with its number."""

    number: int
    source: WatchedNode[Now]
    target: WatchedNode[Now]
    step: Step


class WatchedGraph(Generic[Now, Step]):
    """The part of the product that can be reached from where paths may start."""

    def __init__(
        self,
        starts: Iterable[Now],
        following: Callable[[Now], Iterable[tuple[Now, Step]]],
        tracker: Tracker,
        agrees: Callable[[Formula, Now], bool],
        budget: Budget,
        most: int,
    ) -> None:
        """Explore it, up to so many steps."""
        self.tracker = tracker
        self._agrees = agrees
        self.starts = [
            WatchedNode(now, q) for now in starts for q in self._fitting(now, tracker.initial)
        ]
        self.edges: list[WatchedEdge[Now, Step]] = []
        self.leaving: dict[WatchedNode[Now], list[WatchedEdge[Now, Step]]] = {
            node: [] for node in self.starts
        }
        waiting = deque(self.leaving)
        while waiting:
            node = waiting.popleft()
            budget.check("loops", len(self.edges))
            for after, step in following(node.now):
                for watching in self._fitting(after, tracker.successors[node.watching]):
                    target = WatchedNode(after, watching)
                    if target not in self.leaving:
                        self.leaving[target] = []
                        waiting.append(target)
                    edge = WatchedEdge(len(self.edges), node, target, step)
                    self.edges.append(edge)
                    self.leaving[node].append(edge)
            if len(self.edges) > most:
                msg = f"the graph of what may go on for ever has more than {most:,} steps"
                raise OutOfReach(msg)

    def _fitting(self, now: Now, nodes: Sequence[int]) -> Iterator[int]:
        wants = self.tracker.wants
        return (q for q in nodes if all(self._agrees(each, now) for each in wants[q]))

    def from_which(self, goals: Iterable[WatchedNode[Now]]) -> set[WatchedNode[Now]]:
        """Return the nodes from which some of these can be reached."""
        before: dict[WatchedNode[Now], list[WatchedNode[Now]]] = {}
        for edge in self.edges:
            before.setdefault(edge.target, []).append(edge.source)
        found = set(goals)
        waiting = list(found)
        while waiting:
            for source in before.get(waiting.pop(), ()):
                if source not in found:
                    found.add(source)
                    waiting.append(source)
        return found
