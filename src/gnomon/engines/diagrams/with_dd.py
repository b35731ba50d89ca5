"""Decision diagrams by the package `dd`: on CUDD where its extension is there, else in pure Python.

CUDD can reorder variables, which OxiDD cannot: it is the way out where a static order turns out bad.
Pure Python is slower by orders of magnitude: it is for small systems, and to check the others.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar

from gnomon.engines.diagrams.interface import Cube, Diagram, Outgrown, Renaming
from gnomon.text.limits import room_to_recurse

#: As many nodes as OxiDD has room for.
_NODES = 1 << 26
#: What CUDD needs for a node: itself, its part of the table of nodes, and of the cache.
_BYTES = 64
#: CUDD lets its tables grow fast up to a part of this; it refuses to start with more than there is.
_ESTIMATE = 1 << 28
#: In pure Python nothing is collected unless somebody asks: from so many nodes on.
_COLLECT_FROM = 1 << 16
#: So many reorderings may lower the threshold for the next one (in CUDD's `Cudd_ReduceHeap`).
_REORDERINGS = 20

Result = TypeVar("Result")


class _Full(Exception):
    """There is no room for another node."""


class _Library(Protocol):
    """What the two halves of `dd` do in different ways."""

    name: str
    manager: Any

    def run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; raise `_Full` where there is no room."""

    def cube(self, names: frozenset[str]) -> "_Cube":
        """Prepare a set of variables for quantification."""

    def exists(self, diagram: Diagram, cube: "_Cube") -> Diagram:
        """Return the existential quantification."""

    def both_exists(self, left: Diagram, right: Diagram, cube: "_Cube") -> Diagram:
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


class _Cube(NamedTuple):
    """Variables to quantify: CUDD takes their conjunction here, their names there."""

    names: frozenset[str]
    product: Diagram = None


