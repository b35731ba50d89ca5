"""Helpers for tests in Python: they pass where all is as expected, and fail with the counterexample."""

import doctest
import subprocess
import sys

import pytest

import gnomon
from gnomon import testing
from gnomon.testing import assert_as_expected
from tests.pytest_runs import DOOR, LEAKY
from tests.support import ROOT

FAMILY = DOOR.replace("Agent", "Constants\n n = 1;\nend Constants\nAgent", 1).replace(
    "can_open : EF open;", "for i : 1..n: opens[i] : AF open; end for"
)


def failure(found: object) -> list[str]:
    with pytest.raises(AssertionError) as raised:
        assert_as_expected(found)  # type: ignore[arg-type]
    return str(raised.value).splitlines()


def test_nothing_happens_where_all_is_as_expected() -> None:
    result = gnomon.load_text(DOOR).check(check_deadlock=True)

    assert_as_expected(result)
    assert_as_expected(result["safe"])


def test_the_message_has_every_counterexample() -> None:
    said = failure(gnomon.load_text(LEAKY, "door.ispl").check("AG !open", "soon : AX !open"))

    assert "door.ispl: false, expected true" == said[0]
    assert "door.ispl: soon is false, expected true" in said
    assert 2 == said.count("  1  open = true")


def test_an_answer_stands_for_itself() -> None:
    said = failure(gnomon.load_text(LEAKY, "door.ispl").check()["safe"])

    assert "line 23: safe is false, expected true" == said[0]
    assert "safe: AG !(locked and open) is false" == said[2]
    assert "  1  open = true" in said


def test_what_is_true_and_should_not_be_is_told_without_a_run() -> None:
    said = failure(gnomon.load_text(DOOR, "door.ispl").check("AG !(locked and open) expect false"))

    assert [
        "door.ispl: true, expected false",
        "",
        "AG !(locked and open)",
        "",
        "No run gets to `locked and open`",
    ] == said


def test_what_is_not_decided_is_not_as_expected() -> None:
    result = gnomon.load_text(DOOR, "door.ispl").check("EF open", engine="explicit", max_states=1)

    assert "door.ispl: unknown, expected true" == failure(result)[0]


def test_a_sanity_check_counts() -> None:
    stuck = DOOR.replace("Other : { push, turn, rest };", "locked = false : { push };")

    said = failure(gnomon.load_text(stuck, "door.ispl").check("EF locked", check_deadlock=True))

    assert said[0].startswith("door.ispl: a deadlock")


def test_a_sweep_is_as_expected_at_every_size() -> None:
    said = failure(gnomon.sweep(gnomon.load_text(FAMILY), {"n": [1, 2]}, evidence=True))

    assert 3 == sum(line.startswith("opens[") and line.endswith("is false") for line in said)
    assert "n = 2" in said


def test_to_check_nothing_is_no_success() -> None:
    empty = DOOR.partition("Formulae")[0] + "Formulae\nend Formulae\n"
    model = gnomon.load_text(empty, "door.ispl")

    assert ["door.ispl: no formula was checked"] == failure(model.check())


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    assert (0, 3) == doctest.testmod(testing)


def test_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match="takes what `check` or `sweep` returns, no bool"):
        assert_as_expected(True)  # type: ignore[arg-type]


def test_it_needs_no_pytest() -> None:
    program = "import sys, gnomon.testing; assert 'pytest' not in sys.modules"

    subprocess.run([sys.executable, "-c", program], check=True)
