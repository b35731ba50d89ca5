"""Expressions over names mean what Python would say of them, and what is none is refused with a reason."""

import keyword
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.checking.keyword_expression import BadSelection, selection

NAME = "models/Door.ispl::safe[1]"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", True),
        ("  ", True),
        ("door", True),
        ("DOOR", True),
        ("safe[1]", True),
        ("::safe", True),
        ("models/door.ispl::safe", True),
        ("window", False),
        ("not window", True),
        ("not not door", True),
        ("door and safe", True),
        ("door and window", False),
        ("window or safe", True),
        ("not door or safe", True),
        ("not (door or safe)", False),
        ("window and x or safe", True),
        ("safe or x and window", True),
        ("(safe or x) and window", False),
        ("((door))", True),
        ("android", False),
        ("order", False),
        ("1", True),
    ],
)
def test_a_word_means_every_name_in_which_it_occurs(text: str, meant: bool) -> None:
    assert meant == selection(text).means(NAME)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("and", "something missing before `and`"),
        ("a and", "something missing behind `and`"),
        ("a or or b", "something missing before `or`"),
        ("not", "something missing behind `not`"),
        ("a b", "something missing before `b`"),
        ("a not b", "something missing before `not`"),
        ("()", "something missing before `)`"),
        ("(a", "a `(` without its `)`"),
        ("a)", "a `)` without its `(`"),
        (")", "something missing before `)`"),
        ("a (b)", "something missing before `(`"),
        ("a" * 10_001, "more than 10,000 characters"),
    ],
)
def test_what_is_no_expression_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadSelection, match=re.escape(reason)):
        selection(text)


def test_brackets_may_be_as_deep_as_the_text_is_long() -> None:
    deep = "(" * 4_000 + "door" + ")" * 4_000

    assert selection(deep).means(NAME)
    assert not selection("not " * 2_001 + "door").means(NAME)


WORDS = st.sampled_from(["a", "b", "ab", "c.d", "x_1"])
TOKENS = st.lists(st.one_of(WORDS, st.sampled_from(["and", "or", "not", "(", ")"])), max_size=9)


@given(TOKENS, st.sets(WORDS))
def test_an_expression_means_what_python_says_it_does(tokens: list[str], held: set[str]) -> None:
    name = "::".join(sorted(held))
    words = [
        token if keyword.iskeyword(token) or token in "()" else str(token in name)
        for token in tokens
    ]
    try:
        wanted = eval(" ".join(words) or "True")
    except (SyntaxError, TypeError):
        wanted = None
    try:
        found = selection(" ".join(tokens)).means(name)
    except BadSelection:
        found = None

    assert wanted == found or "()" in "".join(tokens)