class DdDiagrams:
    """The interface on `dd`. Both halves have complement edges, so negation costs nothing."""

    def __init__(self, variables: int, nodes: int = _NODES, *, pure: bool = False) -> None:
        """Make a manager with variables 0 to `variables` - 1 in this order; `pure`: without CUDD."""
        cudd = None if pure else find_cudd()
        self._library: _Library = _Pure(nodes) if cudd is None else _Cudd(cudd)
        self._manager = self._library.manager
        names = [str(number) for number in range(variables)]
        for name in names:
            self._manager.add_var(name)
        self._variables = [self._manager.var(name) for name in names]
        self.true: Diagram = self._manager.true
        self.false: Diagram = self._manager.false
        if isinstance(self._library, _Cudd):
            self._library.limit(nodes)

    @property
    def name(self) -> str:
        """The library, for reports."""
        return self._library.name

    def _run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; where memory is full, collect the garbage and try once more."""
        try:
            return self._library.run(operation, *operands)
        except _Full:
            self._library.collect()
            try:
                return self._library.run(operation, *operands)
            except _Full:
                raise Outgrown from None

    def variable(self, number: int) -> Diagram:
        """Return the diagram of one variable."""
        return self._variables[number]

    def both(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the conjunction."""
        return self._run(left.__and__, right)

    def either(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the disjunction."""
        return self._run(left.__or__, right)

    def opposite(self, diagram: Diagram) -> Diagram:
        """Return the negation."""
        return ~diagram

    def minus(self, left: Diagram, right: Diagram) -> Diagram:
        """Return `left` without `right`."""
        return self._run(left.__and__, ~right)

    def differ(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the exclusive disjunction."""
        return self._run(self._manager.apply, "xor", left, right)

    def choose(self, condition: Diagram, then: Diagram, otherwise: Diagram) -> Diagram:
        """Return `then` where the condition holds, else `otherwise`."""
        return self._run(self._manager.ite, condition, then, otherwise)

    def cube(self, variables: Iterable[int]) -> Cube:
        """Prepare a set of variables for quantification."""
        return self._run(self._library.cube, frozenset(map(str, variables)))

    def exists(self, diagram: Diagram, cube: Cube) -> Diagram:
        """Return the existential quantification."""
        return self._run(self._library.exists, diagram, cube) if cube.names else diagram

    def both_exists(self, left: Diagram, right: Diagram, cube: Cube) -> Diagram:
        """Return the existential quantification of the conjunction, in one pass where CUDD does it."""
        if not cube.names:
            return self.both(left, right)
        return self._run(self._library.both_exists, left, right, cube)

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""
        return self._library.renaming([(str(one), str(other)) for one, other in pairs])

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""
        return self._run(self._library.rename, diagram, renaming) if renaming else diagram

    def count(self, diagram: Diagram, variables: int) -> int:
        """Return exactly how many assignments to so many variables satisfy the diagram.

        CUDD itself counts in floating point. Here each node is visited once, the lowest first, and
        only levels that occur are counted, so that the numbers stay short.
        """
        nodes = self._nodes(diagram)
        levels = sorted({level for level, _, _ in nodes.values()})
        ranks = {level: rank for rank, level in enumerate(levels)}
        depth = len(levels)
        terminal, _ = self._library.regular(int(self.true))
        #: For each node how many levels are above it, and how many assignments to it and the rest.
        counts: dict[int, tuple[int, int]] = {terminal: (depth, 1)}

        def models(edge: int, below: int) -> int:
            node, negated = self._library.regular(edge)
            rank, number = counts[node]
            return ((1 << depth - rank) - number if negated else number) << rank - below

        for node in sorted(nodes, key=lambda node: nodes[node][0], reverse=True):
            level, low, high = nodes[node]
            rank = ranks[level]
            counts[node] = rank, models(low, rank + 1) + models(high, rank + 1)
        return models(int(diagram), 0) << variables - depth

    def _nodes(self, diagram: Diagram) -> dict[int, tuple[int, int, int]]:
        """Return the level of every inner node and its two edges, by the number of the node."""
        regular = self._library.regular
        found: dict[int, tuple[int, int, int]] = {}
        waiting = [diagram]
        while waiting:
            edge = waiting.pop()
            node, _ = regular(int(edge))
            if node in found or edge.var is None:
                continue
            low, high = edge.low, edge.high
            found[node] = edge.level, int(low), int(high)
            waiting += (low, high)
        return found

    def evaluate(self, diagram: Diagram, values: Sequence[tuple[int, bool]]) -> bool:
        """Return the value of a diagram where its variables have the values given."""
        named = {str(number): value for number, value in values}
        return bool(self._manager.let(named, diagram) == self._manager.true)

    def pick(self, diagram: Diagram) -> dict[int, bool]:
        """Return one satisfying assignment.

        `dd` has a `pick`, too, but that leaves the reordering switched off.
        """
        found: dict[int, bool] = {}
        wanted = not diagram.negated
        while (name := diagram.var) is not None:
            low = diagram.low
            # An edge to an inner node can always be satisfied, one to the constant only if it fits.
            value = low.var is None and low.negated == wanted
            found[int(name)] = value
            diagram = diagram.high if value else low
            wanted ^= diagram.negated
        assert wanted, "nothing satisfies the constant false"
        return found

    def support(self, diagram: Diagram) -> Iterable[int]:
        """Return the variables that a diagram depends on."""
        return set(map(int, self._run(self._manager.support, diagram)))

    def size(self, diagram: Diagram) -> int:
        """Return the number of nodes."""
        return self._run(len, diagram)

    def total_size(self) -> int:
        """Return how many nodes there are in all."""
        return self._library.total_size()

    def collect(self) -> None:
        """Give up the nodes that nobody uses."""
        self._library.collect()

    def reorder_lazily(
        self, first_at: int = 100_000, groups: Iterable[tuple[int, int]] = ()
    ) -> None:
        """Move variables to better places from so many nodes on; pairs of neighbours stay together.

        CUDD's own first threshold is 4004 nodes, at which even a good order costs minutes of sifting.
        """
        pairs = [(str(first), str(second)) for first, second in groups]
        self._library.reorder_lazily(first_at, pairs)

    def allow(self, nodes: int) -> None:
        """Leave it at what there is room for: counting nodes takes too long here."""

    def reorder(self, blocks: list[list[int]], seconds: float) -> list[list[int]]:  # noqa: ARG002
        """Leave it to CUDD, which reorders by itself once that is switched on."""
        return blocks

    def reorderings(self) -> int:
        """Return how often variables have been moved."""
        library = self._library
        return library.reorderings() if isinstance(library, _Cudd) else 0


class _Cudd:
    """The Cython binding to CUDD."""

    name = "dd.cudd"

    def __init__(self, module: ModuleType) -> None:
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
                raise _Full from None
            raise

    def cube(self, names: frozenset[str]) -> _Cube:
        """Prepare a set of variables for quantification."""
        return _Cube(names, self.manager.cube(names))

    def exists(self, diagram: Diagram, cube: _Cube) -> Diagram:
        """Return the existential quantification."""
        return self.manager.apply("exists", cube.product, diagram)

    def both_exists(self, left: Diagram, right: Diagram, cube: _Cube) -> Diagram:
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


class _Pure:
    """The implementation in Python."""

    name = "dd.autoref"

    def __init__(self, nodes: int) -> None:
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

    def cube(self, names: frozenset[str]) -> _Cube:
        """Prepare a set of variables for quantification; names are enough."""
        return _Cube(names)

    def exists(self, diagram: Diagram, cube: _Cube) -> Diagram:
        """Return the existential quantification."""
        return self.manager.exist(cube.names, diagram)

    def both_exists(self, left: Diagram, right: Diagram, cube: _Cube) -> Diagram:
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

    class Bounded(import_module("dd.bdd").BDD):  # type: ignore[misc]  # known at run time only
        def find_or_add(self, level: int, low: int, high: int) -> int:
            if len(self._succ) > nodes:
                raise _Full
            found: int = super().find_or_add(level, low, high)
            return found

        def __del__(self) -> None:
            pass

    return Bounded()


def find_cudd() -> ModuleType | None:
    """Return the binding to CUDD, if there is one for this platform."""
    try:
        return import_module("dd.cudd")
    except ImportError:
        return None
