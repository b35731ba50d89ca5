"""Which bit of which variable is at which level.

A variable has as few bits as its values need, the highest first; each bit that can change has its next value
right below it. Variables that nothing ever assigns have no next bits, and those of one value no bits at all:
that there are none does not tell that nothing is assigned. The actions of an agent stand beside its
variables.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import digits
from typing import NamedTuple, TypeAlias

from gnomon.engines.diagrams.order import Order, Tie, arrange
from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Variable
from gnomon.model.domain import IntegerRange, size_of
from gnomon.model.expression import And, Compare, Does, Expression, Or, Read, parts, reads, walk
from gnomon.model.system import System

#: Numbers of so many bits are interleaved with those they are compared with.
_WIDE = 5
#: Numbers of so many bits come before everything else.
_MANY_VALUES = 3
#: So many agents with a variable of one name are two sides of something, and not a crowd.
_SIDES = 3
_NAMESAKES = 0.5
#: So many variables called alike but for a number are a row.
_ROW = 4
#: What is sent in a place and what is received there belong together more than the places of a row.
_MATES = 4.0

#: A variable by agent and name, or the action of an agent.
Item: TypeAlias = tuple[str, str] | str


@dataclass(frozen=True, slots=True)
class Bits:
    """The levels of the bits of one item, highest bit first; `next` is empty for what cannot change."""

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
    def blocks(self) -> list[list[int]]:
        """Return the levels in groups that belong together, in their order."""
        blocks: dict[int, list[int]] = {}
        for item in self.order:
            if isinstance(item, str):
                levels = list(self.actions[item])
            else:
                bits = self.variables[item]
                levels = [*bits.now, *bits.next]
            if levels:
                blocks[min(levels)] = sorted(levels)
        return [blocks[first] for first in sorted(blocks)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return each bit that can change with its next bit."""
        return [
            pair
            for bits in self.variables.values()
            if bits.next
            for pair in zip(bits.now, bits.next, strict=True)
        ]


@dataclass(frozen=True)
class Structure:
    """What there is to be ordered, what is tied to what, and which numbers share their bits' places."""

    items: list[Item]
    ties: list[Tie]
    #: The second of two numbers that are compared with each other, by the first.
    partners: Mapping[Item, Item]


class Beside(NamedTuple):
    """Bits that are placed beside an item: of something that is no variable of the system."""

    name: Item
    bits: int
    changing: bool = False


def structure_of(system: System, formulae: Iterable[logic.Formula]) -> Structure:
    """Look at how a system and what is asked of it hang together."""
    partners = _partners(system, formulae)
    firsts: dict[Hashable, Item] = {second: first for first, second in partners.items()}
    weights: dict[frozenset[Hashable], float] = {}
    for tie in _ties(system, formulae):
        things = frozenset([firsts.get(thing, thing) for thing in tie.things])
        if len(things) > 1:
            weights[things] = weights.get(things, 0.0) + tie.weight
    items = [item for item in _items(system) if item not in firsts]
    return Structure(items, [Tie(things, weight) for things, weight in weights.items()], partners)


def lay_out(
    system: System,
    structure: Structure,
    kind: Order = "structure",
    beside: Mapping[Item, Sequence[Beside]] | None = None,
) -> Layout:
    """Choose an order, and give every bit its level; `beside` is what else goes after which item."""
    more = beside or {}
    changing = {
        (agent.name, assignment.variable)
        for agent in system.agents
        for line in agent.evolution
        for assignment in line.assignments
    }
    order: list[Item] = []
    variables: dict[tuple[str, str], Bits] = {}
    actions: dict[str, tuple[int, ...]] = {}
    level = 0
    for item in _numbers_first(system, structure, kind):
        order.append(item)
        if isinstance(item, str):
            count = (len(system.agent(item).actions) - 1).bit_length()
            actions[item] = tuple(range(level, level + count))
            level = _place(more.get(item, ()), level + count, variables, actions, order)
            continue
        together = [item]
        partner = structure.partners.get(item)
        if partner is not None and not isinstance(partner, str):
            together.append(partner)
            order.append(partner)
        level = _interleave(system, together, changing, level, variables)
        for placed in together:
            level = _place(more.get(placed, ()), level, variables, actions, order)
    return Layout(variables, actions, tuple(order), level)


def _place(
    extras: Sequence[Beside],
    level: int,
    variables: dict[tuple[str, str], Bits],
    actions: dict[str, tuple[int, ...]],
    order: list[Item],
) -> int:
    """Place bits that belong to no variable, and return the next free level."""
    for extra in extras:
        order.append(extra.name)
        step = 2 if extra.changing else 1
        now = tuple(range(level, level + step * extra.bits, step))
        if isinstance(extra.name, str):
            actions[extra.name] = now
        else:
            after = tuple(bit + 1 for bit in now) if extra.changing else ()
            variables[extra.name] = Bits(now, after)
        level += step * extra.bits
    return level


