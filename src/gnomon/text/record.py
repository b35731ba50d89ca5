"""Small frozen values with named fields, for the hundred kinds of node that our trees are made of.

They behave like `dataclass(frozen=True, slots=True)`, and type checkers take them for that, but defining
one costs a tenth: a command that runs for a tenth of a second cannot spend half of it on defining classes.
A field called `span` says where something was written and never takes part in comparisons.

>>> class Point(Record):
...     x: int
...     y: int = 0
>>> Point(1)
Point(x=1, y=0)
>>> Point(1) == Point(1, 0)
True
"""

import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from operator import attrgetter
from typing import Any, Self, TypeVar, dataclass_transform

from gnomon.text.brief import brief

_UNCOMPARED = "span"


@dataclass_transform(frozen_default=True)
class RecordType(type):
    """Turns the annotations of a class into slots, an initialiser and a comparison.

    The class that is made is a plain one, as with `NamedTuple`: of a class whose type is not `type` itself it
    takes four times as long to find that something is none of it, and a `match` asks that all the time.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Make the class."""
        if not any(isinstance(base, RecordType) for base in bases):
            return super().__new__(mcs, name, bases, namespace)  # what classes are derived from
        fields = tuple(_annotations(namespace))
        defaults = {field: namespace.pop(field) for field in fields if field in namespace}
        namespace["__slots__"] = (*namespace.get("__slots__", ()), *fields)
        namespace["__match_args__"] = fields
        compared = [field for field in fields if field != _UNCOMPARED]
        namespace["_key"] = attrgetter(*compared) if compared else type
        plain = chain.from_iterable(
            base.__bases__ if isinstance(base, RecordType) else (base,) for base in bases
        )
        cls = type(name, tuple(plain), namespace)
        if fields:
            mcs.equip(cls, fields, defaults)
        return cls

    @staticmethod
    def equip(kind: Any, fields: tuple[str, ...], defaults: dict[str, Any]) -> None:
        """Give the class its initialiser, when it is first needed: a command uses few of all kinds."""

        def first(self: object, *values: Any, **named: Any) -> None:
            kind.__init__ = _initialiser(kind, fields, defaults)
            kind.__init__(self, *values, **named)

        kind.__init__ = first

    def __instancecheck__(cls, instance: object) -> bool:
        """Return whether something is a record: those are derived from what is below."""
        return isinstance(instance, cls.__bases__)


def _annotations(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the annotations of a class that is being made; from Python 3.14 on they are a function."""
    if "__annotations__" in namespace or sys.version_info < (3, 14):
        found: dict[str, Any] = namespace.get("__annotations__", {})
        return found
    import annotationlib  # new in 3.14

    annotate = annotationlib.get_annotate_from_class_namespace(namespace)
    if annotate is None:
        return {}
    return dict(annotationlib.call_annotate_function(annotate, annotationlib.Format.FORWARDREF))


def _initialiser(cls: type, fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """Return an `__init__` that fills the slots, written out because a loop would be slow."""
    scope: dict[str, Any] = {f"_default_{field}": value for field, value in defaults.items()}
    scope.update({f"_set_{field}": getattr(cls, field).__set__ for field in fields})
    parameters = [f"{field}=_default_{field}" if field in defaults else field for field in fields]
    body = "; ".join(f"_set_{field}(self, {field})" for field in fields)
    exec(f"def __init__(self, {', '.join(parameters)}): {body}", scope)  # noqa: S102 - only our own names
    return scope["__init__"]


class PlainRecord:
    """What all records have; records are derived from `Record`."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        """Refuse fields that nobody would make slots of."""
        super().__init_subclass__()
        if "_key" not in cls.__dict__ and _annotations(cls.__dict__):
            msg = f"{cls.__name__} has fields: derive it from `Record`, too"
            raise TypeError(msg)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: records are frozen."""
        msg = f"{type(self).__name__} is frozen: {name} cannot change"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> None:
        """Refuse: records are frozen."""
        msg = f"{type(self).__name__} is frozen: {name} cannot go"
        raise AttributeError(msg)

    def __eq__(self, other: object) -> bool:
        """Return whether both are of one kind and say the same."""
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        key = self._key  # type: ignore[attr-defined]
        return bool(key(self) == key(other))

    def __hash__(self) -> int:
        """Return a hash that equal records share."""
        return hash((self.__class__, self._key(self)))  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        """Show the fields, without places in the text, and of many the first and the last."""
        fields = (field for field in _fields(self) if field != _UNCOMPARED)
        try:
            shown = ", ".join(f"{field}={getattr(self, field)!r}" for field in fields)
        except RecursionError:
            shown = "…"  # nobody reads what is that deep
        return brief(f"{type(self).__name__}({shown})")

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Let records be copied and sent to other processes."""
        return self.__class__, tuple(getattr(self, field) for field in _fields(self))


class Record(PlainRecord, metaclass=RecordType):
    """The base of all records; one that is derived from another record names both."""


def _fields(record: PlainRecord) -> tuple[str, ...]:
    return type(record).__match_args__


Any_Record = TypeVar("Any_Record", bound=Record)


def replace(record: Any_Record, **changes: object) -> Any_Record:
    """Return a record like this one, but for some fields."""
    fields = {field: getattr(record, field) for field in _fields(record)}
    return record.__class__(**{**fields, **changes})


def walk(tree: object) -> Iterator[Record]:
    """Yield all records in a tree of records and tuples, each before what is in it, from left to right."""
    waiting = [tree]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Record):
            yield current
            waiting.extend(getattr(current, field) for field in reversed(_fields(current)))
        elif isinstance(current, tuple):
            waiting.extend(reversed(current))


def same(left: object, right: object) -> bool:
    """Return whether two trees of records and tuples are equal, however deep they are.

    `==` recurses, and Python's room for that cannot be widened everywhere.
    """
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if one is other:
            continue
        if isinstance(one, Record):
            if one.__class__ is not other.__class__:
                return False
            waiting.extend(
                (getattr(one, field), getattr(other, field))
                for field in _fields(one)
                if field != _UNCOMPARED
            )
        elif isinstance(one, tuple):
            if not isinstance(other, tuple) or len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True
