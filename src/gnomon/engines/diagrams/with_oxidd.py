"""Decision diagrams by OxiDD (a Rust library with wheels for every platform)."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from oxidd.bdd import BDDManager, BDDSubstitution
from oxidd.util import BooleanOperator, DDMemoryError

from gnomon.engines.diagrams.interface import Diagram, Outgrown, QuantifiedSet, Renaming

_AND = BooleanOperator.AND
#: Room for so many nodes (16 bytes each) is reserved, but only used when needed.
_NODES = 1 << 26
#: The cache of results (20 bytes each) has to be written over as a whole, at the start and at every
#: collection. But with few of them a product of two diagrams of 10⁵ nodes took 100 times as long.
_RESULTS = 1 << 20
#: When variables are moved, steps over so many places are tried first, and places beyond which the
#: diagrams have grown by so much are not.
_STRIDES = 12
_WORSE = 2
_PATIENCE = 10.0

Result = TypeVar("Result")


class OxiddDiagrams:
    """The interface on OxiDD's plain BDDs, one thread.

    Its variant with complement edges is not used: the cache hash ignores the complement bit of the last
    operand, which makes parities take quadratic time.
    """

    name = "oxidd"

    def __init__(
        self,
        variables: int,
        nodes: int = _NODES,
        results: int = _RESULTS,
        *,
        collects: bool = True,
    ) -> None:
        """Make a manager with variables 0 to `variables` - 1 in this order, and room for so many nodes.

        If it does not collect nodes that nobody uses, so many are all that are ever made.
        """
        # A manager that is nearly full collects of its own accord.
        room = nodes if collects else nodes + nodes // 4
        self._manager = BDDManager(room, results, 1)
        self._most = nodes
        self._collects = collects
        self._manager.add_vars(variables)
        self._variables = [self._manager.var(number) for number in range(variables)]
        self.true: Diagram = self._manager.true()
        self.false: Diagram = self._manager.false()

    def _run(self, operation: Callable[..., Result], *operands: Any) -> Result:
        """Do one operation; where memory is full, collect the garbage and try once more."""
        if self._manager.approx_num_inner_nodes() > self._most:
            self._shrink()
        try:
            return operation(*operands)
        except DDMemoryError:
            if not self._collects:
                raise Outgrown from None
            self.collect()
            try:
                return operation(*operands)
            except DDMemoryError:
                raise Outgrown from None

    def _shrink(self) -> None:
        """Make room, at least half of what is allowed: otherwise collecting would soon take all the time."""
        if self._collects:
            self.collect()
        if not self._collects or self._manager.approx_num_inner_nodes() > self._most // 2:
            raise Outgrown

    def allow(self, nodes: int) -> None:
        """Give up when more than half as many nodes are in use; that may be less than there is room for."""
        self._most = nodes

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

    def cube(self, variables: Iterable[int]) -> QuantifiedSet:
        """Prepare a set of variables for quantification: their conjunction."""
        result = self.true
        for number in sorted(variables, reverse=True):
            result = self._variables[number] & result
        return result

    def exists(self, diagram: Diagram, cube: QuantifiedSet) -> Diagram:
        """Return the existential quantification."""
        return self._run(diagram.exists, cube)

    def both_exists(self, left: Diagram, right: Diagram, cube: QuantifiedSet) -> Diagram:
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

    def substitution(self, functions: Mapping[int, Diagram]) -> Renaming:
        """Prepare to put diagrams in the place of variables, all at once."""
        return dict(functions)

    def substitute(self, diagram: Diagram, functions: Renaming) -> Diagram:
        """Return the diagram with other diagrams in the place of some variables.

        Node by node, the lowest first: in one go, it may take for ever and hear of no limit.
        """
        known = {self.true: self.true, self.false: self.false}
        waiting = [diagram]
        while waiting:
            node = waiting[-1]
            if node in known:
                waiting.pop()
                continue
            then, otherwise = node.cofactors()
            missing = [part for part in (then, otherwise) if part not in known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            number = node.node_var()
            function = functions.get(number, self._variables[number])
            known[node] = self.choose(function, known[then], known[otherwise])
        return known[diagram]

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""
        return self._run(diagram.substitute, renaming)

    def count(self, diagram: Diagram, variables: int) -> int:
        """Return exactly how many assignments to so many variables satisfy the diagram."""
        return int(diagram.sat_count(variables))

    def evaluate(self, diagram: Diagram, values: Sequence[tuple[int, bool]]) -> bool:
        """Return the value of a diagram where its variables have the values given."""
        return bool(diagram.eval(values))

    def pick(self, diagram: Diagram) -> dict[int, bool]:
        """Return one satisfying assignment."""
        found = diagram.pick_cube()
        return {number: value for number, value in enumerate(found) if value is not None}

    def support(self, diagram: Diagram, among: Collection[int] | None = None) -> Iterable[int]:
        """Return the variables that a diagram depends on; where known, all are `among` these.

        A few paths mostly tell of all of them, where it is known how many there may be.
        """
        most = None if among is None else len(among)
        seen: set[Diagram] = set()
        found: set[int] = set()
        waiting = [diagram]
        while waiting:
            node = waiting.pop()
            if node in seen or (variable := node.node_var()) is None:
                continue
            seen.add(node)
            found.add(variable)
            if len(found) == most:
                break
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

    def reorder(self, blocks: list[list[int]], seconds: float) -> list[list[int]]:
        """Move blocks of variables to where diagrams get smaller, one after the other (Rudell 1993).

        Every position would cost too much: first long strides, then all places around the best.
        """
        deadline = time.monotonic() + seconds
        self.collect()
        order = list(blocks)
        for block in sorted(blocks, key=len, reverse=True):
            if time.monotonic() > deadline:
                break
            order = self._sift(order, block)
        return order

    def _sift(self, order: list[list[int]], block: list[int]) -> list[list[int]]:
        start = order.index(block)
        others = order[:start] + order[start + 1 :]
        sizes = {start: int(self._manager.num_inner_nodes())}

        def size_at(place: int) -> int:
            if place not in sizes:
                sizes[place] = self._arrange([*others[:place], block, *others[place:]])
            return sizes[place]

        stride = max(1, len(others) // _STRIDES)
        for places in (
            range(start + stride, len(others) + 1, stride),
            range(start - stride, -1, -stride),
        ):
            for place in places:
                if size_at(place) > _WORSE * sizes[start]:
                    break
        best = min(sizes, key=sizes.__getitem__)
        for place in range(max(0, best - stride + 1), min(len(others), best + stride - 1) + 1):
            size_at(place)
        best = min(sizes, key=sizes.__getitem__)
        found = [*others[:best], block, *others[best:]]
        self._arrange(found)
        return found

    def _arrange(self, order: list[list[int]]) -> int:
        """Move the variables, and return how many nodes there are then."""
        self._manager.set_var_order([variable for block in order for variable in block])
        return int(self._manager.num_inner_nodes())
