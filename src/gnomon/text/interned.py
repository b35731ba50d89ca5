"""Records of which there are no two alike: what is equal is the same object.

Comparing and hashing take one step then, however large a record is, so that a part that is used a thousand
times costs no more than one that is used once. A table finds the record that is there already; it keeps none
alive. It needs no lock, so that threads and forks are no matter: each change of it is one step of Python's.

>>> class Leaf(InternedRecord):
...     name: str
>>> Leaf("a") is Leaf("a")
True
"""

from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # what `weakref` itself uses
from collections.abc import Callable
from typing import Any, Self, dataclass_transform
from weakref import ref

from gnomon.text.record import Record, RecordType


class _Kept(ref[Any]):
    """A weak reference that knows where in the table it is."""

    __slots__ = ("key",)
    key: object


@dataclass_transform(frozen_default=True)
class _InternedType(RecordType):
    """Lets a class look for the record that is there before it makes one."""

    def __new__(  # noqa: PYI034 - a metaclass has no `Self`
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]
    ) -> "_InternedType":
        cls: Any = super().__new__(mcs, name, bases, namespace)
        fields: tuple[str, ...] = cls.__match_args__
        if fields:
            cls.__new__ = _maker(cls, fields)
            cls.__init__ = object.__init__
        return cls  # type: ignore[no-any-return]


def _maker(cls: type, fields: tuple[str, ...]) -> Any:
    """Return a `__new__` that looks into the table of the class, written out because a loop would be slow."""
    table: dict[object, _Kept] = {}
    scope: dict[str, Any] = {f"_set_{field}": getattr(cls, field).__set__ for field in fields}
    scope.update(_get=table.get, _new=object.__new__, _keep=_keeper(table))
    # `1` and `True` are equal, and yet not the same.
    key = "(value.__class__, value)" if fields == ("value",) else ", ".join(fields)
    filled = "; ".join(f"_set_{field}(self, {field})" for field in fields)
    exec(  # noqa: S102 - only our own names
        f"""def __new__(cls, {", ".join(fields)}):
    key = {key}
    found = _get(key)
    if found is not None:
        found = found()
        if found is not None:
            return found
    self = _new(cls)
    {filled}
    return _keep(self, key)""",
        scope,
    )
    return scope["__new__"]


def _keeper(table: dict[object, _Kept]) -> Callable[[object, object], object]:
    def forget(kept: _Kept, remove: Callable[..., None] = _remove_dead_weakref) -> None:
        # When Python ends, the names of a module are gone before the last records are.
        remove(table, kept.key)

    def keep(record: object, key: object) -> object:
        """Return the record, now in the table, or the one that another thread was quicker to put there."""
        mine = _Kept(record, forget)
        mine.key = key
        while True:
            found = table.setdefault(key, mine)()
            if found is not None:
                return found
            _remove_dead_weakref(table, key)  # it died a moment ago

    return keep


class InternedRecord(Record, metaclass=_InternedType):
    """The base of all records of which there are no two alike."""

    __slots__ = ("__weakref__",)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __copy__(self) -> Self:
        """Return the record itself: a copy would be the same."""
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        """Return the record itself: a copy would be the same."""
        return self
