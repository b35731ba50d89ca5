"""Verdicts are printed in the order of the file, unless that would keep somebody waiting."""

import math
from dataclasses import replace

import pytest

from gnomon.interfaces.cli.printer import VerdictQueue
from tests.unit.results import samples

ANY = samples.result().verdicts[0]


def told(queue: VerdictQueue, *numbers: int, everything: bool = False) -> list[int]:
    """Return what is printed when verdicts on these formulae come in."""
    for number in numbers:
        queue.add(replace(ANY, index=number))
    return [verdict.index for verdict in queue.due(everything=everything)]


def test_with_patience_verdicts_keep_the_order_of_the_file() -> None:
    queue = VerdictQueue(math.inf)
    queue.start([1, 2, 5])

    assert told(queue, 5) == []
    assert told(queue, 1) == [1]
    assert told(queue, 2) == [2, 5]


def test_without_patience_they_come_as_they_are_decided() -> None:
    queue = VerdictQueue(0.0)
    queue.start([1, 2, 5])

    assert [told(queue, 5), told(queue, 1), told(queue, 2)] == [[5], [1], [2]]


def test_one_that_has_waited_too_long_takes_the_others_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    queue = VerdictQueue(0.5)
    queue.start([1, 2, 3, 4])

    assert told(queue, 4) == []
    now = 100.4
    assert told(queue, 2) == []
    now = 100.5
    assert told(queue) == [2, 4]
    now = 200.0
    assert told(queue) == []
    assert told(queue, 3) == []
    assert told(queue, 1) == [1, 3]


def test_at_the_end_all_is_printed() -> None:
    queue = VerdictQueue(math.inf)
    queue.start([1, 2, 3])

    assert told(queue, 3, 2) == []
    assert told(queue, everything=True) == [2, 3]


def test_another_model_starts_afresh() -> None:
    queue = VerdictQueue(math.inf)
    queue.start([1, 2])
    told(queue, 2)
    queue.start([1])

    assert told(queue, 1) == [1]


def test_a_queue_says_whether_there_is_something_to_print() -> None:
    queue = VerdictQueue(math.inf)
    queue.start([1, 2])

    assert not queue.has_due()
    queue.add(replace(ANY, index=2))
    assert not queue.has_due()
    queue.add(replace(ANY, index=1))
    assert queue.has_due()
    assert [1, 2] == [verdict.index for verdict in queue.due()]
    assert not queue.has_due()
