"""Exit statuses are a promise: they stand in one place, and the documentation has the same ones."""

import re
from pathlib import Path

import pytest

from gnomon.interfaces import cli
from gnomon.interfaces.cli.main import COMMANDS, main
from gnomon.interfaces.cli.status import Status
from tests.support import ROOT

NUMBERS = [int(status) for status in Status]


def test_the_documentation_lists_every_status() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    table = page.partition("## Exit status\n")[2].partition("\n## ")[0]

    assert [int(row) for row in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == NUMBERS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_speaks_of_no_other_status(name: str) -> None:
    command = main.get_command(main.make_context("gnomon", ["check"]), name)
    assert command is not None
    said = (command.epilog or "").partition("Exit status:")[2].partition("\n\n")[0]

    assert set() == {int(number) for number in re.findall(r"\d+", said)} - set(NUMBERS)


def test_no_other_module_says_a_status_by_its_number() -> None:
    folder = Path(cli.__path__[0])
    spoken = re.compile(
        r"(?:return|exit_code =|sys\.exit\() ?(\d+)\)?$|\b(130|141|143)\b", re.MULTILINE
    )
    elsewhere = [path for path in folder.glob("*.py") if path.name != "status.py"]
    found = {path.name: [match[0] for match in spoken.finditer(_code(path))] for path in elsewhere}

    assert {"screen.py": ["return 80"]} == {name: words for name, words in found.items() if words}


def _code(path: Path) -> str:
    """Return the text of a module without its strings of several lines, which are for people."""
    return re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
