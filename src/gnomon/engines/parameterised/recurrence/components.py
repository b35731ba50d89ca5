"""Strongly connected components."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

WatchedNode = TypeVar("WatchedNode")


def components(
    nodes: Iterable[WatchedNode], successors: Callable[[WatchedNode], Iterable[WatchedNode]]
) -> Iterator[list[WatchedNode]]:
    """Yield the strongly connected components of a graph, those that can be left after what they lead to.

    After Tarjan 1972, without recursion. What `successors` names must be among the nodes.
    """
    index: dict[WatchedNode, int] = {}
    low: dict[WatchedNode, int] = {}
    stack: list[WatchedNode] = []
    open_: set[WatchedNode] = set()
    for root in nodes:
        if root in index:
            continue
        path: list[tuple[WatchedNode, Iterator[WatchedNode]]] = []
        _enter(root, index, low, stack, open_)
        path.append((root, iter(successors(root))))
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    yield _leave(node, stack, open_)
            elif following not in index:
                _enter(following, index, low, stack, open_)
                path.append((following, iter(successors(following))))
            elif following in open_:
                low[node] = min(low[node], index[following])


def _enter(
    node: WatchedNode,
    index: dict[WatchedNode, int],
    low: dict[WatchedNode, int],
    stack: list[WatchedNode],
    open_: set[WatchedNode],
) -> None:
    index[node] = low[node] = len(index)
    stack.append(node)
    open_.add(node)


def _leave(
    node: WatchedNode, stack: list[WatchedNode], open_: set[WatchedNode]
) -> list[WatchedNode]:
    found: list[WatchedNode] = []
    while True:
        last = stack.pop()
        open_.discard(last)
        found.append(last)
        if last == node:
            return found
