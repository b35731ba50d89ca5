"""Which groups of agents can do or know something: what was asked, what follows, and who is at the border.

Groups are numbers: bit `i` is the member `i`. Where the property is monotone, few answers tell of all
groups; what nobody knows tells nothing of others, and a group is only called minimal or maximal where that is
certain.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias

from gnomon.checking.verdict import Result, Value
from gnomon.model.system import Kind
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic

#: A set of members, bit by bit.
GroupMask: TypeAlias = int
#: Whether larger groups have what smaller ones have ("up"), or smaller ones what larger ones have ("down").
Direction: TypeAlias = Literal["up", "down"]
#: What a group has: a strategy, or knowledge of one kind.
SurveyKind: TypeAlias = Literal["enforces", "distributed", "everybody", "common"]
#: When something is known: in some state that can be reached, wherever it holds, or in initial states.
KnownWhen: TypeAlias = Literal["ever", "always", "initially"]


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """What was found about one group: the verdict on a formula, and whether the group has what is asked for.

    `formula` is "" where it follows from another question. Some formulae say that a group has it not.
    """

    group: GroupMask
    value: Value
    holds: bool | None
    formula: str = ""
    reason: str = ""
    vacuous: str = ""


@dataclass(frozen=True, repr=False)
class GroupSurvey:
    """All that is known about which groups have something.

    `formula` is what is asked, with `…` where the members stand. Groups have from one to `largest` members.
    `nobody` is the answer about the empty coalition, which stands apart: in deadlocks nothing follows from it
    for others.

    >>> import gnomon
    >>> survey = gnomon.load("examples/strongroom.ispl").who("F open").survey()
    >>> survey.kind, survey.agents
    ('enforces', ('Clerk[1]', 'Clerk[2]', 'Director', 'Auditor'))
    >>> [survey.members(group) for group in survey.holding]
    [('Clerk[1]', 'Clerk[2]'), ('Director', 'Auditor')]
    """

    __repr__ = brief_fields

    kind: SurveyKind
    formula: str
    agents: tuple[str, ...]
    largest: int
    direction: Direction | None
    answers: tuple[GroupAnswer, ...] = ()
    nobody: GroupAnswer | None = None

    @cached_property
    def by_group(self) -> Mapping[GroupMask, GroupAnswer]:
        """The answers by the group that they are about."""
        return {each.group: each for each in self.answers}

    @property
    def asked(self) -> int:
        """How many groups were asked about."""
        found = [*self.answers, *([self.nobody] if self.nobody else [])]
        return sum(bool(each.formula) for each in found)

    @cached_property
    def groups(self) -> tuple[GroupMask, ...]:
        """All groups there are, the smallest first."""
        return tuple(all_groups(len(self.agents), self.largest))

    def members(self, group: GroupMask) -> tuple[str, ...]:
        """Return who is in a group."""
        return tuple(name for place, name in enumerate(self.agents) if group >> place & 1)

    def standing(self, group: GroupMask) -> bool | None:
        """Return whether a group has it, by what was asked about it and what follows; None: nobody knows."""
        if (own := self.by_group.get(group)) is not None and own.holds is not None:
            return own.holds
        if self.direction is None:
            return None
        up = self.direction == "up"
        # What settles a group is the same property in one that is inside of it, or around it.
        if any(group & each == (each if up else group) for each in self._sides[0]):
            return True
        if any(group & each == (group if up else each) for each in self._sides[1]):
            return False
        return None

    @cached_property
    def _sides(self) -> tuple[list[GroupMask], list[GroupMask]]:
        """The groups that surely have it and surely not, those at the border."""
        has = [each.group for each in self.answers if each.holds is True]
        lacks = [each.group for each in self.answers if each.holds is False]
        if self.direction == "down":
            return maximal(has), minimal(lacks)
        return minimal(has), maximal(lacks)

    @cached_property
    def holding(self) -> tuple[GroupMask, ...]:
        """Those at the border that have it: the smallest ones, where larger ones do not have less."""
        return self._looked_at(self._sides[0], smallest=self.direction != "down")

    @cached_property
    def failing(self) -> tuple[GroupMask, ...]:
        """Those at the border that do not have it."""
        return self._looked_at(self._sides[1], smallest=self.direction == "down")

    def _looked_at(self, groups: list[GroupMask], *, smallest: bool) -> tuple[GroupMask, ...]:
        """Leave out what is too large; as the largest of its side it says more than groups that are not."""
        return tuple(each for each in groups if not smallest or each.bit_count() <= self.largest)

    def is_certain(self, group: GroupMask) -> bool:
        """Return whether a group is at the border for certain: what lies beyond it is on the other side."""
        side = self.standing(group)
        if side is None:
            return False
        smaller = side == (self.direction != "down")
        if self.direction is None:
            beyond = (group & each == (each if smaller else group) for each in self.open)
            return not any(beyond)
        near = _one_smaller(group) if smaller else self._one_larger(group)
        return all(self.standing(each) is (not side) for each in near)

    def _one_larger(self, group: GroupMask) -> Iterator[GroupMask]:
        if group.bit_count() < self.largest:
            for place in range(len(self.agents)):
                if not group >> place & 1:
                    yield group | 1 << place

    @cached_property
    def open(self) -> tuple[GroupMask, ...]:
        """The groups of which nobody knows."""
        return tuple(each for each in self.groups if self.standing(each) is None)

    @cached_property
    def able(self) -> tuple[GroupMask, ...]:
        """All groups that surely have it, one by one."""
        return tuple(each for each in self.groups if self.standing(each))

    @cached_property
    def exceptions(self) -> tuple[GroupMask, ...]:
        """Groups that have it although a larger one surely has not, where nothing is monotone."""
        if self.direction is not None:
            return ()
        lacks = [each.group for each in self.answers if each.holds is False]
        return tuple(one for one in self.able if any(one & each == one for each in lacks))


@dataclass(frozen=True, repr=False)
class WhoReport:
    """Who can enforce a goal, or who knows something: all that was found about one model."""

    __repr__ = brief_fields

    model: str
    kind: Kind
    asked_for: Literal["enforces", "knows"]
    #: The goal, or what may be known, as it was given.
    goal: str
    surveys: tuple[GroupSurvey, ...]
    when: KnownWhen | None = None
    strategies: str | None = None
    states: int | None = None
    constants: tuple[tuple[str, int], ...] = ()
    #: Whether the model has an environment that has a choice, and no group has it in it.
    without_environment: bool = False
    #: How many formulae were asked of the model, in how many rounds, and how long all of it took.
    checks: int = 0
    rounds: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    terminated: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    #: What supports the answers about those at the border, where it was asked for: verdicts by formula.
    evidence: Result | None = field(default=None, compare=False)

    @property
    def is_open(self) -> bool:
        """Return whether something is not known that was asked for."""
        return any(
            survey.open or (survey.nobody is not None and survey.nobody.holds is None)
            for survey in self.surveys
        )


def all_groups(agents: int, largest: int) -> Iterator[GroupMask]:
    """Yield all groups of so many agents that have from one to `largest` members, the smallest first."""
    for size in range(1, largest + 1):
        for places in combinations(range(agents), size):
            yield sum(1 << place for place in places)


def minimal(groups: Iterable[GroupMask]) -> list[GroupMask]:
    """Return the groups that have no other one in them.

    >>> minimal([0b11, 0b01, 0b110])
    [1, 6]
    """
    found: list[GroupMask] = []
    for group in sorted(set(groups), key=_by_size):
        if not any(group & each == each for each in found):
            found.append(group)
    return found


def maximal(groups: Iterable[GroupMask]) -> list[GroupMask]:
    """Return the groups that are in no other one.

    >>> maximal([0b11, 0b01, 0b110])
    [3, 6]
    """
    found: list[GroupMask] = []
    for group in sorted(set(groups), key=_by_size, reverse=True):
        if not any(group & each == group for each in found):
            found.append(group)
    return sorted(found, key=_by_size)


def _by_size(group: GroupMask) -> tuple[int, str]:
    """Smaller groups first, and among those of one size the ones with earlier members."""
    return group.bit_count(), f"{group:b}"[::-1].translate(_TURNED)


#: A member that is there comes before one that is not.
_TURNED = str.maketrans("01", "10")


def _one_smaller(group: GroupMask) -> Iterator[GroupMask]:
    if group.bit_count() > 1:
        for place in range(group.bit_length()):
            if group >> place & 1:
                yield group & ~(1 << place)
