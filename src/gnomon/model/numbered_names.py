"""Names that belong together by a number in them: agents, variables, actions and values of one family.

A number that a variable has only as a name counts as one, `Environment.sel[3]` (`model/pointing.py`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.model.domain import Enumeration, IntegerRange
from gnomon.model.node import Read
from gnomon.model.pointing import number_names
from gnomon.model.system import System

NameKind: TypeAlias = Literal["agent", "variable", "action", "value", "number"]

#: `x[1]`, `likes[1,2]`, or `x1`; a number with zeros before it is none, since it could not be put back.
_IN_BRACKETS: Final = re.compile(r"(.*)\[((?:0|-?[1-9]\d*)(?:,(?:0|-?[1-9]\d*))*)\]", re.DOTALL)
_AT_THE_END: Final = re.compile(r"(.*?[^\d\]-])(0|[1-9]\d*)", re.DOTALL)


class NumberedName(NamedTuple):
    """A name without its numbers, and these."""

    stem: str
    numbers: tuple[int, ...]

    @staticmethod
    def of(name: str) -> "NumberedName":
        """Take a name apart; most have no number."""
        found = _IN_BRACKETS.fullmatch(name)
        if found:
            numbers = tuple(map(int, found[2].split(",")))
            return NumberedName(f"{found[1]}[{',' * (len(numbers) - 1)}]", numbers)
        found = _AT_THE_END.fullmatch(name)
        return NumberedName(found[1], (int(found[2]),)) if found else NumberedName(name, ())

    @property
    def name(self) -> str:
        """The name, put together again."""
        if not self.numbers:
            return self.stem
        if self.stem.endswith("]"):
            return f"{self.stem[: self.stem.rindex('[')]}[{','.join(map(str, self.numbers))}]"
        return f"{self.stem}{self.numbers[0]}"


#: The place of a number in names of one kind and stem.
NumberPlace: TypeAlias = tuple[NameKind, str, int]


class IndexFamily(NamedTuple):
    """Numbers that agents are told apart by, and where else in names there are all of these numbers."""

    numbers: tuple[int, ...]
    places: frozenset[NumberPlace]

    def found_in(self, kind: NameKind, name: str) -> Iterator[int]:
        """Yield the numbers of this family that a name has."""
        stem, numbers = NumberedName.of(name)
        for place, number in enumerate(numbers):
            if (kind, stem, place) in self.places and number in self.numbers:
                yield number

    def renamed(self, kind: NameKind, name: str, change: Mapping[int, int]) -> str:
        """Return a name with other numbers of this family in it."""
        stem, numbers = NumberedName.of(name)
        if not numbers:
            return name
        changed = tuple(
            change.get(number, number) if (kind, stem, place) in self.places else number
            for place, number in enumerate(numbers)
        )
        return NumberedName(stem, changed).name


def families(
    system: System, pointing: Mapping[Read, IntegerRange] = MappingProxyType({})
) -> Iterator[IndexFamily]:
    """Yield the families of agents, the largest first.

    Each is there also without its first and without its last, who may be special. Numbers that may be names
    (`pointing`) are taken for names first, and then for what they are.
    """
    numbers: dict[NumberPlace, set[int]] = {}
    for kind, name in _names(system, pointing):
        stem, found = NumberedName.of(name)
        for place, number in enumerate(found):
            numbers.setdefault((kind, stem, place), set()).add(number)
    told_apart = {frozenset(each) for place, each in numbers.items() if place[0] == "agent"}
    for members in sorted(map(sorted, told_apart), key=len, reverse=True):
        for some in (members, members[1:], members[:-1]):
            if len(some) > 1:
                everywhere = [place for place, each in numbers.items() if each.issuperset(some)]
                without = [place for place in everywhere if place[0] != "number"]
                yield IndexFamily(tuple(some), frozenset(everywhere))
                if len(without) < len(everywhere):
                    yield IndexFamily(tuple(some), frozenset(without))


def _names(system: System, pointing: Mapping[Read, IntegerRange]) -> Iterable[tuple[NameKind, str]]:
    for agent in system.agents:
        yield "agent", agent.name
        for action in agent.actions:
            yield "action", action
        for variable in agent.variables:
            yield "variable", variable.name
            if isinstance(variable.domain, Enumeration):
                for value in variable.domain.names:
                    yield "value", value
    for read, domain in pointing.items():
        for name in number_names(read, range(domain.low, domain.high + 1)):
            yield "number", name
