"""Conditions of cubes with new values in them, and made plain."""

from collections.abc import Iterator, Mapping
from typing import Final

from gnomon.model import expression as plain
from gnomon.model.budget import LimitReached
from gnomon.model.domain import Integers, OpenEnumeration, size_of, values_of
from gnomon.model.evaluation import compare
from gnomon.model.parameterised.condition import (
    TRUE,
    And,
    Condition,
    Enough,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Same,
    Term,
)
from gnomon.model.parameterised.system import OpenSystem

#: A value that is looked up and calculated with is one of so many at most.
_MOST_VALUES: Final = 64


def flat(conditions: tuple[Condition, ...]) -> tuple[Condition, ...] | None:
    """Return conditions one by one, each once; None where one of them is plainly false."""
    found: dict[Condition, None] = {}
    waiting = list(reversed(conditions))
    while waiting:
        condition = waiting.pop()
        match condition:
            case And(operands):
                waiting.extend(reversed(operands))
            case Holds(plain.And(operands)):
                waiting.extend(Holds(operand) for operand in reversed(operands))
            case Same(left, right):
                if left != right:
                    return None
            case Not(Same(left, right)):
                if left == right:
                    return None
            case Holds(expression):
                simple = _plainly(expression)
                if simple == plain.FALSE:
                    return None
                if simple != plain.TRUE:
                    found[Holds(simple)] = None
            case _ if condition == TRUE:
                pass
            case _:
                found[condition] = None
    return tuple(found)


def _plainly(expression: plain.Expression) -> plain.Expression:
    """Return an expression without constants where they decide it."""
    match expression:
        case plain.Not(operand):
            inner = _plainly(operand)
            return (
                plain.Literal(not inner.value)
                if isinstance(inner, plain.Literal)
                else plain.Not(inner)
            )
        case plain.And(operands) | plain.Or(operands):
            decisive = plain.Literal(isinstance(expression, plain.Or))
            found = [_plainly(operand) for operand in operands]
            if decisive in found:
                return decisive
            rest = tuple(part for part in found if not isinstance(part, plain.Literal))
            if len(rest) == 1:
                return rest[0]
            return type(expression)(rest) if rest else plain.Literal(not decisive.value)
        case plain.Compare(operator, plain.Literal(one), plain.Literal(other)):
            return plain.Literal(compare(operator, one, other))
        case plain.Compare("=" | "<=" | ">=", left, right) if left == right:
            return plain.TRUE
        case plain.Compare("<>" | "<" | ">", left, right) if left == right:
            return plain.FALSE
        case _:
            return expression


class Substitution:
    """Puts new values, which may be looked up, in the place of variables."""

    def __init__(self, system: OpenSystem, values: Mapping[plain.Read, Term]) -> None:
        self._system = system
        self._values = values
        self._looked = {r: value for r, value in values.items() if isinstance(value, Lookup)}
        self._simple = {r: value for r, value in values.items() if not isinstance(value, Lookup)}

    def condition(self, condition: Condition) -> Condition:
        """Return a condition with the new values."""
        inner = self.condition
        match condition:
            case Holds(plain.And(operands)):
                return And(tuple(inner(Holds(operand)) for operand in operands))
            case Holds(plain.Or(operands)):
                return Or(tuple(inner(Holds(operand)) for operand in operands))
            case Holds(plain.Not(operand)):
                return Not(inner(Holds(operand)))
            case Holds() | Related() | Equal():
                calculated = next(self._calculated(condition), None)
                return (
                    self._atom(condition)
                    if calculated is None
                    else self._split(condition, calculated)
                )
            case Same():
                return condition
            case Not(operand):
                return Not(inner(operand))
            case And(operands) | Or(operands):
                return type(condition)(tuple(map(inner, operands)))
            case Exists() | Forall() | ForValues() | Enough():
                msg = "a quantifier in a cube"
                raise ValueError(msg)

    def _atom(self, atom: Holds | Related | Equal) -> Condition:
        term = self._term
        match atom:
            case Holds(plain.Read() as read) if read in self._looked:
                return Equal(self._looked[read], plain.TRUE)
            case Holds(plain.Compare("=" | "<>" as operator, left, right)) if any(
                isinstance(side, plain.Read) and side in self._looked for side in (left, right)
            ):
                equal = Equal(term(left), term(right))
                return equal if operator == "=" else Not(equal)
            case Holds(expression):
                return Holds(plain.substituted(expression, self._simple))
            case Related(relation, arguments):
                return Related(relation, tuple(map(term, arguments)))
            case Equal(left, right):
                return Equal(term(left), term(right))

    def _term(self, value: Term) -> Term:
        if isinstance(value, Lookup):
            return Lookup(value.relation, tuple(map(self._term, value.arguments)))
        if isinstance(value, plain.Read) and value in self._looked:
            return self._looked[value]
        return plain.substituted(value, self._simple)

    # What is looked up has no place inside an expression: there, its values are gone through

    def _calculated(self, atom: Holds | Related | Equal) -> Iterator[plain.Read]:
        """Yield the variables with a value that is looked up that stand inside expressions."""
        waiting = list(_terms(atom))
        while waiting:
            term = waiting.pop()
            if isinstance(term, Lookup):
                waiting.extend(term.arguments)
            elif not isinstance(term, plain.Read):
                yield from (read for read in self._looked if read in plain.reads(term))

    def _split(self, atom: Condition, read: plain.Read) -> Condition:
        """Return an atom by the values that a variable may get."""
        lookup = self._looked[read]
        result = self._system.relations[lookup.relation].result
        listed = result is not None and not isinstance(result, (Integers, OpenEnumeration))
        if result is None or not listed or (size_of(result) or 0) > _MOST_VALUES:
            msg = "a value that is looked up is calculated with"
            raise LimitReached(msg)
        cases: list[Condition] = []
        for value in values_of(result):
            literal = plain.Literal(value)
            known = Substitution(self._system, {**self._values, read: literal})
            cases.append(And((Equal(lookup, literal), known.condition(atom))))
        return Or(tuple(cases))


def _terms(atom: Holds | Related | Equal) -> tuple[Term, ...]:
    """Return the values that an atom is about."""
    match atom:
        case Holds(plain.Compare("=" | "<>", left, right)):
            return left, right
        case Holds(expression):
            return (expression,)
        case Related(_, arguments):
            return arguments
        case Equal(left, right):
            return left, right
