"""Which numbers are cut where: the predicates of an abstraction, each with the place it comes from."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Final, TypeAlias

from gnomon.engines.abstraction.alternatives import by_alternatives, deciding
from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, cut
from gnomon.engines.abstraction.linear import Affine, Form, affine, form_of, scaled, solve
from gnomon.engines.abstraction.samples import Samples
from gnomon.engines.solvers.smt import Context
from gnomon.model import expression as typed
from gnomon.model import formula as logic
from gnomon.model.domain import Boolean, IntegerRange, Integers, size_of, values_of
from gnomon.model.expression import Expression, Read
from gnomon.model.system import System
from gnomon.text.numbers import show_integer
from gnomon.text.record import Record

#: A range of more values than this is cut into intervals, a smaller one is kept value by value.
WIDE: Final = 64
#: What depends on variables that are kept exactly is looked at value by value, up to so many cases.
MOST_CASES: Final = 4096


class ResidueQuantity(Record):
    """What a form leaves on division by a number."""

    form: Form
    modulus: int

    def __str__(self) -> str:
        """Show it as an expression."""
        form = str(self.form) if self.form.single else f"({self.form})"
        return f"{form} mod {self.modulus}"


class OpaqueComparison(Record):
    """A comparison that is not linear, told apart as it is: it fails, or it holds."""

    atom: typed.Compare

    def __str__(self) -> str:
        """Show the comparison."""
        return typed.show(self.atom)


Quantity: TypeAlias = Form | ResidueQuantity | OpaqueComparison


def reads_of(quantity: Quantity) -> tuple[Read, ...]:
    """Return the variables that a quantity is made of, in a fixed order."""
    match quantity:
        case Form():
            return quantity.reads
        case ResidueQuantity(form, _):
            return form.reads
        case OpaqueComparison(atom):
            return tuple(sorted(typed.reads(atom), key=lambda r: (r.agent, r.variable)))


class Origin(Record):
    """Where a predicate comes from: in words, and the line."""

    text: str
    line: int = 0

    def __str__(self) -> str:
        """Show it in a few words."""
        return f"{self.text}, line {self.line}" if self.line else self.text


class Predicate(Record):
    """`form <= bound`, or where it is a residue or a comparison, its value."""

    quantity: Quantity
    bound: int
    origin: Origin

    def __str__(self) -> str:
        """Show the condition."""
        if not isinstance(self.quantity, Form):
            return str(self.quantity)
        return f"{self.quantity} <= {show_integer(self.bound)}"


class Partition:
    """The quantities that cells are told apart by, and where each is cut. It never changes."""

    def __init__(
        self,
        system: System,
        coarse: frozenset[Read],
        predicates: Iterable[Predicate],
        hidden: frozenset[Read] = frozenset(),
        samples: Samples | None = None,
        context: Context | None = None,
    ) -> None:
        """Cut the numbers in `coarse` by the predicates; equivalent ones count once.

        What is `hidden` is not told apart at all.
        """
        self.system = system
        self.coarse = coarse
        self.hidden = hidden
        #: Reachable states, which are the same for all partitions of a system.
        self.samples = samples or Samples(system)
        #: What solvers that are asked about the cells of these partitions live in.
        self.context = context or Context()
        merged: dict[tuple[Quantity, int], Predicate] = {}
        for predicate in predicates:
            merged.setdefault((predicate.quantity, predicate.bound), predicate)
        self.predicates = tuple(merged.values())
        cuts: dict[Form, set[int]] = {form_of(read): set() for read in self._ordered(coarse)}
        others: dict[ResidueQuantity | OpaqueComparison, None] = {}
        for predicate in self.predicates:
            if not isinstance(predicate.quantity, Form):
                others[predicate.quantity] = None
            else:
                cuts.setdefault(predicate.quantity, set()).add(predicate.bound)
        self.pieces: Mapping[Form, tuple[Interval, ...]] = {
            form: cut(self._range(form), bounds) for form, bounds in cuts.items()
        }
        self.residues = tuple(item for item in others if isinstance(item, ResidueQuantity))
        self.opaque = tuple(item for item in others if isinstance(item, OpaqueComparison))

    def _ordered(self, reads: Iterable[Read]) -> list[Read]:
        position = self.system.position
        return sorted(reads, key=lambda read: position[read.agent, read.variable])

    def _range(self, form: Form) -> Interval:
        return total(self.range_of(read).times(weight) for read, weight in form.terms)

    def range_of(self, read: Read) -> Interval:
        """Return the values that a variable may have at all."""
        domain = self.system.variables[self.system.position[read.agent, read.variable]].domain
        return Interval(domain.low, domain.high) if isinstance(domain, IntegerRange) else EVERYTHING

    @property
    def relations(self) -> tuple[Quantity, ...]:
        """The quantities that are not just a variable."""
        sums = (form for form in self.pieces if form.single is None)
        return (*sums, *self.residues, *self.opaque)

    def size(self, quantity: Quantity) -> int:
        """Return how many values a quantity is told apart into."""
        if isinstance(quantity, ResidueQuantity):
            return quantity.modulus
        if isinstance(quantity, OpaqueComparison):
            return 2
        return len(self.pieces[quantity])

    def refined(
        self, more: Iterable[Predicate], hidden: frozenset[Read] | None = None
    ) -> "Partition":
        """Return the partition with more predicates, and perhaps with other things hidden."""
        kept = self.hidden if hidden is None else hidden
        predicates = (*self.predicates, *more)
        return Partition(self.system, self.coarse, predicates, kept, self.samples, self.context)

    def knows(self, predicate: Predicate) -> bool:
        """Return whether the predicate cuts nothing that is not cut."""
        if not isinstance(predicate.quantity, Form):
            return predicate.quantity in (*self.residues, *self.opaque)
        pieces = self.pieces.get(predicate.quantity, ())
        outside = pieces and _beyond(pieces, predicate.bound)
        return bool(outside) or any(piece.high == predicate.bound for piece in pieces)

    # Values of variables that are kept exactly

    def exactly(self, reads: Iterable[Read]) -> Iterator[dict[Read, int]] | None:
        """Yield the values that some variables may have together; None where there are too many."""
        kept = [read for read in self._ordered(reads) if read not in self.coarse]
        domains = [
            self.system.variables[self.system.position[read.agent, read.variable]].domain
            for read in kept
        ]
        if prod(size_of(domain) or MOST_CASES for domain in domains) > MOST_CASES:
            return None
        pools = [values_of(domain) for domain in domains]
        return (dict(zip(kept, values, strict=True)) for values in product(*pools))  # type: ignore[arg-type]


def _beyond(pieces: tuple[Interval, ...], bound: int) -> bool:
    low, high = pieces[0].low, pieces[-1].high
    return (low is not None and bound < low) or (high is not None and bound >= high)


def total(parts: Iterable[Interval]) -> Interval:
    """Return the sum of intervals."""
    result = Interval(0, 0)
    for part in parts:
        result = result.plus(part)
    return result


def coarse_variables(system: System, wide: int = WIDE) -> frozenset[Read]:
    """Return the variables whose values are not told apart one by one."""
    return frozenset(
        Read(variable.agent, variable.name)
        for variable in system.variables
        if isinstance(variable.domain, Integers)
        or (isinstance(variable.domain, IntegerRange) and (size_of(variable.domain) or 0) > wide)
    )


def first_partition(
    system: System,
    formulae: Iterable[tuple[logic.Formula, Origin]],
    given: Iterable[tuple[Expression, Origin]] = (),
    wide: int = WIDE,
) -> Partition:
    """Return the partition by the conditions of a system and its formulae.

    The initial condition is left out: it only has to be met, and its constants would cut every counter.
    """
    empty = Partition(system, coarse_variables(system, wide), ())
    found = [
        predicate
        for condition, origin in (*_conditions(system, formulae), *given)
        for predicate in predicates_of(empty, condition, origin)
    ]
    return empty.refined(found)


def _conditions(
    system: System, formulae: Iterable[tuple[logic.Formula, Origin]]
) -> Iterator[tuple[Expression, Origin]]:
    for agent in system.agents:
        for line in agent.protocol:
            yield line.condition, Origin(f"protocol of {agent.name}", line.line)
        for rule in agent.evolution:
            yield rule.guard, Origin(f"evolution of {agent.name}", rule.line)
            for assignment in rule.assignments:
                # What a Boolean is set to may compare numbers, too.
                yield assignment.value, Origin(f"evolution of {agent.name}", rule.line)
        if agent.red is not None:
            yield agent.red, Origin(f"red states of {agent.name}")
    for name, condition in system.propositions.items():
        yield condition, Origin(f"evaluation of {name}")
    for formula, origin in formulae:
        for part in logic.walk(formula):
            if isinstance(part, logic.StateCondition):
                yield part.expression, origin


def predicates_of(
    partition: Partition, condition: Expression, origin: Origin
) -> Iterator[Predicate]:
    """Yield the predicates that tell where the comparisons of a condition hold."""
    for part in typed.walk(condition):
        if isinstance(part, typed.Compare) and typed.reads(part) & partition.coarse:
            yield from _of_comparison(partition, part, origin)


def _of_comparison(
    partition: Partition, atom: typed.Compare, origin: Origin
) -> Iterator[Predicate]:
    written_out = by_alternatives(atom)
    if written_out is not None:
        for part in typed.walk(written_out):
            if not isinstance(part, typed.Compare) or deciding(part) is not None:
                continue
            # What decides between alternatives may compare names, which are kept exactly.
            if typed.reads(part) & partition.coarse:
                yield from _of_comparison(partition, part, origin)
        return
    if is_condition(partition.system, atom.left):
        return  # what is compared in its sides tells
    left, right = affine(atom.left), affine(atom.right)
    if left is None or right is None:
        yield from _of_quotient(partition, atom, origin)
        return
    difference = left.plus(right, -1)
    for instance in instances(partition, difference):
        found = scaled(instance.terms)
        if found is not None:
            for bound in solve(atom.operator, found.factor, instance.constant).cuts:
                yield Predicate(found.form, bound, origin)


def is_condition(system: System, expression: Expression) -> bool:
    """Return whether an expression holds or fails, and is no number and no name."""
    match typed.example_of(expression):
        case typed.Literal(value):
            return isinstance(value, bool)
        case Read(agent, name):
            return isinstance(system.variables[system.position[agent, name]].domain, Boolean)
        case typed.Not() | typed.And() | typed.Or() | typed.Compare() | typed.Does():
            return True
        case _:
            return False


def instances(partition: Partition, term: Affine) -> Iterator[Affine]:
    """Yield a linear term for all the values of the variables in it that are kept exactly."""
    for values in partition.exactly(term.terms) or ():
        yield substituted(term, values)


def substituted(term: Affine, values: Mapping[Read, int]) -> Affine:
    """Return a linear term with values for some of its variables."""
    constant = term.constant + sum(
        weight * values[read] for read, weight in term.terms.items() if read in values
    )
    return Affine({r: weight for r, weight in term.terms.items() if r not in values}, constant)


def _of_quotient(partition: Partition, atom: typed.Compare, origin: Origin) -> Iterator[Predicate]:
    """Yield what tells where a comparison holds that divides a linear term by a constant; else itself."""
    found = list(_dividing_constants(partition, atom, origin))
    # In a small range each value can be told apart, if need be; then nothing is opaque.
    wide = any(_is_wide(partition.range_of(read)) for read in typed.reads(atom) & partition.coarse)
    # What agents do is no part of a state, so no state can be told apart by it.
    opaque = wide and not typed.actors(atom)
    yield from found or ((Predicate(OpaqueComparison(atom), 0, origin),) if opaque else ())


def _is_wide(interval: Interval) -> bool:
    low, high = interval.low, interval.high
    return low is None or high is None or high - low >= WIDE


def _dividing_constants(
    partition: Partition, atom: typed.Compare, origin: Origin
) -> Iterator[Predicate]:
    for side, other, operator in (
        (atom.left, atom.right, atom.operator),
        (atom.right, atom.left, MIRRORED[atom.operator]),
    ):
        match side, affine(other):
            case typed.Arithmetic("mod", body, typed.Literal(int(modulus))), _:
                inner = affine(body)
                found = None if inner is None else scaled(_coarse_terms(partition, inner))
                if found is not None and 0 < modulus <= MOST_CASES:
                    yield Predicate(ResidueQuantity(found.form, modulus), 0, origin)
            case typed.Arithmetic("div", body, typed.Literal(int(divisor))), Affine() as constant:
                inner = affine(body)
                if inner is None or constant.terms or divisor <= 0:
                    continue
                for bound in _dividing(operator, divisor, constant.constant):
                    for instance in instances(partition, inner):
                        yield from _at_most(instance, bound, origin)


def _coarse_terms(partition: Partition, term: Affine) -> dict[Read, int]:
    return {read: weight for read, weight in term.terms.items() if read in partition.coarse}


def _dividing(operator: str, divisor: int, bound: int) -> tuple[int, ...]:
    """Return the numbers n such that `<= n` tells where the quotient compares with the bound."""
    cuts = solve(operator, 1, -bound).cuts
    return tuple(divisor * number + divisor - 1 for number in cuts)


def _at_most(instance: Affine, bound: int, origin: Origin) -> Iterator[Predicate]:
    found = scaled(instance.terms)
    if found is not None:
        for cut_ in solve("<=", found.factor, instance.constant - bound).cuts:
            yield Predicate(found.form, cut_, origin)


MIRRORED: Final[dict[str, str]] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}
