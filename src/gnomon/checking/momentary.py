"""Formulae about one moment: conditions on the state, and what agents know in it.

Whatever is known is put in terms of doubts: some agents together are in doubt about something where a state
that counts looks the same to all of them, and it fails there.
"""

from typing import NamedTuple, TypeAlias

from gnomon.model.expression import And as Every
from gnomon.model.expression import Compare, Expression, Literal, Read
from gnomon.model.formula import (
    And,
    Constant,
    Exists,
    Finally,
    Formula,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    StateCondition,
)
from gnomon.model.fragment import is_propositional
from gnomon.model.step import State
from gnomon.model.system import System

#: What is known, or has to be.
KnowledgeFormula: TypeAlias = Knows | GroupKnows | Obliged


def is_momentary(formula: Formula) -> bool:
    """Return whether a formula is about one moment, whatever those consider who know something in it."""
    match formula:
        case Not(body):
            return is_momentary(body)
        case And(operands) | Or(operands):
            return all(map(is_momentary, operands))
        case Implies(left, right) | Iff(left, right):
            return is_momentary(left) and is_momentary(right)
        case Constant() | Proposition() | StateCondition() | Norm():
            return True
        case _:
            return isinstance(formula, KnowledgeFormula)


def known_parts(formula: Formula) -> tuple[KnowledgeFormula, ...]:
    """Return what is known or not of which a formula about one moment is made."""
    match formula:
        case Knows() | GroupKnows() | Obliged():
            return (formula,)
        case Not(body):
            return known_parts(body)
        case And(operands) | Or(operands):
            return tuple(dict.fromkeys(part for each in operands for part in known_parts(each)))
        case Implies(left, right) | Iff(left, right):
            return tuple(dict.fromkeys((*known_parts(left), *known_parts(right))))
        case _:
            return ()


class Doubt(NamedTuple):
    """That something fails in a state that counts and looks the same to some agents."""

    agents: tuple[str, ...]
    body: Formula

    @property
    def is_plain(self) -> bool:
        """Whether only variables have to be looked at to see that it fails."""
        return is_propositional(self.body)


def doubts_of(formula: KnowledgeFormula) -> tuple[Doubt, ...] | None:
    """Return the doubts that there must not be for something to be known; None if that is not enough."""
    match formula:
        case Knows(agent, body):
            return (Doubt((agent,), body),)
        case Obliged(agent, body):
            # Wherever somebody is green, however it looks.
            return (Doubt((), Or((Norm(agent, red=True), body))),)
        case GroupKnows("distributed", group, body):
            return (Doubt(tuple(sorted(set(group.members))), body),)
        case GroupKnows(kind, group, body):
            members = sorted(set(group.members))
            if kind == "common" and len(members) > 1:
                return None
            return tuple(Doubt((name,), body) for name in members)


def seen_variables(system: System, agents: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the variables that some agents see together, each with whose it is."""
    found: dict[tuple[str, str], None] = {}
    for agent in map(system.agent, agents):
        found.update(dict.fromkeys((agent.name, variable.name) for variable in agent.variables))
        found.update(dict.fromkeys((system.environment.name, name) for name in agent.sees))
    return tuple(found)


def joint_view(system: System, agents: tuple[str, ...], state: State) -> State:
    """Return what some agents see together of a state."""
    return tuple(state[system.position[each]] for each in seen_variables(system, agents))


def in_doubt(system: System, doubt: Doubt, seen: State) -> Formula:
    """Return that a state is reached that looks like this, in which something fails."""
    parts: list[Expression] = [
        Compare("=", Read(*variable), Literal(value))
        for variable, value in zip(seen_variables(system, doubt.agents), seen, strict=True)
    ]
    return Exists(Finally(And((StateCondition(Every(tuple(parts))), Not(doubt.body)))))
