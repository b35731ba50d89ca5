"""Decision diagrams by the package `dd`: on CUDD where its extension is there, else in pure Python.

CUDD can reorder variables, which OxiDD cannot: it is the way out where a static order turns out bad.
Pure Python is slower by orders of magnitude: it is for small systems, and to check the others.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from gnomon.engines.diagrams.dd_libraries import (
    Cudd,
    DdLibrary,
    LibraryFull,
    PurePython,
    find_cudd,
)
from gnomon.engines.diagrams.interface import Diagram, Outgrown, QuantifiedSet, Renaming

#: As many nodes as OxiDD has room for.
_NODES = 1 << 26

Result = TypeVar("Result")


class DdDiagrams:
    """The interface on `dd`. Both halves have complement edges, so negation costs nothing."""

    def __init__(self, variables: int, nodes: int = _NODES, *, pure: bool = False) -> None:
        """Make a manager with variables 0 to `variables` - 1 in this order; `pure`: without CUDD."""
        cudd = None if pure else find_cudd()
        self._library: DdLibrary = PurePython(nodes) if cudd is None else Cudd(cudd)
        self._manager = self._library.manager
        names = [str(number) for number in range(variables)]
        for name in names:
            self._manager.add_var(name)
        self._variables = [self._manager.var(name) for name in names]
        self.true: Diagram = self._manager.true
        self.false: Diagram = self._manager.false
        if isinstance(self._library, Cudd):
            self._library.limit(nodes)

    @property
    def name(self) -> str:
        """The library, for reports."""
        return self._library.name

    def _run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; where memory is full, collect the garbage and try once more."""
        try:
            return self._library.run(operation, *operands)
        except LibraryFull:
            self._library.collect()
            try:
                return self._library.run(operation, *operands)
            except LibraryFull:
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

    def cube(self, variables: Iterable[int]) -> QuantifiedSet:
        """Prepare a set of variables for quantification."""
        return self._run(self._library.cube, frozenset(map(str, variables)))

    def exists(self, diagram: Diagram, cube: QuantifiedSet) -> Diagram:
        """Return the existential quantification."""
        return self._run(self._library.exists, diagram, cube) if cube.names else diagram

    def both_exists(self, left: Diagram, right: Diagram, cube: QuantifiedSet) -> Diagram:
        """Return the existential quantification of the conjunction, in one pass where CUDD does it."""
        if not cube.names:
            return self.both(left, right)
        return self._run(self._library.both_exists, left, right, cube)

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""
        return self._library.renaming([(str(one), str(other)) for one, other in pairs])

    def substitution(self, functions: Mapping[int, Diagram]) -> Renaming:
        """Prepare to put diagrams in the place of variables, all at once."""
        return {str(variable): function for variable, function in functions.items()}

    def substitute(self, diagram: Diagram, functions: Renaming) -> Diagram:
        """Return the diagram with other diagrams in the place of some variables."""
        return self._run(self._manager.let, functions, diagram) if functions else diagram

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

    def support(self, diagram: Diagram, among: Collection[int] | None = None) -> Iterable[int]:  # noqa: ARG002
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
        return library.reorderings() if isinstance(library, Cudd) else 0
