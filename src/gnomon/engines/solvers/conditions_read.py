"""What the solver has found, as conditions of ours: comparisons of sums, and names by their numbers."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final, Literal, TypeAlias

import z3

from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import COMPARISONS, NotExpressible
from gnomon.model import expression as plain
from gnomon.model.domain import Datum, Domain, Enumeration, values_of
from gnomon.text.numbers import read_integer

Comparison: TypeAlias = Literal["=", "<>", "<", "<=", ">", ">="]

_COMPARED: Final[Mapping[int, Comparison]] = {
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_DISTINCT: "<>",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GT: ">",
}
_OPPOSITE: Final[Mapping[Comparison, Comparison]] = {
    "=": "<>",
    "<>": "=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "<": ">=",
}
#: Comparisons with the sides exchanged.
MIRRORED: Final[Mapping[Comparison, Comparison]] = {
    "=": "=",
    "<>": "<>",
    "<=": ">=",
    ">=": "<=",
    "<": ">",
    ">": "<",
}
#: Comparisons of integers that need no constant: `x + 1 <= y` is `x < y`.
_NEXT: Final[Mapping[tuple[Comparison, int], Comparison]] = {
    ("<=", 1): "<",
    (">", 1): ">=",
    (">=", -1): ">",
    ("<", -1): "<=",
}
#: The most cases of names that one comparison is written out by.
_MOST_CASES: Final = 64


class SolvedConditions:
    """Reads formulae of the solver over variables that are known by their constants' names."""

    def __init__(
        self, terms: PopulationTerms, variables: Mapping[str, tuple[plain.Read, Domain]]
    ) -> None:
        """Know which constant is which variable."""
        self._terms = terms
        self._variables = variables

    def conjuncts(self, formula: Any) -> Iterator[Any]:
        """Yield the parts all of which a formula says."""
        waiting = [formula]
        while waiting:
            part = waiting.pop()
            if z3.is_and(part):
                waiting.extend(reversed(part.children()))
            elif not z3.is_true(part):
                yield part

    def opposite(self, formula: Any) -> tuple[plain.Expression, ...]:
        """Return what holds, all of it, where a formula does not."""
        if z3.is_or(formula):
            found = (part for each in formula.children() for part in self.opposite(each))
            return tuple(dict.fromkeys(found))
        return (self.condition(formula, wanted=False),)

    def condition(self, formula: Any, *, wanted: bool = True) -> plain.Expression:
        """Return a formula, or its opposite; raises `NotExpressible` where there is no word for it."""
        if z3.is_true(formula) or z3.is_false(formula):
            return plain.Literal(z3.is_true(formula) == wanted)
        if z3.is_not(formula):
            return self.condition(formula.arg(0), wanted=not wanted)
        if z3.is_and(formula) or z3.is_or(formula):
            inner = tuple(self.condition(part, wanted=wanted) for part in formula.children())
            return plain.And(inner) if z3.is_and(formula) == wanted else plain.Or(inner)
        if z3.is_implies(formula):
            left = self.condition(formula.arg(0), wanted=not wanted)
            right = self.condition(formula.arg(1), wanted=wanted)
            return plain.Or((left, right)) if wanted else plain.And((left, right))
        if z3.is_const(formula):
            read, _ = self._known(formula)
            return plain.Compare("=", read, plain.Literal(wanted))
        return self._comparison(formula, wanted=wanted)

    def _truth(self, formula: Any) -> plain.Expression:
        """Return a formula as a value."""
        return self._known(formula)[0] if z3.is_const(formula) else self.condition(formula)

    def _known(self, constant: Any) -> tuple[plain.Read, Domain]:
        name = constant.decl().name()
        if name not in self._variables:
            raise NotExpressible
        return self._variables[name]

    def _comparison(self, formula: Any, *, wanted: bool) -> plain.Expression:
        operator = _COMPARED.get(formula.decl().kind()) if z3.is_app(formula) else None
        if operator is None or formula.num_args() != 2:
            raise NotExpressible
        left, right = formula.children()
        if not wanted:
            operator = _OPPOSITE[operator]
        if z3.is_bool(left):
            if operator not in ("=", "<>"):
                raise NotExpressible
            return plain.Compare(operator, self._truth(left), self._truth(right))
        weights: dict[str, int] = {}
        self._add(left, 1, weights)
        self._add(right, -1, weights)
        return self._of_weights(operator, {name: w for name, w in weights.items() if w})

    def _add(self, term: Any, factor: int, weights: dict[str, int]) -> None:
        """Add a linear term, so many times; the constant has the empty name."""
        if z3.is_int_value(term):
            weights[""] = weights.get("", 0) + factor * read_integer(term.as_string())
        elif z3.is_const(term):
            name = term.decl().name()
            self._known(term)
            weights[name] = weights.get(name, 0) + factor
        elif z3.is_add(term):
            for part in term.children():
                self._add(part, factor, weights)
        elif z3.is_sub(term):
            first, *others = term.children()
            self._add(first, factor, weights)
            for part in others:
                self._add(part, -factor, weights)
        elif z3.is_mul(term) and term.num_args() == 2 and z3.is_int_value(term.arg(0)):
            self._add(term.arg(1), factor * read_integer(term.arg(0).as_string()), weights)
        elif z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UMINUS:
            self._add(term.arg(0), -factor, weights)
        else:
            raise NotExpressible

    # Names

    def _of_weights(self, operator: Comparison, weights: Mapping[str, int]) -> plain.Expression:
        named = [name for name in weights if name and self._is_named(name)]
        numbers = {name: weight for name, weight in weights.items() if name not in named}
        if not named:
            return self._of_numbers(operator, numbers)
        domains = [self._variables[name][1] for name in named]
        values = [tuple(values_of(domain)) for domain in domains]
        reads = [self._variables[name][0] for name in named]
        if sorted(weights.values()) == [-1, 1] and len(named) == 2 and operator in ("=", "<>"):
            return plain.Compare(operator, *reads)
        cases: list[plain.Expression] = []
        for number, row in enumerate(product(*values)):
            if number > _MOST_CASES:
                raise NotExpressible
            known = sum(weights[n] * self._code(v) for n, v in zip(named, row, strict=True))
            rest = {**numbers, "": numbers.get("", 0) + known}
            left = self._of_numbers(operator, {name: w for name, w in rest.items() if w})
            if left == plain.FALSE:
                continue
            equal = [
                plain.Compare("=", read, plain.Literal(value))
                for read, value in zip(reads, row, strict=True)
            ]
            cases.append(_all([*equal, *([] if left == plain.TRUE else [left])]))
        return self._shortest(cases, reads, values)

    def _is_named(self, name: str) -> bool:
        return isinstance(self._variables[name][1], Enumeration)

    def _code(self, value: Datum) -> int:
        found: int = self._terms.value(value).as_long()
        return found

    def _shortest(
        self,
        cases: list[plain.Expression],
        reads: list[plain.Read],
        values: list[tuple[Datum, ...]],
    ) -> plain.Expression:
        """Return that one of some cases holds: for one variable, what it is not if that is shorter."""
        if len(cases) == 1:
            return cases[0]
        if len(reads) == 1 and len(cases) == len(values[0]) - 1:
            every = [plain.Compare("=", reads[0], plain.Literal(value)) for value in values[0]]
            missing = [each for each in every if each not in cases]
            if len(missing) == 1:
                return plain.Compare("<>", missing[0].left, missing[0].right)
        return plain.Or(tuple(cases)) if cases else plain.FALSE

    # Numbers

    def _of_numbers(self, operator: Comparison, weights: Mapping[str, int]) -> plain.Expression:
        """Return a comparison of two sums, in which nothing is subtracted."""
        constant = weights.get("", 0)
        if not any(weights):
            return plain.Literal(bool(COMPARISONS[operator](constant, 0)))
        more = {name: w for name, w in weights.items() if name and w > 0}
        less = {name: -w for name, w in weights.items() if name and w < 0}
        if not more:
            more, less, constant, operator = less, more, -constant, MIRRORED[operator]
        if less and (operator, constant) in _NEXT:
            operator, constant = _NEXT[operator, constant], 0
        left = [self._times(weight, name) for name, weight in more.items()]
        right = [self._times(weight, name) for name, weight in less.items()]
        if constant > 0 and less:
            left.append(plain.Literal(constant))
        elif constant or not right:
            right.append(plain.Literal(-constant))
        return plain.Compare(operator, _sum(left), _sum(right))

    def _times(self, weight: int, name: str) -> plain.Expression:
        read, _ = self._variables[name]
        return read if weight == 1 else plain.Arithmetic("*", plain.Literal(weight), read)


def _sum(terms: list[plain.Expression]) -> plain.Expression:
    return terms[0] if len(terms) == 1 else plain.Sum(tuple(terms))


def _all(parts: list[plain.Expression]) -> plain.Expression:
    return parts[0] if len(parts) == 1 else plain.And(tuple(parts))
