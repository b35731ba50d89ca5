"""What becomes of the quantities of a cell by a move: the next pieces that may be, and drifts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from gnomon.engines.abstraction.cell_codes import key_of
from gnomon.engines.abstraction.cell_conditions import CellConditions
from gnomon.engines.abstraction.cell_terms import TermCase
from gnomon.engines.abstraction.interval_values import has_fraction
from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, near
from gnomon.engines.abstraction.linear import Form, affine, form_of, part_of_itself
from gnomon.engines.abstraction.partition import (
    OpaqueComparison,
    Quantity,
    ResidueQuantity,
    reads_of,
)
from gnomon.engines.diagrams.image import RelationPart
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.number_encoder import chosen_parts
from gnomon.engines.diagrams.relation import Partitioned
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import Boolean, IntegerRange
from gnomon.model.expression import Expression, Read, Sharing, shared, value_parts


@dataclass(frozen=True, slots=True)
class AssignmentEffect:
    """What a variable becomes (None: it stays), and under which actions and choices in which cells."""

    value: Expression | None
    when: Diagram


class CellChanges(Partitioned):
    """How quantities change; which effects there are, those who know of moves say."""

    def __init__(self, cells: CellConditions) -> None:
        """Look at the cells of one partition."""
        super().__init__(cells.system, cells.encoder)
        self.cells = cells
        self._effects: dict[tuple[str, str], list[AssignmentEffect]] = {}
        #: What is shared among the values that a variable may get: what it becomes, and where it
        #: surely fits, or may.
        self._becoming: dict[Read, dict[Sharing, Diagram]] = {}
        self._fitting: dict[Read, dict[Sharing, Diagram]] = {}
        self._perhaps_fitting: dict[Read, dict[Sharing, Diagram]] = {}

    def effects(self, read: Read) -> list[AssignmentEffect]:
        """Return all that may happen to a variable."""
        return self._effects.get((read.agent, read.variable)) or [
            AssignmentEffect(None, self.diagrams.true)
        ]

    def _changes(self) -> Iterator[RelationPart]:
        for variable in self.system.variables:
            read = Read(variable.agent, variable.name)
            if read in self.cells.partition.hidden:
                continue
            if (read.agent, read.variable) in self._effects:
                parts = [
                    self.diagrams.both(
                        effect.when,
                        self.cells.for_some_hidden(self._becomes(variable, effect.value)),
                    )
                    for effect in self.effects(read)
                ]
                yield self.part(self.cells.disjunction(parts), (variable,))
        for quantity in self.cells.partition.relations:
            yield self._change_of(quantity)

    def _change_of(self, quantity: Quantity) -> RelationPart:
        d = self.diagrams
        agent, name = key_of(quantity)
        size = self.cells.partition.size(quantity)
        shown = Variable(agent, name, IntegerRange(0, size - 1))
        if not self.cells.bits(quantity).next:
            return self.part(d.true)
        if isinstance(quantity, OpaqueComparison):
            return self.part(self._comparison_becomes(quantity, shown), (shown,))
        form = quantity.form if isinstance(quantity, ResidueQuantity) else quantity
        parts = []
        for values, where in self.effects_on(form):
            if values is None:
                changed = self._stays(shown)
            elif isinstance(quantity, ResidueQuantity):
                changed = self._residue_becomes(quantity, values)
            else:
                changed = self._form_becomes(quantity, self.cells.cases(values))
            parts.append(d.both(where, self.cells.for_some_hidden(changed)))
        return self.part(self.cells.disjunction(parts), (shown,))

    def _comparison_becomes(self, opaque: OpaqueComparison, shown: Variable) -> Diagram:
        """Return how the value of a comparison may change: what it will be is a comparison of now."""
        d, cells = self.diagrams, self.cells
        after = d.variable(cells.bits(opaque).next[0])
        parts: list[Diagram] = []
        for effects, where in self._together(reads_of(opaque)):
            changes = {
                read: effect.value
                for read, effect in zip(reads_of(opaque), effects, strict=True)
                if effect.value is not None
            }
            if not changes:
                parts.append(d.both(where, self._stays(shown)))
                continue
            if any(map(has_fraction, changes.values())):
                parts.append(where)  # it may have no result, and what it is then means nothing
                continue
            three = cells.condition(typed.substituted(opaque.atom, changes))
            parts.append(d.both(where, d.choose(after, three.may, d.opposite(three.must))))
        return cells.disjunction(parts)

    def _together(
        self, reads: Iterable[Read]
    ) -> list[tuple[tuple[AssignmentEffect, ...], Diagram]]:
        """Return what may happen to some variables at once, and when."""
        d = self.diagrams
        found: list[tuple[tuple[AssignmentEffect, ...], Diagram]] = [((), d.true)]
        for read in reads:
            found = [
                ((*effects, effect), both)
                for effects, where in found
                for effect in self.effects(read)
                if (both := d.both(where, effect.when)) != d.false
            ]
        return found

    def effects_on(self, form: Form) -> Iterator[tuple[Expression | None, Diagram]]:
        """Yield what may become of a form (None: it stays), and when."""
        for effects, where in self._together(form.reads):
            if all(effect.value is None for effect in effects):
                yield None, where
                continue
            terms = tuple(
                _times(weight, read if effect.value is None else effect.value)
                for (read, weight), effect in zip(form.terms, effects, strict=True)
            )
            yield terms[0] if len(terms) == 1 else typed.Sum(terms), where

    def _split(self, value: Expression | None) -> list[tuple[Expression | None, Diagram]]:
        """Return what an assignment comes to, as far as cells decide that, and in which cells."""
        return [(None, self.diagrams.true)] if value is None else [*self.cells.split(value)]

    def _becomes(self, variable: Variable, value: Expression | None) -> Diagram:
        """Return which next values a variable may have."""
        read = Read(variable.agent, variable.name)
        if value is None:
            return self._stays(variable)
        if isinstance(value, (typed.Conditional, typed.Defined)) and self._is_rough(read, value):
            known = self._becoming.setdefault(read, {})
            return shared(value, known, partial(self._one_becomes, variable), chosen_parts)
        if read in self.cells.partition.coarse:
            return self._form_becomes(form_of(read), self.cells.cases(value))
        if not typed.reads(value) & self.cells.partition.coarse:
            return self.encoder.becomes(variable, value, self.cells.does)
        bits = self.encoder.layout.variables[variable.agent, variable.name].next
        if isinstance(variable.domain, Boolean):
            d, three = self.diagrams, self.cells.condition(value)
            on = d.variable(bits[0])
            return d.choose(on, three.may, d.opposite(three.must))
        assert isinstance(variable.domain, IntegerRange)
        low, high = variable.domain.low, variable.domain.high
        return self._one_of(
            self.cells.cases(value), [(n, Interval(n, n)) for n in range(low, high + 1)], bits, low
        )

    def _one_becomes(self, variable: Variable, value: Sharing) -> Diagram:
        """Return which next values there may be: those of either, where the condition is open."""
        if isinstance(value, typed.Defined):
            return self._becomes(variable, value.body)
        d, when = self.diagrams, self.cells.condition(value.condition)
        then, otherwise = (self._becomes(variable, each) for each in value_parts(value))
        return d.either(d.both(when.may, then), d.minus(otherwise, when.must))

    def _is_rough(self, read: Read, value: Expression) -> bool:
        """Return whether a variable, or what it becomes, is not known exactly in a cell."""
        return bool((typed.reads(value) | {read}) & self.cells.partition.coarse)

    def _form_becomes(self, form: Form, cases: Iterable[TermCase]) -> Diagram:
        pieces = list(enumerate(self.cells.partition.pieces[form]))
        return self._one_of(cases, pieces, self.cells.bits(form).next, 0)

    def _one_of(
        self,
        cases: Iterable[TermCase],
        targets: list[tuple[int, Interval]],
        bits: tuple[int, ...],
        low: int,
    ) -> Diagram:
        """Return which of some targets, each with its number, may be met."""
        d = self.diagrams
        parts: list[Diagram] = []
        for case in cases:
            if case.where == d.false:
                continue
            close = near([target for _, target in targets], case.bounds)
            met = [targets[place][0] for place in close if case.meets(targets[place][1])]
            if len(met) == len(targets):
                codes = self.encoder.valid(bits, len(targets))
            else:
                codes = self.cells.disjunction(self.encoder.is_code(bits, n - low) for n in met)
            parts.append(d.both(case.where, codes))
        return self.cells.disjunction(parts)

    def _residue_becomes(self, residue: ResidueQuantity, value: Expression) -> Diagram:
        d = self.diagrams
        bits = self.cells.bits(residue).next
        term = affine(value)
        cases = None if term is None else self.cells.residue_cases(term, residue.modulus)
        if cases is None:
            return self.encoder.valid(bits, residue.modulus)
        return self.cells.disjunction(
            d.both(where, self.encoder.is_code(bits, number)) for where, number in cases
        )

    def _fits(self, read: Read, value: Expression) -> Diagram:
        """Return where a new value is surely one that the variable can have."""
        d = self.diagrams
        if not self._is_rough(read, value):
            return self._fits_surely(read, value)
        return self.cells.conjunction(
            d.either(d.opposite(where), self._fits_surely(read, part))
            for part, where in self.cells.split(value)
        )

    def _fits_surely(self, read: Read, value: Expression) -> Diagram:
        d = self.diagrams
        variable = self.system.variables[self.system.position[read.agent, read.variable]]
        if not self._is_rough(read, value):
            bits = self.encoder.layout.variables[variable.agent, variable.name].next
            return d.exists(self.encoder.becomes(variable, value, self.cells.does), d.cube(bits))
        if isinstance(variable.domain, Boolean):
            return d.true
        if isinstance(value, (typed.Conditional, typed.Defined)):
            known = self._fitting.setdefault(read, {})
            return shared(value, known, partial(self._one_fits, read), chosen_parts)
        range_ = self.cells.partition.range_of(read)
        if range_ == EVERYTHING and not has_fraction(value):
            return d.true
        return self.cells.disjunction(
            case.where for case in self.cells.cases(value) if case.inside(range_)
        )

    def _one_fits(self, read: Read, value: Sharing) -> Diagram:
        """Return where a value surely fits: where the condition is open, both do."""
        if isinstance(value, typed.Defined):
            return self._fits_surely(read, value.body)
        d, when = self.diagrams, self.cells.condition(value.condition)
        then, otherwise = (self._fits_surely(read, each) for each in value_parts(value))
        return d.both(d.either(d.opposite(when.may), then), d.either(when.must, otherwise))

    def _may_fit(self, read: Read, value: Expression) -> Diagram:
        """Return where a new value may be one that the variable can have."""
        if not self._is_rough(read, value):
            return self._fits_surely(read, value)
        d = self.diagrams
        return self.cells.disjunction(
            d.both(where, self._fits_perhaps(read, part)) for part, where in self.cells.split(value)
        )

    def _fits_perhaps(self, read: Read, value: Expression) -> Diagram:
        d = self.diagrams
        if not self._is_rough(read, value):
            return self._fits_surely(read, value)
        if isinstance(value, (typed.Conditional, typed.Defined)):
            known = self._perhaps_fitting.setdefault(read, {})
            return shared(value, known, partial(self._one_may_fit, read), chosen_parts)
        range_ = self.cells.partition.range_of(read)
        variable = self.system.variables[self.system.position[read.agent, read.variable]]
        if isinstance(variable.domain, Boolean) or range_ == EVERYTHING:
            return d.true
        return self.cells.disjunction(
            case.where for case in self.cells.cases(value) if case.meets(range_)
        )

    def _one_may_fit(self, read: Read, value: Sharing) -> Diagram:
        """Return where a value may fit: where the condition is open, if either does."""
        if isinstance(value, typed.Defined):
            return self._fits_perhaps(read, value.body)
        d, when = self.diagrams, self.cells.condition(value.condition)
        then, otherwise = (self._fits_perhaps(read, each) for each in value_parts(value))
        return d.either(d.both(when.may, then), d.minus(otherwise, when.must))

    # Growth, for rankings

    def drifts(self, form: Form, sign: int) -> tuple[Diagram, Diagram]:
        """Return where `sign * form` surely becomes less, and where it surely does not become more.

        CellConditions, actions and choices together.
        """
        d = self.diagrams
        less: list[Diagram] = []
        not_more: list[Diagram] = []
        for value, where in self.effects_on(form):
            if value is None:
                not_more.append(where)
                continue
            below: list[Diagram] = []
            level: list[Diagram] = []
            for case in self.difference(form, value):
                bounds = case.bounds.times(sign)
                if case.whole and bounds.inside(Interval(None, -1)):
                    below.append(case.where)
                if case.whole and bounds.inside(Interval(None, 0)):
                    level.append(case.where)
            disjunction, for_all_hidden = self.cells.disjunction, self.cells.for_all_hidden
            less.append(d.both(where, for_all_hidden(disjunction(below))))
            not_more.append(d.both(where, for_all_hidden(disjunction(level))))
        return self.cells.disjunction(less), self.cells.disjunction(not_more)

    def difference(self, form: Form, value: Expression) -> Iterable[TermCase]:
        """Return by how much a form changes where it becomes a value, case by case."""
        quotient = part_of_itself(form, value)
        if quotient is not None and form in self.cells.partition.pieces:
            return self.cells.shrinking_cases(form, quotient)
        after, before = affine(value), affine(form.expression)
        if after is None or before is None:
            return self.cells.cases(typed.Sum((value, typed.Negative(form.expression))))
        return self.cells.linear_cases(after.plus(before, -1))


def _times(weight: int, value: Expression) -> Expression:
    return value if weight == 1 else typed.Arithmetic("*", typed.Literal(weight), value)
