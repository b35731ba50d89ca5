"""Conditions on agents as JSON, both ways. What is read may be anything: whatever does not fit is refused."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from gnomon.certificate.parameterised.counted_classes import COUNT
from gnomon.certificate.parameterised.invariant_data import known_relation
from gnomon.certificate.parameterised.symbols import all_domains
from gnomon.certificate.rejection import Malformed, Rejected, TooMuch, require, shown
from gnomon.certificate.shape import integers, items, row, strings
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import LimitReached
from gnomon.model.domain import Boolean, Domain, Enumeration, contains
from gnomon.model.parameterised.condition import (
    And,
    Condition,
    Equal,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Same,
    Term,
)
from gnomon.model.parameterised.system import OpenSystem, Relation

#: What kind of values an expression has; names of different types are of one sort.
ValueSort: TypeAlias = Literal["boolean", "integer", "name"]

_MOST_PARTS: Final = 100_000
_MOST_NESTED: Final = 1_000


# Writing


def of_condition(condition: Condition) -> list[object]:
    """Return a condition without quantifiers."""
    match condition:
        case Holds(expression):
            if plain.written_size(expression) > _MOST_PARTS:
                raise LimitReached("a condition is too long to be written without its definitions")
            return ["holds", of_term(expression)]
        case Related(relation, arguments):
            return ["related", relation, *map(of_term, arguments)]
        case Equal(left, right):
            return ["equal", of_term(left), of_term(right)]
        case Same(one, other):
            return ["same", one, other]
        case Not(operand):
            return ["not", of_condition(operand)]
        case And(operands) | Or(operands):
            word = "and" if isinstance(condition, And) else "or"
            return [word, *map(of_condition, operands)]
        case _:
            msg = "a quantifier in a condition that has none"
            raise ValueError(msg)


def of_term(term: Term) -> list[object]:
    """Return a value, or an expression over variables."""
    match term:
        case Lookup(relation, arguments):
            return ["lookup", relation, *map(of_term, arguments)]
        case plain.Literal(value):
            return ["value", value]
        case plain.Read(index, variable):
            return ["count", int(variable)] if index == COUNT else ["read", index, variable]
        case plain.Compare(operator, left, right) | plain.Arithmetic(operator, left, right):
            return [operator, of_term(left), of_term(right)]
        case plain.Sum(terms):
            return ["+", *map(of_term, terms)]
        case plain.Negative(operand):
            return ["-", of_term(operand)]
        case plain.Not(operand):
            return ["not", of_term(operand)]
        case plain.And(operands) | plain.Or(operands):
            return ["and" if isinstance(term, plain.And) else "or", *map(of_term, operands)]
        case plain.Conditional(condition, then, otherwise):
            return ["if", of_term(condition), of_term(then), of_term(otherwise)]
        case plain.Defined(_, body):
            return of_term(body)
        case _:
            msg = f"no way to write {term}"
            raise ValueError(msg)


# Reading


class NeverConditionReader:
    """Reads conditions on some agents, by the template of each index; expressions have to be well typed."""

    def __init__(self, system: OpenSystem, who: dict[str, str], counted: int = 0) -> None:
        """Know the names of a system, and the indices; so many classes of agents are counted."""
        self._system = system
        self._counted = counted
        self._agents = who
        self._who = {**who, ENVIRONMENT: ENVIRONMENT}
        self._parts = 0
        self._depth = 0

    def condition(self, data: object) -> Condition:
        """Return a condition."""
        word, rest = self._node(data)
        self._depth += 1
        found = self._condition(word, rest)
        self._depth -= 1
        return found

    def _condition(self, word: object, rest: Sequence[object]) -> Condition:
        match word:
            case "holds":
                (body,) = row(rest, 1)
                return Holds(self._of_sort("boolean", body))
            case "related":
                relation, arguments = self._applied(rest)
                require(relation.result is None, f"`{relation.name}` gives a value")
                return Related(relation.name, arguments)
            case "equal":
                left, right = map(self.term, row(rest, 2))
                require(left[1] == right[1], "values of different types are compared")
                return Equal(left[0], right[0])
            case "same":
                one, other = strings(row(rest, 2))
                require(one in self._agents and other in self._agents, "no such agent")
                return Same(one, other)
            case "not":
                (body,) = row(rest, 1)
                return Not(self.condition(body))
            case "and":
                return And(tuple(map(self.condition, rest)))
            case "or":
                return Or(tuple(map(self.condition, rest)))
            case _:
                raise Rejected(f"no condition: {shown(word)}")

    def term(self, data: object) -> tuple[Term, ValueSort]:
        """Return a value that may be looked up."""
        word, rest = self._node(data)
        self._depth += 1
        if word == "lookup":
            relation, arguments = self._applied(rest)
            if relation.result is None:
                raise Rejected(f"`{relation.name}` gives no value")
            found: tuple[Term, ValueSort] = Lookup(relation.name, arguments), _sort(relation.result)
        else:
            found = self._plain(word, rest)
        self._depth -= 1
        return found

    def _applied(self, data: Sequence[object]) -> tuple[Relation, tuple[Term, ...]]:
        """Return a relation, and its arguments, which are of the types of its columns."""
        relation = known_relation(self._system, data[0] if data else None)
        require(len(data) == len(relation.columns) + 1, f"no such relation: {shown(data[0])}")
        found = tuple(map(self.term, data[1:]))
        for (_, sort), column in zip(found, relation.columns, strict=True):
            require(sort == _sort(column), f"not a value for `{relation.name}`")
        return relation, tuple(term for term, _ in found)

    def _value_of_variables(self, data: object) -> tuple[plain.Expression, ValueSort]:
        found, sort = self.term(data)
        if isinstance(found, Lookup):
            raise Rejected("a value is looked up inside an expression")
        return found, sort

    def _of_sort(self, sort: ValueSort, data: object) -> plain.Expression:
        found, own = self._value_of_variables(data)
        require(own == sort, f"not an expression with {sort} values")
        return found

    def _plain(self, word: object, rest: Sequence[object]) -> tuple[plain.Expression, ValueSort]:
        match word:
            case "value":
                (data,) = row(rest, 1)
                return self._value(data)
            case "read":
                index, variable = strings(row(rest, 2))
                return self._read(index, variable)
            case "count":
                (place,) = integers(row(rest, 1))
                require(place in range(self._counted), "no such class of agents")
                return plain.Read(COUNT, str(place)), "integer"
            case "+":
                return plain.Sum(self._all("integer", rest)), "integer"
            case "-":
                return plain.Negative(*self._all("integer", row(rest, 1))), "integer"
            case "*" | "div" | "mod":
                left, right = self._all("integer", row(rest, 2))
                return plain.Arithmetic(word, left, right), "integer"
            case "not":
                return plain.Not(*self._all("boolean", row(rest, 1))), "boolean"
            case "and":
                return plain.And(self._all("boolean", rest)), "boolean"
            case "or":
                return plain.Or(self._all("boolean", rest)), "boolean"
            case "<" | "<=" | ">" | ">=":
                left, right = self._all("integer", row(rest, 2))
                return plain.Compare(word, left, right), "boolean"
            case "if":
                condition, then, otherwise = row(rest, 3)
                one, sort = self._value_of_variables(then)
                require(sort != "boolean", "a choice between conditions")
                two = self._of_sort(sort, otherwise)
                return plain.Conditional(self._of_sort("boolean", condition), one, two), sort
            case "=" | "<>":
                first, second = row(rest, 2)
                left, sort = self._value_of_variables(first)
                return plain.Compare(word, left, self._of_sort(sort, second)), "boolean"
            case _:
                raise Rejected(f"no expression: {shown(word)}")

    def _all(self, sort: ValueSort, data: Sequence[object]) -> tuple[plain.Expression, ...]:
        return tuple(self._of_sort(sort, each) for each in data)

    def _node(self, data: object) -> tuple[object, Sequence[object]]:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise TooMuch(f"a condition has more than {_MOST_PARTS:,} parts")
        if self._depth > _MOST_NESTED:
            raise Malformed(f"a condition is nested more than {_MOST_NESTED:,} deep")
        found = items(data, "a part of a condition is no list")
        require(found, "a part of a condition is no list")
        return found[0], found[1:]

    def _read(self, index: str, variable: str) -> tuple[plain.Expression, ValueSort]:
        require(index in self._who, f"no such agent: {shown(index)}")
        part = self._system.part[self._who[index]]
        for each in part.variables:
            if each.name == variable:
                return plain.Read(index, variable), _sort(each.domain)
        raise Rejected(f"no such variable: {shown(variable)}")

    def _value(self, value: object) -> tuple[plain.Expression, ValueSort]:
        match value:
            case bool():
                return plain.Literal(value), "boolean"
            case int():
                return plain.Literal(value), "integer"
            case str():
                known = any(contains(domain, value) for domain in all_domains(self._system))
                require(known, f"no type has the value {shown(value)}")
                return plain.Literal(value), "name"
            case _:
                raise Rejected(f"not a value: {shown(value)}")


def _sort(domain: Domain) -> ValueSort:
    match domain:
        case Boolean():
            return "boolean"
        case Enumeration():
            return "name"
        case _:
            return "integer"
