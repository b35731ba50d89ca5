"""Reachable states as a graph: nodes, steps and what looks the same, as data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.step import NO_LIMIT, JointAction, State, initial_states, moves, view
from gnomon.model.system import System
from gnomon.results.projection import PictureStyle, is_shown, propositions_in


@dataclass(frozen=True, slots=True)
class StateNode:
    """A state: its number, whether it is initial, and the propositions that hold in it.

    Where only some agents are shown, it stands for all states that agree on their variables: `states` has
    them, `propositions` are those that hold in all of them, `sometimes` those that hold in some.
    """

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


@dataclass(frozen=True, slots=True)
class StateGraph:
    """States and steps; where `cut`, there may be more than these: `why` tells what was in the way.

    Where something else was in the way of looking at all steps of these states, `unlooked` tells that.
    `watching` are the agents of whom it is told what they cannot tell apart.
    """

    system: System
    nodes: tuple[StateNode, ...]
    edges: tuple[StepEdge, ...]
    watching: tuple[str, ...] = ()
    cut: bool = False
    why: str = ""
    unlooked: str = ""
    style: PictureStyle = PictureStyle()

    @property
    def states(self) -> int:
        """Return how many states there are in all nodes."""
        return sum(len(node.states) for node in self.nodes)

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


#: Why a graph is cut that has as many states as it may have.
MORE: Final = "there are more"


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
    search = _BreadthFirst(system, limit, budget)
    unlooked = ""
    try:
        search.run()
    except LimitReached as reached:
        unlooked = str(reached)
    # Who ran out of time has not seen whether there are more states, unless that was seen before.
    why, unlooked = (search.why, unlooked) if search.why else (unlooked, "")
    nodes = tuple(
        StateNode(
            number,
            state,
            number < search.initial,
            search.propositions[number],
            number in search.stuck,
            search.beyond.get(number),
            states=(state,),
        )
        for state, number in search.order.items()
    )
    edges = tuple(
        StepEdge(source, target, tuple(acts)) for (source, target), acts in search.steps.items()
    )
    agents = tuple(dict.fromkeys(watching))
    graph = StateGraph(system, nodes, edges, agents, bool(why), why, unlooked, style)
    return graph if style.agents is None else _merged(graph)


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


class _BreadthFirst:
    """States by number in the order in which they were found, and the steps among them."""

    def __init__(self, system: System, limit: int, budget: Budget) -> None:
        self.system = system
        self.limit = limit
        self.budget = budget
        self.order: dict[State, int] = {}
        self.initial = 0
        #: What holds in each of them; found with them, since it takes time.
        self.propositions: list[tuple[str, ...]] = []
        self.steps: dict[tuple[int, int], dict[JointAction, None]] = {}
        #: The numbers of states that no step leaves.
        self.stuck: set[int] = set()
        #: What leads to states that are not there, for every state all of whose steps were looked at.
        self.beyond: dict[int, tuple[JointAction, ...]] = {}
        #: What was left out.
        self.why = ""

    def run(self) -> None:
        """Look for states until there are no more, or too many."""
        for state in initial_states(self.system, self.budget):
            if len(self.order) >= self.limit:
                self.why = MORE
                break
            self._add(state)
            self.initial = len(self.order)
        waiting = list(self.order)
        for state in waiting:  # it grows while we go
            number = self.order[state]
            beyond: dict[JointAction, None] = {}
            is_stuck = True
            for move in moves(self.system, state, self.budget):
                if move.target is None:
                    continue
                is_stuck = False
                if move.target not in self.order:
                    if not self._is_drawn(move.target):
                        beyond[move.actions] = None
                        continue
                    self._add(move.target)
                    waiting.append(move.target)
                step = (number, self.order[move.target])
                self.steps.setdefault(step, {})[move.actions] = None
            self.beyond[number] = tuple(beyond)
            if is_stuck:
                self.stuck.add(number)

    def _add(self, state: State) -> None:
        self.order[state] = len(self.order)
        self.propositions.append(tuple(propositions_in(self.system, state)))

    def _is_drawn(self, state: State) -> bool:
        """Return whether there is room for one more state, and say where there is none."""
        if len(self.order) >= self.limit:
            self.why = MORE
            return False
        if _is_long(state):
            self.why = "further numbers have more than 30,000 digits"
            return False
        return True


#: States with longer integers (30,000 digits) are not drawn: nobody could read them.
_LONGEST = 100_000


def _is_long(state: State) -> bool:
    return any(isinstance(value, int) and value.bit_length() > _LONGEST for value in state)


def _merged(graph: StateGraph) -> StateGraph:
    """Return the graph in which states are one that agree on all variables that are shown."""
    system, agents = graph.system, graph.style.agents
    shown = [i for i, variable in enumerate(system.variables) if is_shown(variable.agent, agents)]
    groups: dict[tuple[object, ...], list[StateNode]] = {}
    for node in graph.nodes:
        # `True` and `1` are equal in Python, but never values of one variable.
        groups.setdefault(tuple(node.state[index] for index in shown), []).append(node)
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
