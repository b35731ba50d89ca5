"""The page of the studio colours texts by the grammar of all editors, and knows no words by itself."""

import re

from gnomon.language import words
from gnomon.results.grammar.textmate import text
from tests.support import ROOT

SOURCES = ROOT / "web" / "src"
COLOURING = SOURCES / "text" / "ispl.ts"
#: Words that nothing but ISPL has: whoever lists words lists some of these.
TELLING = (
    "Obsvars",
    "Lobsvars",
    "RedStates",
    "InitStates",
    "Evaluation",
    "GCK",
    "SingleAssignment",
)


def test_the_page_colours_by_the_grammar_of_all_editors() -> None:
    (imported,) = re.findall(r'from "(\S+\.tmLanguage\.json)"', COLOURING.read_text("utf-8"))

    assert text() == (COLOURING.parent / imported).read_text("utf-8")


def test_words_that_tell_a_list_are_words_of_the_language() -> None:
    assert set(TELLING) <= words.KEYWORDS


def test_the_page_has_no_list_of_words_of_its_own() -> None:
    listed = {
        (path.name, word)
        for path in SOURCES.rglob("*.ts*")
        for word in TELLING
        if re.search(rf"[\"'|]{word}[\"'|]", path.read_text("utf-8"))
    }

    assert set() == listed
