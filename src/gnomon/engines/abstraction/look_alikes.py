"""States that look the same as others, as terms: what those who do not see it take for possible.

For all states of a cell at once there is one answer: what is seen stays as it is, and what is not seen is a
number, or a sum of what is seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import Cell, cell_of, diagram_of, pick_cell
from gnomon.engines.abstraction.linear import Form, form_of
from gnomon.engines.abstraction.partition import reads_of
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers.smt import NotExpressible, Satisfiable
from gnomon.engines.solvers.system_terms import IncrementalSolver
from gnomon.model import expression as typed
from gnomon.model.domain import Integers, values_of
from gnomon.model.expression import Expression, Read, substituted
from gnomon.model.step import State

#: So many cells are answered, each by so many cells at most, with so many terms.
_MOST_ANSWERED: Final = 24
_MOST_ANSWERS: Final = 6
_MOST_TERMS: Final = 200
#: So many terms for one variable are enough to look at what follows from them.
_MOST_OPTIONS: Final = 6


class AlikeState(NamedTuple):
    """Cells, and what unseen variables are worth in a state that looks the same."""

    cells: Diagram
    agents: tuple[str, ...]
    values: Mapping[Read, Expression]


def look_alikes(
    space: CellSpace,
    agents: tuple[str, ...],
    wanted: Diagram,
    answers: Diagram,
    condition: Expression = typed.TRUE,
) -> Iterator[AlikeState]:
    """Yield, for some cells, states in `answers` that look the same to all agents at once.

    They satisfy a condition, too.
    """
    d = space.diagrams
    left = d.both(wanted, space.alike(agents, answers))
    for _ in range(_MOST_ANSWERED):
        if left == d.false:
            return
        cell = pick_cell(space, left)
        here = d.both(space.alike(agents, diagram_of(space, cell)), left)
        left = d.minus(left, here)
        alike = d.both(space.alike(agents, diagram_of(space, cell)), answers)
        values = _values(space, agents, cell, alike, condition)
        if values is not None:
            yield AlikeState(here, agents, values)


def state_look_alike(
    space: CellSpace, agents: tuple[str, ...], wanted: Diagram, state: State
) -> AlikeState | None:
    """Return the cells in which all states look like one state; None where there are none."""
    d, seen = space.diagrams, space.shown_to(agents)
    if seen & space.partition.hidden:
        return None
    cell = diagram_of(space, cell_of(space, state))
    points = []
    for read in seen & space.partition.coarse:
        pieces = space.partition.pieces[form_of(read)]
        single = (n for n, piece in enumerate(pieces) if piece.point is not None)
        points.append(
            space.cells.disjunction(space.cells.is_piece(form_of(read), n) for n in single)
        )
    cells = d.both(d.both(space.alike(agents, cell), space.cells.conjunction(points)), wanted)
    if cells == d.false:
        return None
    listed = zip(space.system.variables, state, strict=True)
    values = {Read(v.agent, v.name): typed.Literal(value) for v, value in listed}
    unseen = {read: value for read, value in values.items() if read not in seen}
    return AlikeState(cells, agents, unseen)


def _values(
    space: CellSpace,
    agents: Sequence[str],
    cell: Cell,
    answers: Diagram,
    condition: Expression,
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
        wanted = typed.And((answer.condition(space.partition), condition))
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
    forms = [(q, number) for q, number in answer.pieces if isinstance(q, Form)]
    # What is known of some is what others follow from.
    for _ in forms:
        found = [
            (read, option)
            for form, number in forms
            for read, option in _ends(space, form, number, seen, options)
            if option not in options.get(read, ())
        ]
        for read, option in dict.fromkeys(found):
            options.setdefault(read, []).append(option)
        if not found or any(len(each) > _MOST_OPTIONS for each in options.values()):
            break
    # What nothing is said of may be anything.
    for read in sorted(space.partition.coarse - seen, key=str):
        options.setdefault(read, []).append(typed.Literal(0))
    for chosen in product(*options.values()):
        yield dict(zip(options, chosen, strict=True))


def _ends(
    space: CellSpace,
    form: Form,
    number: int,
    seen: frozenset[Read],
    options: Mapping[Read, Sequence[Expression]],
) -> Iterator[tuple[Read, Expression]]:
    """Yield for an unseen variable of a form what it is worth where the form is at an end of its piece.

    The others are seen, or there are options for them.
    """
    piece = space.partition.pieces[form][number]
    ends = [end for end in dict.fromkeys((piece.low, piece.high)) if end is not None]
    for read, weight in form.terms:
        others = [each for each, _ in form.terms if each != read]
        if read in seen or abs(weight) != 1 or not all(o in seen or o in options for o in others):
            continue
        values = [[each] if each in seen else options[each] for each in others]
        for chosen, end in product(islice(product(*values), _MOST_OPTIONS), ends):
            known = dict(zip(others, chosen, strict=True))
            rest = [
                typed.Arithmetic("*", typed.Literal(-weight * other), known[each])
                for each, other in form.terms
                if each != read
            ]
            constant = typed.Literal(weight * end)
            yield read, typed.Sum((*rest, constant)) if rest else constant
