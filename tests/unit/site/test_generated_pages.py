"""Pages that come from the code: there is one for everything, and it says what the program says."""

import json
import re
import sys
from functools import cache
from typing import Any

import click
import pytest

from gnomon.interfaces.cli.main import COMMANDS, main
from gnomon.text.codes import CODES
from tests.support import ROOT
from tests.unit.results.schemas import validate

sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from gnomon_site import code_examples, code_pages, command_pages, notebook_pages, schema_pages
from gnomon_site.ebnf import GrammarError, grammar_block, names_in, read_grammar

SCHEMAS = sorted(path.stem for path in schema_pages.SCHEMAS.glob("*.json"))


# Codes


@cache
def examples() -> dict[str, code_examples.CodeExample]:
    return code_examples.code_examples(frozenset(CODES))


@cache
def pages_of_codes() -> dict[str, str]:
    return {
        code: code_pages.code_page(code, entry, examples().get(code))
        for code, entry in CODES.items()
    }


def test_every_code_has_a_page_and_stands_in_the_index() -> None:
    pages = code_pages.code_pages()

    assert {"index.md", *(f"{code}.md" for code in CODES)} == set(pages)
    assert sorted(CODES) == re.findall(r"^\| \[(G\d{4})\]", pages["index.md"], re.MULTILINE)


def test_every_code_has_an_example_or_a_reason_why_not() -> None:
    assert set(CODES) == examples().keys() ^ code_examples.WITHOUT.keys()


@pytest.mark.parametrize("code", sorted(CODES.keys() - code_examples.WITHOUT.keys()))
def test_an_example_is_about_its_code(code: str) -> None:
    assert f"[{code}]" in examples()[code].said


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_page_tells_the_story_with_its_severity(code: str) -> None:
    page = pages_of_codes()[code]
    first = re.split(r"[`*_<\[$|]", CODES[code].story.strip().splitlines()[0])[0]

    assert page.startswith(f"# {code}: ")
    assert f"`{CODES[code].severity}`" in page
    assert first in page


def test_claims_do_not_show_in_examples() -> None:
    assert [] == [code for code, each in examples().items() if "-- error: G" in each.program]


# Commands


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page_with_all_its_options(name: str) -> None:
    page = command_pages.command_page(name)
    context = click.Context(main, info_name="gnomon", **main.context_settings)
    command = main.get_command(context, name)
    assert command is not None
    options = [option for item in command.params for option in item.opts if option.startswith("-")]

    assert [] == [option for option in options if option not in page]
    assert f"gnomon {name} --help" in page
    assert "| `-h, --help` |" in page


# Schemas


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_has_a_page_with_all_its_fields(name: str) -> None:
    data = json.loads((schema_pages.SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    page = schema_pages.schema_page(name, data)
    fields = {field for each in _objects(data) for field in each["properties"]}

    assert set() == {field for field in fields if not re.search(rf"\b{re.escape(field)}`", page)}


def _objects(data: Any) -> list[dict[str, Any]]:
    """Return every object that a schema describes."""
    if isinstance(data, list):
        return [item for each in data for item in _objects(each)]
    if not isinstance(data, dict):
        return []
    own = [data] if isinstance(data.get("properties"), dict) else []
    return [*own, *(item for each in data.values() for item in _objects(each))]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_example_of_a_schema_is_one(name: str) -> None:
    validate(name, schema_pages.example(name))


# The grammar


def test_every_rule_of_the_grammar_is_read_as_it_is_written() -> None:
    text = grammar_block((ROOT / "docs" / "reference" / "language.md").read_text(encoding="utf-8"))
    rules = read_grammar(text)
    written = re.findall(r"^(\w+)\s*(?:\([^)]*\)\s*)?=", text, re.MULTILINE)

    assert written == [rule.name for rule in rules]
    assert {"letter", "digit", "L", "f"} == {
        name for rule in rules for name in names_in(rule.piece)
    } - set(written)


@pytest.mark.parametrize("text", ['a = ( "b" .', 'a = "b" ) .', "a ( ) = b ."])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(GrammarError):
        read_grammar(text)


def test_every_rule_has_a_diagram_with_links_to_the_rules_in_it() -> None:
    pytest.importorskip("railroad")
    from gnomon_site.grammar_pages import grammar_pages

    page = grammar_pages()["index.md"]
    rules = read_grammar(
        grammar_block((ROOT / "docs" / "reference" / "language.md").read_text(encoding="utf-8"))
    )
    anchors = {f"rule-{rule.name.replace('_', '-')}" for rule in rules}

    assert len(rules) == page.count("<svg ")
    assert anchors >= set(re.findall(r'href="#([^"]+)"', page))
    assert anchors == set(re.findall(r"^\((rule-[^)]+)\)=", page.replace("_", "-"), re.MULTILINE))


# Notebooks


def test_a_notebook_is_run_where_it_is_kept_and_links_to_pages() -> None:
    cells = [{"cell_type": "markdown", "source": ["See [it](../../docs/primer.md#k).\n"]}]
    made = json.loads(notebook_pages.prepared({"cells": cells, "nbformat": 4}))

    assert ["remove-cell"] == made["cells"][0]["metadata"]["tags"]
    assert "chdir" in made["cells"][0]["source"]
    assert "See [it](../../primer.md#k).\n" == made["cells"][1]["source"]


def test_every_notebook_has_a_title_and_no_outputs() -> None:
    for path in notebook_pages.NOTEBOOKS.glob("*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))

        assert "A notebook" != notebook_pages.title(notebook)
        assert [] == [cell for cell in notebook["cells"] if cell.get("outputs")]
