"""How one state follows another: the joint action and the evolution lines, by the reference."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from gnomon.certificate.listed_states import ways_to
from gnomon.model.agent import Agent
from gnomon.model.evidence import Run, Step
from gnomon.model.expression import actors
from gnomon.model.step import JointAction, State, completions, enabled_actions
from gnomon.model.system import System

Lines = tuple[tuple[int, ...], ...]

_NO_MOVE: Final = "no move leads from the one state to the other"


def find_move(
    system: System, source: State, target: State, chosen: Mapping[str, str] | None = None
) -> tuple[JointAction, Lines]:
    """Return a joint action, and the lines each agent used, that lead from `source` to `target`.

    Some agents may have chosen what they do.

    The actions are chosen agent by agent. An agent's next local state is known, so it is checked as
    soon as the actions it looks at are chosen; the product of all actions is never gone through.
    """
    if system.interleaved:
        return _find_event(system, source, target, chosen or {})
    order, ready = _schedule(system)
    enabled = {agent.name: enabled_actions(system, agent, source) for agent in system.agents}
    enabled.update({name: (action,) for name, action in (chosen or {}).items()})
    joint = {name: actions[0] for name, actions in enabled.items() if actions}
    open_choices = [iter(enabled[order[0].name])] if len(joint) == len(order) else []
    while open_choices:
        place = len(open_choices) - 1
        action = next(open_choices[-1], None)
        if action is None:
            open_choices.pop()
            continue
        joint[order[place].name] = action
        actions = tuple([joint[agent.name] for agent in system.agents])
        ways = [ways_to(system, agent, source, actions, target) for agent in ready[place]]
        if not all(ways):
            continue
        if len(open_choices) == len(order):
            ways = [ways_to(system, agent, source, actions, target) for agent in system.agents]
            return actions, tuple(lines[0] for lines in ways)
        open_choices.append(iter(enabled[order[place + 1].name]))
    raise ValueError(_NO_MOVE)


def _find_event(
    system: System, source: State, target: State, chosen: Mapping[str, str]
) -> tuple[JointAction, Lines]:
    """Return an event that leads from `source` to `target`, and the lines of those who take part."""
    for actions in completions(system, source, chosen):
        ways = [ways_to(system, agent, source, actions, target) for agent in system.agents]
        if all(ways):
            return actions, tuple(lines[0] for lines in ways)
    raise ValueError(_NO_MOVE)


def _schedule(system: System) -> tuple[list[Agent], list[list[Agent]]]:
    """Return the order of choosing, the most watched first, and who can be checked after whom."""
    needs = {agent.name: {agent.name, *_watched(agent)} for agent in system.agents}
    order = sorted(
        system.agents, key=lambda agent: -sum(agent.name in names for names in needs.values())
    )
    places = {agent.name: place for place, agent in enumerate(order)}
    ready: list[list[Agent]] = [[] for _ in order]
    for agent in system.agents:
        ready[max(places[name] for name in needs[agent.name])].append(agent)
    return order, ready


def _watched(agent: Agent) -> frozenset[str]:
    names: frozenset[str] = frozenset()
    for line in agent.evolution:
        names |= actors(line.guard)
        for assignment in line.assignments:
            names |= actors(assignment.value)
    return names


def run_through(system: System, states: list[State], loop: int | None = None) -> Run:
    """Return the run through some states, with the moves between them."""
    steps = [Step(states[0])]
    for source, target in pairwise(states):
        steps.append(Step(target, *find_move(system, source, target)))
    back = None
    if loop is not None:
        back = Step(states[loop], *find_move(system, states[-1], states[loop]))
    return Run(tuple(steps), loop, back)
