"""Why cells are reached as a whole: which state was before each of their states, and why that has an end.

It is what a proof needs of `backward_reachability`; `gnomon.certificate.deductive.reaching` has the rule.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.engines.abstraction.backward_moves import History
from gnomon.engines.abstraction.backward_reachability import BackwardSpace, layers_back
from gnomon.engines.abstraction.cell_conduct import lines_taken
from gnomon.engines.abstraction.cell_moves import Resolved
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.elimination import Elimination, EliminationStage
from gnomon.engines.abstraction.states_before import StatesBefore, code_of
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.agent import Variable
from gnomon.model.expression import Expression, Read
from gnomon.text.errors import Abandoned

#: So many ways back are written down at most.
_MOST_STEPS: Final = 400


class PreviousCells(NamedTuple):
    """Cells, and cells before that; what variables were worth then; and the step."""

    cells: Diagram
    earlier: Diagram
    values: Mapping[Read, Expression]
    actions: Mapping[str, str]
    #: By agent and variable, as in `cell_conduct`.
    lines: tuple[tuple[str, str, tuple[int, ...]], ...]


class Retraced(NamedTuple):
    """Cells all of whose states are reached, the steps back, and the argument that these come to an end."""

    cells: Diagram
    #: Those of them that are not known to be initial.
    later: Diagram
    steps: tuple[PreviousCells, ...] = ()
    stages: tuple[EliminationStage, ...] = ()


class _FreeChoice(NamedTuple):
    """Cells, cells before, and what was worth what in these; that also over both."""

    cells: Diagram
    earlier: Diagram
    values: Mapping[Read, Expression | None]
    relation: Diagram


class _TooMany(Abandoned):
    """There is no short list of ways back."""


def retraced(space: CellSpace) -> Retraced | None:
    """Return the cells that are reached by an induction from initial ones; None where it cannot be told."""
    d, start = space.diagrams, space.initial.must
    if space.partition.hidden:
        return None
    backward = BackwardSpace(space)
    listing = _StepsBack(backward)
    try:
        cells = start
        for layer in layers_back(backward, start):
            listing.add(d.minus(layer.cells, cells), layer.moves)
            cells = d.either(cells, layer.cells)
    except _TooMany:
        return None
    later = d.minus(cells, start)
    search = Elimination(backward, (later,), moves=listing.moves)
    if search.run(backward.rankings()).cells != (d.false,):
        return None
    return Retraced(cells, later, tuple(listing.steps), tuple(search.stages))


class _StepsBack:
    """The steps back, as they are found."""

    def __init__(self, backward: BackwardSpace) -> None:
        self._space = backward.space
        self._moves = backward.moves
        self._d = backward.diagrams
        self.steps: list[PreviousCells] = []
        #: What they may lead to, over cells, moves and cells before.
        self.moves: Diagram = self._d.false
        levels = self._space.layout
        acts = [level for each in levels.actions.values() for level in each]
        self._acts = acts
        self._exact = [v for v in self._moves.changing if not self._moves.is_rough(v)]

    def _is_free(self, levels: tuple[int, ...]) -> bool:
        return not self._moves.free.isdisjoint(levels)

    def add(self, cells: Diagram, good: Diagram) -> None:
        """Add steps back from some cells by good moves."""
        d = self._d
        for lost, (history, way) in enumerate(self._moves.ways_back(good)):
            options = d.both(way, cells)
            while options != d.false:
                done = self._step(options, good, history, lost)
                options = d.minus(options, done)
                cells = d.minus(cells, done)
        if cells != d.false:
            raise _TooMany

    def _step(self, options: Diagram, good: Diagram, history: History, lost: int) -> Diagram:
        """Add one way to choose what may be chosen at first; return the cells in which it is right."""
        d, space = self._d, self._space
        found = d.pick(options)
        move = self._resolved(found)
        states = StatesBefore(space, self._moves, move, found)
        first = [v for v in self._exact if not self._is_free(self._bits(v))]
        exact = {v: states.exactly(v) for v in first}
        fixed = space.cells.conjunction(
            [self._is(move), *(each.relation for each in exact.values())]
        )
        gone = d.cube([*space.layout.next, *self._acts])
        cells = d.both_exists(options, fixed, gone)
        fine = d.both(d.both(fixed, cells), d.both(self._moves.required, good))
        pairs = d.both(d.both(fixed, cells), history.relation)
        values = {Read(v.agent, v.name): each.value for v, each in exact.items()}
        for here, earlier, free, relation in self._choose_free(move, fine, pairs):
            own = {**values, **free}
            known = {read: read if value is None else value for read, value in own.items()}
            scope = d.both(d.both(pairs, relation), here)
            numbers = states.numbers(known, scope, lost)
            if numbers is None or len(self.steps) >= _MOST_STEPS:
                raise _TooMany
            lines = tuple(lines_taken(space, move))
            before = self._moves.turned(earlier)
            self.steps.append(PreviousCells(here, before, numbers, dict(move.actions), lines))
            taken = d.both(d.both(fixed, relation), d.both(here, earlier))
            self.moves = d.either(self.moves, d.both(taken, history.relation))
        return cells

    def _choose_free(self, move: Resolved, fine: Diagram, pairs: Diagram) -> Iterator[_FreeChoice]:
        """Yield what was what no number is computed from: it may depend on the cells before."""
        d, space = self._d, self._space
        free = [v for v in self._exact if self._is_free(self._bits(v))]
        rough = d.cube(self._moves.rough_levels)
        late = set(self._moves.rough_levels) | self._moves.free
        done = [*self._acts, *(level for level in space.layout.next if level not in late)]
        fine = d.exists(fine, d.cube(done))
        pairs = d.exists(pairs, d.cube([*done, *self._moves.free]))
        cells, left = d.exists(pairs, rough), pairs
        for _ in range(_MOST_STEPS):
            if left == d.false:
                return
            found = d.pick(d.both(left, fine))
            states = StatesBefore(space, self._moves, move, found)
            chosen = {v: states.exactly(v) for v in free}
            relation = space.cells.conjunction(each.relation for each in chosen.values())
            right = d.both_exists(fine, relation, d.cube(self._moves.free))
            values = {Read(v.agent, v.name): each.value for v, each in chosen.items()}
            wrong = d.minus(pairs, right)
            here, earlier = d.minus(cells, d.exists(wrong, rough)), d.true
            if d.both(here, left) == d.false:  # it depends on the cell before
                some = self._literals(found, self._moves.rough_levels)
                here = d.minus(cells, d.exists(d.both(wrong, some), rough))
                now = d.cube(space.layout.now)
                earlier = d.opposite(d.both_exists(wrong, here, now))
            yield _FreeChoice(here, earlier, values, relation)
            left = d.minus(left, d.both(here, earlier))
        raise _TooMany

    def _literals(self, found: Mapping[int, bool], levels: Collection[int]) -> Diagram:
        d = self._d
        bits = ((d.variable(level), on) for level, on in found.items() if level in levels)
        return self._space.cells.conjunction(bit if on else d.opposite(bit) for bit, on in bits)

    def _bits(self, variable: Variable) -> tuple[int, ...]:
        return self._moves.encoder.layout.variables[variable.agent, variable.name].next

    def _resolved(self, found: Mapping[int, bool]) -> Resolved:
        """Return the move that some bits stand for, where each unit has made a choice."""
        moves = self._space.moves
        choices = [unit.choices[code_of(found, self._moves.levels(unit))] for unit in moves.units]
        return Resolved(moves.decoded(found, {}).actions, list(choices))

    def _is(self, move: Resolved) -> Diagram:
        """Return that a move is the one that is made."""
        encoder, units = self._moves.encoder, self._space.moves.units
        parts = [self._space.cells.does(name, action) for name, action in move.actions.items()]
        for unit, choice in zip(units, move.choices, strict=True):
            assert choice is not None
            parts.append(encoder.is_code(self._moves.levels(unit), unit.choices.index(choice)))
        return self._space.cells.conjunction(parts)
