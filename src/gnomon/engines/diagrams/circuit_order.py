"""Orders of variables for systems that are circuits: latches, inputs and gates that many share.

Ties between a latch and all inputs of its cone say little where cones overlap: an input that selects among
data has to stand above them, and ends anywhere. What does say something is the circuit itself: in which order
it first looks at what, going back from what is asked; or where its gates would be placed on a board.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from gnomon.engines.diagrams.order import Order, Tie, settled
from gnomon.engines.diagrams.ties import LayoutItem
from gnomon.model import formula as logic
from gnomon.model.agent import Agent
from gnomon.model.domain import size_of
from gnomon.model.expression import And, Does, Expression, Not, Or, Read, parts
from gnomon.model.system import System

#: Which to try first.
CIRCUIT_ORDERS: Final[tuple[Order, ...]] = ("appearance", "gates")
#: So many of the variables of a circuit have at most two values.
_NEARLY_ALL: Final = 0.9
#: With fewer variables and inputs any order will do.
_FEW: Final = 8


def is_circuit(system: System) -> bool:
    """Return whether a system looks like a circuit: bits, set by conditions, cleared by their opposites."""
    bits = [v for v in system.variables if (size_of(v.domain) or 3) <= 2]
    inputs = [agent for agent in system.agents if len(agent.actions) > 1]
    if len(bits) < _NEARLY_ALL * len(system.variables) or len(bits) + len(inputs) < _FEW:
        return False
    return system.semantics == "SingleAssignment" and all(map(_is_gated, system.agents))


def _is_gated(agent: Agent) -> bool:
    guards = {line.guard for line in agent.evolution}
    return all(
        Not(guard) in guards or (isinstance(guard, Not) and guard.operand in guards)
        for guard in guards
    )


def first_appearance(system: System, formulae: Iterable[logic.Formula]) -> list[LayoutItem]:
    """Return variables and actions as they first appear, going back from what is asked, breadth first."""
    looked_at = _Looking(system)
    waiting = [*looked_at.new(_asked(system, formulae))]
    found: list[LayoutItem] = []
    rest: Iterator[LayoutItem] = iter(looked_at.all_items())
    while True:
        for item in waiting:  # grows meanwhile
            found.append(item)
            waiting += looked_at.new(_deciding(system, item))
        nobody_asked = next((item for item in rest if item not in looked_at.seen), None)
        if nobody_asked is None:
            return found
        looked_at.seen.add(nobody_asked)
        waiting = [nobody_asked]


def placed_gates(system: System, formulae: Iterable[logic.Formula]) -> list[LayoutItem]:
    """Return variables and actions where they stand between the gates, all ties being short."""
    board = _Board(system)
    for item in _Looking(system).all_items():
        for expression in _deciding(system, item):
            board.tie(item, expression)
    for expression in _asked(system, formulae):
        board.vertex(expression)
    items = _Looking(system).all_items()
    placed = settled([*items, *board.gates], board.ties, "near")
    return [thing for thing in placed if not isinstance(thing, int)]


def _asked(system: System, formulae: Iterable[logic.Formula]) -> Iterator[Expression]:
    for formula in formulae:
        for part in logic.walk(formula):
            match part:
                case logic.Proposition(name):
                    yield system.propositions[name]
                case logic.StateCondition(expression):
                    yield expression
                case _:
                    continue


def _deciding(system: System, item: LayoutItem) -> Iterator[Expression]:
    """Yield what decides the next value of a variable, or which actions an agent may do."""
    if isinstance(item, str):
        yield from (line.condition for line in system.agent(item).protocol)
        return
    name, variable = item
    for line in system.agent(name).evolution:
        for assignment in line.assignments:
            if assignment.variable == variable:
                yield line.guard
                yield assignment.value


class _Looking:
    """What has been looked at, once each."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._choosing = {agent.name for agent in system.agents if len(agent.actions) > 1}
        self._known: set[int] = set()
        self.seen: set[LayoutItem] = set()

    def all_items(self) -> list[LayoutItem]:
        """Return all variables and actions, as they are written."""
        items: list[LayoutItem] = []
        for agent in self._system.agents:
            items += [(agent.name, variable.name) for variable in agent.variables]
            items += [agent.name] if agent.name in self._choosing else []
        return items

    def new(self, expressions: Iterable[Expression]) -> Iterator[LayoutItem]:
        """Yield what the expressions look at, depth first, without what was looked at before."""
        waiting = list(expressions)[::-1]
        while waiting:
            part = waiting.pop()
            if id(part) in self._known:
                continue
            self._known.add(id(part))
            item = _item(part)
            if item is None:
                waiting += reversed(parts(part))
            elif item not in self.seen and (not isinstance(item, str) or item in self._choosing):
                self.seen.add(item)
                yield item


def _item(expression: Expression) -> LayoutItem | None:
    match expression:
        case Read(agent, variable):
            return (agent, variable)
        case Does(agent, _):
            return agent
        case _:
            return None


class _Board:
    """Gates by number, and what is tied to each."""

    def __init__(self, system: System) -> None:
        self._choosing = {agent.name for agent in system.agents if len(agent.actions) > 1}
        self._vertices: dict[int, frozenset[LayoutItem | int]] = {}
        self.gates: list[int] = []
        self.ties: list[Tie] = []

    def tie(self, item: LayoutItem, expression: Expression) -> None:
        """Tie a variable to the gate that decides it."""
        things = self.vertex(expression) | {item}
        if len(things) > 1:
            self.ties.append(Tie(frozenset(things)))

    def vertex(self, expression: Expression) -> frozenset[LayoutItem | int]:
        """Return the gate of an expression, or what it looks at where it is no gate."""
        waiting = [expression]
        while waiting:
            part = waiting[-1]
            if id(part) in self._vertices:
                waiting.pop()
                continue
            inner = parts(part)
            missing = [each for each in inner if id(each) not in self._vertices]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            self._vertices[id(part)] = self._made(part, inner)
        return self._vertices[id(expression)]

    def _made(self, part: Expression, inner: Iterable[Expression]) -> frozenset[LayoutItem | int]:
        item = _item(part)
        if item is not None:
            counts = not isinstance(item, str) or item in self._choosing
            return frozenset([item] if counts else [])
        things = frozenset().union(*(self._vertices[id(each)] for each in inner))
        if not isinstance(part, And | Or) or len(things) < 2:
            return things
        gate = len(self.gates)
        self.gates.append(gate)
        self.ties.append(Tie(things | {gate}))
        return frozenset([gate])
