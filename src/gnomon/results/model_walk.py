"""A walk through a model: the tree of all states visited, and where in it we stand."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from random import Random

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Run, Step
from gnomon.model.initial import InfinitelyMany
from gnomon.model.small_starts import FEW_STARTS, some_initial_states
from gnomon.model.step import (
    NO_LIMIT,
    NOTHING_CHOSEN,
    JointAction,
    LocalMove,
    Move,
    State,
    alternatives,
    enabled_actions,
    holds,
    moves,
    random_joint_action,
)
from gnomon.model.system import System
from gnomon.text.errors import Unable

#: The most moves that are looked at in one state; more nobody can read.
MOST_MOVES = 10_000
_TRIES = 50
#: Longer integers (about 300,000 digits) take too long to calculate with and to write down.
_LONGEST = 1_000_000
#: The ways on from so many states are remembered.
_REMEMBERED = 32


class WalkError(Unable):
    """A step that cannot be taken; the message says why.

    >>> import gnomon
    >>> try:
    ...     gnomon.load("examples/tickets.ispl").walk().choose(99)
    ... except gnomon.WalkError as error:
    ...     print(error)
    there is no move 99: there are 2
    """


@dataclass(frozen=True, slots=True)
class Visit:
    """A state that was visited: its number, where it was reached from, and how."""

    number: int
    state: State
    parent: int | None = None
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class NumberedMove:
    """One way on from a state: its number there, and the step it takes."""

    number: int
    step: Step


@dataclass(frozen=True, slots=True)
class MoveList:
    """The ways on from a state, how many moves have no result, and why there may be more (else "")."""

    items: tuple[NumberedMove, ...]
    overflows: int = 0
    cut: str = ""

    @property
    def is_deadlock(self) -> bool | None:
        """Return whether there is no way on; None where that is not known."""
        return None if self.cut and not self.items else not self.items


class ModelWalk:
    """The visited states as a tree; stepping from an earlier one forks.

    `budget` limits what is under way; whoever walks sets a new one for each thing to do. A step that cannot
    be taken within it leaves everything as it was.
    """

    def __init__(self, system: System) -> None:
        """Start nowhere; `start` picks an initial state."""
        self.system = system
        self.visits: list[Visit] = []
        self.at: int = -1
        self.budget = NO_LIMIT
        self._undone: list[int] = []
        self._options: dict[tuple[State, float | None, float | None], MoveList] = {}
        #: The visits by where they came from, how, and to what.
        self._known: dict[tuple[int | None, JointAction | None, State], int] = {}

    def fork(self) -> "ModelWalk":
        """Return the same walk once more; where one of them goes is nothing to the other."""
        other = ModelWalk(self.system)
        other.visits, other.at, other._undone = [*self.visits], self.at, [*self._undone]
        other._options, other._known = dict(self._options), dict(self._known)
        return other

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Stand where we stood before, where something inside cannot be done."""
        at, undone = self.at, [*self._undone]
        try:
            yield
        except BaseException:
            self.at, self._undone = at, undone
            raise

    def fork_here(self) -> "ModelWalk":
        """Return a walk that stands on the same state and has been nowhere else."""
        other = ModelWalk(self.system)
        other._go(self.here.state, None, None)
        return other

    @property
    def here(self) -> Visit:
        """Return where we stand."""
        return self.visits[self.at]

    def start(self, number: int) -> None:
        """Go to the `number`-th initial state, from 1."""
        passed = 0
        try:
            for state in some_initial_states(self.system, self.budget):
                passed += 1
                if passed == number:
                    self._go(state, None, None)
                    return
        except LimitReached as limit:
            raise WalkError(f"only {passed:,} initial states were found: {limit}") from limit
        raise WalkError(f"there is no initial state {number}")

    def follow(self, run: Run) -> int:
        """Go along a run to its last state, and return the number of its initial state."""
        first = run.steps[0].state
        states = some_initial_states(self.system, self.budget)
        number = next((place for place, each in enumerate(states, 1) if each == first), 0)
        if not number:
            raise WalkError("the run begins in no initial state")
        self._go(first, None, None)
        for step in run.steps[1:]:
            self._go(step.state, self.at, step)
        return number

    def options(self) -> MoveList:
        """Return the ways on from here, each result of each joint action once."""
        state = self.here.state
        # Who allows more than before may find more.
        asked = state, self.budget.seconds, self.budget.megabytes
        if asked not in self._options:
            found = move_list(moves(self.system, state, self.budget))
            if len(self._options) >= _REMEMBERED:
                self._options.clear()
            self._options[asked] = found
        return self._options[asked]

    def take(self, number: int) -> None:
        """Take the option of that number."""
        items = self.options().items
        if not 1 <= number <= len(items):
            raise WalkError(f"there is no move {number}: {self._count()}")
        self.go(items[number - 1].step)

    def go(self, step: Step) -> None:
        """Take a step that is one of the ways on."""
        self._go(step.state, self.at, step)

    def _count(self) -> str:
        options = self.options()
        if options.cut:
            return f"only {len(options.items):,} were found, {options.cut}"
        found = len(options.items)
        return f"there are {found}" if found else "there is none: this is a deadlock"

    @property
    def may_end(self) -> bool:
        """Return whether a run may end in the present state."""
        return may_end(self.system, self.here.state)

    def take_random(self, random: Random) -> None:
        """Take a step at random: an action of every agent, then one of its alternatives."""
        step = random_step(self.system, self.here.state, random, self.budget)
        if step is None:
            options = self.options()
            if not options.items:
                raise WalkError(f"there is no move: {self._count()}")
            step = random.choice(options.items).step
        self._go(step.state, self.at, step)

    def wander(self, random: Random, wanted: int) -> str:
        """Take steps at random, and return why there are not as many as wanted, or nothing."""
        for done in range(wanted):
            try:
                self.budget.check("steps", done)
                self.take_random(random)
            except WalkError as error:
                dead = self.options().is_deadlock
                what = "a deadlock" if dead else "stopped"
                why = "" if dead else f": {error}"
                return f"{what} after {done:,} of {wanted:,} steps{why}"
            except LimitReached as limit:
                return f"stopped after {done:,} of {wanted:,} steps: {limit}"
        return ""

    def undo(self) -> None:
        """Go back to where this state was reached from."""
        if self.here.parent is None:
            raise WalkError("this is an initial state: there is nothing to undo")
        self._undone.append(self.at)
        self.at = self.here.parent

    def redo(self) -> None:
        """Take again the step that was undone last."""
        if not self._undone:
            raise WalkError("nothing was undone")
        self.at = self._undone.pop()

    def goto(self, number: int) -> None:
        """Go to a state that was visited."""
        if not 0 <= number < len(self.visits):
            raise WalkError(
                f"state {number} was not visited: there are 0 to {len(self.visits) - 1}"
            )
        self._undone.clear()
        self.at = number

    def path(self) -> list[Visit]:
        """Return the visits from the initial state to here."""
        visit, found = self.here, [self.here]
        while visit.parent is not None:
            visit = self.visits[visit.parent]
            found.append(visit)
        return found[::-1]

    def run(self) -> Run:
        """Return the path to here as a run."""
        return Run(tuple(visit.step or Step(visit.state) for visit in self.path()))

    def _go(self, state: State, parent: int | None, step: Step | None) -> None:
        """Stand on a new visit, or on the one that was made by the same step before."""
        refuse_endless_numbers(state)
        key = (parent, None if step is None else step.actions, state)
        if key not in self._known:
            self._known[key] = len(self.visits)
            self.visits.append(Visit(len(self.visits), state, parent, step))
        self._undone.clear()
        self.at = self._known[key]


