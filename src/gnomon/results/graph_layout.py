"""Where the boxes and arrows of a graph go: layers by distance from the initial states.

A small version of the method of Sugiyama, Tagawa and Toda (1981): layers, then an order within each
that keeps neighbours near, then coordinates. Breadth-first layers make every forward step one layer
long, so only steps backwards need places of their own in the layers between.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.graph import StateGraph

#: Empty places between boxes of one layer, and between layers.
_BETWEEN = 28.0
_BELOW = 72.0
_SWEEPS = 8


@dataclass(slots=True)
class GraphBox:
    """A place in a layer: a node, or (number None) where a long arrow passes.

    `beside` is what it needs at its right for the loop to itself.
    """

    number: int | None
    width: float
    height: float
    beside: float = 0.0
    layer: int = 0
    x: float = 0.0
    y: float = 0.0
    near: "list[GraphBox]" = field(default_factory=list)

    @property
    def middle(self) -> float:
        """Return the horizontal middle."""
        return self.x + self.width / 2

    @property
    def room(self) -> float:
        """Return how far away the next box of the layer has to start."""
        return self.width + self.beside + _BETWEEN


@dataclass(slots=True)
class GraphLayout:
    """Boxes with coordinates, and for every pair of nodes with a step the boxes it goes through."""

    boxes: dict[int, GraphBox]
    paths: dict[tuple[int, int], list[GraphBox]]
    width: float
    height: float


def lay_out(
    graph: StateGraph, sizes: dict[int, tuple[float, float, float]], budget: Budget = NO_LIMIT
) -> GraphLayout:
    """Return coordinates for the nodes of `graph`, whose boxes have these sizes.

    Raises `LimitReached` where the budget ends before all of them have their place.
    """
    if not sizes:
        return GraphLayout({}, {}, 0.0, 0.0)
    boxes = {number: GraphBox(number, *size) for number, size in sizes.items()}
    layers = _layers(graph, boxes, budget)
    paths: dict[tuple[int, int], list[GraphBox]] = {}
    for edge in graph.edges:
        if edge.source != edge.target:
            budget.check("places", len(paths))
            path = _path(boxes[edge.source], boxes[edge.target], layers)
            paths[edge.source, edge.target] = path
    for path in paths.values():
        for left, right in pairwise(path):
            left.near.append(right)
            right.near.append(left)
    _order(layers, budget)
    width, height = _place(layers, budget)
    return GraphLayout(boxes, paths, width, height)


def _layers(graph: StateGraph, boxes: dict[int, GraphBox], budget: Budget) -> list[list[GraphBox]]:
    """Put each node at its distance from the initial ones; what is out of reach starts a layer."""
    following: dict[int, list[int]] = {}
    for edge in graph.edges:
        following.setdefault(edge.source, []).append(edge.target)
    layers: list[list[GraphBox]] = []
    seen: set[int] = set()
    starts = [node.number for node in graph.nodes if node.initial]
    for first in [starts, *([node.number] for node in graph.nodes)]:
        budget.check("places")
        front = [number for number in first if number not in seen]
        depth = 0
        while front:
            seen.update(front)
            if depth == len(layers):
                layers.append([])
            for number in front:
                boxes[number].layer = depth
            layers[depth] += [boxes[number] for number in front]
            reached = (after for number in front for after in following.get(number, ()))
            front = [number for number in dict.fromkeys(reached) if number not in seen]
            depth += 1
    return layers


def _path(source: GraphBox, target: GraphBox, layers: list[list[GraphBox]]) -> list[GraphBox]:
    """Return the boxes an arrow passes, with new ones in the layers it crosses."""
    step = 1 if target.layer > source.layer else -1
    path = [source]
    for layer in range(source.layer + step, target.layer, step):
        passing = GraphBox(None, 12.0, 0.0, layer=layer)
        layers[layer].append(passing)
        path.append(passing)
    return [*path, target]


def _order(layers: list[list[GraphBox]], budget: Budget) -> None:
    """Order each layer by the mean place of the neighbours in the layer before, to and fro."""
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        pairs = pairwise(layers)
        steps = pairs if down else ((below, above) for above, below in reversed(list(pairs)))
        for fixed, moving in steps:
            budget.check("places")
            places = {id(box): index for index, box in enumerate(fixed)}
            ranked = [
                (_mean((places[id(n)] for n in box.near if id(n) in places), index), index)
                for index, box in enumerate(moving)
            ]
            moving[:] = [moving[index] for _, index in sorted(ranked)]


def _mean(values: Iterable[float], otherwise: float) -> float:
    found = list(values)
    return sum(found) / len(found) if found else otherwise


def _place(layers: list[list[GraphBox]], budget: Budget) -> tuple[float, float]:
    """Give every box its coordinates: near its neighbours, never over another; return the size."""
    top = 0.0
    for layer in layers:
        height = max(box.height for box in layer)
        at = 0.0
        for box in layer:
            box.x, box.y = at, top + (height - box.height) / 2
            at += box.room
        labels = max((len(box.near) for box in layer), default=0)
        top += height + _BELOW + min(60.0, 4.0 * labels)
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            budget.check("places")
            _settle(layer)
    left = min(box.x for layer in layers for box in layer)
    for layer in layers:
        for box in layer:
            box.x -= left
    right = max(box.x + box.width + box.beside for layer in layers for box in layer)
    bottom = max(box.y + box.height for layer in layers for box in layer)
    return right, bottom


def _settle(layer: list[GraphBox]) -> None:
    """Move the boxes of a layer to the mean of their neighbours as far as their order allows.

    Pushed once from the left and once from the right; the mean of both keeps the distances.
    """
    wanted = [_mean((n.middle for n in box.near), box.middle) - box.width / 2 for box in layer]
    from_left: list[float] = []
    for x in wanted:
        least = from_left[-1] + layer[len(from_left) - 1].room if from_left else x
        from_left.append(max(x, least))
    from_right: list[float] = []
    for index in range(len(layer) - 1, -1, -1):
        box = layer[index]
        most = from_right[-1] - box.room if from_right else wanted[index]
        from_right.append(min(wanted[index], most))
    for box, left, right in zip(layer, from_left, reversed(from_right), strict=True):
        box.x = (left + right) / 2
