"""Runs of a population as those of any system, and how many agents it has, in words."""

from typing import Any, Final

from gnomon.engines.parameterised.run import OpenRun, replayed
from gnomon.model.agent import IDLE
from gnomon.model.evidence import Run, Step
from gnomon.model.parameterised.step import Completed, Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem

#: The value of the variables of an agent who is not there: the populations of two runs may differ.
ABSENT: Final = "–"


def among(system: OpenSystem, run: OpenRun, members: tuple[str, ...]) -> Run:
    """Return a run as one of these agents, in the order of their templates, of whom some may be absent."""
    there = [name for part in system.templates for name in run.members if name == part.name]
    assert list(run.members) == there
    taken = [members[:n].count(name) < there.count(name) for n, name in enumerate(members)]
    shown = run_of(system, run)
    return Run(tuple(_among(system, step, members, taken) for step in shown.steps))


def _among(system: OpenSystem, step: Step, members: tuple[str, ...], taken: list[bool]) -> Step:
    own = len(system.environment.variables)
    values, rest = list(step.state[:own]), list(step.state[own:])
    actions = None if step.actions is None else list(step.actions[:1])
    lines = list(step.lines[:1])
    number = 0
    for name, there in zip(members, taken, strict=True):
        size = len(system.part[name].variables)
        values += rest[:size] if there else [ABSENT] * size
        rest = rest[size:] if there else rest
        number += there
        if actions is not None and step.actions is not None:
            actions.append(step.actions[number] if there else IDLE)
            lines.append(step.lines[number] if there else ())
    return Step(tuple(values), None if actions is None else tuple(actions), tuple(lines))


def crowd(system: OpenSystem, run: OpenRun) -> str:
    """Return how many agents there are, in words."""
    counts = {part.name: run.members.count(part.name) for part in system.templates}
    parts = [f"{number} {name}" for name, number in counts.items() if number]
    if not parts:
        return "the environment alone"
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)


def run_of(system: OpenSystem, run: OpenRun) -> Run:
    """Return a run of a population as one of its agents, for all that shows runs."""
    configurations = replayed(system, run)
    assert configurations is not None
    steps = [Step(_flat(configurations[0]))]
    world = World(system, run.members, Completed(system, dict(run.facts)))
    for before, event, after in zip(configurations, run.events, configurations[1:], strict=False):
        lines = tuple(
            world.lines(number, action, before)
            for number, action in ((None, event.environment), *enumerate(event.agents))
        )
        steps.append(Step(_flat(after), _joint(event), lines))
    return Run(tuple(steps))


def _flat(now: Configuration) -> tuple[Any, ...]:
    return tuple(value for local in (now.environment, *now.agents) for value in local)


def _joint(event: Event) -> tuple[str, ...]:
    return tuple(
        IDLE if action is None else action for action in (event.environment, *event.agents)
    )
