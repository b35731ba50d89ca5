"""What may happen in a state: what each agent may do by which line, and the moves with what they change."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from gnomon.language import syntax
from gnomon.model.agent import IDLE, Agent
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import show_value
from gnomon.model.evidence import Step
from gnomon.model.step import Move, State, enabled_actions, holds, moves
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.results.model_walk import MoveList, moves_with
from gnomon.workbench.bench import BenchModel
from gnomon.workbench.cards import ProgramPlaces
from gnomon.workbench.parameters import exact, step_data

#: With words to look for, so many moves are looked at.
MOST_SEARCHED: Final = 100_000


def agents_here(model: BenchModel, system: System, state: State) -> list[Object]:
    """Return what each agent may do in a state, and the lines of its protocol that say so."""
    return [
        {"agent": agent.name, "actions": list(_actions(model, system, agent, state))}
        for agent in system.agents
        if agent.actions and not agent.observer
    ]


def _actions(model: BenchModel, system: System, agent: Agent, state: State) -> Iterator[Object]:
    matching = [line for line in agent.protocol if holds(line.condition, system, state)]
    other = [] if matching or agent.other is None else _other_line(model, agent)
    for action in enabled_actions(system, agent, state):
        if action != IDLE:
            lines = {line.line: None for line in matching if action in line.actions and line.line}
            yield {"name": action, "lines": [*lines, *other]}


def _other_line(model: BenchModel, agent: Agent) -> list[int]:
    """Return where an agent's `Other` is written."""
    if model.loaded.program is None:
        return []
    places = ProgramPlaces(model.analysis.source, model.analysis.program)
    written = places.agent(agent.name)
    lines = syntax.each_line(() if written is None else written.protocol or ())
    return [places.line(line.span) for line in lines if line.condition is None][:1]


def move_data(system: System, before: State, step: Step) -> Object:
    """Return a move as it is sent: the step, and all values that it changes."""
    changes = [
        {"agent": variable.agent, "variable": variable.name, "before": old, "after": new}
        for variable, old, new in zip(system.variables, before, step.state, strict=True)
        if old != new
    ]
    return {"step": step_data(step, system), "changes": exact(changes)}


def moves_data(system: System, before: State, steps: Iterable[Step]) -> list[Object]:
    """Return moves as they are sent."""
    return [move_data(system, before, step) for step in steps]


def chosen_in(system: System, words: str) -> dict[str, str]:
    """Return the actions that words ask for as `Agent=action`: with these, far fewer moves are looked at."""
    found: dict[str, str] = {}
    for word in words.split():
        name, _, action = word.partition("=")
        if name in system.agent_index and action in system.agent(name).actions:
            found.setdefault(name, action)
    return found


def says_all(system: System, before: State, words: str) -> Callable[[Step], bool]:
    """Return what tells whether all words occur in the actions or the new values of a step."""
    wanted = words.casefold().split()

    def accepts(step: Step) -> bool:
        assert step.actions is not None
        acting = zip(system.agents, step.actions, strict=True)
        said = [f"{agent.name}={action}" for agent, action in acting if agent.actions]
        values = zip(system.variables, before, step.state, strict=True)
        said += [f"{v.agent}.{v.name}={show_value(new)}" for v, old, new in values if old != new]
        text = " ".join(said).casefold()
        return all(word in text for word in wanted)

    return accepts


def few_at_once(
    system: System, state: State, budget: Budget, wanted: Mapping[str, str]
) -> Iterator[Move]:
    """Yield the moves of a population: first those in which one agent does something, then all."""
    enabled = {agent.name: enabled_actions(system, agent, state) for agent in system.agents[1:]}
    idle = {name: actions[0] for name, actions in enabled.items() if actions}
    for name in idle:
        others = {other: action for other, action in idle.items() if other != name}
        yield from moves_with(system, state, budget, {**others, **wanted})
    yield from moves_with(system, state, budget, wanted)


def each_effect_once(accepts: Callable[[Step], bool]) -> Callable[[Step], bool]:
    """Return what leaves out moves that do what another one does already.

    In a population much of what agents choose has no effect: it does not go with what the environment does.
    """
    known: set[tuple[object, ...]] = set()

    def first(step: Step) -> bool:
        key = (step.state, step.lines)
        if key in known or not accepts(step):
            return False
        known.add(key)
        return True

    return first


def is_deadlock(system: System, state: State, found: MoveList, budget: Budget) -> bool | None:
    """Return whether nothing can happen in a state, where some moves may have been left out of the list."""
    if found.items:
        return False
    try:
        return not any(move.target is not None for move in moves(system, state, budget))
    except LimitReached:
        return None
