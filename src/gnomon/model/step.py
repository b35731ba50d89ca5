"""The reference semantics: what one concrete state is, and what may happen in it.

This is the code to read when in doubt. It follows SEMANTICS, section 1, word by word and does
nothing fast. A state is the tuple of the values of `system.variables`; a joint action is the tuple
of the actions of `system.agents`.

>>> from gnomon.model.builder import SystemDraft
>>> b = SystemDraft("lamp")
>>> lamp = b.agent("Lamp", actions=["press"])
>>> on = lamp.boolean("on")
>>> lamp.otherwise("press")
>>> lamp.evolve({on: True}, when=~on)
>>> lamp.evolve({on: False}, when=on)
>>> system = b.finished(initial=~on)
>>> [state] = initial_states(system)
>>> [(move.actions, move.target) for move in moves(system, state)]
[(('-', 'press'), (True,))]
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Final

from gnomon.model.agent import IDLE, Agent, EvolutionLine
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum, contains
from gnomon.model.evaluation import JointAction, Moment, State, evaluate, holds
from gnomon.model.initial import assignments_satisfying
from gnomon.model.system import System

if TYPE_CHECKING:
    from random import Random  # whoever walks at random has it; others start without

__all__ = [
    "JointAction",
    "LocalMove",
    "Move",
    "State",
    "alternatives",
    "completion_count",
    "completions",
    "enabled_actions",
    "evaluate",
    "holds",
    "initial_states",
    "joint_action_count",
    "joint_actions",
    "may_follow",
    "moves",
    "random_joint_action",
    "result_of",
    "successors",
    "view",
]


#: What may take as long as it takes; nobody sets anything in it.
NO_LIMIT: Final = Budget()
#: So many alternatives of one agent are worked out before the first is taken.
_FEW_ALTERNATIVES: Final = 1_000
#: Nobody has chosen anything.
NOTHING_CHOSEN: Final[Mapping[str, str]] = {}


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
    all may do any of them. In an interleaved system an agent that can do nothing waits.
    """
    if not agent.actions:
        return (IDLE,)
    if agent.is_environment and not agent.protocol and agent.other is None:
        return agent.actions
    now = Moment(system, state)
    matching = [line for line in agent.protocol if now.holds(line.condition)]
    chosen = [action for line in matching for action in line.actions]
    if not matching and agent.other is not None:
        chosen = list(agent.other)
    enabled = tuple(action for action in agent.actions if action in chosen)
    return (IDLE,) if system.interleaved and not enabled else enabled


def joint_actions(system: System, state: State) -> Iterator[JointAction]:
    """Yield every choice of one enabled action of every agent.

    In an interleaved system: what everybody does in each event that all who take part in it can do.
    """
    yield from completions(system, state, NOTHING_CHOSEN)


def completions(system: System, state: State, chosen: Mapping[str, str]) -> Iterator[JointAction]:
    """Yield the joint actions that may be taken where some agents have chosen among their actions.

    In an interleaved system these are the events in which all of them do what they chose, or have no part.
    Where that leaves none although there are some, everybody waits.
    """
    enabled = [enabled_actions(system, agent, state) for agent in system.agents]
    options = [
        (chosen[agent.name],) if agent.name in chosen else actions
        for agent, actions in zip(system.agents, enabled, strict=True)
    ]
    if not system.interleaved:
        yield from product(*options) if all(enabled) else ()
        return
    left = list(_events(system, options))
    if not left and chosen and any(True for _ in _events(system, enabled)):
        left = [(IDLE,) * len(system.agents)]
    yield from left


def _events(system: System, options: list[tuple[str, ...]]) -> Iterator[JointAction]:
    """Yield the events in which everybody has a part that is among the options, or none."""
    for actions in system.events.values():
        if all(a == IDLE or a in some for a, some in zip(actions, options, strict=True)):
            yield actions


def completion_count(system: System, state: State, chosen: Mapping[str, str]) -> int:
    """Return how many completions there are, without going through a product of actions."""
    if system.interleaved:
        return sum(1 for _ in completions(system, state, chosen))
    enabled = {agent.name: enabled_actions(system, agent, state) for agent in system.agents}
    if not all(enabled.values()):
        return 0
    return prod(len(actions) for name, actions in enabled.items() if name not in chosen)


def joint_action_count(system: System, state: State) -> int:
    """Return how many joint actions there are."""
    return completion_count(system, state, NOTHING_CHOSEN)


