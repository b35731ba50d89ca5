"""Sums that always have the same value, and numbers that keep their remainder: where to cut, at no cost.

All joint moves are looked at as linear maps, whatever their guards; what is not linear may become anything.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.lattice import Lattice, Map, Vector, closed, everything
from gnomon.engines.abstraction.linear import Affine, Form, affine, form_of, scaled
from gnomon.engines.abstraction.partition import Origin, Partition, Predicate, ResidueQuantity
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.expression import Expression, Read

#: So many joint moves are gone through, and so many numbers are looked at together.
_MOST_MOVES: Final = 256
_MOST_NUMBERS: Final = 40
_MOST_ROUNDS: Final = 60
#: About so many multiplications are made for one round of all moves.
_MOST_WORK: Final = 500_000
#: Sums of more numbers, or with larger weights, are of no use; nor are remainders by larger numbers.
_LONGEST: Final = 5
_HEAVIEST: Final = 1_000
_LARGEST: Final = 64


class Regular(NamedTuple):
    """What is known of the numbers of a system: at first, and always."""

    numbers: tuple[Read, ...]
    initial: Lattice
    always: Lattice

    def weights(self, form: Form) -> Vector:
        """Return a form as weights of the numbers."""
        found = dict(form.terms)
        return tuple(found.get(read, 0) for read in self.numbers)

    def start(self, form: Form) -> int | None:
        """Return the only value that a form has in initial states, if there is just one."""
        weights = self.weights(form)
        return None if self.initial.span(weights) else self.initial.value(weights)


def regular(space: CellSpace) -> Regular | None:
    """Return what is always so about the numbers of a system; None where there are too many."""
    partition = space.partition
    known = tuple(form.single for form in partition.pieces if form.single is not None)
    if len(known) > _MOST_NUMBERS:
        return None
    space.budget.check("looking for sums")
    initial = _initial(everything(len(known)), known, space.system.initial)
    maps = _maps(space, known)
    if initial is None or maps is None or len(maps) * len(known) ** 3 > _MOST_WORK:
        return None
    always = closed(initial, maps, _MOST_ROUNDS)
    return None if always is None else Regular(known, initial, always)


def regular_predicates(
    found: Regular, partition: Partition, about: Collection[Read]
) -> Iterator[Predicate]:
    """Yield the cuts that tell what is always so about some numbers."""
    origin = Origin("what no step changes")
    for weights in found.always.constant_sums():
        form = _form(found.numbers, weights)
        if form is not None and form.single is None and set(form.reads) & set(about):
            value = found.always.value(found.weights(form))
            yield from (Predicate(form, bound, origin) for bound in (value - 1, value))
    for form in (*map(form_of, found.numbers), *partition.pieces):
        if set(form.reads) <= set(about) and set(form.reads) <= set(found.numbers):
            span = found.always.span(found.weights(form))
            if 1 < span <= _LARGEST:
                yield Predicate(ResidueQuantity(form, span), 0, origin)


def _form(numbers: tuple[Read, ...], weights: Vector) -> Form | None:
    terms = {read: weight for read, weight in zip(numbers, weights, strict=True) if weight}
    if len(terms) > _LONGEST or any(abs(weight) > _HEAVIEST for weight in terms.values()):
        return None
    found = scaled(terms)
    return None if found is None else found.form


# Initial states


def _initial(lattice: Lattice, numbers: tuple[Read, ...], condition: Expression) -> Lattice | None:
    """Return what a condition leaves of the points, at least; None where it leaves none."""
    match condition:
        case typed.And(operands):
            found: Lattice | None = lattice
            for operand in operands:
                found = None if found is None else _initial(found, numbers, operand)
            return found
        case typed.Or(operands):
            cases = [_initial(lattice, numbers, operand) for operand in operands]
            joined: Lattice | None = None
            for case in cases:
                if case is not None:
                    joined = case if joined is None else joined.with_also(case)
            return joined
        case typed.Compare("=", left, right):
            return _where_equal(lattice, numbers, left, right)
        case _:
            return lattice


def _where_equal(
    lattice: Lattice, numbers: tuple[Read, ...], left: Expression, right: Expression
) -> Lattice | None:
    if not (typed.reads(left) | typed.reads(right)) <= set(numbers):
        return lattice  # names, or numbers that are kept exactly
    modulus = 0
    match left, right:
        case typed.Arithmetic("mod", body, typed.Literal(int(divisor))), typed.Literal(int()):
            left, modulus = body, abs(divisor)
            if not modulus:
                return lattice
    one, two = affine(left), affine(right)
    difference = None if one is None or two is None else one.plus(two, -1)
    if difference is None:
        return lattice
    weights = [difference.terms.get(read, 0) for read in numbers]
    return lattice.where(weights, -difference.constant, modulus)


# Moves


def _maps(space: CellSpace, numbers: tuple[Read, ...]) -> list[Map] | None:
    """Return what joint moves do to the numbers; None where there are too many."""
    d, moves = space.diagrams, space.moves
    combined: list[tuple[dict[Read, Expression], Diagram]] = [({}, d.true)]
    for unit in moves.units:
        options: dict[tuple[tuple[Read, Expression], ...], Diagram] = {}
        for choice, mark in zip(unit.choices, moves.marks(unit), strict=True):
            changed = tuple(
                (read, item.value)
                for item in choice.assignments
                if (read := Read(unit.agent.name, item.variable)) in numbers
            )
            options[changed] = d.either(options.get(changed, d.false), mark)
        if len(options) == 1:
            combined = [({**values, **dict(*options)}, where) for values, where in combined]
            continue
        combined = [
            ({**values, **dict(changed)}, both)
            for values, where in combined
            for changed, mark in options.items()
            if (both := d.both(where, mark)) != d.false
        ]
        if len(combined) > _MOST_MOVES:
            return None
    return [_map(numbers, values) for values, _ in combined]


def _map(numbers: tuple[Read, ...], values: Mapping[Read, Expression]) -> Map:
    rows: list[Vector] = []
    constants: list[int] = []
    free: dict[Read, list[int]] = {}
    for place, read in enumerate(numbers):
        term = affine(values.get(read, read))
        if term is None:
            term = Affine({Read("", f"anything {place}"): 1})
        rows.append(tuple(term.terms.get(other, 0) for other in numbers))
        constants.append(term.constant)
        for other, weight in term.terms.items():
            if other not in numbers:
                free.setdefault(other, [0] * len(numbers))[place] = weight
    return Map(tuple(rows), tuple(constants), tuple(map(tuple, free.values())))
