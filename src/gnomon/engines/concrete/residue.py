"""What is left of a guard once the state is known: a condition on the actions alone."""

from typing import Final, TypeAlias

from gnomon.model.evaluation import evaluate
from gnomon.model.expression import And, Defined, Does, Expression, Not, Or, actors
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.record import Record


class DoesAction(Record):
    """Whether the agent of that index does the action."""

    agent: int
    action: str


class Opposite(Record):
    """The opposite."""

    body: "GuardResidue"


class Several(Record):
    """A conjunction, or (`decisive`) a disjunction: one part with the decisive value decides it."""

    decisive: bool
    parts: tuple["GuardResidue", ...]


class OpaqueGuard(Record):
    """A condition on the actions of some agents that is not looked into."""

    agents: frozenset[int]


GuardResidue: TypeAlias = bool | DoesAction | Opposite | Several | OpaqueGuard


#: So deep are definitions looked into; the work could double with every further one.
_DEEPEST: Final = 3


def residue(guard: Expression, system: System, state: State, depth: int = 0) -> GuardResidue:
    """Return the guard in a state, as a condition on the actions; it may be inside of definitions."""
    match guard:
        case Does(agent, action):
            return DoesAction(system.agent_index[agent], action)
        case Not(operand):
            inner = residue(operand, system, state, depth)
            return (not inner) if isinstance(inner, bool) else Opposite(inner)
        case And(operands) | Or(operands):
            decisive = isinstance(guard, Or)
            found = [residue(operand, system, state, depth) for operand in operands]
            if decisive in found:
                return decisive
            left = tuple(part for part in found if not isinstance(part, bool))
            return Several(decisive, left) if left else not decisive
        case Defined(_, body) if depth < _DEEPEST and actors(guard):
            return residue(body, system, state, depth + 1)
        case _ if watched := actors(guard):
            return OpaqueGuard(frozenset(system.agent_index[name] for name in watched))
        case _:
            return bool(evaluate(guard, system, state))


def actors_left(guard: GuardResidue, enabled: list[tuple[str, ...]]) -> bool | frozenset[int]:
    """Return the value of a condition, or, where it is still open, the agents it depends on."""
    match guard:
        case bool():
            return guard
        case DoesAction(agent, action):
            if action not in enabled[agent]:
                return False
            return True if len(enabled[agent]) == 1 else frozenset((agent,))
        case Opposite(body):
            inner = actors_left(body, enabled)
            return (not inner) if isinstance(inner, bool) else inner
        case Several(decisive, parts):
            found: frozenset[int] = frozenset()
            for part in parts:
                left = actors_left(part, enabled)
                if left is decisive:
                    return decisive
                if not isinstance(left, bool):
                    found |= left
            return found or (not decisive)
        case OpaqueGuard(agents):
            return agents
