"""Where conditions hold in cells of states: a may- and a must-diagram each."""

from collections.abc import Iterator
from typing import NamedTuple

from gnomon.engines.abstraction.alternatives import (
    MOST_ALTERNATIVES,
    assuming,
    by_alternatives,
    deciding,
)
from gnomon.engines.abstraction.cell_terms import CellTerms
from gnomon.engines.abstraction.interval_values import compare_worth, has_fraction, worth
from gnomon.engines.abstraction.intervals import near, point
from gnomon.engines.abstraction.linear import Affine, Form, SolutionRange, affine, scaled, solve
from gnomon.engines.abstraction.partition import OpaqueComparison, Partition, is_condition
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.number_encoder import ActionDiagram
from gnomon.model import expression as typed
from gnomon.model.domain import Enumeration
from gnomon.model.expression import Expression, Read, Sharing


class MayMust(NamedTuple):
    """A condition over cells: where it holds in some state (at least there), and where in all states."""

    may: Diagram
    must: Diagram


class CellConditions(CellTerms):
    """The conditions over the cells of one partition."""

    def __init__(self, partition: Partition, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        super().__init__(partition, layout, diagrams)
        self._conditions: dict[Expression, MayMust] = {}
        self._shared: dict[Sharing, MayMust] = {}

    def condition(self, expression: Expression) -> MayMust:
        """Return where a condition may hold, and where it surely does."""
        raw = self._raw(expression)
        return MayMust(self.for_some_hidden(raw.may), self.for_all_hidden(raw.must))

    def _raw(self, expression: Expression) -> MayMust:
        """Return where a condition may and surely does hold, what is hidden told apart."""
        found = self._conditions.get(expression)
        if found is None:
            found = self._conditions[expression] = self._condition(expression)
        return found

    def _condition(self, expression: Expression) -> MayMust:
        if not typed.reads(expression) & self.partition.coarse:
            doing: ActionDiagram = self.does
            exact = self.encoder.condition(expression, doing)
            return MayMust(exact, exact)
        if isinstance(expression, typed.Compare):
            if self._opaque(expression) is not None:
                bit = self.is_piece(OpaqueComparison(expression), 1)
                return MayMust(bit, bit)
            written_out = by_alternatives(expression)
            if written_out is not None:
                return self._raw(written_out)
        match expression:
            case typed.Not(operand):
                return self.opposite(self._raw(operand))
            case typed.And(operands):
                parts = [self._raw(operand) for operand in operands]
                return MayMust(
                    self.conjunction(p.may for p in parts), self.conjunction(p.must for p in parts)
                )
            case typed.Or(operands):
                return self.some([self._raw(operand) for operand in operands])
            case typed.Compare(operator, left, right):
                return self._compare(operator, left, right)
            case typed.Defined():
                return typed.shared(expression, self._shared, self._shared_condition)
            case _:
                msg = f"not a condition: {typed.show(expression)}"
                raise AssertionError(msg)

    def _shared_condition(self, expression: Sharing) -> MayMust:
        """Return where a definition holds; what is no condition is looked at by those who compare it."""
        if isinstance(expression, typed.Defined) and is_condition(self.system, expression):
            return self._raw(expression.body)
        return MayMust(self.diagrams.true, self.diagrams.false)

    def split(self, value: Expression) -> list[tuple[Expression, Diagram]]:
        """Return what a value is, as far as cells decide its conditions, and in which cells it is that."""
        d = self.diagrams
        done: list[tuple[Expression, Diagram]] = []
        waiting = [(value, d.true)]
        while waiting:
            part, where = waiting.pop()
            condition = deciding(part)
            if condition is None or len(done) + len(waiting) >= MOST_ALTERNATIVES:
                done.append((part, where))
                continue
            three = self.condition(condition)
            for holds, surely in ((True, three.must), (False, d.opposite(three.may))):
                here = d.both(where, surely)
                if here != d.false:
                    waiting.append((assuming(part, condition, holds=holds), here))
            open_ = d.both(where, d.minus(three.may, three.must))
            if open_ != d.false:
                done.append((part, open_))
        return done

    def by_cases(self, atom: typed.Compare) -> MayMust:
        """Return where a comparison may and surely does hold, as far as the pieces of its variables tell."""
        return self._compare(atom.operator, atom.left, atom.right)

    def _opaque(self, atom: typed.Compare) -> OpaqueComparison | None:
        opaque = OpaqueComparison(atom)
        return opaque if opaque in self.partition.opaque else None

    def opposite(self, condition: MayMust) -> MayMust:
        """Return where a condition may fail, and where it surely does."""
        d = self.diagrams
        return MayMust(d.opposite(condition.must), d.opposite(condition.may))

    def some(self, parts: list[MayMust]) -> MayMust:
        """Return where one of the conditions holds."""
        return MayMust(
            self.disjunction(p.may for p in parts), self.disjunction(p.must for p in parts)
        )

    def _compare(self, operator: str, left: Expression, right: Expression) -> MayMust:
        if is_condition(self.system, left):
            equal = self._same(self._raw(left), self._raw(right))
            return equal if operator == "=" else self.opposite(equal)
        one, two = affine(left), affine(right)
        if one is not None and two is not None:
            return self._sign(operator, one.plus(two, -1))
        return self._compare_cases(operator, left, right)

    def _is_name(self, expression: Expression) -> bool:
        match typed.example_of(expression):
            case typed.Literal(value):
                return isinstance(value, str)
            case Read() as read:
                return isinstance(self.encoder.variable(read).domain, Enumeration)
            case _:
                return False

    def _same(self, one: MayMust, two: MayMust) -> MayMust:
        d = self.diagrams
        may = d.either(d.both(one.may, two.may), d.opposite(d.either(one.must, two.must)))
        must = d.either(d.both(one.must, two.must), d.opposite(d.either(one.may, two.may)))
        return MayMust(may, must)

    def _sign(self, operator: str, term: Affine) -> MayMust:
        """Return where a linear term compares with zero."""
        found = scaled(term.terms)
        if found is not None and found.form in self.partition.pieces:
            return self._within(found.form, solve(operator, found.factor, term.constant))
        may: list[Diagram] = []
        must: list[Diagram] = []
        for case in self.linear_cases(term):
            if case.factor == 0:
                values, wanted = point(case.constant), solve(operator, 1, 0)
            else:
                values, wanted = case.interval, solve(operator, case.factor, case.constant)
            if wanted.possible(values):
                may.append(case.where)
            if wanted.certain(values):
                must.append(case.where)
        return MayMust(self.disjunction(may), self.disjunction(must))

    def _within(self, form: Form, wanted: SolutionRange) -> MayMust:
        """Return where a quantity may be and surely is in a range."""
        pieces = self.partition.pieces[form]
        close = near(pieces, wanted.interval) if not wanted.interval.empty else range(0)
        inside = [place for place in close if pieces[place].inside(wanted.interval)]
        touched = self.disjunction(self.is_piece(form, place) for place in close)
        covered = self.disjunction(self.is_piece(form, place) for place in inside)
        found = MayMust(touched, covered)
        return self.opposite(found) if wanted.outside else found

    def _compare_cases(self, operator: str, left: Expression, right: Expression) -> MayMust:
        """Return where two terms compare of which one is not linear."""
        may: list[Diagram] = []
        must: list[Diagram] = []
        for where, answers in self._answers(operator, left, right):
            if True in answers:
                may.append(where)
            if False not in answers:
                must.append(where)
        return MayMust(self.disjunction(may), self.disjunction(must))

    def _answers(
        self, operator: str, left: Expression, right: Expression
    ) -> Iterator[tuple[Diagram, set[bool]]]:
        """Yield the answers that a comparison may have, case by case."""
        d = self.diagrams
        # Fractions compare, too, and so do names.
        if has_fraction(left) or has_fraction(right) or self._is_name(left):
            for where, values in self.valuations(typed.reads(left) | typed.reads(right)):
                yield where, compare_worth(operator, worth(left, values), worth(right, values))
            return
        others = list(self.cases(right))
        for one in self.cases(left):
            for two in others:
                where = d.both(one.where, two.where)
                if where != d.false:
                    yield where, compare_worth(operator, one.bounds, two.bounds)
