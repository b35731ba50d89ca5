"""Which order and which library to try first, and what to turn to when the diagrams outgrow them.

Nobody knows beforehand whether an order is good. So each gets little room at first: a good one needs no more,
and a bad one fills it in a second or two. Only when all of them have failed do they get more.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.engines.diagrams.bit_layout import BitLayout, lay_out, structure_of
from gnomon.engines.diagrams.circuit_order import CIRCUIT_ORDERS, is_circuit
from gnomon.engines.diagrams.interface import Diagrams
from gnomon.engines.diagrams.order import ORDERS, Order
from gnomon.model.budget import LimitReached
from gnomon.model.formula import Formula
from gnomon.model.system import System

#: `cudd` reorders variables as it goes, but hears of no limit while it works: it is for those who ask.
DiagramLibrary: TypeAlias = Literal["oxidd", "cudd", "python"]


class NodeRoom(NamedTuple):
    """Room for nodes while exploring and in all, and for remembered results."""

    exploring: int
    nodes: int
    results: int


_TINY: Final = NodeRoom(1 << 15, 1 << 15, 1 << 14)
#: Where an order for circuits is good, it is very good; the first of them outgrows much where it is bad.
_GLIMPSES: Final = (NodeRoom(1 << 17, 1 << 19, 1 << 18), NodeRoom(1 << 17, 1 << 21, 1 << 20))
#: All nodes that may ever be made: at first, without exploring at first by each of the orders, and later.
_PEEK: Final = NodeRoom(1 << 18, 1 << 18, 1 << 17)
_LOOK_BACK: Final = (
    NodeRoom(1 << 20, 1_700_000, 1 << 20),
    NodeRoom(1 << 20, 1 << 19, 1 << 19),
)
_LOOK_BACK_LONGER: Final = NodeRoom(1 << 22, 1 << 22, 1 << 20)
_LITTLE: Final = NodeRoom(1 << 20, 1 << 25, 1 << 20)
_MORE: Final = NodeRoom(1 << 24, 1 << 25, 1 << 20)
_ALL: Final = NodeRoom(1 << 26, 1 << 26, 1 << 22)
#: Few bits seldom make many nodes, and making room takes time.
_FEW_BITS: Final = 28
_MANY_BITS: Final = 200


@dataclass(frozen=True, slots=True)
class Setup:
    """One attempt: an order and a library with so much room; with `reorders`, variables move."""

    order: Order
    library: DiagramLibrary
    layout: BitLayout
    room: NodeRoom
    reorders: bool = False
    final: bool = False
    #: Whether the reachable states are to be found, or formulae to be decided without knowing them.
    explores: bool = True
    #: Whether nodes that nobody uses make room for others: that may take long and be of no use. Without it,
    #: the room is for all that are ever made, the relation included.
    collects: bool = True

    @property
    def name(self) -> str:
        """What sets it apart, for reports."""
        moving = " and moving" if self.reorders else ""
        order = f"order {self.order}{moving}, {self.library}"
        if not self.explores:
            return f"{order}, without exploring, room for {self.room.nodes:,} nodes"
        return f"{order}, room for {self.room.exploring:,} nodes"

    @property
    def quick(self) -> bool:
        """Whether it is over in seconds, one way or the other."""
        return self.room.exploring <= _LITTLE.exploring

    def diagrams(self) -> Diagrams:
        """Return an empty manager for it."""
        size = self.layout.size
        if self.library == "oxidd":
            from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams

            results = self.room.results * (4 if size > _MANY_BITS else 1)
            return OxiddDiagrams(size, self.room.nodes, results, collects=self.collects)
        from gnomon.engines.diagrams.with_dd import DdDiagrams

        diagrams = DdDiagrams(size, self.room.nodes, pure=self.library == "python")
        diagrams.reorder_lazily(groups=self.layout.pairs)
        return diagrams


def setups(
    system: System,
    formulae: Iterable[Formula],
    order: Order | None = None,
    library: DiagramLibrary | None = None,
    *,
    unexplored: bool = False,
) -> Iterator[Setup]:
    """Return the attempts worth making, one after the other; an order or a library may be asked for.

    With `unexplored`, some do without exploring, where that has outgrown the little room it had.
    """
    structure = structure_of(system, list(formulae))
    first, *others = [order] if order else _orders(system)
    layout = lay_out(system, structure, first)
    if library is not None:
        if library != "oxidd":
            _need_dd(library)
        yield Setup(first, library, layout, _ALL, final=True)
        return
    if layout.size <= _FEW_BITS:
        yield Setup(first, "oxidd", layout, _TINY)
    elif first in CIRCUIT_ORDERS and not order:
        circuits = {kind: lay_out(system, structure, kind) for kind in CIRCUIT_ORDERS}
        if unexplored:
            for kind, each in circuits.items():
                yield Setup(kind, "oxidd", each, _PEEK, collects=False)
            for (kind, each), room in zip(circuits.items(), _LOOK_BACK, strict=True):
                yield Setup(kind, "oxidd", each, room, explores=False, collects=False)
        for (kind, each), room in zip(circuits.items(), _GLIMPSES, strict=True):
            yield Setup(kind, "oxidd", each, room)
    yield Setup(first, "oxidd", layout, _LITTLE)
    tried = [layout]
    for kind in others:
        other = lay_out(system, structure, kind)
        if other not in tried:
            tried.append(other)
            yield Setup(kind, "oxidd", other, _LITTLE)
    if unexplored:
        yield Setup(first, "oxidd", layout, _LOOK_BACK_LONGER, explores=False, collects=False)
    yield Setup(first, "oxidd", layout, _MORE, reorders=True)
    yield Setup(first, "oxidd", layout, _ALL, final=True)


def _orders(system: System) -> Sequence[Order]:
    """Return all orders; those of circuits first where the system looks like one, and nowhere else."""
    if is_circuit(system):
        return [*CIRCUIT_ORDERS, *(order for order in ORDERS if order not in CIRCUIT_ORDERS)]
    return [order for order in ORDERS if order not in CIRCUIT_ORDERS]


def default_setup(system: System) -> Setup:
    """Return one attempt that will do for a small system."""
    return Setup("structure", "oxidd", lay_out(system, structure_of(system, ())), _LITTLE)


def _need_dd(library: DiagramLibrary) -> None:
    if find_spec("dd") is not None:
        from gnomon.engines.diagrams.dd_libraries import find_cudd

        if library == "python" or find_cudd() is not None:
            return
    msg = f"--diagrams {library} needs the package `dd`: install gnomon with its extra `dd`"
    raise LimitReached(msg)
