"""Linear terms of the parameters of a program, as in `n - t`."""

from collections.abc import Mapping
from typing import Final

from gnomon.text.numbers import show_integer
from gnomon.text.record import Record


class LinearTerm(Record):
    """Parameters, each so many times and in the order of their names, and a number."""

    times: tuple[tuple[str, int], ...]
    number: int

    def value(self, parameters: Mapping[str, int]) -> int:
        """Return what it is worth where the parameters are."""
        return self.number + sum(factor * parameters[name] for name, factor in self.times)


ZERO: Final = LinearTerm((), 0)


def linear(times: Mapping[str, int], number: int) -> LinearTerm:
    """Return a linear term, without parameters that do not matter."""
    return LinearTerm(tuple(sorted((name, k) for name, k in times.items() if k)), number)


def plus(one: LinearTerm, other: LinearTerm) -> LinearTerm:
    """Return the sum of two terms."""
    times = dict(one.times)
    for name, factor in other.times:
        times[name] = times.get(name, 0) + factor
    return linear(times, one.number + other.number)


def scaled(term: LinearTerm, factor: int) -> LinearTerm:
    """Return a term so many times."""
    return linear({name: factor * k for name, k in term.times}, factor * term.number)


def show_sum(parts: list[tuple[int, str]], number: int) -> str:
    """Return a sum as it is written: what is added first, then what is taken away."""
    parts = [(k, text) for k, text in parts if k]
    if number or not parts:
        parts.append((number, ""))
    parts.sort(key=lambda part: part[0] < 0)
    text = ""
    for factor, name in parts:
        size = show_integer(abs(factor))
        shown = size if not name else name if abs(factor) == 1 else f"{size} * {name}"
        sign = ("-" if factor < 0 else "") if not text else " - " if factor < 0 else " + "
        text += sign + shown
    return text


def show_linear(term: LinearTerm) -> str:
    """Return a term as it is written."""
    return show_sum([(k, name) for name, k in term.times], term.number)
