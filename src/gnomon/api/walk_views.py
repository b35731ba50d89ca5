"""What there is to see on a walk: the ways on, where it has been, and what an agent considers possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from gnomon.api.traces import (
    StateValues,
    TraceStep,
    acting,
    new_values,
    shown_pairs,
    trace_step,
)
from gnomon.model.domain import Datum
from gnomon.model.evidence import Step
from gnomon.results.data import of_state
from gnomon.results.model_walk import ModelWalk, MoveList, NumberedMove
from gnomon.results.render import walk_page
from gnomon.text.brief import brief
from gnomon.workbench.state_queries import Filter, LookAlikes

#: So many moves or states are listed when something is printed.
_PAGE = 20
_WIDTH = 80
_EVERYTHING = Filter(())


@dataclass(frozen=True, slots=True, repr=False)
class WalkMove:
    """One way on: its number, what everybody does, and what changes.

    >>> import gnomon
    >>> move = gnomon.load("examples/tickets.ispl").walk().moves[0]
    >>> move.number, move.actions["Customer"], move.changes
    (1, 'join', {'Environment.waiting': 1})
    >>> move.state, move.step.state
    ({'Environment': {'waiting': 1}}, (1,))
    """

    #: The number that `choose` takes, from 1.
    number: int
    #: What each agent does.
    actions: dict[str, str]
    #: The values that are new afterwards, as `Agent.variable`.
    changes: dict[str, Datum]
    #: The state that it leads to.
    state: StateValues
    #: The same as data: the state it leads to, and the joint action.
    step: Step

    def __repr__(self) -> str:
        """Show its number, what is done and what changes."""
        done = shown_pairs(self.actions) or "nobody acts"
        return brief(f"<{self.number}: {done}: {shown_pairs(self.changes) or 'no change'}>")


class WalkMoves(Sequence[WalkMove]):
    """The ways on from a state; the first has the number 1 and the index 0. Printed it is a table.

    >>> import gnomon
    >>> moves = gnomon.load("examples/tickets.ispl").walk().moves
    >>> len(moves), moves.deadlock, moves.overflows, moves.cut
    (2, False, 0, '')
    """

    def __init__(self, walk: ModelWalk, found: MoveList) -> None:
        """Show what was found on a walk."""
        self._walk = walk.fork_here()
        self._found = found

    @property
    def deadlock(self) -> bool | None:
        """Return whether there is no way on; None where that is not known."""
        return self._found.is_deadlock

    @property
    def overflows(self) -> int:
        """Return how many moves have no result, since a value would leave its range."""
        return self._found.overflows

    @property
    def cut(self) -> str:
        """Return why there may be more moves than these, or ""."""
        return self._found.cut

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._found.items)

    @overload
    def __getitem__(self, place: int) -> WalkMove: ...
    @overload
    def __getitem__(self, place: slice) -> list[WalkMove]: ...
    def __getitem__(self, place: int | slice) -> WalkMove | list[WalkMove]:
        """Return the move at an index, from 0."""
        found = self._found.items[place]
        return self._shown(found) if isinstance(found, NumberedMove) else [*map(self._shown, found)]

    def _shown(self, move: NumberedMove) -> WalkMove:
        system, step = self._walk.system, move.step
        changed = new_values(system, self._walk.here.state, step.state)
        return WalkMove(
            move.number, acting(system, step), changed, of_state(step.state, system), step
        )

    def __str__(self) -> str:
        """Show the first of them as a table."""
        shown = walk_page.render_options(self._walk, self._found, _EVERYTHING, 0, _PAGE, _WIDTH)
        more = "`more` lists them, `where` narrows them down"  # which are commands of the simulator
        return shown.plain().rstrip().replace(more, "`moves` has all of them")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import walk  # only notebooks want it

        return walk.render_moves(self._walk, self._found)


class AlikeStates(Sequence[StateValues]):
    """The states that an agent cannot tell from one, that one first: what it considers possible.

    >>> import gnomon
    >>> found = gnomon.load("examples/bit_transmission.ispl").walk().look_alikes("Receiver")
    >>> len(found), found.total, found.complete
    (4, 4, True)
    >>> found.agent, found.reason
    ('Receiver', '')
    """

    def __init__(self, walk: ModelWalk, agent: str, found: LookAlikes) -> None:
        """Show what was found."""
        self._walk = walk.fork()
        self._found = found
        #: Who looks.
        self.agent = agent
        #: How many there are; where not all were found, so many as were.
        self.total: int = found.total
        #: Whether all reachable states were looked at.
        self.complete: bool = found.complete
        #: Why it is not complete, or what does not count, or "".
        self.reason: str = found.reason

    def __len__(self) -> int:
        """Return how many of them are listed."""
        return len(self._found.states)

    @overload
    def __getitem__(self, place: int) -> StateValues: ...
    @overload
    def __getitem__(self, place: slice) -> list[StateValues]: ...
    def __getitem__(self, place: int | slice) -> StateValues | list[StateValues]:
        """Return the state at an index, from 0."""
        system = self._walk.system
        if isinstance(place, slice):
            return [of_state(state, system) for state in self._found.states[place]]
        return of_state(self._found.states[place], system)

    def __str__(self) -> str:
        """Show it as `know` does in the simulator."""
        here = self._walk.here.state
        others = [state for state in self._found.states if state != here]
        total = self.total - (here in self._found.states)
        text = walk_page.render_alike(
            self._walk, self.agent, others[:_PAGE], total, _WIDTH, complete=self.complete
        )
        return text.plain().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import walk  # only notebooks want it

        return walk.render_text(str(self))


class WalkHistory(Sequence[TraceStep]):
    """All states that were visited, by the numbers they got; printed it is a tree.

    >>> import gnomon
    >>> walk = gnomon.load("examples/tickets.ispl").walk()
    >>> walk.choose(1).undo().choose(2).history
        0  initial: Environment.waiting = 0
          1  idle, join, rest: Environment.waiting = 1
    ▸     2  from 0, idle, walk_on, rest: no change
    """

    def __init__(self, walk: ModelWalk) -> None:
        """Show where a walk has been."""
        self._walk = walk.fork()

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._walk.visits)

    @overload
    def __getitem__(self, place: int) -> TraceStep: ...
    @overload
    def __getitem__(self, place: slice) -> list[TraceStep]: ...
    def __getitem__(self, place: int | slice) -> TraceStep | list[TraceStep]:
        """Return the state of that number, with how it was reached."""
        found = range(len(self))[place]
        return self._at(found) if isinstance(found, int) else [*map(self._at, found)]

    def _at(self, number: int) -> TraceStep:
        visits = self._walk.visits
        visit = visits[number]
        before = None if visit.parent is None else visits[visit.parent].state
        return trace_step(self._walk.system, number, before, visit.step or Step(visit.state))

    def __str__(self) -> str:
        """Show the tree."""
        return walk_page.render_tree(self._walk, _WIDTH).plain().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import walk  # only notebooks want it

        return walk.render_text(str(self))
