"""The two halves of the package `dd`: the binding to CUDD, and the implementation in Python."""

import warnings
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar

from gnomon.engines.diagrams.interface import Diagram, Renaming
from gnomon.text.errors import Abandoned
from gnomon.text.limits import room_to_recurse

#: What CUDD needs for a node: itself, its part of the table of nodes, and of the cache.
_BYTES = 64
#: CUDD lets its tables grow fast up to a part of this; it refuses to start with more than there is.
_ESTIMATE = 1 << 28
#: In pure Python nothing is collected unless somebody asks: from so many nodes on.
_COLLECT_FROM = 1 << 16
#: So many reorderings may lower the threshold for the next one (in CUDD's `Cudd_ReduceHeap`).
_REORDERINGS = 20

Result = TypeVar("Result")


class LibraryFull(Abandoned):
    """There is no room for another node."""


class DdLibrary(Protocol):
    """What the two halves of `dd` do in different ways."""

    name: str
    manager: Any

    def run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; raise `LibraryFull` where there is no room."""

    def cube(self, names: frozenset[str]) -> "QuantifiedNames":
        """Prepare a set of variables for quantification."""

    def exists(self, diagram: Diagram, cube: "QuantifiedNames") -> Diagram:
        """Return the existential quantification."""

    def both_exists(self, left: Diagram, right: Diagram, cube: "QuantifiedNames") -> Diagram:
        """Return the existential quantification of the conjunction."""

    def renaming(self, pairs: list[tuple[str, str]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""

    def regular(self, edge: int) -> tuple[int, bool]:
        """Return the number of a node from that of an edge to it, and whether the edge negates."""

    def total_size(self) -> int:
        """Return how many nodes there are in all."""

    def collect(self) -> None:
        """Give up the nodes that nobody uses."""

    def reorder_lazily(self, first_at: int, groups: list[tuple[str, str]]) -> None:
        """Reorder from so many nodes on, and keep each group together."""


class QuantifiedNames(NamedTuple):
    """Variables to quantify: CUDD takes their conjunction here, their names there."""

    names: frozenset[str]
    product: Diagram = None


class Cudd:
    """The Cython binding to CUDD."""

    name = "dd.cudd"

    def __init__(self, module: ModuleType) -> None:
        """Make a manager of CUDD's."""
        self._module = module
        self.manager = module.BDD(memory_estimate=_ESTIMATE)
        self.manager.configure(reordering=False)
        self._idle = 0

    def limit(self, nodes: int) -> None:
        """Allow room for so many nodes beside what an empty manager takes."""
        in_use = int(self._statistics()["mem"])
        self.manager.configure(max_memory=in_use + nodes * _BYTES)

    def _statistics(self) -> dict[str, Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            statistics: dict[str, Any] = self.manager.statistics()
        return statistics

    def run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation. Where CUDD gives up, the binding complains of what it got instead."""
        try:
            return operation(*operands)
        except (RuntimeError, ValueError) as error:
            if any(sign in str(error) for sign in ("NULL", "out of memory", "swap failed")):
                raise LibraryFull from None
            raise

    def cube(self, names: frozenset[str]) -> QuantifiedNames:
        """Prepare a set of variables for quantification."""
        return QuantifiedNames(names, self.manager.cube(names))

    def exists(self, diagram: Diagram, cube: QuantifiedNames) -> Diagram:
        """Return the existential quantification."""
        return self.manager.apply("exists", cube.product, diagram)

    def both_exists(self, left: Diagram, right: Diagram, cube: QuantifiedNames) -> Diagram:
        """Return the existential quantification of the conjunction."""
        return self._module.and_exists(left, right, cube.names)

    def renaming(self, pairs: list[tuple[str, str]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""
        return dict(pairs)

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""
        return self.manager._swap(diagram, renaming)  # noqa: SLF001 -- `let` does half of it

    def regular(self, edge: int) -> tuple[int, bool]:
        """Return the number of a node: an address, whose lowest bit is that of the edge."""
        return edge & ~1, bool(edge & 1)

    def total_size(self) -> int:
        """Return how many nodes there are, dead ones as well: counting the others takes a search."""
        return sum(self._module.count_nodes_per_level(self.manager).values())

    def collect(self) -> None:
        """Begin a reordering in which no variable may move: CUDD collects garbage before it."""
        before = self.manager.configure(max_vars=0)
        self.manager.reorder()
        self.manager.configure(max_vars=before["max_vars"])
        self._idle += 1

    def reorder_lazily(self, first_at: int, groups: list[tuple[str, str]]) -> None:
        """Switch sifting on.

        The binding cannot set the threshold. CUDD takes twice the number of nodes that were there at the
        end of a reordering: so let there be half as many for a moment. After some reorderings the
        threshold never falls again, which it otherwise would after the first success.
        """
        self.manager.group({first: 2 for first, _ in groups})
        ballast = self._ballast(first_at // 2)
        for _ in range(_REORDERINGS):
            self.collect()
        del ballast
        self.manager.configure(reordering=True)

    def _ballast(self, nodes: int) -> Diagram:
        """Return a diagram of at least half and at most so many nodes, if there are variables enough.

        That m bits equal m others below all of them takes 3·2^m nodes.
        """
        bits = min((nodes // 3).bit_length() - 1, len(self.manager.vars) // 2)
        result = self.manager.true
        for number in range(bits):
            one, two = self.manager.var(str(number)), self.manager.var(str(number + bits))
            result = result & one.equiv(two)
        return result

    def reorderings(self) -> int:
        """Return how often variables have been moved."""
        return int(self._statistics()["n_reorderings"]) - self._idle


class PurePython:
    """The implementation in Python."""

    name = "dd.autoref"

    def __init__(self, nodes: int) -> None:
        """Make a manager with room for so many nodes."""
        self.manager = import_module("dd.autoref").BDD()
        self.manager._bdd = _bounded(nodes)  # noqa: SLF001 -- there is no other way in
        self._collect_at = min(_COLLECT_FROM, nodes)

    def run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; it recurses level by level."""
        if len(self.manager) > self._collect_at:
            self.collect()
            self._collect_at = max(self._collect_at, 2 * len(self.manager))
        with room_to_recurse():
            return operation(*operands)

    def cube(self, names: frozenset[str]) -> QuantifiedNames:
        """Prepare a set of variables for quantification; names are enough."""
        return QuantifiedNames(names)

    def exists(self, diagram: Diagram, cube: QuantifiedNames) -> Diagram:
        """Return the existential quantification."""
        return self.manager.exist(cube.names, diagram)

    def both_exists(self, left: Diagram, right: Diagram, cube: QuantifiedNames) -> Diagram:
        """Return the existential quantification of the conjunction, in two passes."""
        return self.manager.exist(cube.names, left & right)

    def renaming(self, pairs: list[tuple[str, str]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""
        exchanged = [item for one, two in pairs for item in ((one, two), (two, one))]
        return {name: self.manager.var(other) for name, other in exchanged}

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""
        return self.manager.let(renaming, diagram)

    def regular(self, edge: int) -> tuple[int, bool]:
        """Return the number of a node: an edge that negates has a negative one."""
        return abs(edge), edge < 0

    def total_size(self) -> int:
        """Return how many nodes there are in all."""
        return len(self.manager)

    def collect(self) -> None:
        """Give up the nodes that nobody uses."""
        self.manager.collect_garbage()

    def reorder_lazily(self, first_at: int, groups: list[tuple[str, str]]) -> None:
        """Do nothing: sifting in Python takes longer than it saves."""


def _bounded(nodes: int) -> Any:
    """Return a manager that stops cleanly where it is full.

    The one of `dd` has a bound, too, but leaves a node without its references behind. And it complains
    when it goes before its diagrams, which happens to all that is collected as a cycle.
    """

    class LimitedBDD(import_module("dd.bdd").BDD):  # type: ignore[misc]  # known at run time only
        def find_or_add(self, level: int, low: int, high: int) -> int:
            if len(self._succ) > nodes:
                raise LibraryFull
            found: int = super().find_or_add(level, low, high)
            return found

        def __del__(self) -> None:
            pass

    return LimitedBDD()


def find_cudd() -> ModuleType | None:
    """Return the binding to CUDD, if there is one for this platform."""
    try:
        return import_module("dd.cudd")
    except ImportError:
        return None
