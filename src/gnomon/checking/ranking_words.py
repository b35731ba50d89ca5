"""Rankings in words: which quantities run out, one after the other."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gnomon.engines.abstraction.rankings import Ranking

#: So many things are named one after the other.
_MOST_NAMED: Final = 10


def all_of(items: Iterable[str]) -> str:
    """Return names as a part of a sentence, some of them where there are very many.

    >>> all_of(["x", "y", "z"])
    'x, y and z'
    >>> all_of(f"x{n}" for n in range(100))
    'x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 and 90 more'
    """
    names = list(items)
    left = len(names) - _MOST_NAMED
    if left > 1:
        return f"{', '.join(names[:_MOST_NAMED])} and {left} more"
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def none_of(items: Iterable[str]) -> str:
    """Return names as the subject of what none of them can.

    >>> none_of(["x"]), none_of(["x", "y"]), none_of(["x", "y", "z"])
    ('x cannot', 'neither x nor y can', 'none of x, y and z can')
    """
    names = list(items)
    match names:
        case [name]:
            return f"{name} cannot"
        case [first, second]:
            return f"neither {first} nor {second} can"
        case _:
            return f"none of {all_of(names)} can"


class _Phase(NamedTuple):
    """Quantities that run out together, after those of earlier phases."""

    rankings: tuple[Ranking, ...]

    def __str__(self) -> str:
        """Say which fall and which grow."""
        parts = []
        for sign, one, many in ((1, "falls", "fall"), (-1, "grows", "grow")):
            forms = list(dict.fromkeys(str(r.form) for r in self.rankings if r.sign == sign))
            if forms:
                parts.append(f"{all_of(forms)} {many if len(forms) > 1 else one}")
        return all_of(parts)


def in_words(phases: Sequence[Sequence[Ranking]]) -> str:
    """Return rankings as the reason why something does not go on for ever, without a subject before it."""
    first, *later = (str(_Phase(tuple(phase))) for phase in phases)
    if not later:
        return f"{first} again and again, which cannot go on for ever"
    then = "".join(f", then {each}" for each in later[:_MOST_NAMED])
    then += ", and so on" if len(later) > _MOST_NAMED else ""
    return f"first {first}{then}, and none of that can go on for ever"
