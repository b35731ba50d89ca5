"""All that a value of ours consists of, as one text: what tells it from others."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from gnomon.text.interned import InternedRecord
from gnomon.text.record import PlainRecord


def spelled(thing: object) -> str:
    """Return all that a value of ours consists of, as a text that differs where values do.

    Parts that are shared are told once, so that it is no longer than what there is.
    """
    found: list[str] = []
    known: dict[object, int] = {}
    waiting: list[object] = [thing]
    while waiting:
        part = waiting.pop()
        if isinstance(part, _Spelling):
            found.append(part)
            continue
        if isinstance(part, InternedRecord):
            if part in known:
                found.append(f"#{known[part]}")
                continue
            known[part] = len(known)
        waiting.extend(reversed([*_parts(part)]))
    return "".join(found)


class _Spelling(str):
    """A piece of the text that is written already."""

    __slots__ = ()


def _parts(thing: object) -> Iterator[object]:
    if isinstance(thing, PlainRecord):
        names = thing.__match_args__
        yield _Spelling(type(thing).__name__)
        yield tuple(getattr(thing, name) for name in names if name != "span")
    elif is_dataclass(thing) and not isinstance(thing, type):
        yield _Spelling(type(thing).__name__)
        yield tuple(getattr(thing, each.name) for each in fields(thing) if each.compare)
    elif isinstance(thing, Mapping):
        yield _Spelling("{")
        for name, value in thing.items():
            yield from (name, _Spelling(":"), value, _Spelling(","))
        yield _Spelling("}")
    elif isinstance(thing, tuple):
        yield _Spelling("(")
        for each in thing:
            yield from (each, _Spelling(","))
        yield _Spelling(")")
    else:
        yield _Spelling(repr(thing))
