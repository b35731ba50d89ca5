"""Pictures of a model: its reachable states, folded where there are too many, and who reads whom."""

from collections.abc import Mapping
from typing import Final

from gnomon.results.data import Object
from gnomon.results.drawing.diagram import BoxDiagram
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import StateGraph
from gnomon.workbench.bench import Bench, BenchModel, Handler, digest
from gnomon.workbench.drawing_data import BoxFacts, counted, drawing_data
from gnomon.workbench.failure import bad_request
from gnomon.workbench.folding import GraphFound, graph_found
from gnomon.workbench.parameters import Parameters, read_state, state_data
from gnomon.workbench.reads import reads_diagram

#: What a graph depends on, of all that comes with a request.
_ASKED: Final = "fold agents propositions agent state radius watching limit".split()
_MOST_STATES: Final = 10_000


def graph_of(bench: Bench, params: Parameters) -> tuple[GraphFound, BoxDiagram]:
    """Return the graph that a request asks for, and its diagram."""
    found = _found(bench, params)
    return found, state_diagram(found.graph, bench.budget)


def _found(bench: Bench, params: Parameters, *, drawn: bool = False) -> GraphFound:
    """Return the graph that a request asks for; the last one of a model is remembered.

    Where it was `drawn`, numbers are those of that picture. Else it is made again unless all is in it that
    may be: what was folded on sets for want of time says less than what is listed.
    """
    model, system = bench.walkable(params)
    asked = digest(*((name, params.raw(name)) for name in _ASKED))
    known: tuple[str, GraphFound] | None = model.remembered.get(GraphFound)
    if known is not None and known[0] == asked and (drawn or _is_whole(model, known[1])):
        return known[1]
    found = graph_found(model, system, params, bench.budget)
    if not drawn or _is_whole(model, found):
        model.remembered[GraphFound] = (asked, found)
    return found


def _is_whole(model: BenchModel, found: GraphFound) -> bool:
    return found.complete and (found.key is None or StateGraph in model.remembered)


def _boxes(bench: Bench, params: Parameters) -> Object:
    """Say in which boxes of a picture some states are."""
    _, system = bench.walkable(params)
    given = params.raw("states")
    if not isinstance(given, list) or len(given) > _MOST_STATES:
        raise bad_request(f"`states` is a list of at most {_MOST_STATES:,} states")
    states = [read_state(each, system) for each in given]
    return {"boxes": _found(bench, params, drawn=True).boxes(states)}


def _graph(bench: Bench, params: Parameters) -> Object:
    found, diagram = graph_of(bench, params)
    graph = found.graph
    facts = {
        node.number: BoxFacts(
            state_data(node.state, graph.system), counted(node.size), initial=node.initial
        )
        for node in graph.nodes
    }
    cut = graph.cut or bool(graph.unlooked)
    return {
        "drawing": drawing_data(diagram, bench.budget, facts, graph.links, cut=cut),
        "states": counted(found.states),
        "complete": found.complete,
        "seconds": round(bench.budget.spent(), 3),
    }


def _reads(bench: Bench, params: Parameters) -> Object:
    diagram = reads_diagram(bench.model(params))
    facts = {node.number: BoxFacts(name=node.title) for node in diagram.nodes}
    return {"drawing": drawing_data(diagram, bench.budget, facts)}


HANDLERS: Final[Mapping[str, Handler]] = {
    "model/graph": _graph,
    "model/boxes": _boxes,
    "model/reads": _reads,
}
