from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.e2e.cli import gnomon, model
from tests.unit.results.schemas import validate
from tests.unit.results.test_model import COUNTS

__all__ = ["model"]


def test_a_model_is_shown(model: str, snapshot: SnapshotAssertion) -> None:
    result = gnomon("show", model)

    assert result.exit_code == 0
    assert result.stdout == snapshot


def test_json_is_as_published(model: str) -> None:
    value = validate("show", gnomon("show", model, "--json").stdout)

    assert value["states"] == {"possible": 24, "initial": 2, "reachable": 20, "complete": True}


def test_counting_without_bound_stops_where_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "counts.ispl"
    path.write_text(COUNTS)

    assert "at least 5 (counting stopped" in gnomon("show", str(path), "--max-states", "5").stdout


def test_a_great_many_states_are_counted_exactly(tmp_path: Path) -> None:
    path = tmp_path / "large.ispl"
    path.write_text(COUNTS.replace("x : int", "x : 0..999999999999").replace("< 3", ">= 0"))

    assert "reachable  1,000,000,000,000" in gnomon("show", str(path)).stdout


def test_a_graph_in_json_is_as_published(model: str) -> None:
    value = validate("graph", gnomon("show", model, "--graph", "json").stdout)

    assert len(value["nodes"]) == 20


@pytest.mark.parametrize("form", ["dot", "mermaid", "json", "svg", "tikz"])
def test_a_cut_graph_says_so(model: str, form: str) -> None:
    result = gnomon("show", model, "--graph", form, "--limit", "4")

    assert result.exit_code == 0
    assert "cut" in result.stdout
    assert result.stderr == "cut after 4 states: there are more (--limit allows more)\n"


def test_a_picture_goes_to_a_file(model: str) -> None:
    result = gnomon("show", model, "--graph", "svg", "--knowledge", "Sender", "-o", "g.svg")

    assert (result.exit_code, result.stdout) == (0, "")
    assert ET.fromstring(Path("g.svg").read_text(encoding="utf-8")).tag.endswith("svg")


def test_only_some_agents_are_drawn(model: str) -> None:
    result = gnomon("show", model, "--graph", "json", "--agents", "Sender,Receiver")
    value = validate("graph", result.stdout)

    assert all(set(node["state"]) == {"Sender", "Receiver"} for node in value["nodes"])
    assert sum(node["states"] for node in value["nodes"]) == 20


def test_actions_can_be_left_out(model: str) -> None:
    shown = gnomon("show", model, "--graph", "mermaid", "--hide-action", "fail").stdout

    assert "work" in shown
    assert "fail" not in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--graph", "dot", "--knowledge", "Nobody"], "there are: Environment, Sender, Receiver"),
        (["--graph", "dot", "--agents", "Sendr"], "did you mean `Sender`?"),
        (["--graph", "dot", "--hide-action", "fal"], "did you mean `fail`?"),
        (["--graph", "dot", "--hide-action", "Nobody.xyz"], "nobody has such an action"),
        (["--agents", "Sender"], "goes with --graph"),
        (["--full-states"], "goes with --graph"),
        (["--knowledge", "Sender"], "goes with --graph"),
        (["--json", "--graph", "dot"], "--graph json"),
        (["--graph", "png"], "png"),
    ],
)
def test_bad_usage_is_explained(model: str, arguments: list[str], message: str) -> None:
    result = gnomon("show", model, *arguments)

    assert result.exit_code == 2
    assert message in result.stderr


def test_a_model_with_errors_is_not_shown() -> None:
    result = gnomon("show", "-", given="Agent A end")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[" in result.stderr
