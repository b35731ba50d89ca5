"""Conditions and values in MCMAS's words.

Names become bare words, which `show` writes as they are.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from gnomon.model.agent import ENVIRONMENT, Agent
from gnomon.model.domain import Boolean, Datum, Integers, size_of, values_of
from gnomon.model.evaluation import holds
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    reads,
    show,
)
from gnomon.model.fold.expressions import Folder
from gnomon.model.system import System
from gnomon.model.translation import CannotExport
from gnomon.results.export.identifiers import Identifiers

#: A condition on where a program starts is written out by cases, as long as there are no more than that.
_MOST_CASES: Final = 4_096
_CONDITIONS: Final = (Not, And, Or, Compare, Does)


class Wording:
    """Says conditions of a system in the words that MCMAS has, with the names that the program has."""

    def __init__(self, system: System, names: Identifiers) -> None:
        """Know what the conditions are about."""
        self.system = system
        self.names = names

    def condition(self, condition: Expression, owner: Agent | None) -> str:
        """Return a condition of an agent, or of the whole program."""
        if isinstance(condition, Literal):
            condition = self._constant(condition, owner)
        return show(self._worded(condition, owner))

    def _constant(self, constant: Literal, owner: Agent | None) -> Expression:
        """Return what is always, or never, so: MCMAS has no words for that."""
        variable = (owner or self.system).variables[0]
        read = Read(variable.agent, variable.name)
        some: Expression = read
        if not isinstance(variable.domain, Boolean):
            value = 0 if isinstance(variable.domain, Integers) else values_of(variable.domain)[0]
            some = Compare("=", read, Literal(value))
        return (Or if constant.value else And)((some, Not(some)))

    def _worded(self, condition: Expression, owner: Agent | None) -> Expression:
        match condition:
            case Read():
                return Compare("=", self.value(condition, owner), TRUE)
            case Not(Read() as read):
                return Compare("=", self.value(read, owner), FALSE)
            case Not(operand):
                return Not(self._worded(operand, owner))
            case And(operands) | Or(operands):
                return type(condition)(tuple(self._worded(each, owner) for each in operands))
            case Does(agent, action):
                own = owner is not None and agent == owner.name
                whose = "" if own else f"{self.names.agents[agent]}."
                word = Literal(self.names.actions[agent, action])
                return Compare("=", Literal(f"{whose}Action"), word)
            case Compare(_, left, right) if isinstance(left, _CONDITIONS) or isinstance(
                right, _CONDITIONS
            ):
                raise CannotExport(
                    "conditions that are compared with `<->` or `xor` become too large without them, and "
                    "MCMAS has neither: keep parts of them in variables"
                )
            case Compare(operator, left, right):
                return Compare(operator, self.value(left, owner), self.value(right, owner))
            case _:
                return self.value(condition, owner)

    def value(self, value: Expression, owner: Agent | None) -> Expression:
        """Return a value with names as bare words."""
        match value:
            case Literal(str() as name):
                return Literal(self.names.values.get(name, name))
            case Read(agent, variable):
                return Literal(self._reference(agent, variable, owner))
            case Sum(terms):
                words = [self.value(term, owner) for term in terms]
                return Sum(tuple(_terms(words)))
            case Negative(operand):
                return Sum((Literal(0), Negative(self.value(operand, owner))))
            case BitComplement(operand):
                return BitComplement(self.value(operand, owner))
            case Arithmetic(operator, left, right):
                return Arithmetic(operator, self.value(left, owner), self.value(right, owner))
            case _:
                return value

    def _reference(self, agent: str, variable: str, owner: Agent | None) -> str:
        name = self.names.variables[agent, variable]
        if owner is not None and agent == owner.name:
            return name
        if owner is not None and (agent != ENVIRONMENT or variable not in owner.sees):
            if owner.observer:
                raise CannotExport(
                    f"fairness looks at actions and, in the same constraint, at `{agent}.{variable}`: what "
                    "remembers whether a step met it would be an agent, which cannot see that variable"
                )
            raise CannotExport(f"`{owner.name}` reads `{agent}.{variable}`, which it does not see")
        return f"{self.names.agents[agent]}.{name}"

    # Where it starts

    def initial(self) -> str:
        """Return where the program starts."""
        fold = Folder({(v.agent, v.name): v.domain for v in self.system.variables})
        return self._condition_on_start(fold(self._by_cases(self.system.initial)))

    def _condition_on_start(self, condition: Expression) -> str:
        if isinstance(condition, Literal):
            condition = self._constant(condition, None)
        return show(_with_equality_alone(self._worded(condition, None)))

    def _by_cases(self, condition: Expression) -> Expression:
        """Return a condition in which variables are only compared with values."""
        match condition:
            case And(operands) | Or(operands):
                return type(condition)(tuple(map(self._by_cases, operands)))
            case Not(operand):
                return Not(self._by_cases(operand))
            case Compare("=" | "<>", Read(), Literal()) | Read() | Literal():
                return condition
        used = sorted(reads(condition), key=str)
        domains = [
            self.system.variables[self.system.position[r.agent, r.variable]].domain for r in used
        ]
        sizes = [size_of(domain) for domain in domains]
        if prod(size or _MOST_CASES + 1 for size in sizes) > _MOST_CASES:
            return condition
        # Not by folding, which leaves fractions as they are: every case has an answer.
        state: list[Datum] = [False] * len(self.system.variables)
        cases = []
        for values in product(*map(values_of, domains)):
            for read, value in zip(used, values, strict=True):
                state[self.system.position[read.agent, read.variable]] = value
            if holds(condition, self.system, tuple(state)):
                known = zip(used, map(Literal, values), strict=True)
                cases.append(And(tuple(Compare("=", read, value) for read, value in known)))
        return Or(tuple(cases))


def _terms(words: Sequence[Expression]) -> Iterator[Expression]:
    """Yield the terms of a sum; the first one has no sign, and no number has a sign of its own."""
    for place, word in enumerate(words):
        match word:
            case Sum((Literal(0), Negative() as negative)) if place:
                yield negative
            case Sum((Literal(0) as zero, Negative() as negative)):
                yield from (zero, negative)
            case Literal(int() as value) if place and value < 0:
                yield Negative(Literal(-value))
            case _:
                yield word


def _with_equality_alone(condition: Expression) -> Expression:
    match condition:
        case Compare("<>", left, right):
            return Not(Compare("=", left, right))
        case Not(operand):
            return Not(_with_equality_alone(operand))
        case And(operands) | Or(operands):
            return type(condition)(tuple(map(_with_equality_alone, operands)))
        case _:
            return condition
