"""How many agents there are in each class, for the solver: numbers that steps change.

Where only agents that have names act, the numbers change by what these do. Where others may act as well, so
many go from class to class as go, along the ways on which the solver does not exclude that somebody goes.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final, TypeAlias

import z3

from gnomon.engines.solvers.population_oracle import Oracle
from gnomon.engines.solvers.population_steps import (
    AgentTemplates,
    NamedSteps,
    later,
    local_actions,
    name_of,
)
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import Satisfiable
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum
from gnomon.model.parameterised.condition import SELF, Condition, Holds, renamed
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.record import Record

#: What others than those who have names may do: nothing, local actions, or a synchronised action.
Others: TypeAlias = str | None
NOBODY_ELSE: Final = ""
ALONE: Final = None

_SOMEBODY: Final = name_of(0)


class AgentClass(Record):
    """The agents of a template some of whose variables have these values; each agent is in one class."""

    template: str
    values: tuple[tuple[str, Datum], ...]

    @property
    def condition(self) -> Condition:
        """Return that `self` is one of them."""
        equal = (
            plain.Compare("=", plain.Read(SELF, name), plain.Literal(value))
            for name, value in self.values
        )
        return Holds(plain.And(tuple(equal)))


class Counting:
    """The numbers of agents in some classes."""

    def __init__(
        self, terms: PopulationTerms, oracle: Oracle, classes: Sequence[AgentClass]
    ) -> None:
        """Count the agents of these classes."""
        self._terms = terms
        self._oracle = oracle
        self._system: OpenSystem = terms.system
        self._steps = NamedSteps(terms)
        self.classes = classes
        self._places: list[Any] = []
        self._flows = count()
        self._ways: dict[tuple[str, Others], list[tuple[int, int]]] = {}
        self._starting = [self._starts(each) for each in classes] if classes else []

    def keep(self, places: Sequence[Any]) -> None:
        """Assume that these hold always; they are about the numbers before the step."""
        self._places = list(places)

    def number(self, place: int, *, after: bool = False) -> Any:
        """Return how many agents of a class there are."""
        name = later(f"#{place}") if after else f"#{place}"
        return z3.Int(name, self._terms.context)

    def numbers(self, *, after: bool = False) -> list[Any]:
        """Return how many agents of each class there are."""
        return [self.number(place, after=after) for place in range(len(self.classes))]

    def inside(self, place: int, name: str, *, after: bool = False) -> Any:
        """Return that somebody is in a class."""
        template = self.classes[place].template
        index = later(name) if after else name
        return self._terms.condition(
            renamed(self.classes[place].condition, {SELF: index}), {index: template}
        )

    def starting(self, place: int) -> bool:
        """Return whether somebody may be in a class in the beginning."""
        return self._starting[place]

    def assumed(self, names: AgentTemplates) -> Iterator[Any]:
        """Yield what holds always of the numbers and some agents."""
        for place in range(len(self.classes)):
            yield self.number(place) >= self._named(place, names)
        yield from self._places

    def initial(self, names: AgentTemplates) -> Iterator[Any]:
        """Yield what holds of the numbers in the beginning."""
        yield from self.assumed(names)
        for place in range(len(self.classes)):
            if not self._starting[place]:
                yield self.number(place) == 0

    def changed(self, names: AgentTemplates, others: Others) -> Iterator[Any]:
        """Yield what becomes of the numbers in a step of some agents, and of others."""
        for part in self._system.templates:
            places = [n for n, each in enumerate(self.classes) if each.template == part.name]
            ways = [] if others == NOBODY_ELSE else self.ways(part, others)
            if all(one == other for one, other in ways):
                for place in places:
                    gone = self.number(place) - self._named(place, names)
                    yield self.number(place, after=True) == gone + self._named(
                        place, names, after=True
                    )
            else:
                yield from self._flow(places, ways, names)

    def _flow(
        self, places: Sequence[int], ways: Sequence[tuple[int, int]], names: AgentTemplates
    ) -> Iterator[Any]:
        flows = {way: z3.Int(f"flow {next(self._flows)}", self._terms.context) for way in ways}
        zero = z3.IntVal(0, self._terms.context)
        yield from (flow >= 0 for flow in flows.values())
        for place in places:
            leaving = z3.Sum([zero, *(flow for (one, _), flow in flows.items() if one == place)])
            coming = z3.Sum([zero, *(flow for (_, other), flow in flows.items() if other == place)])
            yield self.number(place) == leaving + self._named(place, names)
            yield self.number(place, after=True) == coming + self._named(place, names, after=True)

    def _named(self, place: int, names: AgentTemplates, *, after: bool = False) -> Any:
        """Return how many of some agents are in a class."""
        template = self.classes[place].template
        one, none = (z3.IntVal(value, self._terms.context) for value in (1, 0))
        return z3.Sum(
            [
                none,
                *(
                    z3.If(self.inside(place, name, after=after), one, none)
                    for name, owner in names.items()
                    if owner == template
                ),
            ]
        )

    def move_alone(self) -> bool:
        """Return whether local actions lead from class to class."""
        return any(
            one != other for part in self._system.templates for one, other in self.ways(part, ALONE)
        )

    def ways(self, part: Part, others: Others) -> list[tuple[int, int]]:
        """Return from which class to which an agent may go, or stay where it is."""
        key = part.name, others
        if key not in self._ways:
            self._ways[key] = list(self._found(part, others))
        return self._ways[key]

    def _found(self, part: Part, others: Others) -> Iterator[tuple[int, int]]:
        names = {_SOMEBODY: part.name}
        actions = local_actions(part) if others is None else [others]
        acts = self._terms.either(
            self._steps.acts(_SOMEBODY, part.name, action, names, loosely=True)
            for action in actions
            if action in part.guards
        )
        if others is not None:
            leads = self._steps.acts(ENVIRONMENT, ENVIRONMENT, others, names, loosely=True)
            acts = self._terms.both((leads, acts))
        places = [n for n, each in enumerate(self.classes) if each.template == part.name]
        for one in places:
            for other in places:
                goes = [
                    acts,
                    self.inside(one, _SOMEBODY),
                    self.inside(other, _SOMEBODY, after=True),
                ]
                if self._stays(part, others, one, other) or self._can_be(names, goes):
                    yield one, other

    def _stays(self, part: Part, others: Others, one: int, other: int) -> bool:
        """Return whether an agent may do nothing, and stay in a class."""
        if one != other:
            return False
        if others is None or self._system.sync[others] != "all":
            return True
        names = {_SOMEBODY: part.name}
        leads = self._steps.acts(ENVIRONMENT, ENVIRONMENT, others, names, loosely=True)
        left = self._steps.cannot(_SOMEBODY, part.name, others, names)
        return self._can_be(names, [leads, left, self.inside(one, _SOMEBODY)])

    def _starts(self, each: AgentClass) -> bool:
        names = {_SOMEBODY: each.template}
        place = self.classes.index(each)
        return self._can_be(names, [*self._steps.initial(names), self.inside(place, _SOMEBODY)])

    def _can_be(self, names: AgentTemplates, formulae: Sequence[Any]) -> bool:
        asked = [*self._steps.typed(names), *formulae]
        return self._oracle.ask(asked) is not Satisfiable.NO
