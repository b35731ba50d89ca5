"""States found one after the other by the reference semantics, with the steps among them."""

from collections.abc import Iterable
from typing import Final

from gnomon.model.budget import Budget
from gnomon.model.initial import InfinitelyMany
from gnomon.model.step import JointAction, State, moves
from gnomon.model.system import System
from gnomon.results.projection import propositions_in

#: Why a graph is cut that has as many states as it may have.
MORE: Final = "there are more"
#: States with longer integers (30,000 digits) are not drawn: nobody could read them.
_LONGEST: Final = 100_000


class BreadthFirst:
    """States by number in the order in which they were found, and the steps among them.

    At most `limit` are found, and none that is more than `radius` steps away from all of those it began with.
    """

    def __init__(
        self, system: System, limit: int, budget: Budget, radius: int | None = None
    ) -> None:
        """Find nothing yet."""
        self.system = system
        self.limit = limit
        self.radius = radius
        self.budget = budget
        self.order: dict[State, int] = {}
        #: How many of them it began with.
        self.starts = 0
        #: What holds in each of them; found with them, since it takes time.
        self.propositions: list[tuple[str, ...]] = []
        self.steps: dict[tuple[int, int], dict[JointAction, None]] = {}
        #: The numbers of states that no step leaves.
        self.stuck: set[int] = set()
        #: What leads to states that are not there, for every state all of whose steps were looked at.
        self.beyond: dict[int, tuple[JointAction, ...]] = {}
        #: What was left out.
        self.why = ""
        self._distance: list[int] = []

    def run(self, starts: Iterable[State]) -> None:
        """Look for states until there are no more, or too many."""
        endless = ""
        try:
            for state in starts:
                if len(self.order) >= self.limit:
                    self.why = MORE
                    break
                self._add(state, 0)
                self.starts = len(self.order)
        except InfinitelyMany as why:  # some of them are there
            endless = str(why)
        waiting = list(self.order)
        for state in waiting:  # it grows while we go
            number = self.order[state]
            distance = self._distance[number] + 1
            beyond: dict[JointAction, None] = {}
            is_stuck = True
            for move in moves(self.system, state, self.budget):
                if move.target is None:
                    continue
                is_stuck = False
                if move.target not in self.order:
                    if not self._is_drawn(move.target, distance):
                        beyond[move.actions] = None
                        continue
                    self._add(move.target, distance)
                    waiting.append(move.target)
                step = (number, self.order[move.target])
                self.steps.setdefault(step, {})[move.actions] = None
            self.beyond[number] = tuple(beyond)
            if is_stuck:
                self.stuck.add(number)
        self.why = endless or self.why

    def _add(self, state: State, distance: int) -> None:
        self.order[state] = len(self.order)
        self._distance.append(distance)
        self.propositions.append(tuple(propositions_in(self.system, state)))

    def _is_drawn(self, state: State, distance: int) -> bool:
        """Return whether there is room for one more state, and say where there is none."""
        if self.radius is not None and distance > self.radius:
            return False
        if len(self.order) >= self.limit:
            self.why = MORE
            return False
        if _is_long(state):
            self.why = "further numbers have more than 30,000 digits"
            return False
        return True


def _is_long(state: State) -> bool:
    return any(isinstance(value, int) and value.bit_length() > _LONGEST for value in state)
