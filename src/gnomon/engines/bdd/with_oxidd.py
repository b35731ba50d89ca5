"""Decision diagrams by OxiDD (a Rust library with wheels for every platform)."""

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from oxidd.bdd import BDDManager, BDDSubstitution
from oxidd.util import BooleanOperator, DDMemoryError

from gnomon.engines.bdd.diagrams import Cube, Diagram, Outgrown, Renaming

_AND = BooleanOperator.AND
#: Room for so many nodes (16 bytes each) is reserved, but only used when needed.
_NODES = 1 << 26
#: The cache of results has one place for so many nodes, but for fewer while it is small: with one for 16
#: in room for 10⁶, a product of two diagrams of 10⁵ nodes took 100 times as long.
_NODES_A_RESULT = 8
_FEW_NODES_A_RESULT = 2
_SMALL = 1 << 20
_PATIENCE = 10.0

Result = TypeVar("Result")


class OxiddDiagrams:
    """The interface on OxiDD's plain BDDs, one thread.

    Its variant with complement edges is not used: the cache hash ignores the complement bit of the last
    operand, which makes parities take quadratic time.
    """

    name = "oxidd"

    def __init__(self, variables: int, nodes: int = _NODES, collections: int | None = None) -> None:
        """Make a manager with variables 0 to `variables` - 1 in this order.

        It has room for so many nodes, and gives up when it ran full more often than so many times.
        """
        self._collections = sys.maxsize if collections is None else collections
        results = max(nodes // _NODES_A_RESULT, min(nodes, _SMALL) // _FEW_NODES_A_RESULT, 1 << 10)
        self._manager = BDDManager(nodes, results, 1)
        self._manager.add_vars(variables)
        self._variables = [self._manager.var(number) for number in range(variables)]
        self.true: Diagram = self._manager.true()
        self.false: Diagram = self._manager.false()

    def _run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; where memory is full, collect the garbage and try once more."""
        if self._manager.gc_count() > self._collections:
            raise Outgrown
        try:
            return operation(*operands)
        except DDMemoryError:
            self.collect()
            try:
                return operation(*operands)
            except DDMemoryError:
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
        return self._run(diagram.__invert__)

    def minus(self, left: Diagram, right: Diagram) -> Diagram:
        """Return `left` without `right`, without building a negation."""
        return self._run(right.imp_strict, left)

    def differ(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the exclusive disjunction."""
        return self._run(left.__xor__, right)

    def choose(self, condition: Diagram, then: Diagram, otherwise: Diagram) -> Diagram:
        """Return `then` where the condition holds, else `otherwise`."""
        return self._run(condition.ite, then, otherwise)

    def cube(self, variables: Iterable[int]) -> Cube:
        """Prepare a set of variables for quantification: their conjunction."""
        result = self.true
        for number in sorted(variables, reverse=True):
            result = self._variables[number] & result
        return result

    def exists(self, diagram: Diagram, cube: Cube) -> Diagram:
        """Return the existential quantification."""
        return self._run(diagram.exists, cube)

    def both_exists(self, left: Diagram, right: Diagram, cube: Cube) -> Diagram:
        """Return the existential quantification of the conjunction, in one pass."""
        return self._run(left.apply_exists, _AND, right, cube)

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""
        exchanged = [
            item
            for first, second in pairs
            for item in ((first, self._variables[second]), (second, self._variables[first]))
        ]
        return BDDSubstitution(exchanged)

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""
        return self._run(diagram.substitute, renaming)

    def count(self, diagram: Diagram, variables: int) -> int:
        """Return exactly how many assignments to so many variables satisfy the diagram."""
        return int(diagram.sat_count(variables))

    def pick(self, diagram: Diagram) -> dict[int, bool]:
        """Return one satisfying assignment."""
        found = diagram.pick_cube()
        return {number: value for number, value in enumerate(found) if value is not None}

    def support(self, diagram: Diagram) -> Iterable[int]:
        """Return the variables that a diagram depends on."""
        seen: set[Diagram] = set()
        found: set[int] = set()
        waiting = [diagram]
        while waiting:
            node = waiting.pop()
            if node in seen or (variable := node.node_var()) is None:
                continue
            seen.add(node)
            found.add(variable)
            waiting.extend(node.cofactors())
        return found

    def size(self, diagram: Diagram) -> int:
        """Return the number of nodes."""
        return int(diagram.node_count())

    def total_size(self) -> int:
        """Return how many nodes there are in all."""
        return int(self._manager.approx_num_inner_nodes())

    def collect(self) -> None:
        """Give up the nodes that nobody uses.

        A collection that is under way in the background makes a second one return at once, having done
        nothing: wait until one has really been finished.
        """
        before = self._manager.gc_count()
        deadline = time.monotonic() + _PATIENCE
        self._manager.gc()
        while self._manager.gc_count() == before and time.monotonic() < deadline:
            time.sleep(0.001)
            self._manager.gc()
