"""LTL and CTL*: the paths from a state on which a path formula holds.

The product of the system with the formula's automaton keeps one set of states a node, so it works
with the sets of any engine.
"""

from collections.abc import Callable
from typing import Generic

from gnomon.engines.algebra import Algebra, Graph, Set
from gnomon.logic.automaton import Automaton, automaton
from gnomon.logic.frame import Frame
from gnomon.logic.path import normal_form
from gnomon.model.formula import Formula
from gnomon.model.step import State

NodeSets = tuple[Set, ...]


class Product(Graph[tuple[Set, ...]], Generic[Set]):
    """Pairs of a state and a node that agree; a set of pairs is one set of states a node."""

    def __init__(self, algebra: Algebra[Set], nodes: Automaton, labels: tuple[Set, ...]) -> None:
        """Join an algebra and an automaton; `labels` are the states each node agrees with."""
        self.algebra = algebra
        self.nodes = nodes
        self._labels = labels
        self._predecessors: list[list[int]] = [[] for _ in nodes.nodes]
        for node, targets in enumerate(nodes.successors):
            for target in targets:
                self._predecessors[target].append(node)

    @property
    def empty(self) -> NodeSets[Set]:
        """No pair."""
        return (self.algebra.empty,) * len(self._labels)

    @property
    def reachable(self) -> NodeSets[Set]:
        """All pairs."""
        return self._labels

    def union(self, left: NodeSets[Set], right: NodeSets[Set]) -> NodeSets[Set]:
        """Return the pairs in either."""
        return tuple(map(self.algebra.union, left, right))

    def intersection(self, left: NodeSets[Set], right: NodeSets[Set]) -> NodeSets[Set]:
        """Return the pairs in both."""
        return tuple(map(self.algebra.intersection, left, right))

    def difference(self, left: NodeSets[Set], right: NodeSets[Set]) -> NodeSets[Set]:
        """Return the pairs of `left` that are not in `right`."""
        return tuple(map(self.algebra.difference, left, right))

    def is_empty(self, states: NodeSets[Set]) -> bool:
        """Return whether there is no pair in it."""
        return all(self.algebra.is_empty(part) for part in states)

    def is_subset(self, left: NodeSets[Set], right: NodeSets[Set]) -> bool:
        """Return whether every pair of `left` is in `right`."""
        return all(map(self.algebra.is_subset, left, right))

    def own(self, states: NodeSets[Set]) -> NodeSets[Set]:
        """Return the same pairs as a set that `extend` may change."""
        return tuple(map(self.algebra.own, states))

    def extend(self, own: NodeSets[Set], more: NodeSets[Set]) -> NodeSets[Set]:
        """Add some pairs to a set that came from `own`."""
        is_empty, extend = self.algebra.is_empty, self.algebra.extend
        pairs = zip(own, more, strict=True)
        return tuple(old if is_empty(new) else extend(old, new) for old, new in pairs)

    def inevitable(self, target: NodeSets[Set], within: NodeSets[Set]) -> NodeSets[Set]:
        """Return the pairs of `within` that have no successor outside `target`.

        Only the successors of `within` are looked at: there are few, where `target` is large.
        """
        algebra, found = self.algebra, []
        for node, states in enumerate(within):
            if algebra.is_empty(states):
                found.append(states)
                continue
            after, outside = algebra.after(states), algebra.empty
            for successor in self.nodes.successors[node]:
                there = algebra.intersection(after, self._labels[successor])
                outside = algebra.union(outside, algebra.difference(there, target[successor]))
            found.append(algebra.difference(states, algebra.before(outside, states)))
        return tuple(found)

    def before(self, target: NodeSets[Set], within: NodeSets[Set]) -> NodeSets[Set]:
        """Return the pairs of `within` that have some successor in `target`."""
        found = []
        for node, states in enumerate(within):
            wanted = self._join(target, self.nodes.successors[node])
            empty = self.algebra.is_empty(wanted) or self.algebra.is_empty(states)
            found.append(self.algebra.empty if empty else self.algebra.before(wanted, states))
        return tuple(found)

    def after(self, states: NodeSets[Set]) -> NodeSets[Set]:
        """Return the successors of the pairs."""
        found = []
        for node, label in enumerate(self._labels):
            sources = self._join(states, self._predecessors[node])
            found.append(self.algebra.intersection(self.algebra.after(sources), label))
        return tuple(found)

    def _join(self, states: NodeSets[Set], nodes: list[int] | tuple[int, ...]) -> Set:
        found = self.algebra.empty
        for node in nodes:
            if not self.algebra.is_empty(states[node]):
                found = self.algebra.union(found, states[node])
        return found

    def start(self, states: NodeSets[Set]) -> Set:
        """Return the states that are paired with a node that a run may start in."""
        return self._join(states, self.nodes.initial)

    def starting(self, states: Set) -> NodeSets[Set]:
        """Return the pairs of these states with the nodes that a run may start in."""
        empty = self.algebra.empty
        return tuple(
            self.algebra.intersection(label, states) if node in self.nodes.initial else empty
            for node, label in enumerate(self._labels)
        )

    def pick(self, states: NodeSets[Set]) -> tuple[State, int]:
        """Return one pair of a non-empty set, always the same one."""
        for node, part in enumerate(states):
            if not self.algebra.is_empty(part):
                return self.algebra.pick(part), node
        msg = "the set is empty"
        raise ValueError(msg)

    def only(self, point: tuple[State, int]) -> NodeSets[Set]:
        """Return the set of just this pair."""
        state, chosen = point
        empty = self.algebra.empty
        return tuple(
            self.algebra.only(state) if node == chosen else empty
            for node in range(len(self._labels))
        )

    def accepting(self, constraints: tuple[Set, ...]) -> tuple[NodeSets[Set], ...]:
        """Return the sets to visit infinitely often: no `until` put off, every constraint met."""
        fulfilled = tuple(
            tuple(
                self.algebra.empty if until in node.late else label
                for node, label in zip(self.nodes.nodes, self._labels, strict=True)
            )
            for until in self.nodes.untils
        )
        fair = tuple(
            tuple(self.algebra.intersection(label, constraint) for label in self._labels)
            for constraint in constraints
        )
        return fulfilled + fair


def product(
    algebra: Algebra[Set], frame: Frame[Set], path: Formula, states: Callable[[Formula], Set]
) -> Product[Set]:
    """Return the product of the states that count with the automaton of a path formula."""
    nodes = automaton(normal_form(path))
    labels = []
    for node in nodes.nodes:
        label = frame.universe
        for formula in node.now:
            label = algebra.intersection(label, states(formula))
        labels.append(label)
    return Product(algebra, nodes, tuple(labels))


def accepted(graph: Product[Set], frame: Frame[Set]) -> tuple[Set, ...]:
    """Return the pairs from which some path that counts is accepted."""
    return graph.fairly_lasting(graph.reachable, graph.accepting(frame.constraints))


def exists_path(
    algebra: Algebra[Set], frame: Frame[Set], path: Formula, states: Callable[[Formula], Set]
) -> Set:
    """E path is where the product has an accepted path that starts in it."""
    graph = product(algebra, frame, path, states)
    return graph.start(accepted(graph, frame))
