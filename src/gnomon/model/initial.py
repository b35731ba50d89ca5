"""The states that satisfy a condition, found without going through all states.

The condition is a list of conjuncts. Those that fix a variable are used at once; a disjunction is
split into cases that exclude each other; where nothing is fixed, the variable with the fewest
values is tried value by value. So every state is found once, and nothing has to be remembered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, isfinite, prod
from typing import Final, TypeAlias

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    IntegerRange,
    Integers,
    contains,
    size_of,
    values_of,
)
from gnomon.model.evaluation import State, combine, every, some
from gnomon.model.expression import (
    And,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    Sharing,
    parts,
    reads,
    shared,
)
from gnomon.model.system import System

Assigned: TypeAlias = Mapping[Read, Datum]


class InfinitelyMany(LimitReached):
    """The condition leaves a variable without a bound: no list of the states ends."""


_OPPOSITE: Final = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED: Final = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

#: Domains up to this size are multiplied out at the end; larger ones are gone through one by one.
_SMALL = 4096


@dataclass(frozen=True, slots=True)
class _PartialAssignment:
    """A part of the search: what has a value, and what has still to hold."""

    assigned: Assigned
    pending: tuple[Expression, ...]


def assignments_satisfying(
    system: System,
    condition: Expression,
    budget: Budget | None = None,
    tried: Callable[[int], object] | None = None,
) -> Iterator[State]:
    """Yield every state in which a condition holds, each once.

    `tried` hears of each part of the search how much there is to look at in it, and may end it.
    Raises `InfinitelyMany` where the condition leaves an unbounded variable open, and `LimitReached` where
    the budget ends before the search does.
    """
    budget = budget or Budget()
    stack: list[Iterator[_PartialAssignment]] = [
        iter((_PartialAssignment({}, (_positive(condition, wanted=True),)),))
    ]
    visited = found = 0
    while stack:
        partial = next(stack[-1], None)
        if partial is None:
            stack.pop()
            continue
        visited += 1
        if visited % 16 == 0:  # a condition may be long
            budget.check("initial states", visited)
        if tried is not None:
            tried(1 + len(partial.pending))
        settled = _settle(system, partial)
        if settled is None:
            continue
        if settled.pending:
            stack.append(_split(system, settled))
        else:
            for state in _complete(system, settled.assigned):
                found += 1
                if found % 1024 == 0:
                    budget.check("initial states", found)
                yield state


def _positive(condition: Expression, *, wanted: bool) -> Expression:
    """Return the condition (or its opposite) with every `not` pushed down to the leaves."""
    match condition:
        case Not(operand):
            return _positive(operand, wanted=not wanted)
        case And(operands) | Or(operands):
            inner = tuple(_positive(operand, wanted=wanted) for operand in operands)
            return And(inner) if isinstance(condition, And) == wanted else Or(inner)
        case Compare(operator, left, right) if not wanted and operator in {"=", "<>"}:
            return Compare(_OPPOSITE[operator], left, right)  # type: ignore[arg-type]
        case _:
            return condition if wanted else Not(condition)


def _settle(system: System, partial: _PartialAssignment) -> _PartialAssignment | None:
    """Use up all conjuncts that are decided or fix a variable; None where one of them fails."""
    assigned = dict(partial.assigned)
    pending: list[Expression] = list(partial.pending)
    opened: set[Expression] = set()
    changed = True
    while changed:
        changed = False
        waiting, pending = pending, []
        while waiting:
            conjunct = waiting.pop()
            if isinstance(conjunct, And):
                waiting.extend(reversed(conjunct.operands))
                continue
            value = _value(conjunct, assigned)
            if value is False:
                return None
            if value is True or conjunct in opened:
                continue
            inside = _opened(conjunct)
            if inside is not None:
                opened.add(conjunct)
                waiting.append(inside)
                continue
            fixed = _fixes(system, conjunct, assigned)
            if fixed is None:
                pending.append(_shorten(conjunct, assigned))
                continue
            read, constant = fixed
            if not contains(_domain(system, read), constant):
                return None
            assigned[read] = constant  # type: ignore[assignment]
            changed = True
    return _PartialAssignment(assigned, tuple(pending))


def _opened(conjunct: Expression) -> Expression | None:
    """Return what a definition, or its opposite, comes to; None where the conjunct is something else."""
    match conjunct:
        case Defined(_, body):
            return _positive(body, wanted=True)
        case Not(Defined(_, body)):
            return _positive(body, wanted=False)
        case _:
            return None


def _value(expression: Expression, assigned: Assigned) -> object:
    """Return the value of an expression as far as it is known: None where it is open."""
    known: dict[Sharing, object] = {}

    def value(part: Expression) -> object:
        match part:
            case Read():
                return assigned.get(part)
            case Literal(constant):
                return constant
            case Does():
                msg = "an action was asked for where no joint action is being taken"
                raise ValueError(msg)
            case And(operands):
                return every(map(value, operands))
            case Or(operands):
                return some(map(value, operands))
            case Conditional() | Defined():
                return shared(part, known, shared_value)
            case _:
                values = [value(inner) for inner in parts(part)]
                return None if None in values else combine(part, values)

    def shared_value(part: Sharing) -> object:
        if isinstance(part, Defined):
            return value(part.body)
        chosen, then, otherwise = map(value, parts(part))
        if chosen is None:
            return then if then == otherwise else None
        return then if chosen else otherwise

    return value(expression)


def _shorten(conjunct: Expression, assigned: Assigned) -> Expression:
    """Return the conjunct without the disjuncts that have already failed."""
    if not isinstance(conjunct, Or):
        return conjunct
    left = tuple(operand for operand in conjunct.operands if _value(operand, assigned) is None)
    return left[0] if len(left) == 1 else Or(left)


def _fixes(system: System, conjunct: Expression, assigned: Assigned) -> tuple[Read, object] | None:
    """Return the variable and the only value that the conjunct allows it, if it is of that kind."""
    match conjunct:
        case Read():
            return conjunct, True
        case Not(Read() as read):
            return read, False
        case Compare("=" | "<>" as operator, left, right):
            for side, other in ((left, right), (right, left)):
                value = _value(other, assigned)
                if not isinstance(side, Read) or side in assigned or value is None:
                    continue
                if operator == "=":
                    return side, value
                if isinstance(_domain(system, side), Boolean):
                    return side, not value
    return None


def _domain(system: System, read: Read) -> Domain:
    return system.variables[system.position[read.agent, read.variable]].domain


def _split(system: System, partial: _PartialAssignment) -> Iterator[_PartialAssignment]:
    """Yield cases that exclude each other and together cover the partial."""
    disjunctions = [part for part in partial.pending if isinstance(part, Or)]
    atoms = [part for part in partial.pending if not isinstance(part, Or)]
    shortest = min(disjunctions, key=lambda part: len(part.operands), default=None)
    chosen = _narrowest(system, partial, atoms)
    if chosen is None and shortest is None:
        raise _unbounded(_open_reads(partial, atoms))
    if shortest is None or (chosen and _count(chosen[1]) <= len(shortest.operands)):
        assert chosen is not None
        return _try_values(partial, *chosen)
    return _cases(partial, shortest)


def _cases(partial: _PartialAssignment, chosen: Or) -> Iterator[_PartialAssignment]:
    """Yield one case a disjunct: it holds and those before it do not."""
    rest = tuple(part for part in partial.pending if part is not chosen)
    failed: tuple[Expression, ...] = ()
    for operand in chosen.operands:
        yield _PartialAssignment(partial.assigned, (operand, *rest, *failed))
        failed = (*failed, _positive(operand, wanted=False))


def _open_reads(partial: _PartialAssignment, atoms: Iterable[Expression]) -> list[Read]:
    """Return the variables without a value that the atoms read, in a fixed order."""
    found = {read for atom in atoms for read in reads(atom) if read not in partial.assigned}
    return sorted(found, key=lambda read: (read.agent, read.variable))


def _narrowest(
    system: System, partial: _PartialAssignment, atoms: Iterable[Expression]
) -> tuple[Read, Sequence[Datum]] | None:
    """Return the variable with the fewest values among those of the atom with the fewest cases."""
    best: tuple[int, Read, Sequence[Datum]] | None = None
    for atom in atoms:
        open_reads = _open_reads(partial, (atom,))
        candidates = [(read, _candidates(system, partial, read)) for read in open_reads]
        bounded = [(read, values) for read, values in candidates if values is not None]
        if not bounded:
            continue
        cases = prod(_count(values) for _, values in bounded)
        if best is None or cases < best[0]:
            best = (cases, *min(bounded, key=lambda candidate: _count(candidate[1])))
    return None if best is None else best[1:]


def _candidates(system: System, partial: _PartialAssignment, read: Read) -> Sequence[Datum] | None:
    """Return the values that a variable may still take; None where there is no bound."""
    match _domain(system, read):
        case Integers():
            low, high = _bounds(partial, read)
            return None if low is None or high is None else range(low, high + 1)
        case IntegerRange(least, most):
            low, high = _bounds(partial, read)
            least = least if low is None else max(low, least)
            return range(least, (most if high is None else min(high, most)) + 1)
        case domain:
            return values_of(domain)


def _bounds(partial: _PartialAssignment, read: Read) -> tuple[int | None, int | None]:
    """Return the least and greatest value that the conjuncts of the form `x < 3` leave."""
    low: int | None = None
    high: int | None = None
    for operator, value in _comparisons(partial, read):
        if operator in {">", ">="}:
            bound = floor(value) + 1 if operator == ">" else ceil(value)
            low = bound if low is None else max(low, bound)
        if operator in {"<", "<="}:
            bound = ceil(value) - 1 if operator == "<" else floor(value)
            high = bound if high is None else min(high, bound)
    return low, high


def _comparisons(
    partial: _PartialAssignment, read: Read
) -> Iterator[tuple[str, int | float | Fraction]]:
    """Yield every `read operator number` among the conjuncts."""
    for conjunct in partial.pending:
        opposite = isinstance(conjunct, Not)
        inner = conjunct.operand if isinstance(conjunct, Not) else conjunct
        if not isinstance(inner, Compare):
            continue
        operator: str = inner.operator
        other = inner.right
        if inner.right == read:
            operator, other = _MIRRORED[operator], inner.left
        elif inner.left != read:
            continue
        value = _value(other, partial.assigned)
        # Only floats are infinite; an integer may be too long for one.
        if isinstance(value, (int, Fraction)) or (isinstance(value, float) and isfinite(value)):
            yield _OPPOSITE[operator] if opposite else operator, value


def _try_values(
    partial: _PartialAssignment, read: Read, values: Sequence[Datum]
) -> Iterator[_PartialAssignment]:
    for value in values:
        yield _PartialAssignment({**partial.assigned, read: value}, partial.pending)


def _complete(system: System, assigned: Assigned) -> Iterator[State]:
    """Yield every state that agrees with the values given; the other variables are free."""
    pools: list[Iterable[Datum]] = []
    large: Read | None = None
    for variable in system.variables:
        read = Read(variable.agent, variable.name)
        if read in assigned:
            pools.append((assigned[read],))
            continue
        size = size_of(variable.domain)
        if size is None:
            raise _unbounded([read])
        if size > _SMALL:
            large = read
        pools.append(values_of(variable.domain))
    if large is None:
        yield from product(*pools)
        return
    for value in values_of(_domain(system, large)):
        yield from _complete(system, {**assigned, large: value})


def _count(values: Sequence[Datum]) -> int:
    """Return how many values there are; `len` cannot tell for very long ranges."""
    if isinstance(values, range):
        return max(0, values.stop - values.start)
    return len(values)


def _unbounded(open_reads: list[Read]) -> InfinitelyMany:
    names = ", ".join(f"`{read.agent}.{read.variable}`" for read in open_reads)
    return InfinitelyMany(f"the initial condition leaves {names} unbounded: infinitely many states")
