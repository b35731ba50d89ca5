"""Results as JSON: one object for one model, an array for several."""

import json
import re
from collections.abc import Iterator, Mapping
from json.encoder import encode_basestring

from gnomon.checking.verdict import Result
from gnomon.results.data import of_result
from gnomon.results.styled import Page
from gnomon.text.numbers import show_integer

#: What a terminal obeys or hides, and halves of characters; inside JSON these stand only in strings.
_ODD = re.compile(
    "[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def render(results: list[Result], _page: Page = Page()) -> str:
    """Return the results as indented JSON."""
    objects = [of_result(result) for result in results]
    return dumps(objects[0] if len(objects) == 1 else objects)


def dumps(value: object) -> str:
    """Return any value as we print JSON: indented, letters as they are, with a last line end."""
    return compact(value, indent=2) + "\n"


def compact(value: object, indent: int | None = None) -> str:
    """Return any value as JSON, by default on one line.

    Letters stay as they are, but for those that act on a terminal and for what is no character at all, such
    as a byte of a file name that is not UTF-8: these are written by their number.
    """
    try:
        text = json.dumps(value, indent=indent, ensure_ascii=False)
    except ValueError:
        # Python refuses to write integers of more than some thousand digits. JSON does not.
        text = "".join(_pieces(value, indent, "\n"))
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _pieces(value: object, indent: int | None, newline: str) -> Iterator[str]:
    """Yield the text of a value, as `json.dumps` has it."""
    inner = newline + " " * (indent or 0)
    start, between, end = ("", ", ", "") if indent is None else (inner, "," + inner, newline)
    match value:
        case bool() | None | float():
            yield json.dumps(value)
        case int():
            yield show_integer(value)
        case str():
            yield encode_basestring(value)
        case Mapping() if value:
            for place, (key, item) in enumerate(value.items()):
                yield ("{" + start) if place == 0 else between
                yield f"{encode_basestring(str(key))}: "
                yield from _pieces(item, indent, inner)
            yield end + "}"
        case list() | tuple() if value:
            for place, item in enumerate(value):
                yield ("[" + start) if place == 0 else between
                yield from _pieces(item, indent, inner)
            yield end + "]"
        case _:
            yield json.dumps(value)
