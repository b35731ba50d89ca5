"""The answer for any number of agents, by the search that fits the system."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from gnomon.engines.parameterised.backward import Population, Search
from gnomon.engines.parameterised.cubes import Cube
from gnomon.engines.parameterised.forward import Found, Saturation, is_for
from gnomon.engines.parameterised.invariant import Invariant, of_saturation, of_search
from gnomon.engines.parameterised.program import Program
from gnomon.engines.parameterised.run import (
    OpenRun,
    from_saturation,
    in_order,
    needed_facts,
    reaches,
    replayed,
    shortened,
    with_idle,
)
from gnomon.engines.parameterised.space import Space, bits
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Value
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised.condition import SELF, And, Condition, Holds
from gnomon.model.parameterised.step import Completed, Configuration, Event, Place, World
from gnomon.model.parameterised.system import Knowledge, OpenSystem
from gnomon.text.record import Record, replace

#: So many cubes more are looked at to find all the smallest populations, once one is known.
_SPARE: Final = 2_000
#: To know how many agents it takes, so many cubes are looked at where saturation gave the verdict.
_COUNTED: Final = 800
#: Where guards speak of every agent, so many agents, and configurations, are looked at one by one.
_MOST_AGENTS: Final = 4
_MOST_CONFIGURATIONS: Final = 20_000
#: After so many steps it is asked whether there is time left.
_OFTEN: Final = 256


class Decision(Record):
    """Whether bad configurations can be reached; None where that is open, and `reason` says why.

    `smallest` are the populations with which they can, in the order of the templates: all the minimal ones
    where they are `exact`. `run` has been replayed, and `facts` are all that it takes of the relations. For
    knowledge there are two runs, and `self` is the first agent of both.
    """

    reached: bool | None
    method: str
    smallest: tuple[Population, ...] = ()
    exact: bool = False
    run: OpenRun | None = None
    other: OpenRun | None = None
    facts: tuple[tuple[Place, Value], ...] = ()
    invariant: Invariant | None = None
    reason: str = ""
    steps: int = 0


def decide_safety(program: Program, bad: Condition, budget: Budget) -> Decision:
    """Return whether any number of agents can reach a bad configuration."""
    if not has_start(program):
        return Decision(False, "no initial configuration")
    goals = program.goal(bad)
    if is_for(program):
        return _by_saturation(program, goals, bad, budget)
    search = Search(program, goals, budget)
    reached = search.run(spare=_SPARE)
    method = "backward search" if program.is_exact else "backward search, over-approximated"
    if not reached:
        return Decision(False, method, invariant=of_search(search), steps=search.count)
    if not program.is_exact:
        return _confirm(program.system, search, bad, budget)
    run = shortened(program.system, _smallest_run(search), bad)
    return _reached(program.system, run, bad, search, method)


def has_start(program: Program) -> bool:
    """Return whether there is an initial configuration at all."""
    initial = program.initial
    return bool(initial[ENVIRONMENT]) and all(
        initial[part.name] or not part.low for part in program.system.templates
    )


def _smallest_run(search: Search) -> OpenRun:
    _, demand = min(search.hits, key=lambda hit: (sum(hit[0]), hit[1].depth))
    run = search.witness(demand)
    return with_least(search.program.system, run)


def with_least(system: OpenSystem, run: OpenRun) -> OpenRun:
    """Return a run with as many agents as there are at least."""
    return with_idle(system, run, {part.name: part.low for part in system.templates})


def _reached(
    system: OpenSystem, run: OpenRun, bad: Condition, search: Search, method: str
) -> Decision:
    ordered = in_order(system, run)
    if not reaches(system, ordered, bad):
        msg = "a run that was found cannot be replayed"
        raise AssertionError(msg)
    smallest = tuple(sorted(population for population, _ in search.hits))
    return Decision(
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
    program: Program, goals: tuple[Cube, ...], bad: Condition, budget: Budget
) -> Decision:
    system = program.system
    search = Saturation(program, goals, budget)
    if not search.run():
        return Decision(False, "saturation", invariant=of_saturation(search), steps=search.count)
    assert search.hit is not None
    run = shortened(system, with_least(system, from_saturation(search, *search.hit)), bad)
    counting = Search(program, goals, budget, most=_COUNTED)
    try:
        counting.run(spare=_COUNTED)
    except LimitReached:
        budget.check()  # if the time is over, that is the reason
    if counting.hits:
        fewest = _smallest_run(counting)
        if (len(fewest.members), len(fewest.events)) < (len(run.members), len(run.events)):
            run = shortened(system, fewest, bad)
    decision = replace(_reached(system, run, bad, counting, "saturation"), steps=search.count)
    if counting.hits:
        return decision
    population = tuple(run.members.count(name) for name in program.names)
    return replace(decision, smallest=(population,))


# Where guards speak of every agent


def _confirm(system: OpenSystem, search: Search, bad: Condition, budget: Budget) -> Decision:
    """Return whether what an over-approximation reaches can be reached: by its runs, or with few agents."""
    method = "backward search, over-approximated"
    for _, demand in sorted(search.hits, key=lambda hit: sum(hit[0])):
        run = with_least(system, search.witness(demand))
        if reaches(system, run, bad):
            return _confirmed(system, run, bad, search.count)
    facts = dict(search.witness(search.hits[0][1]).facts)
    for population in _populations(system, _MOST_AGENTS):
        found = _explored(system, population, facts, bad, budget)
        if found is not None:
            return _confirmed(system, found, bad, search.count)
    agents = min(sum(population) for population, _ in search.hits)
    reason = (
        f"an over-approximation of `forall` reaches it with {agents} agents, but that run is none, and up to "
        f"{_MOST_AGENTS} agents do not (with the facts of that run)"
    )
    return Decision(None, method, reason=reason, steps=search.count)


def _confirmed(system: OpenSystem, run: OpenRun, bad: Condition, steps: int) -> Decision:
    ordered = in_order(system, run)
    population = tuple(ordered.members.count(part.name) for part in system.templates)
    return Decision(
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
    facts: dict[Place, Value],
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
    facts: dict[Place, Value],
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


# Knowledge


def decide_knowledge(program: Program, query: Knowledge, budget: Budget) -> Decision:
    """Return whether an agent can be where it does not know: two configurations that look alike to it."""
    if not has_start(program):
        return Decision(False, "no initial configuration")
    name = query.template
    when, doubt = program.goal(query.when, name), program.goal(query.doubt, name)
    classes = _views(program, name)
    if not program.is_exact:
        reason = "knowledge is not decided where guards speak of every agent"
        return Decision(None, "saturation", reason=reason)
    if is_for(program):
        return _knowledge_by_saturation(program, query, (when, doubt), classes, budget)
    steps = 0
    space = program.spaces[name]
    for state in _listed(space, program.within[name]):
        for seen in classes.values():
            found: list[OpenRun] = []
            for cubes in (when, doubt):
                goals = tuple(
                    replace(cube, environment=cube.environment & seen)
                    for cube in cubes
                    if cube.own >> state & 1 and cube.environment & seen
                )
                search = Search(program, goals, budget, own=(name, space.only(state)))
                if not goals or not search.run():
                    steps += search.count
                    break
                steps += search.count
                found.append(_smallest_run(search))
            if len(found) == 2:
                return _doubtful(program.system, query, found, "backward search", steps)
    return Decision(False, "backward search", steps=steps)


def _listed(space: Space, states: int) -> Iterator[int]:
    """Yield the states of a set, if it is one that can be listed."""
    if not isinstance(states, int):
        msg = f"the views of an agent of `{space.part.name}` are too many to be gone through"
        raise LimitReached(msg)
    yield from bits(states)


def _views(program: Program, name: str) -> dict[tuple[Value, ...], int]:
    """Return the environment's states by what agents of a template see of them."""
    space = program.spaces[ENVIRONMENT]
    classes: dict[tuple[Value, ...], int] = {(): program.within[ENVIRONMENT]}
    for variable in program.system.part[name].sees:
        classes = {
            (*seen, value): there
            for seen, among in classes.items()
            for value, there in space.classes(variable, among)
        }
    return classes


