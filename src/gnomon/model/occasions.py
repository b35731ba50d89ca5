"""Occasions on which a condition holds: each a state and a joint action, as far as the condition looks.

An occasion is *possible* where every agent whose action is asked for may do it by its protocol. Whether a run
comes there is another question.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.model import expression as typed
from gnomon.model.agent import Agent
from gnomon.model.choices import Bounds, Choices, Key, bounds_left, choices_left
from gnomon.model.domain import (
    Datum,
    Domain,
    IntegerRange,
    Integers,
    contains,
    size_of,
    values_of,
)
from gnomon.model.evaluation import combine
from gnomon.model.expression import FALSE, TRUE, Compare, Does, Expression, Literal, Read
from gnomon.model.system import System
from gnomon.text.errors import Abandoned
from gnomon.text.limits import check_limits

#: Numbers without bounds are tried this near to the constants that are mentioned, and to 0.
_NEAR: Final = 2
#: Where the constants lie farther apart than this, numbers without bounds have no values to try.
_WIDEST: Final = 64
#: Asking at all takes about as long as looking at so many parts.
_QUESTION: Final = 10


class Occasion(NamedTuple):
    """The values of some variables and the actions of some agents; what is not mentioned may be anything."""

    values: Mapping[Read, Datum]
    actions: Mapping[str, str]

    def look(self, part: Read | Does) -> object:
        """Return the value of a variable, or whether an action is done."""
        if isinstance(part, Read):
            return self.values[part]
        return self.actions[part.agent] == part.action


class OccasionSearch:
    """Looks for possible occasions of one system, with a limit on the work of it all.

    A value is tried, and what is left of the condition is looked at: that is soon very little. The work is
    counted by the parts of conditions that are looked at.
    """

    def __init__(
        self, system: System, work: int, at_once: int, *, by_protocol: bool = True
    ) -> None:
        """Do so much work in all, and so much for one question.

        Unless it goes `by_protocol`, anybody may do anything.
        """
        self._system = system
        self._by_protocol = by_protocol
        #: Whether the last question was answered for certain, and not given up.
        self.sure = True
        self._unbounded = system.kind == "unbounded"
        self._work = self._left = work
        self._at_once = at_once
        self._enough = 0
        #: Whether the last question was given up, and how many parts were looked at for it: None where there
        #: was less work left than one question may take, and so nobody knows.
        self.gave_up = False
        self.parts: int | None = 0
        self._allowed: dict[tuple[str, str], Expression] = {}
        #: What is left of conditions where at most one value is known; a line is in many pairs.
        self._left_over: dict[tuple[object, ...], tuple[Expression, Expression]] = {}

    @property
    def work(self) -> int:
        """How much work has been done so far."""
        return self._work - self._left

    def first(self, condition: Expression, choices: Choices) -> Occasion | None:
        """Return a possible occasion on which a condition holds; None where none is found.

        There is none then, unless the work is used up, or numbers have no bounds: those are tried only near
        the constants that are mentioned. `choices` are known to be left by the condition.
        """
        check_limits()
        self._begin()
        begun = self._left
        found = self._first(condition, choices)
        enough = not self.gave_up or begun >= self._at_once
        self.parts = begun - self._left if enough else None
        return found

    def _begin(self) -> None:
        self.sure = not self._unbounded
        self.gave_up = False
        self._left -= _QUESTION
        self._enough = max(0, self._left - self._at_once)

    def count_again(self, parts: int | None) -> bool:
        """Count a question that was answered before, as if it were asked; return whether it is answered.

        `parts` were looked at for it, or more than may be for one question.
        """
        self._begin()
        if parts is None or (parts and self._left - parts < self._enough):
            self._left = min(self._left, self._enough) - 1
            self.sure, self.gave_up = False, True
            return False
        self._left -= parts
        return True

    def forget(self) -> None:
        """Let the next question take as much work as if it were the first."""
        self._left_over.clear()

    def _first(self, condition: Expression, choices: Choices) -> Occasion | None:
        numbers = _window(condition) if self._unbounded else range(0)
        acting = sorted(typed.actors(condition))
        waiting: list[Iterator[tuple[dict[Key, Datum], Expression]]] = [iter((({}, condition),))]
        if choices:
            waiting = [self._try(*self._fewest(choices), {}, condition)]
        try:
            while waiting:
                tried = next(waiting[-1], None)
                if tried is None:
                    waiting.pop()
                    continue
                known, rest = tried
                rest = self._rest(rest, known)
                if rest == FALSE:
                    continue
                key, values = self._next(rest, known, acting, numbers)
                if key is None:
                    return self._complete(condition, known, numbers)
                waiting.append(self._try(key, values, known, rest))
        except Abandoned:
            self.sure, self.gave_up = False, True
        return None

    def first_event(self, condition: Expression, agent: Agent) -> Occasion | None:
        """Return an occasion of an interleaved system: an event in which an agent takes part."""
        acting = typed.actors(condition)
        for event, actions in self._system.events.items():
            if event in agent.actions:
                doing = dict(zip(self._system.agent_index, actions, strict=True))
                together = happening(self._system, event, typed.decided(condition, doing))
                found = self.first(together, {})
                if found is not None:
                    return Occasion(found.values, {name: doing[name] for name in acting})
        return None

    def _next(
        self, rest: Expression, known: Mapping[Key, Datum], acting: list[str], numbers: range
    ) -> tuple[Key | None, Iterable[Datum]]:
        """Return what to try next, and its values: none where all is decided, no values where none fits."""
        if rest == TRUE:
            agent = next((name for name in acting if name not in known), None)
            return agent, () if agent is None else self._system.agent(agent).actions
        choices = choices_left(rest)
        if choices is None:
            return "", ()
        if choices:
            return self._fewest(choices)
        parts = typed.walk(_first_atom(rest))
        keys = [_key(part) for part in parts if isinstance(part, (Read, Does))]
        key = min(keys, key=lambda each: self._size(each, numbers))
        return key, self._values(key, numbers, bounds_left(rest, key))

    def _fewest(self, choices: Choices) -> tuple[Key, list[Datum]]:
        """Return what has the fewest choices left, and those of them that it can have at all."""
        key = min(choices, key=lambda each: len(choices[each]))
        named = sorted(choices[key], key=str)
        return key, [value for value in named if self._has(key, value)]

    def _has(self, key: Key, value: Datum) -> bool:
        """Return whether a variable, or the action of an agent, can have a value that a condition names."""
        if isinstance(key, str):
            return value in self._system.agent(key).actions
        return contains(self._domain(key), value)

    def _domain(self, read: Read) -> Domain:
        return self._system.variables[self._system.position[read.agent, read.variable]].domain

    def _values(self, key: Key, numbers: range, bounds: Bounds = (None, None)) -> Sequence[Datum]:
        """Return the values that may be tried, within bounds if it is a number."""
        if isinstance(key, str):
            return self._system.agent(key).actions
        low, high = bounds
        match self._domain(key):
            case Integers():
                return numbers if low is None or high is None else range(low, high + 1)
            case IntegerRange(least, most):
                least = least if low is None else max(low, least)
                return range(least, (most if high is None else min(high, most)) + 1)
            case domain:
                return values_of(domain)

    def _size(self, key: Key, numbers: range) -> int:
        """Return how many values there are; `len` cannot tell for very long ranges."""
        if isinstance(key, str):
            return len(self._system.agent(key).actions)
        size = size_of(self._domain(key))
        return len(numbers) if size is None else size

    def _try(
        self, key: Key, values: Iterable[Datum], known: dict[Key, Datum], rest: Expression
    ) -> Iterator[tuple[dict[Key, Datum], Expression]]:
        for value in values:
            if isinstance(key, str) and self._by_protocol:
                allowed = self._may(key, str(value))
                yield {**known, key: value}, typed.And((rest, allowed))
            else:
                yield {**known, key: value}, rest

    def _may(self, name: str, action: str) -> Expression:
        if (name, action) not in self._allowed:
            self._allowed[name, action] = may(self._system.agent(name), action)
        return self._allowed[name, action]

    def _complete(
        self, condition: Expression, known: Mapping[Key, Datum], numbers: range
    ) -> Occasion | None:
        """Return the occasion, with any value for what turned out not to matter."""
        values: dict[Read, Datum] = {}
        for read in typed.reads(condition):
            anything = self._values(read, numbers)
            if read not in known and not anything:
                return None
            values[read] = known[read] if read in known else anything[0]
        return Occasion(values, {key: str(known[key]) for key in known if isinstance(key, str)})

    # What is left of a condition

    def _rest(self, part: Expression, known: Mapping[Key, Datum]) -> Expression:
        """Return what is left of an expression where some variables have values, and some agents act."""
        self._left -= 1
        if self._left < self._enough:
            raise Abandoned
        match part:
            case Literal():
                return part
            case Read():
                return Literal(known[part]) if part in known else part
            case Does(agent, action):
                if agent not in known:
                    return part
                return TRUE if known[agent] == action else FALSE
            case typed.And() | typed.Or() if len(known) > 1:
                return self._chain(part, known)
            case typed.And() | typed.Or():
                same = id(part), *known.items()
                kept, rest = self._left_over.get(same, (None, part))
                if kept is not part:
                    rest = self._chain(part, known)
                    self._left_over[same] = part, rest
                return rest
            case typed.Defined(_, body):
                return self._rest(body, known)
            case typed.Conditional():
                return self._choice(part, known)
            case _:
                return _worked_out(part, [self._rest(inner, known) for inner in typed.parts(part)])

    def _choice(self, part: typed.Conditional, known: Mapping[Key, Datum]) -> Expression:
        condition = self._rest(part.condition, known)
        if isinstance(condition, Literal):
            return self._rest(part.then if condition.value else part.otherwise, known)
        then, otherwise = self._rest(part.then, known), self._rest(part.otherwise, known)
        return then if then == otherwise else typed.Conditional(condition, then, otherwise)

    def _chain(self, chain: typed.And | typed.Or, known: Mapping[Key, Datum]) -> Expression:
        kind = type(chain)
        nothing, everything = (TRUE, FALSE) if kind is typed.And else (FALSE, TRUE)
        left: list[Expression] = []
        for operand in chain.operands:
            rest = self._rest(operand, known)
            if rest == everything:
                return everything
            if isinstance(rest, kind):
                left.extend(rest.operands)
            elif rest != nothing:
                left.append(rest)
        if not left:
            return nothing
        return left[0] if len(left) == 1 else kind(tuple(left))


def _worked_out(part: Expression, inner: list[Expression]) -> Expression:
    """Return an operation on what is left of its parts, worked out where they are known."""
    for each in inner:
        if each.__class__ is not Literal:
            break
    else:
        # A quotient may be a fraction, or infinite: it is compared with something before anybody sees it.
        return Literal(combine(part, [each.value for each in inner]))  # type: ignore[arg-type,union-attr]
    match part, inner:
        case typed.Not(), [operand]:
            return typed.Not(operand)
        case typed.Negative(), [operand]:
            return typed.Negative(operand)
        case typed.BitComplement(), [operand]:
            return typed.BitComplement(operand)
        case typed.Sum(), _:
            return typed.Sum(tuple(inner))
        case typed.Arithmetic(operator), [left, right]:
            return typed.Arithmetic(operator, left, right)
        case Compare(sign), [left, right]:
            return Compare(sign, left, right)
        case _:
            return part


def may(agent: Agent, action: str) -> Expression:
    """Return the condition under which the protocol of an agent allows an action."""
    if agent.is_environment and not agent.protocol and agent.other is None:
        return TRUE
    lines = [line.condition for line in agent.protocol if action in line.actions]
    if agent.other is not None and action in agent.other:
        lines.append(typed.And(tuple(typed.Not(line.condition) for line in agent.protocol)))
    return typed.Or(tuple(lines))


def happening(system: System, event: str, condition: Expression) -> Expression:
    """Return the condition that an event of an interleaved system can happen, and something else holds."""
    parts = (may(agent, event) for agent in system.agents if event in agent.actions)
    return typed.And((condition, *parts))


def _first_atom(condition: Expression) -> Expression:
    """Return the first part of a condition that does not consist of conditions, chained or turned round."""
    while True:
        match condition:
            case typed.And((first, *_)) | typed.Or((first, *_)) | typed.Not(first):
                condition = first
            case _:
                return condition


def _key(part: Read | Does) -> Key:
    return part if isinstance(part, Read) else part.agent


def _window(condition: Expression) -> range:
    """Return the numbers around the constants, none where these are too far apart."""
    numbers = [
        part.value
        for part in typed.walk(condition)
        if isinstance(part, Literal) and type(part.value) is int
    ]
    low, high = min((0, *numbers)) - _NEAR, max((0, *numbers)) + _NEAR
    return range(low, high + 1) if high - low <= _WIDEST else range(0)
