"""Concrete states of cells: what a verdict of false has to show, and what evidence starts from."""

from collections.abc import Collection, Iterable

from gnomon.engines.abstraction.cell_moves import LineChoice, Resolved, Unit
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.clusters import piece_condition
from gnomon.engines.abstraction.linear import Form, form_of
from gnomon.engines.abstraction.partition import OpaqueComparison, Partition, Quantity, reads_of
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers.smt import Context, NotExpressible, Satisfiable
from gnomon.engines.solvers.system_terms import IncrementalSolver
from gnomon.model import expression as typed
from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum, IntegerRange, value_at
from gnomon.model.evaluation import JointAction, evaluate, holds
from gnomon.model.expression import Expression, Read
from gnomon.model.scheduled import ScheduledSystem
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.record import Record


class Cell(Record):
    """One cell: the values of what is kept exactly, and the pieces of all other quantities by number."""

    values: tuple[tuple[Read, Datum], ...]
    pieces: tuple[tuple[Quantity, int], ...]

    def condition(self, partition: Partition) -> Expression:
        """Return the condition that a state is in it."""
        exact = [typed.Compare("=", read, typed.Literal(value)) for read, value in self.values]
        rough = [piece_condition(partition, *piece) for piece in self.pieces]
        return typed.And((*exact, *rough))

    def show(self, partition: Partition) -> tuple[tuple[str, str], ...]:
        """Return what is known in it, by name, as texts."""
        exact = [(typed.show(read), typed.show(typed.Literal(v))) for read, v in self.values]
        return (*exact, *shown_pieces(partition, self.pieces))


def shown_pieces(
    partition: Partition, pieces: Iterable[tuple[Quantity, int]]
) -> list[tuple[str, str]]:
    """Return the pieces of quantities as texts; those that say nothing are left out."""
    shown = []
    for quantity, number in pieces:
        if partition.size(quantity) == 1:
            continue
        value: object = number
        if isinstance(quantity, Form):
            value = partition.pieces[quantity][number]
        elif isinstance(quantity, OpaqueComparison):
            value = "true" if number else "false"
        shown.append((str(quantity), str(value)))
    return shown


def pick_cell(space: CellSpace, cells: Diagram) -> Cell:
    """Return one cell of a set, always the same one."""
    found = space.diagrams.pick(cells)

    def code(levels: tuple[int, ...]) -> int:
        number = 0
        for level in levels:
            number = 2 * number + found.get(level, False)
        return number

    values: list[tuple[Read, Datum]] = []
    pieces: list[tuple[Quantity, int]] = []
    for variable in space.system.variables:
        read = Read(variable.agent, variable.name)
        if read in space.partition.hidden:
            continue
        number = code(space.layout.variables[variable.agent, variable.name].now)
        if read in space.partition.coarse:
            pieces.append((form_of(read), number))
        else:
            values.append((read, value_at(variable.domain, number)))
    pieces.extend((q, code(space.cells.bits(q).now)) for q in space.partition.relations)
    return Cell(tuple(values), tuple(pieces))


def diagram_of(space: CellSpace, cell: Cell) -> Diagram:
    """Return the set of just one cell."""
    d = space.diagrams
    exact = space.cells.encoder.assignment(dict(cell.values))
    return d.both(
        exact, space.cells.conjunction(space.cells.is_piece(*piece) for piece in cell.pieces)
    )


def local_part(space: CellSpace, cell: Cell, agents: Collection[str]) -> Cell:
    """Return what some agents together see of a cell."""
    shown = space.shown_to(agents)
    values = tuple((read, value) for read, value in cell.values if read in shown)
    pieces = tuple(
        (quantity, number)
        for quantity, number in cell.pieces
        if shown.issuperset(reads_of(quantity))
    )
    return Cell(values, pieces)


def cell_of(space: CellSpace, state: State) -> Cell:
    """Return the cell that a state is in."""
    values = {
        Read(variable.agent, variable.name): value
        for variable, value in zip(space.system.variables, state, strict=True)
    }
    partition = space.partition
    told = values.keys() - partition.coarse - partition.hidden
    exact = tuple((read, value) for read, value in values.items() if read in told)
    pieces: list[tuple[Quantity, int]] = []
    for form, options in partition.pieces.items():
        number = sum(weight * int(values[read]) for read, weight in form.terms)
        within_ = (n for n, piece in enumerate(options) if _has(piece.low, piece.high, number))
        pieces.append((form, next(within_)))
    for residue in partition.residues:
        number = sum(weight * int(values[read]) for read, weight in residue.form.terms)
        pieces.append((residue, number % residue.modulus))
    pieces.extend((q, int(holds(q.atom, space.system, state))) for q in partition.opaque)
    return Cell(exact, tuple(pieces))


