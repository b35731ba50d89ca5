import pytest

from gnomon.text.codes import CODES
from tests.e2e.cli import gnomon


@pytest.mark.parametrize("code", ["G0204", "g0204", "204"])
def test_a_code_has_its_story(code: str) -> None:
    result = gnomon("explain", code)

    assert result.exit_code == 0
    assert result.stdout.startswith(f"error[G0204]: {CODES['G0204'].title}\n\n")


def test_without_a_code_all_are_listed() -> None:
    lines = gnomon("explain").stdout.splitlines()

    assert [line.split()[0] for line in lines if line.startswith("G")] == sorted(CODES)


def test_an_unknown_code_gets_suggestions() -> None:
    result = gnomon("explain", "G0299")

    assert result.exit_code == 2
    assert "did you mean G02" in result.stderr


def test_a_word_finds_codes() -> None:
    assert "G0103" in gnomon("explain", "semicolon").stderr