def refuse_endless_numbers(state: State) -> None:
    """Raise `WalkError` where a number is too long to go on with."""
    if any(isinstance(value, int) and value.bit_length() > _LONGEST for value in state):
        raise WalkError("a number would get more than 300,000 digits: the walk ends here")


def may_end(system: System, state: State) -> bool:
    """Return whether a run may end in a state."""
    return system.terminal is not None and holds(system.terminal, system, state)


def moves_with(
    system: System, state: State, budget: Budget, wanted: Mapping[str, str] = NOTHING_CHOSEN
) -> Iterator[Move]:
    """Yield the moves in which some agents do this; none where one of them cannot.

    What members of a coalition choose is another thing: it may leave everybody waiting.
    """
    if system.interleaved:
        for move in moves(system, state, budget):
            if all(move.actions[system.agent_index[n]] == action for n, action in wanted.items()):
                yield move
    elif all(
        action in enabled_actions(system, system.agent(name), state)
        for name, action in wanted.items()
    ):
        yield from moves(system, state, budget, wanted)


def move_list(
    ways: Iterator[Move],
    accepts: Callable[[Step], bool] = lambda _: True,
    most: int = MOST_MOVES,
) -> MoveList:
    """Return the ways on that are wanted, each result of each joint action once."""
    found: dict[tuple[JointAction, State], Step] = {}
    overflows = looked = 0
    cut = ""
    try:
        for move in ways:
            if looked == most:
                cut = f"{most:,} moves were looked at"
                break
            looked += 1
            if move.target is None:
                overflows += 1
            elif (move.actions, move.target) not in found:
                step = Step(move.target, move.actions, lines_used(move.alternatives))
                if accepts(step):
                    found[move.actions, move.target] = step
    except LimitReached as limit:
        cut = str(limit)
    items = tuple(NumberedMove(number, step) for number, step in enumerate(found.values(), 1))
    return MoveList(items, overflows, cut)


def lines_used(chosen: tuple[LocalMove, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the lines of the source that each agent's part of a move comes from."""
    return tuple(tuple(line.line for line in local.lines) for local in chosen)


def random_step(system: System, state: State, random: Random, budget: Budget) -> Step | None:
    """Return a random step without listing all moves, of which there may be very many.

    Raises `LimitReached` where one agent alone has more alternatives than the budget allows.
    """
    for _ in range(_TRIES):
        actions = random_joint_action(system, state, random)
        if actions is None:
            return None
        chosen = tuple(
            random.choice(alternatives(system, agent, state, actions, budget))
            for agent in system.agents
        )
        if any(local.overflow for local in chosen):
            continue
        target = list(state)
        for agent, local in zip(system.agents, chosen, strict=True):
            for name, value in local.changes:
                assert isinstance(value, (bool, int, str))  # the domain contains it
                target[system.position[agent.name, name]] = value
        return Step(tuple(target), actions, lines_used(chosen))
    return None


def explore(system: System, limit: int, budget: Budget = NO_LIMIT) -> Iterator[State]:
    """Yield reachable states, breadth first, at most `limit` of them.

    Raises `LimitReached` where the budget ends before, and where there are infinitely many initial states:
    then only some of them are looked at.
    """
    seen: dict[State, None] = {}
    endless: InfinitelyMany | None = None
    try:
        for state in islice(some_initial_states(system, budget, FEW_STARTS), limit):
            seen[state] = None
    except InfinitelyMany as why:
        endless = why
    waiting = list(seen)
    yield from waiting
    for state in waiting:  # it grows while we go
        for move in moves(system, state, budget):
            if len(seen) >= limit:
                return
            if move.target is not None and move.target not in seen:
                seen[move.target] = None
                waiting.append(move.target)
                yield move.target
    if endless is not None:
        raise endless
