from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.verdict import Result, Value
from gnomon.results.render.text import render, stream, summary
from gnomon.results.render.verdict_lines import duration
from gnomon.results.styled import Page, width_of
from tests.unit.results import samples


@pytest.mark.parametrize(
    "page",
    [Page(80), Page(120), Page(50), Page(80, verbose=True), Page(80, quiet=True)],
    ids=["80", "120", "narrow", "verbose", "quiet"],
)
def test_a_result_is_shown(page: Page, snapshot: SnapshotAssertion) -> None:
    assert render([samples.result()], page).plain() == snapshot


PAGES = [Page(40), Page(80), Page(120), Page(80, quiet=True)]


@pytest.mark.parametrize("page", PAGES, ids=["40", "80", "120", "quiet"])
def test_names_and_expectations_are_shown(page: Page, snapshot: SnapshotAssertion) -> None:
    assert render([samples.judged()], page).plain() == snapshot


@pytest.mark.parametrize("width", [40, 50, 60, 80, 100, 200])
@pytest.mark.parametrize("result", [samples.result(), samples.judged()], ids=["plain", "judged"])
def test_no_line_is_wider_than_the_page(width: int, result: Result) -> None:
    lines = render([result], Page(width)).plain().splitlines()
    wide = [line for line in lines if width_of(line) > width]

    # A name that is longer than the page is left whole: it can be copied.
    assert [] == [line for line in wide if "nothing_is_ever" not in line]


def test_a_formula_that_should_be_false_says_that_it_is() -> None:
    result = samples.judged()

    shown = render([replace(result, verdicts=result.verdicts[:2])], Page(120)).plain().splitlines()

    assert shown[2].startswith("  ✓ bypass  <both>F acknowledged")
    assert "  false, as expected  " in shown[2]
    assert shown[4].startswith("  ✗ lost    EF !received")
    assert "  true, but false was expected  " in shown[4]


def test_no_time_is_told_where_nobody_knows_it() -> None:
    verdict = replace(samples.verdict(None, value=Value.UNKNOWN), reason="no more time")
    result = replace(samples.result(), verdicts=(replace(verdict, seconds=0.0),))
    told = replace(result, verdicts=(replace(verdict, seconds=2.0),))

    assert " s\n" not in render([result]).plain().partition("unknown:")[0]
    assert "2.000 s\n" in render([told]).plain().partition("unknown:")[0]


def test_remarks_stand_below_the_formula_where_there_is_room() -> None:
    vacuous = "`never` is true in no reachable state, so nothing is said of anything else"
    verdict = replace(
        samples.verdict(None), name="quite_long", vacuous=vacuous, strategies="perfect"
    )
    shown = render([replace(samples.result(), verdicts=(verdict,))]).plain().splitlines()
    starts = [
        line.index(word) for line in shown for word in ("vacuous", "strategies") if word in line
    ]

    assert starts == 2 * [len("  ✓ quite_long  ")]


def test_where_all_should_be_true_a_mark_is_enough() -> None:
    assert "expected" not in render([samples.result()]).plain()


def test_colours_go_by_expectation_and_not_by_value() -> None:
    text = render([samples.judged()])
    marks = {span.style for spans in text.lines for span in spans if "✓" in span.text}
    counts = [span for span in text.lines[-2] if span.text in {"3 true", "2 false"}]

    assert marks == {"true"}
    assert [span.style for span in counts] == ["", ""]


def test_the_summary_counts_what_came_out_as_expected() -> None:
    assert summary([samples.judged()]).plain() == (
        "8 formulae: 3 true, 2 false, 1 undefined, 2 unknown · 4 as expected, 2 not,\n"
        "  2 open · 1.021 s\n"
    )


def test_strictly_a_truth_of_nothing_is_not_as_expected() -> None:
    result = samples.judged()
    hollow = replace(result, verdicts=(replace(result.verdicts[-1], strict=True),))

    assert "✗ hollow  AG (bit -> received)" in render([hollow]).plain()
    assert "true, but vacuous" in render([hollow]).plain()
    assert "1 formula: 1 true · 0 as expected, 1 not" in summary([hollow]).plain()
    assert render([hollow], Page(quiet=True)).plain() == (
        "✗ bits.ispl: hollow: AG (bit -> received) is true, but vacuous: "
        "`bit` is true in no state\n"
    )


def test_what_is_decided_first_is_printed_first() -> None:
    result, page = samples.judged(), Page()
    printed = stream(page)
    printed.on_start(result)

    shown = [printed.on_verdict(verdict).plain() for verdict in reversed(result.verdicts)]

    assert shown[0].startswith("bits.ispl  finite · n = 3, rounds = 12\n\n  ✓ hollow")
    assert shown[-1].startswith("  ✓ bypass")
    assert "strategies: uniform (each agent" in shown[-1]


def test_nothing_is_printed_of_a_model_before_something_is_decided() -> None:
    assert stream(Page()).on_start(samples.result()).plain() == ""


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
