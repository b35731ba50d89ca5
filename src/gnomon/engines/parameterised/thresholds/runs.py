"""Numbers that a solver found, as a run of agents."""

from collections.abc import Mapping
from typing import NamedTuple

from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.thresholds.automaton import ThresholdAutomaton
from gnomon.engines.parameterised.thresholds.schema import Schema
from gnomon.engines.solvers.whole_numbers import NumberName
from gnomon.model.parameterised.given import given
from gnomon.model.parameterised.step import Configuration, Event, World


class ParameterRun(NamedTuple):
    """A run for some values of the parameters, and where its loop begins, if it has one."""

    parameters: tuple[tuple[str, int], ...]
    run: OpenRun
    loop: int | None


def written_out(schema: Schema, numbers: Mapping[NumberName, int], *, ends: bool) -> ParameterRun:
    """Return the run in which so many agents take each rule, one rule after the other.

    If it `ends`, all who can do something that changes nothing do so for ever after.
    """
    automaton = schema.automaton
    at = [start.location for start in schema.starts for _ in range(numbers.get(start.agents, 0))]
    # The agent that is told apart comes first, then the templates in their order.
    names = [part.name for part in automaton.system.templates]
    at.sort(
        key=lambda place: (
            not automaton.locations[place].own,
            names.index(automaton.locations[place].template),
            place,
        )
    )
    members = tuple(automaton.locations[place].template for place in at)
    start = _configuration(automaton, at)
    events: list[Event] = []
    for rule, name in schema.taken:
        left = numbers.get(name, 0)
        actions: list[str | None] = [None] * len(at)
        for agent, place in enumerate(at):
            if left and place == rule.source:
                actions[agent] = rule.action
                at[agent] = rule.target
                left -= 1
        if any(actions):
            events.append(Event(None, tuple(actions)))
    values = {name: numbers.get(name, 0) for name in automaton.system.parameters}
    loop = None
    if ends:
        world = World(given(automaton.system, values), members, {})
        around = _waiting(world, automaton, at)
        if any(around):
            loop = len(events)
            events.append(Event(None, around))
    run = OpenRun(members, (), start, tuple(events))
    return ParameterRun(tuple(values.items()), run, loop)


def _configuration(automaton: ThresholdAutomaton, at: list[int]) -> Configuration:
    agents = tuple(automaton.locations[place].local for place in at)
    return Configuration(automaton.environment, agents)


def _waiting(world: World, automaton: ThresholdAutomaton, at: list[int]) -> tuple[str | None, ...]:
    """Return for each agent what it can do that changes nothing."""
    now = _configuration(automaton, at)
    return tuple(
        next(
            (
                action
                for action in world.system.part[name].local
                if world.can(agent, action, now)
                and world.after(agent, action, now) == now.agents[agent]
            ),
            None,
        )
        for agent, name in enumerate(world.members)
    )
