"""Which order and which library to try first, and what to turn to when the diagrams outgrow them.

Nobody knows beforehand whether an order is good. So each gets little room at first: a good one needs no more,
and a bad one fills it in a second or two. Only when all of them have failed do they get more.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal, TypeAlias, get_args

from gnomon.engines.bdd.diagrams import Diagrams
from gnomon.engines.bdd.layout import Layout, lay_out, structure_of
from gnomon.engines.bdd.order import Order
from gnomon.model.budget import LimitReached
from gnomon.model.formula import Formula
from gnomon.model.system import System

#: `cudd` reorders variables as it goes.
Library: TypeAlias = Literal["oxidd", "cudd", "python"]

ORDERS: Final[tuple[Order, ...]] = get_args(Order)
LIBRARIES: Final[tuple[Library, ...]] = get_args(Library)

#: Room in nodes, and how often it may run full before the next attempt; the last one may for ever.
_TINY: Final = (1 << 15, 0)
_LITTLE: Final = (1 << 20, 16)
_MORE: Final = (1 << 23, 16)
_ALL: Final = (1 << 26, None)
#: Few bits seldom make many nodes, and making room takes time.
_FEW_BITS: Final = 48


@dataclass(frozen=True, slots=True)
class Setup:
    """One attempt: an order and a library with so much room."""

    order: Order
    library: Library
    layout: Layout
    nodes: int
    collections: int | None

    @property
    def name(self) -> str:
        """What sets it apart, for reports."""
        return f"order {self.order}, {self.library}, room for {self.nodes:,} nodes"

    @property
    def quick(self) -> bool:
        """Whether it is over in seconds, one way or the other."""
        return self.nodes <= _LITTLE[0]

    @property
    def final(self) -> bool:
        """Whether there is nothing left to turn to."""
        return self.collections is None

    def diagrams(self) -> Diagrams:
        """Return an empty manager for it."""
        size = self.layout.size
        if self.library == "oxidd":
            from gnomon.engines.bdd.with_oxidd import OxiddDiagrams

            return OxiddDiagrams(size, self.nodes, self.collections)
        from gnomon.engines.bdd.with_dd import DdDiagrams

        diagrams = DdDiagrams(size, self.nodes, pure=self.library == "python")
        diagrams.reorder_lazily(groups=self.layout.pairs)
        return diagrams


def setups(
    system: System,
    formulae: Iterable[Formula],
    order: Order | None = None,
    library: Library | None = None,
) -> Iterator[Setup]:
    """Return the attempts worth making, one after the other; an order or a library may be asked for."""
    structure = structure_of(system, list(formulae))
    first, *others = [order] if order else ORDERS
    layouts = {first: lay_out(system, structure, first)}
    if library is not None:
        if library != "oxidd":
            _need_dd(library)
        yield Setup(first, library, layouts[first], *_ALL)
        return
    if layouts[first].size <= _FEW_BITS:
        yield Setup(first, "oxidd", layouts[first], *_TINY)
    yield Setup(first, "oxidd", layouts[first], *_LITTLE)
    for kind in others:
        layout = lay_out(system, structure, kind)
        if layout not in layouts.values():
            layouts[kind] = layout
            yield Setup(kind, "oxidd", layout, *_LITTLE)
    if can_reorder():
        yield Setup(first, "cudd", layouts[first], *_MORE)
    for kind, layout in layouts.items():
        yield Setup(kind, "oxidd", layout, *_MORE)
    yield Setup(first, "oxidd", layouts[first], *_ALL)


def default_setup(system: System) -> Setup:
    """Return one attempt that will do for a small system."""
    return Setup("structure", "oxidd", lay_out(system, structure_of(system, ())), *_LITTLE)


def _need_dd(library: Library) -> None:
    if find_spec("dd") is None or (library == "cudd" and not can_reorder()):
        msg = f"--diagrams {library} needs the package `dd`: install gnomon with its extra `dd`"
        raise LimitReached(msg)


def can_reorder() -> bool:
    """Return whether a library that moves variables is installed."""
    from gnomon.engines.bdd.with_dd import find_cudd

    return find_cudd() is not None
