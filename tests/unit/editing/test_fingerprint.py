"""What a verdict depends on, and what it does not."""

import pytest

from gnomon.editing.analysis import Analysis, analyse
from gnomon.editing.fingerprint import ModelPlaces, formula_keys, is_harmless
from gnomon.text.source import Source, Span
from tests.editor import example

TEXT = example("dining_cryptographers.ispl")


def _analysis(text: str) -> Analysis:
    return analyse(Source("a.ispl", text))


def _first(text: str) -> object:
    keys = formula_keys(_analysis(text))
    return keys[min(keys)] if keys else None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Semantics", "-- a word\nSemantics"),
        ("\n\n", "\n\n\n"),
        ("Formulae\n", "Formulae\n  another : EF even;\n"),
    ],
)
def test_blanks_comments_and_other_formulae_change_nothing(old: str, new: str) -> None:
    assert old in TEXT
    before, after = (
        formula_keys(_analysis(TEXT)),
        formula_keys(_analysis(TEXT.replace(old, new, 1))),
    )

    assert set(before.values()) <= set(after.values())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n = 3", "n = 4"),
        ("SingleAssignment", "MultiAssignment"),
        ("paid : boolean", "paid : boolean = false"),
        ("even if", "even if false and"),
        ("Formulae", "--! deny G0407\nFormulae"),
        ("coin[i mod n + 1]", "coin[i]"),
    ],
)
def test_whatever_else_is_written_changes_all(old: str, new: str) -> None:
    assert old in TEXT
    before, after = (
        formula_keys(_analysis(TEXT)),
        formula_keys(_analysis(TEXT.replace(old, new, 1))),
    )

    assert set(before.values()).isdisjoint(after.values())


def test_a_text_with_mistakes_has_no_verdicts() -> None:
    assert {} == formula_keys(_analysis(TEXT.replace("Evaluation", "Evaluaton")))


def test_copies_of_one_line_are_different_questions() -> None:
    keys = formula_keys(_analysis(TEXT))

    assert len(keys) == len(set(keys.values()))


@pytest.mark.parametrize(
    ("text", "place", "new", "harmless"),
    [
        ("x -- word\n", (7, 8), "n", True),
        ("x -- word\n", (9, 9), "s", True),
        ("x -- word\n", (7, 8), "\n", False),
        ("x -- word\n", (7, 11), "", False),
        ("x -- word\n", (7, 8), "\r", False),
        ("x -- word\n", (2, 3), "", False),
        ("x -- word\n", (4, 4), "!", False),
        ("x --word\n", (4, 5), "! allow", False),
        ("x --! word\n", (8, 9), "n", False),
        ("x - word\n", (4, 5), "n", False),
        ("x -- a\ny\n", (8, 8), "z", False),
        ("-- a", (4, 4), "b", True),
    ],
)
def test_only_the_inside_of_an_ordinary_comment_is_harmless(
    text: str, place: tuple[int, int], new: str, *, harmless: bool
) -> None:
    assert harmless == is_harmless(text, Span(*place), new)


def test_places_stay_with_their_statement_when_comments_move_it() -> None:
    before = _analysis(TEXT)
    moved = _analysis("-- one\n\n-- two\n" + TEXT.replace("Vars:", "-- three\n  Vars:"))
    old, new = ModelPlaces(before), ModelPlaces(moved)
    lines = [number for number, line in enumerate(TEXT.split("\n"), 1) if " if " in line][:8]
    for line in lines:
        number = old.number_at(line)
        first, then = old.span(number), new.span(number)
        assert first is not None and then is not None

        assert before.text[first.start : first.end] == moved.text[then.start : then.end]
        assert line == before.source.line_of(first)
