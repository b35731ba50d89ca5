"""Reports: tables that say what the rows say, differences that fail a nightly run, a page that is safe."""

import base64
import csv
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree as ET

import pytest

from gnomon.campaign.report.differences import differences
from gnomon.campaign.report.files import as_csv, as_latex
from gnomon.campaign.report.measured import measured
from gnomon.campaign.report.plot import Axis, Plot, PlotPoint, PlotSeries, draw, tick_label
from gnomon.campaign.report.plots import plots
from gnomon.campaign.report.report import CampaignReport, report
from gnomon.campaign.report.tables import ReportTable, as_text_rows
from gnomon.campaign.rows import VerdictRow

ROW = VerdictRow(
    model="m.ispl",
    constants={"n": 2},
    index=1,
    name="safe",
    formula="AG safe",
    verdict="true",
    expected="true",
    as_expected=True,
    reason=None,
    kind="finite",
    engine_asked="auto",
    engine="bdd",
    order="auto",
    diagrams="auto",
    strategies="perfect",
    uniform_group=None,
    states=12,
    seconds=0.5,
    job_seconds=1.0,
    cpu=0.9,
    memory=50.0,
    timeout=60.0,
    formula_timeout=None,
    memory_limit=None,
    max_states=None,
    repetition=1,
    seed=0,
    version="1",
    machine="vm",
    system="Linux",
    processor="x86_64",
    python="3.11",
    started="2026-01-02T03:04:05+00:00",
    command="gnomon campaign run",
    campaign="c",
    digest="d",
)


def row(**changes: object) -> VerdictRow:
    """Return a row that differs in some ways; each question has a digest of its own."""
    made = replace(ROW, **changes)  # type: ignore[arg-type]
    asked = (made.model, tuple(made.constants.items()), made.engine_asked, made.strategies)
    return replace(made, digest=str(asked))


def table(found: CampaignReport, name: str) -> ReportTable:
    """Return a table of a report."""
    return next(each for each in found.tables if each.name == name)


def test_repetitions_are_put_together_by_their_median() -> None:
    times = [
        row(repetition=number, job_seconds=time) for number, time in enumerate((3.0, 1.0, 8.0), 1)
    ]
    (job,) = measured(times).jobs

    assert (3, 3.0, 1.0, 8.0) == (job.repetitions, job.seconds, job.least, job.most)


def test_what_is_not_as_expected_or_open_is_a_problem() -> None:
    found = report(
        "t",
        [
            row(),
            row(name="live", verdict="false", as_expected=False),
            row(name="slow", verdict="unknown", as_expected=False, reason="time"),
            row(name="no", verdict="false", expected="false"),
        ],
    )
    said = [cells[2:] for cells in as_text_rows(table(found, "problems"))]

    assert [
        ["live", "auto", "false (expected true)", ""],
        ["slow", "auto", "unknown", "time"],
    ] == said


def test_a_model_at_several_sizes_has_a_table_of_its_own() -> None:
    rows = [row(constants={"n": size}, formula=f"AG safe{size}") for size in (2, 10, 3)]
    found = table(report("t", rows), "sizes-m.ispl")

    assert ("formula", "configuration", "n=2", "n=3", "n=10") == found.columns
    assert [["safe", "auto", "✓", "✓", "✓"]] == as_text_rows(found)


def test_two_ways_that_contradict_each_other_are_a_bug() -> None:
    rows = [row(), row(engine_asked="explicit", verdict="false")]
    (found,) = report("t", rows).contradictions

    assert "safe" == found.formula
    assert ["true", "false"] == [value for _, value in found.verdicts]


def test_readings_of_strategies_may_differ() -> None:
    rows = [row(), row(strategies="uniform", verdict="false", expected="false")]

    assert () == report("t", rows).contradictions


def test_two_groups_that_are_uniform_in_turn_are_two_readings() -> None:
    rows = [
        row(strategies="uniform-model", uniform_group="a"),
        row(strategies="uniform-model", uniform_group="b", verdict="false"),
    ]
    found = report("t", rows)

    assert () == found.contradictions
    assert ["auto uniform-model a", "auto uniform-model b"] == [
        each.label for each in found.found.configurations
    ]


def test_repetitions_that_contradict_each_other_are_a_bug() -> None:
    assert report("t", [row(), row(repetition=2, verdict="false")]).contradictions


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        (row(), row(), None),
        (row(), row(verdict="false"), "changed"),
        (row(), row(verdict="unknown"), "lost"),
        (row(verdict="unknown"), row(), "gained"),
        (row(verdict="unknown"), row(verdict="undefined"), None),
        (row(), row(seconds=1.4), None),
        (row(seconds=2.0), row(seconds=4.5), "slower"),
        (row(seconds=4.5), row(seconds=2.0), "quicker"),
        (None, row(), "new"),
        (row(), None, "gone"),
    ],
)
def test_differences_are_told_apart(
    before: VerdictRow | None, now: VerdictRow | None, change: str | None
) -> None:
    old, new = (measured([] if each is None else [each]) for each in (before, now))
    found = [each.change for each in differences(old, new)]

    assert ([] if change is None else [change]) == found


