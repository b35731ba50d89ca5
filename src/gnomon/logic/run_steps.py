"""How one state follows another: the joint action and the evolution lines, by the reference."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from gnomon.certificate.listed_states import ways_to
from gnomon.model.agent import Agent
from gnomon.model.budget import Budget
from gnomon.model.evidence import Run, Step
from gnomon.model.expression import actors
from gnomon.model.step import NO_LIMIT, JointAction, State, completions, enabled_actions
from gnomon.model.system import System

Lines = tuple[tuple[int, ...], ...]

#: So many choices are tried before it is guessed who does nothing.
_FEW: Final = 2_000
_NO_MOVE: Final = "no move leads from the one state to the other"


def find_move(
    system: System,
    source: State,
    target: State,
    chosen: Mapping[str, str] | None = None,
    budget: Budget = NO_LIMIT,
) -> tuple[JointAction, Lines]:
    """Return a joint action, and the lines each agent used, that lead from `source` to `target`.

    Some agents may have chosen what they do. Raises `ValueError` where there is no such move.

    The actions are chosen agent by agent. An agent's next local state is known, so it is checked as
    soon as the actions it looks at are chosen; the product of all actions is never gone through.
    """
    if system.interleaved:
        return _find_event(system, source, target, chosen or {})
    enabled = {agent.name: enabled_actions(system, agent, source) for agent in system.agents}
    enabled.update({name: (action,) for name, action in (chosen or {}).items()})
    if not all(enabled.values()):
        raise ValueError(_NO_MOVE)
    for options, most in ((enabled, _FEW), (_quiet(system, source, target, enabled), None)):
        found = _search(system, source, target, options, budget, most)
        if found is not None:
            return found
    found = _search(system, source, target, enabled, budget, None)
    if found is None:
        raise ValueError(_NO_MOVE)
    return found


def _quiet(
    system: System, source: State, target: State, enabled: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return what agents may do where those that stay as they are do the first thing that they can.

    Where many look at what all do, as in a population, most likely they do nothing, which comes first.
    """
    moved = {
        variable.agent
        for variable, before, after in zip(system.variables, source, target, strict=True)
        if before != after
    }
    return {name: some if name in moved else some[:1] for name, some in enabled.items()}


def _search(
    system: System,
    source: State,
    target: State,
    enabled: Mapping[str, tuple[str, ...]],
    budget: Budget,
    most: int | None,
) -> tuple[JointAction, Lines] | None:
    """Return the first move with such actions, None where there is none, or not among the first tries."""
    order, ready = _schedule(system)
    joint = {name: actions[0] for name, actions in enabled.items()}
    open_choices = [iter(enabled[order[0].name])]
    tried = 0
    while open_choices:
        tried += 1
        if tried == most:
            return None
        budget.check("moves", tried)
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
            return actions, tuple(each.first() for each in ways)
        open_choices.append(iter(enabled[order[place + 1].name]))
    return None


def _find_event(
    system: System, source: State, target: State, chosen: Mapping[str, str]
) -> tuple[JointAction, Lines]:
    """Return an event that leads from `source` to `target`, and the lines of those who take part."""
    for actions in completions(system, source, chosen):
        ways = [ways_to(system, agent, source, actions, target) for agent in system.agents]
        if all(ways):
            return actions, tuple(each.first() for each in ways)
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
