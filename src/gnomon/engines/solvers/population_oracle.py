"""Questions about any number of agents to z3, and what satisfies them."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import z3

from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import Satisfiable, check
from gnomon.model.budget import Budget
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
from gnomon.model.parameterised.step import Local, Place
from gnomon.model.patience import patience
from gnomon.text.numbers import read_integer

#: Milliseconds for one question; what takes longer stays open.
_PATIENCE: Final = 4_000


class Oracle:
    """Asks whether conditions can hold together, each time with a solver that knows nothing of the last."""

    def __init__(self, terms: PopulationTerms, budget: Budget) -> None:
        """Ask about one system, within a budget."""
        self._terms = terms
        self._budget = budget
        self._given = terms.given()

    def ask(self, formulae: Iterable[Any]) -> Satisfiable:
        """Return whether all of them can hold together."""
        return check(self._solver(formulae))

    def model(self, formulae: Iterable[Any]) -> "tuple[Satisfiable, SolverModel | None]":
        """Return whether all of them can hold together, and what satisfies them then."""
        solver = self._solver(formulae)
        answer = check(solver)
        found = SolverModel(self._terms, solver.model()) if answer is Satisfiable.YES else None
        return answer, found

    def integers(
        self, formulae: Iterable[Any], terms: Sequence[Any]
    ) -> tuple[Satisfiable, tuple[int, ...] | None]:
        """Return whether all of them can hold together, and what some numbers are then."""
        solver = self._solver(formulae)
        answer = check(solver)
        if answer is not Satisfiable.YES:
            return answer, None
        model = solver.model()
        found = (model.eval(term, model_completion=True).as_string() for term in terms)
        return answer, tuple(map(read_integer, found))

    def _solver(self, formulae: Iterable[Any]) -> Any:
        solver = z3.Solver(ctx=self._terms.context)
        solver.set("timeout", patience(_PATIENCE, self._budget))
        solver.add(*self._given)
        solver.add(*formulae)
        solver.add(*self._terms.sides.values())
        return solver


class SolverModel:
    """An interpretation that the solver found, with names for the values of types that are not listed."""

    def __init__(self, terms: PopulationTerms, model: Any) -> None:
        """Read a model of the solver's."""
        self._population = terms
        self._model = model
        self._names: dict[str, str] = {}
        for named in terms.named.values():
            for name, constant in named.items():
                self._names[str(self._evaluate(constant))] = name
        self._counts: dict[str, int] = {}
        self._terms: dict[tuple[str, str], Any] = {}

    def _evaluate(self, term: Any) -> Any:
        return self._model.eval(term, model_completion=True)

    def local(self, index: str, part: str) -> Local:
        """Return the local state of an agent."""
        return tuple(
            self._value(self._population.variable(index, part, variable.name), variable.domain)
            for variable in self._population.system.part[part].variables
        )

    def _value(self, term: Any, domain: Domain) -> Datum:
        found = self._evaluate(term)
        match domain:
            case Boolean():
                return bool(z3.is_true(found))
            case OpenEnumeration(_, sort):
                return self._name(found, sort)
            case Enumeration():
                codes = {self._population.value(v).as_long(): v for v in values_of(domain)}
                # What nobody asked for may be anything.
                return codes.get(found.as_long(), values_of(domain)[0])
            case IntegerRange() | Integers():
                return read_integer(found.as_string())

    def _name(self, element: Any, sort: str) -> str:
        key = str(element)
        if key not in self._names:
            taken = self._names.values()
            number = self._counts.get(sort, 0) + 1
            while f"{sort.lower()}{number}" in taken:
                number += 1
            self._counts[sort] = number
            self._names[key] = f"{sort.lower()}{number}"
        self._terms[sort, self._names[key]] = element
        return self._names[key]

    def fact(self, place: Place) -> Datum:
        """Return what a relation says of some values."""
        name, arguments = place
        relation = self._population.system.relations[name]
        given = [
            self._element(value, column)
            for value, column in zip(arguments, relation.columns, strict=True)
        ]
        found = self._population.function(name)(*given)
        return self._value(found, relation.result or Boolean())

    def _element(self, value: Datum, domain: Domain) -> Any:
        if isinstance(domain, OpenEnumeration):
            named = self._population.named[domain.sort]
            if str(value) in named:
                return named[str(value)]
            return self._terms[domain.sort, str(value)]
        return self._population.value(value, domain)
