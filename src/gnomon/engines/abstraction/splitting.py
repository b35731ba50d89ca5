"""Predicates that would help: weakest preconditions of what tells good next cells from bad ones."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import Affine, Form, affine, scaled, solve
from gnomon.engines.abstraction.partition import Origin, Predicate, reads_of, substituted
from gnomon.engines.abstraction.three_valued import CellSemantics
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.expression import Arithmetic, Expression, Literal, Read, body_of
from gnomon.model.formula import Enforces, Formula, show_formula
from gnomon.model.fragment import state_subformulae

#: So many predicates are added in one round at most: the next round knows better what is needed.
_MOST: Final = 24
#: Sums and differences depend on each other: too many of them are more than can be told apart.
_MOST_RELATIONS: Final = 12


class Split(NamedTuple):
    """A predicate that would help, and the step that may lead to both sides: what becomes of which form."""

    predicate: Predicate
    form: Form
    value: Expression


def splits(truth: CellSemantics, formula: Formula) -> Iterator[Split]:
    """Yield the predicates that tell apart, in open cells, what leads to different next cells.

    Where it is about what a coalition can do, those come first that some member can see: by these it may
    act, and by the others only be opposed.
    """
    seen: dict[tuple[object, int], Split] = {}
    unseen: dict[tuple[object, int], Split] = {}
    sights = _sights(truth, formula)
    for split in _Splitter(truth, formula).run():
        reads = reads_of(split.predicate.quantity)
        found = seen if any(shown.issuperset(reads) for shown in sights) else unseen
        found.setdefault((split.predicate.quantity, split.predicate.bound), split)
        if len(found) >= _MOST:
            break
    yield from islice((*seen.values(), *unseen.values()), _MOST)


def _sights(truth: CellSemantics, formula: Formula) -> list[frozenset[Read]]:
    """Return what each member of a coalition sees."""
    if not isinstance(formula, Enforces):
        return []
    return [truth.algebra.space.shown_to((name,)) for name in formula.group.members]


class _Splitter:
    def __init__(self, truth: CellSemantics, formula: Formula) -> None:
        self._space = truth.algebra.space
        self._d = self._space.diagrams
        self._origin = Origin(f"to decide {show_formula(formula)}")
        whole = truth.states(formula)
        self._open = truth.algebra.undecided(whole)
        inner = [truth.states(part) for part in state_subformulae(formula)]
        self._sets = [
            *whole,
            *(
                side
                for known in (*inner, *truth.constraints, *truth.doubts(formula))
                for side in known
            ),
        ]

    def run(self) -> Iterator[Split]:
        for form, pieces in self._space.partition.pieces.items():
            boundaries = [
                piece.high
                for number, piece in enumerate(pieces[:-1])
                if self._matters(form, number)
            ]
            self._space.budget.check("telling steps apart")
            if not boundaries:
                continue
            for value, when in self._space.moves.effects_on(form):
                where = self._d.both(when, self._open)
                if value is not None and where != self._d.false:
                    for boundary in boundaries:
                        assert boundary is not None
                        for predicate in self._preconditions(value, boundary, where):
                            yield Split(predicate, form, value)

    def _matters(self, form: Form, number: int) -> bool:
        """Return whether the cells on both sides of a cut differ in some set."""
        d, cells = self._d, self._space.cells
        cube = d.cube(cells.bits(form).now)
        below, above = cells.is_piece(form, number), cells.is_piece(form, number + 1)
        return any(
            d.both_exists(side, below, cube) != d.both_exists(side, above, cube)
            for side in self._sets
        )

    def _preconditions(
        self, value: Expression, boundary: int, where: Diagram
    ) -> Iterator[Predicate]:
        """Yield the predicates for `value <= boundary` that cut a piece somewhere."""
        value, boundary = _multiplied(value, boundary)
        term = affine(value)
        if term is None:
            return
        partition, d = self._space.partition, self._d
        for values in partition.exactly(term.terms) or ():
            here = d.both(where, self._space.cells.encoder.assignment(values))
            if here == d.false:
                continue
            instance = substituted(term, values)
            yield from self._cut(instance, boundary, here)

    def _cut(self, instance: Affine, boundary: int, here: Diagram) -> Iterator[Predicate]:
        partition, d = self._space.partition, self._d
        found = scaled(instance.terms)
        if found is None:
            return
        for bound in solve("<=", found.factor, instance.constant - boundary).cuts:
            predicate = Predicate(found.form, bound, self._origin)
            if partition.knows(predicate):
                continue
            pieces = partition.pieces.get(found.form)
            if pieces is None:
                if len(partition.relations) < _MOST_RELATIONS:
                    yield predicate
                continue
            number = next(
                n for n, piece in enumerate(pieces) if Interval(bound, bound).inside(piece)
            )
            if d.both(here, self._space.cells.is_piece(found.form, number)) != d.false:
                yield predicate


def _multiplied(value: Expression, boundary: int) -> tuple[Expression, int]:
    """Return what is divided, and where it comes to what the quotient comes to at a boundary."""
    match body_of(value):
        case Arithmetic("div", body, Literal(int(divisor))) if divisor > 0:
            return body, divisor * boundary + divisor - 1
        case _:
            return value, boundary
