"""The text of a plan in TOML, and where in it each value stands.

Python's reader of TOML tells no places, so that they are looked for again where something is to be said of
them: the line of a key below its table is found by the form of lines, and a value by its text after the key.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source, Span

#: The way to a value: keys, and numbers of tables of an array, from 0.
PlanPath: TypeAlias = tuple[str | int, ...]

_HEADER: Final = re.compile(r"^[ \t]*(\[\[?)([^\[\]\n]+)\]\]?", re.MULTILINE)
_KEY: Final = re.compile(
    r"""^[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*[\w"'-]+)*)[ \t]*="""
)
_AT: Final = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
#: Nobody writes longer plans, nor such keys; Python's reader takes the square of the time for those.
MOST_CHARACTERS: Final = 1_000_000
_MOST_PARTS: Final = 100
_LONG_KEY: Final = re.compile(
    rf"""(?<![\w"'.-])[\w"'-]++(?:[ \t]*+\.[ \t]*+[\w"'-]++){{{_MOST_PARTS}}}"""
)
#: What Python's reader says of TOML, how we say it, and what helps.
_SAID: Final = (
    (
        re.compile("overwrite|duplicate"),
        "a key stands here for the second time",
        'keep one of them; several values are a list: models = ["a.ispl", "b.ispl"]',
    ),
    (
        re.compile("declare|mutate|redefine"),
        "a table stands here for the second time",
        "say all of it in one place; each of several checks begins with `[[check]]`",
    ),
    (
        re.compile("invalid value"),
        "this is no TOML: invalid value",
        'texts stand in quotes: store = "ring.store"',
    ),
)


class _Statement(NamedTuple):
    """A key with its value, or a header: the way to it, where its name stands, and where all of it ends."""

    path: PlanPath
    name: Span
    end: int


@dataclass(frozen=True)
class PlanText:
    """What a plan says, as data; with no text where it was said on a command line."""

    source: Source
    data: Mapping[str, Any]

    def place(self, path: PlanPath, value: object = None) -> Span | None:
        """Return where a value stands, below the way to it; the nearest place above it that is found."""
        for length in range(len(path), 0, -1):
            for statement in self._statements:
                # An array of tables stands where its first table does.
                if statement.path in (path[:length], (*path[:length], 0)):
                    wanted = value if length == len(path) else path[length]
                    return self._inside(statement, wanted) or statement.name
        return None

    def _inside(self, statement: _Statement, value: object) -> Span | None:
        """Return where a value, or a key of an inline table, stands in a statement."""
        text = self.source.text
        if isinstance(value, str):
            quoted = r"""["']?""" + re.escape(value) + r"""["']?"""
        elif isinstance(value, int) and not isinstance(value, bool):
            quoted = str(value)
        else:
            return None
        found = re.compile(rf"(?<![\w.-]){quoted}(?![\w.-])").search(
            text, statement.name.end, statement.end
        )
        return Span(*found.span()) if found else None

    @cached_property
    def _statements(self) -> tuple[_Statement, ...]:
        return tuple(_ended(list(_begun(self.source)), len(self.source.text)))


def read_text(source: Source) -> PlanText:
    """Return what a plan says; raise `InputError` where it is no TOML, or longer than anybody writes."""
    _refuse_too_long(source)
    try:
        return PlanText(source, tomllib.loads(source.text))
    except tomllib.TOMLDecodeError as error:
        why = _AT.sub("", str(error)).strip().lower()
        span = _place_of(source, _AT.search(str(error)))
        known = (said[1:] for said in _SAID if said[0].search(why))
        message, help_ = next(known, (f"this is no TOML: {why}", ""))
        raise InputError((Diagnostic("G0902", message, source, span, help=help_),)) from None
    except RecursionError:
        message = "this plan is nested too deeply"
        raise InputError((Diagnostic("G0902", message, source),)) from None


def _refuse_too_long(source: Source) -> None:
    """Refuse what would take long to read, and is no plan of anybody's."""
    length = len(source.text)
    if length > MOST_CHARACTERS:
        message = f"this plan has {length:,} characters, and {MOST_CHARACTERS:,} are the most"
        raise InputError((Diagnostic("G0902", message, source),))
    found = _LONG_KEY.search(source.text)
    if found is not None:
        message = f"a key of more than {_MOST_PARTS} parts begins here: no plan has such keys"
        span = Span(found.start(), found.start())
        raise InputError((Diagnostic("G0902", message, source, span),))


def _place_of(source: Source, match: re.Match[str] | None) -> Span:
    if match is None or match[1] is None:
        return Span(len(source.text), len(source.text))
    line = min(int(match[1]), len(source.line_starts))
    start = min(source.line_starts[line - 1] + int(match[2]) - 1, len(source.text))
    return Span(start, start)


def _begun(source: Source) -> Iterator[tuple[PlanPath, Span]]:
    """Yield keys and headers, in the order of the text."""
    table: PlanPath = ()
    counts: dict[PlanPath, int] = {}
    for number_of_line, start in enumerate(source.line_starts, 1):
        line = source.line(number_of_line)
        header = _HEADER.match(line)
        if header is not None:
            table = _within_arrays(_names(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            yield table, Span(start + header.start(1), start + header.end())
            continue
        key = _KEY.match(line)
        if key is not None:
            yield (*table, *_names(key[1])), Span(start + key.start(1), start + key.end(1))


def _within_arrays(names: PlanPath, counts: Mapping[PlanPath, int]) -> PlanPath:
    """Return the way to a table; below an array of tables it is below the last of them."""
    path: PlanPath = ()
    for name in names[:-1]:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    return (*path, *names[-1:])


def _ended(begun: list[tuple[PlanPath, Span]], end: int) -> Iterator[_Statement]:
    for place, (path, name) in enumerate(begun):
        following = begun[place + 1][1].start if place + 1 < len(begun) else end
        yield _Statement(path, name, following)


def _names(dotted: str) -> PlanPath:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
