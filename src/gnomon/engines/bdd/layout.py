"""Which bit of which variable is at which level.

A variable has as few bits as its values need, the highest first; each bit that can change has its next value
right below it. Variables that nothing ever assigns have no next bits. The actions of an agent stand beside
its variables.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gnomon.engines.bdd.order import Order, Tie, arrange
from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Variable
from gnomon.model.domain import size_of
from gnomon.model.expression import And, Expression, Or, actors, reads
from gnomon.model.system import System

#: A variable by agent and name, or the action of an agent.
Item: TypeAlias = tuple[str, str] | str


@dataclass(frozen=True, slots=True)
class Bits:
    """The levels of the bits of one item, highest bit first; `next` is empty for what never changes."""

    now: tuple[int, ...]
    next: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """The levels of all items."""

    variables: Mapping[tuple[str, str], Bits]
    actions: Mapping[str, tuple[int, ...]]
    order: tuple[Item, ...]
    size: int

    @property
    def now(self) -> list[int]:
        """Return the levels of all current bits."""
        return [level for bits in self.variables.values() for level in bits.now]

    @property
    def next(self) -> list[int]:
        """Return the levels of all next bits."""
        return [level for bits in self.variables.values() for level in bits.next]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return each bit that can change with its next bit."""
        return [
            pair
            for bits in self.variables.values()
            if bits.next
            for pair in zip(bits.now, bits.next, strict=True)
        ]


def lay_out(system: System, formulae: Iterable[logic.Formula], kind: Order = "structure") -> Layout:
    """Choose an order for a system and what is asked of it, and give every bit its level."""
    changing = {
        (agent.name, assignment.variable)
        for agent in system.agents
        for line in agent.evolution
        for assignment in line.assignments
    }
    order = arrange(_items(system), list(_ties(system, formulae)), kind)
    variables: dict[tuple[str, str], Bits] = {}
    actions: dict[str, tuple[int, ...]] = {}
    level = 0
    for item in order:
        if isinstance(item, str):
            count = (len(system.agent(item).actions) - 1).bit_length()
            actions[item] = tuple(range(level, level + count))
            level += count
            continue
        count = bits_of(system.variables[system.position[item]])
        step = 2 if item in changing else 1
        now = tuple(range(level, level + step * count, step))
        variables[item] = Bits(now, tuple(bit + 1 for bit in now) if step == 2 else ())
        level += step * count
    return Layout(variables, actions, tuple(order), level)


def bits_needed(system: System) -> int:
    """Return how many bits the current state takes."""
    return sum(bits_of(variable) for variable in system.variables)


def bits_of(variable: Variable) -> int:
    """Return how many bits the values of a variable need."""
    return ((size_of(variable.domain) or 1) - 1).bit_length()


def _items(system: System) -> list[Item]:
    items: list[Item] = []
    for agent in system.agents:
        items.extend((agent.name, variable.name) for variable in agent.variables)
        if len(agent.actions) > 1:
            items.append(agent.name)
    return items


def _ties(system: System, formulae: Iterable[logic.Formula]) -> Iterable[Tie]:
    for agent in system.agents:
        yield from _agent_ties(system, agent)
    for conjunct in _conjuncts(system.initial):
        yield Tie(_named(system, conjunct))
    for formula in formulae:
        yield from _formula_ties(system, formula)


def _agent_ties(system: System, agent: Agent) -> Iterable[Tie]:
    own: frozenset[Item] = frozenset([agent.name] if len(agent.actions) > 1 else [])
    for line in agent.protocol:
        yield Tie(_named(system, line.condition) | own)
    for rule in agent.evolution:
        for assignment in rule.assignments:
            target: frozenset[Item] = frozenset([(agent.name, assignment.variable)])
            yield Tie(_named(system, rule.guard) | _named(system, assignment.value) | target)


def _named(system: System, expression: Expression) -> frozenset[Item]:
    """Return the variables and actions that an expression looks at."""
    variables: frozenset[Item] = frozenset(
        (read.agent, read.variable) for read in reads(expression)
    )
    acting = frozenset(name for name in actors(expression) if len(system.agent(name).actions) > 1)
    return variables | acting


def _conjuncts(condition: Expression) -> Iterable[Expression]:
    """Return the parts of an initial condition that hold together, those of alternatives as well."""
    if isinstance(condition, And):
        for operand in condition.operands:
            yield from _conjuncts(operand)
    elif isinstance(condition, Or) and len(condition.operands) > 8:
        # A long list of alternatives names everything everywhere: that ties nothing to nothing.
        return
    else:
        yield condition


def _formula_ties(system: System, formula: logic.Formula) -> Iterable[Tie]:
    """Tie an agent's own variables to what it is asked to know, and what a condition looks at."""
    for part in logic.walk(formula):
        match part:
            case logic.Proposition(name):
                yield Tie(_named(system, system.propositions[name]))
            case logic.Condition(expression):
                yield Tie(_named(system, expression))
            case logic.Knows(name, body):
                yield Tie(_own(system, name) | _about(system, body))
            case logic.GroupKnows(_, group, body):
                for member in group.members:
                    yield Tie(_own(system, member) | _about(system, body), 1 / len(group.members))
            case _:
                continue


def _own(system: System, name: str) -> frozenset[Item]:
    return frozenset((name, variable.name) for variable in system.agent(name).variables)


def _about(system: System, formula: logic.Formula) -> frozenset[Item]:
    named: frozenset[Item] = frozenset()
    for part in logic.walk(formula):
        if isinstance(part, logic.Proposition):
            named |= _named(system, system.propositions[part.name])
    return named
