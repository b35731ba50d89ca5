"""Conditions on configurations as linear conditions on how many agents are where.

The unknowns are locations, by number, and parameters, by name.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gnomon.engines.solvers.whole_numbers import (
    ALWAYS,
    NEVER,
    AtLeast,
    Every,
    NumberCondition,
    NumberName,
    OneOf,
    at_least,
    either,
    every,
    opposite,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.evaluation import value_by
from gnomon.model.expression import Does, Read, reads
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Enough,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Not,
    Or,
    Related,
    Same,
    Tally,
    expressions,
    walk,
)
from gnomon.model.parameterised.linear import LinearTerm as Term
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.errors import Abandoned
from gnomon.text.record import Record


class CannotCount(Abandoned):
    """A condition asks more than how many agents are where."""

    def __init__(self, message: str, help: str = "") -> None:
        """Say what it asks, and what to do instead."""
        super().__init__(message)
        self.help = help


class AgentLocation(NamedTuple):
    """A local state of the agents of a template, or of the one that is told apart."""

    template: str
    own: bool
    local: Local


class AgentRule(Record):
    """That an agent may do an action at one location and comes to another, where the guard holds."""

    source: int
    target: int
    action: str
    guard: NumberCondition

    @property
    def stays(self) -> bool:
        """Return whether it changes nothing."""
        return self.source == self.target


class _AgentAt(NamedTuple):
    """An agent whose local state is known; two of them may be one agent."""

    part: str
    local: Local
    is_self: bool


class Counter:
    """Reads conditions for agents at some locations, beside an environment that stays as it is."""

    def __init__(
        self, system: OpenSystem, environment: Local, locations: tuple[AgentLocation, ...]
    ) -> None:
        """Read with these locations."""
        self._system = system
        self._environment = _AgentAt(ENVIRONMENT, environment, False)
        self._locations = locations

    def condition(
        self, condition: Condition, self_at: AgentLocation | None = None
    ) -> NumberCondition:
        """Return a condition on configurations, in which `self` is an agent at a location.

        Where none is given, `self` is the agent that is told apart. Raises `CannotCount`.
        """
        who = {ENVIRONMENT: self._environment}
        if self_at is not None:
            return self._read(condition, {**who, SELF: _known(self_at, is_self=True)})
        return self._of_own(condition, who)

    def _of_own(self, condition: Condition, who: Mapping[str, _AgentAt]) -> NumberCondition:
        match condition:
            case Not(operand):
                return opposite(self._of_own(operand, who))
            case And(operands):
                return every(*(self._of_own(operand, who) for operand in operands))
            case Or(operands):
                return either(*(self._of_own(operand, who) for operand in operands))
            case Holds(expression) if any(read.agent == SELF for read in reads(expression)):
                terms: dict[NumberName, int] = {
                    number: int(self._is_true(condition, {**who, SELF: _known(place)}))
                    for number, place in enumerate(self._locations)
                    if place.own
                }
                return at_least(terms, -1)
            case _ if _mentions_self(condition):
                cases = (
                    every(
                        at_least({number: 1}, -1),
                        self._read(condition, {**who, SELF: _known(place, is_self=True)}),
                    )
                    for number, place in enumerate(self._locations)
                    if place.own
                )
                return either(*cases)
            case _:
                return self._read(condition, who)

    def _read(self, condition: Condition, who: Mapping[str, _AgentAt]) -> NumberCondition:
        match condition:
            case Holds(expression):
                value = value_by(expression, lambda part: self._look(part, who))
                return ALWAYS if value else NEVER
            case Not(operand):
                return opposite(self._read(operand, who))
            case And(operands):
                return every(*(self._read(operand, who) for operand in operands))
            case Or(operands):
                return either(*(self._read(operand, who) for operand in operands))
            case Same(left, right):
                same = left == right or (who[left].is_self and who[right].is_self)
                return ALWAYS if same else NEVER
            case Exists(index, template, body, span):
                return self._counts(((1, Tally(index, template, body, span)),), Term((), -1), who)
            case Forall(index, template, body, span):
                tally = Tally(index, template, Not(body), span)
                return self._counts(((-1, tally),), Term((), 0), who)
            case Enough(counts, rest):
                return self._counts(counts, rest, who)
            case Related() | Equal() | ForValues():
                raise CannotCount("relations are asked here, which do not go with `Parameters`")

    def _counts(
        self, counts: tuple[tuple[int, Tally], ...], rest: Term, who: Mapping[str, _AgentAt]
    ) -> NumberCondition:
        """Return that counts and a term are not below 0 together."""
        terms: dict[object, int] = dict(rest.times)
        number = rest.number
        for factor, tally in counts:
            _check_alone(tally)
            for place, location in enumerate(self._locations):
                if location.template == tally.template:
                    counted = self._is_true(tally.body, {**who, tally.index: _known(location)})
                    terms[place] = terms.get(place, 0) + factor * counted
            own = who.get(SELF)
            if own is not None and own.part == tally.template:
                # It was counted as one that is not `self`, as all who are where it is.
                for itself in (True, False):
                    there = own._replace(is_self=itself)
                    counted = self._is_true(tally.body, {**who, tally.index: there})
                    number += factor * counted * (1 if itself else -1)
        return at_least(terms, number)

    def _is_true(self, condition: Condition, who: Mapping[str, _AgentAt]) -> bool:
        """Return the value of a condition on agents that are known."""
        return self._read(condition, who) == ALWAYS

    def _look(self, part: Read | Does, who: Mapping[str, _AgentAt]) -> object:
        assert isinstance(part, Read)
        known = who[part.agent]
        return known.local[self._system.position[known.part, part.variable]]


def _known(place: AgentLocation, *, is_self: bool = False) -> _AgentAt:
    return _AgentAt(place.template, place.local, is_self)


def _mentions_self(condition: Condition) -> bool:
    if any(isinstance(part, Same) and SELF in (part.left, part.right) for part in walk(condition)):
        return True
    return any(read.agent == SELF for each in expressions(condition) for read in reads(each))


def _check_alone(tally: Tally) -> None:
    """Fail where what is counted is about more agents than the counted one and `self`."""
    if any(isinstance(part, Exists | Forall | Enough) for part in walk(tally.body)):
        raise CannotCount(
            "agents are looked for beside other agents",
            "compare counts: `count j : Node ( … ) >= 2`",
        )


# What becomes of conditions when agents move


def atoms(condition: NumberCondition) -> Iterator[AtLeast]:
    """Yield the comparisons in a condition."""
    match condition:
        case AtLeast():
            yield condition
        case Every(parts) | OneOf(parts):
            for part in parts:
                yield from atoms(part)


def never_falls(condition: NumberCondition, rules: Iterable[AgentRule]) -> bool:
    """Return whether a condition that is true stays so, whichever of some rules is taken."""
    return all(_change(atom, rule) >= 0 for rule in rules for atom in atoms(condition))


def never_rises(condition: NumberCondition, rules: Iterable[AgentRule]) -> bool:
    """Return whether a condition that is false stays so, whichever of some rules is taken."""
    return all(_change(atom, rule) <= 0 for rule in rules for atom in atoms(condition))


def _change(atom: AtLeast, rule: AgentRule) -> int:
    weights: dict[object, int] = dict(atom.terms)
    return weights.get(rule.target, 0) - weights.get(rule.source, 0)
