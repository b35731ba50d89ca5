"""Backward search with a solver: numbers without bounds, types that are not listed, relations with keys.

A cube demands different agents and says of them, of the environment and of the relations what a condition
says. What an action does is determined, so the cube before a step is the cube after it with the new values in
the place of the variables, and the guards. It need not end: `unknown` is an answer here.
"""

import heapq
from collections.abc import Iterator, Mapping
from itertools import count, permutations
from typing import Any, Final

from gnomon.certificate.parameterised.condition_data import of_condition
from gnomon.engines.parameterised.compiled import Overlap
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.needed_facts import needed_facts
from gnomon.engines.parameterised.run import OpenRun, in_order, joint_event, reaches
from gnomon.engines.parameterised.shortening import shortened
from gnomon.engines.parameterised.solver_cubes import ConditionCube, Placement, few, index
from gnomon.engines.parameterised.solver_predecessors import CubeStep, SolverPredecessors
from gnomon.engines.solvers.population_oracle import Oracle, SolverModel
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import Satisfiable
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum
from gnomon.model.parameterised.condition import (
    SELF,
    Condition,
    ForValues,
    Holds,
    Term,
    positive,
    renamed,
    walk,
)
from gnomon.model.parameterised.query import Query, Safety
from gnomon.model.parameterised.step import Configuration, Event, Place, World
from gnomon.model.parameterised.system import Change, OpenSystem, Part
from gnomon.text.errors import Senseless
from gnomon.text.record import replace

_METHOD: Final = "search with a solver"
#: The most cubes that are gone through.
_MOST_CUBES: Final = 300
#: An agent more counts as much as so many steps more, in the order of the search.
_WEIGHT: Final = 3


class Contradiction(Senseless):
    """Nothing satisfies the axioms."""


def decide_with_solver(system: OpenSystem, query: Query, budget: Budget) -> PopulationDecision:
    """Return whether any number of agents can reach a bad configuration, if the search ends."""
    if not isinstance(query, Safety):
        reason = "knowledge is decided only where all values are listed"
        return PopulationDecision(None, _METHOD, reason=reason)
    search = SolverSearch(system, query.bad, budget)
    return search.decide() or search.undecided()


def never_starting(system: OpenSystem, budget: Budget) -> tuple[str, ...]:
    """Return the parts of which no state is initial, where a solver can tell for sure."""
    terms = PopulationTerms(system)
    oracle = Oracle(terms, budget)
    if oracle.ask([]) is Satisfiable.NO:
        raise Contradiction

    def starts(part: Part) -> bool:
        name = ENVIRONMENT if part.name == ENVIRONMENT else SELF
        formulae = [terms.condition(part.initial, {SELF: part.name}), *terms.typed(name, part.name)]
        if name == SELF:
            formulae += terms.typed(ENVIRONMENT, ENVIRONMENT)
        return oracle.ask(formulae) is not Satisfiable.NO

    return tuple(name for name, part in system.part.items() if not starts(part))


def _refuse_overlaps(terms: PopulationTerms, oracle: Oracle) -> None:
    """Raise `Overlap` where two lines can give a variable different values."""
    for part in terms.system.part.values():
        for action in part.actions:
            lines = terms.system.effects[part.name, action]
            for position, (guard, change) in enumerate(lines):
                for other_guard, other in lines[:position]:
                    both = [Holds(guard), Holds(other_guard)]
                    for variable in _overlaps(terms, oracle, part, both, (other, change)):
                        raise Overlap(part.name, variable, (other.line.line, change.line.line))


def _overlaps(
    terms: PopulationTerms,
    oracle: Oracle,
    part: Part,
    guards: list[Holds],
    changes: tuple[Change, Change],
) -> Iterator[str]:
    """Yield the variables to which two changes can give different values where both guards hold."""
    who = {SELF: part.name}
    name = ENVIRONMENT if part.name == ENVIRONMENT else SELF
    first, mine = changes[0], dict(_values(changes[1]))
    for variable, value in _values(first):
        if variable in mine and mine[variable] != value:
            domain = next(v.domain for v in part.variables if v.name == variable)
            formulae = [terms.condition(each, who) for each in guards]
            formulae += terms.typed(name, part.name)
            if name == SELF:
                formulae += terms.typed(ENVIRONMENT, ENVIRONMENT)
            one = terms.term(mine[variable], who, domain)
            formulae.append(one != terms.term(value, who, domain))
            if oracle.ask(formulae) is not Satisfiable.NO:
                yield variable


