"""Conditions and values worked out as far as they go, knowing what values variables may have."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias
from typing import Literal as Choice

from gnomon.model.domain import Boolean, Datum, Domain, IntegerRange, contains, size_of, values_of
from gnomon.model.evaluation import combine, compare
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sharing,
    Sum,
    body_of,
    parts,
    shared,
    substituted,
    written_size,
)

ComparisonSign: TypeAlias = Choice["=", "<>", "<", "<=", ">", ">="]
_Signs: TypeAlias = dict[ComparisonSign, ComparisonSign]

_OPPOSITES: Final[_Signs] = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FLIPPED: Final[_Signs] = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_EQUAL: Final = ("=", "<=", ">=")
#: Two conditions of more parts than that are compared as they are: each would be said twice.
_MOST_SAID_TWICE: Final = 1_000

Domains = Mapping[tuple[str, str], Domain]


class Folder:
    """Works out conditions and values as far as they go, knowing what values variables may have."""

    def __init__(
        self, domains: Domains, possible: Collection[tuple[str, str]] | None = None
    ) -> None:
        """Know the domains of variables, and perhaps the actions that agents ever do."""
        self.domains = domains
        self.possible = possible
        self._shared: dict[Sharing, Expression] = {}
        self._known: dict[Expression, Expression] = {}
        self._sizes: dict[Sharing, int] = {}

    def __call__(self, expression: Expression) -> Expression:
        """Return an expression as far as it can be worked out."""
        # Conditions that are compared are said twice, and worked out again where they are compared again.
        found = self._known.get(expression)
        if found is None:
            found = self._known[expression] = self._folded(expression)
        return found

    def _folded(self, expression: Expression) -> Expression:
        match expression:
            case Literal():
                return expression
            case Does(agent, action):
                known = self.possible is None or (agent, action) in self.possible
                return expression if known else FALSE
            case Read(agent, variable):
                return self._read(expression, self.domains[agent, variable])
            case Not(operand):
                return self._not(self(operand))
            case And(operands):
                return self._and(operands)
            case Or(operands):
                return self._or(operands)
            case Compare(operator, left, right):
                return self._compare(operator, self(left), self(right))
            case Sum(terms):
                return _calculated(Sum(tuple(map(self, terms))))
            case Negative(operand) | BitComplement(operand):
                return _calculated(type(expression)(self(operand)))
            case Arithmetic(operator, left, right):
                return _calculated(Arithmetic(operator, self(left), self(right)))
            case Conditional() | Defined():
                return shared(expression, self._shared, self._once)

    def _once(self, expression: Sharing) -> Expression:
        found = self._worked_out(expression)
        if isinstance(found, (Conditional, Defined)):
            self._shared[found] = found  # it is no different when it is worked out again
        return found

    def _worked_out(self, expression: Sharing) -> Expression:
        """Return what is shared as far as it can be worked out; a definition that is short is not kept."""
        if isinstance(expression, Defined):
            body = self(expression.body)
            short = isinstance(body, (Literal, Read, Does, Defined)) or _pin(body) is not None
            return body if short else Defined(expression.name, body)
        condition, then, otherwise = map(self, parts(expression))
        if isinstance(condition, Literal):
            return then if condition.value else otherwise
        return then if then == otherwise else Conditional(condition, then, otherwise)

    def _read(self, read: Read, domain: Domain) -> Expression:
        return Literal(values_of(domain)[0]) if size_of(domain) == 1 else read

    def _not(self, condition: Expression) -> Expression:
        opposite = _opposite(condition)
        if isinstance(opposite, Compare):
            return self._compare(opposite.operator, opposite.left, opposite.right)
        return opposite

    def _and(self, operands: Iterable[Expression]) -> Expression:
        found = _flat(And, map(self, operands))
        pins: dict[Read, Literal] = {}
        for operand in found:
            pinned = _pin(operand)
            if pinned is not None and pins.setdefault(*pinned) != pinned[1]:
                return FALSE
        present = set(found)
        if FALSE in present or any(_opposite(operand) in present for operand in found):
            return FALSE
        # What is said of a variable once need not be asked again.
        again = [
            operand if _pin(operand) else substituted(operand, pins, definitions=False)
            for operand in found
        ]
        if again != found:
            return self._and(again)
        return found[0] if len(found) == 1 else And(tuple(found)) if found else TRUE

    def _or(self, operands: Iterable[Expression]) -> Expression:
        found = _flat(Or, map(self, operands))
        present = set(found)
        if TRUE in present or any(_opposite(operand) in present for operand in found):
            return TRUE
        seen: dict[Read, set[Datum]] = {}
        for operand in found:
            pinned = _pin(operand)
            if pinned is not None:
                seen.setdefault(pinned[0], set()).add(pinned[1].value)
        if any(len(values) == size_of(self._domain(read)) for read, values in seen.items()):
            return TRUE
        return found[0] if len(found) == 1 else Or(tuple(found)) if found else FALSE

    def _domain(self, read: Read) -> Domain:
        return self.domains[read.agent, read.variable]

    def _compare(self, operator: ComparisonSign, left: Expression, right: Expression) -> Expression:
        if isinstance(left, Literal):
            if isinstance(right, Literal):
                return Literal(compare(operator, left.value, right.value))
            left, right, operator = right, left, _FLIPPED[operator]
        if left == right:
            return Literal(operator in _EQUAL)
        if self._is_condition(left):
            return self._same(left, right, wanted=operator == "=")
        if isinstance(left, Read) and isinstance(right, Literal):
            domain = self._domain(left)
            known = _always(operator, domain, right.value)
            if known is not None:
                return Literal(known)
            if operator == "<>" and size_of(domain) == 2:
                other = next(value for value in values_of(domain) if value != right.value)
                return Compare("=", left, Literal(other))
        return Compare(operator, left, right)

    def _is_condition(self, expression: Expression) -> bool:
        if isinstance(expression, Read):
            return isinstance(self._domain(expression), Boolean)
        return isinstance(body_of(expression), (Not, And, Or, Compare, Does))

    def _same(self, left: Expression, right: Expression, *, wanted: bool) -> Expression:
        """Return whether two conditions have one value."""
        if isinstance(right, Literal):
            return left if bool(right.value) == wanted else self._not(left)
        both_read = isinstance(left, Read) and isinstance(right, Read)
        size = written_size(left, self._sizes) + written_size(right, self._sizes)
        if both_read or size > _MOST_SAID_TWICE:
            return Compare("=" if wanted else "<>", left, right)
        if wanted:
            return self(Or((And((left, right)), And((Not(left), Not(right))))))
        return self(Or((And((left, Not(right))), And((Not(left), right)))))


def is_constant(expression: Expression, constant: Literal) -> bool:
    """Return whether a condition is always true, or never, as the constant says."""
    return isinstance(expression, Literal) and expression.value is constant.value


def _opposite(condition: Expression) -> Expression:
    """Return the opposite of a condition that has been worked out."""
    match condition:
        case Literal(value):
            return Literal(not value)
        case Not(operand):
            return operand
        case Compare(operator, left, right):
            return Compare(_OPPOSITES[operator], left, right)
        case _:
            return Not(condition)


def _pin(condition: Expression) -> tuple[Read, Literal] | None:
    """Return the variable, and its value, that a condition is about, if it is that simple."""
    match condition:
        case Compare("=", Read() as read, Literal() as value):
            return read, value
        case Read():
            return condition, TRUE
        case Not(Read() as read):
            return read, FALSE
        case _:
            return None


def _flat(kind: type[And] | type[Or], operands: Iterable[Expression]) -> list[Expression]:
    """Return the operands of a chain, each once and without those that say nothing."""
    found: dict[Expression, None] = {}
    for operand in operands:
        inner = operand.operands if isinstance(operand, kind) else (operand,)
        found.update(dict.fromkeys(inner))
    return [each for each in found if not is_constant(each, TRUE if kind is And else FALSE)]


def _always(operator: str, domain: Domain, constant: Datum) -> bool | None:
    """Return what a comparison of a variable with a constant is, if it is always that."""
    if isinstance(domain, IntegerRange) and operator not in ("=", "<>"):
        ends = {compare(operator, end, constant) for end in (domain.low, domain.high)}
        return ends.pop() if len(ends) == 1 else None
    return None if contains(domain, constant) else operator == "<>"


def _calculated(expression: Sum | Negative | BitComplement | Arithmetic) -> Expression:
    values = [part.value for part in parts(expression) if isinstance(part, Literal)]
    if len(values) == len(parts(expression)):
        result = combine(expression, values)
        if isinstance(result, int):
            return Literal(result)
    return expression
