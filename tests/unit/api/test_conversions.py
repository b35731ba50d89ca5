"""What is found as values of other libraries, where these are at hand."""

import subprocess
import sys
from pathlib import Path

import pytest

import gnomon
from gnomon.api import plots
from tests.support import EXAMPLES

TICKETS = str(EXAMPLES / "tickets.ispl")
MUDDY = str(EXAMPLES / "muddy_children.ispl")


@pytest.fixture(scope="module")
def table() -> gnomon.Sweep:
    return gnomon.sweep(MUDDY, {"n": "2..4"}, only=1, account=True)


def test_states_and_steps_become_a_graph_of_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    model = gnomon.load(str(EXAMPLES / "bit_transmission.ispl"))
    graph = model.graph(knowledge="Receiver").to_networkx()

    assert isinstance(graph, networkx.MultiDiGraph)
    assert model.check("AG zero").states == len(graph)
    assert 2 == sum(data["initial"] for _, data in graph.nodes(data=True))
    assert "zero" == graph.nodes[0]["state"]["Sender"]["bit"]
    assert ("zero",) == graph.nodes[0]["propositions"]
    assert {"Environment", "Sender", "Receiver"} == {
        name for _, _, data in graph.edges(data=True) for name in data["actions"]
    }
    assert graph.graph["alike"]
    assert graph.graph["cut"] is False


def test_a_graph_of_some_agents_has_their_variables_and_actions() -> None:
    pytest.importorskip("networkx")
    model = gnomon.load(str(EXAMPLES / "bit_transmission.ispl"))
    graph = model.graph(agents=["Sender"]).to_networkx()

    assert ["Sender"] == list(graph.nodes[0]["state"])
    assert model.check("AG zero").states == sum(
        data["states"] for _, data in graph.nodes(data=True)
    )


def test_results_sweeps_accounts_and_runs_become_data_frames(table: gnomon.Sweep) -> None:
    pytest.importorskip("pandas")
    result = gnomon.load(TICKETS).check("EF full", "AG full", account=True)

    assert ["true", "false"] == list(result.to_frame()["verdict"])
    assert [2, 3, 4] == list(table.to_frame()["n"])
    assert {2, 3, 4} == set(table.account_frame()["n"])
    assert "figure" in result.account_frame().columns
    trace = gnomon.load(TICKETS).simulate(5, seed=1)
    assert 6 == len(trace.to_frame())
    assert "Clerk.Action" in trace.to_frame().columns


def test_former_names_still_work(table: gnomon.Sweep) -> None:
    assert table.to_rows() == table.rows()
    assert table.to_csv() == table.csv()


@pytest.mark.parametrize("library", ["matplotlib", "altair"])
def test_a_sweep_is_plotted_by_what_is_there(
    table: gnomon.Sweep, library: plots.PlotLibrary, tmp_path: Path
) -> None:
    pytest.importorskip(library)
    plot = table.plot("states", library=library)

    assert f"<plot of reachable states by n, by {library}>" == repr(plot)
    assert plot._repr_mimebundle_()
    ending = "svg" if library == "matplotlib" else "html"
    plot.save(tmp_path / f"plot.{ending}")
    assert (tmp_path / f"plot.{ending}").stat().st_size > 1000


def test_several_constants_that_change_are_several_lines() -> None:
    pytest.importorskip("matplotlib")
    rows = [
        {"constants": {"n": n, "k": k}, "seconds": n * k, "states": None}
        for n in (1, 2, 3)
        for k in (1, 2)
    ]
    plot = plots.plot_sweep(rows, "seconds", "matplotlib")

    assert ["k = 1", "k = 2"] == [line.get_label() for line in plot.figure.axes[0].lines]
    # Where there is nothing, nothing is drawn.
    assert [] == list(plots.plot_sweep(rows, "states", "matplotlib").figure.axes[0].lines)


def test_what_cannot_be_plotted_is_refused(table: gnomon.Sweep) -> None:
    with pytest.raises(ValueError, match="there are seconds, states"):
        table.plot("time")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are matplotlib, altair"):
        table.plot(library="gnuplot")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no constant has two values"):
        gnomon.sweep(MUDDY, {"n": 2}, only=1).plot()


WITHOUT = """
import sys
for name in ("pandas", "networkx", "matplotlib", "altair"):
    sys.modules[name] = None
import gnomon
model = gnomon.load("examples/tickets.ispl")
table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..3"}, only=1)
for convert in (table.to_frame, table.plot, model.graph().to_networkx, model.check().to_frame):
    try:
        convert()
    except ImportError as error:
        print(error)
"""


def test_what_is_missing_is_named_with_what_does_without_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        capture_output=True,
        text=True,
        check=True,
        cwd=EXAMPLES.parent,
    )
    said = done.stdout.splitlines()

    assert 4 == len(said)
    assert all("gnomon[analysis]" in line for line in said)
    assert all("needs nothing" in line for line in said)


def test_none_of_them_is_imported_unasked() -> None:
    program = (
        "import gnomon, sys; m = gnomon.load('examples/tickets.ispl'); m.check(); m.graph().svg();"
        "m.walk().random(3); print([n for n in ('pandas', 'networkx', 'matplotlib', 'altair') "
        "if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=EXAMPLES.parent,
    )

    assert "[]" == done.stdout.strip()
