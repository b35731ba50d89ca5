"""The reachable states, numbered in breadth-first order, and the steps between them."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from gnomon.engines.concrete.joint_moves import Fixed, JointMoves, MoveRoom
from gnomon.engines.concrete.players import NumberedState
from gnomon.model.budget import Budget
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import State

#: The successors that each joint choice of some agents may lead to.
ChoiceSuccessors: TypeAlias = dict[tuple[str, ...], tuple[int, ...]]

_EVERY = 4096
#: To look at a condition takes about so much less time than to make a move.
_TRIED_FOR_A_MOVE = 10


class StateSpace:
    """The reachable states of a system, numbered; the initial states come first."""

    def __init__(
        self, moves: JointMoves, budget: Budget | None = None, *, fixed: Fixed | None = None
    ) -> None:
        """Explore breadth first. `fixed` prunes the model to given choices."""
        self.moves = moves
        self.budget = budget or Budget()
        self.fixed = fixed
        self.states: list[NumberedState] = []
        self.index: dict[NumberedState, int] = {}
        self.successors: list[tuple[int, ...]] = []
        self.overflows: list[int] = []
        self._predecessors: list[list[int]] | None = None
        self._start()
        self.initial_count = len(self.states)
        self._explore()

    def _start(self) -> None:
        system, room = self.moves.system, self.moves.room
        # Where few moves are looked at, no more may go into the search for where they begin.
        tried = None if room is None else MoveRoom(room.most * _TRIED_FOR_A_MOVE).take
        for state in assignments_satisfying(system, system.initial, self.budget, tried):
            numbers = self.moves.encode(state)
            self.index[numbers] = len(self.states)
            self.states.append(numbers)
            if room is not None:
                room.take(1)
            if len(self.states) % _EVERY == 0:
                self.budget.check_states(len(self.states))

    def _explore(self) -> None:
        index, states, follow = self.index, self.states, self.moves.successors
        for number, state in enumerate(states):
            if number % _EVERY == 0:
                self.budget.check_states(len(states))
                self.budget.check("reachable states", len(states))
                if number:
                    self.moves.reconsider(number)
            targets, lost = follow(state, self.fixed)
            if lost:
                self.overflows.append(number)
            if self.moves.room is not None:
                self.moves.room.take(1)  # also where nothing follows
            numbers = []
            for target in targets:
                found = index.get(target)
                if found is None:
                    found = index[target] = len(states)
                    states.append(target)
                numbers.append(found)
            self.successors.append(tuple(numbers))
        self.budget.check_states(len(states))

    def numbers(self) -> Collection[int]:
        """Return the numbers of all states, the very objects that are stored everywhere else.

        A million states take 30 MB for each copy of their numbers.
        """
        return self.index.values()

    def index_pairs(self) -> Iterable[tuple[int, NumberedState]]:
        """Return each state with its number, in order."""
        return zip(self.index.values(), self.states, strict=True)

    @property
    def predecessors(self) -> list[list[int]]:
        """Return, for each state, the states it follows."""
        if self._predecessors is None:
            found: list[list[int]] = [[] for _ in self.states]
            for number, targets in zip(self.numbers(), self.successors, strict=True):
                for target in targets:
                    found[target].append(number)
            self._predecessors = found
        return self._predecessors

    def choices(self, number: int, members: Sequence[int]) -> ChoiceSuccessors:
        """Return, for each joint choice of some agents, the successors it may lead to."""
        state, successors = self.states[number], self.successors[number]
        actions = [self.moves.actions_of(index, state, self.fixed) for index in members]
        if successors and all(len(enabled) == 1 for enabled in actions):
            # No choice: then everything that can happen can happen under it.
            return {tuple([enabled[0] for enabled in actions]): successors}
        found = self.moves.choices(self.states[number], members, self.fixed)
        return {
            actions: tuple(self.index[target] for target in targets)
            for actions, targets in found.items()
        }

    def state(self, number: int) -> State:
        """Return the values of all variables in a state."""
        return self.moves.decode(self.states[number])

    def number(self, state: State) -> int:
        """Return the number of a reachable state."""
        numbers = self.moves.known(state)
        if numbers is None:
            msg = f"{state} is not reachable"
            raise KeyError(msg)
        return self.index[numbers]
