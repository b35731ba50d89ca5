"""An and-inverter graph behind the interface of decision diagrams: circuits instead of canonical forms.

A diagram is a literal: twice the number of a node, and one more where it is negated. Node 0 is false; a node
is a variable or the conjunction of two literals that were there before it. Equal nodes are one node, and what
is constant is folded, but two different literals may well mean the same: whoever compares them gets an honest
"the same" and no answer else.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NoReturn

from gnomon.model.budget import Unsuited

FALSE: Final = 0
TRUE: Final = 1
#: Expanding a quantifier doubles a circuit for each variable.
_MOST_EXPANDED: Final = 8


class AndInverterGraph:
    """A growing circuit; the variables of its interface are the levels of a layout, or more of them."""

    name = "and-inverter graph"
    true = TRUE
    false = FALSE

    def __init__(self) -> None:
        """Start with the constants."""
        #: The two operands of a node; those of a variable are negative: its number is `-1 - number`.
        self.operands: list[tuple[int, int]] = [(0, 0)]
        self._known: dict[tuple[int, int], int] = {}
        self._variables: dict[int, int] = {}
        self._cones: dict[int, tuple[int, ...]] = {}

    # What circuits are made of

    def variable(self, number: int) -> int:
        """Return the literal of one variable."""
        found = self._variables.get(number)
        if found is None:
            found = self._variables[number] = 2 * len(self.operands)
            self.operands.append((-1 - number, 0))
        return found

    def both(self, left: int, right: int) -> int:
        """Return the conjunction."""
        if left > right:
            left, right = right, left
        if left == FALSE or left ^ 1 == right:
            return FALSE
        if left in (TRUE, right):
            return right
        key = (left, right)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = 2 * len(self.operands)
            self.operands.append(key)
        return found

    def either(self, left: int, right: int) -> int:
        """Return the disjunction."""
        return self.both(left ^ 1, right ^ 1) ^ 1

    def opposite(self, diagram: int) -> int:
        """Return the negation."""
        return diagram ^ 1

    def minus(self, left: int, right: int) -> int:
        """Return `left` without `right`."""
        return self.both(left, right ^ 1)

    def differ(self, left: int, right: int) -> int:
        """Return the exclusive disjunction."""
        return self.either(self.both(left, right ^ 1), self.both(left ^ 1, right))

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """Return `then` where the condition holds, else `otherwise`."""
        if then == otherwise:
            return then
        return self.either(self.both(condition, then), self.both(condition ^ 1, otherwise))

    # Quantifiers

    def cube(self, variables: Iterable[int]) -> tuple[int, ...]:
        """Prepare a set of variables for quantification."""
        return tuple(variables)

    def exists(self, diagram: int, cube: tuple[int, ...]) -> int:
        """Return the existential quantification: all values of the variables are put in."""
        present = [number for number in cube if number in self.support(diagram)]
        if len(present) > _MOST_EXPANDED:
            msg = (
                f"a quantifier over more than {_MOST_EXPANDED} bits is not written out as a circuit"
            )
            raise Unsuited(msg)
        for number in present:
            parts = (self.substitute(diagram, {number: value}) for value in (FALSE, TRUE))
            diagram = self.either(*parts)
        return diagram

    def both_exists(self, left: int, right: int, cube: tuple[int, ...]) -> int:
        """Return the existential quantification of the conjunction."""
        return self.exists(self.both(left, right), cube)

    def substitute(self, diagram: int, functions: Mapping[int, int]) -> int:
        """Return the circuit with other circuits in the place of some variables."""
        known: dict[int, int] = {0: FALSE}
        for node in self.cone(diagram):
            left, right = self.operands[node]
            if left < 0:
                known[node] = functions.get(-1 - left, 2 * node)
            else:
                known[node] = self.both(known[left >> 1] ^ left & 1, known[right >> 1] ^ right & 1)
        return known[diagram >> 1] ^ diagram & 1

    def substitution(self, functions: Mapping[int, int]) -> Mapping[int, int]:
        """Prepare to put circuits in the place of variables, all at once."""
        return functions

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
        """Prepare the exchange of each pair of variables."""
        found: dict[int, int] = {}
        for one, two in pairs:
            found[one], found[two] = self.variable(two), self.variable(one)
        return found

    def rename(self, diagram: int, renaming: Mapping[int, int]) -> int:
        """Return the circuit with the pairs of variables exchanged."""
        return self.substitute(diagram, renaming)

    # Looking at circuits

    def cone(self, diagram: int) -> tuple[int, ...]:
        """Return the nodes that a circuit consists of but for the constant, each after its operands."""
        root = diagram >> 1
        found = self._cones.get(root)
        if found is None:
            seen, waiting = {0, root}, [root] if root else []
            while waiting:
                left, right = self.operands[waiting.pop()]
                if left >= 0:
                    for node in (left >> 1, right >> 1):
                        if node not in seen:
                            seen.add(node)
                            waiting.append(node)
            seen.discard(0)
            found = self._cones[root] = tuple(sorted(seen))
        return found

    def support(self, diagram: int, among: Collection[int] | None = None) -> frozenset[int]:  # noqa: ARG002
        """Return the variables that a circuit looks at."""
        operands = (self.operands[node][0] for node in self.cone(diagram))
        return frozenset(-1 - left for left in operands if left < 0)

    def evaluate(self, diagram: int, values: Sequence[tuple[int, bool]]) -> bool:
        """Return the value of a circuit where its variables have the values given, and are false else."""
        given = dict.fromkeys(self.support(diagram), FALSE)
        given.update((number, int(value)) for number, value in values)
        return self.substitute(diagram, given) == TRUE

    def size(self, diagram: int) -> int:
        """Return the number of nodes."""
        return len(self.cone(diagram))

    def total_size(self) -> int:
        """Return how many nodes there are in all."""
        return len(self.operands)

    # What circuits are no good for

    def count(self, diagram: int, variables: int) -> NoReturn:
        """Refuse: that takes a canonical form."""
        raise NotImplementedError

    def pick(self, diagram: int) -> NoReturn:
        """Refuse: that takes a solver."""
        raise NotImplementedError

    def collect(self) -> None:
        """Give up nothing: what circuits are made of stays."""

    def allow(self, nodes: int) -> None:
        """Do nothing: circuits grow with what is encoded, and no further."""

    def reorder(self, blocks: list[list[int]], seconds: float) -> list[list[int]]:  # noqa: ARG002
        """Leave variables where they are: there is no order."""
        return blocks
