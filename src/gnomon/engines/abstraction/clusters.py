"""Which pieces of related quantities go together: found by a solver, one cluster at a time.

Quantities that share no variable have nothing to do with each other. In a cluster, what the pieces of
variables tell about the pieces of a sum is a matter of adding intervals. Then some combination of pieces that
is not yet explained is shown to the solver: if it can be, it is remembered; if not, whatever of it the solver
needed for its "no" is ruled out once and for all.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.engines.abstraction.cell_conditions import CellConditions
from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import (
    OpaqueComparison,
    Partition,
    Quantity,
    ResidueQuantity,
    reads_of,
)
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers.smt import NotExpressible, Satisfiable
from gnomon.engines.solvers.system_terms import IncrementalSolver
from gnomon.model import expression as typed
from gnomon.model.budget import Budget
from gnomon.model.expression import Expression, Read

#: So many questions are asked about one cluster; then combinations that are not ruled out stay possible.
MOST_QUESTIONS: Final = 300
#: After so many that have no answer in time, no more are asked.
_MOST_UNKNOWN: Final = 3


class Consistent(NamedTuple):
    """Which combinations of pieces there are, and whether each of them is known to be."""

    cells: Diagram
    exact: bool


def clusters(partition: Partition) -> list[list[Quantity]]:
    """Return the quantities that are related, in groups; those that are alone are left out."""
    groups: list[tuple[set[Read], list[Quantity]]] = []
    for quantity in partition.relations:
        shared, members = set(reads_of(quantity)), [quantity]
        for group in [group for group in groups if group[0] & shared]:
            groups.remove(group)
            shared |= group[0]
            members = [*group[1], *members]
        groups.append((shared, members))
    return [
        [*(form for form in partition.pieces if form.single in shared), *members]
        for shared, members in groups
    ]


def piece_condition(partition: Partition, quantity: Quantity, number: int) -> Expression:
    """Return the condition that a quantity is in one of its pieces."""
    if isinstance(quantity, ResidueQuantity):
        modulus = typed.Literal(quantity.modulus)
        term = typed.Arithmetic("mod", quantity.form.expression, modulus)
        return typed.Compare("=", term, typed.Literal(number))
    if isinstance(quantity, OpaqueComparison):
        return quantity.atom if number else typed.Not(quantity.atom)
    return within(quantity, partition.pieces[quantity][number])


def within(form: Form, interval: Interval) -> Expression:
    """Return the condition that a form is in an interval."""
    if interval.point is not None:
        return typed.Compare("=", form.expression, typed.Literal(interval.point))
    parts: list[Expression] = []
    if interval.low is not None:
        parts.append(typed.Compare(">=", form.expression, typed.Literal(interval.low)))
    if interval.high is not None:
        parts.append(typed.Compare("<=", form.expression, typed.Literal(interval.high)))
    return parts[0] if len(parts) == 1 else typed.And(tuple(parts))


def consistent(cells: CellConditions, cluster: list[Quantity], budget: Budget) -> Consistent:
    """Return which combinations of the pieces of a cluster contain a state."""
    solver = IncrementalSolver(cells.system, cells.partition.context, budget)
    return _ConsistencySearch(cells, cluster, solver, budget).run()


class _ConsistencySearch:
    def __init__(
        self,
        cells: CellConditions,
        cluster: list[Quantity],
        solver: IncrementalSolver,
        budget: Budget,
    ) -> None:
        self._budget = budget
        self._cells = cells
        self._d = cells.diagrams
        self._cluster = cluster
        self._solver = solver
        self._conditions = {
            (quantity, number): piece_condition(cells.partition, quantity, number)
            for quantity in cluster
            for number in range(cells.partition.size(quantity))
        }
        self._pieces = {condition: key for key, condition in self._conditions.items()}

    def run(self) -> Consistent:
        d, cells = self._d, self._cells
        possible = cells.conjunction((*self._valid(), *self._sums()))
        confirmed, unknown = d.false, 0
        while (rest := d.minus(possible, confirmed)) != d.false:
            self._budget.check("telling cells apart, question", self._solver.questions)
            if self._solver.questions >= MOST_QUESTIONS or unknown >= _MOST_UNKNOWN:
                return Consistent(possible, exact=False)
            numbers = self._pick(rest)
            assumed = [self._conditions[item] for item in numbers]
            try:
                answer = self._solver.ask(assumed)
            except NotExpressible:
                return Consistent(possible, exact=False)
            if answer is Satisfiable.NO:
                core = [self._pieces[condition] for condition in self._solver.conflict()]
                possible = d.minus(possible, self._cube(core))
                continue
            unknown += answer is Satisfiable.UNKNOWN
            confirmed = d.either(confirmed, self._cube(numbers))
        return Consistent(possible, exact=not unknown)

    def _valid(self) -> Iterator[Diagram]:
        cells = self._cells
        for quantity in self._cluster:
            size = cells.partition.size(quantity)
            yield cells.encoder.valid(cells.bits(quantity).now, size)

    def _sums(self) -> Iterator[Diagram]:
        """Yield, for each sum, which of its pieces go with which pieces of its variables."""
        cells, d = self._cells, self._d
        for quantity in self._cluster:
            if isinstance(quantity, OpaqueComparison):
                three = cells.by_cases(quantity.atom)
                holds = cells.is_piece(quantity, 1)
                yield d.choose(
                    holds,
                    cells.for_some_hidden(three.may),
                    d.opposite(cells.for_all_hidden(three.must)),
                )
            if not isinstance(quantity, Form) or quantity.single is not None:
                continue
            pieces = cells.partition.pieces[quantity]
            yield cells.disjunction(
                d.both(
                    case.where,
                    cells.disjunction(
                        cells.is_piece(quantity, number)
                        for number, piece in enumerate(pieces)
                        if case.meets(piece)
                    ),
                )
                for case in cells.summed_cases(quantity)
            )

    def _pick(self, combinations: Diagram) -> list[tuple[Quantity, int]]:
        found = self._d.pick(combinations)
        numbers = []
        for quantity in self._cluster:
            code = 0
            for level in self._cells.bits(quantity).now:
                code = 2 * code + found.get(level, False)
            numbers.append((quantity, code))
        return numbers

    def _cube(self, pieces: list[tuple[Quantity, int]]) -> Diagram:
        return self._cells.conjunction(self._cells.is_piece(*piece) for piece in pieces)
