"""Which numbers can be the result of an assignment, whatever the other numbers were."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gnomon.engines.abstraction.cell_changes import AssignmentEffect
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, point
from gnomon.engines.abstraction.linear import Affine, affine, form_of, scaled, solve
from gnomon.engines.abstraction.partition import ResidueQuantity, substituted
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.expression import Expression, Read


class Inverses:
    """The inverses of what numbers may become: over values kept exactly before, and numbers after."""

    def __init__(
        self, space: CellSpace, effects: Mapping[tuple[str, str], Sequence[AssignmentEffect]]
    ) -> None:
        """Look at all that may happen to the numbers of a space."""
        self._space = space
        self._d = space.diagrams
        self._partition = space.partition
        self._effects = effects
        self._circular = self._in_circles()

    def exists(self, read: Read, value: Expression | None) -> Diagram:
        """Return where some number becomes the present one."""
        if value is None:
            return self._d.true
        divisor = divided(read, value)
        range_ = self._partition.range_of(read)
        if divisor is not None:
            return self._is_after(read, lambda piece: piece.times(divisor).inside(range_))
        cases = (self._d.both(where, self._one(read, term)) for where, term in self._terms(value))
        return self._space.cells.disjunction(cases)

    def loses(self, read: Read, value: Expression | None) -> Diagram:
        """Return where an assignment does not depend on what the number was."""
        if value is None:
            return self._d.false
        return self._space.cells.disjunction(
            where for where, term in self._terms(value) if read not in term.terms
        )

    def _terms(self, value: Expression) -> Iterator[tuple[Diagram, Affine]]:
        """Yield a linear term for all values of what is kept exactly."""
        term = affine(value)
        if term is not None:
            for values in self._partition.exactly(term.terms) or ():
                yield self._space.cells.encoder.assignment(values), substituted(term, values)

    def _one(self, read: Read, term: Affine) -> Diagram:
        factor = term.terms.get(read, 0)
        others = {other: weight for other, weight in term.terms.items() if other != read}
        if not factor:
            return self._where_equal(read, Affine(others, term.constant))
        range_ = self._partition.range_of(read)
        if not others:
            less = point(-term.constant)
            inside = self._is_after(
                read, lambda piece: _solved(piece.plus(less), factor).inside(range_)
            )
            return self._d.both(inside, self._where_divisible(read, factor, term.constant))
        free = range_ == EVERYTHING and read not in self._circular
        return self._d.true if abs(factor) == 1 and free else self._d.false

    def _where_divisible(self, read: Read, factor: int, constant: int) -> Diagram:
        """Return where a multiple and a constant surely make up the number."""
        if abs(factor) == 1:
            return self._d.true
        modulus = abs(factor)
        points = self._is_after(
            read, lambda piece: piece.point is not None and not (piece.point - constant) % modulus
        )
        residue = ResidueQuantity(form_of(read), modulus)
        if residue not in self._partition.residues:
            return points
        cells = self._space.cells
        return self._d.either(points, cells.is_piece(residue, constant % modulus, after=True))

    def _where_equal(self, read: Read, term: Affine) -> Diagram:
        """Return where a number surely is what a term, in which it does not occur, was before."""
        d, cells = self._d, self._space.cells
        found: list[Diagram] = []
        for when, earlier in self._undone(term):
            terms = scaled(Affine({read: 1}).plus(earlier, -1).terms)
            if terms is not None and terms.form in self._partition.pieces:
                wanted = solve("=", terms.factor, -earlier.constant).interval
                pieces = enumerate(self._partition.pieces[terms.form])
                met = [n for n, piece in pieces if not wanted.empty and piece.inside(wanted)]
                after = cells.disjunction(cells.is_piece(terms.form, n, after=True) for n in met)
                found.append(d.both(when, after))
        return cells.disjunction(found)

    def _undone(self, term: Affine) -> Iterator[tuple[Diagram, Affine]]:
        """Yield what a term was before, by the present numbers, and under which choices."""
        found: list[tuple[Diagram, Affine]] = [(self._d.true, Affine({}, term.constant))]
        for read, weight in term.terms.items():
            found = [
                (both, earlier.plus(own, weight))
                for when, earlier in found
                for also, own in self._own_before(read)
                if (both := self._d.both(when, also)) != self._d.false
            ]
        yield from found

    def _own_before(self, read: Read) -> Iterator[tuple[Diagram, Affine]]:
        """Yield what a number was before, where that depends on nothing but what it is."""
        effects = self._effects.get((read.agent, read.variable))
        if effects is None:
            yield self._d.true, Affine({read: 1})
            return
        for effect in effects:
            if effect.value is None:
                yield effect.when, Affine({read: 1})
                continue
            term = affine(effect.value)
            if term is not None and term.terms in ({read: 1}, {read: -1}):
                sign = term.terms[read]
                yield effect.when, Affine({read: sign}, -sign * term.constant)

    def _is_after(self, read: Read, wanted: Callable[[Interval], bool]) -> Diagram:
        cells, form = self._space.cells, form_of(read)
        pieces = enumerate(self._partition.pieces[form])
        return cells.disjunction(
            cells.is_piece(form, number, after=True) for number, piece in pieces if wanted(piece)
        )

    def _in_circles(self) -> frozenset[Read]:
        """Return the numbers to which something is added that depends, in the end, on them."""
        added: dict[Read, set[Read]] = {}
        for (agent, name), effects in self._effects.items():
            read = Read(agent, name)
            for effect in effects:
                term = None if effect.value is None else affine(effect.value)
                if term is not None and read in term.terms:
                    others = (each for each in term.terms if each in self._partition.coarse)
                    added.setdefault(read, set()).update(each for each in others if each != read)
        return frozenset(read for read in added if read in _reached(added, added[read]))


def _reached(edges: Mapping[Read, set[Read]], start: Iterable[Read]) -> set[Read]:
    found = set(start)
    waiting = list(found)
    for read in waiting:
        new = edges.get(read, set()) - found
        found |= new
        waiting.extend(new)
    return found


def divided(read: Read, value: Expression) -> int | None:
    """Return by what a number is divided, where that is all: `k * x div k` is `x`."""
    match value:
        case typed.Arithmetic("div", typed.Read() as body, typed.Literal(int(divisor))):
            return divisor if body == read and divisor > 0 else None
        case _:
            return None


def _solved(piece: Interval, factor: int) -> Interval:
    """Return between which numbers those lie whose multiples are in an interval."""
    return (piece if factor > 0 else piece.times(-1)).divided(abs(factor))
