"""From what a search found to a run of a definite number of agents, replayed and cut short."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from gnomon.engines.parameterised.cubes import Agents, Cube
from gnomon.engines.parameterised.facts import Literals
from gnomon.engines.parameterised.forward import Doing, Found, Saturation
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Value
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import (
    Completed,
    Configuration,
    Event,
    Facts,
    Place,
    World,
    is_initial,
)
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record, replace

#: A run is cut short as long as that takes no more than so many steps of replay.
_MOST_REPLAYED: Final = 5_000


class OpenRun(Record):
    """A population (the template of each agent), the facts, where it starts and what happens."""

    members: tuple[str, ...]
    facts: tuple[tuple[Place, Value], ...]
    start: Configuration
    events: tuple[Event, ...]


def replayed(
    system: OpenSystem, run: OpenRun, facts: Facts | None = None
) -> list[Configuration] | None:
    """Return the configurations of a run, or None where it is none."""
    world = World(
        system, run.members, Completed(system, dict(run.facts)) if facts is None else facts
    )
    now = run.start
    if not is_initial(system, ENVIRONMENT, now.environment):
        return None
    if not all(map(lambda name, local: is_initial(system, name, local), run.members, now.agents)):
        return None
    found = [now]
    for event in run.events:
        after = world.step(event, now)
        if after is None:
            return None
        now = after
        found.append(now)
    return found


def reaches(
    system: OpenSystem,
    run: OpenRun,
    goal: Condition,
    who: int | None = None,
    facts: Facts | None = None,
) -> bool:
    """Return whether a run is one, and ends where a condition holds; `who` is `self` in it."""
    configurations = replayed(system, run, facts)
    if configurations is None:
        return False
    known = Completed(system, dict(run.facts)) if facts is None else facts
    world = World(system, run.members, known)
    named = {ENVIRONMENT: None, SELF: who}
    return world.holds(goal, configurations[-1], named) is True


# From saturation


class _Agent:
    __slots__ = ("actions", "state", "template")

    def __init__(self, template: int, state: int) -> None:
        self.template = template
        self.state = state
        self.actions: dict[int, str] = {}


def from_saturation(
    search: Saturation, node: Found, goal: Cube, own: tuple[str, int] | None = None
) -> OpenRun:
    """Return a run to a goal, found backwards: who is needed, and from where each came.

    `own` is an agent that the goal calls `self`, by its template and state; it is the first agent then.
    """
    stages = search.path(node)
    program = search.program
    agents: list[_Agent] = []
    facts: set[int] = set(node.facts) | set(goal.facts)
    if own is not None:
        agents.append(_Agent(search.number[own[0]], own[1]))
    _demand(search, agents, goal.others, node.occupied, range(1) if own else ())
    for number in range(len(stages) - 1, -1, -1):
        stage = stages[number]
        moving: dict[int, tuple[int, Cube, str]] = {}
        for index, agent in enumerate(agents):
            if stage.occupied[agent.template] >> agent.state & 1:
                continue  # it may have been there before
            for doing in stage.doings:
                space = program.spaces[search.names[doing.template]]
                if doing.template != agent.template:
                    continue
                source = space.preimage(doing.act.pieces, space.only(agent.state)) & doing.source
                if source:
                    moving[index] = (space.first(source), doing.cube, doing.act.name)
                    break
        shared = stage.environment is not None and stage.environment.name in program.system.sync
        if not moving and stage.before == stage.after:
            continue
        if not moving and shared:
            index, move = _join(search, agents, stage.doings)
            moving[index] = move
        for index, (state, _, name) in moving.items():
            agents[index].state = state
            agents[index].actions[number] = name
        if stage.cube is not None:
            facts |= stage.cube.facts
            _demand(search, agents, stage.cube.others, stage.occupied, ())
        for index, (_, cube, _) in list(moving.items()):
            facts |= cube.facts
            _demand(search, agents, cube.others, stage.occupied, (index,))
    return _finished(search, agents, frozenset(facts), node)


def _demand(
    search: Saturation,
    agents: list[_Agent],
    wanted: Agents,
    occupied: tuple[int, ...],
    taken: Iterable[int],
) -> None:
    """See to it that there are different agents for all that is wanted."""
    used = set(taken)
    for name, mask in wanted:
        template = search.number[name]
        there = mask & occupied[template]
        for index, agent in enumerate(agents):
            if index not in used and agent.template == template and there >> agent.state & 1:
                used.add(index)
                break
        else:
            used.add(len(agents))
            space = search.program.spaces[name]
            agents.append(_Agent(template, space.first(there)))


def _join(
    search: Saturation, agents: list[_Agent], doings: tuple[Doing, ...]
) -> tuple[int, tuple[int, Cube, str]]:
    """Return an agent that takes part in a synchronised action, one that is there already if possible."""
    for doing in doings:
        space = search.program.spaces[search.names[doing.template]]
        for index, agent in enumerate(agents):
            if agent.template == doing.template:
                source = space.preimage(doing.act.pieces, space.only(agent.state)) & doing.source
                if source:
                    return index, (space.first(source), doing.cube, doing.act.name)
    doing = doings[0]
    space = search.program.spaces[search.names[doing.template]]
    source = space.first(doing.source)
    after = space.image(doing.act.pieces, space.only(source))
    agents.append(_Agent(doing.template, space.first(after)))
    return len(agents) - 1, (source, doing.cube, doing.act.name)


def _finished(search: Saturation, agents: list[_Agent], facts: Literals, node: Found) -> OpenRun:
    program, stages = search.program, search.path(node)
    spaces = [program.spaces[name] for name in search.names]
    start = Configuration(
        program.spaces[ENVIRONMENT].state(search.start(node)),
        tuple(spaces[agent.template].state(agent.state) for agent in agents),
    )
    events: list[Event] = []
    for number, stage in enumerate(stages):
        own = None if stage.environment is None else stage.environment.name
        joint = tuple(agent.actions.get(number) for agent in agents)
        idle = not any(joint)
        if idle and (stage.before == stage.after or own is None):
            continue
        events.append(Event(own, joint))
    members = tuple(search.names[agent.template] for agent in agents)
    known = tuple(sorted(program.facts.interpretation(facts).items(), key=repr))
    return OpenRun(members, known, start, tuple(events))


# Shorter, and with fewer agents


def shortened(system: OpenSystem, run: OpenRun, goal: Condition, *, keep: bool = False) -> OpenRun:
    """Return a run without the agents and steps that it can do without; `keep` the first agent."""
    shorter = _Shortening(system, goal, 0 if keep else None)
    changed = True
    while changed and shorter.work < _MOST_REPLAYED:
        fewer_steps = shorter.steps(run)
        fewer = shorter.agents(fewer_steps)
        changed, run = fewer != run, fewer
    return run


class _Shortening:
    """Leaves out what a run can do without, as long as that does not take too long."""

    def __init__(self, system: OpenSystem, goal: Condition, who: int | None) -> None:
        self.system = system
        self.goal = goal
        self.who = who
        self.work = 0

    def steps(self, run: OpenRun) -> OpenRun:
        """Try to leave out each step, the last ones first; what came before it need not be replayed."""
        world = World(self.system, run.members, Completed(self.system, dict(run.facts)))
        past = replayed(self.system, run)
        assert past is not None
        events = list(run.events)
        for index in range(len(events) - 1, -1, -1):
            rest = self._replayed(world, past[index], events[index + 1 :])
            if rest is not None:
                events[index:] = rest
        return replace(run, events=tuple(events))

    def _replayed(
        self, world: World, now: Configuration, events: list[Event]
    ) -> list[Event] | None:
        """Return the events that lead from a configuration to the goal, all taking part who must."""
        found: list[Event] = []
        for event in events:
            self.work += 1
            tidy = _with_all(world, event, now)
            after = world.step(tidy, now) if self.work < _MOST_REPLAYED else None
            if after is None:
                return None
            now = after
            found.append(tidy)
        holds = world.holds(self.goal, now, {ENVIRONMENT: None, SELF: self.who})
        return found if holds is True else None

    def agents(self, run: OpenRun) -> OpenRun:
        """Try to leave out each agent, or to let another one do its part."""
        least = {part.name: part.low for part in self.system.templates}
        for index in range(len(run.members) - 1, -1 if self.who is None else 0, -1):
            if run.members.count(run.members[index]) <= least[run.members[index]]:
                continue
            for smaller in (_without(run, index), *_in_place_of(run, index)):
                world = World(self.system, smaller.members, Completed(self.system, dict(run.facts)))
                events = self._replayed(world, smaller.start, list(smaller.events))
                if events is not None:
                    run = replace(smaller, events=tuple(events))
                    break
        return run


def _with_all(world: World, event: Event, now: Configuration) -> Event:
    """Return an event with everybody in it who must take part."""
    name = event.environment
    if name is None or world.system.sync.get(name) != "all":
        return event
    able = [world.can(agent, name, now) for agent in range(len(world.members))]
    return Event(name, tuple(name if each else None for each in able))


def with_everyone(system: OpenSystem, run: OpenRun) -> OpenRun:
    """Return a run in which all take part who must, as far as it is one."""
    if "all" not in system.sync.values():
        return run
    world = World(system, run.members, Completed(system, dict(run.facts)))
    now = run.start
    events: list[Event] = []
    for number, given in enumerate(run.events):
        event = _with_all(world, given, now)
        after = world.step(event, now)
        if after is None:
            return replace(run, events=(*events, *run.events[number:]))
        now = after
        events.append(event)
    return replace(run, events=tuple(events))


def _in_place_of(run: OpenRun, index: int) -> Iterator[OpenRun]:
    """Yield runs in which another agent, idle meanwhile, does what an agent does."""
    for other, name in enumerate(run.members):
        if other == index or name != run.members[index]:
            continue
        events: list[Event] = []
        for event in run.events:
            mine, theirs = event.agents[index], event.agents[other]
            if None not in {mine, theirs} and mine != theirs:
                break
            agents = list(event.agents)
            agents[other] = mine if theirs is None else theirs
            events.append(replace(event, agents=tuple(agents)))
        else:
            yield _without(replace(run, events=tuple(events)), index)


def _without(run: OpenRun, index: int) -> OpenRun:
    events = tuple(
        replace(event, agents=event.agents[:index] + event.agents[index + 1 :])
        for event in run.events
    )
    kept = tuple(event for event in events if event.environment is not None or any(event.agents))
    agents = run.start.agents[:index] + run.start.agents[index + 1 :]
    start = replace(run.start, agents=agents)
    members = run.members[:index] + run.members[index + 1 :]
    return replace(run, members=members, start=start, events=kept)


def with_idle(system: OpenSystem, run: OpenRun, wanted: dict[str, int]) -> OpenRun:
    """Return a run with more agents, who do no more than they must, until there are as many as wanted."""
    members, agents, events = list(run.members), list(run.start.agents), list(run.events)
    for part in system.templates:
        missing = max(0, wanted.get(part.name, 0) - members.count(part.name))
        if not missing:
            continue
        local = next(World(system, (part.name,), {}).initial_of(part.name))
        members += [part.name] * missing
        agents += [local] * missing
        events = [replace(event, agents=(*event.agents, *[None] * missing)) for event in events]
    start = replace(run.start, agents=tuple(agents))
    longer = replace(run, members=tuple(members), start=start, events=tuple(events))
    return with_everyone(system, longer)


def in_order(system: OpenSystem, run: OpenRun, *, keep: bool = False) -> OpenRun:
    """Return a run with the agents in the order of their templates; `keep` the first where it is."""
    names = [part.name for part in system.templates]
    order = sorted(
        range(len(run.members)),
        key=lambda n: (not (keep and n == 0), names.index(run.members[n]), n),
    )
    return OpenRun(
        tuple(run.members[n] for n in order),
        run.facts,
        replace(run.start, agents=tuple(run.start.agents[n] for n in order)),
        tuple(replace(event, agents=tuple(event.agents[n] for n in order)) for event in run.events),
    )


# Which facts it takes


class _Asked:
    """Facts that remember which of them were asked for."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.asked: set[Place] = set()

    def get(self, place: Place, /) -> Value | None:
        self.asked.add(place)
        return self._facts.get(place)


