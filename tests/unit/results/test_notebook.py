"""What things look like in a notebook: whole, harmless, bounded, and as it was looked at."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.coverage import coverage
from gnomon.checking.load import load_text
from gnomon.checking.sizes import Sizes
from gnomon.checking.verdict import Result, Thresholds, Value, Verdict
from gnomon.model.budget import Budget
from gnomon.model.evidence import Choice, Evidence, Explanation, Run, Step, Strategy
from gnomon.model.step import State
from gnomon.results.graph import reachable_graph
from gnomon.results.model_walk import ModelWalk
from gnomon.results.projection import PictureStyle
from gnomon.results.render.notebook import (
    answer,
    campaign,
    drawing,
    evidence,
    model,
    progress,
    result,
    sweep,
    walk,
)
from gnomon.results.render.notebook import coverage as coverage_page
from gnomon.results.render.notebook.sheet import STYLE
from gnomon.results.sweep import SizeRow, SweptFormula, columns
from tests.notebook_pages import read_page, tags_of
from tests.unit.results import samples
from tests.unit.results.test_odd_names import ODD, RESULT, SYSTEM

SCRIPT = "<script>alert(1)</script>"


def without_style(page: str) -> str:
    """Return an output without the sheet that all of them have."""
    return page.replace(STYLE, "/* … */")


def a_walk() -> ModelWalk:
    """Return a walk that stands in its first state."""
    found = ModelWalk(samples.system())
    found.start(1)
    return found


def swept() -> str:
    """Return a family at two sizes."""
    found = samples.result()
    rows = [SizeRow({"n": 1}, found), SizeRow({"n": 2}, found)]
    asked = [SweptFormula(v.index, v.name, v.line, v.formula, str(v.expected)) for v in found]
    return sweep.render("bits.ispl", rows, columns([asked, asked]), ["deadlock"])


def open_answer() -> str:
    """Return a formula that was not decided."""
    reason = "more than 100 states: the explicit engine stops there"
    return answer.render(
        None, Verdict(1, "AG p", "AG p", Value.UNKNOWN, "explicit", 0.0, reason=reason)
    )


def any_number() -> str:
    """Return a formula about any number of agents."""
    found = Thresholds(
        "safety", True, ({"Robot": 2}, {"Robot": 1, "Dog": 3}), True, ("near(1, 2)",)
    )
    return answer.render(
        None, Verdict(1, "AG !p", "AG !p", Value.FALSE, "parameterised", 0.1, numbers=found)
    )


PAGES: dict[str, Callable[[], str]] = {
    "result": lambda: result.render(samples.result()),
    "counterexample": lambda: answer.render(samples.system(), samples.result()[2]),
    "lasso": lambda: evidence.render(samples.system(), samples.lasso()),
    "strategy": lambda: answer.render(samples.system(), samples.result()[3], ["n = 3"]),
    "open": open_answer,
    "any number": any_number,
    "model": lambda: model.render("bits.ispl", samples.system(), Sizes(24, 2, 18), [("n", 3)]),
    "sweep": swept,
    "walk": lambda: walk.render("bits.ispl", a_walk(), a_walk().options()),
    "run": lambda: walk.render_run("bits.ispl", samples.system(), samples.run("work", "fail")),
    "progress": lambda: progress.render("bits.ispl: 1 of 4 formulae · 3 s", 1, 4),
    "campaign": lambda: campaign.counts("1 of 2 checks", 1, 2, [("a.ispl", {"n": 1}, "expected")]),
}


@pytest.mark.parametrize("name", PAGES)
def test_an_output_is_as_it_was_looked_at(name: str, snapshot: SnapshotAssertion) -> None:
    page = PAGES[name]()

    assert read_page(page)
    assert without_style(page) == snapshot


def test_the_style_is_as_it_was_looked_at(snapshot: SnapshotAssertion) -> None:
    assert snapshot == STYLE


ODD_PAGES: dict[str, Callable[[], str]] = {
    "result": lambda: result.render(RESULT),
    "answer": lambda: answer.render(SYSTEM, RESULT[0], [f"n {ODD} = 1"]),
    "evidence": lambda: evidence.render(SYSTEM, RESULT[0].evidence or Evidence("witness")),
    "model": lambda: model.render(RESULT.model, SYSTEM, reachable_graph(SYSTEM, 9)),
    "graph": lambda: drawing.render(drawing.asked_graph(reachable_graph(SYSTEM, 9), Budget())),
    "coverage": lambda: coverage_page.render(coverage(SYSTEM, load_text("").source)),
    "walk": lambda: walk.render_run(f"x{ODD}", SYSTEM, Run((Step(first()),)), SCRIPT),
    "text": lambda: walk.render_text(f"{SCRIPT}{ODD}"),
    "progress": lambda: progress.render(f"{SCRIPT}{ODD}", 0, 0),
    "campaign": lambda: campaign.counts(SCRIPT + ODD, 0, 1, [(SCRIPT, {ODD: 1}, "lost")]),
}


def first() -> State:
    """Return the initial state of the odd system."""
    return reachable_graph(SYSTEM, 9).nodes[0].state


@pytest.mark.parametrize("name", ODD_PAGES)
def test_odd_names_are_seen_and_do_nothing(name: str) -> None:
    words = read_page(ODD_PAGES[name]())

    assert "\\x1b[2J" in words or SCRIPT in words


@pytest.mark.parametrize("field", ["name", "formula", "reason", "vacuous"])
def test_whatever_a_verdict_says_is_text(field: str) -> None:
    given: dict[str, Any] = {field: f"{SCRIPT}<b>`&lt;"}
    hostile = replace(samples.result()[1], **given)
    whole = replace(samples.result(), verdicts=(hostile,), model=SCRIPT)

    for page in (answer.render(samples.system(), hostile), result.render(whole)):
        assert "alert(1)" in read_page(page)
        assert "b" not in tags_of(page)


# Sizes


def test_a_run_of_ten_thousand_steps_is_cut_with_a_word() -> None:
    run = samples.run("fail", "fail")
    long = Run((*run.steps[:1], *run.steps[1:] * 5_000))
    why = Explanation("AF received", False, "never", "time", (), long)
    page = evidence.render(samples.system(), Evidence("counterexample", why))
    words = read_page(page)

    assert len(page) < 60_000
    assert "9,977 more steps; .story() and .evidence.data have them" in words
    assert "10,001 boxes are too much for a picture here" in words
    assert "svg" not in tags_of(page)


def test_a_strategy_of_many_rows_is_cut_with_a_word() -> None:
    rows = tuple(
        Choice((("Sender.ack", str(number)),), (("Sender", "send"),)) for number in range(100_000)
    )
    table = Strategy("<both>F acknowledged", "uniform", ("Sender",), rows)
    page = evidence.render(samples.system(), Evidence("strategy", None, (table,)))

    assert len(page) < 100_000
    assert "… and 99,940 more rows; .evidence.data.strategies has all" in read_page(page)


def test_a_graph_of_many_states_is_not_drawn_but_counted() -> None:
    graph = reachable_graph(samples.system(), 9)
    large = replace(graph, nodes=graph.nodes * 1_000)
    page = drawing.render(drawing.asked_graph(large, Budget()))

    assert len(page) < 10_000
    assert "are too many to look at here" in read_page(page)


def test_many_formulae_are_counted() -> None:
    many = replace(samples.result(), verdicts=samples.result().verdicts * 1_000)
    page = result.render(many)

    assert len(page) < 250_000
    assert "… and 4,800 more formulae; print(result) has all" in read_page(page)


def test_a_name_of_a_million_letters_is_cut() -> None:
    named = replace(samples.result(), model="x" * 1_000_000)

    assert len(result.render(named)) < 60_000


# Without styles


def test_what_is_coloured_has_a_sign_and_what_is_aligned_an_attribute() -> None:
    page = result.render(samples.result())

    assert "✓" in page and "✗" in page
    assert '<td style="text-align:left">' in page
    assert "font-family:ui-monospace" in a_text()


def a_text() -> str:
    """Return an output whose columns matter, without its style."""
    return without_style(walk.render_text("a  b"))


def test_a_picture_leaves_no_words_where_it_is_dropped() -> None:
    page = evidence.render(samples.system(), samples.lasso())

    assert '<div class="g-picture" style="display:none"><svg ' in page
    assert "The picture is shown where notebooks are trusted." in read_page(page)
    assert ".gnomon .g-picture{display:block!important" in page


def test_a_picture_in_a_notebook_has_no_ground_of_its_own() -> None:
    page = evidence.render(samples.system(), samples.lasso())

    assert "#ffffff" not in page.replace(".output_subarea .gnomon { --g-paper: #ffffff; }", "")
    assert "prefers-color-scheme" not in page
    assert "currentColor" in page
    assert drawing.of_evidence(samples.system(), samples.lasso(), PictureStyle()) in page


def test_what_was_interrupted_says_so() -> None:
    ended = replace(samples.result(), interrupted=True)

    assert "interrupted: what was decided is kept" in read_page(result.render(ended))
    assert "no formula was asked" in read_page(result.render(_nothing()))


def _nothing() -> Result:
    return replace(samples.result(), verdicts=(), checks=())
