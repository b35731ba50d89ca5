"""Runs `gnomon` the way its users do, in a folder with a model."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.interfaces.cli.main import main
from tests.unit.results.samples import MODEL

TRUE = "AG(acknowledged -> K(Sender, received))"
FALSE = "AF received"


def gnomon(*arguments: str, given: str | bytes = "") -> Result:
    """Run a command and return its outcome."""
    runner = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"})
    return runner.invoke(main, list(arguments), input=given, prog_name="gnomon")


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a model in the folder we are in."""
    monkeypatch.chdir(tmp_path)
    Path("bits.ispl").write_text(MODEL, encoding="utf-8")
    return "bits.ispl"
