"""Which bit of which variable is at which level.

A variable has as few bits as its values need, the highest first; each bit that can change has its next value
right below it. Variables that nothing ever assigns have no next bits, and those of one value no bits at all:
that there are none does not tell that nothing is assigned. The actions of an agent stand beside its
variables.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gnomon.engines.diagrams.circuit_order import first_appearance, placed_gates
from gnomon.engines.diagrams.order import Order, Tie, arrange
from gnomon.engines.diagrams.ties import LayoutItem, ties
from gnomon.model import formula as logic
from gnomon.model.agent import Variable
from gnomon.model.domain import IntegerRange, size_of
from gnomon.model.expression import Compare, Expression, reads, walk
from gnomon.model.system import System

#: Numbers of so many bits are interleaved with those they are compared with.
_WIDE = 5
#: Numbers of so many bits come before everything else.
_MANY_VALUES = 3


@dataclass(frozen=True, slots=True)
class VariableBits:
    """The levels of the bits of one item, highest bit first; `next` is empty for what cannot change."""

    now: tuple[int, ...]
    next: tuple[int, ...]


@dataclass(frozen=True)
class BitLayout:
    """The levels of all items."""

    variables: Mapping[tuple[str, str], VariableBits]
    actions: Mapping[str, tuple[int, ...]]
    order: tuple[LayoutItem, ...]
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

    items: list[LayoutItem]
    ties: list[Tie]
    #: The second of two numbers that are compared with each other, by the first.
    partners: Mapping[LayoutItem, LayoutItem]
    formulae: Sequence[logic.Formula] = ()

    def leading(self, items: Iterable[LayoutItem]) -> list[LayoutItem]:
        """Return the items without those that are placed together with another."""
        seconds = set(self.partners.values())
        return [item for item in items if item not in seconds]


class Beside(NamedTuple):
    """Bits that are placed beside an item: of something that is no variable of the system."""

    name: LayoutItem
    bits: int
    changing: bool = False


def structure_of(system: System, formulae: Sequence[logic.Formula]) -> Structure:
    """Look at how a system and what is asked of it hang together."""
    partners = _partners(system, formulae)
    firsts: dict[Hashable, LayoutItem] = {second: first for first, second in partners.items()}
    weights: dict[frozenset[Hashable], float] = {}
    for tie in ties(system, formulae):
        things = frozenset([firsts.get(thing, thing) for thing in tie.things])
        if len(things) > 1:
            weights[things] = weights.get(things, 0.0) + tie.weight
    items = [item for item in _items(system) if item not in firsts]
    found = [Tie(things, weight) for things, weight in weights.items()]
    return Structure(items, found, partners, formulae)


def lay_out(
    system: System,
    structure: Structure,
    kind: Order = "structure",
    beside: Mapping[LayoutItem, Sequence[Beside]] | None = None,
) -> BitLayout:
    """Choose an order, and give every bit its level; `beside` is what else goes after which item."""
    more = beside or {}
    changing = {
        (agent.name, assignment.variable)
        for agent in system.agents
        for line in agent.evolution
        for assignment in line.assignments
    }
    order: list[LayoutItem] = []
    variables: dict[tuple[str, str], VariableBits] = {}
    actions: dict[str, tuple[int, ...]] = {}
    level = 0
    for item in _ordered(system, structure, kind):
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
    return BitLayout(variables, actions, tuple(order), level)


def _place(
    extras: Sequence[Beside],
    level: int,
    variables: dict[tuple[str, str], VariableBits],
    actions: dict[str, tuple[int, ...]],
    order: list[LayoutItem],
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
            variables[extra.name] = VariableBits(now, after)
        level += step * extra.bits
    return level


def _ordered(system: System, structure: Structure, kind: Order) -> list[LayoutItem]:
    match kind:
        case "structure" | "near" | "grown" | "written":
            return _numbers_first(system, structure, kind)
        case "appearance":
            return structure.leading(first_appearance(system, structure.formulae))
        case "gates":
            return structure.leading(placed_gates(system, structure.formulae))


def _numbers_first(system: System, structure: Structure, kind: Order) -> list[LayoutItem]:
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
    variables: dict[tuple[str, str], VariableBits],
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
        variables[item] = VariableBits(tuple(levels), after)
    return level


def _partners(system: System, formulae: Iterable[logic.Formula]) -> dict[LayoutItem, LayoutItem]:
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
    partners: dict[LayoutItem, LayoutItem] = {}
    taken: set[LayoutItem] = set()
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
            part.expression
            for part in logic.walk(formula)
            if isinstance(part, logic.StateCondition)
        )
    for part in walk(*conditions):
        if isinstance(part, Compare):
            yield frozenset((read.agent, read.variable) for read in reads(part))


def bits_needed(system: System) -> int:
    """Return how many bits the current state takes."""
    return sum(bits_of(variable) for variable in system.variables)


def bits_of(variable: Variable) -> int:
    """Return how many bits the values of a variable need."""
    return ((size_of(variable.domain) or 1) - 1).bit_length()


def _items(system: System) -> list[LayoutItem]:
    items: list[LayoutItem] = []
    for agent in system.agents:
        items.extend((agent.name, variable.name) for variable in agent.variables)
        if len(agent.actions) > 1:
            items.append(agent.name)
    return items
