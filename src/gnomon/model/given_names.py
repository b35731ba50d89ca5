"""Names that are given in Python: those that formulae and files can write."""

import re
from collections.abc import Iterable
from typing import Final

from gnomon.language.lexer import KEYWORDS
from gnomon.model.operand import shown

_LONGEST_NAME: Final = 1000


_INDEX: Final = "(0|-?[1-9][0-9]*)"
_NAME: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_]*(\[{_INDEX}(,{_INDEX})*\])?")


def checked_name(name: object, what: str, reserved: frozenset[str] = KEYWORDS) -> str:
    """Return a name that formulae and files can use, or refuse it."""
    if not isinstance(name, str):
        msg = f"{shown(name)} cannot be the name of {what}: a name is a string"
        raise TypeError(msg)
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        msg = (
            f"{shown(name[:_LONGEST_NAME])} cannot be the name of {what}: a name is a letter and then "
            "letters, digits and _, with indices such as [1] or [1,2] where it belongs to a family"
        )
        raise ValueError(msg)
    if name in reserved:
        msg = f"{name} is a reserved word and cannot be the name of {what}"
        raise ValueError(msg)
    return name


def checked_names(
    names: Iterable[str], what: str, reserved: frozenset[str] = KEYWORDS
) -> tuple[str, ...]:
    """Return names of several things, or refuse one of them."""
    if isinstance(names, str):
        msg = f"{shown(names)} is one string: give a list of names, each the name of {what}"
        raise TypeError(msg)
    return tuple(checked_name(name, what, reserved) for name in names)
