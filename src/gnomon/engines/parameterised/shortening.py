"""Runs without the agents and steps that they can do without."""

from collections.abc import Iterator
from typing import Final

from gnomon.engines.parameterised.run import OpenRun, replayed, with_all, without_followers
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import Completed, Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: A run is cut short as long as that takes no more than so many steps of replay.
MOST_REPLAYED: Final = 5_000


def shortened(system: OpenSystem, run: OpenRun, goal: Condition, *, keep: bool = False) -> OpenRun:
    """Return a run without the agents and steps that it can do without; `keep` the first agent."""
    shorter = _Shortening(system, goal, 0 if keep else None)
    changed = True
    while changed and shorter.work < MOST_REPLAYED:
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
            tidy = with_all(world, event, now)
            after = world.step(tidy, now) if self.work < MOST_REPLAYED else None
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
            for smaller in (_without(run, index), *self._in_place_of(run, index)):
                world = World(self.system, smaller.members, Completed(self.system, dict(run.facts)))
                events = self._replayed(world, smaller.start, list(smaller.events))
                if events is not None:
                    run = replace(smaller, events=tuple(events))
                    break
        return run

    def _in_place_of(self, run: OpenRun, index: int) -> Iterator[OpenRun]:
        """Yield runs in which another agent, idle meanwhile, does what an agent does."""
        led = [without_followers(self.system, event) for event in run.events]
        for other, name in enumerate(run.members):
            if other == index or name != run.members[index]:
                continue
            events: list[Event] = []
            for event in led:
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
