"""An automaton that watches a path; which logic it was made from is not known here."""

from collections.abc import Callable
from typing import TypeAlias

from gnomon.model.formula import Formula
from gnomon.text.record import Record


class Tracker(Record):
    """A generalised Büchi automaton: what each node wants to see, what may follow it, and what it puts off.

    What nodes want are formulae about the state. A path is accepted where for each number of `promises` the
    nodes that do not put it off recur.
    """

    wants: tuple[tuple[Formula, ...], ...]
    initial: tuple[int, ...]
    successors: tuple[tuple[int, ...], ...]
    late: tuple[frozenset[int], ...]
    promises: int


#: Makes an automaton for a path formula.
Track: TypeAlias = Callable[[Formula], Tracker]
