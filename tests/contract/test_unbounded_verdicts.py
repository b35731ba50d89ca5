"""Programs over unbounded numbers with verdicts that mathematics gave, from the folder of shared models."""

import runpy
from functools import cache
from pathlib import Path

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value
from tests.support import VACUOUS, shared_models_or_none

#: How many counters, loops, heaps: larger ones say nothing else.
_LARGEST = 10
_VERDICTS = {"T": Value.TRUE, "F": Value.FALSE}


def _folder() -> Path | None:
    models = shared_models_or_none()
    return None if models is None else models / "unbounded"


def _programs() -> dict[str, list[str]]:
    folder = _folder()
    if folder is None:
        return {}
    rows = (line.split() for line in (folder / "verdicts.txt").read_text("utf-8").splitlines())
    return {name: verdicts for name, *verdicts in rows if _size(name) <= _LARGEST}


def _size(name: str) -> int:
    last = name.rpartition("_")[2]
    return int(last) if last.isdigit() else 0


@cache
def _written() -> dict[str, tuple[str, list[str]]]:
    folder = _folder()
    assert folder is not None
    found: dict[str, tuple[str, list[str]]] = runpy.run_path(str(folder / "gen.py"))["M"]
    return found


@pytest.mark.parametrize("name", _programs())
def test_a_program_gets_the_verdicts_of_mathematics(name: str) -> None:
    text, expected = _written()[name]
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    found = check(loaded.system, options=Options(allow=VACUOUS)).verdicts

    for number, (verdict, letter) in enumerate(zip(found, expected, strict=True), 1):
        wanted = _VERDICTS.get(letter, Value.UNDEFINED)
        assert wanted is verdict.value, (number, verdict.reason)
