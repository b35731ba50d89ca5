"""Which formulae are meant, by parts of their names: `voting and not (slow or 3)`.

A formula is called by its file and its name, or its number where it has none: `voting.ispl::safe`. A word of
an expression means every formula in whose name it occurs, in small letters or large ones.
"""

import re
from typing import Final, NamedTuple

from gnomon.text.errors import Unable

#: Longer ones are written by nobody.
_LONGEST: Final = 10_000
_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_BINDING: Final = {"(": 0, "or": 1, "and": 2, "not": 3}


class BadSelection(Unable):
    """An expression that cannot be read; the message says why."""


class Selection(NamedTuple):
    """An expression with its operators behind what they are about; empty for one that means everything."""

    steps: tuple[str, ...] = ()

    def means(self, called: str) -> bool:
        """Return whether a formula that is called so is meant."""
        name = called.casefold()
        values: list[bool] = []
        for step in self.steps:
            match step:
                case "not":
                    values.append(not values.pop())
                case "and" | "or":
                    right, left = values.pop(), values.pop()
                    values.append((left and right) if step == "and" else (left or right))
                case word:
                    values.append(word.casefold() in name)
        return not values or values[-1]


def selection(text: str) -> Selection:
    """Read an expression; raise `BadSelection` where it is none."""
    if len(text) > _LONGEST:
        raise BadSelection(f"it has more than {_LONGEST:,} characters")
    steps: list[str] = []
    waiting: list[str] = []
    whole = True  # whether the expression could end here
    tokens = _TOKEN.findall(text)
    for place, token in enumerate(tokens):
        opens = token in ("not", "(") or token not in (*_BINDING, ")")
        if opens != (place == 0 or not whole):
            raise BadSelection(f"there is something missing before `{token}`")
        match token:
            case "(" | "not":
                waiting.append(token)
                whole = False
            case ")":
                _unwind(waiting, steps, 1)
                if not waiting:
                    raise BadSelection("there is a `)` without its `(`")
                waiting.pop()
            case "and" | "or":
                _unwind(waiting, steps, _BINDING[token])
                waiting.append(token)
                whole = False
            case _:
                steps.append(token)
                whole = True
    if not whole:
        raise BadSelection(f"there is something missing behind `{tokens[-1]}`")
    _unwind(waiting, steps, 1)
    if waiting:
        raise BadSelection("there is a `(` without its `)`")
    return Selection(tuple(steps))


def _unwind(waiting: list[str], steps: list[str], least: int) -> None:
    """Take over the operators that bind at least so strongly."""
    while waiting and _BINDING[waiting[-1]] >= least:
        steps.append(waiting.pop())
