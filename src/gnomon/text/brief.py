"""How things show themselves in few letters."""

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any, Final

_LETTERS: Final = 240
_LETTERS_OF_A_FIELD: Final = 60
_END: Final = 20


def brief(text: str, most: int = _LETTERS) -> str:
    """Return a text, or where it is long its beginning and its end.

    >>> brief("abcdefgh" * 5, 30)
    'abcdefg … efghabcdefghabcdefgh'
    """
    if len(text) <= most:
        return text
    return f"{text[: most - _END - 3]} … {text[-_END:]}"


def brief_fields(self: object) -> str:
    """Return the fields of a data class that are not as usual, each in brief: a short `__repr__`."""
    shown = ", ".join(f"{name}={brief(value, _LETTERS_OF_A_FIELD)}" for name, value in _told(self))
    return brief(f"{type(self).__name__}({shown})")


def _told(thing: Any) -> Iterator[tuple[str, str]]:
    for each in fields(thing):
        value = getattr(thing, each.name)
        if each.repr and not (value is None or _is_usual(each, value)):
            yield each.name, repr(value)


def _is_usual(each: "Field[Any]", value: object) -> bool:
    if each.default_factory is not MISSING:
        return bool(value == each.default_factory())
    return each.default is not MISSING and bool(value == each.default)
