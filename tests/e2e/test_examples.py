"""Every example keeps what it promises: the verdict written behind each formula."""

import re
from pathlib import Path

import pytest

import gnomon
from gnomon.checking.load import load
from gnomon.language.format import format_text
from tests.support import EXAMPLES

FILES = [
    path
    for folder in ("", "unbounded/", "parameterised/")
    for path in sorted(EXAMPLES.glob(f"{folder}*.ispl"))
]
CLAIM = re.compile(r"--\s*(true|false|unknown)(:.*)?$")


def claims(text: str) -> dict[int, str]:
    """Return the claimed verdict of the formula that starts on each line."""
    lines = text.splitlines()
    inside = lines.index("Formulae") + 1
    found: dict[int, str] = {}
    start = None
    for number, line in enumerate(lines[inside:], start=inside + 1):
        code = line.split("--")[0].strip()
        if code and not code.startswith(("for ", "end ")) and start is None:
            start = number
        if match := CLAIM.search(line):
            assert start is not None
            found[start] = match.group(1)
            start = None
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_the_verdicts_it_claims(path: Path) -> None:
    result = gnomon.check(gnomon.load(str(path)))

    assert claims(path.read_text()) == {answer.line: str(answer.value) for answer in result}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_raises_no_warning_and_is_formatted(path: Path) -> None:
    loaded = load(str(path))

    assert () == loaded.diagnostics
    assert format_text(loaded.source) == path.read_text()


@pytest.mark.parametrize(("name", "n"), [("dining_cryptographers", 4), ("muddy_children", 5)])
def test_a_family_keeps_its_verdicts_at_other_sizes(name: str, n: int) -> None:
    path = EXAMPLES / f"{name}.ispl"
    result = gnomon.check(gnomon.load(str(path), n=n))

    assert claims(path.read_text()) == {answer.line: str(answer.value) for answer in result}
