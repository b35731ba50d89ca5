"""Reachable states as a graph: nodes, steps and what looks the same, as data."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.small_starts import FEW_STARTS, some_initial_states
from gnomon.model.step import NO_LIMIT, JointAction, State, holds, view
from gnomon.model.system import System
from gnomon.results.graph_search import MORE, BreadthFirst
from gnomon.results.projection import PictureStyle, is_shown
from gnomon.text.brief import brief_fields

__all__ = [
    "MORE",
    "LookAlike",
    "LookClass",
    "PartOfGraph",
    "StateGraph",
    "StateNode",
    "StepEdge",
    "action_label",
    "first_states",
    "look_classes",
    "merged",
    "nearby_graph",
    "reachable_graph",
]


@dataclass(frozen=True, slots=True, repr=False)
class StateNode:
    """A state: its number, whether it is initial, and the propositions that hold in it.

    Where nodes are merged, as where only some agents are shown, it stands for several states: `states` has
    them, `propositions` are those that hold in all of them, `sometimes` those that hold in some.
    """

    __repr__ = brief_fields

    number: int
    state: State
    initial: bool = False
    propositions: tuple[str, ...] = ()
    #: Whether no step leads on.
    stuck: bool = False
    #: The joint actions that lead to states that are not there; None where not all steps were looked at.
    beyond: tuple[JointAction, ...] | None = ()
    sometimes: tuple[str, ...] = ()
    states: tuple[State, ...] = ()
    #: How many states it stands for where `states` has not all of them.
    unlisted: int = 0

    @property
    def size(self) -> int:
        """Return how many states it stands for."""
        return self.unlisted or len(self.states)

    @property
    def has_more_steps(self) -> bool:
        """Return whether it may have steps that are not there."""
        return self.beyond is None or self.beyond != ()


@dataclass(frozen=True, slots=True)
class StepEdge:
    """The joint actions that lead from one node to another."""

    source: int
    target: int
    actions: tuple[JointAction, ...]


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two nodes that look the same to some agents."""

    left: int
    right: int
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LookClass:
    """Nodes that look the same to an agent, two at least."""

    agent: str
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class StateGraph:
    """States and steps; where `cut`, there may be more than these: `why` tells what was in the way.

    Where something else was in the way of looking at all steps of these states, `unlooked` tells that.
    `watching` are the agents of whom it is told what they cannot tell apart.
    """

    __repr__ = brief_fields

    system: System
    nodes: tuple[StateNode, ...]
    edges: tuple[StepEdge, ...]
    watching: tuple[str, ...] = ()
    cut: bool = False
    why: str = ""
    unlooked: str = ""
    style: PictureStyle = PictureStyle()
    #: The places of the variables that are told of a node; None where those are told that the style shows.
    told: frozenset[int] | None = None
    #: What a node stands for, in a sentence, where it is more than a state.
    meaning: str = ""
    #: The node where the picture starts, if not in the initial ones.
    start: int | None = None

    @property
    def states(self) -> int:
        """Return how many states there are in all nodes."""
        return sum(node.size for node in self.nodes)

    @property
    def classes(self) -> tuple[LookClass, ...]:
        """Return what looks the same to those who are watching."""
        return tuple(
            LookClass(agent, tuple(group))
            for agent in self.watching
            for group in look_classes(self.system, self.nodes, agent)
            if len(group) > 1
        )

    @property
    def links(self) -> tuple[LookAlike, ...]:
        """Return a chain through each class: to look the same is transitive, so a chain says it all."""
        return tuple(
            LookAlike(left, right, (some.agent,))
            for some in self.classes
            for left, right in pairwise(some.nodes)
        )


class PartOfGraph(NamedTuple):
    """A picture of the first states of a graph, how many these are, and what was in the way of more."""

    text: str
    states: int
    why: str


def reachable_graph(
    system: System,
    limit: int = 200,
    watching: Iterable[str] = (),
    budget: Budget = NO_LIMIT,
    style: PictureStyle = PictureStyle(),
) -> StateGraph:
    """Return the states found first, breadth first, at most `limit`, with the steps among them.

    Where the budget ends first, it is what was found until then. Where `style` shows only some agents, states
    that agree on their variables are one node, and a step is there where one of its states has it.
    """
    search = BreadthFirst(system, limit, budget)
    graph = _found(search, some_initial_states(system, budget, FEW_STARTS), watching, style)
    nodes = tuple(replace(node, initial=node.number < search.starts) for node in graph.nodes)
    graph = replace(graph, nodes=nodes)
    if style.agents is None:
        return graph
    # `True` and `1` are equal in Python, but never values of one variable.
    shown = [i for i, each in enumerate(system.variables) if is_shown(each.agent, style.agents)]
    return merged(graph, [tuple(node.state[index] for index in shown) for node in graph.nodes])


