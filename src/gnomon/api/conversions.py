"""What is found as values of other libraries, which are imported only when somebody asks for that."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from gnomon.model.domain import Datum
from gnomon.results.data import of_actions, of_state
from gnomon.results.graph import StateGraph

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pandas import DataFrame


def needed(library: str, what: str, instead: str) -> ModuleType:
    """Return a library, or say that it has to be installed, and what can be had without it."""
    try:
        return import_module(library)
    except ImportError:
        msg = f"{what} needs {library}: pip install 'gnomon[analysis]'; {instead} needs nothing"
        raise ImportError(msg, name=library) from None


def data_frame(rows: Sequence[Mapping[str, object]], instead: str) -> "DataFrame":
    """Return rows as a data frame of pandas; `instead` is what gives the same without it."""
    pandas = needed("pandas", "a data frame", instead)
    frame: DataFrame = pandas.DataFrame([dict(row) for row in rows])
    return frame


def networkx_graph(graph: StateGraph) -> "MultiDiGraph[int]":
    """Return states and steps as a graph of networkx: a node a state, an edge a joint action."""
    networkx = needed("networkx", "such a graph", "`dot()`")
    system, agents = graph.system, graph.style.agents
    found: MultiDiGraph[int] = networkx.MultiDiGraph(name=system.name, cut=graph.cut, why=graph.why)
    for node in graph.nodes:
        found.add_node(
            node.number,
            state=of_state(node.state, system, agents),
            initial=node.initial,
            deadlock=node.stuck,
            propositions=node.propositions,
            states=max(1, node.size),
        )
    for edge in graph.edges:
        for actions in edge.actions:
            found.add_edge(edge.source, edge.target, actions=of_actions(actions, system, agents))
    found.graph["alike"] = [(each.agent, each.nodes) for each in graph.classes]
    return found


def flat(values: Mapping[str, Mapping[str, Datum]]) -> dict[str, Datum]:
    """Return a state with names such as `Sender.bit`.

    >>> flat({"Sender": {"bit": "zero"}})
    {'Sender.bit': 'zero'}
    """
    return {
        f"{agent}.{name}": value for agent, own in values.items() for name, value in own.items()
    }


def account_rows(
    accounts: Iterable[tuple[Mapping[str, int], Mapping[str, str]]],
) -> list[dict[str, object]]:
    """Return what engines did as rows: the size, the name of the figure and its text."""
    return [
        {**size, "figure": name, "text": text}
        for size, account in accounts
        for name, text in account.items()
    ]
