"""Cells of states as codes, and what conditions and terms are worth in them.

A variable that is kept exactly has the codes of its values; any other quantity has the number of the
piece it is in. A condition has two diagrams: where it may hold, and where it surely does.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, near, point
from gnomon.engines.abstraction.linear import (
    Affine,
    Form,
    Range,
    affine,
    form_of,
    image,
    scaled,
    solve,
)
from gnomon.engines.abstraction.partition import (
    MOST_CASES,
    Opaque,
    Partition,
    Quantity,
    Residue,
    substituted,
    total,
)
from gnomon.engines.diagrams.bit_layout import BitLayout, VariableBits
from gnomon.engines.diagrams.condition_encoder import ActionDiagram
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.interface import Diagram, Diagrams, QuantifiedSet
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.model import expression as typed
from gnomon.model.arithmetic import euclidean_div, euclidean_mod
from gnomon.model.domain import Boolean, size_of
from gnomon.model.evaluation import Operation, combine, compare
from gnomon.model.expression import Expression, Read

#: The name under which a layout keeps what is not just a variable.
RELATION = ""


def key_of(quantity: Quantity) -> tuple[str, str]:
    """Return the name of a quantity in a layout."""
    if isinstance(quantity, Form) and quantity.single is not None:
        return quantity.single.agent, quantity.single.variable
    return RELATION, str(quantity)


class Three(NamedTuple):
    """A condition over cells: where it holds in some state (at least there), and where in all states."""

    may: Diagram
    must: Diagram


class Case(NamedTuple):
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


class _Unknown:
    """What a quotient is worth of which nothing is known: not even whether it is a number."""


_UNKNOWN: Final = _Unknown()

#: What an expression is worth in a cell: a value, or somewhere in an interval, or unknown.
Worth: TypeAlias = object


class Cells:
    """The codes of one partition."""

    def __init__(self, partition: Partition, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        self.partition = partition
        self.system = partition.system
        self.layout = layout
        self.diagrams = diagrams
        self.encoder = Encoder(self.system, layout, diagrams)
        self._conditions: dict[Expression, Three] = {}

    # Codes

    def bits(self, quantity: Quantity) -> VariableBits:
        """Return the levels of a quantity."""
        return self.layout.variables[key_of(quantity)]

    def is_piece(self, quantity: Quantity, number: int, *, after: bool = False) -> Diagram:
        """Return where a quantity has its number-th piece (in the next cell, with `after`)."""
        bits = self.bits(quantity)
        return self.encoder.is_code(bits.next if after else bits.now, number)

    def anyone(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the disjunction."""
        return balanced(self.diagrams.either, list(parts), self.diagrams.false)

    def all(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the conjunction."""
        return balanced(self.diagrams.both, list(parts), self.diagrams.true)

    def does(self, agent: str, action: str) -> Diagram:
        """Return where the agent does the action."""
        number = self.system.agent(agent).actions.index(action)
        return self.encoder.is_code(self.layout.actions.get(agent, ()), number)

    # Conditions

    def condition(self, expression: Expression) -> Three:
        """Return where a condition may hold, and where it surely does."""
        raw = self._raw(expression)
        return Three(self.somehow(raw.may), self.anyhow(raw.must))

    def _raw(self, expression: Expression) -> Three:
        """Return where a condition may and surely does hold, what is hidden told apart."""
        found = self._conditions.get(expression)
        if found is None:
            found = self._conditions[expression] = self._condition(expression)
        return found

    # What is hidden

    def somehow(self, cells: Diagram) -> Diagram:
        """Return where something is so for some values of what is hidden."""
        if not self.partition.hidden:
            return cells
        return self.diagrams.both_exists(cells, self._hidden_values, self._hidden)

    def anyhow(self, cells: Diagram) -> Diagram:
        """Return where something is so for all values of what is hidden."""
        if not self.partition.hidden:
            return cells
        return self.diagrams.opposite(self.somehow(self.diagrams.opposite(cells)))

    @cached_property
    def _hidden(self) -> QuantifiedSet:
        reads = self.partition.hidden
        levels = [self.layout.variables[read.agent, read.variable].now for read in reads]
        return self.diagrams.cube(level for several in levels for level in several)

    @cached_property
    def _hidden_values(self) -> Diagram:
        return self.all(
            self.encoder.valid(
                self.layout.variables[read.agent, read.variable].now,
                size_of(self.encoder.variable(read).domain) or 1,
            )
            for read in self.partition.hidden
        )

    # Parts of conditions

    def _condition(self, expression: Expression) -> Three:
        if not typed.reads(expression) & self.partition.coarse:
            doing: ActionDiagram = self.does
            exact = self.encoder.condition(expression, doing)
            return Three(exact, exact)
        if isinstance(expression, typed.Compare) and self._opaque(expression) is not None:
            bit = self.is_piece(Opaque(expression), 1)
            return Three(bit, bit)
        match expression:
            case typed.Not(operand):
                return self.opposite(self._raw(operand))
            case typed.And(operands):
                parts = [self._raw(operand) for operand in operands]
                return Three(self.all(p.may for p in parts), self.all(p.must for p in parts))
            case typed.Or(operands):
                return self.some([self._raw(operand) for operand in operands])
            case typed.Compare(operator, left, right):
                return self._compare(operator, left, right)
            case _:
                msg = f"not a condition: {typed.show(expression)}"
                raise AssertionError(msg)

    def by_cases(self, atom: typed.Compare) -> Three:
        """Return where a comparison may and surely does hold, as far as the pieces of its variables tell."""
        return self._compare(atom.operator, atom.left, atom.right)

    def _opaque(self, atom: typed.Compare) -> Opaque | None:
        opaque = Opaque(atom)
        return opaque if opaque in self.partition.opaque else None

    def opposite(self, condition: Three) -> Three:
        """Return where a condition may fail, and where it surely does."""
        d = self.diagrams
        return Three(d.opposite(condition.must), d.opposite(condition.may))

    def some(self, parts: list[Three]) -> Three:
        """Return where one of the conditions holds."""
        return Three(self.anyone(p.may for p in parts), self.anyone(p.must for p in parts))

    def _compare(self, operator: str, left: Expression, right: Expression) -> Three:
        if self._is_boolean(left):
            equal = self._same(self._raw(left), self._raw(right))
            return equal if operator == "=" else self.opposite(equal)
        one, two = affine(left), affine(right)
        if one is not None and two is not None:
            return self._sign(operator, one.plus(two, -1))
        return self._compare_cases(operator, left, right)

    def _is_boolean(self, expression: Expression) -> bool:
        match expression:
            case typed.Literal(value):
                return isinstance(value, bool)
            case Read(agent, name):
                position = self.system.position[agent, name]
                return isinstance(self.system.variables[position].domain, Boolean)
            case typed.Not() | typed.And() | typed.Or() | typed.Compare() | typed.Does():
                return True
            case _:
                return False

    def _same(self, one: Three, two: Three) -> Three:
        d = self.diagrams
        may = d.either(d.both(one.may, two.may), d.opposite(d.either(one.must, two.must)))
        must = d.either(d.both(one.must, two.must), d.opposite(d.either(one.may, two.may)))
        return Three(may, must)

    def _sign(self, operator: str, term: Affine) -> Three:
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
        return Three(self.anyone(may), self.anyone(must))

    def _within(self, form: Form, wanted: Range) -> Three:
        """Return where a quantity may be and surely is in a range."""
        pieces = self.partition.pieces[form]
        close = near(pieces, wanted.interval) if not wanted.interval.empty else range(0)
        inside = [place for place in close if pieces[place].inside(wanted.interval)]
        touched = self.anyone(self.is_piece(form, place) for place in close)
        covered = self.anyone(self.is_piece(form, place) for place in inside)
        found = Three(touched, covered)
        return self.opposite(found) if wanted.outside else found

    def _compare_cases(self, operator: str, left: Expression, right: Expression) -> Three:
        """Return where two terms compare of which one is not linear."""
        may: list[Diagram] = []
        must: list[Diagram] = []
        for where, answers in self._answers(operator, left, right):
            if True in answers:
                may.append(where)
            if False not in answers:
                must.append(where)
        return Three(self.anyone(may), self.anyone(must))

    def _answers(
        self, operator: str, left: Expression, right: Expression
    ) -> Iterator[tuple[Diagram, set[bool]]]:
        """Yield the answers that a comparison may have, case by case."""
        d = self.diagrams
        if _has_quotient(left) or _has_quotient(right):  # fractions compare, too
            for where, values in self._valuations(typed.reads(left) | typed.reads(right)):
                yield where, _compare_worth(operator, worth(left, values), worth(right, values))
            return
        others = list(self.cases(right))
        for one in self.cases(left):
            for two in others:
                where = d.both(one.where, two.where)
                if where != d.false:
                    yield where, _compare_worth(operator, one.bounds, two.bounds)

    # Terms

    def cases(self, expression: Expression) -> Iterator[Case]:
        """Yield what a number is, case by case; together the cases are all cells."""
        term = affine(expression)
        if term is not None:
            yield from self.linear_cases(term)
            return
        match expression:
            case typed.Arithmetic("mod", body, typed.Literal(int(modulus))) if modulus > 0:
                inner = affine(body)
                residues = None if inner is None else self.residue_cases(inner, modulus)
                if residues is not None:
                    yield from (Case(where, point(number)) for where, number in residues)
                    return
            case typed.Arithmetic("div", body, typed.Literal(int(divisor))) if divisor > 0:
                if not _has_quotient(body):
                    for case in self.cases(body):
                        yield Case(case.where, _euclidean("div", case.bounds, divisor))
                    return
        for where, values in self._valuations(typed.reads(expression)):
            match worth(expression, values):
                case int(number):
                    yield Case(where, point(number))
                case Interval() as interval:
                    yield Case(where, interval)
                case _Unknown():
                    yield Case(where, EVERYTHING, whole=False)
                case _:  # a fraction, or infinite: no value that a variable could take
                    yield Case(where, Interval(1, 0), whole=False)

    def linear_cases(self, term: Affine) -> Iterator[Case]:
        """Yield what a linear term is, case by case."""
        exactly = self.partition.exactly(term.terms)
        if exactly is None:
            yield Case(self.diagrams.true, EVERYTHING)
            return
        for values in exactly:
            where = self.encoder.assignment(values)
            yield from self._instance_cases(where, substituted(term, values))

    def _instance_cases(self, where: Diagram, term: Affine) -> Iterator[Case]:
        d = self.diagrams
        found = scaled(term.terms)
        if found is None:
            yield Case(where, point(term.constant))
        elif found.form in self.partition.pieces:
            for number, piece in enumerate(self.partition.pieces[found.form]):
                here = d.both(where, self.is_piece(found.form, number))
                yield Case(here, piece, found.factor, term.constant)
        else:
            for case in self._summed(term):
                yield Case(d.both(where, case.where), case.interval)

    def summed_cases(self, form: Form) -> Iterator[Case]:
        """Yield what a sum is, as far as the pieces of its variables tell."""
        return self._summed(Affine(dict(form.terms)))

    def _summed(self, term: Affine) -> Iterator[Case]:
        for where, values in self._valuations(term.terms):
            intervals = (_as_interval(values[r]).times(w) for r, w in term.terms.items())
            yield Case(where, total(intervals).plus(point(term.constant)))

    def _valuations(self, reads: Iterable[Read]) -> Iterator[tuple[Diagram, dict[Read, Worth]]]:
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
            residue = Residue(found.form, modulus)
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


def worth(expression: Expression, values: Mapping[Read, Worth]) -> Worth:
    """Return what an expression is worth where variables have these values, or are in these intervals."""
    match expression:
        case typed.Literal(value):
            return value
        case Read():
            return values[expression]
        case (
            typed.Sum() | typed.Negative() | typed.Arithmetic() | typed.BitComplement()
        ) as operation:
            return _operation(operation, [worth(p, values) for p in typed.parts(expression)])
        case _:
            msg = f"not a number: {typed.show(expression)}"
            raise AssertionError(msg)


def _operation(operation: Operation, values: list[Worth]) -> Worth:
    known = [_value(value) for value in values]
    if any(isinstance(value, _Unknown) for value in known):
        return _UNKNOWN
    if not any(isinstance(value, Interval) for value in known):
        if _wants_integers(operation) and not all(isinstance(value, int) for value in known):
            return _UNKNOWN  # a fraction that no variable can have, put in its place
        return combine(operation, known)
    if any(not isinstance(value, (Interval, int)) for value in known):
        return _UNKNOWN  # a fraction or an infinity beside an interval
    intervals = [_as_interval(value) for value in known]
    match operation:
        case typed.Sum():
            return total(intervals)
        case typed.Negative():
            return intervals[0].times(-1)
        case typed.Arithmetic("*"):
            return intervals[0].product(intervals[1])
        case typed.Arithmetic("div" | "mod" as operator):
            divisor = intervals[1].point
            if divisor is None or divisor == 0:
                return EVERYTHING if operator == "div" else _remainder(intervals[1])
            return _euclidean(operator, intervals[0], divisor)
        case typed.Arithmetic("/"):
            return _UNKNOWN
        case _:
            return EVERYTHING


def _wants_integers(operation: Operation) -> bool:
    match operation:
        case typed.BitComplement() | typed.Arithmetic("div" | "mod" | "&" | "|" | "^"):
            return True
        case _:
            return False


def _remainder(divisor: Interval) -> Interval:
    """Return what may be left on division by some number: never less than nothing, but for zero."""
    away = not divisor.meets(point(0))
    return Interval(0, None) if away else EVERYTHING


def _euclidean(operator: str, values: Interval, divisor: int) -> Interval:
    if operator == "mod":
        whole = Interval(0, abs(divisor) - 1)
        low, high = values.low, values.high
        if (
            low is None
            or high is None
            or euclidean_div(low, divisor) != euclidean_div(high, divisor)
        ):
            return whole
        return Interval(euclidean_mod(low, divisor), euclidean_mod(high, divisor))
    ends = [
        None if end is None else euclidean_div(end, divisor) for end in (values.low, values.high)
    ]
    return Interval(*(ends if divisor > 0 else reversed(ends)))


def _value(value: Worth) -> Worth:
    """Return the number, where an interval has just one."""
    if isinstance(value, Interval) and value.point is not None:
        return value.point
    return value


def _as_interval(value: Worth) -> Interval:
    if isinstance(value, Interval):
        return value
    return point(value) if isinstance(value, int) else EVERYTHING


def _compare_worth(operator: str, left: Worth, right: Worth) -> set[bool]:
    """Return the answers that a comparison may have."""
    left, right = _value(left), _value(right)
    if isinstance(left, _Unknown) or isinstance(right, _Unknown):
        return {True, False}
    if not isinstance(left, Interval) and not isinstance(right, Interval):
        return {compare(operator, left, right)}
    if any(not isinstance(side, (Interval, int)) for side in (left, right)):
        return {True, False}
    difference = _as_interval(left).plus(_as_interval(right).times(-1))
    wanted = solve(operator, 1, 0)
    answers = {True} if wanted.possible(difference) else set()
    return answers if wanted.certain(difference) else answers | {False}


def _has_quotient(expression: Expression) -> bool:
    return any(
        isinstance(part, typed.Arithmetic) and part.operator == "/"
        for part in typed.walk(expression)
    )
