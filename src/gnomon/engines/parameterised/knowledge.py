"""Whether an agent can be where it does not know: two configurations that look alike to it."""

from collections.abc import Iterator

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.backward_run import smallest_run
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube
from gnomon.engines.parameterised.decision import NO_START, PopulationDecision
from gnomon.engines.parameterised.layers import Reached
from gnomon.engines.parameterised.local_sets import LocalSet, bits, first
from gnomon.engines.parameterised.local_space import LocalSpace
from gnomon.engines.parameterised.needed_facts import needed_facts
from gnomon.engines.parameterised.run import OpenRun, in_order, reaches, replayed, with_idle
from gnomon.engines.parameterised.saturation import Saturation, is_for
from gnomon.engines.parameterised.saturation_run import from_saturation
from gnomon.engines.parameterised.shortening import shortened
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Datum
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised.condition import SELF, And, Condition, Holds
from gnomon.model.parameterised.query import Knowledge
from gnomon.model.parameterised.step import Configuration
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace


def decide_knowledge(
    program: CompiledPopulation, query: Knowledge, budget: Budget
) -> PopulationDecision:
    """Return whether an agent can be where it does not know: two configurations that look alike to it."""
    if not program.has_start:
        return PopulationDecision(False, NO_START)
    name = query.template
    when, doubt = program.goal(query.when, name), program.goal(query.doubt, name)
    classes = _views(program, name)
    if not program.is_exact:
        reason = "knowledge is not decided where guards speak of every agent"
        return PopulationDecision(None, "saturation", reason=reason)
    if is_for(program):
        return _knowledge_by_saturation(program, query, (when, doubt), classes, budget)
    steps = 0
    asked: dict[tuple[Datum, ...], LocalSet] = {}
    space = program.spaces[name]
    for state in _listed(space, program.within[name]):
        for view, seen in classes.items():
            found: list[OpenRun] = []
            for cubes in (when, doubt):
                goals = tuple(
                    replace(cube, environment=cube.environment & seen)
                    for cube in cubes
                    if cube.own >> state & 1 and cube.environment & seen
                )
                search = BackwardSearch(program, goals, budget, own=(name, space.only(state)))
                if not goals or not search.run():
                    steps += search.count
                    break
                steps += search.count
                found.append(smallest_run(search))
            if found:
                asked[view] = asked.get(view, 0) | space.only(state)
            if len(found) == 2:
                return _doubtful(program.system, query, found, "backward search", steps)
    return PopulationDecision(False, "backward search", steps=steps, cut=(asked,))


def _listed(space: LocalSpace, states: LocalSet) -> Iterator[int]:
    """Yield the states of a set, if it is one that can be listed."""
    if not isinstance(states, int):
        msg = f"the views of an agent of `{space.part.name}` are too many to be gone through"
        raise LimitReached(msg)
    yield from bits(states)


def _views(program: CompiledPopulation, name: str) -> dict[tuple[Datum, ...], LocalSet]:
    """Return the environment's states by what agents of a template see of them."""
    space = program.spaces[ENVIRONMENT]
    classes: dict[tuple[Datum, ...], LocalSet] = {(): program.within[ENVIRONMENT]}
    for variable in program.system.part[name].sees:
        classes = {
            (*seen, value): there
            for seen, among in classes.items()
            for value, there in space.classes(variable, among)
        }
    return classes


def _knowledge_by_saturation(
    program: CompiledPopulation,
    query: Knowledge,
    cubes: tuple[tuple[AgentCube, ...], tuple[AgentCube, ...]],
    classes: dict[tuple[Datum, ...], LocalSet],
    budget: Budget,
) -> PopulationDecision:
    search = Saturation(program, (*cubes[0], *cubes[1]), budget)
    search.run(everything=True)
    template = search.number[query.template]
    found: list[dict[tuple[Datum, ...], LocalSet]] = [{}, {}]
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
            own = (query.template, first(both))
            runs = [_run_to(search, goals, own, classes[seen]) for goals in cubes]
            return _doubtful(program.system, query, runs, "saturation", search.count)
    return PopulationDecision(False, "saturation", steps=search.count, cut=(found[0],))


def _run_to(
    search: Saturation, goals: tuple[AgentCube, ...], own: tuple[str, int], seen: LocalSet
) -> OpenRun:
    """Return a run that brings an agent where a goal holds and it sees what it has to see."""
    template = search.number[own[0]]
    for layer in search.layers:
        for cube in goals:
            there = layer.states & cube.environment & seen
            here = cube.own & layer.occupied[template]
            if there and here >> own[1] & 1 and search.holds(cube, layer):
                found = Reached(layer, first(there))
                return from_saturation(search.program, found, cube, own)
    msg = "a configuration that was found is gone"
    raise AssertionError(msg)


def _doubtful(
    system: OpenSystem, query: Knowledge, runs: list[OpenRun], method: str, steps: int
) -> PopulationDecision:
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
    one, other = (in_order(system, run, keep=True) for run in alike)
    ends = [(replayed(system, run) or [])[-1] for run in (one, other)]
    if not looks_alike(system, query.template, ends[0], ends[1]):
        msg = "two configurations that were found do not look alike"
        raise AssertionError(msg)
    population = tuple(one.members.count(part.name) for part in system.templates)
    facts = tuple(
        sorted(
            {
                *needed_facts(system, one, query.when, 0),
                *needed_facts(system, other, query.doubt, 0),
            },
            key=repr,
        )
    )
    return PopulationDecision(True, method, (population,), False, one, other, facts, steps=steps)


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
