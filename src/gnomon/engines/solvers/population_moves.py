"""By what steps change the numbers of the environment and those of agents: all vectors there are.

A coordinate is a number of the environment, whether one of its other variables has some value, or how many
agents are in a class. What changes by more amounts than a few has no vector: nothing is said of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import z3

from gnomon.engines.solvers.population_counts import Counting
from gnomon.engines.solvers.population_oracle import Oracle
from gnomon.engines.solvers.population_steps import NamedSteps, later, local_actions, name_of
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import Satisfiable
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    IntegerRange,
    Integers,
    OpenEnumeration,
    size_of,
    values_of,
)
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

ChangeVector: TypeAlias = tuple[int, ...]

_SOMEBODY: Final = name_of(0)
#: The most values of a variable of the environment that are told apart.
_MOST_VALUES: Final = 8
#: The most amounts by which one number changes, and the most vectors of one step.
_MOST_AMOUNTS: Final = 6
_MOST_VECTORS: Final = 100


class EnvironmentNumber(Record):
    """A variable of the environment as a number: it itself, or 1 where it has a value and else 0."""

    variable: str
    value: Datum | None = None


class NumberChanges(Record):
    """All vectors by which steps change the coordinates, and what these are in the beginning.

    First come the numbers of the environment, then those of the classes. `settled` says which coordinates
    change by few amounts only; of the others nothing is said.
    """

    environment: tuple[EnvironmentNumber, ...]
    vectors: tuple[ChangeVector, ...]
    start: ChangeVector
    settled: tuple[bool, ...]


class MoveFinder:
    """Asks a solver for the vectors."""

    def __init__(
        self, terms: PopulationTerms, oracle: Oracle, counting: Counting, budget: Budget
    ) -> None:
        """Look for those of one system."""
        self._terms = terms
        self._oracle = oracle
        self._counting = counting
        self._budget = budget
        self._system: OpenSystem = terms.system
        self._steps = NamedSteps(terms)
        self._own = tuple(self._numbers())
        self._unsettled: set[int] = set()

    def found(self) -> NumberChanges:
        """Return all vectors."""
        start, others = self._starts()
        vectors = dict.fromkeys([*others, *self._vectors()])
        size = len(self._own) + len(self._counting.classes)
        settled = tuple(n not in self._unsettled for n in range(size))
        return NumberChanges(self._own, tuple(v for v in vectors if any(v)), start, settled)

    def _numbers(self) -> Iterator[EnvironmentNumber]:
        for variable in self._system.environment.variables:
            domain: Domain = variable.domain
            if isinstance(domain, Integers | IntegerRange):
                yield EnvironmentNumber(variable.name)
            elif isinstance(domain, Boolean):
                yield EnvironmentNumber(variable.name, value=True)
            elif not isinstance(domain, OpenEnumeration) and size_of(domain) in range(
                2, _MOST_VALUES + 1
            ):
                for value in values_of(domain)[:-1]:
                    yield EnvironmentNumber(variable.name, value)

    # Terms

    def term(self, number: EnvironmentNumber, *, after: bool = False) -> Any:
        """Return a number of the environment."""
        name = later(ENVIRONMENT) if after else ENVIRONMENT
        term = self._terms.variable(name, ENVIRONMENT, number.variable)
        if number.value is None:
            return term
        return self._one_if(term == self._terms.value(number.value))

    def weighted(self, weights: Sequence[int]) -> Any:
        """Return the sum of all coordinates, so weighted."""
        terms = [*map(self.term, self._own), *self._counting.numbers()]
        found = [weight * term for weight, term in zip(weights, terms, strict=True) if weight]
        return z3.Sum([z3.IntVal(0, self._terms.context), *found])

    def _one_if(self, condition: Any) -> Any:
        context = self._terms.context
        return z3.If(condition, z3.IntVal(1, context), z3.IntVal(0, context))

    def _own_changes(self) -> list[Any]:
        return [self.term(number, after=True) - self.term(number) for number in self._own]

    def _class_changes(self, template: str) -> list[Any]:
        counting = self._counting
        return [
            self._one_if(counting.inside(place, _SOMEBODY, after=True))
            - self._one_if(counting.inside(place, _SOMEBODY))
            if each.template == template
            else z3.IntVal(0, self._terms.context)
            for place, each in enumerate(counting.classes)
        ]

    def _no_own(self) -> list[Any]:
        return [z3.IntVal(0, self._terms.context) for _ in self._own]

    def _no_classes(self) -> list[Any]:
        return [z3.IntVal(0, self._terms.context) for _ in self._counting.classes]

    # Steps

    def _vectors(self) -> Iterator[ChangeVector]:
        system, steps = self._system, self._steps
        for action in local_actions(system.environment):
            alone = steps.acts(ENVIRONMENT, ENVIRONMENT, action, {}, loosely=True)
            yield from self._of({}, [alone], [*self._own_changes(), *self._no_classes()])
        for part in system.templates:
            names = {_SOMEBODY: part.name}
            for action in local_actions(part):
                alone = steps.acts(_SOMEBODY, part.name, action, names, loosely=True)
                change = [*self._no_own(), *self._class_changes(part.name)]
                yield from self._of(names, [alone], change)
        for action, kind in system.sync.items():
            if action not in system.environment.guards:
                continue
            if kind == "all":
                leads = steps.acts(ENVIRONMENT, ENVIRONMENT, action, {}, loosely=True)
                yield from self._of({}, [leads], [*self._own_changes(), *self._no_classes()])
            for part in system.templates:
                if action in part.guards:
                    yield from self._together(part.name, action, kind)

    def _together(self, template: str, action: str, kind: str) -> Iterator[ChangeVector]:
        """Yield the vectors of an action that an agent does with the environment."""
        names = {_SOMEBODY: template}
        both = [
            self._steps.acts(ENVIRONMENT, ENVIRONMENT, action, names, loosely=True),
            self._steps.acts(_SOMEBODY, template, action, names, loosely=True),
        ]
        if kind != "all":
            yield from self._of(names, both, [*self._own_changes(), *self._class_changes(template)])
        if kind != "one":
            yield from self._of(names, both, [*self._no_own(), *self._class_changes(template)])

    # The beginning

    def _starts(self) -> tuple[ChangeVector, list[ChangeVector]]:
        """Return what the coordinates are in the beginning, and by what else they may differ from it."""
        initial = self._steps.initial({})
        own = list(self._of({}, initial, [*map(self.term, self._own), *self._no_classes()]))
        size = len(self._own) + len(self._counting.classes)
        start = list(own[0] if own else (0,) * size)
        others = [tuple(a - b for a, b in zip(each, start, strict=True)) for each in own[1:]]
        for part in self._system.templates:
            places = [
                len(self._own) + n
                for n, each in enumerate(self._counting.classes)
                if each.template == part.name and self._counting.starting(n)
            ]
            if part.low == part.high and places:
                start[places[0]] = part.low
                others += [_unit(size, {n: 1, places[0]: -1}) for n in places[1:]]
            elif part.high != 0:
                others += [_unit(size, {n: 1}) for n in places]
        return tuple(start), others

    # The solver

    def _of(
        self, names: Mapping[str, str], formulae: Sequence[Any], terms: Sequence[Any]
    ) -> Iterator[ChangeVector]:
        """Yield all values of some terms, those that are not settled left out: 0."""
        asked = [*self._steps.typed(names), *formulae]
        constants = [z3.Int(f"change {n}", self._terms.context) for n in range(len(terms))]
        for place, (constant, term) in enumerate(zip(constants, terms, strict=True)):
            if place not in self._unsettled and not z3.is_int_value(z3.simplify(term)):
                self._settle(place, constant, [*asked, constant == term])
        open_ = [n not in self._unsettled for n in range(len(terms))]
        asked += [c == t for c, t, kept in zip(constants, terms, open_, strict=True) if kept]
        known: set[ChangeVector] = set()
        while True:
            self._budget.check("changes of numbers", len(known))
            answer, model = self._oracle.integers(asked, constants)
            if answer is Satisfiable.NO:
                return
            if model is None or len(known) >= _MOST_VECTORS:
                self._unsettled.update(range(len(terms)))
                return
            vector = tuple(v if kept else 0 for v, kept in zip(model, open_, strict=True))
            known.add(vector)
            yield vector
            differs = (c != v for c, v, kept in zip(constants, vector, open_, strict=True) if kept)
            asked.append(self._terms.either(differs))

    def _settle(self, place: int, constant: Any, asked: list[Any]) -> None:
        """Take note of a coordinate that changes by more than a few amounts."""
        for _ in range(_MOST_AMOUNTS):
            answer, model = self._oracle.integers(asked, [constant])
            if answer is Satisfiable.NO:
                return
            if model is None:
                break
            asked = [*asked, constant != model[0]]
        self._unsettled.add(place)


def _unit(size: int, entries: Mapping[int, int]) -> ChangeVector:
    return tuple(entries.get(n, 0) for n in range(size))
