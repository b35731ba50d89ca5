"""Whether any number of agents can reach a bad configuration, by the search that fits the system."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.backward_run import smallest_run, witness
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube
from gnomon.engines.parameterised.decision import NO_START, PopulationDecision
from gnomon.engines.parameterised.guessing.prove import proved_with_guesses
from gnomon.engines.parameterised.needed_facts import needed_facts
from gnomon.engines.parameterised.run import OpenRun, in_order, reaches, with_least
from gnomon.engines.parameterised.saturation import Saturation, is_for
from gnomon.engines.parameterised.saturation_run import from_saturation
from gnomon.engines.parameterised.search_invariant import of_saturation, of_search
from gnomon.engines.parameterised.shortening import shortened
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Datum
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.step import Completed, Configuration, Event, Place, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: So many demands more are looked at to find all the smallest populations, once one is known.
_SPARE: Final = 2_000
#: After so many demands it is tried whether guesses make an end.
_BEFORE_GUESSES: Final = 200
#: To know how many agents it takes, so many demands are looked at where saturation gave the verdict.
_COUNTED: Final = 800
#: Where guards speak of every agent, so many agents, and configurations, are looked at one by one.
_MOST_AGENTS: Final = 4
_MOST_CONFIGURATIONS: Final = 20_000
#: After so many steps it is asked whether there is time left.
_OFTEN: Final = 256


def decide_safety(
    program: CompiledPopulation, bad: Condition, budget: Budget, *, large: bool = False
) -> PopulationDecision:
    """Return whether any number of agents can reach a bad configuration; an invariant may be `large`."""
    if not program.has_start:
        return PopulationDecision(False, NO_START)
    goals = program.goal(bad)
    if is_for(program):
        return _by_saturation(program, goals, bad, budget, large=large)
    search = BackwardSearch(program, goals, budget)
    method = "backward search" if program.is_exact else "backward search, over-approximated"
    if not search.begin(_BEFORE_GUESSES):
        guessed = proved_with_guesses(program, goals, budget)
        if guessed is not None:
            invariant = of_search(guessed, large=large)
            steps = search.count + guessed.count
            method = "backward search with guesses"
            return PopulationDecision(False, method, invariant=invariant, steps=steps)
    if not search.run(spare=_SPARE):
        invariant = of_search(search, large=large)
        return PopulationDecision(False, method, invariant=invariant, steps=search.count)
    if not program.is_exact:
        return _confirm(program.system, search, bad, budget)
    run = shortened(program.system, smallest_run(search), bad)
    return _reached(program.system, run, bad, search, method)


def _reached(
    system: OpenSystem, run: OpenRun, bad: Condition, search: BackwardSearch, method: str
) -> PopulationDecision:
    ordered = in_order(system, run)
    if not reaches(system, ordered, bad):
        msg = "a run that was found cannot be replayed"
        raise AssertionError(msg)
    smallest = tuple(sorted(population for population, _ in search.hits))
    return PopulationDecision(
        True,
        method,
        smallest,
        search.complete,
        ordered,
        facts=needed_facts(system, ordered, bad),
        steps=search.count,
    )


# By saturation


def _by_saturation(
    program: CompiledPopulation,
    goals: tuple[AgentCube, ...],
    bad: Condition,
    budget: Budget,
    *,
    large: bool,
) -> PopulationDecision:
    system = program.system
    search = Saturation(program, goals, budget)
    if not search.run():
        return PopulationDecision(
            False, "saturation", invariant=of_saturation(search, large=large), steps=search.count
        )
    assert search.hit is not None
    run = shortened(system, with_least(system, from_saturation(search.program, *search.hit)), bad)
    counting = BackwardSearch(program, goals, budget, most=_COUNTED)
    try:
        counting.run(spare=_COUNTED)
    except LimitReached:
        budget.check()  # if the time is over, that is the reason
    if counting.hits:
        fewest = smallest_run(counting)
        if (len(fewest.members), len(fewest.events)) < (len(run.members), len(run.events)):
            run = shortened(system, fewest, bad)
    decision = replace(_reached(system, run, bad, counting, "saturation"), steps=search.count)
    if counting.hits:
        return decision
    population = tuple(run.members.count(name) for name in program.names)
    return replace(decision, smallest=(population,))


# Where guards speak of every agent


def _confirm(
    system: OpenSystem, search: BackwardSearch, bad: Condition, budget: Budget
) -> PopulationDecision:
    """Return whether what an over-approximation reaches can be reached: by its runs, or with few agents."""
    method = "backward search, over-approximated"
    for _, demand in sorted(search.hits, key=lambda hit: sum(hit[0])):
        run = with_least(system, witness(search, demand))
        if reaches(system, run, bad):
            return _confirmed(system, run, bad, search.count)
    facts = dict(witness(search, search.hits[0][1]).facts)
    for population in _populations(system, _MOST_AGENTS):
        found = _explored(system, population, facts, bad, budget)
        if found is not None:
            return _confirmed(system, found, bad, search.count)
    agents = min(sum(population) for population, _ in search.hits)
    reason = (
        f"an over-approximation of `forall` reaches it with {agents} agents, but that run is none, and up to "
        f"{_MOST_AGENTS} agents do not (with the facts of that run)"
    )
    return PopulationDecision(None, method, reason=reason, steps=search.count)


def _confirmed(system: OpenSystem, run: OpenRun, bad: Condition, steps: int) -> PopulationDecision:
    ordered = in_order(system, run)
    population = tuple(ordered.members.count(part.name) for part in system.templates)
    return PopulationDecision(
        True,
        "backward search, over-approximated",
        (population,),
        False,
        ordered,
        facts=needed_facts(system, ordered, bad),
        steps=steps,
    )


def _populations(system: OpenSystem, most: int) -> Iterator[tuple[str, ...]]:
    ranges = [
        range(part.low, (most if part.high is None else min(most, part.high)) + 1)
        for part in system.templates
    ]
    for counts in sorted(product(*ranges), key=sum):
        if sum(counts) <= most:
            yield tuple(
                part.name
                for part, number in zip(system.templates, counts, strict=True)
                for _ in range(number)
            )


def _explored(
    system: OpenSystem,
    members: tuple[str, ...],
    facts: dict[Place, Datum],
    bad: Condition,
    budget: Budget,
) -> OpenRun | None:
    """Go through the configurations of a population one by one, if there are not too many."""
    world = World(system, members, Completed(system, facts))
    before: dict[Configuration, tuple[Configuration, Event] | None] = dict.fromkeys(world.initial())
    waiting = list(before)
    for now in waiting:
        budget.check("few agents", len(before))
        if world.holds(bad, now, {ENVIRONMENT: None}):
            return _back(members, facts, now, before)
        if len(before) > _MOST_CONFIGURATIONS:
            return None
        for number, event in enumerate(world.events(now), 1):
            if number % _OFTEN == 0:  # one configuration may have very many
                budget.check("few agents", len(before))
            after = world.step(event, now)
            if after is not None and after not in before:
                before[after] = (now, event)
                waiting.append(after)
    return None


def _back(
    members: tuple[str, ...],
    facts: dict[Place, Datum],
    end: Configuration,
    before: dict[Configuration, tuple[Configuration, Event] | None],
) -> OpenRun:
    """Return the run to a configuration, given what came before each."""
    events: list[Event] = []
    while (step := before[end]) is not None:
        end = step[0]
        events.append(step[1])
    known = tuple(sorted(facts.items(), key=repr))
    return OpenRun(members, known, end, tuple(reversed(events)))
