"""Cycles of outcomes on which a coalition never gets what it wants."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

#: Numbered nodes and what follows each.
SuccessorGraph: TypeAlias = Mapping[int, Sequence[int]]
#: How many cycles of one component are worth learning from at once.
_SAMPLES: Final = 4


def components(graph: SuccessorGraph) -> Iterator[list[int]]:
    """Yield the largest sets of nodes that lead to each other, those that others lead to first.

    Tarjan 1972. A node that is on no cycle is a set of its own.
    """
    placed: dict[int, int] = {}
    lowest: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    for root in graph:
        if root in placed:
            continue
        placed[root] = lowest[root] = len(placed)
        path.append(root)
        on_path.add(root)
        stack = [(root, iter(graph[root]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in graph:
                    continue
                if target not in placed:
                    placed[target] = lowest[target] = len(placed)
                    path.append(target)
                    on_path.add(target)
                    stack.append((target, iter(graph[target])))
                    break
                if target in on_path:
                    lowest[node] = min(lowest[node], placed[target])
            else:
                stack.pop()
                low = lowest[node]
                if stack:
                    above = stack[-1][0]
                    lowest[above] = min(lowest[above], low)
                if low == placed[node]:
                    found = [path.pop()]
                    while found[-1] != node:
                        found.append(path.pop())
                    on_path.difference_update(found)
                    yield found


def has_cycle(graph: SuccessorGraph, component: Sequence[int]) -> bool:
    """Return whether one can go round in a component."""
    return len(component) > 1 or component[0] in graph[component[0]]


def closed_walks(
    graph: SuccessorGraph, component: Sequence[int], constraints: Sequence[Callable[[int], bool]]
) -> Iterator[list[int]]:
    """Yield some closed walks in a component that meet every constraint; none where there is none."""
    inside = set(component)
    meeting = [[node for node in component if meets(node)] for meets in constraints]
    if not all(meeting):
        return
    starts = meeting[0] if meeting else component
    for start in starts[:: max(1, len(starts) // _SAMPLES)][:_SAMPLES]:
        walk = [start]
        for nodes in meeting[1:]:
            walk += _way(graph, inside, walk[-1], set(nodes)) if walk[-1] not in nodes else []
        yield walk + _way(graph, inside, walk[-1], {start})[:-1]


def _way(
    graph: SuccessorGraph, inside: Collection[int], start: int, goal: Collection[int]
) -> list[int]:
    """Return a shortest way of one or more steps from a node into `goal`, without the node."""
    came: dict[int, int] = {}
    layer = [start]
    while layer:
        following = []
        for node in layer:
            for target in graph[node]:
                if target not in inside or target in came:
                    continue
                came[target] = node
                if target in goal:
                    way = [target]
                    while came[way[-1]] != start:
                        way.append(came[way[-1]])
                    return way[::-1]
                following.append(target)
        layer = following
    msg = "the nodes of a component lead to each other"
    raise AssertionError(msg)
