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
from typing import TYPE_CHECKING, Any, Self, dataclass_transform
from weakref import ref

from gnomon.text.record import PlainRecord, RecordType


class _Kept(ref[Any]):
    """A weak reference that knows where in the table it is."""

    __slots__ = ("key",)
    key: object


@dataclass_transform(frozen_default=True)
class _InternedType(RecordType):
    """Lets a class look for the record that is there before it makes one."""

    @staticmethod
    def equip(kind: Any, fields: tuple[str, ...], _defaults: dict[str, Any]) -> None:
        """Give the class a `__new__` that looks into its table."""
        table: dict[object, _Kept] = {}

        def first(_kind: type, *values: Any, **named: Any) -> object:
            # Written when it is needed, as initialisers are; the table is there before: threads share it.
            kind.__new__ = _maker(kind, fields, table)
            return kind(*values, **named)

        kind.__new__ = first
        kind.__init__ = object.__init__


def _maker(cls: type, fields: tuple[str, ...], table: dict[object, _Kept]) -> Any:
    """Return a `__new__` that looks into the table of the class, written out because a loop would be slow."""
    scope: dict[str, Any] = {f"_set_{field}": getattr(cls, field).__set__ for field in fields}
    scope.update(_get=table.get, _put=table.setdefault, _new=object.__new__, _kept=_Kept)
    scope.update(_forget=_forgetter(table), _keep=_keeper(table))
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
    mine = _kept(self, _forget)
    mine.key = key
    return self if _put(key, mine) is mine else _keep(mine)""",
        scope,
    )
    return scope["__new__"]


def _forgetter(table: dict[object, _Kept]) -> Callable[[_Kept], None]:
    def forget(kept: _Kept, remove: Callable[..., None] = _remove_dead_weakref) -> None:
        # When Python ends, the names of a module are gone before the last records are.
        remove(table, kept.key)

    return forget


def _keeper(table: dict[object, _Kept]) -> Callable[[_Kept], object]:
    def keep(mine: _Kept) -> object:
        """Return the record that another thread was quicker to put there, or mine where that one is dead."""
        while True:
            found = table.setdefault(mine.key, mine)()
            if found is not None:
                return found
            _remove_dead_weakref(table, mine.key)  # it died a moment ago

    return keep


class _PlainInternedRecord(PlainRecord):
    """What all records have of which there are no two alike."""

    __slots__ = ("__weakref__",)

    if TYPE_CHECKING:

        def __eq__(self, other: object) -> bool:
            """Return whether both are the same."""

        def __hash__(self) -> int:
            """Return a hash that is its own."""

    else:
        __eq__ = object.__eq__
        __hash__ = object.__hash__

    def __copy__(self) -> Self:
        """Return the record itself: a copy would be the same."""
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        """Return the record itself: a copy would be the same."""
        return self


class InternedRecord(_PlainInternedRecord, metaclass=_InternedType):
    """The base of all records of which there are no two alike."""