def may_follow(
    system: System, state: State, actions: JointAction, chosen: Mapping[str, str] = NOTHING_CHOSEN
) -> bool:
    """Return whether a joint action is a completion of what some agents have chosen."""
    if system.interleaved:
        return actions in completions(system, state, chosen)
    return all(
        action in enabled_actions(system, agent, state) and chosen.get(agent.name, action) == action
        for agent, action in zip(system.agents, actions, strict=True)
    )


def random_joint_action(system: System, state: State, random: "Random") -> JointAction | None:
    """Return one of the joint actions, None where there is none."""
    if system.interleaved:
        events = list(joint_actions(system, state))
        return random.choice(events) if events else None
    enabled = [enabled_actions(system, agent, state) for agent in system.agents]
    return tuple(map(random.choice, enabled)) if all(enabled) else None


def random_move(system: System, state: State, random: "Random") -> Move | None:
    """Return one of the moves, however many there are; None where there is none. It may have no result."""
    actions = random_joint_action(system, state, random)
    if actions is None:
        return None
    chosen = []
    for agent in system.agents:
        now, groups = line_choices(system, agent, state, actions)
        chosen.append(_local_move(agent, now, tuple(map(random.choice, groups))))
    return Move(actions, tuple(chosen), result_of(system, state, tuple(chosen)))


def alternatives(
    system: System,
    agent: Agent,
    state: State,
    actions: JointAction,
    budget: Budget = NO_LIMIT,
) -> tuple[LocalMove, ...]:
    """Return the agent's evolution alternatives under a joint action; there is always at least one.

    MultiAssignment: one enabled line. SingleAssignment: one enabled line for each variable that has
    any. Nothing enabled: nothing changes. Interleaved: as MultiAssignment for those who take part, and
    nothing changes for the others, but for observers.
    """
    now, groups = line_choices(system, agent, state, actions)
    found: list[LocalMove] = []
    for lines in product(*groups):
        budget.check("alternatives", len(found))
        found.append(_local_move(agent, now, lines))
    return tuple(found)


def line_choices(
    system: System, agent: Agent, state: State, actions: JointAction
) -> tuple[Moment, list[list[EvolutionLine]]]:
    """Return the groups of enabled lines of which an agent takes one each, whichever it is in the others."""
    now = Moment(system, state, actions)
    idle = actions[system.agent_index[agent.name]] == IDLE
    if system.interleaved and idle and not agent.observer:
        return now, []
    enabled = [line for line in agent.evolution if now.holds(line.guard)]
    if system.semantics != "SingleAssignment":
        return now, [enabled] if enabled else []
    by_variable: dict[str, list[EvolutionLine]] = {}
    for line in enabled:
        by_variable.setdefault(line.assignments[0].variable, []).append(line)
    return now, list(by_variable.values())


def _local_move(agent: Agent, now: Moment, lines: tuple[EvolutionLine, ...]) -> LocalMove:
    """Apply the assignments of some lines simultaneously: all read the old state, and what is done in it."""
    changes = tuple(
        (assignment.variable, now.value(assignment.value))
        for line in lines
        for assignment in line.assignments
    )
    domains = {variable.name: variable.domain for variable in agent.variables}
    overflow = tuple(name for name, value in changes if not contains(domains[name], value))
    return LocalMove(changes, lines, overflow)


def moves(
    system: System,
    state: State,
    budget: Budget = NO_LIMIT,
    chosen: Mapping[str, str] = NOTHING_CHOSEN,
) -> Iterator[Move]:
    """Yield every resolved move from a state, those without a result included.

    Some agents may have chosen what they do. There may be very many. `LimitReached` is raised where the
    budget ends before they do.
    """
    for actions in completions(system, state, chosen):
        for local in _joint_alternatives(system, state, actions, budget):
            budget.check("moves")
            yield Move(actions, local, result_of(system, state, local))


def _joint_alternatives(
    system: System, state: State, actions: JointAction, budget: Budget
) -> Iterator[tuple[LocalMove, ...]]:
    """Yield the ways in which all agents together take their alternatives, the last ones changing first.

    Where an agent has very many, none is worked out before it is its turn.
    """
    choices = [line_choices(system, agent, state, actions) for agent in system.agents]
    if all(prod(map(len, groups)) <= _FEW_ALTERNATIVES for _, groups in choices):
        yield from product(
            *(alternatives(system, agent, state, actions, budget) for agent in system.agents)
        )
        return
    for lines in product(*(group for _, groups in choices for group in groups)):
        left = iter(lines)
        yield tuple(
            _local_move(agent, now, tuple(islice(left, len(groups))))
            for agent, (now, groups) in zip(system.agents, choices, strict=True)
        )


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
