"""How many processors there are, and how many have nothing to do."""

import os
from pathlib import Path

import pytest

from gnomon.checking import cores


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a machine with four processors, of which we may use three."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 3}, raising=False)
    monkeypatch.setattr(cores, "_STATISTICS", str(tmp_path / "stat"))
    monkeypatch.setattr(cores, "_QUOTA", str(tmp_path / "cpu.max"))
    return tmp_path


def statistics(idle: list[int], busy: list[int]) -> str:
    each = zip(idle, busy, strict=True)
    lines = [f"cpu{number} {at} 0 0 {no} 0 0 0 0 0 0" for number, (no, at) in enumerate(each)]
    return "cpu  1 2 3 4 5 6 7 8 9 10\n" + "\n".join(lines) + "\nintr 1 2 3\n"


def test_as_many_may_be_used_as_are_allowed(machine: Path) -> None:
    assert 3 == cores.usable_cores()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("max 100000", 3), ("150000 100000", 2), ("50000 100000", 1), ("9000000 100000", 3), ("?", 3)],
)
def test_a_container_may_allow_less(machine: Path, text: str, expected: int) -> None:
    (machine / "cpu.max").write_text(text, encoding="ascii")

    assert expected == cores.usable_cores()


def test_those_are_free_that_had_nothing_to_do_meanwhile(machine: Path) -> None:
    file = machine / "stat"
    file.write_text(statistics([0, 0, 0, 0], [9, 9, 9, 9]), encoding="ascii")
    idle = cores.IdleCores()
    file.write_text(statistics([100, 90, 0, 0], [9, 19, 109, 109]), encoding="ascii")

    assert 2 == idle.free()


def test_without_statistics_the_average_load_tells(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (1.2, 0.0, 0.0))

    assert 2 == cores.IdleCores().free()


def test_where_nothing_tells_one_is_busy(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "getloadavg")

    assert 2 == cores.IdleCores().free()
