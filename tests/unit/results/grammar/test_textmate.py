"""The TextMate grammar: the file of it is up to date, and nothing of it hangs in the air."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from gnomon.language import words
from gnomon.results.grammar import patterns
from gnomon.results.grammar.textmate import (
    DECLARED_SCOPES,
    SCOPES,
    SYMBOL_SCOPES,
    grammar,
    text,
)
from tests.support import ROOT

FILE = ROOT / "editors" / "grammar" / "ispl.tmLanguage.json"


def rules(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the grammar."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from rules(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from rules(inner)


def test_the_file_is_what_the_register_makes_of_it() -> None:
    if os.environ.get("GNOMON_UPDATE_SPECS") == "1":
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(text(), encoding="utf-8")

    assert FILE.read_text(encoding="utf-8") == text()


def test_the_module_writes_it() -> None:
    command = [sys.executable, "-m", "gnomon.results.grammar"]

    assert text() == subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_there_is_a_scope_for_every_role_and_every_sort_of_sign_and_name() -> None:
    assert words.RESERVED.keys() | words.CONTEXTUAL.keys() == SCOPES.keys()
    assert patterns.SYMBOLS.keys() == SYMBOL_SCOPES.keys()
    assert {kind for kind, _ in patterns.DECLARED.values()} == DECLARED_SCOPES.keys()


def test_every_rule_that_is_included_is_there() -> None:
    included = {rule["include"].lstrip("#") for rule in rules(grammar()) if "include" in rule}

    assert included == grammar()["repository"].keys()


def test_scopes_say_of_which_language_they_are() -> None:
    names = {rule["name"] for rule in rules(grammar()) if "name" in rule} - {"ISPL"}

    assert names
    assert [] == [name for name in sorted(names) if not name.endswith(".ispl")]


def test_what_begins_has_an_end() -> None:
    for rule in rules(grammar()):
        if "begin" in rule:
            assert rule["end"] == "$" or patterns.NEXT_SECTION in rule["end"]


@pytest.mark.parametrize("word", sorted({*words.KEYWORDS, *words.contextual(*words.CONTEXTUAL)}))
def test_a_keyword_of_the_lexer_is_one_of_the_grammar(word: str) -> None:
    found = json.dumps([rule.get("match") or rule.get("begin") for rule in rules(grammar())])

    assert word.rstrip("*") in found