def nearby_graph(
    system: System,
    state: State,
    radius: int,
    limit: int = 200,
    watching: Iterable[str] = (),
    budget: Budget = NO_LIMIT,
) -> StateGraph:
    """Return the states that are at most so many steps away from one, with all steps among them.

    That state is the first of them, and where the picture starts.
    """
    search = BreadthFirst(system, limit, budget, radius)
    graph = _found(search, (state,), watching, PictureStyle())
    nodes = tuple(
        replace(node, initial=holds(system.initial, system, node.state)) for node in graph.nodes
    )
    return replace(graph, nodes=nodes, start=0)


def _found(
    search: BreadthFirst, starts: Iterable[State], watching: Iterable[str], style: PictureStyle
) -> StateGraph:
    """Return what a search finds from some states on, until it ends or its budget does."""
    unlooked = ""
    try:
        search.run(starts)
    except LimitReached as reached:
        unlooked = str(reached)
    # Who ran out of time has not seen whether there are more states, unless that was seen before.
    why, unlooked = (search.why, unlooked) if search.why else (unlooked, "")
    nodes = tuple(
        StateNode(
            number,
            state,
            propositions=search.propositions[number],
            stuck=number in search.stuck,
            beyond=search.beyond.get(number),
            states=(state,),
        )
        for state, number in search.order.items()
    )
    edges = tuple(
        StepEdge(source, target, tuple(acts)) for (source, target), acts in search.steps.items()
    )
    agents = tuple(dict.fromkeys(watching))
    return StateGraph(search.system, nodes, edges, agents, bool(why), why, unlooked, style)


def first_states(graph: StateGraph, number: int, why: str) -> StateGraph:
    """Return the graph of its first nodes, with the steps among them: it is cut, and that is why."""
    edges = tuple(edge for edge in graph.edges if max(edge.source, edge.target) < number)
    lost: dict[int, list[JointAction]] = {}
    for edge in graph.edges:
        if edge.source < number <= edge.target:
            lost.setdefault(edge.source, []).extend(edge.actions)
    nodes = tuple(
        replace(node, beyond=(*node.beyond, *lost[node.number]))
        if node.beyond is not None and node.number in lost
        else node
        for node in graph.nodes[:number]
    )
    return replace(graph, nodes=nodes, edges=edges, cut=True, why=why)


def merged(graph: StateGraph, keys: Sequence[Hashable]) -> StateGraph:
    """Return the graph in which nodes are one that have the same key.

    An arrow is there if and only if one of the states that its source stands for has a step to one of those
    that its target stands for.
    """
    groups: dict[Hashable, list[StateNode]] = {}
    for node, key in zip(graph.nodes, keys, strict=True):
        groups.setdefault(key, []).append(node)
    number_of = {
        node.number: number for number, some in enumerate(groups.values()) for node in some
    }
    steps: dict[tuple[int, int], dict[JointAction, None]] = {}
    for edge in graph.edges:
        ends = (number_of[edge.source], number_of[edge.target])
        steps.setdefault(ends, {}).update(dict.fromkeys(edge.actions))
    nodes = tuple(_one_of(number, some) for number, some in enumerate(groups.values()))
    edges = tuple(StepEdge(*ends, tuple(actions)) for ends, actions in steps.items())
    return replace(graph, nodes=nodes, edges=edges)


def _one_of(number: int, some: list[StateNode]) -> StateNode:
    """Return one node for several."""
    held = [set(node.propositions) for node in some]
    always = set.intersection(*held)
    names = dict.fromkeys(name for node in some for name in node.propositions)
    return StateNode(
        number,
        some[0].state,
        any(node.initial for node in some),
        tuple(name for name in names if name in always),
        all(node.stuck for node in some),
        _together(node.beyond for node in some),
        tuple(name for name in names if name not in always),
        tuple(node.state for node in some),
    )


def _together(parts: Iterable[tuple[JointAction, ...] | None]) -> tuple[JointAction, ...] | None:
    """Return all joint actions of some nodes; None where those of one are not known."""
    found: dict[JointAction, None] = {}
    for part in parts:
        if part is None:
            return None
        found.update(dict.fromkeys(part))
    return tuple(found)


def look_classes(system: System, nodes: Iterable[StateNode], agent: str) -> Iterator[list[int]]:
    """Yield the numbers of nodes in groups of which some states look the same to the agent."""
    groups: dict[State, dict[int, None]] = {}
    for node in nodes:
        for state in node.states:
            seen = view(system, system.agent(agent), state)
            groups.setdefault(seen, {})[node.number] = None
    for group in groups.values():
        yield list(group)


def action_label(actions: JointAction) -> str:
    """Return a joint action in the order of the agents, those that only idle left out."""
    return ", ".join(action for action in actions if action != IDLE) or IDLE