def _numbers_first(system: System, structure: Structure, kind: Order) -> list[Item]:
    """Return the order, wide numbers at its top: counters and clocks, which all the rest depends on.

    For each value of a counter the rest is often simple; all counters as functions of the rest are not.
    Where most variables are numbers, they are what is to be ordered.
    """
    numbers = [
        item
        for item in structure.items
        if not isinstance(item, str) and _is_wide(system.variables[system.position[item]])
    ]
    if kind == "written" or 2 * len(numbers) > len(structure.items):
        return arrange(structure.items, structure.ties, kind)
    top = frozenset(numbers)
    rest = [item for item in structure.items if item not in top]
    return numbers + arrange(
        rest, [Tie(tie.things - top, tie.weight) for tie in structure.ties], kind
    )


def _is_wide(variable: Variable) -> bool:
    return isinstance(variable.domain, IntegerRange) and bits_of(variable) >= _MANY_VALUES


def _interleave(
    system: System,
    together: list[tuple[str, str]],
    changing: set[tuple[str, str]],
    level: int,
    variables: dict[tuple[str, str], Bits],
) -> int:
    """Place the bits of some variables, the highest first, those of the same weight side by side."""
    counts = {item: bits_of(system.variables[system.position[item]]) for item in together}
    now: dict[tuple[str, str], list[int]] = {item: [] for item in together}
    for weight in reversed(range(max(counts.values()))):
        for item in together:
            if weight < counts[item]:
                now[item].append(level)
                level += 2 if item in changing else 1
    for item, levels in now.items():
        after = tuple(bit + 1 for bit in levels) if item in changing else ()
        variables[item] = Bits(tuple(levels), after)
    return level


def _partners(system: System, formulae: Iterable[logic.Formula]) -> dict[Item, Item]:
    """Return pairs of numbers that are compared with each other, or one of which becomes the other.

    With all bits of one before all bits of the other, that two numbers are equal takes a node for every
    value.
    """
    counts: dict[tuple[tuple[str, str], tuple[str, str]], int] = {}
    wide = {
        (variable.agent, variable.name)
        for variable in system.variables
        if bits_of(variable) >= _WIDE
    }
    if len(wide) > 1:
        for pair in _compared(system, formulae):
            if len(pair) == 2 and pair <= wide:
                one, two = sorted(pair, key=system.position.__getitem__)
                counts[one, two] = counts.get((one, two), 0) + 1
    partners: dict[Item, Item] = {}
    taken: set[Item] = set()
    for one, two in sorted(counts, key=counts.__getitem__, reverse=True):
        if one not in taken and two not in taken:
            partners[one] = two
            taken |= {one, two}
    return partners


def _compared(
    system: System, formulae: Iterable[logic.Formula]
) -> Iterable[frozenset[tuple[str, str]]]:
    """Return the pairs of variables that make up a comparison or an assignment."""
    conditions: list[Expression] = [system.initial, *system.propositions.values()]
    for agent in system.agents:
        conditions.extend(line.condition for line in agent.protocol)
        for rule in agent.evolution:
            conditions.append(rule.guard)
            for assignment in rule.assignments:
                target = (agent.name, assignment.variable)
                yield frozenset([target, *((r.agent, r.variable) for r in reads(assignment.value))])
    for formula in formulae:
        conditions.extend(
            part.expression for part in logic.walk(formula) if isinstance(part, logic.Condition)
        )
    for condition in conditions:
        for part in walk(condition):
            if isinstance(part, Compare):
                yield frozenset((read.agent, read.variable) for read in reads(part))


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
    yield from _namesakes(system)
    yield from _rowmates(system)
    for formula in formulae:
        yield from _formula_ties(system, formula)


def _namesakes(system: System) -> Iterable[Tie]:
    """Tie variables of the same name in different agents: the same card in two hands, say."""
    called: dict[str, set[Item]] = {}
    for variable in system.variables:
        called.setdefault(variable.name, set()).add((variable.agent, variable.name))
    for items in called.values():
        if 1 < len(items) <= _SIDES:
            yield Tie(frozenset(items), _NAMESAKES)


def _rowmates(system: System) -> Iterable[Tie]:
    """Tie what has the same place in rows of one length: the third value sent and the third received."""
    rows: dict[tuple[str, str], dict[str, Item]] = {}
    for variable in system.variables:
        stem = variable.name.rstrip(digits)
        place = variable.name[len(stem) :]
        if place:
            rows.setdefault((variable.agent, stem), {})[place] = (variable.agent, variable.name)
    alike: dict[tuple[str, ...], list[dict[str, Item]]] = {}
    for row in rows.values():
        if len(row) >= _ROW:
            alike.setdefault(tuple(row), []).append(row)
    for places, mates in alike.items():
        if 1 < len(mates) <= _SIDES:
            for place in places:
                yield Tie(frozenset(row[place] for row in mates), _MATES)


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
    found: set[Item] = set()
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Read):
            found.add((part.agent, part.variable))
        elif isinstance(part, Does):
            if len(system.agent(part.agent).actions) > 1:
                found.add(part.agent)
        else:
            waiting.extend(parts(part))
    return frozenset(found)


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
