"""Reachable states and evidence as graphs: nodes, steps and links of knowledge, as data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import show_value
from gnomon.model.step import NO_LIMIT, JointAction, State, initial_states, moves, view
from gnomon.model.system import System
from gnomon.results.projection import propositions_in


@dataclass(frozen=True, slots=True)
class StateNode:
    """A state: its number, whether it is initial, and the propositions that hold in it."""

    number: int
    state: State
    initial: bool = False
    propositions: tuple[str, ...] = ()


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
class StateGraph:
    """States, steps and links; where `cut`, there may be more than these: `why` tells what was in the way."""

    system: System
    nodes: tuple[StateNode, ...]
    edges: tuple[StepEdge, ...]
    links: tuple[LookAlike, ...] = ()
    cut: bool = False
    why: str = ""


#: Why a graph is cut that has as many states as it may have.
MORE: Final = "there are more"


def reachable_graph(
    system: System, limit: int = 200, agents: Iterable[str] = (), budget: Budget = NO_LIMIT
) -> StateGraph:
    """Return the states found first, breadth first, at most `limit`, with the steps among them.

    Where the budget ends first, it is what was found until then.
    """
    search = _BreadthFirst(system, limit, budget)
    try:
        search.run()
        why = search.why
    except LimitReached as reached:
        why = str(reached)
    nodes = tuple(
        _node(system, number, state, initial=number < search.initial)
        for state, number in search.order.items()
    )
    edges = tuple(
        StepEdge(source, target, tuple(acts)) for (source, target), acts in search.steps.items()
    )
    links = tuple(link for agent in agents for link in knowledge_links(system, nodes, agent))
    return StateGraph(system, nodes, edges, links, bool(why), why)


class _BreadthFirst:
    """States by number in the order in which they were found, and the steps among them."""

    def __init__(self, system: System, limit: int, budget: Budget) -> None:
        self.system = system
        self.limit = limit
        self.budget = budget
        self.order: dict[State, int] = {}
        self.initial = 0
        self.steps: dict[tuple[int, int], dict[JointAction, None]] = {}
        #: What was left out.
        self.why = ""

    def run(self) -> None:
        """Look for states until there are no more, or too many."""
        for state in initial_states(self.system, self.budget):
            if len(self.order) >= self.limit:
                self.why = MORE
                break
            self.order[state] = len(self.order)
            self.initial = len(self.order)
        waiting = list(self.order)
        for state in waiting:  # it grows while we go
            for move in moves(self.system, state, self.budget):
                if move.target is None:
                    continue
                if move.target not in self.order:
                    if len(self.order) >= self.limit:
                        self.why = MORE
                        continue
                    if _is_long(move.target):
                        self.why = "further numbers have more than 30,000 digits"
                        continue
                    self.order[move.target] = len(self.order)
                    waiting.append(move.target)
                step = (self.order[state], self.order[move.target])
                self.steps.setdefault(step, {})[move.actions] = None


#: States with longer integers (30,000 digits) are not drawn: nobody could read them.
_LONGEST = 100_000


def _is_long(state: State) -> bool:
    return any(isinstance(value, int) and value.bit_length() > _LONGEST for value in state)


def _node(system: System, number: int, state: State, *, initial: bool) -> StateNode:
    return StateNode(number, state, initial, tuple(propositions_in(system, state)))


def classes(system: System, nodes: Iterable[StateNode], agent: str) -> list[list[StateNode]]:
    """Return the nodes in groups that look the same to the agent."""
    groups: dict[State, list[StateNode]] = {}
    for node in nodes:
        groups.setdefault(view(system, system.agent(agent), node.state), []).append(node)
    return list(groups.values())


def knowledge_links(system: System, nodes: Iterable[StateNode], agent: str) -> Iterator[LookAlike]:
    """Yield a chain through each class: to look the same is transitive, so a chain says it all."""
    for group in classes(system, nodes, agent):
        for left, right in pairwise(group):
            yield LookAlike(left.number, right.number, (agent,))


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


def node_lines(graph: StateGraph, node: StateNode) -> list[str]:
    """Return what is written in a node: its number, its values and what holds."""
    lines = [str(node.number), *state_lines(graph.system, node.state)]
    return [*lines, "⊨ " + ", ".join(node.propositions)] if node.propositions else lines


def action_label(actions: JointAction) -> str:
    """Return a joint action in the order of the agents, those that only idle left out."""
    return ", ".join(action for action in actions if action != IDLE) or IDLE


def edge_labels(edge: StepEdge, most: int = 3) -> list[str]:
    """Return the labels of an edge, with a word about those there is no room for."""
    labels = [action_label(actions) for actions in edge.actions]
    if len(labels) <= most:
        return labels
    return [*labels[: most - 1], f"… {len(labels) - most + 1} more"]
