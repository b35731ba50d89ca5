"""What starts quickly imports little; what is imported is the same on every machine."""

import subprocess
import sys

import pytest

from tests.unit.results import samples

HEAVY = ("z3", "rich", "asyncio", "jsonschema", "hypothesis", "pygls", "starlette", "numpy")

PROBE = """
import sys
{work}
found = [name for name in {heavy!r} if name in sys.modules]
print(found, file=sys.stderr)
"""


def heavy_after(work: str, text: str = "") -> str:
    program = PROBE.format(work=work, heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, input=text, check=False
    )
    return done.stderr.strip().splitlines()[-1]


def test_importing_gnomon_imports_nothing_heavy() -> None:
    assert heavy_after("import gnomon") == "[]"


@pytest.mark.parametrize("arguments", [["check", "-"], ["check", "-", "--json"], ["show", "-"]])
def test_a_command_imports_nothing_heavy(arguments: list[str]) -> None:
    work = f"""
from gnomon.interfaces.cli.main import main
try:
    main({arguments!r}, prog_name="gnomon")
except SystemExit:
    pass
"""

    assert heavy_after(work, samples.MODEL) == "[]"


def test_a_check_in_text_needs_no_other_command_and_no_json() -> None:
    work = """
from gnomon.interfaces.cli.main import main
try:
    main(["check", "-"], prog_name="gnomon")
except SystemExit:
    pass
others = ("show", "simulate", "fmt", "explain", "explain_verdict")
assert not [name for name in others if f"gnomon.interfaces.cli.{name}" in sys.modules]
assert "json" not in sys.modules
"""

    assert heavy_after(work, samples.MODEL) == "[]"


def test_the_plugin_of_pytest_imports_nothing_of_gnomon_until_it_is_wanted() -> None:
    work = """
import pytest
import gnomon.interfaces.pytest.plugin
stages = ("checking", "model", "results", "language", "text", "api", "testing")
assert not [name for name in stages if f"gnomon.{name}" in sys.modules]
"""

    assert heavy_after(work) == "[]"
