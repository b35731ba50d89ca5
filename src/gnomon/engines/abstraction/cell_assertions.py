"""Sets of cells as conditions of a proof: cases of what quantities are worth, each node written once.

How they are read is in `gnomon.certificate.deductive.written_conditions`.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from gnomon.certificate.arithmetic_data import of_comparison
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.linear import Form, form_of
from gnomon.engines.abstraction.partition import OpaqueComparison, Quantity, ResidueQuantity
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, Variable
from gnomon.model.budget import OutOfReach
from gnomon.model.domain import IntegerRange, size_of, value_at
from gnomon.model.expression import Read
from gnomon.model.step import State

#: A condition as it is written: true, false, or the number of a node.
WrittenRef: TypeAlias = bool | int
#: A proof with more nodes than this is not written.
MOST_NODES: Final = 20_000


class CodedItem(NamedTuple):
    """What a node may look at: its bits, how it is written, and the values of its codes."""

    levels: tuple[int, ...]
    quantity: dict[str, object]
    values: tuple[object, ...]
    #: Whether the values are ranges, which go together where they are neighbours.
    ranges: bool


class CellAssertions:
    """The conditions of one proof, written down as they are needed."""

    def __init__(self, space: CellSpace) -> None:
        """Write nothing yet."""
        self._space = space
        self._d = space.diagrams
        items = [item for item in _items(space) if item.levels]
        self._items = sorted(items, key=lambda item: min(item.levels))
        self._place = {
            level: place for place, item in enumerate(self._items) for level in item.levels
        }
        self.quantities: list[dict[str, object]] = []
        self.nodes: list[list[object]] = []
        self._quantity_numbers: dict[str, int] = {}
        self._written: dict[tuple[Diagram, Diagram], WrittenRef] = {}
        self._node_numbers: dict[str, int] = {}

    def write(self, cells: Diagram, care: Diagram | None = None) -> WrittenRef:
        """Return a set of cells as a condition; what is not in `care` may be in it or not."""
        return self._write(cells, self._space.reachable if care is None else care)

    def states(self, listed: Iterable[State], otherwise: WrittenRef) -> WrittenRef:
        """Return that a state is one of these, or else that a condition holds."""
        found = otherwise
        for state in listed:
            found = self._state(state, found)
        return found

    def _state(self, state: State, otherwise: WrittenRef) -> WrittenRef:
        """Return that a state is this one, or else that a condition holds."""
        found: WrittenRef = True
        for variable, value in zip(self._space.system.variables, state, strict=True):
            number = type(value) is int
            read = Read(variable.agent, variable.name)
            quantity: dict[str, object] = {"variable": [variable.agent, variable.name]}
            values: list[object] = [[value, value] if number else value]
            place = self._quantity(_sum(form_of(read)) if number else quantity)
            found = self._numbered([place, [[values, found]], otherwise])
        return found

    def _write(self, cells: Diagram, care: Diagram) -> WrittenRef:
        d = self._d
        if d.both(cells, care) == d.false:
            return False
        if d.minus(care, cells) == d.false:
            return True
        levels = set(d.support(cells))
        care = d.exists(care, d.cube(set(d.support(care)) - levels))
        key = cells, care
        found = self._written.get(key)
        if found is None:
            place = min(self._place[level] for level in levels)
            found = self._written[key] = self._branch(place, cells, care)
        return found

    def _branch(self, place: int, cells: Diagram, care: Diagram) -> WrittenRef:
        d, item = self._d, self._items[place]
        cube = d.cube(item.levels)
        encoder = self._space.cells.encoder
        left: list[WrittenRef | None] = []
        for code in range(len(item.values)):
            here = encoder.is_code(item.levels, code)
            cared = d.both_exists(care, here, cube)
            if cared == d.false:
                left.append(left[-1] if left else None)
            else:
                left.append(self._write(d.both_exists(cells, here, cube), cared))
        return self._node(place, _filled(left))

    def _node(self, place: int, left: list[WrittenRef]) -> WrittenRef:
        item = self._items[place]
        # True and 1 are equal, and must not be one key.
        groups: dict[tuple[bool, WrittenRef], list[object]] = {}
        for ref, value in zip(left, item.values, strict=True):
            values = groups.setdefault((isinstance(ref, bool), ref), [])
            if item.ranges and values and _meet(values[-1], value):
                values[-1] = [values[-1][0], value[1]]  # type: ignore[index]
            else:
                values.append(value)
        if len(groups) == 1:
            return left[0]
        rest = max(groups, key=lambda key: len(groups[key]))
        cases = [[values, ref] for (kind, ref), values in groups.items() if (kind, ref) != rest]
        return self._numbered([self._quantity(item.quantity), cases, rest[1]])

    def _quantity(self, quantity: dict[str, object]) -> int:
        """Return the number of what a node looks at."""
        key = repr(quantity)
        number = self._quantity_numbers.get(key)
        if number is None:
            number = self._quantity_numbers[key] = len(self.quantities)
            self.quantities.append(_written(quantity))
        return number

    def _numbered(self, node: list[object]) -> int:
        """Return the number of a node, which is written once."""
        text = repr(node)
        if text not in self._node_numbers:
            if len(self.nodes) >= MOST_NODES:
                raise OutOfReach(f"a proof of more than {MOST_NODES:,} conditions")
            self._node_numbers[text] = len(self.nodes)
            self.nodes.append(node)
        return self._node_numbers[text]


def _written(quantity: dict[str, object]) -> dict[str, object]:
    """Return what a node looks at, as it is written."""
    atom = quantity.get("comparison")
    if not isinstance(atom, typed.Compare):
        return quantity
    data = of_comparison(atom)
    if data is None:
        raise OutOfReach(f"a proof that goes by `{typed.show(atom)}`")
    return {"comparison": data}


def _filled(left: list[WrittenRef | None]) -> list[WrittenRef]:
    """Return what is left of each code; those before the first that matters go with it."""
    first = next(ref for ref in left if ref is not None)
    return [first if ref is None else ref for ref in left]


def _meet(one: object, two: object) -> bool:
    assert isinstance(one, list)
    assert isinstance(two, list)
    return one[1] is not None and two[0] == one[1] + 1


def _items(space: CellSpace) -> Iterable[CodedItem]:
    for variable in space.system.variables:
        if Read(variable.agent, variable.name) not in space.partition.hidden:
            yield _variable(space, variable)
    for quantity in space.partition.relations:
        yield _relation(space, quantity)
    for agent in space.system.agents:
        if agent.actions:
            yield _action(space, agent)


def _variable(space: CellSpace, variable: Variable) -> CodedItem:
    read = Read(variable.agent, variable.name)
    levels = space.layout.variables[variable.agent, variable.name].now
    if read in space.partition.coarse:
        return CodedItem(levels, _sum(form_of(read)), _pieces(space, form_of(read)), ranges=True)
    values = [value_at(variable.domain, code) for code in range(size_of(variable.domain) or 0)]
    if isinstance(variable.domain, IntegerRange):
        ranges = tuple([value, value] for value in values)
        return CodedItem(levels, _sum(form_of(read)), ranges, ranges=True)
    return CodedItem(
        levels, {"variable": [variable.agent, variable.name]}, tuple(values), ranges=False
    )


def _relation(space: CellSpace, quantity: Quantity) -> CodedItem:
    levels = space.cells.bits(quantity).now
    match quantity:
        case Form():
            return CodedItem(levels, _sum(quantity), _pieces(space, quantity), ranges=True)
        case ResidueQuantity(form, modulus):
            values = tuple([rest, rest] for rest in range(modulus))
            found = {"remainder": _sum(form)["sum"], "modulus": modulus}
            return CodedItem(levels, found, values, ranges=True)
        case OpaqueComparison(atom):
            return CodedItem(levels, {"comparison": atom}, (False, True), ranges=False)


def _action(space: CellSpace, agent: Agent) -> CodedItem:
    levels = tuple(space.layout.actions.get(agent.name, ()))
    return CodedItem(levels, {"action": agent.name}, agent.actions, ranges=False)


def _sum(form: Form) -> dict[str, object]:
    return {"sum": [[weight, read.agent, read.variable] for read, weight in form.terms]}


def _pieces(space: CellSpace, form: Form) -> tuple[object, ...]:
    return tuple([piece.low, piece.high] for piece in space.partition.pieces[form])
