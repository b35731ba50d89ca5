"""Text inside the languages of others."""

import re

import pytest

from gnomon.results.render.markup import in_dot, in_mermaid, in_tex, in_xml
from gnomon.results.render.tikz_pieces import lines_of

HOSTILE = "\\{}$&#^_%~`'\"|<>[*-- ``?`\x07\n"


def test_tex_gets_nothing_that_it_would_obey() -> None:
    written = in_tex(HOSTILE)
    plain = re.sub(r"\{\\char\d+\}|\\[$&#%_]|\$\\\w+\$", "", written)

    assert not set("\\{}$&#^_%~`'\"") & set(plain)
    assert "\n" not in written
    assert written.count("{") == written.count("}")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b", r"a\_b"),
        ("x|y", "x|y"),
        ("\\end{tikzpicture}", r"{\char92}end{\char123}tikzpicture{\char125}"),
        ("  a", "~~a"),
        ("⊨ p … ≈", r"$\models$ p \ldots{} $\approx$"),
        ("x\x07", r"x{\char92}x07"),
    ],
)
def test_tex_shows_a_text_as_it_is(text: str, written: str) -> None:
    assert in_tex(text) == written


def test_no_line_is_an_argument_of_the_line_break_before() -> None:
    assert lines_of(["a", "[2pt] b", "* c", ""]) == r"a\\{}[2pt] b\\{}* c\\{}"


def test_the_others_get_nothing_that_ends_a_text() -> None:
    assert re.sub(r"\\\\|\\\"", "", in_dot(HOSTILE)).count('"') == 0
    assert not set('"<>`|') & set(in_mermaid(HOSTILE))
    assert not set('"<>') & set(in_xml(HOSTILE))