def _knowledge_by_saturation(
    program: Program,
    query: Knowledge,
    cubes: tuple[tuple[Cube, ...], tuple[Cube, ...]],
    classes: dict[tuple[Value, ...], int],
    budget: Budget,
) -> Decision:
    search = Saturation(program, (*cubes[0], *cubes[1]), budget)
    search.run(everything=True)
    template = search.number[query.template]
    found: list[dict[tuple[Value, ...], int]] = [{}, {}]
    for layer in search.layers:
        for side, goals in enumerate(cubes):
            for cube in goals:
                here = cube.own & layer.occupied[template]
                if not here or not search.holds(cube, layer):
                    continue
                for seen, there in classes.items():
                    if layer.states & cube.environment & there:
                        found[side][seen] = found[side].get(seen, 0) | here
    for seen, here in found[0].items():
        both = here & found[1].get(seen, 0)
        if both:
            own = (query.template, program.spaces[query.template].first(both))
            runs = [_run_to(search, goals, own, classes[seen]) for goals in cubes]
            return _doubtful(program.system, query, runs, "saturation", search.count)
    return Decision(False, "saturation", steps=search.count)


def _run_to(
    search: Saturation, goals: tuple[Cube, ...], own: tuple[str, int], seen: int
) -> OpenRun:
    """Return a run that brings an agent where a goal holds and it sees what it has to see."""
    template = search.number[own[0]]
    for layer in search.layers:
        for cube in goals:
            there = layer.states & cube.environment & seen
            here = cube.own & layer.occupied[template]
            if there and here >> own[1] & 1 and search.holds(cube, layer):
                found = Found(layer, search.space.first(there))
                return from_saturation(search, found, cube, own)
    msg = "a configuration that was found is gone"
    raise AssertionError(msg)