def _values(change: Change) -> Iterator[tuple[str, Term]]:
    for item in change.line.assignments:
        yield item.variable, item.value
    for looked in change.looked:
        yield looked.variable, looked.value


class SolverSearch:
    """The search for a bad configuration, from cubes with few agents and few steps to others."""

    def __init__(self, system: OpenSystem, bad: Condition, budget: Budget) -> None:
        """Begin at what is bad; raises `Contradiction` or `Overlap` where the model makes no sense."""
        self._terms = PopulationTerms(system)
        self._oracle = Oracle(self._terms, budget)
        self._system = system
        self._bad = bad
        self._budget = budget
        self._visited: list[ConditionCube] = []
        self._placement = Placement()
        self._predecessors = SolverPredecessors(system, self._placement, self._check)
        self._waiting: list[tuple[int, int, CubeStep]] = []
        self._number = count()
        if self._oracle.ask([]) is Satisfiable.NO:
            raise Contradiction
        _refuse_overlaps(self._terms, self._oracle)
        goals = few(self._placement.cubes(positive(bad)))
        self._least = min((len(cube.agents) for cube in goals), default=0)
        for cube in goals:
            self._push(CubeStep(cube))

    def _check(self) -> None:
        self._budget.check("backward search", len(self._visited))

    def _push(self, step: CubeStep) -> None:
        if any(
            part.high is not None and step.cube.agents.count(part.name) > part.high
            for part in self._system.templates
        ):
            return
        rank = _WEIGHT * len(step.cube.agents) + step.depth
        heapq.heappush(self._waiting, (rank, next(self._number), step))

    def decide(self, most: int | None = None) -> PopulationDecision | None:
        """Search until a run is found or nothing is left; None after so many cubes, to be asked again.

        Where it raises anything, steps may be lost: it must not be asked again.
        """
        while self._waiting:
            if len(self._visited) >= (_MOST_CUBES if most is None else most):
                return None
            *_, step = heapq.heappop(self._waiting)
            steps = len(self._visited)
            self._budget.check("backward search", steps)
            if self._is_empty(step.cube) or self._is_covered(step.cube):
                continue
            answer = self._initial(step, self._least)
            if answer is not None:
                return replace(answer, steps=steps)
            self._visited.append(step.cube)
            for before in self._predecessors.before(step):
                self._push(before)
        found = never(self._visited)
        return PopulationDecision(False, _METHOD, invariant=found, steps=len(self._visited))

    def undecided(self) -> PopulationDecision:
        """Return that the search has not come to an end."""
        number = len(self._visited)
        reason = f"undecided after {number} cubes: the search may have no end"
        return PopulationDecision(None, _METHOD, reason=reason, steps=number)

    # What has been seen

    def _formulae(self, cube: ConditionCube) -> list[Any]:
        who = cube.who
        found = [self._terms.condition(part, who) for part in cube.body]
        for name, part in ((ENVIRONMENT, ENVIRONMENT), *who.items()):
            found += self._terms.typed(name, part)
        return found

    def _is_empty(self, cube: ConditionCube) -> bool:
        return self._oracle.ask(self._formulae(cube)) is Satisfiable.NO

    def _is_covered(self, cube: ConditionCube) -> bool:
        """Return whether all of a cube has been seen, as parts of other cubes."""
        formulae = self._formulae(cube)
        for old in self._visited:
            formulae += self._without(cube, old)
        return self._oracle.ask(formulae) is Satisfiable.NO

    def _without(self, cube: ConditionCube, old: ConditionCube) -> Iterator[Any]:
        """Yield that no choice of the agents of a cube satisfies an older one."""
        self._check()
        if len(old.agents) > len(cube.agents):
            return
        terms, who = self._terms, cube.who
        for chosen in permutations(range(len(cube.agents)), len(old.agents)):
            if all(
                cube.agents[n] == template for n, template in zip(chosen, old.agents, strict=True)
            ):
                names = {index(n): f"b{place}" for n, place in enumerate(chosen)}
                back = {f"b{place}": index(place) for place in chosen}
                body = [renamed(renamed(part, names), back) for part in old.body]
                yield terms.negation(terms.both(terms.condition(part, who) for part in body))

    # Where it begins

    def _initial(self, step: CubeStep, least: int) -> PopulationDecision | None:
        """Return the answer if a cube has an initial configuration; goals speak of `least` agents or more."""
        cube = self._padded(step.cube)
        who = cube.who
        formulae = self._formulae(cube)
        formulae.append(self._terms.condition(self._system.environment.initial, {}))
        for name, template in who.items():
            start = renamed(self._system.part[template].initial, {SELF: name})
            formulae.append(self._terms.condition(start, who))
        answer, model = self._oracle.model(formulae)
        if answer is Satisfiable.NO:
            return None
        if model is None:
            return PopulationDecision(
                None, _METHOD, reason="the solver does not know whether a run exists"
            )
        run = self._run(step, cube.agents, model)
        if run is None or not reaches(self._system, run, self._bad):
            if not self._placement.approximate:
                msg = "a run that was found cannot be replayed"
                raise AssertionError(msg)
            reason = "an over-approximation of `forall` reaches it by a run that is none"
            return PopulationDecision(None, _METHOD, reason=reason)
        short = in_order(self._system, shortened(self._system, run, self._bad))
        population = tuple(short.members.count(part.name) for part in self._system.templates)
        facts = needed_facts(self._system, short, self._bad)
        # A step back never needs fewer agents than the goal does.
        exact = len(population) == 1 and population[0] <= max(least, self._system.templates[0].low)
        return PopulationDecision(True, _METHOD, (population,), exact, short, facts=facts)

    def _padded(self, cube: ConditionCube) -> ConditionCube:
        """Return a cube with as many agents as there are at least."""
        missing = [
            part.name
            for part in self._system.templates
            for _ in range(part.low - cube.agents.count(part.name))
        ]
        return replace(cube, agents=(*cube.agents, *missing))

    def _run(self, step: CubeStep, members: tuple[str, ...], model: SolverModel) -> OpenRun | None:
        """Return the run from a model of the solver's, step by step."""
        facts = _ModelFacts(model)
        start = now = Configuration(
            model.local(ENVIRONMENT, ENVIRONMENT),
            tuple(model.local(index(n), template) for n, template in enumerate(members)),
        )
        world = World(self._system, members, facts)
        events: list[Event] = []
        while step.leads_to is not None:
            event = joint_event(world, now, step.environment, step.actions)
            after = world.step(event, now)
            if after is None:
                return None
            now = after
            events.append(event)
            step = step.leads_to
        # So that the facts that they ask for are among them.
        world.holds(self._bad, now, {ENVIRONMENT: None})
        for axiom in self._system.axioms:
            if not any(isinstance(part, ForValues) for part in walk(axiom)):
                world.holds(axiom, now, {})
        return OpenRun(members, tuple(sorted(facts.items(), key=repr)), start, tuple(events))


class _ModelFacts(Mapping[Place, Datum]):
    """The facts of a model, worked out as they are asked for; all that were asked for so far."""

    def __init__(self, model: SolverModel) -> None:
        self._model = model
        self._known: dict[Place, Datum] = {}

    def __getitem__(self, place: Place) -> Datum:
        if place not in self._known:
            self._known[place] = self._model.fact(place)
        return self._known[place]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def never(cubes: list[ConditionCube]) -> dict[str, Any]:
    """Return as an invariant that nothing of this ever is."""
    return {
        "kind": "never",
        "cubes": [
            {"agents": list(cube.agents), "conditions": list(map(of_condition, cube.body))}
            for cube in cubes
        ],
    }
