from itertools import pairwise
from xml.etree import ElementTree as ET

from syrupy.assertion import SnapshotAssertion

from gnomon.model.step import initial_states, successors
from gnomon.results.graph import reachable_graph
from gnomon.results.graph_layout import lay_out
from gnomon.results.render.graph import dot, mermaid, svg
from gnomon.results.render.graph import json as graph_json
from tests.unit.results import samples
from tests.unit.results.schemas import validate


def test_the_graph_has_every_reachable_state_and_step() -> None:
    graph = reachable_graph(samples.system())
    states = {node.state for node in graph.nodes}
    steps = {
        (graph.nodes[edge.source].state, graph.nodes[edge.target].state) for edge in graph.edges
    }

    assert not graph.cut
    assert {node.state for node in graph.nodes if node.initial} == set(
        initial_states(samples.system())
    )
    assert steps == {
        (state, after) for state in states for after in successors(samples.system(), state)
    }


def test_a_cut_graph_has_as_many_states_as_allowed_and_says_so() -> None:
    graph = reachable_graph(samples.system(), 5)

    assert (len(graph.nodes), graph.cut) == (5, True)
    assert all(edge.target < 5 for edge in graph.edges)


def test_a_chain_joins_all_states_that_look_the_same() -> None:
    graph = reachable_graph(samples.system(), agents=["Receiver"])

    assert len(graph.links) == len(graph.nodes) - 3  # nothing, zero, one


def test_boxes_of_a_layer_do_not_overlap() -> None:
    graph = reachable_graph(samples.system())
    layout = lay_out(graph, {node.number: (100.0, 50.0, 30.0) for node in graph.nodes})
    boxes = sorted(layout.boxes.values(), key=lambda box: (box.layer, box.x))

    assert all(
        left.layer != right.layer or left.x + left.room <= right.x + 1e-6
        for left, right in pairwise(boxes)
    )


def test_dot(snapshot: SnapshotAssertion) -> None:
    assert dot.render(reachable_graph(samples.system(), 5, ["Sender"])) == snapshot


def test_mermaid(snapshot: SnapshotAssertion) -> None:
    assert mermaid.render(reachable_graph(samples.system(), 5, ["Sender"])) == snapshot


def test_graph_json(snapshot: SnapshotAssertion) -> None:
    text = graph_json.render(reachable_graph(samples.system(), 3, ["Sender"]))
    validate("graph", text)

    assert text == snapshot


def test_svg(snapshot: SnapshotAssertion) -> None:
    text = svg.render(reachable_graph(samples.system(), 4, ["Sender"]))

    assert ET.fromstring(text).tag.endswith("svg")
    assert text == snapshot


def test_svg_of_a_loop_and_of_steps_backwards_is_well_formed() -> None:
    text = svg.render(reachable_graph(samples.system(), agents=["Sender", "Receiver"]))

    assert len(ET.fromstring(text).findall(".//{*}g[@class='node initial']")) == 2
