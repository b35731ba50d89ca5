"""Which loops of a counted graph may come from a run of finitely many agents: what cannot recur is deleted.

Whatever recurs in a run of a population lies in one component of the graph, and each of its agents is for
ever in one component of the strands. So a step whose strands leave one, and a state in which an agent would
be treated unfairly, are seen finitely often only. What is left when nothing can be deleted any more is a
candidate: it may be a loop of some population, or not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph, CappedStep
from gnomon.engines.parameterised.recurrence.components import components
from gnomon.engines.parameterised.recurrence.deletions import (
    AgentsAt,
    ByComponent,
    ByStrand,
    CappedEdge,
    CappedNode,
    Deletion,
    Missing,
    Unbalanced,
)
from gnomon.engines.parameterised.recurrence.product import WatchedGraph
from gnomon.engines.parameterised.recurrence.situations import CountedSituation, PossibleMoves
from gnomon.model.budget import Budget

CappedProduct: TypeAlias = WatchedGraph[Capped, CappedStep]
#: Says which of some steps, without which nothing goes round, cannot recur as often as others must.
Balance: TypeAlias = Callable[[list[CappedEdge]], set[int]]
_ENVIRONMENT = Missing("environment")
_SELF = Missing("self")


class Component(NamedTuple):
    """What may recur together."""

    nodes: frozenset[CappedNode]
    edges: tuple[CappedEdge, ...]


class Candidates:
    """Finds the components that may be loops of real populations."""

    def __init__(
        self, graph: CappedGraph, found: CappedProduct, budget: Budget, balance: Balance | None
    ) -> None:
        """Look into a product; `balance` is asked where nothing else helps, if it is given."""
        self._graph = graph
        self._situations = graph.situations
        self._fairness = graph.situations.system.fairness
        self._promise = graph.situations.system.promise
        self._found = found
        self._budget = budget
        self._balance = balance
        self._able: dict[CappedNode, PossibleMoves] = {}
        #: What was deleted, in order.
        self.deletions: list[Deletion] = []

    def all(self) -> list[Component]:
        """Return those that are left."""
        left: list[Component] = []
        edges: list[CappedEdge] = list(self._found.edges)
        while edges:
            self._budget.check("loops", len(edges))
            edges = self._round(edges, left)
        return left

    def _round(self, edges: list[CappedEdge], left: list[Component]) -> list[CappedEdge]:
        """Delete what can be deleted everywhere; return what is to be looked at again."""
        parts = self._by_component(edges)
        changed: list[CappedEdge] = []
        stuck: list[tuple[Component, list[CappedEdge]]] = []
        inside = [edge for _, kept in parts for edge in kept]
        gone = self._by_strand(inside) if inside else set()
        for part, kept in parts:
            rest = [edge for edge in kept if edge.number not in gone]
            if len(rest) < len(part.edges):
                changed += rest
            else:
                stuck.append((part, rest))
        for part, rest in stuck:
            steps = set() if self._balance is None else self._balance(rest)
            if steps:
                self.deletions.append(Unbalanced(part.edges, frozenset(steps)))
                changed += [edge for edge in rest if edge.number not in steps]
            else:
                left.append(part)
        return changed

    # What is asked of the whole

    def _by_component(
        self, edges: Sequence[CappedEdge]
    ) -> list[tuple[Component, list[CappedEdge]]]:
        """Return the components that miss nothing, with the steps that are left of them."""
        numbers: dict[CappedNode, int] = {}
        missing: list[tuple[int, Missing]] = []
        parts: list[tuple[Component, list[CappedEdge]]] = []
        for number, part in enumerate(_parts(edges)):
            numbers.update(dict.fromkeys(part.nodes, number))
            if not part.edges:
                continue
            lacks = self._unfair(part)
            if lacks is not None:
                missing.append((number, lacks))
                continue
            kept, unfair = self._without_unfair(part)
            missing += [(number, each) for each in unfair]
            parts.append((part, kept))
        self.deletions.append(ByComponent(numbers, tuple(missing)))
        return parts

    def _unfair(self, part: Component) -> Missing | None:
        """Return what the whole, the environment or `self` misses that has to recur."""
        tracker = self._found.tracker
        for promise in range(tracker.promises):
            if all(promise in tracker.late[node.watching] for node in part.nodes):
                return Missing("promise", promise)
        for number in range(len(self._fairness)):
            if not self._recurs(part, number):
                return Missing("fair", number)
        if self._promise != "weak":
            return None
        acts = any(edge.step.environment_acts for edge in part.edges)
        if not acts and all(self._moves(node).environment_able for node in part.nodes):
            return _ENVIRONMENT
        own = self._graph.template and not any(edge.step.own_acts for edge in part.edges)
        return _SELF if own and all(map(self._own_able, part.nodes)) else None

    def _recurs(self, part: Component, number: int) -> bool:
        """Return whether a fair condition holds somewhere, if it is about the whole or `self`."""
        fair = self._fairness[number]
        template = fair.template
        if template and template != self._graph.template:
            return True
        return any(
            self._situations.holds(
                fair.condition, self._situation(node), node.now.own if template else None
            )
            for node in part.nodes
        )

    def _without_unfair(self, part: Component) -> tuple[list[CappedEdge], list[Missing]]:
        """Return the steps but for where the environment or `self` is able and never acts, as is promised."""
        unfair: list[Missing] = []
        nodes: set[CappedNode] = set()
        if self._promise == "strong":
            if not any(edge.step.environment_acts for edge in part.edges):
                unfair.append(_ENVIRONMENT)
                nodes |= {node for node in part.nodes if self._moves(node).environment_able}
            if self._graph.template and not any(edge.step.own_acts for edge in part.edges):
                unfair.append(_SELF)
                nodes |= {node for node in part.nodes if self._own_able(node)}
        kept = [e for e in part.edges if e.source not in nodes and e.target not in nodes]
        return kept, unfair

    # What is asked of each agent

    def _by_strand(self, edges: list[CappedEdge]) -> set[int]:
        """Return the numbers of steps that no population sees time and again."""
        strands = list(_strand_parts(edges))
        number = {standing: n for n, each in enumerate(strands) for standing in each}
        steps: set[int] = set()
        moving: set[int] = set()
        for edge in edges:
            ways = [
                (number[edge.source, strand.source], number[edge.target, strand.target], strand)
                for strand in edge.step.strands
            ]
            if any(source != target for source, target, _ in ways):
                steps.add(edge.number)
            else:
                moving |= {source for source, _, strand in ways if strand.moved}
        missing: list[tuple[int, Missing]] = []
        nodes: set[CappedNode] = set()
        for n, standing in enumerate(strands):
            for lacks, where in self._where_unfair(standing, moves=n in moving):
                missing.append((n, lacks))
                nodes |= where
        self.deletions.append(ByStrand(number, tuple(missing)))
        return steps | {e.number for e in edges if e.source in nodes or e.target in nodes}

    def _where_unfair(
        self, standing: list[AgentsAt], *, moves: bool
    ) -> Iterator[tuple[Missing, set[CappedNode]]]:
        """Yield the nodes that cannot recur, as agents would be there who are treated unfairly."""
        nodes = {node for node, _ in standing}
        if self._promise != "none" and not moves:
            able = {node for node, place in standing if place in self._moves(node).able}
            always = all(place in self._moves(node).able for node, place in standing)
            if self._promise == "strong" and able:
                yield Missing("agent"), able
            if self._promise == "weak" and always:
                yield Missing("agent"), nodes
        for number, fair in enumerate(self._fairness):
            own = [(n, p) for n, p in standing if self._situations.places[p][0] == fair.template]
            if own and not any(
                self._situations.holds(fair.condition, self._situation(node), place)
                for node, place in own
            ):
                yield Missing("fair", number), {node for node, _ in own}

    def _own_able(self, node: CappedNode) -> bool:
        return node.now.own in self._moves(node).able

    def _situation(self, node: CappedNode) -> CountedSituation:
        return self._graph.situation(node.now)

    def _moves(self, node: CappedNode) -> PossibleMoves:
        found = self._able.get(node)
        if found is None:
            found = self._able[node] = self._situations.moves(self._situation(node))
        return found


def _parts(edges: Iterable[CappedEdge]) -> Iterator[Component]:
    """Yield the components of the graph that some steps are, those that can be left after where they lead."""
    leaving: dict[CappedNode, list[CappedEdge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
        leaving.setdefault(edge.target, [])
    for part in components(leaving, lambda node: (e.target for e in leaving[node])):
        members = frozenset(part)
        inside = tuple(e for node in part for e in leaving[node] if e.target in members)
        yield Component(members, inside)


def _strand_parts(edges: Iterable[CappedEdge]) -> Iterator[list[AgentsAt]]:
    following: dict[AgentsAt, list[AgentsAt]] = {}
    for edge in edges:
        for node in (edge.source, edge.target):
            for place, _ in node.now.others:
                following.setdefault((node, place), [])
        for strand in edge.step.strands:
            following[edge.source, strand.source].append((edge.target, strand.target))
    yield from components(following, following.__getitem__)
