"""Fair loops of a definite number of agents, and runs that end in one."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from gnomon.engines.parameterised.recurrence.components import components
from gnomon.engines.parameterised.recurrence.crowd import (
    THE_ENVIRONMENT,
    CrowdGraph,
    CrowdState,
    CrowdStep,
)
from gnomon.engines.parameterised.recurrence.product import WatchedEdge, WatchedGraph, WatchedNode
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition

CrowdNode: TypeAlias = WatchedNode[CrowdState]
CrowdEdge: TypeAlias = WatchedEdge[CrowdState, CrowdStep]
CrowdProduct: TypeAlias = WatchedGraph[CrowdState, CrowdStep]


class FairLoop(NamedTuple):
    """Nodes and steps between them: a way through all of them again and again is fair."""

    nodes: frozenset[CrowdNode]
    edges: tuple[CrowdEdge, ...]


class FairLoops:
    """Finds the components in which a fair run can stay."""

    def __init__(self, graph: CrowdGraph, found: CrowdProduct, budget: Budget) -> None:
        """Look into a product."""
        self._graph = graph
        self._found = found
        self._budget = budget
        system = graph.situations.system
        self._promise = system.promise
        self._fairness = system.fairness
        self._everybody = (THE_ENVIRONMENT, *range(len(graph.members)))

    def all(self) -> Iterator[FairLoop]:
        """Yield them."""
        waiting = list(self._parts(self._found.leaving))
        while waiting:
            self._budget.check("loops", len(waiting))
            part = waiting.pop()
            if any(not any(map(meets, part.nodes)) for meets in self._recurring()):
                continue
            unfair = self._unfair(part)
            if not unfair:
                yield part
            elif unfair != part.nodes:
                waiting += self._parts(part.nodes - unfair)

    def _parts(self, nodes: Iterable[CrowdNode]) -> Iterator[FairLoop]:
        inside = set(nodes)
        leaving = {
            node: [e for e in self._found.leaving[node] if e.target in inside] for node in inside
        }
        for part in components(leaving, lambda node: (e.target for e in leaving[node])):
            members = frozenset(part)
            edges = tuple(e for node in part for e in leaving[node] if e.target in members)
            if edges:
                yield FairLoop(members, edges)

    def _recurring(self) -> Iterator[Callable[[CrowdNode], bool]]:
        """Yield what has to be seen time and again."""
        for promise in range(self._found.tracker.promises):
            yield partial(self._kept, promise)
        for fair in self._fairness:
            owners = [n for n, name in enumerate(self._graph.members) if name == fair.template]
            for own in owners if fair.template else (None,):
                yield partial(self._holds, fair.condition, own)

    def _kept(self, promise: int, node: CrowdNode) -> bool:
        return promise not in self._found.tracker.late[node.watching]

    def _holds(self, condition: Condition, own: int | None, node: CrowdNode) -> bool:
        return self._graph.holds(condition, node.now, own)

    def _unfair(self, part: FairLoop) -> frozenset[CrowdNode]:
        """Return nodes that cannot recur if everybody is treated fairly."""
        if self._promise == "none":
            return frozenset()
        found: set[CrowdNode] = set()
        for each in self._everybody:
            if any(edge.step.acts(each) for edge in part.edges):
                continue
            able = {node for node in part.nodes if self._graph.able(each, node.now)}
            if self._promise == "strong" or len(able) == len(part.nodes):
                found |= able
        return frozenset(found)

    def wanted(self, part: FairLoop) -> Iterator[Callable[[CrowdEdge], bool]]:
        """Yield what some step of each round must be, so that going round for ever is fair."""
        for meets in self._recurring():
            yield partial(_from, meets)
        for each in () if self._promise == "none" else self._everybody:
            if any(edge.step.acts(each) for edge in part.edges):
                yield partial(_acts, each)
            elif self._promise == "weak":
                yield partial(self._unable, each)

    def _unable(self, number: int, edge: CrowdEdge) -> bool:
        return not self._graph.able(number, edge.source.now)


def _from(meets: Callable[[CrowdNode], bool], edge: CrowdEdge) -> bool:
    return meets(edge.source)


def _acts(number: int, edge: CrowdEdge) -> bool:
    return edge.step.acts(number)


class CrowdLasso(NamedTuple):
    """Where a run starts, its steps, and after how many of them the loop begins that ends with the last."""

    start: CrowdState
    steps: tuple[CrowdEdge, ...]
    loop: int


def lasso(found: CrowdProduct, loops: FairLoops, loop: FairLoop) -> CrowdLasso:
    """Return a run into a fair loop that does there all that fairness asks for."""
    head = _way(found.starts, found.leaving, lambda node: node in loop.nodes)
    first = head[-1].target if head else next(n for n in found.starts if n in loop.nodes)
    inside: dict[CrowdNode, list[CrowdEdge]] = {node: [] for node in loop.nodes}
    for edge in loop.edges:
        inside[edge.source].append(edge)
    round_: list[CrowdEdge] = []
    for wanted in loops.wanted(loop):
        if not any(map(wanted, round_)):
            here = round_[-1].target if round_ else first
            round_ += _including(here, inside, wanted)
    here = round_[-1].target if round_ else first
    if not round_ or here != first:
        round_ += _including(here, inside, lambda edge: edge.target == first)
    start = head[0].source if head else first
    return CrowdLasso(start.now, (*head, *round_), len(head))


def _way(
    starts: Iterable[CrowdNode],
    leaving: Mapping[CrowdNode, Iterable[CrowdEdge]],
    arrived: Callable[[CrowdNode], bool],
) -> list[CrowdEdge]:
    """Return the steps of a shortest way to where one has arrived; there is one."""
    before: dict[CrowdNode, CrowdEdge | None] = dict.fromkeys(starts)
    waiting = deque(before)
    while not arrived(node := waiting.popleft()):
        for edge in leaving[node]:
            if edge.target not in before:
                before[edge.target] = edge
                waiting.append(edge.target)
    found: list[CrowdEdge] = []
    while (last := before[node]) is not None:
        found.append(last)
        node = last.source
    return found[::-1]


def _including(
    here: CrowdNode,
    leaving: Mapping[CrowdNode, Iterable[CrowdEdge]],
    wanted: Callable[[CrowdEdge], bool],
) -> list[CrowdEdge]:
    """Return a shortest way whose last step is wanted."""
    head = _way([here], leaving, lambda node: any(map(wanted, leaving[node])))
    there = head[-1].target if head else here
    return [*head, next(edge for edge in leaving[there] if wanted(edge))]
