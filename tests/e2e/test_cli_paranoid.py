"""`gnomon check --paranoid`: every verdict twice, and what happens where two ways disagree."""

import json
from pathlib import Path

import pytest

from gnomon.checking.supervise import work_here
from gnomon.engines.explicit.algebra import ExplicitSets
from tests.e2e.cli import gnomon, model

__all__ = ["model"]

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = ["bit_transmission", "blind_guess", "muddy_children", "tickets"]


@pytest.mark.parametrize("name", SMALL)
def test_paranoid_answers_are_those_of_a_plain_check(name: str) -> None:
    path = str(EXAMPLES / f"{name}.ispl")
    plain = json.loads(gnomon("check", path, "--json").stdout)
    twice = json.loads(gnomon("check", path, "--json", "--paranoid").stdout)

    assert [each["verdict"] for each in plain["formulae"]] == [
        each["verdict"] for each in twice["formulae"]
    ]


def test_a_disagreement_is_a_bug_with_a_report_in_one_file(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = ExplicitSets.count
    monkeypatch.setattr(ExplicitSets, "count", lambda self, states: right(self, states) + 1)
    monkeypatch.setattr("gnomon.checking.exploring.compare_with_reference", lambda algebra: None)
    with work_here():
        result = gnomon("check", model, "--paranoid")
    [report] = Path().glob("gnomon-disagreement-*.json")
    told = json.loads(report.read_text(encoding="utf-8"))

    assert 4 == result.exit_code
    assert report.name in result.stderr
    assert "number of reachable states" in told["disagreement"]
    assert Path(model).read_text(encoding="utf-8") == told["models"][0]["text"]
    assert told["request"]["paranoid"] is True


def test_a_wrong_step_of_an_engine_is_a_bug_without_being_asked(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExplicitSets, "after", lambda self, states: self.empty)
    with work_here():
        result = gnomon("check", model, "--engine", "explicit")

    assert 4 == result.exit_code
    assert "the engine and the reference semantics disagree" in result.stderr
    assert list(Path().glob("gnomon-disagreement-*.json"))
