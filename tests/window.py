"""An unbounded system seen through a window: what surely holds there, and what might.

Where every number is inside the window, a state is known exactly: `gnomon.model.step` says what follows. A
number outside is only known to be below or above; what follows then, nobody says. So a formula surely holds
(`low`) where it does whatever happens outside, and might hold (`high`) where it does for some story about
the outside. For knowledge, states that are reached inside the window surely are reachable; those that might
be are found by a rough walk through everything, outside included. No line is shared with the engines.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf
from typing import Any, NamedTuple, TypeAlias

from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import Agent, EvolutionLine, Variable
from gnomon.model.domain import Boolean, IntegerRange, Integers, values_of
from gnomon.model.evaluation import evaluate
from gnomon.model.expression import (
    And,
    Arithmetic,
    Compare,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    example_of,
    reads,
    walk,
)
from gnomon.model.system import System
from tests.oracle import unfolded


class Outside(Enum):
    """A number that is not in the window."""

    BELOW = "below"
    ABOVE = "above"


#: A state as far as it is known: values, or on which side of the window a number is.
Shape: TypeAlias = tuple[Any, ...]
Shapes: TypeAlias = frozenset[Shape]
#: From, to; None where nothing is known about a number.
Bounds: TypeAlias = tuple[int | Fraction | float, int | Fraction | float] | None
#: What each joint action may lead to.
Moves: TypeAlias = dict[tuple[str, ...], set[Shape]]


class Truth(NamedTuple):
    """Where a formula surely holds, and where it might."""

    low: Shapes
    high: Shapes


@dataclass
class Window:
    """A system of which numbers from `first` to `last` are seen, and at most so many states."""

    system: System
    first: int
    last: int
    most: int = 300
    _known: dict[f.Formula, Truth] = field(default_factory=dict)

    # States -----------------------------------------------------------------------------------

    def inside(self) -> Iterator[Shape]:
        """Yield all states with every number in the window."""
        return product(*(self._values(v, outside=()) for v in self.system.variables))

    def _values(self, variable: Variable, outside: Iterable[Outside] = Outside) -> tuple[Any, ...]:
        if isinstance(variable.domain, Integers):
            return (*range(self.first, self.last + 1), *outside)
        return tuple(values_of(variable.domain))

    def _shape(self, state: step.State) -> Shape:
        return tuple(
            self._clamped(value) if isinstance(variable.domain, Integers) else value
            for variable, value in zip(self.system.variables, state, strict=True)
        )

    def _clamped(self, value: Any) -> Any:
        if value < self.first:
            return Outside.BELOW
        return Outside.ABOVE if value > self.last else value

    @cached_property
    def initial(self) -> Shapes:
        """The states that may be initial; those inside are."""
        everything = product(*(self._values(variable) for variable in self.system.variables))
        return frozenset(s for s in everything if True in self.answers(self.system.initial, s))

    @cached_property
    def _explored(self) -> dict[Shape, Moves]:
        """What follows from states that are reached without leaving the window."""
        found: dict[Shape, Moves] = {}
        waiting = sorted(filter(_is_inside, self.initial), key=repr)
        while waiting and len(found) < self.most:
            shape = waiting.pop(0)
            if shape not in found:
                found[shape] = self._moves(shape)
                after = set().union(*found[shape].values())
                waiting.extend(sorted(filter(_is_inside, after), key=repr))
        return found

    def _moves(self, state: Shape) -> Moves:
        found: Moves = {}
        for move in step.moves(self.system, state):
            targets = found.setdefault(move.actions, set())
            if move.target is not None:
                targets.add(self._shape(move.target))
        return found

    @cached_property
    def surely_reachable(self) -> Shapes:
        """States that are reached without leaving the window."""
        first = frozenset(filter(_is_inside, self.initial))
        return first | frozenset(filter(_is_inside, self._after(self._explored)))

    def _after(self, explored: dict[Shape, Moves]) -> Shapes:
        return frozenset(t for moves in explored.values() for ts in moves.values() for t in ts)

    # What might be reachable ------------------------------------------------------------------

    @cached_property
    def perhaps_reachable(self) -> Shapes | None:
        """All that might be reached, in the window or not; None where that is too much to find out."""
        found: set[Shape] = set()
        waiting = list(self.initial)
        while waiting:
            shape = waiting.pop()
            if shape in found:
                continue
            found.add(shape)
            if len(found) > 4 * self.most:
                return None
            waiting.extend(self._followers(shape))
        return frozenset(found)

    def _followers(self, shape: Shape) -> Iterable[Shape]:
        if shape in self._explored:
            return set().union(*self._explored[shape].values())
        if _is_inside(shape):
            return set().union(*self._moves(shape).values())
        return self._rough_followers(shape)

    def _rough_followers(self, shape: Shape) -> Iterator[Shape]:
        """Yield more than what may follow, whatever anybody does."""
        for changes in product(
            *(self._rough_changes(agent, shape) for agent in self.system.agents)
        ):
            changed = {place: values for change in changes for place, values in change.items()}
            yield from product(*(changed.get(n, (value,)) for n, value in enumerate(shape)))

    def _rough_changes(self, agent: Agent, shape: Shape) -> Iterator[dict[int, tuple[Any, ...]]]:
        if self.system.semantics == "MultiAssignment":
            yield from self._rough_choice(agent, agent.evolution, shape)
            return
        by_variable = [
            [line for line in agent.evolution if line.assignments[0].variable == variable.name]
            for variable in agent.variables
        ]
        for chosen in product(*(list(self._rough_choice(agent, x, shape)) for x in by_variable)):
            yield {place: values for change in chosen for place, values in change.items()}

    def _rough_choice(
        self, agent: Agent, lines: Iterable[EvolutionLine], shape: Shape
    ) -> Iterator[dict[int, tuple[Any, ...]]]:
        idle = True
        for line in lines:
            answers = self.answers(line.guard, shape)
            idle = idle and False in answers
            if True in answers:
                yield {
                    self.system.position[agent.name, item.variable]: self._rough_values(
                        agent.name, item.variable, item.value, shape
                    )
                    for item in line.assignments
                }
        if idle:
            yield {}

    def _rough_values(
        self, agent: str, name: str, value: Expression, shape: Shape
    ) -> tuple[Any, ...]:
        variable = self.system.variables[self.system.position[agent, name]]
        if isinstance(variable.domain, Boolean):
            return tuple(self.answers(value, shape))
        if not isinstance(variable.domain, (IntegerRange, Integers)):
            known = self._is_known(value, shape)
            return (self._exactly(value, shape),) if known else self._values(variable)
        bounds = self.bounds(value, shape)
        if bounds is None:
            return self._values(variable)
        low, high = bounds
        return tuple(
            option
            for option in self._values(variable)
            if self._extent(option)[0] <= high and low <= self._extent(option)[1]
        )

    def _extent(self, value: Any) -> tuple[float, float]:
        match value:
            case Outside.BELOW:
                return -inf, self.first - 1
            case Outside.ABOVE:
                return self.last + 1, inf
            case _:
                return value, value

    # Expressions ------------------------------------------------------------------------------

    def answers(self, condition: Expression, shape: Shape) -> set[bool]:
        """Return the values that a condition may have, whatever is being done."""
        if self._is_known(condition, shape):
            return {bool(self._exactly(condition, shape))}
        match condition:
            case Not(operand):
                return {not answer for answer in self.answers(operand, shape)}
            case And(operands):
                return {all(each) for each in product(*(self.answers(o, shape) for o in operands))}
            case Or(operands):
                return {any(each) for each in product(*(self.answers(o, shape) for o in operands))}
            case Compare(operator, left, right) if self._is_condition(left):
                pairs = product(self.answers(left, shape), self.answers(right, shape))
                return {(one == two) == (operator == "=") for one, two in pairs}
            case Compare(operator, left, right) if self._is_number(left):
                return _compared(operator, self.bounds(left, shape), self.bounds(right, shape))
            case _:
                return {True, False}

    def _is_known(self, expression: Expression, shape: Shape) -> bool:
        if any(isinstance(part, Does) for part in walk(expression)):
            return False
        return not any(isinstance(self._value(read, shape), Outside) for read in reads(expression))

    def _value(self, read: Read, shape: Shape) -> Any:
        return shape[self.system.position[read.agent, read.variable]]

    def _exactly(self, expression: Expression, shape: Shape) -> Any:
        state = tuple(0 if isinstance(value, Outside) else value for value in shape)
        return evaluate(expression, self.system, state)

    def _is_condition(self, expression: Expression) -> bool:
        match example_of(expression):
            case Literal(value):
                return isinstance(value, bool)
            case Read(agent, name):
                variable = self.system.variables[self.system.position[agent, name]]
                return isinstance(variable.domain, Boolean)
            case Not() | And() | Or() | Compare() | Does():
                return True
            case _:
                return False

    def _is_number(self, expression: Expression) -> bool:
        match example_of(expression):
            case Literal(value):
                return not isinstance(value, (bool, str))
            case Read(agent, name):
                variable = self.system.variables[self.system.position[agent, name]]
                return isinstance(variable.domain, (IntegerRange, Integers))
            case Not() | And() | Or() | Compare() | Does():
                return False
            case _:
                return True

    def bounds(self, number: Expression, shape: Shape) -> Bounds:
        """Return between which numbers a number is."""
        if self._is_known(number, shape):
            value = self._exactly(number, shape)
            return None if isinstance(value, float) else (value, value)
        match number:
            case Read():
                return self._extent(self._value(number, shape))
            case Sum(terms):
                known = [self.bounds(term, shape) for term in terms]
                ends = [each for each in known if each is not None]
                if len(ends) < len(known):
                    return None
                return sum(low for low, _ in ends), sum(high for _, high in ends)
            case Negative(operand):
                inner = self.bounds(operand, shape)
                return None if inner is None else (-inner[1], -inner[0])
            case Arithmetic("*", Literal(factor), right):
                inner = self.bounds(right, shape)
                if inner is None:
                    return None
                if factor == 0:
                    return 0, 0
                one, two = (end * int(factor) for end in inner)
                return min(one, two), max(one, two)
            case _:
                return None

    # Formulae ---------------------------------------------------------------------------------

    @cached_property
    def _everything(self) -> Shapes:
        """All states that are looked at."""
        seen = self.surely_reachable | self._after(self._explored) | self.initial
        return seen | (self.perhaps_reachable or frozenset())

    @cached_property
    def _open(self) -> Shapes:
        """The states of which nobody says what follows."""
        return self._everything - frozenset(self._explored)

    def verdict(self, formula: f.Formula) -> tuple[bool, bool]:
        """Return whether a formula could hold in all initial states, and whether it must."""
        truth = self.truth(formula)
        return frozenset(filter(_is_inside, self.initial)) <= truth.high, self.initial <= truth.low

    def truth(self, formula: f.Formula) -> Truth:
        """Return where a formula surely holds, and where it might."""
        if formula not in self._known:
            self._known[formula] = self._truth(formula)
        return self._known[formula]

    def _truth(self, formula: f.Formula) -> Truth:
        truth, everything = self.truth, self._everything
        match formula:
            case f.Constant(value):
                return self._where(Literal(value))
            case f.Proposition(name):
                return self._where(self.system.propositions[name])
            case f.StateCondition(expression):
                return self._where(expression)
            case f.Norm(agent, red):
                marked = self._where(self.system.agent(agent).red or Literal(False))
                return marked if red else self._opposite(marked)
            case f.Not(body):
                return self._opposite(truth(body))
            case f.And(operands):
                parts = [truth(operand) for operand in operands]
                return Truth(
                    everything.intersection(*(part.low for part in parts)),
                    everything.intersection(*(part.high for part in parts)),
                )
            case f.Or(operands):
                return self._opposite(truth(f.And(tuple(map(f.Not, operands)))))
            case f.Implies(left, right):
                return truth(f.Or((f.Not(left), right)))
            case f.Iff(left, right):
                return truth(f.And((f.Implies(left, right), f.Implies(right, left))))
            case f.Exists(path):
                return self._path(lambda s, z: any(t & z for t in self._choices(s, ())), path)
            case f.All(path) | f.Enforces(f.Group(()), path):
                return self._path(lambda s, z: all(t <= z for t in self._choices(s, ())), path)
            case f.Enforces(group, path):
                members = group.members
                return self._path(lambda s, z: any(t <= z for t in self._choices(s, members)), path)
            case f.Knows(agent, body):
                return self._everywhere(lambda s: self._view(agent, s), truth(body))
            case f.GroupKnows("everybody", group, body):
                each = tuple(f.Knows(agent, body) for agent in group.members)
                return truth(f.And(each))
            case f.GroupKnows("distributed", group, body):
                return self._everywhere(
                    lambda s: tuple(self._view(agent, s) for agent in group.members), truth(body)
                )
            case f.GroupKnows(_, group, body):
                return self._common(group.members, truth(body))
            case f.Obliged(agent, body):
                green = truth(f.Norm(agent, red=False))
                return self._obliged(green, truth(body))
            case _:
                raise AssertionError(formula)

    def _opposite(self, truth: Truth) -> Truth:
        return Truth(self._everything - truth.high, self._everything - truth.low)

    def _where(self, condition: Expression) -> Truth:
        answers = {shape: self.answers(condition, shape) for shape in self._everything}
        return Truth(
            frozenset(shape for shape, found in answers.items() if found == {True}),
            frozenset(shape for shape, found in answers.items() if True in found),
        )

    # Time and strategies ----------------------------------------------------------------------

    def _choices(self, shape: Shape, members: tuple[str, ...]) -> list[Shapes]:
        """Return what each joint choice of the members may lead to."""
        places = [self.system.agent_index[name] for name in members]
        found: dict[tuple[str, ...], Shapes] = {}
        for actions, targets in self._explored[shape].items():
            choice = tuple(actions[place] for place in places)
            found[choice] = found.get(choice, frozenset()) | targets
        return list(found.values())

    def _path(self, leads: Callable[[Shape, Shapes], bool], path: f.Formula) -> Truth:
        """Return where a path formula holds, given from where one step leads into a set."""

        def surely(target: Shapes) -> Shapes:
            return frozenset(shape for shape in self._explored if leads(shape, target))

        def perhaps(target: Shapes) -> Shapes:
            return surely(target) | self._open

        everything = Truth(self._everything, self._everything)
        match path:
            case f.Next(body):
                inner = self.truth(body)
                return Truth(surely(inner.low), perhaps(inner.high))
            case f.Finally(body):
                return _until(surely, perhaps, everything, self.truth(body))
            case f.Until(left, right):
                return _until(surely, perhaps, self.truth(left), self.truth(right))
            case f.Globally(body):
                inner = self.truth(body)
                return Truth(
                    _settle(inner.low, lambda z: inner.low & surely(z)),
                    _settle(inner.high, lambda z: inner.high & perhaps(z)),
                )
            case f.WeakUntil(left, right):
                one, other = self.truth(left), self.truth(right)
                held = Truth(one.low | other.low, one.high | other.high)
                return _weak(surely, perhaps, held, other)
            case f.Release(left, right):
                return _weak(surely, perhaps, self.truth(right), self.truth(left))
            case f.Bounded():
                low = self._bounded(unfolded(path), surely, lambda part: self.truth(part).low)
                high = self._bounded(unfolded(path), perhaps, lambda part: self.truth(part).high)
                return Truth(low, high)
            case _:
                raise AssertionError(path)

    def _bounded(
        self,
        path: f.Formula,
        lead: Callable[[Shapes], Shapes],
        side: Callable[[f.Formula], Shapes],
    ) -> Shapes:
        """Return one side of a path formula that is made of X and of formulae about the state."""

        def inner(part: f.Formula) -> Shapes:
            match part:
                case f.Next(body) if f.is_path_formula(part):
                    return lead(inner(body))
                case f.And(operands) if f.is_path_formula(part):
                    return self._everything.intersection(*map(inner, operands))
                case f.Or(operands) if f.is_path_formula(part):
                    return frozenset().union(*map(inner, operands))
                case _:
                    return side(part)

        return inner(path)

    # Knowledge --------------------------------------------------------------------------------

    def _view(self, agent: str, shape: Shape) -> Shape:
        return step.view(self.system, self.system.agent(agent), shape)

    def _everywhere(self, view: Callable[[Shape], object], body: Truth) -> Truth:
        """Return where it holds in all states of one view: surely only if all that there may be are known."""
        refuting = {view(shape) for shape in self.surely_reachable - body.high}
        high = frozenset(s for s in body.high if view(s) not in refuting)
        if self.perhaps_reachable is None:
            return Truth(frozenset(), high)
        doubted = {view(shape) for shape in self.perhaps_reachable - body.low}
        return Truth(frozenset(s for s in self._everything if view(s) not in doubted), high)

    def _common(self, agents: tuple[str, ...], body: Truth) -> Truth:
        perhaps = self.perhaps_reachable
        refuted = self._confused(agents, self.surely_reachable, body.high)
        high = (
            self._everything - refuted - (self._everything - body.high if agents else frozenset())
        )
        if perhaps is None:
            return Truth(frozenset(), high)
        return Truth(self._everything - self._confused(agents, perhaps, body.low), high)

    def _confused(self, agents: tuple[str, ...], among: Shapes, fine: Shapes) -> Shapes:
        """Return what one or more confusions, through some states, lead to one that is not fine."""

        def near(found: Shapes) -> Shapes:
            seen = {(agent, self._view(agent, s)) for agent in agents for s in found & among}
            return frozenset(
                s for s in self._everything if any((a, self._view(a, s)) in seen for a in agents)
            )

        return _settle(near(among - fine), lambda found: found | near(found))

    def _obliged(self, green: Truth, body: Truth) -> Truth:
        perhaps = self.perhaps_reachable
        holds = perhaps is not None and perhaps & green.high <= body.low
        fails = self.surely_reachable & green.low - body.high
        nowhere: Shapes = frozenset()
        return Truth(self._everything if holds else nowhere, nowhere if fails else self._everything)


def _weak(
    surely: Callable[[Shapes], Shapes],
    perhaps: Callable[[Shapes], Shapes],
    held: Truth,
    won: Truth,
) -> Truth:
    """Return where `held` lasts, or lasts up to and including `won`."""
    return Truth(
        _settle(held.low, lambda z: held.low & (won.low | surely(z))),
        _settle(held.high, lambda z: held.high & (won.high | perhaps(z))),
    )


def _until(
    surely: Callable[[Shapes], Shapes],
    perhaps: Callable[[Shapes], Shapes],
    left: Truth,
    right: Truth,
) -> Truth:
    return Truth(
        _settle(right.low, lambda z: right.low | (left.low & surely(z))),
        _settle(right.high, lambda z: right.high | (left.high & perhaps(z))),
    )


def _settle(start: Shapes, change: Callable[[Shapes], Shapes]) -> Shapes:
    while (found := change(start)) != start:
        start = found
    return start


def _is_inside(shape: Shape) -> bool:
    return not any(isinstance(value, Outside) for value in shape)


def _compared(operator: str, left: Bounds, right: Bounds) -> set[bool]:
    """Return the answers that a comparison of two numbers between bounds may have."""
    if left is None or right is None:
        return {True, False}
    match operator:
        case "<":
            return _either(left[0] < right[1], left[1] >= right[0])
        case "<=":
            return _either(left[0] <= right[1], left[1] > right[0])
        case ">" | ">=":
            return _compared("<" if operator == ">" else "<=", right, left)
        case _:
            meet = max(left[0], right[0]) <= min(left[1], right[1])
            same = left[0] == left[1] == right[0] == right[1]
            return _either(meet, not same) if operator == "=" else _either(not same, meet)


def _either(may_hold: bool, may_fail: bool) -> set[bool]:
    return {answer for answer, possible in ((True, may_hold), (False, may_fail)) if possible}