def _doubtful(
    system: OpenSystem, query: Knowledge, runs: list[OpenRun], method: str, steps: int
) -> Decision:
    view = _view(system, query.template, (replayed(system, runs[0]) or [runs[0].start])[-1])
    short = [
        shortened(system, run, And((goal, view)), keep=True)
        for run, goal in zip(runs, (query.when, query.doubt), strict=True)
    ]
    wanted = {
        part.name: max(part.low, *(run.members.count(part.name) for run in short))
        for part in system.templates
    }
    alike = [with_idle(system, run, wanted) for run in short]
    for run, goal in zip(alike, (query.when, query.doubt), strict=True):
        if not reaches(system, run, goal, 0):
            msg = "a run that was found cannot be replayed"
            raise AssertionError(msg)
    first, second = (in_order(system, run, keep=True) for run in alike)
    ends = [(replayed(system, run) or [])[-1] for run in (first, second)]
    if not looks_alike(system, query.template, ends[0], ends[1]):
        msg = "two configurations that were found do not look alike"
        raise AssertionError(msg)
    population = tuple(first.members.count(part.name) for part in system.templates)
    facts = tuple(
        sorted(
            {
                *needed_facts(system, first, query.when, 0),
                *needed_facts(system, second, query.doubt, 0),
            },
            key=repr,
        )
    )
    return Decision(True, method, (population,), False, first, second, facts, steps=steps)


def _view(system: OpenSystem, template: str, now: Configuration) -> Condition:
    """Return that the first agent sees what it sees in a configuration."""
    part = system.part[template]
    own = {
        variable.name: value for variable, value in zip(part.variables, now.agents[0], strict=True)
    }
    seen = {name: now.environment[system.position[ENVIRONMENT, name]] for name in part.sees}
    return And(
        tuple(
            Holds(Compare("=", Read(index, name), Literal(value)))
            for index, values in ((SELF, own), (ENVIRONMENT, seen))
            for name, value in values.items()
        )
    )


def looks_alike(
    system: OpenSystem, template: str, one: Configuration, other: Configuration
) -> bool:
    """Return whether the first agent sees the same in two configurations."""
    seen = [system.position[ENVIRONMENT, name] for name in system.part[template].sees]
    return one.agents[0] == other.agents[0] and all(
        one.environment[position] == other.environment[position] for position in seen
    )
