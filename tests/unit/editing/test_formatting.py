"""Formatting in an editor changes blanks, and nothing but those that were asked for."""

from pathlib import Path
from random import Random

import pytest

from gnomon.editing.edits import changed
from gnomon.editing.formatting import formatted, formatted_lines, indentation
from gnomon.language.format import format_text
from gnomon.text.source import Source, Span

EXAMPLES = sorted(Path("examples").rglob("*.ispl"))


def _mangled(text: str, random: Random) -> str:
    """Return a text with other blanks between the same tokens."""
    lines = []
    for line in text.split("\n"):
        words = line.split("--")
        if len(words) == 1 and random.random() < 0.5:
            blanks = random.choice(("  ", "\t", " \n   ", "\n\n"))
            lines.append(blanks.join(line.split(" ")))
        else:
            lines.append(random.choice(("", "   ", "\n")) + line.lstrip())
    return "\n".join(lines)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_whole_text_becomes_what_the_command_makes_of_it(path: Path, ends: str) -> None:
    text = path.read_text(encoding="utf-8")
    mangled = _mangled(text, Random(path.stem))
    given = mangled.replace("\n", ends)
    changes = formatted(given, "a.ispl")
    assert changes is not None
    found = changed(given, changes)

    assert format_text(Source("a.ispl", mangled)) == found.replace("\r\n", "\n")
    assert all(not given[change.span.start : change.span.end].strip() for change in changes)
    assert all(not change.text.strip() for change in changes)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_formatting_some_lines_loses_nothing_and_leaves_the_others(path: Path) -> None:
    random = Random(path.stem)
    mangled = _mangled(path.read_text(encoding="utf-8"), random)
    for _ in range(5):
        start = random.randrange(len(mangled))
        part = Span(start, min(len(mangled), start + random.choice((0, 10, 300))))
        changes = formatted_lines(mangled, "a.ispl", part)
        assert changes is not None
        found = changed(mangled, changes)

        assert mangled.split() == found.split()
        assert all(part.start <= change.span.end <= part.end for change in changes)


def test_a_text_that_is_formatted_already_stays_as_it_is() -> None:
    text = Path("examples/tickets.ispl").read_text(encoding="utf-8")

    assert [] == formatted(text, "a.ispl")
    assert [] == formatted(text.replace("\n", "\r\n"), "a.ispl")


def test_a_text_that_cannot_be_read_is_left_alone() -> None:
    assert None is formatted("Agent ; Vars", "a.ispl")


@pytest.mark.parametrize(
    ("text", "blanks"),
    [
        ("Agent Ann\n|", 2),
        ("Agent Ann\n  Vars:\n|", 4),
        ("Agent Ann\n  Vars:\n    x : 0..3;\n|", 4),
        ("Agent Ann\n  Vars:\n    x : 0..3;\n|end Vars", 2),
        ("Agent Ann\n  Vars: x : 0..3; end Vars\n|", 2),
        ("Evaluation\n  p if Ann.x = 1\n|", 4),
        ("Evaluation\n  p if true;\nend Evaluation\n|", 0),
        ("|", 0),
    ],
)
def test_a_new_line_is_indented_by_what_is_open(text: str, blanks: int) -> None:
    offset = text.index("|")

    assert " " * blanks == indentation(text.replace("|", ""), offset)
