"""What terms are worth in cells, case by case."""

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from gnomon.engines.abstraction.cell_codes import CellCodes
from gnomon.engines.abstraction.interval_values import (
    Unknown,
    Worth,
    as_interval,
    euclidean,
    has_fraction,
    worth,
)
from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, point
from gnomon.engines.abstraction.linear import (
    Affine,
    Form,
    Quotient,
    affine,
    form_of,
    image,
    scaled,
)
from gnomon.engines.abstraction.partition import MOST_CASES, ResidueQuantity, substituted, total
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.expression import Expression, Read


class TermCase(NamedTuple):
    """Some cells, and what a number is there: `factor * t + constant` for some t of the interval.

    Where `whole` is false it may be no integer at all.
    """

    where: Diagram
    interval: Interval
    factor: int = 1
    constant: int = 0
    whole: bool = True

    def meets(self, target: Interval) -> bool:
        """Return whether the number may be in the target."""
        return image(self.factor, self.interval, self.constant, target)

    def inside(self, target: Interval) -> bool:
        """Return whether the number surely is in the target."""
        return self.whole and self.bounds.inside(target)

    @property
    def bounds(self) -> Interval:
        """An interval that the number is in."""
        return self.interval.times(self.factor).plus(point(self.constant))


class CellTerms(CellCodes):
    """The numbers that terms may be in the cells of one partition."""

    def split(self, value: Expression) -> list[tuple[Expression, Diagram]]:
        """Return what a value is, as far as cells decide its conditions, and in which cells it is that.

        No cell is among those of two cases, and together they are all cells.
        """
        raise NotImplementedError

    def cases(self, expression: Expression) -> Iterator[TermCase]:
        """Yield what a number is, case by case; together the cases are all cells."""
        for value, where in self.split(expression):
            for case in self._cases(typed.body_of(value)):
                yield case._replace(where=self.diagrams.both(where, case.where))

    def _cases(self, expression: Expression) -> Iterator[TermCase]:
        term = affine(expression)
        if term is not None:
            yield from self.linear_cases(term)
            return
        match expression:
            case typed.Arithmetic("mod", body, typed.Literal(int(modulus))) if modulus > 0:
                inner = affine(body)
                residues = None if inner is None else self.residue_cases(inner, modulus)
                if residues is not None:
                    yield from (TermCase(where, point(number)) for where, number in residues)
                    return
            case typed.Arithmetic("div", body, typed.Literal(int(divisor))) if divisor > 0:
                if not has_fraction(body):
                    for case in self.cases(body):
                        yield TermCase(case.where, euclidean("div", case.bounds, divisor))
                    return
        for where, values in self.valuations(typed.reads(expression)):
            match worth(expression, values):
                case int(number):
                    yield TermCase(where, point(number))
                case Interval() as interval:
                    yield TermCase(where, interval)
                case Unknown():
                    yield TermCase(where, EVERYTHING, whole=False)
                case _:  # a fraction, or infinite: no value that a variable could take
                    yield TermCase(where, Interval(1, 0), whole=False)

    def linear_cases(self, term: Affine) -> Iterator[TermCase]:
        """Yield what a linear term is, case by case."""
        exactly = self.partition.exactly(term.terms)
        if exactly is None:
            yield TermCase(self.diagrams.true, EVERYTHING)
            return
        for values in exactly:
            where = self.encoder.assignment(values)
            yield from self._instance_cases(where, substituted(term, values))

    def _instance_cases(self, where: Diagram, term: Affine) -> Iterator[TermCase]:
        d = self.diagrams
        found = scaled(term.terms)
        if found is None:
            yield TermCase(where, point(term.constant))
        elif found.form in self.partition.pieces:
            for number, piece in enumerate(self.partition.pieces[found.form]):
                here = d.both(where, self.is_piece(found.form, number))
                yield TermCase(here, piece, found.factor, term.constant)
        else:
            for case in self._summed(term):
                yield TermCase(d.both(where, case.where), case.interval)

    def shrinking_cases(self, form: Form, quotient: Quotient) -> Iterator[TermCase]:
        """Yield by how much a number changes that becomes a part of what it was."""
        for number, piece in enumerate(self.partition.pieces[form]):
            low = None if piece.high is None else quotient.growth(piece.high)
            high = None if piece.low is None else quotient.growth(piece.low)
            yield TermCase(self.is_piece(form, number), Interval(low, high))

    def summed_cases(self, form: Form) -> Iterator[TermCase]:
        """Yield what a sum is, as far as the pieces of its variables tell."""
        return self._summed(Affine(dict(form.terms)))

    def _summed(self, term: Affine) -> Iterator[TermCase]:
        for where, values in self.valuations(term.terms):
            intervals = (as_interval(values[r]).times(w) for r, w in term.terms.items())
            yield TermCase(where, total(intervals).plus(point(term.constant)))

    def valuations(self, reads: Iterable[Read]) -> Iterator[tuple[Diagram, dict[Read, Worth]]]:
        """Yield all the combinations of values and pieces that some variables may have."""
        reads = list(reads)
        exactly = self.partition.exactly(reads)
        rough = [read for read in reads if read in self.partition.coarse]
        pieces = [self.partition.pieces[form_of(read)] for read in rough]
        if exactly is None or prod(map(len, pieces)) > MOST_CASES:
            yield self.diagrams.true, dict.fromkeys(reads, EVERYTHING)
            return
        for values in exactly:
            where = self.encoder.assignment(values)
            for numbers in product(*map(range, map(len, pieces))):
                here = where
                known: dict[Read, Worth] = dict(values)
                for read, number, options in zip(rough, numbers, pieces, strict=True):
                    here = self.diagrams.both(here, self.is_piece(form_of(read), number))
                    known[read] = options[number]
                yield here, known

    def residue_cases(self, term: Affine, modulus: int) -> Iterator[tuple[Diagram, int]] | None:
        """Yield what a linear term leaves on division, case by case; None where cells do not tell."""
        exactly = self.partition.exactly(term.terms)
        if exactly is None:
            return None
        found = scaled({r: w for r, w in term.terms.items() if r in self.partition.coarse})
        if found is None or found.factor % modulus == 0:
            parts: Iterable[tuple[Diagram, int]] = ((self.diagrams.true, 0),)
        else:
            residue = ResidueQuantity(found.form, modulus)
            if residue not in self.partition.residues:
                return None
            parts = [
                (self.is_piece(residue, number), found.factor * number) for number in range(modulus)
            ]
        kept = list(exactly)
        return (
            (
                self.diagrams.both(self.encoder.assignment(values), where),
                (substituted(term, values).constant + multiple) % modulus,
            )
            for values in kept
            for where, multiple in parts
        )
