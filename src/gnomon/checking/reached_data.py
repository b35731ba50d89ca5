"""What a proof says of states that are surely reached, for those who do not know that they are not there."""

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any, Final

from gnomon.certificate.deductive.steps import units_of
from gnomon.checking.label_data import LabelData, lines_data, values_data
from gnomon.engines.abstraction.cell_assertions import CellAssertions, WrittenRef
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import cell_of, diagram_of
from gnomon.engines.abstraction.look_alikes import AlikeState, look_alikes, state_look_alike
from gnomon.engines.abstraction.retracing import PreviousCells, Retraced, retraced
from gnomon.engines.diagrams.interface import Diagram, Outgrown
from gnomon.model.expression import Literal, Read
from gnomon.model.scheduled import who_acts
from gnomon.model.step import Move, State, holds

#: So many states are told one by one at most.
_MOST_STATES: Final = 60


class ReachedData:
    """The cells that are reached by an induction, and states that are reached by runs."""

    def __init__(self, space: CellSpace, written: CellAssertions, data: LabelData) -> None:
        """Tell of the cells of a space."""
        self._space = space
        self._d = space.diagrams
        self._written = written
        self._data = data
        #: Each state comes after the one that it is reached from.
        self._states: dict[State, tuple[State, Move]] = {}
        self._used = False

    @cached_property
    def _retraced(self) -> Retraced:
        initial, nothing = self._space.initial.must, self._d.false
        try:
            found = retraced(self._space)
        except Outgrown:
            found = None
        return Retraced(initial, nothing) if found is None else found

    def look_alikes(
        self, agents: tuple[str, ...], wanted: Diagram, answers: Diagram
    ) -> Iterator[AlikeState]:
        """Yield for some cells what looks the same and is reached: at first, by an induction, or by a run."""
        d, space = self._d, self._space
        starts = d.both(space.initial.must, answers)
        left = wanted
        for each in look_alikes(space, agents, left, starts, space.system.initial):
            left = d.minus(left, each.cells)
            yield each
        if left == d.false:
            return
        for each in look_alikes(space, agents, left, d.both(self._retraced.cells, answers)):
            self._used = True
            left = d.minus(left, each.cells)
            yield each
        yield from self._visited_alike(agents, left, answers)

    def _visited_alike(
        self, agents: tuple[str, ...], left: Diagram, answers: Diagram
    ) -> Iterator[AlikeState]:
        d, space = self._d, self._space
        for state in space.partition.samples.states:
            if left == d.false:
                return
            if d.both(diagram_of(space, cell_of(space, state)), answers) != d.false:
                found = state_look_alike(space, agents, left, state)
                if found is not None and self._add(state):
                    left = d.minus(left, found.cells)
                    yield found

    def _add(self, state: State) -> bool:
        """Have the proof say how a state is reached that was visited; return whether that is short enough."""
        arrivals = self._space.partition.samples.arrivals
        run: dict[State, tuple[State, Move]] = {}
        while not self._is_known(state):
            if len(self._states) + len(run) >= _MOST_STATES or state not in arrivals:
                return False
            run[state] = arrivals[state]
            state = arrivals[state][0]
        self._states.update(reversed(run.items()))
        self._used = True
        return True

    def _is_known(self, state: State) -> bool:
        if state in self._states or holds(self._space.system.initial, self._space.system, state):
            return True
        here = diagram_of(self._space, cell_of(self._space, state))
        return bool(self._d.both(here, self._retraced.cells) != self._d.false)

    def data(self) -> dict[str, Any] | None:
        """Return what is reached and why, where that is needed."""
        if not self._used:
            return None
        found, listed = self._retraced, list(self._states)
        stages = self._data.stages((found.later,), found.stages, partial(self._write, listed))
        if found.later == self._d.false:
            stages = []
        left = (self._written.states(listed[n + 1 :], False) for n in range(len(listed)))
        stages += ({"reason": "leaves", "parts": [each]} for each in left)
        return {
            "where": self._write(listed, found.cells),
            "steps": [*map(self._step, found.steps), *map(self._visited, listed)],
            "stages": stages or [{"reason": "leaves", "parts": [False]}],
        }

    def _write(
        self, listed: list[State], cells: Diagram, care: Diagram | None = None
    ) -> WrittenRef:
        """Return what is left of the cells, and the states in none of them; where something falls, no states.

        What cannot be reached is not left out as it pleases: nobody has shown that yet.
        """
        where = self._written.write(cells, self._space.all)
        return where if care is not None else self._written.states(listed, where)

    def _step(self, found: PreviousCells) -> dict[str, Any]:
        write, everywhere = self._written.write, self._space.all
        return {
            "step": [
                write(found.cells, everywhere),
                self._told(found.actions),
                lines_data(found.lines),
            ],
            "earlier": write(found.earlier, everywhere),
            "values": values_data(found.values),
        }

    def _told(self, actions: Mapping[str, str]) -> dict[str, str]:
        """Return what those do who act while no coalition chooses anything."""
        acting = who_acts(self._space.system)
        return {name: action for name, action in actions.items() if name in acting}

    def _visited(self, state: State) -> dict[str, Any]:
        before, move = self._states[state]
        system = self._space.system
        names = (agent.name for agent in system.agents)
        actions = self._told(dict(zip(names, move.actions, strict=True)))
        taken = {
            agent.name: each.lines
            for agent, each in zip(system.agents, move.alternatives, strict=True)
        }
        lines = [
            (*unit.name, [n for n, line in enumerate(unit.lines) if line in taken[unit.agent.name]])
            for unit in units_of(system)
        ]
        values = {
            Read(variable.agent, variable.name): Literal(old)
            for variable, old, new in zip(system.variables, before, state, strict=True)
            if old != new
        }
        where = self._written.states([state], False)
        step = [where, actions, lines_data(lines)]
        return {"step": step, "earlier": True, "values": values_data(values)}
