"""The register of words and the parser know the same words."""

import ast
import re
from collections.abc import Iterator

import pytest

from gnomon.language import agents, cursor, expressions, lexer, parse, syntax, words
from tests.support import ROOT

LANGUAGE = ROOT / "src" / "gnomon" / "language"
#: The modules that read programs, and what they share.
READING = (
    "agents annotations conditionals cursor expressions formulae members parse sections specifications"
).split()
WORD = re.compile(r"[A-Za-z]+\*?")
ALL = frozenset(words.reserved(*words.RESERVED) + words.contextual(*words.CONTEXTUAL))

#: Words that the parser compares with and that mean nothing in programs.
NO_WORDS_OF_PROGRAMS = {
    "kinds of tokens": {"name"},  # and "number", which is also a function
    "fields of the tree": {"agents"},
    "a logic that is not written": {"CTL"},
    "words that are refused with a hint": set("LDL End END esac unknown open yes no".split()),
}


def strings(node: ast.AST) -> Iterator[str]:
    """Yield the words in a constant, in the constants of a collection, or in a text that is split."""
    for inner in ast.walk(node):
        match inner:
            case ast.Constant(value=str(word)):
                yield from filter(WORD.fullmatch, [word])
            case ast.Call(func=ast.Attribute(ast.Constant(value=str(text)), "split")):
                yield from filter(WORD.fullmatch, text.split())
            case _:
                pass


def compared_with(tree: ast.Module) -> Iterator[str]:
    """Yield all words that a module compares tokens with: one by one, in tables, or by a method."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, _, others):
                for side in (left, *others):
                    if isinstance(side, ast.Constant | ast.Tuple | ast.List | ast.Set):
                        yield from strings(side)
            case ast.Dict(keys=keys):
                for key in keys:
                    if isinstance(key, ast.Constant):
                        yield from strings(key)
            case ast.Call(func=ast.Attribute(attr="at_word" | "accept"), args=[word, *_]):
                yield from strings(word)
            case ast.Call(func=ast.Attribute(attr="expect" | "suppose"), args=[word, *_]):
                yield from strings(word)
            case ast.Call(func=ast.Name(id="_expect_word" | "at_quantifier"), args=[_, word]):
                yield from strings(word)
            case _:
                pass
    for statement in tree.body:
        yield from listed_by(statement)


def listed_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the words of a list that a module has as a constant."""
    match statement:
        case ast.AnnAssign(value=ast.Tuple() | ast.List() | ast.Set() as listed):
            yield from strings(listed)
        case ast.Assign(value=ast.Tuple() | ast.List() | ast.Set() as listed):
            yield from strings(listed)
        case (
            ast.AnnAssign(value=ast.Call(func=ast.Name(id="frozenset"), args=[listed]))
            | ast.Assign(value=ast.Call(func=ast.Name(id="frozenset"), args=[listed]))
        ):
            yield from strings(listed)
        case ast.AnnAssign(value=ast.Call(func=ast.Attribute(attr="split")) as listed):
            yield from strings(listed)
        case _:
            pass


def known_to_the_parser() -> set[str]:
    found: set[str] = set(syntax.FUNCTIONS)
    for module in READING:
        found.update(compared_with(ast.parse((LANGUAGE / f"{module}.py").read_text("utf-8"))))
    return found


# The register is what the parser reads


def test_a_word_that_the_parser_looks_for_is_one_of_the_register() -> None:
    others = set().union(*NO_WORDS_OF_PROGRAMS.values())

    assert others == known_to_the_parser() - ALL


def test_a_word_of_the_register_is_one_that_the_parser_looks_for() -> None:
    assert set() == ALL - known_to_the_parser()


@pytest.mark.parametrize(
    "text",
    [
        "if cursor.at_word('fresh'): pass",
        "cursor.accept('fresh')",
        "cursor.expect('fresh', 'why')",
        "_expect_word(cursor, 'fresh')",
        "at_quantifier(cursor, ('fresh',))",
        "found = cursor.text == 'fresh'",
        "found = cursor.texts[1] not in ('other', 'fresh')",
        "_READERS: dict[str, int] = {'fresh': 1}",
        "def read(): return {'fresh': 1}.get(cursor.text)",
        "_WORDS: Final = ('fresh', 'other')",
        "_WORDS: Final = 'fresh other'.split()",
        "_WORDS = frozenset(['fresh'])",
        "_WORDS: Final = frozenset('fresh other'.split())",
    ],
)
def test_a_new_word_is_noticed(text: str) -> None:
    assert "fresh" in set(compared_with(ast.parse(text)))


# What is derived from it


def test_the_lexer_and_the_parser_have_the_words_of_the_register() -> None:
    assert words.KEYWORDS is lexer.KEYWORDS
    assert words.FORMULA_WORDS is lexer.FORMULA_WORDS
    assert words.SECTION_WORDS is cursor.SECTION_WORDS
    assert list(words.PROGRAM_SECTIONS) == cursor.PROGRAM_SECTIONS


def test_there_is_a_reader_for_each_section_and_for_nothing_else() -> None:
    assert set(words.PROGRAM_SECTIONS) == parse._READERS.keys()
    assert set(words.words("part", "list")) == agents._AGENT_READERS.keys()


def test_functions_quantifiers_and_operators_are_those_of_the_parser() -> None:
    assert set(words.words("function")) == syntax.FUNCTIONS
    assert set(words.words("quantifier")) == set(expressions._QUANTIFIERS)
    assert set(words.contextual("operator", "connective")) == expressions._WORDS.keys()
    assert set(words.reserved("operator", "connective")) == set(
        filter(str.isalpha, expressions._BINDING)
    )


def test_formulae_take_no_more_names_away_than_those_of_mcmas_do() -> None:
    expected = "LTL AG EG AX EX AF EF A E X F G U K GK GCK O DK"

    assert set(expected.split()) == words.FORMULA_WORDS


def test_no_word_of_our_own_is_reserved() -> None:
    assert set() == words.KEYWORDS & set(words.contextual(*words.CONTEXTUAL))


def test_the_register_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        words.RESERVED["end"] = ("End",)  # type: ignore[index]
