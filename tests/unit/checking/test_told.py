"""What is made of what a process tells, in whatever order, and of what it does not tell any more."""

import time
from dataclasses import replace

import pytest

from gnomon.checking.supervise import INTERRUPTED, Ended
from gnomon.checking.told import Findings, Heard, Progress
from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.model.budget import Details

VERDICT = Verdict(1, "AG p", "AG p", Value.TRUE, "bdd", 0.0)


def verdict(number: int, value: Value = Value.TRUE, reason: str = "") -> Verdict:
    return replace(VERDICT, index=number, value=value, reason=reason)


def closed(heard: Heard, reason: str, *checks: str) -> None:
    asked = {
        number: lambda why, number=number: verdict(number, Value.UNKNOWN, why)
        for number in (3, 5, 4)
    }
    heard.close(Ended(reason), asked, checks)


def test_verdicts_stand_in_the_order_asked_whatever_the_order_told() -> None:
    heard_of: list[int] = []
    heard = Heard(Findings("bdd"), None, lambda each: heard_of.append(each.index))
    for number in (4, 3, 5):
        heard.hear(verdict(number))
    closed(heard, "")

    assert [4, 3, 5] == heard_of
    assert [3, 5, 4] == [each.index for each in heard.verdicts]


def test_what_was_not_told_is_open_and_the_rest_stands() -> None:
    heard = Heard(Findings("bdd"), None, None)
    heard.hear(verdict(4))
    heard.hear(Findings("bdd", checks=(SanityCheck("overflow", Value.TRUE, 0.0, "", None),)))
    closed(heard, INTERRUPTED, "deadlock", "overflow")

    found = [(each.index, each.value, each.reason) for each in heard.verdicts]
    assert [
        (3, Value.UNKNOWN, "interrupted"),
        (5, Value.UNKNOWN, "interrupted"),
        (4, Value.TRUE, ""),
    ] == found
    checks = [(each.name, each.value) for each in heard.findings.checks]
    assert [("deadlock", Value.UNKNOWN), ("overflow", Value.TRUE)] == checks
    assert heard.interrupted


def test_what_was_said_last_is_said_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    said: list[tuple[str, str, int, str]] = []

    def report(task: str, phase: str, amount: int, details: Details) -> None:
        said.append((task, phase, amount, details()))

    heard = Heard(Findings("bdd"), report, None)
    heard.wait()
    now = 1.0
    heard.hear(Progress("formula 1 of 2", "pre-image", 7, "12 nodes"))
    heard.wait()
    now = 2.0
    heard.wait()

    assert 2 * [("formula 1 of 2", "pre-image", 7, "12 nodes")] == said
