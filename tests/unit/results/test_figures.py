"""The figures of the documentation are what the commands beside them draw."""

import os
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon
from tests.support import ROOT

FIGURES = ROOT / "docs" / "reference" / "figures"
DRAWN = {
    "knowledge.svg": (
        "explain-verdict",
        "examples/bit_transmission.ispl",
        "sender_notices_arrival",
        "--format",
        "svg",
        "--no-line-numbers",
    ),
    "graph.svg": ("show", "examples/tickets.ispl", "--graph", "svg"),
    "who.svg": ("who", "examples/strongroom.ispl", "F open", "--format", "svg"),
    "strategy.svg": ("explain-verdict", "examples/blind_guess.ispl", "can_win", "--format", "svg"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_is_as_its_command_draws_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    drawn = gnomon(*DRAWN[name]).stdout
    if os.environ.get("GNOMON_UPDATE_SPECS"):
        FIGURES.joinpath(name).write_text(drawn, encoding="utf-8")

    assert FIGURES.joinpath(name).read_text(encoding="utf-8") == drawn


def test_there_are_no_others() -> None:
    assert sorted(DRAWN) == sorted(path.name for path in Path(FIGURES).iterdir())
