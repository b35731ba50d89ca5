"""Syntax that was read before and stands somewhere else now: its places are worked out when it is looked at.

Where a text changes, most of it only moves. The tree of what moves stays as it was read, and `moved` gives a
record in front of it that is filled in when somebody first asks for one of its fields. Nobody can tell it
from a record that was read: from then on it is one.

>>> from gnomon.text.source import Span
>>> line = syntax.Proposition(syntax.Name("p"), syntax.Truth(True, Span(5, 9)), Span(0, 9))
>>> moved(line, 10).condition.span
Span(start=15, end=19)
"""

import threading
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

from gnomon.language import syntax
from gnomon.text.record import Record
from gnomon.text.source import NOWHERE, Span

Moving = TypeVar("Moving")

#: Records that may be long: what is in them is filled in line by line.
_BY_LINES: Final = (syntax.Agent, syntax.Repeat, syntax.DefinitionSection)
#: What is small enough to be told without filling in the rest.
_SMALL: Final = (syntax.Name, syntax.Annotation)

#: What makes a record one of another class with the same slots.
_BECOME: Final[Callable[[Any, type], None]] = object.__dict__["__class__"].__set__

#: Filling in is rare and short, and one thread at a time does it.
_LOCK: Final = threading.RLock()


class _ToBeMoved(NamedTuple):
    """What stands in the place of a span until a record is filled in: the record as read, and how far."""

    record: Any
    by: int


def moved(record: Moving, by: int) -> Moving:
    """Return a record as if it had been read so many characters further on."""
    if not by:
        return record
    kind: Any = type(record)
    origin: Any = record
    if kind in _KIND_OF_TWIN:  # it was moved before, and perhaps nobody looked
        waiting = _SPAN_OF_TWIN[kind](record)
        kind = _KIND_OF_TWIN[kind]
        if isinstance(waiting, _ToBeMoved):
            origin, by = waiting.record, waiting.by + by
    shell: Any = object.__new__(_TWINS.get(kind) or _twin(kind))
    _SET_SPAN[kind](shell, _ToBeMoved(origin, by))
    found: Moving = shell
    return found


def moved_span(span: Span, by: int) -> Span:
    """Return a place so many characters further on; what stands nowhere still does."""
    return span if span is NOWHERE or not by else Span(span[0] + by, span[1] + by)


# Records that wait

_TWINS: Final[dict[type, type]] = {}
_KIND_OF_TWIN: Final[dict[type, type]] = {}
_SPAN_OF_TWIN: Final[dict[type, Callable[[Any], Any]]] = {}
_SET_SPAN: Final[dict[type, Callable[[Any, Any], None]]] = {}


def _twin(kind: type) -> type:
    """Return the class of records of a kind that are not filled in yet: it has the same slots."""
    with _LOCK:
        if kind in _TWINS:
            return _TWINS[kind]
        slot: Any = kind.__dict__["span"]
        namespace: dict[str, Any] = {"__slots__": (), "__class__": property(lambda _: kind)}
        for field in kind.__match_args__:  # type: ignore[attr-defined]
            namespace[field] = _WaitingSpan(slot) if field == "span" else _WaitingField(field, kind)
        twin = type(kind.__name__, (kind,), namespace)
        _KIND_OF_TWIN[twin] = kind
        _SPAN_OF_TWIN[twin] = slot.__get__
        _SET_SPAN[kind] = slot.__set__
        _TWINS[kind] = twin
        return twin


class _WaitingSpan:
    """The place of a record that is not filled in: worked out without the rest."""

    def __init__(self, slot: Any) -> None:
        self.slot = slot

    def __get__(self, record: Any, _kind: object = None) -> Any:
        waiting = self.slot.__get__(record)
        if not isinstance(waiting, _ToBeMoved):
            return waiting
        return moved_span(waiting.record.span, waiting.by)


class _WaitingField:
    """Any other field: looking at it fills the record in, unless it is small."""

    def __init__(self, name: str, kind: type) -> None:
        self.name = name
        self.slot = kind.__dict__["span"]
        self.look = attrgetter(name)

    def __get__(self, record: Any, _kind: object = None) -> Any:
        waiting = self.slot.__get__(record)
        if isinstance(waiting, _ToBeMoved):
            value = self.look(waiting.record)
            if value is None or value.__class__ in (str, bool, int):
                return value
            if value.__class__ in _SMALL:
                return _shifted(value, waiting.by)
        _fill(record)
        return self.look(record)


def _fill(record: Any) -> None:
    """Make a record that waits one like any other."""
    with _LOCK:
        kind = _KIND_OF_TWIN.get(type(record))
        if kind is None:
            return  # another thread was quicker
        slot: Any = kind.__dict__["span"]
        waiting = slot.__get__(record)
        if isinstance(waiting, _ToBeMoved):
            for field in kind.__match_args__:  # type: ignore[attr-defined]
                if field != "span":
                    value = _inside(getattr(waiting.record, field), waiting.by, kind)
                    kind.__dict__[field].__set__(record, value)
            slot.__set__(record, moved_span(waiting.record.span, waiting.by))
        _BECOME(record, kind)


def _inside(value: Any, by: int, kind: type) -> Any:
    """Return what is in a record of a kind: lines of those that may be long are filled in later."""
    if kind not in _BY_LINES or value.__class__ is not tuple:
        return _shifted(value, by)
    return tuple([_later(part, by) for part in value])


def _later(value: Any, by: int) -> Any:
    """Return a line that is filled in when it is looked at."""
    if isinstance(value, Record) and type(value) not in _SMALL:
        return moved(value, by)
    return _shifted(value, by)


# Trees, all at once

_SHIFTERS: Final[dict[type, Callable[[Any, int], Any]]] = {}


def _shifted(value: Any, by: int) -> Any:
    """Return a tree with all its places so many characters further on."""
    kind = type(value)
    if kind is tuple:
        return tuple([_shifted(part, by) for part in value]) if value else value
    shifter = _SHIFTERS.get(kind)
    if shifter is None:
        if kind in _KIND_OF_TWIN:
            return moved(value, by)
        if not isinstance(value, Record):
            return value
        shifter = _SHIFTERS[kind] = _shifter(kind)
    return shifter(value, by)


def _shifter(kind: type) -> Callable[[Any, int], Any]:
    """Return what shifts records of a kind, written out because a loop would be slow."""
    fields: tuple[str, ...] = kind.__match_args__  # type: ignore[attr-defined]
    scope: dict[str, Any] = {f"_set_{field}": kind.__dict__[field].__set__ for field in fields}
    scope.update(_new=object.__new__, _kind=kind, _shifted=_shifted, _span=moved_span)
    body = "; ".join(
        f"_set_{field}(self, {'_span' if field == 'span' else '_shifted'}(old.{field}, by))"
        for field in fields
    )
    exec(f"def shift(old, by): self = _new(_kind); {body}; return self", scope)  # noqa: S102 - only our own names
    shift: Callable[[Any, int], Any] = scope["shift"]
    return shift
