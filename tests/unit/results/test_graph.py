import json
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.model.budget import Budget
from gnomon.model.builder import SystemDraft
from gnomon.model.step import State, initial_states, successors, view
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import MORE, reachable_graph
from gnomon.results.projection import PictureStyle
from gnomon.results.render.graph import dot, mermaid, svg, tikz
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
    graph = reachable_graph(samples.system(), watching=["Receiver"])

    assert len(graph.links) == len(graph.nodes) - 3  # nothing, zero, one


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
    text = svg.render(reachable_graph(samples.system(), watching=["Sender", "Receiver"]))

    assert len(ET.fromstring(text).findall(".//{*}g[@class='node initial']")) == 2


def test_tikz(snapshot: SnapshotAssertion) -> None:
    assert tikz.render(reachable_graph(samples.system(), 3, ["Sender"])) == snapshot


@pytest.mark.parametrize("agents", [("Sender",), ("Sender", "Receiver"), ()])
def test_states_that_agree_on_what_is_shown_are_one(agents: tuple[str, ...]) -> None:
    system = samples.system()
    whole = reachable_graph(system)
    some = reachable_graph(system, style=PictureStyle(agents))
    shown = [i for i, variable in enumerate(system.variables) if variable.agent in agents]

    def key(state: State) -> State:
        return tuple(state[index] for index in shown)

    wanted = {
        (key(whole.nodes[edge.source].state), key(whole.nodes[edge.target].state), actions)
        for edge in whole.edges
        for actions in edge.actions
    }
    found = {
        (key(some.nodes[edge.source].state), key(some.nodes[edge.target].state), actions)
        for edge in some.edges
        for actions in edge.actions
    }

    assert wanted == found
    assert len(some.nodes) == len({key(node.state) for node in whole.nodes})
    assert some.states == len(whole.nodes)
    assert "one for all that agree" in " ".join(state_diagram(some).notes)


def test_a_proposition_that_holds_in_some_states_of_a_box_says_so() -> None:
    graph = reachable_graph(samples.system(), style=PictureStyle(("Sender",)))
    lines = [line for node in state_diagram(graph).nodes for line in node.lines]

    assert "⊨ received?" in lines
    assert "p?: holds in some of the states of a box" in state_diagram(graph).notes


def test_a_state_without_a_step_is_marked_unless_it_was_not_looked_at() -> None:
    builder = SystemDraft("stop")
    agent = builder.agent("P", actions=["go"])
    x = agent.integer("x", 0, 2)
    agent.may("go", when=x < 2)
    agent.evolve({x: x + 1}, when=x < 2)
    system = builder.finished(initial=x == 0)

    assert [node.stuck for node in reachable_graph(system).nodes] == [False, False, True]
    assert [node.stuck for node in reachable_graph(system, 2).nodes] == [False, False]


@pytest.mark.parametrize("looks", range(12))
def test_what_was_in_the_way_of_states_is_told_apart_from_what_was_in_the_way_of_steps(
    looks: int,
) -> None:
    graph = reachable_graph(samples.system(), 6, budget=Budget(report=samples.Looks(looks)))
    whole = reachable_graph(samples.system(), 6)

    if len(graph.nodes) < 6:
        assert (graph.why, graph.unlooked) == ("that was the last look", "")
    elif graph.why == MORE:
        assert (graph.unlooked != "") == any(node.beyond is None for node in graph.nodes)
    complete = {node.number for node in graph.nodes if not node.has_more_steps}
    assert {edge for edge in whole.edges if edge.source in complete} <= set(graph.edges)


@pytest.mark.parametrize("looks", range(12))
def test_json_tells_of_which_states_steps_are_missing(looks: int) -> None:
    whole = reachable_graph(samples.system())
    part = graph_json.render_part(
        reachable_graph(samples.system(), 6), Budget(report=samples.Looks(looks))
    )
    value = validate("graph", part.text)
    found = {(step["source"], step["target"]) for step in value["steps"]}
    all_steps = {(edge.source, edge.target) for edge in whole.edges if edge.source < part.states}

    assert set(value["incomplete"]) == {source for source, _ in all_steps - found}
    assert json.loads(graph_json.render(whole))["incomplete"] == []


def test_what_is_the_same_everywhere_is_said_once_unless_all_is_wanted() -> None:
    few = reachable_graph(samples.system(), 2)
    one = SystemDraft("one")
    agent = one.agent("P", actions=["go"])
    x, fixed = agent.boolean("x"), agent.boolean("fixed")
    agent.may("go", when=fixed)
    agent.evolve({x: ~x})
    whole = reachable_graph(one.finished(initial=~x & fixed))
    full = reachable_graph(samples.system(), 2, style=PictureStyle(full_states=True))

    # Beyond the cut it may be otherwise.
    notes = " ".join(state_diagram(few).notes)
    assert "in all states shown: Environment.channel = up" in notes
    assert "everywhere" not in notes
    assert "everywhere: P.fixed = true" in state_diagram(whole).notes
    assert state_diagram(few).nodes[0].lines[0] == "Sender: bit=false"
    assert "Environment: channel=up" not in state_diagram(few).nodes[0].lines
    assert "Environment: channel=up" in state_diagram(full).nodes[0].lines


def test_what_matters_only_outside_the_picture_is_said() -> None:
    graph = reachable_graph(samples.system(), 3)
    diagram = state_diagram(graph)

    assert graph.nodes[0].beyond  # `fail` leads out of the picture
    assert "… more steps" in diagram.nodes[0].lines
    assert all(line.text != "any" for edge in diagram.edges for line in edge.label)
    assert any("work" in line.text for edge in diagram.edges for line in edge.label)


def test_boxes_have_the_same_name_where_some_of_their_states_look_the_same() -> None:
    system = samples.system()
    graph = reachable_graph(system, watching=["Receiver"], style=PictureStyle(("Sender",)))
    nodes = state_diagram(graph).nodes
    receiver = system.agent("Receiver")
    seen = [{view(system, receiver, state) for state in node.states} for node in graph.nodes]

    for one, left in zip(nodes, seen, strict=True):
        for other, right in zip(nodes, seen, strict=True):
            if one != other:
                assert bool(set(one.looks) & set(other.looks)) == bool(left & right)
