"""The reference semantics: what one concrete state is, and what may happen in it.

This is the code to read when in doubt. It follows SEMANTICS, section 1, word by word and does
nothing fast. A state is the tuple of the values of `system.variables`; a joint action is the tuple
of the actions of `system.agents`.

>>> from gnomon.model.builder import SystemBuilder
>>> b = SystemBuilder("lamp")
>>> lamp = b.agent("Lamp", actions=["press"])
>>> on = lamp.boolean("on")
>>> lamp.otherwise("press")
>>> lamp.evolve({on: True}, when=~on)
>>> lamp.evolve({on: False}, when=on)
>>> system = b.build(initial=~on)
>>> [state] = initial_states(system)
>>> [(move.actions, move.target) for move in moves(system, state)]
[(('-', 'press'), (True,))]
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from gnomon.model.agent import IDLE, Agent, EvolutionLine
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum, contains
from gnomon.model.evaluation import JointAction, State, evaluate, holds
from gnomon.model.initial import assignments_satisfying
from gnomon.model.system import System

__all__ = [
    "JointAction",
    "LocalMove",
    "Move",
    "State",
    "alternatives",
    "enabled_actions",
    "evaluate",
    "holds",
    "initial_states",
    "joint_actions",
    "moves",
    "result_of",
    "successors",
    "view",
]


#: What may take as long as it takes; nobody sets anything in it.
NO_LIMIT: Final = Budget()


@dataclass(frozen=True, slots=True)
class LocalMove:
    """One evolution alternative of one agent: the new values and the lines that gave them.

    `overflow` names the variables whose new value is outside their domain; such a move has no
    result.
    """

    changes: tuple[tuple[str, object], ...]
    lines: tuple[EvolutionLine, ...]
    overflow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A resolved move: a joint action and, for every agent, one of its alternatives.

    `target` is the state it leads to, None where some value would leave its domain.
    """

    actions: JointAction
    alternatives: tuple[LocalMove, ...]
    target: State | None


def view(system: System, agent: Agent, state: State) -> State:
    """Return what the agent sees: its own variables, then the environment's that it observes."""
    own = [state[system.position[agent.name, variable.name]] for variable in agent.variables]
    seen = [state[system.position[system.environment.name, name]] for name in agent.sees]
    return (*own, *seen)


def enabled_actions(system: System, agent: Agent, state: State) -> tuple[str, ...]:
    """Return the actions of all matching protocol lines; those of `Other` where none matches.

    An agent that declares no action idles. An environment that declares actions but no protocol at
    all may do any of them.
    """
    if not agent.actions:
        return (IDLE,)
    if agent.is_environment and not agent.protocol and agent.other is None:
        return agent.actions
    matching = [line for line in agent.protocol if holds(line.condition, system, state)]
    chosen = [action for line in matching for action in line.actions]
    if not matching and agent.other is not None:
        chosen = list(agent.other)
    return tuple(action for action in agent.actions if action in chosen)


def joint_actions(system: System, state: State) -> Iterator[JointAction]:
    """Yield every choice of one enabled action of every agent."""
    yield from product(*(enabled_actions(system, agent, state) for agent in system.agents))


def alternatives(
    system: System,
    agent: Agent,
    state: State,
    actions: JointAction,
    budget: Budget = NO_LIMIT,
) -> tuple[LocalMove, ...]:
    """Return the agent's evolution alternatives under a joint action; there is always at least one.

    MultiAssignment: one enabled line. SingleAssignment: one enabled line for each variable that has
    any. Nothing enabled: nothing changes.
    """
    budget.check("alternatives")
    enabled = [line for line in agent.evolution if holds(line.guard, system, state, actions)]
    if system.semantics == "MultiAssignment":
        choices: list[tuple[EvolutionLine, ...]] = [(line,) for line in enabled] or [()]
        return tuple(_local_move(system, agent, state, actions, lines) for lines in choices)
    by_variable: dict[str, list[EvolutionLine]] = {}
    for line in enabled:
        by_variable.setdefault(line.assignments[0].variable, []).append(line)
    found: list[LocalMove] = []
    for lines in product(*by_variable.values()):
        budget.check("alternatives", len(found))
        found.append(_local_move(system, agent, state, actions, lines))
    return tuple(found)


def _local_move(
    system: System,
    agent: Agent,
    state: State,
    actions: JointAction,
    lines: tuple[EvolutionLine, ...],
) -> LocalMove:
    """Apply the assignments of some lines simultaneously: all read the old state, and what is done in it."""
    changes = tuple(
        (assignment.variable, evaluate(assignment.value, system, state, actions))
        for line in lines
        for assignment in line.assignments
    )
    domains = {variable.name: variable.domain for variable in agent.variables}
    overflow = tuple(name for name, value in changes if not contains(domains[name], value))
    return LocalMove(changes, lines, overflow)


def moves(system: System, state: State, budget: Budget = NO_LIMIT) -> Iterator[Move]:
    """Yield every resolved move from a state, those without a result included.

    There may be very many. `LimitReached` is raised where the budget ends before they do.
    """
    for actions in joint_actions(system, state):
        choices = (alternatives(system, agent, state, actions, budget) for agent in system.agents)
        for chosen in product(*choices):
            budget.check("moves")
            yield Move(actions, chosen, result_of(system, state, chosen))


def result_of(system: System, state: State, chosen: tuple[LocalMove, ...]) -> State | None:
    """Return where one alternative of every agent leads, None where some value would leave its domain."""
    if any(local.overflow for local in chosen):
        return None
    target: list[Datum] = list(state)
    for agent, local in zip(system.agents, chosen, strict=True):
        for name, value in local.changes:
            target[system.position[agent.name, name]] = value  # type: ignore[call-overload]
    return tuple(target)


def successors(system: System, state: State) -> frozenset[State]:
    """Return the states that some resolved move leads to."""
    return frozenset(move.target for move in moves(system, state) if move.target is not None)


def initial_states(system: System, budget: Budget = NO_LIMIT) -> Iterator[State]:
    """Yield every state in which the initial condition holds, each once.

    Raises `InfinitelyMany` where no list of them ends, and `LimitReached` where the budget ends first.

    The search for them lives in `gnomon.model.initial`; what it yields is checked here again.
    """
    for state in assignments_satisfying(system, system.initial, budget):
        assert holds(system.initial, system, state)
        yield state
