"""What coalitions leave to happen, where one event happens at a time.

A member chooses an action, and takes part in the event of that name only. A choice leaves the events in which
every member that takes part has chosen the action; all of them may come next. Where it leaves none although
some event is possible, everybody waits. So for each coalition there is a scheduler that looks at what the
members have chosen; nothing else is different from a system in which all move at once.
"""

from collections.abc import Collection

from gnomon.engines.abstraction.cell_conditions import CellConditions
from gnomon.engines.abstraction.cell_moves import CellMoves
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.agent import IDLE
from gnomon.model.scheduled import ScheduledSystem, left_to_happen


class EventChoices:
    """The moves of an interleaved system, by who chooses."""

    def __init__(self, system: ScheduledSystem, cells: CellConditions, moves: CellMoves) -> None:
        """Look at the cells of one partition, given the moves of all agents."""
        self._system = system
        self._cells = cells
        self._moves = moves
        self._choosing = [agent.name for agent in system.agents[:-1] if agent.actions]
        self._known: dict[frozenset[str], CellMoves] = {}
        #: The moves where nobody chooses: what agents say that they would do means nothing.
        self.of_nobody = self._of_nobody()

    def _of_nobody(self) -> CellMoves:
        # All codes of actions, and no others: what a code that stands for nothing leads to is not known.
        encoder = self._cells.encoder
        anything = {
            name: encoder.valid(encoder.layout.actions.get(name, ()), len(actions))
            for name in self._choosing
            if (actions := self._system.agent(name).actions)
        }
        found = self._moves.with_acting({name: (each, each) for name, each in anything.items()})
        found.protocols = {self._system.scheduler: found.protocols[self._system.scheduler]}
        return found

    def of(self, members: Collection[str]) -> CellMoves:
        """Return the moves where some agents choose."""
        deciding = frozenset(members).intersection(self._choosing)
        if not deciding:
            return self.of_nobody
        if deciding not in self._known:
            acting = {
                name: (self._moves.acting[name].diagram, self._moves.acting_surely[name].diagram)
                for name in sorted(deciding)
            }
            acting[self._system.scheduler] = self._left(sorted(deciding))
            self._known[deciding] = self.of_nobody.with_acting(acting)
        return self._known[deciding]

    def _left(self, members: Collection[str]) -> tuple[Diagram, Diagram]:
        """Return what may, and surely can, happen by what members choose, over cells and actions."""
        d, cells, scheduler = self._cells.diagrams, self._cells, self._system.scheduler
        left = dict(left_to_happen(self._system, members))
        possible = (line.condition for line in self._system.agents[-1].protocol)
        some_left = cells.condition(typed.Or(tuple(left.values())))
        some = cells.condition(typed.Or(tuple(possible)))
        wait = cells.does(scheduler, IDLE)
        may = [d.both(wait, d.minus(some.may, some_left.must))]
        surely = [d.both(wait, d.minus(some.must, some_left.may))]
        for event, condition in left.items():
            happens, three = cells.does(scheduler, event), cells.condition(condition)
            may.append(d.both(happens, three.may))
            surely.append(d.both(happens, three.must))
        return cells.disjunction(may), cells.disjunction(surely)
