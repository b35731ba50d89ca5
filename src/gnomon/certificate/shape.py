"""Reading JSON of which nothing is known: every function returns a value of its type or raises `Rejected`.

Data is an `object` until one of these has looked at it, so that the type checker notices what is used
unread. Before it has gone through a file, data may have tuples in the place of lists.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gnomon.certificate.rejection import Malformed, Rejected, shown

ReadValue = TypeVar("ReadValue")


def member(data: object, key: str) -> object:
    """Return what an object has under a key."""
    if not isinstance(data, dict):
        raise Malformed(f"not an object with `{key}`: {shown(data)}")
    if key not in data:
        raise Malformed(f"`{key}` is missing")
    found: object = data[key]
    return found


def items(data: object, otherwise: str = "") -> Sequence[object]:
    """Return the items of a list; `otherwise` says in words that it is none."""
    if isinstance(data, list | tuple):
        return data
    if otherwise:
        raise Rejected(otherwise)
    raise Malformed(f"not a list: {shown(data)}")


def row(data: object, length: int, otherwise: str = "") -> Sequence[object]:
    """Return the items of a list of a certain length; `otherwise` says in words that it is none."""
    if isinstance(data, list | tuple) and len(data) == length:
        return data
    if otherwise:
        raise Rejected(otherwise)
    raise Malformed(f"not a list of {length}: {shown(data)}")


def mapping(data: object, otherwise: str) -> Mapping[str, object]:
    """Return an object; `otherwise` says in words that it is none."""
    if not isinstance(data, dict):
        raise Rejected(otherwise)
    return data


def integer(data: object) -> int:
    """Return an integer; true and false are none."""
    if type(data) is not int:
        raise Rejected(f"not a number: {shown(data)}")
    return data


def boolean(data: object) -> bool:
    """Return true or false."""
    if not isinstance(data, bool):
        raise Rejected(f"neither true nor false: {shown(data)}")
    return data


def string(data: object) -> str:
    """Return a text."""
    if not isinstance(data, str):
        raise Rejected(f"not a name: {shown(data)}")
    return data


def strings(data: object) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(map(string, items(data)))


def integers(data: object) -> tuple[int, ...]:
    """Return a list of integers."""
    return tuple(map(integer, items(data)))


def pairs(data: object) -> tuple[tuple[str, str], ...]:
    """Return a list of pairs of texts."""
    return tuple((string(left), string(right)) for left, right in (row(e, 2) for e in items(data)))


def nullable(read: Callable[[object], ReadValue], data: object) -> ReadValue | None:
    """Return what is read, or None for null."""
    return None if data is None else read(data)


def nested(data: object, depth: int) -> object:
    """Return lists as tuples, so many deep at most, and plain values as they are."""
    if isinstance(data, list | tuple):
        if not depth:
            raise Malformed("lists are nested too deep")
        return tuple(nested(each, depth - 1) for each in data)
    if isinstance(data, dict):
        raise Malformed(f"not a value: {shown(data)}")
    return data


def nested_row(data: object, depth: int) -> tuple[object, ...]:
    """Return a list as a tuple, with everything in it."""
    return tuple(nested(each, depth - 1) for each in items(data))
