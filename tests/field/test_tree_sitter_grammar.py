"""The grammar for tree-sitter, where its command, its Python package and a C compiler are at hand."""

import ctypes
import re
import shutil
import subprocess
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from gnomon.language import words
from gnomon.language.parse import parse
from gnomon.text.source import Source
from tests.colouring import (
    EITHER,
    NAMES_AS_WORDS,
    OURS,
    WORDS_AS_WORDS,
    Piece,
    pieces,
    programs,
)
from tests.laws.programs import ProgramWriter, scatter
from tests.support import ROOT

FOLDER = ROOT / "editors" / "tree-sitter-ispl"
#: Leaves that have names, and what they are. All others are words or signs.
SORTS = {"comment": "comment", "remark": "remark", "identifier": "name", "number": "number"}
#: Functions are applied like relations, and queries tell them apart.
NAMED = EITHER | set(words.words("function"))


@pytest.fixture(scope="module")
def package() -> Any:
    """Return tree-sitter's package for Python, which need not be there."""
    return pytest.importorskip("tree_sitter")


@pytest.fixture(scope="module")
def language(package: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the language as tree-sitter generates it and the compiler compiles it, somewhere else."""
    tools = {tool: shutil.which(tool) for tool in ("tree-sitter", "node", "cc")}
    missing = [tool for tool, path in tools.items() if path is None]
    if missing:
        pytest.skip(f"no {missing[0]}")
    place = tmp_path_factory.mktemp("tree-sitter") / "ispl"
    shutil.copytree(FOLDER, place, ignore=shutil.ignore_patterns("src", "node_modules"))
    for command in (
        ["tree-sitter", "generate"],
        ["cc", "-shared", "-fPIC", "-Isrc", "-o", "ispl.so", "src/parser.c"],
    ):
        subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
    pointer = ctypes.CDLL(str(place / "ispl.so")).tree_sitter_ispl
    pointer.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return package.Language(capsule(pointer(), b"tree_sitter.Language", None))


@pytest.fixture(scope="module")
def parser(package: Any, language: Any) -> Any:
    """Return what parses with it."""
    return package.Parser(language)


def leaves(node: Any) -> Iterator[Any]:
    """Yield the nodes that have no others in them."""
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def mistakes(node: Any) -> Iterator[str]:
    """Yield the places that could not be read."""
    if node.type == "ERROR" or node.is_missing:
        yield f"{node.start_point}: {node.text[:40]}"
    elif node.has_error:
        for child in node.children:
            yield from mistakes(child)


def disagreements(parser: Any, text: str) -> list[tuple[Piece, str]]:
    """Return the pieces that are no leaves of their sort."""
    tree = parser.parse(text.encode())
    by_place = {node.start_byte: node for node in leaves(tree.root_node)}
    wrong = []
    for piece in pieces(text):
        node = by_place.get(len(text[: piece.start].encode()))
        whole = node is not None and node.text.decode() == piece.text
        other = "word" if piece.text[0].isalpha() else "sign"
        found = SORTS.get(node.type, other) if node is not None else "nothing"
        named = piece.text in NAMED and {found, piece.sort} == {"name", "word"}
        if not (whole and (found == piece.sort or named)):
            wrong.append((piece, found))
    return wrong


# Words


def test_the_words_of_the_grammar_are_those_of_the_register() -> None:
    text = (FOLDER / "grammar.js").read_text(encoding="utf-8")
    # Names of rules and fields are no words of programs.
    for part in (
        r"//[^\n]*",
        r"/\*.*?\*/",
        r"field\(\s*\"\w+\"",
        r"REPEATED = \[.*?\]",
        r"name: \"ispl\"",
    ):
        text = re.sub(part, "", text, flags=re.DOTALL)
    quoted = set(re.findall(r'"([A-Za-z]+\*?)"', text))

    assert words.KEYWORDS | OURS - set(words.words("function", "rule")) == quoted


def test_the_queries_know_the_functions() -> None:
    text = (FOLDER / "queries" / "highlights.scm").read_text(encoding="utf-8")
    [listed] = re.findall(r"#any-of\? @function.builtin (.*?)\)", text)

    assert set(words.words("function")) == set(re.findall(r'"(\w+)"', listed))


# Programs


@pytest.mark.slow
def test_every_program_has_a_tree_without_mistakes_and_every_token_its_leaf(parser: Any) -> None:
    wrong = {}
    for name, path in programs().items():
        text = path.read_text(encoding="utf-8", errors="replace")
        if not parse(Source(name, text)).diagnostics.has_errors:
            found = list(mistakes(parser.parse(text.encode()).root_node))
            wrong[name] = found or disagreements(parser, text)

    assert len(wrong) > 20
    assert {} == {name: found for name, found in wrong.items() if found}


@pytest.mark.slow
def test_every_random_program_has_one_too(parser: Any) -> None:
    for seed in range(100):
        random = Random(seed)
        text = scatter(ProgramWriter(random, families=seed % 3 > 0).program(), random)

        assert [] == list(mistakes(parser.parse(text.encode()).root_node))


@pytest.mark.slow
@pytest.mark.parametrize("text", [NAMES_AS_WORDS, WORDS_AS_WORDS], ids=["names", "words"])
def test_words_are_what_they_are_where_they_stand(parser: Any, text: str) -> None:
    assert [] == disagreements(parser, text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("AG p -> q", "(binary (temporal {p}) {p})"),
        ("<g>F p and q", "(binary (strategic (coalition {p}) (temporal {p})) {p})"),
        ("!p and q", "(binary (negation {p}) {p})"),
        ("LTL G p -> F q", "(logic) (binary (temporal {p}) (temporal {p}))"),
        ("LTL p U q U r", "(logic) (until (until {p} {p}) {p})"),
        ("LTL ! p U q", "(logic) (negation (until {p} {p}))"),
        ("F<=3 p", "(temporal (steps (number)) {p})"),
        ("[[g]]F[1, 2] p", "(strategic (coalition {p}) (temporal (steps (number) (number)) {p}))"),
    ],
)
def test_operators_bind_as_the_reference_says(parser: Any, text: str, tree: str) -> None:
    found = str(parser.parse(f"Formulae {text}; end Formulae".encode()).root_node)
    expected = tree.replace("{p}", "(name (identifier))")

    assert f"(program (formulae (specification {expected})))" == re.sub(r"\w+: (?!\()", "", found)


# Queries


@pytest.mark.slow
@pytest.mark.parametrize("name", ["highlights", "folds"])
def test_a_query_finds_something(package: Any, language: Any, parser: Any, name: str) -> None:
    text = (FOLDER / "queries" / f"{name}.scm").read_text(encoding="utf-8")
    tree = parser.parse(WORDS_AS_WORDS.encode())
    found = package.QueryCursor(package.Query(language, text)).captures(tree.root_node)

    assert set(re.findall(r"@([a-z.]+)", text)) - set(found) <= {"comment"}


@pytest.mark.slow
def test_every_word_and_sign_has_a_colour(package: Any, language: Any, parser: Any) -> None:
    text = (FOLDER / "queries" / "highlights.scm").read_text(encoding="utf-8")
    root = parser.parse(WORDS_AS_WORDS.encode()).root_node
    found = package.QueryCursor(package.Query(language, text)).captures(root)
    coloured = {node.start_byte for nodes in found.values() for node in nodes}

    assert set() == {node.text for node in leaves(root) if node.start_byte not in coloured}
