"""Runs of a definite number of agents, replayed by the reference semantics."""

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum
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


class OpenRun(Record):
    """A population (the template of each agent), the facts, where it starts and what happens."""

    members: tuple[str, ...]
    facts: tuple[tuple[Place, Datum], ...]
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


# More agents, and their order


def with_all(world: World, event: Event, now: Configuration) -> Event:
    """Return an event with everybody in it who must take part."""
    name, system = event.environment, world.system
    if name is None or (system.sync.get(name) != "all" and name not in system.followed_by):
        return event
    leading = [action == name for action in event.agents]
    if system.sync[name] == "all":
        leading = [bool(world.can(agent, name, now)) for agent in range(len(world.members))]
    return world.led(name, leading, now)


def without_followers(system: OpenSystem, event: Event) -> Event:
    """Return an event without those who only follow others."""
    followers = system.followed_by.values()
    agents = tuple(None if action in followers else action for action in event.agents)
    return replace(event, agents=agents)


def joint_event(
    world: World, now: Configuration, name: str | None, actions: tuple[tuple[int, str], ...]
) -> Event:
    """Return the event in which the environment and agents do what is given, and all take part who must."""
    doing = dict(actions)
    return with_all(world, Event(name, tuple(map(doing.get, range(len(world.members))))), now)


def with_everyone(system: OpenSystem, run: OpenRun) -> OpenRun:
    """Return a run in which all take part who must, as far as it is one."""
    if not system.broadcast:
        return run
    world = World(system, run.members, Completed(system, dict(run.facts)))
    now = run.start
    events: list[Event] = []
    for number, given in enumerate(run.events):
        event = with_all(world, given, now)
        after = world.step(event, now)
        if after is None:
            return replace(run, events=(*events, *run.events[number:]))
        now = after
        events.append(event)
    return replace(run, events=tuple(events))


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


def with_least(system: OpenSystem, run: OpenRun) -> OpenRun:
    """Return a run with as many agents as there are at least."""
    return with_idle(system, run, {part.name: part.low for part in system.templates})


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
