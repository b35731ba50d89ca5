"""How one state follows another: the joint action and the evolution lines, by the reference."""

from itertools import pairwise

from gnomon.logic.evidence import Run, Step
from gnomon.model.agent import Agent
from gnomon.model.expression import actors
from gnomon.model.step import JointAction, State, alternatives, enabled_actions
from gnomon.model.system import System

Lines = tuple[tuple[int, ...], ...]


def find_move(system: System, source: State, target: State) -> tuple[JointAction, Lines]:
    """Return a joint action, and the lines each agent used, that lead from `source` to `target`.

    The actions are chosen agent by agent. An agent's next local state is known, so it is checked as
    soon as the actions it looks at are chosen; the product of all actions is never gone through.
    """
    watched = {agent.name: _watched(agent) for agent in system.agents}
    most_watched_first = sorted(
        system.agents,
        key=lambda agent: -sum(agent.name in names for names in watched.values()),
    )
    chosen = {agent.name: enabled_actions(system, agent, source)[:1] for agent in system.agents}
    if not all(chosen.values()):
        msg = "somebody has no enabled action"
        raise ValueError(msg)
    joint = {name: actions[0] for name, actions in chosen.items()}
    options: list[list[str]] = []
    decided: set[str] = set()
    while len(decided) < len(system.agents):
        agent = most_watched_first[len(decided)]
        if len(options) == len(decided):
            options.append(list(reversed(enabled_actions(system, agent, source))))
        while options and not options[-1]:
            options.pop()
            if options:
                decided.discard(most_watched_first[len(options) - 1].name)
        if not options:
            msg = "no move leads from the one state to the other"
            raise ValueError(msg)
        agent = most_watched_first[len(options) - 1]
        joint[agent.name] = options[-1].pop()
        decided.add(agent.name)
        ready = [
            other
            for other in system.agents
            if agent.name in {other.name, *watched[other.name]}
            and {other.name, *watched[other.name]} <= decided
        ]
        actions = tuple(joint[other.name] for other in system.agents)
        if not all(_lines(system, other, source, target, actions) is not None for other in ready):
            decided.discard(agent.name)
    actions = tuple(joint[agent.name] for agent in system.agents)
    lines = [_lines(system, agent, source, target, actions) for agent in system.agents]
    return actions, tuple(line for line in lines if line is not None)


def _watched(agent: Agent) -> frozenset[str]:
    names: frozenset[str] = frozenset()
    for line in agent.evolution:
        names |= actors(line.guard)
        for assignment in line.assignments:
            names |= actors(assignment.value)
    return names


def _lines(
    system: System, agent: Agent, source: State, target: State, actions: JointAction
) -> tuple[int, ...] | None:
    """Return the lines by which an agent gets to its part of `target`; None where it cannot."""
    places = {v.name: system.position[agent.name, v.name] for v in agent.variables}
    for local in alternatives(system, agent, source, actions):
        if local.overflow:
            continue
        changed = dict(local.changes)
        if all(changed.get(name, source[place]) == target[place] for name, place in places.items()):
            return tuple(line.line for line in local.lines)
    return None


def run_through(system: System, states: list[State], loop: int | None = None) -> Run:
    """Return the run through some states, with the moves between them."""
    steps = [Step(states[0])]
    for source, target in pairwise(states):
        steps.append(Step(target, *find_move(system, source, target)))
    back = None
    if loop is not None:
        back = Step(states[loop], *find_move(system, states[-1], states[loop]))
    return Run(tuple(steps), loop, back)