def cell_state(space: CellSpace, cell: Cell) -> State | None:
    """Return the only state of a cell; None where it may have several, or none."""
    if space.partition.hidden:
        return None
    values: dict[Read, Datum] = dict(cell.values)
    for quantity, number in cell.pieces:
        if isinstance(quantity, Form) and quantity.single is not None:
            piece = space.partition.pieces[quantity][number]
            if piece.low is None or piece.low != piece.high:
                return None
            values[quantity.single] = piece.low
    state: State = tuple(values[Read(v.agent, v.name)] for v in space.system.variables)
    return state if cell_of(space, state) == cell else None


def _has(low: int | None, high: int | None, number: int) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


class Concretiser:
    """Finds states in cells: by trying the nearest numbers, and where that fails by a solver."""

    def __init__(self, system: System, context: Context, budget: Budget) -> None:
        """Find states of one system, within a budget."""
        self._system = system
        self._context = context
        self._budget = budget
        self._solver: IncrementalSolver | None = None

    def state_in(
        self, partition: Partition, cell: Cell, condition: Expression
    ) -> tuple[Satisfiable, State | None]:
        """Return whether some state of a cell satisfies a condition, and such a state."""
        guess = self._guess(partition, cell)
        if guess is not None and holds(condition, self._system, guess):
            return Satisfiable.YES, guess
        return self.solve((condition, cell.condition(partition)))

    def solve(self, conditions: Iterable[Expression]) -> tuple[Satisfiable, State | None]:
        """Return whether some state satisfies all conditions, and such a state."""
        if self._solver is None:
            self._solver = IncrementalSolver(self._system, self._context, self._budget)
        conditions = tuple(conditions)
        reads = [Read(variable.agent, variable.name) for variable in self._system.variables]
        self._solver.declare(reads)
        try:
            answer = self._solver.ask(conditions)
        except NotExpressible:
            return Satisfiable.UNKNOWN, None
        if answer is not Satisfiable.YES:
            return answer, None
        found = self._solver.values(reads)
        state: State = tuple(self._within_domain(read, found[read]) for read in reads)
        agreed = all(holds(condition, self._system, state) for condition in conditions)
        return (Satisfiable.YES, state) if agreed else (Satisfiable.UNKNOWN, None)

    def _within_domain(self, read: Read, value: Datum) -> Datum:
        """Return a value that a variable can have, also where the solver was never told about it."""
        domain = self._system.variables[self._system.position[read.agent, read.variable]].domain
        if isinstance(domain, IntegerRange):
            return min(max(int(value), domain.low), domain.high)
        return value

    def _guess(self, partition: Partition, cell: Cell) -> State | None:
        if partition.hidden:
            return None
        values: dict[Read, Datum] = dict(cell.values)
        for quantity, number in cell.pieces:
            if not isinstance(quantity, Form) or quantity.single is None:
                return None
            values[quantity.single] = partition.pieces[quantity][number].any_member()
        return tuple(values[Read(v.agent, v.name)] for v in self._system.variables)


def space_concretiser(space: CellSpace) -> Concretiser:
    """Return what finds states in the cells of a space."""
    return Concretiser(space.system, space.partition.context, space.budget)


def apply_move(space: CellSpace, state: State, move: Resolved) -> State:
    """Return the result of a move in a state; what is not chosen, state and actions decide."""
    system = space.system
    joint = tuple(move.actions.get(agent.name, IDLE) for agent in system.agents)
    values = list(state)
    for unit, chosen in zip(space.moves.units, move.choices, strict=True):
        choice = chosen or _decided(space, unit, state, joint)
        for assignment in choice.assignments:
            place = system.position[unit.agent.name, assignment.variable]
            values[place] = evaluate(assignment.value, system, state, joint)  # type: ignore[call-overload]
    return tuple(values)


def joint_action(space: CellSpace, move: Resolved) -> JointAction:
    """Return what everybody does in a move, in the system as it was written."""
    system = space.system
    if isinstance(system, ScheduledSystem):
        return system.joint_action(move.actions[system.scheduler])
    return tuple(move.actions.get(agent.name, IDLE) for agent in system.agents)


def _decided(space: CellSpace, unit: Unit, state: State, joint: JointAction) -> LineChoice:
    """Return the only choice that is enabled."""
    idle = None
    for choice in unit.choices:
        if not choice.guards:
            idle = choice
        elif any(holds(guard, space.system, state, joint) for guard in choice.guards):
            return choice
    assert idle is not None
    return idle


def is_inhabited(space: CellSpace, cell: Cell) -> bool:
    """Return whether a cell is known to contain a state; of no state anything may be said."""
    if space.inhabited:
        return True
    answer, _ = space_concretiser(space).state_in(space.partition, cell, typed.TRUE)
    return answer is Satisfiable.YES


def inhabited_cell(space: CellSpace, cells: Diagram, most: int) -> tuple[Cell | None, Diagram]:
    """Look into so many cells of a set for one that is known to contain a state; return the others, too."""
    d = space.diagrams
    without = d.false
    for _ in range(most):
        left = d.minus(cells, without)
        if left == d.false:
            break
        cell = pick_cell(space, left)
        if is_inhabited(space, cell):
            return cell, without
        without = d.either(without, diagram_of(space, cell))
    return None, without
