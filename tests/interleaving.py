"""Interleaved steps once more, from the definitions in docs/reference/semantics.md and from no other code.

Only the value of an expression is taken from the reference.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from gnomon.model.agent import Agent
from gnomon.model.domain import contains
from gnomon.model.evaluation import State, evaluate, holds
from gnomon.model.system import System

WAITING = "-"
States = frozenset[State]


def allows(system: System, agent: Agent, action: str, state: State) -> bool:
    """Whether the protocol of an agent allows an action."""
    if agent.is_environment and not agent.protocol and agent.other is None:
        return True
    applies = [line for line in agent.protocol if holds(line.condition, system, state)]
    if applies:
        return any(action in line.actions for line in applies)
    return agent.other is not None and action in agent.other


def outcomes(
    system: System, state: State, able: Mapping[str, Sequence[str]]
) -> dict[tuple[str, ...], set[State]]:
    """What each event that all its participants are able to do may lead to, by what everybody does.

    Observers take part in none, and remember every one.
    """
    found: dict[tuple[str, ...], set[State]] = {}
    for event in {action for agent in system.agents for action in agent.actions}:
        parts = [agent for agent in system.agents if event in agent.actions]
        if not all(event in able[agent.name] for agent in parts):
            continue
        joint = tuple(event if agent in parts else WAITING for agent in system.agents)
        found[joint] = set()
        moving = [*parts, *(agent for agent in system.agents if agent.observer)]
        for changes in product(*(list(_changes(system, agent, state, joint)) for agent in moving)):
            together = {place: value for change in changes for place, value in change.items()}
            variables = enumerate(system.variables)
            if all(contains(v.domain, together.get(place, state[place])) for place, v in variables):
                found[joint].add(
                    tuple(together.get(place, old) for place, old in enumerate(state))  # type: ignore[misc]
                )
    return found


def _changes(
    system: System, agent: Agent, state: State, joint: tuple[str, ...]
) -> Iterator[dict[int, object]]:
    """Yield what each line of an agent that holds would change; nothing where none does."""
    lines = [line for line in agent.evolution if holds(line.guard, system, state, joint)]
    for line in lines:
        yield {
            system.position[agent.name, each.variable]: evaluate(each.value, system, state, joint)
            for each in line.assignments
        }
    if not lines:
        yield {}


def choices(
    system: System,
    state: State,
    members: Sequence[str],
    able: Sequence[Sequence[str]],
    happening: Mapping[tuple[str, ...], set[State]],
) -> dict[tuple[str, ...], States]:
    """What each choice of some agents may lead to: nothing is listed in a deadlock."""
    found: dict[tuple[str, ...], States] = {}
    for choice in product(*able) if happening else ():
        wanted = dict(zip(members, choice, strict=True))
        left = []
        for joint, targets in happening.items():
            [event] = set(joint) - {WAITING}
            if all(
                wanted.get(agent.name, event) == event
                for agent in system.agents
                if event in agent.actions
            ):
                left.append(targets)
        found[choice] = frozenset().union(*left) if left else frozenset({state})
    return found
