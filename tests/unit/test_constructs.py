"""The tables of what each kind of model takes are right: each row is written in a program of each kind."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from gnomon.checking.load import load_text, read_specification
from gnomon.checking.options import Options
from gnomon.checking.refusals import refusals
from gnomon.text.diagnostic import InputError
from tests.support import ROOT

KINDS = ("finite", "unbounded", "parameterised")

PROGRAM = """
{section}
Definitions lit[i : 0..2] := Environment.x[i] = 1; dark := !lit[0]; end Definitions
{relations}
{environment}
  Obsvars: k : 0..2; x[i : 0..2] : 0..2; on : boolean; {number} end Obsvars
  Actions = {{ tick }};
  Protocol: true : {{ tick }}; end Protocol
  Evolution: k = 1 if Action = tick; end Evolution
end {ending}
{kind} Ann
  Vars: j : 0..2; y[i : 0..2] : 0..2; last : {{ go, rest }}; end Vars
  Actions = {{ go, rest }};
  Protocol: true : {{ go, rest }}; end Protocol
  Evolution: {line} if Action = go; end Evolution
end {kind}
Evaluation p if Environment.k = 1; q if Environment.on; r if {condition}; end Evaluation
InitStates {initial}; end InitStates
Formulae EF p; end Formulae
"""


def program(kind: str, **parts: str) -> str:
    """Return a program of a kind, with one of its parts as in a row."""
    is_open = kind == "parameterised"
    given = {
        "section": "",
        "line": "j = 1",
        "condition": "Environment.on",
        "number": "n : int;" if kind == "unbounded" else "",
        "relations": "Types D : 0..2; end Types Relations Near : D; end Relations"
        if is_open
        else "",
        "environment": "Environment" if is_open else "Agent Environment",
        "ending": "Environment" if is_open else "Agent",
        "kind": "Template" if is_open else "Agent",
        "initial": "Environment.k = 0" + (" and Environment.n = 0" if kind == "unbounded" else ""),
    }
    return PROGRAM.format(**{**given, **parts})


def taken(kind: str, heading: str, text: str) -> str:
    """Return what is said of a row in a program of a kind: "yes", or the code of the first error."""
    part = {"Condition": "condition", "Change": "line", "Section": "section"}.get(heading)
    loaded = load_text(program(kind, **({part: text} if part else {})))
    errors = [item.code for item in loaded.diagnostics if item.is_error]
    if part is None:
        try:
            asked = read_specification(loaded, text)
            assert loaded.model is not None
            errors = [
                item.code for item in refusals(loaded.model, (asked,), Options(), loaded.source)
            ]
        except InputError as error:
            errors = [item.code for item in error.diagnostics if item.is_error]
    return errors[0] if errors else "yes"


@cache
def rows() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the rows of the tables: the heading, what is written, and what is said of each kind."""
    return tuple(_rows())


def _rows() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    text = (ROOT / "docs/reference/language.md").read_text("utf-8")
    section = text.split("## What each kind of model takes")[1].split("\n## ")[0]
    heading = ""
    for line in section.splitlines():
        if not line.startswith("| "):
            continue
        first, *cells = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        if not first.startswith("`"):
            heading = first
            continue
        said = tuple(cell.split()[0].strip("`,") for cell in cells[:3])
        for sample in re.findall(r"`([^`]+)`", first):
            yield heading, sample, said


def test_there_are_many_rows_of_each_table() -> None:
    found = [heading for heading, _, _ in rows()]

    assert {"Condition", "Change", "Section", "Formula"} == set(found)
    assert len(found) > 60


@pytest.mark.parametrize("place", range(4))
def test_the_tables_say_what_each_kind_takes(place: int) -> None:
    wrong = {
        (text, kind): (expected, found)
        for heading, text, said in rows()[place::4]
        for kind, expected in zip(KINDS, said, strict=True)
        if expected != (found := taken(kind, heading, text))
    }

    assert {} == wrong
