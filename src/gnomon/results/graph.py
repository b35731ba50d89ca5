"""Reachable states and evidence as graphs: nodes, steps and links of knowledge, as data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from gnomon.model.agent import IDLE
from gnomon.model.domain import show_value
from gnomon.model.step import JointAction, State, holds, initial_states, moves, view
from gnomon.model.system import System


@dataclass(frozen=True, slots=True)
class Node:
    """A state: its number, whether it is initial, and the propositions that hold in it."""

    number: int
    state: State
    initial: bool = False
    propositions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """The joint actions that lead from one node to another."""

    source: int
    target: int
    actions: tuple[JointAction, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Two nodes that look the same to some agents."""

    left: int
    right: int
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """States, steps and links; where `cut`, there are more states than these."""

    system: System
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    links: tuple[Link, ...] = ()
    cut: bool = False


def reachable_graph(system: System, limit: int = 200, agents: Iterable[str] = ()) -> Graph:
    """Return the states found first, breadth first, at most `limit`, with the steps among them."""
    first = list(islice(initial_states(system), limit + 1))
    order = {state: number for number, state in enumerate(first[:limit])}
    steps: dict[tuple[int, int], dict[JointAction, None]] = {}
    cut = len(first) > limit
    waiting = list(order)
    for state in waiting:  # it grows while we go
        for move in moves(system, state):
            if move.target is None:
                continue
            if move.target not in order:
                if len(order) >= limit:
                    cut = True
                    continue
                order[move.target] = len(order)
                waiting.append(move.target)
            steps.setdefault((order[state], order[move.target]), {})[move.actions] = None
    nodes = tuple(
        _node(system, number, state, initial=number < len(first)) for state, number in order.items()
    )
    edges = tuple(Edge(source, target, tuple(acts)) for (source, target), acts in steps.items())
    links = tuple(link for agent in agents for link in knowledge_links(system, nodes, agent))
    return Graph(system, nodes, edges, links, cut)


def _node(system: System, number: int, state: State, *, initial: bool) -> Node:
    true = (name for name, what in system.propositions.items() if holds(what, system, state))
    return Node(number, state, initial, tuple(true))


def classes(system: System, nodes: Iterable[Node], agent: str) -> list[list[Node]]:
    """Return the nodes in groups that look the same to the agent."""
    groups: dict[State, list[Node]] = {}
    for node in nodes:
        groups.setdefault(view(system, system.agent(agent), node.state), []).append(node)
    return list(groups.values())


def knowledge_links(system: System, nodes: Iterable[Node], agent: str) -> Iterator[Link]:
    """Yield a chain through each class: to look the same is transitive, so a chain says it all."""
    for group in classes(system, nodes, agent):
        for left, right in pairwise(group):
            yield Link(left.number, right.number, (agent,))


def state_lines(system: System, state: State) -> list[str]:
    """Return the values of a state, one line an agent that has variables."""
    lines = []
    for agent in system.agents:
        values = [
            f"{variable.name}={show_value(state[system.position[agent.name, variable.name]])}"
            for variable in agent.variables
        ]
        if values:
            lines.append(f"{agent.name}: {' '.join(values)}")
    return lines


def action_label(actions: JointAction) -> str:
    """Return a joint action in the order of the agents, those that only idle left out."""
    return ", ".join(action for action in actions if action != IDLE) or IDLE


def edge_labels(edge: Edge, most: int = 3) -> list[str]:
    """Return the labels of an edge, with a word about those there is no room for."""
    labels = [action_label(actions) for actions in edge.actions]
    if len(labels) <= most:
        return labels
    return [*labels[: most - 1], f"… {len(labels) - most + 1} more"]
