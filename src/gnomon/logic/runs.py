"""Paths through a graph of sets: shortest ones, and lassos."""

from typing import Protocol, TypeVar

from gnomon.engines.algebra import Graph, Set

Point = TypeVar("Point")

#: Up to this length the very first chance to close a loop is taken; beyond, looking for it costs.
_SHORT = 2_000


class Walkable(Graph[Set], Protocol[Set, Point]):
    """A graph whose nodes can be taken out of a set one by one."""

    def pick(self, states: Set, /) -> Point:
        """Return one node of a non-empty set, always the same one."""

    def only(self, state: Point, /) -> Set:
        """Return the set of just this node."""


def shortest(
    graph: Walkable[Set, Point], start: Set, through: Set, target: Set
) -> list[Point] | None:
    """Return a shortest path from `start` into `target` whose earlier nodes are in `through`."""
    layers: list[Set] = []
    found: list[Set] = []

    def step(new: Set, _: Set) -> Set:
        layers.append(new)
        arrived = graph.intersection(new, target)
        if not graph.is_empty(arrived):
            found.append(arrived)
            return graph.empty
        return graph.after(graph.intersection(new, through))

    graph.grow(start, step)
    if not found:
        return None
    path = [graph.pick(found[0])]
    for layer in reversed(layers[:-1]):
        sources = graph.before(graph.only(path[-1]), graph.intersection(layer, through))
        path.append(graph.pick(sources))
    return path[::-1]


def lasso(
    graph: Walkable[Set, Point], start: Point, within: Set, constraints: tuple[Set, ...]
) -> tuple[list[Point], int]:
    """Return a path from `start` in `within` that ends where it has been, and the place of that.

    Every node of `within` must have a path in it that meets every constraint infinitely often; the
    loop found meets each of them.
    """
    if not constraints:
        return _walk_until_repeated(graph, start, within)
    path = [start]
    while True:
        anchor = len(path) - 1
        for constraint in constraints:
            target = graph.intersection(constraint, within)
            path += _go_on(graph, graph.only(path[-1]), within, target)[1:]
        successors = graph.intersection(graph.after(graph.only(path[-1])), within)
        back = shortest(graph, successors, within, graph.only(path[anchor]))
        if back is not None:
            return path + back[:-1], anchor
        # What has been left for good cannot be the loop; one more step keeps things moving.
        if len(path) - 1 == anchor:
            path.append(graph.pick(successors))


def _go_on(graph: Walkable[Set, Point], start: Set, within: Set, target: Set) -> list[Point]:
    path = shortest(graph, start, within, target)
    assert path is not None, "a fair set has a way to each constraint"
    return path


def _walk_until_repeated(
    graph: Walkable[Set, Point], start: Point, within: Set
) -> tuple[list[Point], int]:
    """Walk on, and close the loop as soon as a successor has been visited."""
    path = [start]
    places = {start: 0}
    visited = graph.only(start)
    while True:
        successors = graph.intersection(graph.after(graph.only(path[-1])), within)
        known = graph.intersection(successors, visited)
        following = graph.pick(successors if graph.is_empty(known) else known)
        if following in places:
            return path, places[following]
        places[following] = len(path)
        path.append(following)
        if len(path) < _SHORT:
            visited = graph.union(visited, graph.only(following))
