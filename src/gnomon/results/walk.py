"""A walk through a model: the tree of all states visited, and where in it we stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from gnomon.model.evidence import Run, Step
from gnomon.model.step import (
    JointAction,
    LocalMove,
    State,
    alternatives,
    enabled_actions,
    initial_states,
    moves,
)
from gnomon.model.system import System

#: The most moves that are looked at in one state; more nobody can read.
MOST_MOVES = 10_000
_TRIES = 50


class WalkError(Exception):
    """A step that cannot be taken; the message says why."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A state that was visited: its number, where it was reached from, and how."""

    number: int
    state: State
    parent: int | None = None
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One way on from a state: its number there, and the step it takes."""

    number: int
    step: Step


@dataclass(frozen=True, slots=True)
class Options:
    """The ways on from a state, how many moves have no result, and whether there are more."""

    items: tuple[Option, ...]
    overflows: int = 0
    cut: bool = False


class Walk:
    """The visited states as a tree; stepping from an earlier one forks."""

    def __init__(self, system: System) -> None:
        """Start nowhere; `start` picks an initial state."""
        self.system = system
        self.visits: list[Visit] = []
        self.at = -1
        self._undone: list[int] = []
        self._options: dict[State, Options] = {}

    @property
    def here(self) -> Visit:
        """Return where we stand."""
        return self.visits[self.at]

    def start(self, number: int) -> None:
        """Go to the `number`-th initial state, from 1."""
        found = list(islice(initial_states(self.system), number - 1, number)) if number > 0 else []
        if not found:
            raise WalkError(f"there is no initial state {number}")
        self._go(found[0], None, None)

    def options(self) -> Options:
        """Return the ways on from here, each result of each joint action once."""
        state = self.here.state
        if state not in self._options:
            self._options[state] = _options(self.system, state)
        return self._options[state]

    def take(self, number: int) -> None:
        """Take the option of that number."""
        items = self.options().items
        if not 1 <= number <= len(items):
            count = f"there are {len(items)}" if items else "there is none: this is a deadlock"
            raise WalkError(f"there is no move {number}: {count}")
        step = items[number - 1].step
        self._go(step.state, self.at, step)

    def take_random(self, random: Random) -> None:
        """Take a step at random: an action of every agent, then one of its alternatives."""
        step = _random_step(self.system, self.here.state, random)
        if step is None:
            items = self.options().items
            if not items:
                raise WalkError("there is no move: this is a deadlock")
            step = random.choice(items).step
        self._go(step.state, self.at, step)

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
        known = (
            visit.number
            for visit in self.visits
            if visit.parent == parent
            and visit.state == state
            and (step is None or (visit.step and visit.step.actions == step.actions))
        )
        number = next(known, None)
        if number is None:
            number = len(self.visits)
            self.visits.append(Visit(number, state, parent, step))
        self._undone.clear()
        self.at = number


def _options(system: System, state: State) -> Options:
    found: dict[tuple[JointAction, State], Step] = {}
    overflows = 0
    every = list(islice(moves(system, state), MOST_MOVES + 1))
    for move in every[:MOST_MOVES]:
        if move.target is None:
            overflows += 1
        else:
            step = Step(move.target, move.actions, _lines(move.alternatives))
            found.setdefault((move.actions, move.target), step)
    items = tuple(Option(number, step) for number, step in enumerate(found.values(), 1))
    return Options(items, overflows, cut=len(every) > MOST_MOVES)


def _lines(chosen: tuple[LocalMove, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(line.line for line in local.lines) for local in chosen)


def _random_step(system: System, state: State, random: Random) -> Step | None:
    """Return a random step without listing all moves, of which there may be very many."""
    for _ in range(_TRIES):
        enabled = [enabled_actions(system, agent, state) for agent in system.agents]
        if not all(enabled):
            return None
        actions = tuple(random.choice(choices) for choices in enabled)
        chosen = tuple(
            random.choice(alternatives(system, agent, state, actions)) for agent in system.agents
        )
        if any(local.overflow for local in chosen):
            continue
        target = list(state)
        for agent, local in zip(system.agents, chosen, strict=True):
            for name, value in local.changes:
                assert isinstance(value, (bool, int, str))  # the domain contains it
                target[system.position[agent.name, name]] = value
        return Step(tuple(target), actions, _lines(chosen))
    return None


def explore(system: System, limit: int) -> Iterator[State]:
    """Yield reachable states, breadth first, at most `limit` of them."""
    seen = dict.fromkeys(islice(initial_states(system), limit))
    waiting = list(seen)
    yield from waiting
    for state in waiting:  # it grows while we go
        for move in moves(system, state):
            if len(seen) >= limit:
                return
            if move.target is not None and move.target not in seen:
                seen[move.target] = None
                waiting.append(move.target)
                yield move.target
