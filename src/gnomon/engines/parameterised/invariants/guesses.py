"""Invariants that may be some, from the cheapest to the dearest: whoever asks for them has to check them.

First come the sums that no step changes; then, with these, conditions on the environment, on how many agents
are in each class, and on one agent; then conditions on two agents, and on more.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, Final

from gnomon.certificate.parameterised.counted_classes import COUNT
from gnomon.engines.parameterised.invariants.classes import classes_of
from gnomon.engines.parameterised.invariants.places import equation, place_invariants
from gnomon.engines.parameterised.invariants.written import distinct, numbered, written
from gnomon.engines.parameterised.search_invariant import Invariant
from gnomon.engines.parameterised.solver_cubes import ConditionCube, Placement, few, index
from gnomon.engines.solvers.conditions_read import SolvedConditions
from gnomon.engines.solvers.population_counts import Counting
from gnomon.engines.solvers.population_horn import AgentShape, HornGoal, PopulationHorn, named
from gnomon.engines.solvers.population_moves import MoveFinder
from gnomon.engines.solvers.population_oracle import Oracle
from gnomon.engines.solvers.population_steps import name_of
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import NotExpressible
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.domain import Domain, Integers, OpenEnumeration
from gnomon.model.parameterised.condition import Condition, positive, renamed
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

#: The kinds of actions whose steps are known here.
_KNOWN: Final = frozenset({"some", "one", "all"})
#: The most shapes that an invariant speaks of.
_MOST_SHAPES: Final = 12


class Rung(Record):
    """So many agents at most, with or without numbers of agents, and how much effort it may take."""

    agents: int
    counting: bool
    effort: int


class Guess(Record):
    """What may be an invariant, and the method that it was found by."""

    invariant: Invariant
    method: str


def can_be_guessed(system: OpenSystem) -> bool:
    """Return whether guesses are made: not with relations, parameters, open types, or who follows."""
    domains = [v.domain for part in system.part.values() for v in part.variables]
    return (
        not system.used_relations
        and not system.axioms
        and not system.parameters
        and not system.followed_by
        and not any(isinstance(domain, OpenEnumeration) for domain in domains)
        and frozenset(system.sync.values()) <= _KNOWN
    )


class Guesser:
    """Guesses invariants of one system that exclude something bad."""

    def __init__(self, system: OpenSystem, bad: Condition, budget: Budget) -> None:
        """Guess for a system, within a budget."""
        # Of its own, so that what others asked before makes no difference.
        self._terms = terms = PopulationTerms(system)
        self._oracle = oracle = Oracle(terms, budget)
        self._system = system
        self._budget = budget
        self._bad = bad
        #: Numbers of agents, and none of them.
        self._counting = self._nothing = Counting(terms, oracle, ())
        self._places: list[Condition] = []
        #: The rungs on which the solver came to an end.
        self._settled: set[tuple[int, bool]] = set()

    @cached_property
    def _goals(self) -> list[HornGoal]:
        """What is bad, as different agents."""
        return [_goal(cube) for cube in few(Placement().cubes(positive(self._bad)))]

    def sums(self) -> Iterator[Guess]:
        """Yield the sums that no step changes, if there are any."""
        self._counting = Counting(self._terms, self._oracle, classes_of(self._system))
        finder = MoveFinder(self._terms, self._oracle, self._counting, self._budget)
        moves = finder.found()
        found = place_invariants(moves)
        self._places = [equation(self._system, moves, each) for each in found]
        self._counting.keep([finder.weighted(each.weights) == each.total for each in found])
        if self._places:
            yield Guess(self._written(self._places, []), "sums that no step changes")

    def climb(self, rungs: Iterable[Rung]) -> Iterator[Guess]:
        """Yield what the solver of Horn clauses finds."""
        for rung in rungs:
            self._budget.check("Horn clauses", rung.agents)
            place = rung.agents, rung.counting
            if place in self._settled or (rung.counting and not self._places):
                continue
            yield from self._on(rung)

    def _on(self, rung: Rung) -> Iterator[Guess]:
        shapes = self._shapes(rung.agents)
        if not shapes:
            return
        counting = self._counting if rung.counting else self._nothing
        horn = PopulationHorn(self._terms, shapes, counting, self._goals)
        found = horn.solve(rung.effort, self._budget)
        if horn.settled:
            self._settled.add((rung.agents, rung.counting))
        if found is None:
            return
        try:
            excluded = [
                (shape, body)
                for shape, formula in found.items()
                for body in self._excluded(shape, formula, rung)
            ]
        except NotExpressible:
            return
        always = self._places if rung.counting else []
        number = {1: "one agent", 2: "two agents", 3: "three agents"}[rung.agents]
        # What is said of some agents only is mostly so, and better to read. But it may take the others.
        short, whole = (
            distinct(numbered(*each, whole=whole) for each in excluded) for whole in (False, True)
        )
        for cubes in (short, whole) if short != whole else (short,):
            yield Guess(self._written(always, cubes), f"Horn clauses over {number}")

    def _shapes(self, agents: int) -> list[AgentShape]:
        """Return the shapes of so many agents, and smaller ones as far as what is bad is smaller."""
        names = [part.name for part in self._system.templates]
        least = min((len(goal.agents) for goal in self._goals), default=agents)
        found = [
            shape
            for size in range(min(agents, least), agents + 1)
            for shape in combinations_with_replacement(names, size)
            if all(
                part.high is None or shape.count(part.name) <= part.high
                for part in self._system.templates
            )
        ]
        return found if len(found) <= _MOST_SHAPES else []

    # What was found

    def _written(self, always: Sequence[Condition], cubes: Sequence[ConditionCube]) -> Invariant:
        return written(self._counting.classes, always, cubes)

    def _excluded(
        self, shape: AgentShape, formula: Any, rung: Rung
    ) -> Iterator[tuple[plain.Expression, ...]]:
        """Yield what never holds together of the agents of a shape."""
        variables: dict[str, tuple[plain.Read, Domain]] = {}
        for name, owner in {ENVIRONMENT: ENVIRONMENT, **named(shape)}.items():
            for variable in self._system.part[owner].variables:
                constant = self._terms.variable(name, owner, variable.name)
                read = plain.Read(name, variable.name)
                variables[constant.decl().name()] = (read, variable.domain)
        if rung.counting:
            for place, number in enumerate(self._counting.numbers()):
                variables[number.decl().name()] = (plain.Read(COUNT, str(place)), Integers())
        reader = SolvedConditions(self._terms, variables)
        for lemma in reader.conjuncts(formula):
            yield reader.opposite(lemma)


def _goal(cube: ConditionCube) -> HornGoal:
    """Return a cube with the names of Horn clauses."""
    names = {index(number): name_of(number) for number in range(len(cube.agents))}
    return HornGoal(cube.agents, tuple(renamed(part, names) for part in cube.body))
