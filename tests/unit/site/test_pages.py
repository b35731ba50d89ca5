"""The pages of docs: each is reached from the front page; and those who need Sphinx, where it is."""

import re
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from gnomon_site.places import ignored_pages, write_pages

DOCS = ROOT / "docs"
TOCTREE = re.compile(r"^(`{3,}|:{3,})\{toctree\}\n(?P<body>.*?)^\1$", re.MULTILINE | re.DOTALL)
GENERATED = ignored_pages((ROOT / ".gitignore").read_text(encoding="utf-8"))


def entries(page: Path) -> set[Path]:
    """Return the pages that the tables of contents of a page list, written ones only."""
    found: set[Path] = set()
    for block in TOCTREE.finditer(page.read_text(encoding="utf-8")):
        lines = [line.strip() for line in block["body"].splitlines()]
        for name in [line for line in lines if line and not line.startswith(":")]:
            inner = re.search(r"<(.+)>$", name)
            target = inner[1] if inner else name
            found |= {path.resolve() for path in page.parent.glob(f"{target}.md")}
    return {path for path in found if not any(path.is_relative_to(each) for each in GENERATED)}


def test_every_page_is_reached_from_the_front_page() -> None:
    reached = {DOCS / "index.md"}
    todo = list(reached)
    while todo:
        new = entries(todo.pop()) - reached
        reached |= new
        todo += new
    written = {
        page
        for page in DOCS.rglob("*.md")
        if not any(page.is_relative_to(place) for place in GENERATED)
    }

    assert set() == written - reached


def test_generated_pages_are_written_once_and_others_removed(tmp_path: Path) -> None:
    write_pages(tmp_path, {"a.md": "one", "sub/b.md": "two"})
    before = (tmp_path / "a.md").stat().st_mtime_ns
    write_pages(tmp_path, {"a.md": "one"})

    assert before == (tmp_path / "a.md").stat().st_mtime_ns
    assert ["a.md"] == [path.name for path in tmp_path.rglob("*")]


# Where the tools are installed


def test_formulae_are_drawn_without_a_script() -> None:
    pytest.importorskip("latex2mathml")
    pytest.importorskip("sphinx")
    from gnomon_site.mathml import mathml

    drawn = mathml(r"s \sim_i t \setminus \mathrm{CPre}(\Gamma, Z)")

    assert drawn.startswith(r'<math alttext="s \sim_i t \setminus')
    assert "<mo>&#x0223C;</mo>" in drawn and "<mo>&#x02216;</mo>" in drawn
    assert "<mi>CPre</mi>" in drawn
    assert 'display="block"' in mathml("x", block=True)


def test_every_formula_of_the_semantics_can_be_drawn() -> None:
    pytest.importorskip("latex2mathml")
    pytest.importorskip("sphinx")
    from xml.etree import ElementTree as ET

    from gnomon_site.mathml import mathml

    text = (DOCS / "reference" / "semantics.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    formulae = re.findall(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", prose)

    assert len(formulae) > 100
    for block, inline in formulae:
        drawn = mathml(block or inline, block=bool(block))
        ET.fromstring(drawn)
        assert "\\" not in re.sub(r'alttext="[^"]*"', "", drawn)


def test_every_public_name_of_python_has_a_page() -> None:
    import gnomon
    from gnomon_site.api_pages import api_pages

    pages = api_pages()
    text = "\n".join(pages.values())

    assert [] == [
        name
        for name in gnomon.__all__
        if name != "__version__" and not re.search(rf":: gnomon\.{name}$", text, re.MULTILINE)
    ]


def test_docstrings_become_text_for_sphinx() -> None:
    from gnomon_site.api_pages import as_restructured_text

    lines = ["Uses `x_` and CTL*; see `load`.", "", ">>> a*b", "`c`", "", "An end_ of it."]

    assert [
        "Uses ``x_`` and CTL\\*; see :py:obj:`load <gnomon.load>`.",
        "",
        ">>> a*b",
        "`c`",
        "",
        "An end\\_ of it.",
    ] == as_restructured_text(lines, {"load": "gnomon.load"})


def test_blocks_in_the_languages_of_the_pages_have_colours() -> None:
    pytest.importorskip("pygments")
    from pygments.token import Error  # type: ignore[import-untyped]

    from gnomon_site.lexers import LEXERS

    grammar = (DOCS / "reference" / "language.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```ebnf\n(.*?)^```", grammar, re.MULTILINE | re.DOTALL)

    assert [] == [text for kind, text in LEXERS["ebnf"]().get_tokens(block) if kind is Error]
