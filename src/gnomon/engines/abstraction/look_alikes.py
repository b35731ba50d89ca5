"""Initial states that look the same as others, as terms: what those who do not see it take for possible.

For all states of a cell at once there is one answer: what is seen stays as it is, and what is not seen is a
number, or a sum of what is seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import Cell, diagram_of, pick_cell
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import reads_of
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers.smt import NotExpressible, Satisfiable
from gnomon.engines.solvers.system_terms import IncrementalSolver
from gnomon.model import expression as typed
from gnomon.model.domain import Integers, values_of
from gnomon.model.expression import Expression, Read, substituted

#: So many cells are answered, each by so many cells at most, with so many terms.
_MOST_ANSWERED: Final = 24
_MOST_ANSWERS: Final = 6
_MOST_TERMS: Final = 200


class InitialLookAlike(NamedTuple):
    """Cells, and what unseen variables are worth in an initial state that looks the same."""

    cells: Diagram
    agents: tuple[str, ...]
    values: Mapping[Read, Expression]


def initial_look_alikes(
    space: CellSpace, agents: tuple[str, ...], wanted: Diagram, answers: Diagram
) -> Iterator[InitialLookAlike]:
    """Yield, for some cells, initial states in `answers` that look the same to all agents at once."""
    d = space.diagrams
    starts = d.both(space.initial.must, answers)
    left = d.both(wanted, space.alike(agents, starts))
    for _ in range(_MOST_ANSWERED):
        if left == d.false:
            return
        cell = pick_cell(space, left)
        here = d.both(space.alike(agents, diagram_of(space, cell)), left)
        left = d.minus(left, here)
        alike = d.both(space.alike(agents, diagram_of(space, cell)), starts)
        values = _values(space, agents, cell, alike)
        if values is not None:
            yield InitialLookAlike(here, agents, values)


def _values(
    space: CellSpace, agents: Sequence[str], cell: Cell, answers: Diagram
) -> Mapping[Read, Expression] | None:
    d = space.diagrams
    seen = space.shown_to(agents)
    solver = IncrementalSolver(space.system, space.partition.context, space.budget)
    shown = _seen_condition(space, cell, seen)
    for _ in range(_MOST_ANSWERS):
        if answers == d.false:
            return None
        answer = pick_cell(space, answers)
        answers = d.minus(answers, diagram_of(space, answer))
        wanted = typed.And((answer.condition(space.partition), space.system.initial))
        for values in islice(_candidates(space, seen, answer), _MOST_TERMS):
            space.budget.check("looking for a state that looks the same")
            try:
                fails = typed.Not(substituted(wanted, values))
                if solver.ask([shown, fails]) is Satisfiable.NO:
                    return values
            except NotExpressible:
                return None
    return None


def _seen_condition(space: CellSpace, cell: Cell, seen: frozenset[Read]) -> Expression:
    """Return what is seen of a cell, as a condition."""
    values = tuple((read, value) for read, value in cell.values if read in seen)
    pieces = tuple((q, n) for q, n in cell.pieces if seen.issuperset(reads_of(q)))
    return Cell(values, pieces).condition(space.partition)


def _candidates(
    space: CellSpace, seen: frozenset[Read], answer: Cell
) -> Iterator[Mapping[Read, Expression]]:
    """Yield what unseen variables may be worth in some state of a cell."""
    options: dict[Read, list[Expression]] = {}
    for read, value in answer.values:
        if read not in seen:
            options[read] = [typed.Literal(value)]
    for variable in space.system.variables:
        read = Read(variable.agent, variable.name)
        if read in space.partition.hidden and read not in seen:
            domain = variable.domain
            some = 0 if isinstance(domain, Integers) else next(iter(values_of(domain)), 0)
            options.setdefault(read, [typed.Literal(some)])
    for quantity, number in answer.pieces:
        if isinstance(quantity, Form):
            for read, option in _ends(space, quantity, number, seen):
                options.setdefault(read, []).append(option)
    # What nothing is said of may be anything.
    for read in sorted(space.partition.coarse - seen, key=str):
        options.setdefault(read, []).append(typed.Literal(0))
    for chosen in product(*options.values()):
        yield dict(zip(options, chosen, strict=True))


def _ends(
    space: CellSpace, form: Form, number: int, seen: frozenset[Read]
) -> Iterator[tuple[Read, Expression]]:
    """Yield for an unseen variable of a form what it is worth where the form is at an end of its piece."""
    unseen = [(read, weight) for read, weight in form.terms if read not in seen]
    if len(unseen) != 1 or abs(unseen[0][1]) != 1:
        return
    ((read, weight),) = unseen
    piece = space.partition.pieces[form][number]
    rest = [
        typed.Arithmetic("*", typed.Literal(-weight * other), each)
        for each, other in form.terms
        if each != read
    ]
    for end in dict.fromkeys((piece.low, piece.high)):
        if end is not None:
            constant = typed.Literal(weight * end)
            yield read, typed.Sum((*rest, constant)) if rest else constant
