"""Reachable states as a graph that is small enough to be looked at: as they are, near a state, or folded.

States are listed one by one. Where there are too many for that, those that are one box are found on sets, by
an engine; where that is too much as well, the picture is of the states that were listed, and says so.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.checking.folded import (
    ByBisimulation,
    ByPropositions,
    ByVariables,
    ByView,
    FoldedStates,
    FoldKey,
    fold_states,
    fold_value,
)
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import size_of
from gnomon.model.step import State, view
from gnomon.model.system import System
from gnomon.results.graph import (
    MORE,
    StateGraph,
    StateNode,
    StepEdge,
    first_states,
    merged,
    nearby_graph,
    reachable_graph,
)
from gnomon.results.projection import PictureStyle
from gnomon.workbench.bench import BenchModel
from gnomon.workbench.bisimulation import bisimulation_classes
from gnomon.workbench.box_meaning import box_meaning
from gnomon.workbench.failure import bad_request
from gnomon.workbench.parameters import Parameters

_FOLDS: Final = ("none", "agents", "propositions", "view", "bisimulation", "distance")
_BOXES: Final = 200
_MOST_BOXES: Final = 500
#: A picture with more arrows than these is one of fewer boxes.
_MOST_ARROWS: Final = 3_000
_MOST_RADIUS: Final = 50
#: So many states are listed before they are folded, in so many seconds or a third of what there is.
_LISTED: Final = 20_000
_SECONDS: Final = 3.0
#: The part of what is left that is for sets of states.
_SETS: Final = 0.6


class GraphFound(NamedTuple):
    """A graph that can be drawn, how many states were found, and whether these are all.

    Where it was folded on sets, `key` says what the states of a box have in common.
    """

    graph: StateGraph
    states: int
    complete: bool
    key: "FoldKey | None" = None

    def boxes(self, states: Iterable[State]) -> list[int | None]:
        """Return the box that each of some states is in; None where it is in none, or that is not known."""
        system, key = self.graph.system, self.key
        if key is None or isinstance(key, ByBisimulation):
            known = {state: node.number for node in self.graph.nodes for state in node.states}
            return [known.get(state) for state in states]
        values = {fold_value(system, key, node.state): node.number for node in self.graph.nodes}
        return [values.get(fold_value(system, key, state)) for state in states]


def graph_found(
    model: BenchModel, system: System, params: Parameters, budget: Budget
) -> GraphFound:
    """Return the graph that a request asks for."""
    fold = params.text("fold")
    if fold not in _FOLDS:
        raise bad_request(f"`fold` is one of {', '.join(_FOLDS)}")
    limit = min(max(1, params.number("limit", _BOXES)), _MOST_BOXES)
    watching = _agents(params, "watching", system)
    if fold == "none":
        listed = reachable_graph(system, limit, watching, _patience(budget))
        return _drawable(listed, limit, listed.states)
    if fold == "distance":
        return _nearby(system, params, limit, watching, budget)
    key = _key(fold, params, system)
    listed = replace(_listed(model, system, budget), watching=watching)
    if listed.cut and all(size_of(each.domain) is not None for each in system.variables):
        try:
            found = fold_states(system, key, limit, budget.share(_SETS))
        except LimitReached:
            pass  # the picture of a part says that it is one
        else:
            return _on_sets(system, key, found)
    return _drawable(_folded(listed, key, budget), limit, listed.states)


def _agents(params: Parameters, name: str, system: System) -> tuple[str, ...]:
    known = [agent.name for agent in system.agents if not agent.observer]
    for each in params.texts(name):
        if each not in known:
            raise bad_request(f"`{name}`: there is no agent `{each}`")
    return tuple(dict.fromkeys(params.texts(name)))


def _propositions(params: Parameters, system: System) -> tuple[str, ...]:
    """Return the propositions that are asked for; all where nothing is said of them."""
    if not params.has("propositions"):
        return tuple(system.propositions)
    given = params.texts("propositions")
    for each in given:
        if each not in system.propositions:
            raise bad_request(f"`propositions`: there is no proposition `{each}`")
    return tuple(name for name in system.propositions if name in given)


def _key(fold: str, params: Parameters, system: System) -> FoldKey:
    if fold == "propositions":
        return ByPropositions(_propositions(params, system))
    if fold == "bisimulation":
        return ByBisimulation(_propositions(params, system))
    if fold == "agents":
        agents = _agents(params, "agents", system)
        if not agents:
            raise bad_request("`agents` names at least one agent")
        return ByVariables(agents)
    agent = params.text("agent")
    if agent not in system.agent_index or system.agent(agent).observer:
        raise bad_request(f"`agent`: there is no agent `{agent}`")
    return ByView(agent)


def _patience(budget: Budget) -> Budget:
    """Return the limits of a list of states: the rest of the time is for the picture."""
    return Budget(_SECONDS, within=budget.share(1 / 3))


def _listed(model: BenchModel, system: System, budget: Budget) -> StateGraph:
    """Return the first states; they are remembered unless there was less time for them than there may be."""
    known: StateGraph | None = model.remembered.get(StateGraph)
    if known is None:
        patience = _patience(budget)
        known = reachable_graph(system, _LISTED, budget=patience)
        if (known.why in ("", MORE) and not known.unlooked) or patience.spent() >= _SECONDS:
            model.remembered[StateGraph] = known
    return known


def _nearby(
    system: System, params: Parameters, limit: int, watching: Iterable[str], budget: Budget
) -> GraphFound:
    state, radius = params.state("state", system), params.number("radius", 2)
    if radius > _MOST_RADIUS:
        raise bad_request(f"`radius` is a whole number from 0 to {_MOST_RADIUS}")
    graph = nearby_graph(system, state, radius, limit, watching, _patience(budget))
    steps = f"{radius} step{'' if radius == 1 else 's'}"
    graph = replace(graph, meaning=f"at most {steps} from state 0, where the picture starts")
    return _drawable(graph, limit, graph.states)


# Folding what was listed


def _folded(listed: StateGraph, key: FoldKey, budget: Budget) -> StateGraph:
    """Return the graph of the states that were listed, one node for all that have the same key."""
    system = listed.system
    if isinstance(key, ByVariables):
        values = _values(system, key.agents)
        shown = replace(listed, style=PictureStyle(agents=key.agents))
        return merged(shown, [tuple(node.state[i] for i in values) for node in listed.nodes])
    graph = merged(listed, _keys(listed, key, budget))
    if not isinstance(key, ByView):
        graph = replace(graph, nodes=tuple(_only(node, key.names) for node in graph.nodes))
    return replace(graph, told=_determined(graph), meaning=box_meaning(graph, key, cut=listed.cut))


def _values(system: System, agents: Sequence[str]) -> list[int]:
    return [index for index, each in enumerate(system.variables) if each.agent in agents]


def _keys(
    listed: StateGraph, key: ByPropositions | ByView | ByBisimulation, budget: Budget
) -> Sequence[Hashable]:
    system = listed.system
    if isinstance(key, ByView):
        agent = system.agent(key.agent)
        return [view(system, agent, node.state) for node in listed.nodes]
    labels = [frozenset(node.propositions).intersection(key.names) for node in listed.nodes]
    if isinstance(key, ByPropositions):
        return labels
    following: list[list[int]] = [[] for _ in listed.nodes]
    for edge in listed.edges:
        following[edge.source].append(edge.target)
    return bisimulation_classes(labels, following, budget)


def _only(node: StateNode, names: Sequence[str]) -> StateNode:
    """Return a node of which no other propositions are told."""
    return replace(
        node,
        propositions=tuple(name for name in node.propositions if name in names),
        sometimes=tuple(name for name in node.sometimes if name in names),
    )


def _determined(graph: StateGraph) -> frozenset[int]:
    """Return the places of variables on which all states of every node agree."""
    agreed = set(range(len(graph.system.variables)))
    for node in graph.nodes:
        first = node.state
        for state in node.states:
            agreed = {index for index in agreed if state[index] == first[index]}
    return frozenset(agreed)


# What was folded on sets


def _on_sets(system: System, key: FoldKey, found: FoldedStates) -> GraphFound:
    told: frozenset[int] = frozenset()
    style = PictureStyle()
    match key:
        case ByVariables(agents):
            told, style = frozenset(_values(system, agents)), PictureStyle(agents=agents)
        case ByView(agent):
            told = _seen(system, agent)
        case _:
            pass
    nodes = tuple(
        StateNode(
            number,
            each.state,
            each.initial,
            each.always,
            each.stuck,
            # Where there are more boxes, nobody looked which of these lead to them.
            None if found.cut else (),
            each.sometimes,
            (each.state,),
            each.states,
        )
        for number, each in enumerate(found.classes)
    )
    if isinstance(key, ByPropositions | ByBisimulation):
        nodes = tuple(_only(node, key.names) for node in nodes)
    edges = tuple(StepEdge(source, target, ()) for source, target in found.steps)
    graph = StateGraph(system, nodes, edges, cut=found.cut, style=style, told=told)
    if found.cut:
        graph = replace(graph, why=f"there are more than {len(nodes):,} boxes")
    said = "found on sets of states: what is done in the steps, and who sees what, is left out"
    if not isinstance(key, ByVariables):  # the style tells that
        said = f"{box_meaning(graph, key, cut=False)}; {said}"
    graph = replace(graph, meaning=said)
    return _drawable(graph, len(nodes), found.states)._replace(key=key)


def _seen(system: System, name: str) -> frozenset[int]:
    agent = system.agent(name)
    own = {system.position[name, variable.name] for variable in agent.variables}
    return frozenset(own | {system.position[system.environment.name, n] for n in agent.sees})


# What can be drawn


def _drawable(graph: StateGraph, limit: int, states: int) -> GraphFound:
    """Return the first boxes of a graph, so many that there are not too many arrows either."""
    room = min(limit, _room(graph))
    complete = not graph.cut and not graph.unlooked
    if len(graph.nodes) <= room:
        outside = graph.start is not None and any(node.has_more_steps for node in graph.nodes)
        return GraphFound(graph, states, complete and not outside)
    why = f"there are more than {room:,} boxes"
    if room < limit:
        why = f"with more than {room:,} boxes there are more than {_MOST_ARROWS:,} arrows"
    if graph.cut:
        why += f", and more than the {states:,} states that were listed"
    return GraphFound(first_states(graph, room, why), states, complete=False)


def _room(graph: StateGraph) -> int:
    """Return how many of the first boxes have no more arrows among them than can be drawn; one at least."""
    if len(graph.edges) <= _MOST_ARROWS:
        return len(graph.nodes)
    ends = sorted(max(edge.source, edge.target) for edge in graph.edges)
    return max(1, ends[_MOST_ARROWS])
