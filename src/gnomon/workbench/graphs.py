"""Pictures of a model: its reachable states, folded where there are too many, and who reads whom."""

from collections.abc import Mapping
from typing import Final

from gnomon.results.data import Object
from gnomon.results.drawing.diagram import BoxDiagram
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.workbench.bench import Bench, Handler
from gnomon.workbench.drawing_data import BoxFacts, counted, drawing_data
from gnomon.workbench.folding import GraphFound, graph_found
from gnomon.workbench.parameters import Parameters, state_data
from gnomon.workbench.reads import reads_diagram


def graph_of(bench: Bench, params: Parameters) -> tuple[GraphFound, BoxDiagram]:
    """Return the graph that a request asks for, and its diagram."""
    model, system = bench.walkable(params)
    found = graph_found(model, system, params, bench.budget)
    return found, state_diagram(found.graph, bench.budget)


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


HANDLERS: Final[Mapping[str, Handler]] = {"model/graph": _graph, "model/reads": _reads}
