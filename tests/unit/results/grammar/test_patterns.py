"""Patterns that say where a word is special: they are understood everywhere, and leave no word out."""

import re
from collections.abc import Iterator

import pytest

from gnomon.language import lexer, words
from gnomon.results.grammar import patterns


def all_patterns() -> Iterator[str]:
    for name, value in vars(patterns).items():
        if isinstance(value, str) and name.isupper():
            yield value
    yield from patterns.IN_CONDITIONS.values()
    yield from patterns.IN_FORMULAE.values()
    yield from (pattern for _, pattern in patterns.DECLARED.values())
    yield from map(patterns.symbols, patterns.SYMBOLS)


def test_python_understands_all_patterns() -> None:
    for pattern in all_patterns():
        re.compile(pattern, re.MULTILINE)


def test_every_sign_of_the_lexer_has_a_kind_and_is_found_whole() -> None:
    every = [sign for signs in patterns.SYMBOLS.values() for sign in signs]

    assert lexer.OPERATORS == set(every)
    assert len(set(every)) == len(every)
    for kind, signs in patterns.SYMBOLS.items():
        for sign in every:
            assert (sign in signs) == bool(re.fullmatch(patterns.symbols(kind), sign))
            assert (sign in signs) == bool(re.match(patterns.symbols(kind), sign))


def test_sections_that_are_told_apart_are_sections() -> None:
    assert set(patterns.DECLARED) | set(patterns.OF_FORMULAE) <= set(words.words("section"))


@pytest.mark.parametrize("word", sorted(words.KEYWORDS))
def test_a_word_is_found_whole(word: str) -> None:
    pattern = patterns.any_word(tuple(sorted(words.KEYWORDS)))

    assert (found := re.match(pattern, f"{word} x")) and found.group() == word
    assert not re.match(pattern, f"{word.rstrip('*')}_x")


@pytest.mark.parametrize(
    ("text", "is_operator"),
    [
        ("x mod 2", True),
        ("x[1] mod (y)", True),
        ("f(x) mod -1", True),
        ("x mod\n2", True),
        ("mod = 2", False),
        ("x = mod and y", False),
        ("x + mod - 1", False),
        ("(mod - 1)", False),
        ("a.mod - 1", False),
        ("mod -> x", False),
    ],
)
def test_an_operator_stands_between_two_operands(text: str, is_operator: bool) -> None:
    pattern = re.compile(patterns.IN_CONDITIONS["operator"], re.MULTILINE)

    assert is_operator == bool(pattern.match(text, text.index("mod")))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Agent Bob", True),
        ("Vars:", True),
        ("Environment", True),
        ("Environment Vars: ", True),
        ("Template Bee", True),
        ("Types:", True),
        ("Environment.x = 1", False),
        ("Template in { 1 }", False),
        ("Template.x", False),
        ("Types : boolean;", False),
        ("Sync = 1", False),
    ],
)
def test_a_section_is_over_where_the_next_one_begins(text: str, ends: bool) -> None:
    assert ends == bool(re.compile(patterns.NEXT_SECTION, re.MULTILINE).match(text))
