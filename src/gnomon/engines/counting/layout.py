"""How a state is counted: what each member of a crowd has in it, how many have the same, and the rest.

What a member has is its block: all variables that speak of it, whosever they are, and whether it is whom
some variable points at. Two states have the same counts if and only if members changing places make one of
the other; so counts stand for as many states as there are ways to hand out the blocks.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import comb
from typing import Final, NamedTuple, TypeAlias

from gnomon.model.agent import Variable
from gnomon.model.budget import Unsuited
from gnomon.model.crowd import AlikeCrowd
from gnomon.model.domain import Datum, Enumeration, IntegerRange
from gnomon.model.expression import Read
from gnomon.model.numbered_names import NameKind
from gnomon.model.pointing import number_names
from gnomon.model.step import State

#: What one member has: the values of its variables, and whether it is pointed at.
Block: TypeAlias = tuple[Datum, ...]
#: The values that are nobody's, and how many members have which block, in order.
Counted: TypeAlias = tuple[tuple[Datum | None, ...], tuple[tuple[Block, int], ...]]
#: Members that nothing tells apart yet, by their places in the crowd.
AlikeCells: TypeAlias = tuple[tuple[int, ...], ...]

#: What a variable is worth that points at a member.
_SOMEBODY: Final = None


class MemberPointer(NamedTuple):
    """A variable whose value may be a member: its place in a state, and what means whom."""

    position: int
    place_of: dict[Datum, int]
    values: tuple[Datum, ...]


class Layout:
    """Where a state has what of whom; raises `Unsuited` where something speaks of two members at once."""

    def __init__(self, crowd: AlikeCrowd) -> None:
        """Look at all variables and actions of a system."""
        self.crowd = crowd
        self.system = crowd.system
        self.size = len(crowd.members)
        self._place = {number: place for place, number in enumerate(crowd.members)}
        #: For each agent: the place of the member that it belongs to, or None.
        self.owner = tuple(self._only("agent", agent.name) for agent in self.system.agents)
        single: list[int] = []
        pointers: list[MemberPointer] = []
        slots: dict[tuple[str, str], list[int]] = {}
        for position, variable in enumerate(self.system.variables):
            place = self._of_variable(variable)
            pointer = self._pointer(position, variable)
            if pointer is not None and place is not None:
                msg = f"`{variable.agent}.{variable.name}` says something about two of the crowd"
                raise Unsuited(msg)
            if place is not None:
                key = self._as_first(place, variable)
                slots.setdefault(key, [-1] * self.size)[place] = position
            else:
                single.append(position)
            if pointer is not None:
                pointers.append(pointer)
        #: The variables that are nobody's, those that point among them.
        self.single = tuple(single)
        self.pointers = tuple(pointers)
        #: For each variable that every member has: where each has it.
        self.slots = tuple(tuple(positions) for positions in slots.values())
        if any(-1 in positions for positions in self.slots):
            msg = "not everybody in the crowd has the same variables"
            raise Unsuited(msg)
        self._pointing = {single.index(each.position): each for each in pointers}

    def _only(self, kind: NameKind, name: str) -> int | None:
        found = self.crowd.numbers_in(kind, name)
        if len(found) > 1:
            msg = f"`{name}` is about two of the crowd"
            raise Unsuited(msg)
        return self._place[found[0]] if found else None

    def _of_variable(self, variable: Variable) -> int | None:
        found = {self._only("agent", variable.agent), self._only("variable", variable.name)} - {
            None
        }
        if len(found) > 1:
            msg = f"`{variable.agent}.{variable.name}` is about two of the crowd"
            raise Unsuited(msg)
        return next(iter(found), None)

    def _as_first(self, place: int, variable: Variable) -> tuple[str, str]:
        """Return what the first member calls a variable of the member in some place."""
        old, new = self.crowd.members[place], self.crowd.members[0]
        agent = self.crowd.renamed("agent", variable.agent, old, new)
        return agent, self.crowd.renamed("variable", variable.name, old, new)

    def _pointer(self, position: int, variable: Variable) -> MemberPointer | None:
        """Return whom a variable points at by its values, None where it points at nobody."""
        domain = variable.domain
        named: list[tuple[Datum, int | None]]
        if isinstance(domain, Enumeration):
            named = [(value, self._only("value", value)) for value in domain.names]
        elif isinstance(domain, IntegerRange) and self._points(variable):
            read = Read(variable.agent, variable.name)
            numbers = range(domain.low, domain.high + 1)
            names = zip(numbers, number_names(read, numbers), strict=True)
            named = [(number, self._only("number", name)) for number, name in names]
        else:
            return None
        place_of: dict[Datum, int] = {value: place for value, place in named if place is not None}
        if not place_of:
            return None
        values_by_place = {place: value for value, place in place_of.items()}
        if len(values_by_place) < self.size or len(values_by_place) < len(place_of):
            msg = (
                f"`{variable.agent}.{variable.name}` does not point at each of the crowd in one way"
            )
            raise Unsuited(msg)
        return MemberPointer(
            position, place_of, tuple(values_by_place[p] for p in range(self.size))
        )

    def _points(self, variable: Variable) -> bool:
        """Return whether the family takes the numbers of a variable for names."""
        kind, stem = "number", f"{variable.agent}.{variable.name}[]"
        return (kind, stem, 0) in self.crowd.family.places

    # States

    def counted(self, state: State) -> Counted:
        """Return how many members have which block, and the rest."""
        return self._sorted([state[position] for position in self.single], self.blocks(state))

    def blocks(self, state: State) -> list[Block]:
        """Return what each member has."""
        columns = [[state[position] for position in positions] for positions in self.slots]
        for pointer in self.pointers:
            at = pointer.place_of.get(state[pointer.position])
            columns.append([place == at for place in range(self.size)])
        return list(zip(*columns, strict=True)) if columns else [()] * self.size

    def _sorted(self, single: list[Datum], blocks: Iterable[Block]) -> Counted:
        return self.of_nobody(single), tuple(sorted(Counter(blocks).items()))

    def of_nobody(self, single: Sequence[Datum]) -> tuple[Datum | None, ...]:
        """Return the values that are nobody's: of one that points at a member, only that it does."""
        if not self._pointing:
            return tuple(single)
        return tuple(
            _SOMEBODY
            if index in self._pointing and value in self._pointing[index].place_of
            else value
            for index, value in enumerate(single)
        )

    def state(self, counted: Counted) -> State:
        """Return one of the states that have these counts: blocks are handed out in order."""
        single, counts = counted
        values: list[Datum | None] = [None] * len(self.system.variables)
        for position, value in zip(self.single, single, strict=True):
            values[position] = value
        own = len(self.slots)
        place = 0
        for block, count in counts:
            for positions, value in zip(self.slots, block, strict=False):
                values_from = positions[place : place + count]
                for position in values_from:
                    values[position] = value
            for pointer, at in zip(self.pointers, block[own:], strict=True):
                if at:
                    values[pointer.position] = pointer.values[place]
            place += count
        return tuple(values)  # type: ignore[arg-type]

    def cells(self, counted: Counted) -> AlikeCells:
        """Return the members that have the same block in that state."""
        found, place = [], 0
        for _, count in counted[1]:
            found.append(tuple(range(place, place + count)))
            place += count
        return tuple(found)

    @cached_property
    def sources(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return, for each member, whose variables its block is: the agent and the place among its own."""
        where = self._where
        return tuple(
            tuple(where[positions[place]] for positions in self.slots) for place in range(self.size)
        )

    @cached_property
    def single_sources(self) -> tuple[tuple[int, int], ...]:
        """Return whose the variables are that are nobody's in the crowd."""
        return tuple(self._where[position] for position in self.single)

    @cached_property
    def _where(self) -> list[tuple[int, int]]:
        return [
            (index, place)
            for index, agent in enumerate(self.system.agents)
            for place in range(len(agent.variables))
        ]


def ways(counts: Iterable[int]) -> int:
    """Return how many ways there are to hand out so many blocks of each kind."""
    found, left = 1, 0
    for count in counts:
        left += count
        found *= comb(left, count)
    return found
