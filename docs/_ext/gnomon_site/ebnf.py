"""The notation of the grammar, read as rules: the block of docs/reference/language.md is the one source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

_TOKEN: Final = re.compile(
    r'\(\*(?P<note>.*?)\*\)(?!\))|"(?P<literal>[^"]*)"|(?P<name>\w+)|(?P<sign>[=|.(){}\[\],])',
    re.DOTALL,
)
_BLOCK: Final = re.compile(r"^```ebnf\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Word:
    """Text that stands for itself."""

    text: str


@dataclass(frozen=True, slots=True)
class RuleName:
    """Another rule, perhaps with what its parameter stands for."""

    name: str
    argument: "Piece | None" = None


@dataclass(frozen=True, slots=True)
class OneAfterAnother:
    """Pieces in their order."""

    pieces: "tuple[Piece, ...]"


@dataclass(frozen=True, slots=True)
class OneOf:
    """A choice."""

    pieces: "tuple[Piece, ...]"


@dataclass(frozen=True, slots=True)
class AtMostOnce:
    """What may be left out."""

    piece: "Piece"


@dataclass(frozen=True, slots=True)
class AnyTimes:
    """What may be repeated, and left out."""

    piece: "Piece"


@dataclass(frozen=True, slots=True)
class Remark:
    """What a comment says of the piece before it."""

    text: str


Piece: TypeAlias = Word | RuleName | OneAfterAnother | OneOf | AtMostOnce | AnyTimes | Remark


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name and parameter, the heading it stands under, what it means, and how it is written."""

    name: str
    parameter: str
    heading: str
    piece: Piece
    text: str


class GrammarError(Exception):
    """The grammar cannot be read."""


def grammar_block(page: str) -> str:
    """Return the text of the grammar in a page."""
    found = _BLOCK.search(page)
    if found is None:
        raise GrammarError("the page has no block `ebnf`")
    return found["text"]


def read_grammar(text: str) -> tuple[Rule, ...]:
    """Return the rules in their order.

    >>> [rule] = read_grammar('list = "{" [ name { "," name } ] "}" .')
    >>> rule.name, sorted(names_in(rule.piece))
    ('list', ['name'])
    """
    with_parameters = set(re.findall(r"^(\w+)\s*\(", text, re.MULTILINE))
    rules = []
    heading = ""
    start = 0
    for line in re.finditer(
        r"^(?P<head>\(\*(?P<heading>[^\n]*?)\*\)\s*$)|^(?P<name>\w+)", text, re.MULTILINE
    ):
        if line.start() < start:
            continue
        if line["head"]:
            heading = line["heading"].strip()
            continue
        rule, start = _Reader(text, line.start(), with_parameters).rule(heading)
        rules.append(rule)
    return tuple(rules)


class _Reader:
    """Reads one rule from a place on."""

    def __init__(self, text: str, start: int, with_parameters: set[str]) -> None:
        self._text = text
        self._start = start
        self._with_parameters = with_parameters
        self._tokens = list(_TOKEN.finditer(text, start))
        self._at = 0

    def rule(self, heading: str) -> tuple[Rule, int]:
        name = self._take("name")
        parameter = ""
        if self._sign("("):
            parameter = self._take("name")
            self._expect(")")
        self._expect("=")
        piece = self._choice()
        self._expect(".")
        end = self._tokens[self._at - 1].end()
        # A comment behind the full stop belongs to the rule.
        rest = re.compile(r"[ \t]*\(\*(?P<note>.*?)\*\)", re.DOTALL).match(self._text, end)
        if rest:
            end = rest.end()
            piece = OneAfterAnother((piece, Remark(_squeezed(rest["note"]))))
        return Rule(name, parameter, heading, piece, self._text[self._start : end]), end

    def _choice(self) -> Piece:
        pieces = [self._sequence()]
        while self._sign("|"):
            pieces.append(self._sequence())
        return pieces[0] if len(pieces) == 1 else OneOf(tuple(pieces))

    def _sequence(self) -> Piece:
        pieces: list[Piece] = []
        while True:
            token = self._tokens[self._at]
            if token["note"] is not None:
                self._at += 1
                pieces.append(Remark(_squeezed(token["note"])))
            elif token["literal"] is not None:
                self._at += 1
                pieces.append(Word(token["literal"].replace("\\\\", "\\")))
            elif token["name"] is not None:
                self._at += 1
                pieces.append(self._named(token["name"]))
            elif token["sign"] in _CLOSING:
                self._at += 1
                pieces.append(self._bracketed(token["sign"]))
            else:
                return pieces[0] if len(pieces) == 1 else OneAfterAnother(tuple(pieces))

    def _named(self, name: str) -> Piece:
        if name in self._with_parameters and self._sign("("):
            argument = self._choice()
            self._expect(")")
            return RuleName(name, argument)
        return RuleName(name)

    def _bracketed(self, sign: str) -> Piece:
        inner = self._choice()
        self._expect(_CLOSING[sign])
        match sign:
            case "[":
                return AtMostOnce(inner)
            case "{":
                return AnyTimes(inner)
            case _:
                return inner

    def _sign(self, sign: str) -> bool:
        found = self._tokens[self._at]["sign"] == sign
        self._at += found
        return found

    def _expect(self, sign: str) -> None:
        if not self._sign(sign):
            raise GrammarError(f"expected `{sign}`, found `{self._tokens[self._at][0]}`")

    def _take(self, kind: str) -> str:
        found = self._tokens[self._at][kind]
        if found is None:
            raise GrammarError(f"expected a {kind}, found `{self._tokens[self._at][0]}`")
        self._at += 1
        return str(found)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def pieces_in(piece: Piece) -> Iterator[Piece]:
    """Yield a piece and all that is in it."""
    yield piece
    match piece:
        case OneAfterAnother(pieces) | OneOf(pieces):
            for each in pieces:
                yield from pieces_in(each)
        case AtMostOnce(inner) | AnyTimes(inner):
            yield from pieces_in(inner)
        case RuleName(_, argument) if argument is not None:
            yield from pieces_in(argument)


def names_in(piece: Piece) -> set[str]:
    """Return the rules that a piece names."""
    return {each.name for each in pieces_in(piece) if isinstance(each, RuleName)}


def remarks_in(piece: Piece) -> list[str]:
    """Return what comments say in a piece."""
    return [each.text for each in pieces_in(piece) if isinstance(each, Remark)]
