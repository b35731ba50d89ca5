"""Whatever is expected and found: marks, words, the summary and the exit status tell the same story."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.interfaces.cli.checking import exit_status
from gnomon.results.phrases import MARKS
from gnomon.results.render.text import render, stream
from gnomon.results.styled import Page, width_of
from tests.systems import examples

NAMES = st.sampled_from(["", "a", "safe", "bypass_of_approval", "r[1]", "r[-12,345]", "x" * 60])
FORMULAE = st.sampled_from(
    ["AG p", "<g>F q", "AG (p ->\n  K(A, q))", "EF " + " and ".join(["some_thing"] * 12), "é" * 30]
)
VALUES = st.sampled_from(list(Value))
EXPECTED = st.sampled_from([Value.TRUE, Value.TRUE, Value.FALSE, Value.UNDEFINED])


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Return a result of some formulae; only what is true can be vacuous, only what is open has a reason."""
    verdicts = []
    strict = draw(st.booleans())
    for index in range(1, draw(st.integers(0, 6)) + 1):
        value = draw(VALUES)
        name = draw(NAMES)
        verdict = Verdict(
            index,
            draw(FORMULAE),
            "parsed",
            value,
            "bdd",
            draw(st.sampled_from([0.0, 0.0123, 12.5, 12345.6])),
            draw(st.sampled_from([None, "perfect", "uniform"])),
            reason="the time limit of 1 s was reached" if value is Value.UNKNOWN else "",
            name=f"{name}{index}" if name and "[" not in name else name,
            expected=draw(EXPECTED),
            vacuous=draw(st.sampled_from(["", "`p` is true in no reachable state"]))
            if value is Value.TRUE
            else "",
            strict=strict,
        )
        verdicts.append(verdict)
    constants = draw(st.sampled_from([(), (("n", 3),), (("n", 10**9), ("k", -1))]))
    return Result(
        "model.ispl", "finite", "bdd", 18, 0.5, tuple(verdicts), constants=tuple(constants)
    )


@given(results(), st.integers(40, 130))
@examples(200)
def test_every_line_fits_and_every_formula_has_its_mark(result: Result, width: int) -> None:
    lines = render([result], Page(width)).plain().splitlines()
    marked = [line for line in lines if line[2:3] in set(MARKS.values()) and line[:2] == "  "]
    words = {word for verdict in result for word in (verdict.label, *verdict.formula.split())}
    long = {word for word in words if width_of(word) > 20}

    assert [verdict.label for verdict in result] == [line.split()[1] for line in marked]
    assert [MARKS[verdict.standing] for verdict in result] == [line[2] for line in marked]
    assert [] == [
        line for line in lines if width_of(line) > width and not any(word in line for word in long)
    ]


@given(results(), st.integers(40, 130))
@examples(100)
def test_nobody_takes_false_for_true(result: Result, width: int) -> None:
    """Where a tick does not mean true, or a cross not false, the value stands in words below or beside."""
    for verdict in result:
        lone = replace(result, verdicts=(verdict,))
        shown = " ".join(render([lone], Page(width)).plain().split())
        plain = {"expected": Value.TRUE, "unexpected": Value.FALSE, "open": None}[verdict.standing]
        if verdict.value is not plain:
            wanted = [f"{verdict.value}, as expected", f"{verdict.value}, but", f"{verdict.value}:"]
            open_and_so_marked = verdict.standing == "open"
            assert open_and_so_marked or any(words in shown for words in wanted)


@given(results(), st.permutations(range(6)))
@examples(100)
def test_what_is_streamed_has_the_same_lines_in_another_order(
    result: Result, order: list[int]
) -> None:
    printed = stream(Page())
    printed.on_start(result)
    shuffled = [result.verdicts[place] for place in order if place < len(result)]
    pieces = [printed.on_verdict(verdict).plain() for verdict in shuffled]
    pieces += [printed.on_model(result).plain(), printed.on_end([result]).plain()]
    whole = render([result]).plain()

    # The meaning of a reading is told at its first formula, whichever that is.
    assert sorted(_bare("".join(pieces))) == sorted(_bare(whole))


def _bare(text: str) -> list[str]:
    return [line for line in text.splitlines() if "strategies:" not in line and "alike" not in line]


@given(results())
@examples(100)
def test_quiet_says_something_exactly_if_the_status_is_not_0(result: Result) -> None:
    quiet = render([result], Page(quiet=True)).plain()

    assert bool(quiet) == (exit_status([result]) != 0)
    assert len(quiet.splitlines()) == sum(not verdict.as_expected for verdict in result)
