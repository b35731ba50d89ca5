"""Pictures that are saved as files."""

from pathlib import Path

import pytest

import gnomon
from tests.support import EXAMPLES


@pytest.fixture(scope="module")
def model() -> gnomon.Model:
    return gnomon.load(str(EXAMPLES / "tickets.ispl"))


@pytest.mark.parametrize(
    ("ending", "sign"),
    [
        ("svg", "<svg"),
        ("SVG", "<svg"),
        ("dot", "digraph"),
        ("gv", "digraph"),
        ("tex", "tikzpicture"),
        ("tikz", "tikzpicture"),
        ("mmd", "flowchart"),
        ("mermaid", "flowchart"),
    ],
)
def test_the_ending_says_the_format(
    model: gnomon.Model, tmp_path: Path, ending: str, sign: str
) -> None:
    evidence = model.check("AG !full")[0].evidence
    assert evidence is not None
    for picture in (model.graph(), evidence.graph()):
        picture.save(tmp_path / f"x.{ending}")
        assert sign in (tmp_path / f"x.{ending}").read_text(encoding="utf-8")


def test_other_formats_are_said_to_be_made_of_svg(model: gnomon.Model, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"rsvg-convert -f png -o x\.png x\.svg"):
        model.graph().save(tmp_path / "x.png")

    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x", "x.docx"])
def test_an_ending_that_says_nothing_is_refused(
    model: gnomon.Model, tmp_path: Path, name: str
) -> None:
    with pytest.raises(ValueError, match="is none of them"):
        model.graph().save(str(tmp_path / name))


def test_a_place_that_cannot_be_written_to_is_named(model: gnomon.Model, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere/x\.svg"):
        model.graph().save(tmp_path / "nowhere" / "x.svg")
