"""Agents that may change places: renamings under which a system is the same, and formulae that follow.

Names suggest which agents are alike; whether they are is looked at on the typed system. A renaming is
accepted only where the renamed system is the system, up to the order of what has none: agents, lines,
operands of `and`, `or` and sums. Then it maps runs to runs, views to views and strategies to strategies,
and a formula has the verdict of the renamed one.

Two renamings make all the others: exchanging the first two, and moving everybody on by one.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import ref

from gnomon.model import formula as logic
from gnomon.model import node
from gnomon.model.agent import Agent, Assignment, EvolutionLine
from gnomon.model.domain import Domain, Enumeration, IntegerRange
from gnomon.model.node import Expression, parts
from gnomon.model.numbered_names import IndexFamily, NameKind, families
from gnomon.model.pointing import named, number_names, pointing_variables
from gnomon.model.system import System

#: A file may have very many families, and each is looked at in the whole system.
_MOST_FAMILIES: Final = 30

Rename: TypeAlias = Callable[[NameKind, str], str]


class Symmetry(NamedTuple):
    """A family whose members may change places: any with any, or all together round a ring."""

    family: IndexFamily
    ring: bool

    def to_the_front(self, order: Iterable[int]) -> Mapping[int, int]:
        """Return the renaming that gives the first numbers to those who come first in some order."""
        numbers = self.family.numbers
        if self.ring:
            first = next(iter(order), numbers[0])
            by = numbers.index(first)
            return {number: numbers[place - by] for place, number in enumerate(numbers)}
        told = [*dict.fromkeys([*order, *numbers])]
        return dict(zip(told, numbers, strict=True))


def symmetries(system: System) -> tuple[Symmetry, ...]:
    """Return the families of agents that may change places; the last system asked about is remembered."""
    known, found = _LAST[0]
    if known is None or known() is not system:
        found = tuple(_symmetries(system))
        _LAST[0] = ref(system), found
    return found


#: Two ask about the same system, one after the other.
_LAST: Final[list[tuple["ref[System] | None", tuple[Symmetry, ...]]]] = [(None, ())]


def _symmetries(system: System) -> Iterator[Symmetry]:
    pointing = pointing_variables(system)
    shapes = Shapes(pointing)
    known: dict[str, int] = {}
    settled: set[int] = set()
    for family in islice(families(system, pointing), _MOST_FAMILIES):
        if not settled.isdisjoint(family.numbers):
            continue  # larger ones come first
        if not known:
            known["same"] = shapes.system(system, lambda _, name: name)
        if _maps_to_itself(system, family, _moved_on(family), shapes, known["same"]):
            swapped = _maps_to_itself(system, family, _swapped(family), shapes, known["same"])
            settled.update(family.numbers)
            yield Symmetry(family, ring=not swapped)


def _swapped(family: IndexFamily) -> Mapping[int, int]:
    first, second = family.numbers[:2]
    return {first: second, second: first}


def _moved_on(family: IndexFamily) -> Mapping[int, int]:
    numbers = family.numbers
    return dict(zip(numbers, (*numbers[1:], numbers[0]), strict=True))


def _maps_to_itself(
    system: System, family: IndexFamily, change: Mapping[int, int], shapes: "Shapes", same: int
) -> bool:
    def rename(kind: NameKind, name: str) -> str:
        return family.renamed(kind, name, change)

    return shapes.system(system, rename) == same


class Shapes:
    """Numbers for shapes of systems and formulae: equal where only an order without meaning differs."""

    def __init__(self, pointing: Mapping[node.Read, IntegerRange]) -> None:
        """Start without any; the numbers of some variables may be names of somebody."""
        self._numbers: dict[Hashable, int] = {}
        self._pointing = {
            read: tuple(number_names(read, range(domain.low, domain.high + 1)))
            for read, domain in pointing.items()
        }

    def pointing(self, read: node.Read) -> tuple[str, ...]:
        """Return the names that the numbers of a variable may be; nothing where they are no names."""
        return self._pointing.get(read, ())

    def number(self, shape: Hashable) -> int:
        """Return the number of a shape."""
        return self._numbers.setdefault(shape, len(self._numbers))

    def system(self, system: System, rename: Rename) -> int:
        """Return the shape of all of a system that formulae depend on, under a renaming."""
        look = _Renamed(self, rename)
        terminal = None if system.terminal is None else look.expression(system.terminal)
        return self.number(
            (
                system.semantics,
                frozenset(look.agent(agent) for agent in system.agents),
                look.expression(system.initial),
                frozenset(look.formula(system, each.formula) for each in system.fairness),
                terminal,
            )
        )

    def formula(self, system: System, formula: logic.Formula, rename: Rename) -> int:
        """Return the shape of a formula under a renaming, propositions being what they stand for."""
        return _Renamed(self, rename).formula(system, formula)

    def of_expressions(self, rename: Rename) -> Callable[[Expression], int]:
        """Return what gives the shapes of expressions under a renaming, as long as these are kept."""
        return _Renamed(self, rename).expression


class _Renamed:
    """The shapes of all parts under one renaming."""

    def __init__(self, shapes: Shapes, rename: Rename) -> None:
        self._shapes = shapes
        self._rename = rename
        self._known: dict[int, int] = {}

    def agent(self, agent: Agent) -> int:
        name = self._rename
        return self._shapes.number(
            (
                name("agent", agent.name),
                frozenset(
                    (name("variable", each.name), self._domain(each.domain), each.observed)
                    for each in agent.variables
                ),
                self._actions(agent.actions),
                frozenset(
                    (self.expression(line.condition), self._actions(line.actions))
                    for line in agent.protocol
                ),
                None if agent.other is None else self._actions(agent.other),
                frozenset(self._line(agent, line) for line in agent.evolution),
                frozenset(name("variable", each) for each in agent.sees),
                None if agent.red is None else self.expression(agent.red),
                agent.observer,
            )
        )

    def _actions(self, actions: Iterable[str]) -> frozenset[str]:
        return frozenset(self._rename("action", action) for action in actions)

    def _line(self, agent: Agent, line: EvolutionLine) -> tuple[Any, ...]:
        assigned = [
            (self._rename("variable", each.variable), self._assigned(agent, each))
            for each in line.assignments
        ]
        once = len(dict(assigned)) == len(assigned)
        return (
            self.expression(line.guard),
            frozenset(assigned) if once else tuple(assigned),
            line.split,
        )

    def _assigned(self, agent: Agent, assigned: Assignment) -> Hashable:
        read, value = node.Read(agent.name, assigned.variable), assigned.value
        if isinstance(value, node.Literal) and self._shapes.pointing(read):
            return ("number", self._number(read, value.value))
        return self.expression(value)

    def _number(self, read: node.Read, value: object) -> str:
        """Return the name of a number that a variable has for somebody."""
        return self._rename("number", f"{read.agent}.{read.variable}[{value}]")

    def _domain(self, domain: Domain) -> Hashable:
        if isinstance(domain, Enumeration):
            return (type(domain), frozenset(self._rename("value", each) for each in domain.names))
        return domain

    def expression(self, expression: Expression) -> int:
        """Return the shape of an expression; equal ones are one object, and each is looked at once."""
        known, waiting = self._known, [expression]
        while waiting:
            part = waiting[-1]
            missing = [each for each in parts(part) if id(each) not in known]
            if missing and id(part) not in known:
                waiting += missing
                continue
            waiting.pop()
            if id(part) not in known:
                known[id(part)] = self._made(part, [known[id(each)] for each in parts(part)])
        return known[id(expression)]

    def _made(self, part: Expression, inner: list[int]) -> int:
        pointed = named(part)
        if pointed is not None and self._shapes.pointing(pointed[1]):
            operator, read, number = pointed
            return self._shapes.number((operator, self._number(read, number)))
        match part:
            case node.Defined():
                return inner[0]
            case node.Literal(value):
                shown = self._rename("value", value) if isinstance(value, str) else value
                shape: Hashable = ("literal", type(value), shown)
            case node.Read(agent, variable):
                # Whoever looks at the number itself is told of it if that stands for somebody else.
                numbers = [self._rename("number", each) for each in self._shapes.pointing(part)]
                shape = ("read", *self._of("variable", agent, variable), *numbers)
            case node.Does(agent, action):
                shape = ("does", *self._of("action", agent, action))
            case node.And() | node.Or():
                shape = (type(part), frozenset(inner))
            case node.Sum():
                shape = (type(part), frozenset(Counter(inner).items()))
            case node.Compare(operator) if operator in {"=", "<>"}:
                shape = (operator, frozenset(Counter(inner).items()))
            case node.Compare(operator) | node.Arithmetic(operator):
                shape = (operator, *inner)
            case _:
                shape = (type(part), *inner)
        return self._shapes.number(shape)

    def _of(self, kind: NameKind, agent: str, name: str) -> tuple[str, str]:
        return self._rename("agent", agent), self._rename(kind, name)

    def formula(self, system: System, formula: logic.Formula) -> int:
        """Return the shape of a formula."""
        inner = [self.formula(system, part) for part in logic.parts(formula)]
        match formula:
            case logic.Proposition(name):
                return self.expression(system.propositions[name])
            case logic.StateCondition(expression):
                return self.expression(expression)
            case logic.Constant(value):
                shape: Hashable = ("constant", value)
            case logic.Norm(agent, red):
                shape = ("norm", self._rename("agent", agent), red)
            case logic.And() | logic.Or():
                shape = (f"formula {type(formula).__name__}", frozenset(inner))
            case logic.Knows(agent) | logic.Obliged(agent):
                shape = (type(formula), self._rename("agent", agent), *inner)
            case logic.GroupKnows(kind, group):
                shape = (type(formula), kind, self._members(group), *inner)
            case logic.Enforces(group):
                shape = (type(formula), self._members(group), *inner)
            case logic.Bounded(path, low, high):
                shape = ("bounded", type(path), low, high, *inner)
            case _:
                shape = (type(formula), *inner)
        return self._shapes.number(shape)

    def _members(self, group: logic.Group) -> frozenset[str]:
        return frozenset(self._rename("agent", each) for each in group.members)