def test_only_what_is_worse_is_a_regression() -> None:
    before = [row(), row(name="b"), row(name="c", verdict="unknown")]
    now = [row(verdict="unknown"), row(name="b"), row(name="c")]
    found = report("t", now, before)

    assert ["lost"] == [each.change for each in found.regressions]


def test_a_table_for_papers_keeps_every_sign() -> None:
    made = table(report("t", [row(model="a_b & 50%.ispl", name="x{1}")]), "verdicts")

    assert r"a\_b \& 50\%.ispl" in as_latex(made)
    assert "a_b & 50%.ispl" == next(csv.DictReader(StringIO(as_csv(made))))["model"]


def test_a_long_table_for_papers_names_what_it_needs() -> None:
    rows = [row(name=f"f{number}") for number in range(50)]
    made = as_latex(table(report("t", rows), "verdicts"))

    assert r"% needs \usepackage{booktabs} and \usepackage{longtable}" in made
    assert r"\begin{longtable}" in made


class _Tags(HTMLParser):
    """Looks for what is open and not closed, and for what could run or be fetched."""

    VOID = frozenset({"meta", "input", "link", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        assert not [name for name, _ in attrs if name.startswith("on") or name in {"src", "style"}]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag, attrs

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


HOSTILE = "</td><script>alert(1)</script>\"'&\u202e\x1b[2J"


def test_a_page_runs_nothing_but_its_own_script() -> None:
    rows = [
        row(model=HOSTILE, name=HOSTILE, reason=HOSTILE, as_expected=False, constants={"n": size})
        for size in (1, 2)
    ]
    page = report(HOSTILE, rows, []).page()
    tags = _Tags()
    tags.feed(page)

    assert [] == tags.open
    assert 1 == tags.scripts
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_the_policy_of_a_page_names_its_own_script_and_style() -> None:
    page = report("t", [row()]).page()

    for tag in ("script", "style"):
        (inner,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src &#x27;sha256-{digest}&#x27;" in page


def test_an_empty_campaign_has_a_page() -> None:
    assert "nothing was asked" in report("t", []).page()


def test_numbers_of_any_length_have_a_cell() -> None:
    page = report("t", [row(states=10**5000)]).page()

    assert "1.00e5000" in page


# Plots


def test_a_family_is_plotted_against_its_size() -> None:
    rows = [
        row(constants={"n": size, "k": 1}, engine_asked=engine, job_seconds=size / 2)
        for size in (2, 3, 4)
        for engine in ("bdd", "explicit")
    ]
    names = [plot.name for plot in plots(measured(rows))]

    assert ["seconds-n-m.ispl", "memory-n-m.ispl", "cactus", "scatter-bdd-explicit"] == names


def test_every_plot_is_xml_and_stays_on_its_page() -> None:
    rows = [
        row(constants={"n": size}, model=HOSTILE, job_seconds=time, memory=time)
        for size, time in ((1, 0.0), (2, 1e-9), (3, 1e9))
    ]
    for plot in plots(measured(rows)):
        root = ET.fromstring(draw(plot))
        width, height = float(root.get("width", "0")), float(root.get("height", "0"))
        for circle in root.iter("{http://www.w3.org/2000/svg}circle"):
            assert 0 <= float(circle.get("cx", "-1")) <= width
            assert 0 <= float(circle.get("cy", "-1")) <= height


@pytest.mark.parametrize("value", [0.0, 5.0, -3.0])
def test_one_point_is_a_plot(value: float) -> None:
    for scale in ("linear", "log"):
        series = (PlotSeries("s", (PlotPoint(value, value),)),)
        axis = Axis("a", scale)
        assert "circle" in draw(Plot("p", "p", axis, axis, series, diagonal=True))


def test_more_series_than_can_be_told_apart_are_said_to_be_left_out() -> None:
    series = tuple(PlotSeries(str(each), (PlotPoint(each, each),)) for each in range(20))

    assert "and 8 more series" in draw(Plot("p", "p", Axis("x"), Axis("y"), series))


def test_long_numbers_beside_an_axis_are_short() -> None:
    assert ["0", "0.5", "100", "1e5", "1e-4", "1e12"] == [
        tick_label(value) for value in (0, 0.5, 100, 1e5, 1e-4, 1e12)
    ]
