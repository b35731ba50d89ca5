"""Conditions on agents as JSON, both ways. What is read may be anything: whatever does not fit is refused."""

from typing import Any, Final, TypeAlias

from gnomon.certificate.space import Rejected, TooMuch, require, shown
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain, Integers, Value, contains
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
from gnomon.model.parameterised.system import OpenSystem

Json: TypeAlias = Any

_MOST_PARTS: Final = 100_000
_COMPARISONS: Final = ("=", "<>", "<", "<=", ">", ">=")


# Writing


def of_condition(condition: Condition) -> Json:
    """Return a condition without quantifiers."""
    match condition:
        case Holds(expression):
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


def of_term(term: Term) -> Json:
    """Return a value, or an expression over variables."""
    match term:
        case Lookup(relation, arguments):
            return ["lookup", relation, *map(of_term, arguments)]
        case plain.Literal(value):
            return ["value", value]
        case plain.Read(index, variable):
            return ["read", index, variable]
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
        case _:
            msg = f"no way to write {term}"
            raise ValueError(msg)


# Reading


class ConditionReader:
    """Reads conditions on some agents, by the template of each index."""

    def __init__(self, system: OpenSystem, who: dict[str, str]) -> None:
        """Know the names of a system, and the indices."""
        self._system = system
        self._who = {**who, ENVIRONMENT: ENVIRONMENT}
        self._parts = 0

    def condition(self, data: Json) -> Condition:
        """Return a condition."""
        word, *rest = self._node(data)
        match word:
            case "holds":
                expression = self._plain(_only(rest))
                return Holds(expression)
            case "related":
                name, *arguments = rest
                require(self._relation(name, len(arguments)) is None, f"`{name}` gives a value")
                return Related(name, tuple(map(self.term, arguments)))
            case "equal":
                left, right = rest
                return Equal(self.term(left), self.term(right))
            case "same":
                one, other = rest
                require(one in self._who and other in self._who, "no such agent")
                return Same(one, other)
            case "not":
                return Not(self.condition(_only(rest)))
            case "and":
                return And(tuple(map(self.condition, rest)))
            case "or":
                return Or(tuple(map(self.condition, rest)))
            case _:
                msg = f"no condition: {shown(word)}"
                raise Rejected(msg)

    def term(self, data: Json) -> Term:
        """Return a value that may be looked up."""
        word, *rest = self._node(data)
        if word != "lookup":
            return self._plain(data)
        name, *arguments = rest
        require(self._relation(name, len(arguments)) is not None, f"`{name}` gives no value")
        return Lookup(name, tuple(map(self.term, arguments)))

    def _plain(self, data: Json) -> plain.Expression:
        word, *rest = self._node(data)
        match word:
            case "value":
                return plain.Literal(self._value(_only(rest)))
            case "read":
                index, variable = rest
                return self._read(index, variable)
            case "+":
                return plain.Sum(tuple(map(self._plain, rest)))
            case "-":
                return plain.Negative(self._plain(_only(rest)))
            case "not":
                return plain.Not(self._plain(_only(rest)))
            case "and":
                return plain.And(tuple(map(self._plain, rest)))
            case "or":
                return plain.Or(tuple(map(self._plain, rest)))
            case "*" | "div" | "mod":
                left, right = map(self._plain, rest)
                return plain.Arithmetic(word, left, right)
            case _ if word in _COMPARISONS:
                left, right = map(self._plain, rest)
                return plain.Compare(word, left, right)
            case _:
                msg = f"no expression: {shown(word)}"
                raise Rejected(msg)

    def _node(self, data: Json) -> list[Json]:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise TooMuch(f"a condition has more than {_MOST_PARTS:,} parts")
        require(isinstance(data, list) and bool(data), "a part of a condition is no list")
        found: list[Json] = data
        return found

    def _read(self, index: Json, variable: Json) -> plain.Expression:
        require(index in self._who, f"no such agent: {shown(index)}")
        known = (self._who[index], variable) in self._system.position
        require(known, f"no such variable: {variable!r}")
        return plain.Read(index, variable)

    def _value(self, value: Json) -> Value:
        require(isinstance(value, (bool, int, str)), f"not a value: {shown(value)}")
        found: Value = value
        if isinstance(found, str):
            known = any(contains(domain, found) for domain in self._domains())
            require(known, f"no type has the value {shown(found)}")
        return found

    def _domains(self) -> list[Domain]:
        found = [v.domain for part in self._system.part.values() for v in part.variables]
        for relation in self._system.relations.values():
            found += relation.columns
            found += () if relation.result is None else (relation.result,)
        return [domain for domain in found if not isinstance(domain, Integers)]

    def _relation(self, name: Json, arguments: int) -> Domain | None:
        relation = self._system.relations.get(name) if isinstance(name, str) else None
        if relation is None or len(relation.columns) != arguments:
            msg = f"no such relation: {name!r}"
            raise Rejected(msg)
        return relation.result


def _only(rest: list[Json]) -> Json:
    require(len(rest) == 1, "one part is needed")
    return rest[0]
