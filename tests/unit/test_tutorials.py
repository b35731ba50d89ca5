"""The figures of the tutorials are what Gnomon draws of the programs on their pages."""

import os
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon
from tests.spec.reader import read_cases
from tests.support import ROOT

TUTORIALS = ROOT / "docs" / "tutorials"
FIGURES = TUTORIALS / "figures"

#: Sketches are drawn by hand: they show what somebody had in mind before there was a model.
SKETCHES = {"desk-sketch.svg"}

QUIETLY = ("--hide-action", "wait", "--no-line-numbers")
UNIFORM = ("ann_can_be_right", "--strategies", "uniform")
#: By their names: the page that has the program, and the command.
DRAWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "desk-who.svg": ("agents-with-approval.md", ("who", "desk.ispl", "F harm", "--format", "svg")),
    "approval-hole.svg": (
        "agents-with-approval.md",
        ("explain-verdict", "approval.ispl", "no_harm", "--format", "svg", *QUIETLY),
    ),
    "cards-clash.svg": (
        "card-game.md",
        ("explain-verdict", "cards.ispl", *UNIFORM, "--format", "svg"),
    ),
    "cards-strategy.svg": (
        "card-game.md",
        (
            "explain-verdict",
            "cards.ispl",
            *UNIFORM,
            "--set",
            "peeks=1",
            "--format",
            "svg",
            *QUIETLY,
        ),
    ),
    "swarm-three.svg": (
        "swarm.md",
        ("show", "three.ispl", "--agents", "Environment,Robot1", "--graph", "svg"),
    ),
    "tokens-owner.svg": (
        "unbounded.md",
        ("explain-verdict", "lamp.ispl", "owner_notices", "--format", "svg", "--no-line-numbers"),
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_is_what_is_drawn_of_the_program_on_the_page(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page, command = DRAWN[name]
    for case in read_cases(TUTORIALS / page):
        for block in case.blocks:
            if block.file:
                Path(block.file).write_text(block.text, encoding="utf-8")
    if "three.ispl" in command:
        gnomon("export", "freed.ispl", "--agents", "3", "-o", "three.ispl")

    drawn = gnomon(*command).stdout
    assert drawn.startswith("<svg")
    if os.environ.get("GNOMON_UPDATE_SPECS"):
        FIGURES.joinpath(name).write_text(drawn, encoding="utf-8")

    assert FIGURES.joinpath(name).read_text(encoding="utf-8") == drawn


def test_every_figure_is_drawn_and_shown() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in TUTORIALS.glob("*.md"))
    found = {path.name for path in FIGURES.iterdir()}

    assert {*DRAWN, *SKETCHES} == found
    assert set() == {name for name in found if f"(figures/{name})" not in pages}
