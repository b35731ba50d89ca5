"""Strategies that go by one number, in words: what is done while it is how large."""

from collections.abc import Mapping
from typing import Final

from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import Partition
from gnomon.engines.abstraction.view_cells import LocalCell

#: With more thresholds than this, the table is easier to read.
_MOST: Final = 4


def thresholds_in_words(partition: Partition, choices: Mapping[LocalCell, str]) -> str:
    """Return in words what each member does, where it goes by one number, or always does the same."""
    members = dict.fromkeys(name for name, _ in choices)
    found = (
        _of_member(partition, name, {s: a for s, a in choices.items() if s[0] == name})
        for name in members
    )
    return "".join(f"; {each}" for each in found if each)


def _of_member(partition: Partition, name: str, choices: Mapping[LocalCell, str]) -> str:
    if len(set(choices.values())) == 1:
        return f"{name} does {next(iter(choices.values()))} all the time"
    for form in partition.pieces:
        told = _by_form(partition, form, choices)
        if told and len(told) <= _MOST:
            steps = (f"{action} while {_condition(form, where)}" for where, action in told)
            return f"{name} does {', '.join(steps)}"
    return ""


def _by_form(
    partition: Partition, form: Form, choices: Mapping[LocalCell, str]
) -> list[tuple[Interval, str]]:
    """Return what is done in which intervals of a form; nothing where it does not decide what is done."""
    done: dict[int, str] = {}
    for (_, seen), action in choices.items():
        number = dict(seen.pieces).get(form)
        if number is None or done.setdefault(number, action) != action:
            return []
    joined: list[tuple[Interval, str]] = []
    for number in sorted(done):
        piece, action = partition.pieces[form][number], done[number]
        if joined and joined[-1][1] == action:
            piece = Interval(joined.pop()[0].low, piece.high)
        joined.append((piece, action))
    return joined


def _condition(form: Form, where: Interval) -> str:
    if where.low is not None and where.low == where.high:
        return f"{form} = {where}"
    text = str(where)
    return f"{form} {text}" if text.startswith(("<", ">")) else f"{form} is in {text}"
