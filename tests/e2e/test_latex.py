"""What the page on figures says of LaTeX: its documents and its table are what LaTeX reads."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon
from tests.spec.reader import read_cases
from tests.spec.runner import run_case
from tests.support import ROOT

PAGE = ROOT / "docs" / "how-to" / "figures.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with everything that the page makes."""
    monkeypatch.chdir(tmp_path)
    for case in read_cases(PAGE):
        run_case(case, update=False)
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX here")
@pytest.mark.parametrize("name", ["paper", "plot"])
def test_the_documents_of_the_page_are_typeset(folder: Path, name: str) -> None:
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert (folder / f"{name}.pdf").stat().st_size > 1000


@pytest.mark.slow
def test_the_table_of_the_page_is_the_one_of_the_campaign(folder: Path) -> None:
    gnomon(*"campaign run lamps.ispl --set n=2..4 --engine bdd --engine explicit".split())
    gnomon("campaign", "report", "lamps.store", "--tables", "tables")
    written = (folder / "tables" / "sizes-lamps.ispl.tex").read_text(encoding="utf-8")

    assert f"```latex\n{written}```" in PAGE.read_text(encoding="utf-8")
