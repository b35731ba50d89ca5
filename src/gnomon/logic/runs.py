"""Paths through a graph of sets: shortest ones, and lassos."""

from typing import Protocol, TypeVar

from gnomon.engines.algebra import Graph, Set

Point = TypeVar("Point")

#: Up to this length the very first chance to close a loop is taken; beyond, looking for it costs.
_SHORT = 2_000
#: A lasso longer than this is not shortened: that would take as long as finding it.
_LONG = 200
#: How often a loop is looked for step by step before the search takes a leap.
_ATTEMPTS = 8


class Walkable(Graph[Set], Protocol[Set, Point]):
    """A graph whose nodes can be taken out of a set one by one."""

    def after(self, states: Set, /) -> Set:
        """Return the successors of the nodes."""

    def pick(self, states: Set, /) -> Point:
        """Return one node of a non-empty set, always the same one."""

    def only(self, state: Point, /) -> Set:
        """Return the set of just this node."""


def shortest(
    graph: Walkable[Set, Point], start: Set, through: Set, target: Set, most: int | None = None
) -> list[Point] | None:
    """Return a shortest path from `start` into `target` whose earlier nodes are in `through`.

    None where there is none, or none of at most so many nodes.
    """
    layers = _layers(graph, start, through, target, most)
    arrived = graph.intersection(layers[-1], target) if layers else graph.empty
    return None if graph.is_empty(arrived) else _trace(graph, layers, through, arrived)


def _layers(
    graph: Walkable[Set, Point], start: Set, through: Set, target: Set, most: int | None = None
) -> list[Set]:
    """Return the nodes by their distance from `start`, up to the first that are in `target`."""
    layers: list[Set] = []

    def step(new: Set, _: Set) -> Set:
        layers.append(new)
        if len(layers) == most or not graph.is_empty(graph.intersection(new, target)):
            return graph.empty
        return graph.after(graph.intersection(new, through))

    graph.grow(start, step)
    return layers


def _trace(
    graph: Walkable[Set, Point], layers: list[Set], through: Set, arrived: Set
) -> list[Point]:
    """Return a path through the layers that ends in `arrived`, a part of the last one."""
    path = [graph.pick(arrived)]
    for layer in reversed(layers[:-1]):
        sources = graph.before(graph.only(path[-1]), graph.intersection(layer, through))
        path.append(graph.pick(sources))
    return path[::-1]


def way_back(graph: Walkable[Set, Point], start: Set, target: Set) -> list[Point] | None:
    """Return a shortest path from `start` into `target`, found backwards; None where there is none.

    That goes through all that leads to the target, which may be little where `start` leads to very much.
    """
    layers: list[Set] = []

    def step(new: Set, _: Set) -> Set:
        layers.append(new)
        if not graph.is_empty(graph.intersection(new, start)):
            return graph.empty
        return graph.before(new, graph.reachable)

    graph.grow(target, step)
    begun = graph.intersection(layers[-1], start) if layers else graph.empty
    if graph.is_empty(begun):
        return None
    path = [graph.pick(begun)]
    for layer in reversed(layers[:-1]):
        path.append(graph.pick(graph.intersection(graph.after(graph.only(path[-1])), layer)))
    return path


def lasso(
    graph: Walkable[Set, Point], start: Point, within: Set, constraints: tuple[Set, ...]
) -> tuple[list[Point], int]:
    """Return a path from `start` in `within` that ends where it has been, and the place of that.

    Every node of `within` must have a path in it that meets every constraint infinitely often; the
    loop found meets each of them.
    """
    if not constraints:
        return _tightened(graph, *_walk_until_repeated(graph, start, within), within)
    path = [start]
    attempts = 0
    while True:
        anchor = len(path) - 1
        for constraint in constraints:
            target = graph.intersection(constraint, within)
            further = shortest(graph, graph.only(path[-1]), within, target)
            assert further is not None, "a fair set has a way to each constraint"
            path += further[1:]
        successors = graph.intersection(graph.after(graph.only(path[-1])), within)
        back = shortest(graph, successors, within, graph.only(path[anchor]))
        if back is not None:
            return path + back[:-1], anchor
        attempts += 1
        if attempts <= _ATTEMPTS:
            path.append(graph.pick(successors))
        else:
            # What is furthest away is soon where there is no way out any more, only round.
            layers = _layers(graph, successors, within, graph.empty)
            inside = [graph.intersection(layer, within) for layer in layers]
            while graph.is_empty(inside[-1]):
                inside.pop()
            path += _trace(graph, inside, within, inside[-1])


def _tightened(
    graph: Walkable[Set, Point], path: list[Point], loop: int, within: Set
) -> tuple[list[Point], int]:
    """Return a shorter lasso that leaves the path early, if there is one close by."""
    if len(path) > _LONG:
        return path, loop
    best, place = path, loop
    for position, node in enumerate(path[:_ATTEMPTS]):
        room = len(best) - position - 1
        if room < 1:
            break
        after = graph.intersection(graph.after(graph.only(node)), within)
        back = shortest(graph, after, within, graph.only(node), room)
        if back is not None and position + len(back) < len(best):
            best, place = path[: position + 1] + back[:-1], position
    return best, place


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
