import io
import time

import pytest

from gnomon.interfaces.cli import progress
from gnomon.model.budget import no_details


def test_progress_is_redrawn_at_most_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    stream = io.StringIO()
    shown = progress.ProgressLine(stream)
    shown.start("m.ispl")
    for _ in range(2000):
        now += 0.001
        shown.report("formula 1 of 2", "reach", 7, lambda: "12 nodes")
    shown.clear()

    assert 10 <= stream.getvalue().count("m.ispl: formula 1 of 2 · reach 7 · 12 nodes · ") <= 20
    assert stream.getvalue().endswith("\r\x1b[K")


def test_what_is_over_at_once_is_not_shown() -> None:
    stream = io.StringIO()
    shown = progress.ProgressLine(stream)
    shown.report("", "reach", 1, no_details)
    shown.clear()

    assert stream.getvalue() == ""
