"""The notebooks run in any folder, what they claim is so, and they are stored as they were written."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
IDS = [path.stem for path in NOTEBOOKS]
TUTORIALS = ROOT / "docs" / "tutorials"
SECONDS_FOR_A_CELL = 120
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def test_every_tutorial_is_a_notebook() -> None:
    pages = {page.stem for page in TUTORIALS.glob("*.md")}

    assert sorted(pages - {"index"}) == IDS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_is_stored_without_what_it_prints(path: Path) -> None:
    notebook = read(path)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]

    assert [] == [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"]]
    assert {} == {cell["id"]: cell["metadata"] for cell in notebook["cells"] if cell["metadata"]}
    assert notebook["metadata"] == METADATA
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_is_stored_as_jupyter_writes_it(path: Path) -> None:
    written = json.dumps(read(path), indent=1, ensure_ascii=False) + "\n"

    assert written == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_makes_claims_and_needs_no_checkout(path: Path) -> None:
    code = ["".join(it["source"]) for it in read(path)["cells"] if it["cell_type"] == "code"]

    assert [text for text in code if "assert " in text]
    assert [] == [text for text in code if "examples/" in text or ".load(" in text]


@pytest.mark.parametrize("name", [name for name in IDS if name != "first-steps"])
def test_the_programs_of_a_notebook_are_those_of_its_tutorial(name: str) -> None:
    cells = read(ROOT / "examples" / "notebooks" / f"{name}.ipynb")["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    programs = re.findall(r'= """\n(.*?)"""', code, re.DOTALL)
    page = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")

    assert programs
    assert [] == [program for program in programs if program not in page]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what Jupyter is yet to change
@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_runs_and_its_claims_hold(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ipykernel")
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    # No kernel of somebody's own has the name of the one that comes with this interpreter.
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_PATH", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    which = nbformat.v4.new_code_cell("import sys\nprint(sys.executable)", id="which")
    notebook.cells.append(which)

    nbclient.NotebookClient(
        notebook,
        timeout=SECONDS_FOR_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()

    [printed] = notebook.cells[-1].outputs
    assert sys.executable == printed.text.strip()
    shown = [it for cell in notebook.cells[:-1] for it in cell.get("outputs", ())]
    assert [] == [it.text for it in shown if it.get("name") == "stderr"]
