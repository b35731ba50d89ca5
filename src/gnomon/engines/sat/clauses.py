"""Circuits to clauses: gates over the literals of a solver, and copies of a circuit, one a moment."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from gnomon.engines.sat.and_inverter import AndInverterGraph
from gnomon.engines.solvers.sat import SatSolver

#: The literal of a solver that is always true; its opposite is false.
YES: Final = 1
NO: Final = -1
#: So many conflicts are looked into before somebody else may have a turn.
SLICE: Final = 1_000
#: Work that stops now and then, so that limits are looked at and others go on.
Slices: TypeAlias = Generator[None, None, bool]


class Gates:
    """Gates of one solver, written as clauses (Tseitin 1968); equal gates are one, constants are folded."""

    def __init__(self) -> None:
        """Start with the constant."""
        self.solver = SatSolver(doing="clauses", kind="minisat22")
        self._known: dict[tuple[int, int], int] = {}
        first = self.solver.variable()
        assert first == YES
        self.solver.add([YES])

    def fresh(self) -> int:
        """Return a new variable."""
        return self.solver.variable()

    def require(self, *literals: int) -> None:
        """Demand that one of some literals is true."""
        if YES not in literals:
            self.solver.add([each for each in literals if each != NO])

    def both(self, left: int, right: int) -> int:
        """Return a literal for the conjunction."""
        if left > right:
            left, right = right, left
        if NO in (left, right) or left == -right:
            return NO
        if YES in (left, right) or left == right:
            return right if left == YES else left
        key = (left, right)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.solver.variable()
            add = self.solver.add
            add((-found, left))
            add((-found, right))
            add((found, -left, -right))
        return found

    def either(self, left: int, right: int) -> int:
        """Return a literal for the disjunction."""
        return -self.both(-left, -right)

    def every(self, literals: Iterable[int]) -> int:
        """Return a literal for the conjunction of some."""
        found = YES
        for literal in literals:
            found = self.both(found, literal)
        return found

    def same(self, one: int, two: int, unless: int = NO) -> None:
        """Demand that two literals agree, unless another one holds."""
        self.require(unless, -one, two)
        self.require(unless, one, -two)

    def values(self, literals: Iterable[int]) -> list[bool]:
        """Return the values of some literals in the solution that was found last."""
        model = self.solver.model()
        # What no clause mentions may be anything.
        return [
            (literal > 0) == (abs(literal) < len(model) and model[abs(literal)] > 0)
            for literal in literals
        ]

    def solving(self, assumed: Sequence[int]) -> Slices:
        """Return whether everything can be so, slice by slice."""
        if NO in assumed:
            return False
        while (answer := self.solver.is_satisfiable(assumed, SLICE)) is None:
            yield
        return answer


class CircuitCopy:
    """A circuit as clauses, with literals of a solver for its variables."""

    def __init__(self, gates: Gates, graph: AndInverterGraph, inputs: Mapping[int, int]) -> None:
        """Copy what is asked for; variables that are not among the inputs are new ones."""
        self._gates = gates
        self._graph = graph
        #: The literals of the variables of the circuit, as far as they are known.
        self.inputs = dict(inputs)
        self._known: dict[int, int] = {0: NO}

    def literal(self, diagram: int) -> int:
        """Return the literal of a circuit."""
        known = self._known
        node = diagram >> 1
        if node not in known:
            operands, both = self._graph.operands, self._gates.both
            for each in self._graph.cone(diagram):
                if each in known:
                    continue
                left, right = operands[each]
                if left < 0:
                    known[each] = self.variable(-1 - left)
                    continue
                one, two = known[left >> 1], known[right >> 1]
                known[each] = both(-one if left & 1 else one, -two if right & 1 else two)
        return -known[node] if diagram & 1 else known[node]

    def variable(self, number: int) -> int:
        """Return the literal of a variable of the circuit."""
        found = self.inputs.get(number)
        if found is None:
            found = self.inputs[number] = self._gates.fresh()
        return found