def needed_facts(
    system: OpenSystem, run: OpenRun, goal: Condition, who: int | None = None
) -> tuple[tuple[Place, Value], ...]:
    """Return facts with which the run is one whatever else holds, as far as each condition tells by itself.

    None of them can be left out, unless a condition holds both with and without one. Where the run is long,
    each is needed at some step, given those before it.
    """
    everything = Completed(system, dict(run.facts))
    world = World(system, run.members, everything)
    needed: dict[Place, Value] = {}
    now = run.start
    for event in run.events:
        _need(system, run.members, needed, everything, lambda w, n=now, e=event: w.step(e, n))  # type: ignore[misc]
        after = world.step(event, now)
        assert after is not None
        now = after
    named = {ENVIRONMENT: None, SELF: who}
    _need(system, run.members, needed, everything, lambda w: w.holds(goal, now, named) or None)
    if len(needed) * len(run.events) <= _MOST_REPLAYED:
        for place in sorted(needed, key=repr):
            fewer = {key: value for key, value in needed.items() if key != place}
            if reaches(system, run, goal, who, fewer):
                needed = fewer
    return tuple(sorted(needed.items(), key=repr))


def _need(
    system: OpenSystem,
    members: tuple[str, ...],
    needed: dict[Place, Value],
    everything: Facts,
    happens: Callable[[World], object],
) -> None:
    """Add the facts without which something does not happen."""
    if happens(World(system, members, needed)) is not None:
        return
    known = dict(needed)
    while True:
        # What is asked for may depend on what was answered.
        told = _Asked(known)
        if happens(World(system, members, told)) is not None or told.asked <= known.keys():
            break
        known.update({place: everything.get(place) for place in told.asked})  # type: ignore[misc]
    for place in sorted(set(known) - set(needed), key=repr):
        fewer = {key: value for key, value in known.items() if key != place}
        if happens(World(system, members, fewer)) is not None:
            known = fewer
    needed.update(known)
