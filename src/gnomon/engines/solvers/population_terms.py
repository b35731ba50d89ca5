"""Conditions on agents for an SMT solver: any types, relations as functions that nothing is known about.

The values of all enumerations are numbers, so that a value means the same wherever it is named. A type whose
values are not listed is a sort of its own, in which the named values differ.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import z3

from gnomon.engines.solvers.smt import COMPARISONS, NotExpressible
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import LimitReached
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    OpenEnumeration,
    values_of,
)
from gnomon.model.parameterised.condition import (
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
from gnomon.text.numbers import show_integer


class PopulationTerms:
    """Turns conditions of a system into formulae of the solver."""

    def __init__(self, system: OpenSystem) -> None:
        """Know the types and relations of a system."""
        self.system = system
        #: Of its own: two searches in one process share nothing.
        self.context = z3.Context()
        self._codes: dict[str, int] = {}
        self._sorts: dict[str, Any] = {}
        self._functions: dict[str, Any] = {}
        self.named: dict[str, dict[str, Any]] = {}
        #: That what was looked up so far has its type.
        self.sides: dict[Any, Any] = {}
        #: The variables of the axiom that is being translated.
        self._bound: dict[str, tuple[Any, Domain]] = {}
        #: What is shared, by who is who, and the type of names.
        self._shared: dict[object, dict[plain.Sharing, Any]] = {}

    def negation(self, term: Any) -> Any:
        """Return that something does not hold."""
        return z3.Not(term)

    def both(self, parts: Iterable[Any]) -> Any:
        """Return that all hold."""
        return z3.And(list(parts), self.context)

    def either(self, parts: Iterable[Any]) -> Any:
        """Return that one holds."""
        return z3.Or(list(parts), self.context)

    def choice(self, condition: Any, then: Any, otherwise: Any) -> Any:
        """Return one value where a condition holds, and another one elsewhere."""
        return z3.If(condition, then, otherwise)

    # Types

    def sort(self, domain: Domain) -> Any:
        """Return the sort of a type."""
        match domain:
            case Boolean():
                return z3.BoolSort(self.context)
            case OpenEnumeration(names, name):
                if name not in self._sorts:
                    self._sorts[name] = z3.DeclareSort(name, self.context)
                    self.named[name] = {each: z3.Const(each, self._sorts[name]) for each in names}
                return self._sorts[name]
            case Enumeration() | IntegerRange() | Integers():
                return z3.IntSort(self.context)

    def value(self, value: Datum, domain: Domain | None = None) -> Any:
        """Return a value; for a type that is not listed the type has to be known."""
        if isinstance(domain, OpenEnumeration):
            self.sort(domain)
            return self.named[domain.sort][str(value)]
        if isinstance(value, bool):
            return z3.BoolVal(value, self.context)
        if isinstance(value, int):
            return z3.IntVal(show_integer(value), self.context)
        return z3.IntVal(self._codes.setdefault(value, len(self._codes)), self.context)

    def within(self, term: Any, domain: Domain) -> Any:
        """Return that a value is one of a type."""
        match domain:
            case OpenEnumeration() | Boolean() | Integers():
                return z3.BoolVal(True, self.context)
            case IntegerRange(low, high):
                return z3.And(term >= self.value(low), term <= self.value(high))
            case Enumeration():
                return self.either(term == self.value(value) for value in values_of(domain))

    def given(self) -> list[Any]:
        """Return what is always so: that named values differ, and the axioms."""
        for name in self.system.relations:
            self.function(name)
        for part in self.system.part.values():
            for variable in part.variables:
                self.sort(variable.domain)
        found = [z3.Distinct(*each.values()) for each in self.named.values() if len(each) > 1]
        found += [self.condition(axiom, {}) for axiom in self.system.axioms]
        return found

    def function(self, name: str) -> Any:
        """Return a relation as a function."""
        if name not in self._functions:
            relation = self.system.relations[name]
            result = (
                z3.BoolSort(self.context) if relation.result is None else self.sort(relation.result)
            )
            columns = [self.sort(column) for column in relation.columns]
            self._functions[name] = z3.Function(name, *columns, result)
        return self._functions[name]

    # Agents

    def variable(self, index: str, part: str, name: str) -> Any:
        """Return a variable of an agent."""
        domain = self._domain(part, name)
        return z3.Const(f"{part}:{index}.{name}", self.sort(domain))

    def _domain(self, part: str, name: str) -> Domain:
        found = self.system.part[part].variables[self.system.position[part, name]]
        return found.domain

    def typed(self, index: str, part: str) -> list[Any]:
        """Return that the variables of an agent have values of their types."""
        return [
            self.within(self.variable(index, part, variable.name), variable.domain)
            for variable in self.system.part[part].variables
        ]

    # Conditions

    def condition(self, condition: Condition, who: Mapping[str, str]) -> Any:
        """Return a condition; `who` is the part of each index, and different indices are different agents."""

        def inner(part: Condition) -> Any:
            return self.condition(part, who)

        match condition:
            case Holds(expression):
                return self._term(expression, who)
            case Related(relation, arguments):
                return self._apply(relation, arguments, who)
            case Equal(left, right):
                return self._equal(left, right, who)
            case Same(left, right):
                return z3.BoolVal(left == right, self.context)
            case Not(operand):
                return z3.Not(inner(operand))
            case And(operands):
                return self.both(map(inner, operands))
            case Or(operands):
                return self.either(map(inner, operands))
            case Enough():
                raise NotExpressible("counts")
            case ForValues(name, domain, body):
                bound = z3.Const(f":.{name}", self.sort(domain))
                limits = self.within(bound, domain)
                self._bound[name] = (bound, domain)
                whole = z3.ForAll([bound], z3.Implies(limits, inner(body)))
                del self._bound[name]
                return whole
            case Exists() | Forall():
                msg = "a quantifier over agents where they should have been named"
                raise ValueError(msg)

    def _apply(self, relation: str, arguments: tuple[Term, ...], who: Mapping[str, str]) -> Any:
        columns = self.system.relations[relation].columns
        given = [
            self.term(argument, who, column)
            for argument, column in zip(arguments, columns, strict=True)
        ]
        found = self.function(relation)(*given)
        result = self.system.relations[relation].result
        if result is not None and not self._bound:
            self.sides[found] = self.within(found, result)
        return found

    def _equal(self, left: Term, right: Term, who: Mapping[str, str]) -> Any:
        if not isinstance(left, Lookup):
            left, right = right, left
        assert isinstance(left, Lookup)
        result = self.system.relations[left.relation].result
        return self.term(left, who) == self.term(right, who, result)

    def term(self, term: Term, who: Mapping[str, str], domain: Domain | None = None) -> Any:
        """Return a value; `domain` is its type where that is known."""
        if isinstance(term, Lookup):
            return self._apply(term.relation, term.arguments, who)
        if isinstance(term, plain.Literal):
            return self.value(term.value, domain)
        if isinstance(term, (plain.Conditional, plain.Defined)):
            return self._shared_term(term, who, domain)
        return self._term(term, who)

    def _term(self, term: plain.Expression, who: Mapping[str, str]) -> Any:
        def inner(part: plain.Expression) -> Any:
            return self._term(part, who)

        match term:
            case plain.Literal(value):
                return self.value(value)
            case plain.Read("", name):
                return self._bound[name][0]
            case plain.Read(index, name):
                part = ENVIRONMENT if index == ENVIRONMENT else who[index]
                return self.variable(index, part, name)
            case plain.And(operands):
                return self.both(map(inner, operands))
            case plain.Or(operands):
                return self.either(map(inner, operands))
            case plain.Not(operand):
                return z3.Not(inner(operand))
            case plain.Compare():
                return self._compare(term, who)
            case plain.Sum(terms):
                return z3.Sum([inner(part) for part in terms])
            case plain.Negative(operand):
                return -inner(operand)
            case plain.Arithmetic("*", left, right):
                return inner(left) * inner(right)
            case plain.Arithmetic("div" | "mod" as operator, left, plain.Literal(int(by))) if by:
                divided = inner(left)
                return divided / by if operator == "div" else divided % by
            case plain.Conditional() | plain.Defined():
                return self._shared_term(term, who)
            case _:
                msg = f"`{plain.show(term)}` is not decided without bounds"
                raise LimitReached(msg)

    def _shared_term(
        self, term: plain.Sharing, who: Mapping[str, str], domain: Domain | None = None
    ) -> Any:
        """Return what is shared; of which type names are, the solver has to be told."""
        of_names = domain if isinstance(domain, OpenEnumeration) else None
        known = self._shared.setdefault((tuple(sorted(who.items())), of_names), {})

        def made(part: plain.Sharing) -> Any:
            if isinstance(part, plain.Defined):
                return self.term(part.body, who, of_names)
            then, otherwise = (self.term(each, who, of_names) for each in plain.value_parts(part))
            return z3.If(self._term(part.condition, who), then, otherwise)

        return plain.shared(term, known, made, plain.value_parts)

    def _compare(self, comparison: plain.Compare, who: Mapping[str, str]) -> Any:
        left, right = comparison.left, comparison.right
        domain = self._type_of(left, who) or self._type_of(right, who)
        one, other = self.term(left, who, domain), self.term(right, who, domain)
        return COMPARISONS[comparison.operator](one, other)

    def _type_of(self, term: plain.Expression, who: Mapping[str, str]) -> Domain | None:
        match term:
            case plain.Read("", name):
                return self._bound[name][1]
            case plain.Read(index, name):
                return self._domain(ENVIRONMENT if index == ENVIRONMENT else who[index], name)
            case plain.Defined(_, body):
                return self._type_of(plain.body_of(body), who)
            case plain.Conditional(_, then, otherwise):
                return self._type_of(then, who) or self._type_of(otherwise, who)
            case _:
                return None
