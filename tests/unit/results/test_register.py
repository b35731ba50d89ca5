"""The register of output formats: what it lists is there and documented, and its recipe works."""

import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

import gnomon
from gnomon.checking.verdict import Value
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.step import NO_LIMIT
from gnomon.results.formats import GRAPHS, RESULTS, VERDICTS, PartialGraphFormat, StreamedFormat
from gnomon.results.graph import reachable_graph
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.styled import Page, StyledText
from tests.support import ROOT
from tests.unit.results import samples
from tests.unit.results.schemas import validate

PAGE = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
RECIPE = (
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("### An output format\n")[2]
)


def plain(shown: StyledText | str) -> str:
    return shown.plain() if isinstance(shown, StyledText) else shown


@pytest.mark.parametrize("name", RESULTS)
def test_every_format_of_results_shows_all_of_them(name: str) -> None:
    shown = plain(RESULTS[name].render([samples.result()], Page()))

    assert all(text in shown.replace("&gt;", ">") for text in ("bits.ispl", "received -> K(Sender"))


@pytest.mark.parametrize("name", [n for n in RESULTS if isinstance(RESULTS[n], StreamedFormat)])
def test_what_is_printed_piece_by_piece_is_the_whole(name: str) -> None:
    results, page = [samples.result()], Page()
    form = RESULTS[name]
    assert isinstance(form, StreamedFormat)
    [result] = results
    stream = form.stream(page)
    open_ones = [replace(verdict, value=Value.UNKNOWN, evidence=None) for verdict in result]
    pieces = [stream.on_start(replace(result, verdicts=tuple(open_ones), engine=""))]
    pieces += [stream.on_verdict(verdict) for verdict in result]
    pieces += [stream.on_model(result), stream.on_end(results)]

    assert plain(RESULTS[name].render(results, page)) == "".join(map(plain, pieces))


@pytest.mark.parametrize("name", VERDICTS)
def test_every_format_of_verdicts_explains_one(name: str) -> None:
    verdict = samples.verdict(samples.counterexample())
    view = VerdictView(replace(samples.result(), verdicts=(verdict,)))

    assert "Sender" in plain(VERDICTS[name].explain(view))


@pytest.mark.parametrize("name", GRAPHS)
def test_every_format_of_graphs_draws_one(name: str) -> None:
    graph = reachable_graph(samples.system(), 3)

    assert "bit" in GRAPHS[name].render(graph, NO_LIMIT)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("looks", [0, 1, 4, 9])
def test_every_format_of_graphs_looks_at_its_budget_and_says_what_is_missing(
    name: str, looks: int
) -> None:
    graph = reachable_graph(samples.system(), 6)
    form, budget = GRAPHS[name], Budget(report=samples.Looks(looks))
    if not isinstance(form, PartialGraphFormat):
        with pytest.raises(LimitReached):
            form.render(graph, budget)
        return
    text, states, why = form.render_part(graph, budget)
    value = validate("graph", text)

    assert value["cut"] is True
    assert (states, why) == (min(looks + 1, 6), "that was the last look")
    assert [node["id"] for node in value["nodes"]] == list(range(states))
    assert all(max(step["source"], step["target"]) < states for step in value["steps"])


def documented(heading: str) -> list[str]:
    """Return the formats in the first table of a section that has formats in it."""
    section = PAGE.partition(f"{heading}\n")[2].partition("| Format |")[2].partition("\n\n")[0]
    return re.findall(r"`(\w+)`", " ".join(re.findall(r"^\|([^|]+)\|", section, re.MULTILINE)))


@pytest.mark.parametrize(
    ("heading", "names"), [("## gnomon check", RESULTS), ("## gnomon explain-verdict", VERDICTS)]
)
def test_every_format_has_its_row(heading: str, names: list[str]) -> None:
    assert sorted(documented(heading)) == sorted(names)


@pytest.mark.parametrize(
    ("option", "names"), [("--format", RESULTS), ("--format", VERDICTS), ("--graph", GRAPHS)]
)
def test_every_format_is_listed_with_its_option(option: str, names: list[str]) -> None:
    choices = "\\|".join(names)

    assert f"| `{option} {choices}` |" in PAGE


def test_the_recipe_for_a_format_works(tmp_path: Path) -> None:
    package = tmp_path / "gnomon"
    shutil.copytree(
        Path(gnomon.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    steps = re.split(r"^(?=\d\. )", RECIPE.partition("\n### ")[0], flags=re.MULTILINE)
    module = re.search(r"`src/gnomon/(\S+)`", steps[1])
    register = re.search(r"`src/gnomon/(\S+)`: one line in `(\w+)`", steps[2])
    command = re.search(r"`gnomon (check) model.ispl (--format \w+)`", steps[2])
    assert module
    assert register
    assert command
    (package / module[1]).write_text(code(steps[1]), encoding="utf-8")
    text = (package / register[1]).read_text(encoding="utf-8")
    opening = re.compile(rf"^{register[2]}: .*\(\n    {{\n", re.MULTILINE)
    assert code(steps[2]).count("\n") == 1
    changed = opening.sub(lambda found: found[0] + code(steps[2]), text)
    (package / register[1]).write_text(changed, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gnomon", command[1], "-", *command[2].split()],
        input=samples.MODEL,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )

    assert done.stderr == ""
    assert done.stdout.startswith("| Model |")
    assert set(re.findall(r"^\| <stdin> .* (\w+) \|$", done.stdout, re.MULTILINE)) == {
        "true",
        "false",
    }


def code(step: str) -> str:
    """Return the only piece of Python in a step of a recipe, as it is to be written."""
    [block] = re.findall(r"^ *```python\n(.*?)^ *```$", step, re.DOTALL | re.MULTILINE)
    return textwrap.dedent(block)
