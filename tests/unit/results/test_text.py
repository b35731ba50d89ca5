from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.verdict import Value
from gnomon.results.render.text import duration, render, summary
from gnomon.results.styled import Page, width_of
from tests.unit.results import samples


@pytest.mark.parametrize(
    "page",
    [Page(80), Page(120), Page(50), Page(80, verbose=True), Page(80, quiet=True)],
    ids=["80", "120", "narrow", "verbose", "quiet"],
)
def test_a_result_is_shown(page: Page, snapshot: SnapshotAssertion) -> None:
    assert render([samples.result()], page).plain() == snapshot


@pytest.mark.parametrize("width", [50, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    lines = render([samples.result()], Page(width)).plain().splitlines()

    assert max(map(width_of, lines[:-1])) <= width  # the summary is one line, always


def test_the_summary_counts_every_value() -> None:
    result = samples.result()
    changed = replace(result.verdicts[0], value=Value.UNDEFINED)
    result = replace(result, verdicts=(changed, *result.verdicts[1:]), checks=())

    assert summary([result]).plain() == (
        "5 formulae: 1 true, 2 false, 1 undefined, 1 unknown · 1.021 s\n"
    )


def test_one_formula_is_not_plural() -> None:
    result = replace(samples.result(), verdicts=samples.result().verdicts[:1], checks=())

    assert summary([result]).plain() == "1 formula: 1 true · 1.021 s\n"


def test_a_model_without_formulae_says_so() -> None:
    result = replace(samples.result(), verdicts=(), checks=())

    assert "there is no formula to check" in render([result]).plain()


def test_times_are_as_exact_as_they_are_worth() -> None:
    assert [duration(0.0), duration(1.23456), duration(4321.0)] == [
        "0.000 s",
        "1.235 s",
        "4321.0 s",
    ]


def test_equal_runs_differ_only_in_the_digits_of_their_times() -> None:
    quick, slow = (
        render([replace(samples.result(), verdicts=(replace(verdict, seconds=seconds),))]).plain()
        for seconds in (0.1, 1234.5)
        for verdict in samples.result().verdicts[:1]
    )

    assert quick == slow.replace("1234.5 s", "0.100 s")
