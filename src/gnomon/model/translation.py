"""One system as another that other tools can read: what a translation returns, or that there is none."""

from collections.abc import Mapping

from gnomon.model.system import System
from gnomon.text.errors import Unable
from gnomon.text.record import Record


class CannotExport(Unable):
    """There is no such program: the message says why, and what to do instead."""


class Translation(Record):
    """An ordinary system, what to say about it, notes on its formulae by their place from 0, and warnings."""

    system: System
    header: tuple[str, ...]
    notes: Mapping[int, str]
    warnings: tuple[str, ...] = ()
