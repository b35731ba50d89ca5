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


def test_the_clock_goes_on_where_nothing_new_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    stream = io.StringIO()
    shown = progress.ProgressLine(stream)
    shown.start("m.ispl")
    for later in (0.1, 1.0, 2.0, 3.0):
        now = later
        shown.report("formula 1 of 2", "encoding", 0, no_details)

    lines = stream.getvalue().split("\r\x1b[K")
    assert [f"m.ispl: formula 1 of 2 · encoding · {seconds} s" for seconds in (1, 2, 3)] == lines[
        1:
    ]


def test_what_reading_took_is_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 10.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    stream = io.StringIO()
    shown = progress.ProgressLine(stream)
    shown.start("m.ispl")
    now = 14.0
    shown.reading()
    shown.start("m.ispl", already=4.0)
    now = 15.0
    shown.report("", "exploring", 7, no_details)
    clear = "\r\x1b[K"

    assert (
        f"{clear}m.ispl: reading · 4 s{clear}{clear}m.ispl: exploring 7 · 5 s" == stream.getvalue()
    )
