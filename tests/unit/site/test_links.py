"""Links: those that lead out of docs, those from codes to their pages, and dead ones in a built site."""

import doctest
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from gnomon_site import captions, code_links, link_check, outside, places
from gnomon_site.code_links import link_codes
from gnomon_site.outside import relink


@pytest.mark.parametrize(
    "module", [captions, code_links, places], ids=["captions", "code_links", "places"]
)
def test_the_examples_in_docstrings_run(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]  # a module

    assert (result.attempted > 0, result.failed) == (True, 0)


# Out of docs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[map](../../CONTRIBUTING.md#the-map)", "[map](../project/contributing.md#the-map)"),
        ("[`code`](../../SECURITY.md)", "[`code`](../project/security.md)"),
        ("[it](../../README.md)", "[it](../index.md)"),
        ("[a page](semantics.md#time)", "[a page](semantics.md#time)"),
        ("[here](#time)", "[here](#time)"),
        ("[elsewhere](https://example.org/a.md)", "[elsewhere](https://example.org/a.md)"),
        ("[the tests](../../tests/spec)", "the tests"),
        ("[a file](../../LICENSE)", "[a file](../../LICENSE)"),
    ],
)
def test_links_out_of_docs_lead_to_pages_of_the_site(text: str, expected: str) -> None:
    folder = places.DOCS / "reference"

    assert expected == relink(text, folder, folder)


def test_blocks_of_code_keep_their_links() -> None:
    folder = places.DOCS / "reference"
    text = "```markdown\n[map](../../CONTRIBUTING.md)\n```\n"

    assert text == relink(text, folder, folder)


def test_pages_from_outside_link_back_to_those_of_docs() -> None:
    pages = outside.project_pages()

    assert {"index.md", *(f"{name}.md" for name in outside.OUTSIDE.values())} == set(pages)
    assert "](../reference/semantics.md" in pages["contributing.md"]
    assert "](../decisions/README.md)" in pages["contributing.md"]


# Codes


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>G0206</p>", '<p><a class="code-link" href="x/G0206.html">G0206</a></p>'),
        ("<p>G9999</p>", "<p>G9999</p>"),
        ("<p>XG0206 G02061</p>", "<p>XG0206 G02061</p>"),
        ("<a href='y'>see G0206</a>", "<a href='y'>see G0206</a>"),
        ("<h2>G0206</h2>", "<h2>G0206</h2>"),
        ('<img alt="G0206"/>', '<img alt="G0206"/>'),
        ("<!-- G0206 -->", "<!-- G0206 -->"),
        ("<p>G0101</p>", "<p>G0101</p>"),
    ],
)
def test_a_code_in_the_text_of_a_page_is_a_link(html: str, expected: str) -> None:
    assert expected == link_codes(html, {"G0206", "G0101"}, "x/", own="G0101")


def test_a_code_in_a_message_is_a_link() -> None:
    html = '<pre><span class="go">error[G0206]: hidden</span></pre>'

    assert 'error[<a class="code-link" href="G0206.html">G0206</a>]' in link_codes(
        html, {"G0206"}, ""
    )


# Built pages


def wrong(folder: Path, **pages: str) -> list[str]:
    for name, text in pages.items():
        path = folder / f"{name.replace('__', '/')}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(link_check.problems(folder, *link_check.read_site(folder)))


@pytest.mark.parametrize(
    "link",
    [
        '<a href="b.html#place">',
        '<a href="#here">',
        '<a href="sub/c.html">',
        '<a href="https://example.org/x">',
        '<a href="mailto:a@example.org">',
        '<img src="data:image/png;base64,AA">',
        '<link rel="canonical" href="https://example.org/">',
    ],
)
def test_what_leads_somewhere_is_right(tmp_path: Path, link: str) -> None:
    assert [] == wrong(
        tmp_path, a=f'<i id="here">{link}', b='<i id="place">', sub__c='<a href="../a.html">'
    )


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ('<a href="nowhere.html">', "leads nowhere"),
        ('<a href="b.html#missing">', "has no such place"),
        ('<a href="#missing">', "has no such place"),
        ('<img src="nothing.png">', "leads nowhere"),
        ('<a href="../outside.html">', "leads out of the site"),
        ('<a href="javascript:x()">', "is no address"),
        ('<script src="https://example.org/x.js">', "from elsewhere"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "from elsewhere"),
    ],
)
def test_a_planted_dead_link_is_found(tmp_path: Path, link: str, said: str) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "outside.html").touch()
    [problem] = wrong(site, a=link, b="")

    assert problem.startswith("a.html: ") and said in problem


def test_dead_links_fail_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.html").write_text('<a href="x.html">', encoding="utf-8")

    assert 1 == link_check.main([str(tmp_path)])
    assert "index.html: x.html leads nowhere\n" == capsys.readouterr().err
