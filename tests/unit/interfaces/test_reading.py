"""While a model is read: the time it may take, and a word now and then."""

import signal
import sys

import pytest

from gnomon.interfaces.cli import models
from gnomon.interfaces.cli.models import in_time
from gnomon.model.budget import Budget, LimitReached

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such timer")


def test_somebody_hears_of_it_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_BEAT", 1000.0)
    heard: list[str] = []
    before = signal.getsignal(signal.SIGALRM)
    with in_time(Budget(), lambda: heard.append("still reading")):
        signal.raise_signal(signal.SIGALRM)
        signal.raise_signal(signal.SIGALRM)

    assert 2 == len(heard)
    assert before == signal.getsignal(signal.SIGALRM)
    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


def test_when_the_time_is_over_it_ends_once() -> None:
    budget = Budget(5.0)
    budget.started -= 10
    heard: list[str] = []
    timers: list[tuple[float, float]] = []

    def read() -> None:
        with in_time(budget, lambda: heard.append("")):
            try:
                signal.raise_signal(signal.SIGALRM)
            finally:
                timers.append(signal.getitimer(signal.ITIMER_REAL))

    with pytest.raises(LimitReached, match="5 s"):
        read()

    assert not heard
    assert [(0.0, 0.0)] == timers


def test_without_a_limit_and_a_listener_nothing_is_set() -> None:
    with in_time(Budget()):
        assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)
