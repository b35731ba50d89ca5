"""Reachable states and evidence as graphs: nodes, steps and links of knowledge, as data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from gnomon.model.agent import IDLE
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence, Explanation, Run, Step
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


def evidence_graph(system: System, evidence: Evidence) -> Graph:
    """Return the runs of a piece of evidence joined at their common states."""
    drawing = _Drawing(system)
    if evidence.explanation is not None:
        drawing.add(evidence.explanation, None)
    return drawing.graph()


class _Drawing:
    """A graph in the making: states are nodes, runs are edges, knowledge is links."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.order: dict[State, int] = {}
        self.initial: set[int] = set()
        self.steps: dict[tuple[int, int], dict[JointAction, None]] = {}
        self.links: dict[Link, None] = {}

    def add(self, explanation: Explanation, here: State | None) -> None:
        """Draw an explanation that speaks of the state `here` (None: of an initial state)."""
        run = explanation.run
        if run is not None:
            self._add_run(run)
            # Only a run from an initial state starts there: the outermost, and those of knowledge.
            if here is None or explanation.relation in {"knowledge", "norm"}:
                self.initial.add(self._number(run.steps[0].state))
            if explanation.relation == "knowledge" and here is not None:
                ends = self._number(here), self._number(run.steps[-1].state)
                self.links[Link(*ends, explanation.agents)] = None
        for branch in explanation.branches:
            state = run.steps[branch.position].state if run is not None else here
            self.add(branch.because, state)

    def _number(self, state: State) -> int:
        return self.order.setdefault(state, len(self.order))

    def _add_run(self, run: Run) -> None:
        for before, after in pairwise(run.steps):
            self._add_step(before.state, after)
        self._number(run.steps[0].state)
        if run.loop is not None and run.back is not None:
            target = run.steps[run.loop].state
            self._add_step(run.steps[-1].state, Step(target, run.back.actions, run.back.lines))

    def _add_step(self, before: State, after: Step) -> None:
        pair = (self._number(before), self._number(after.state))
        actions = self.steps.setdefault(pair, {})
        if after.actions is not None:
            actions[after.actions] = None

    def graph(self) -> Graph:
        nodes = tuple(
            _node(self.system, number, state, initial=number in self.initial)
            for state, number in self.order.items()
        )
        edges = tuple(Edge(*pair, tuple(actions)) for pair, actions in self.steps.items())
        return Graph(self.system, nodes, edges, tuple(self.links))


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
