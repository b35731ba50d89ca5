"""Paths of concrete states for what cells say: through the cells, by search, or only how one begins."""

from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from gnomon.checking.lasso_search import LassoSearch
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.game import NotShown
from gnomon.logic.automaton import Automaton
from gnomon.logic.denotation import Denotation
from gnomon.logic.witness import Witness, Witnesses
from gnomon.model.domain import Integers
from gnomon.model.formula import Constant, Formula, Globally
from gnomon.model.step import State
from gnomon.model.system import Logic, System

#: The nodes of an automaton, with the cells from which a path surely goes on from each.
ProductSets: TypeAlias = tuple[Automaton, tuple[ThreeValued, ...]]

#: A path through cells that is longer than this is looked for in another way, too.
_LONG: Final = 12
#: So many steps are taken to see which numbers grow, and so many of them are shown.
_FOLLOWED: Final = 40
_SHOWN: Final = 5


class Beginning(NamedTuple):
    """How a path begins that does not come back to where it was, and which numbers grow or fall on it."""

    states: list[State]
    growing: tuple[str, ...]

    def said(self, *, arrives: bool) -> str:
        """Say why there is no more to be seen, of a path that gets somewhere, or that goes on for ever."""
        if arrives:
            return f"it does not get there within {_FOLLOWED} steps"
        if not self.growing:
            return f"within {_FOLLOWED} steps it does not go round"
        return f"within {_FOLLOWED} steps it does not go round, since {' and '.join(self.growing)}"


class CellWitnesses(Witnesses[ThreeValued]):
    """Finds paths through the cells where every path counts, and by search where that is not enough."""

    def __init__(
        self,
        truth: Denotation[ThreeValued],
        walks: CellWalks,
        search: LassoSearch,
        logic: Logic,
        *,
        endless: bool,
    ) -> None:
        """Look for paths that count; `endless`: that go on for ever, perhaps fairly."""
        super().__init__(truth, walks, logic)
        self._search = search
        self._endless = endless
        self._onward: dict[State, Witness | None] = {}

    def find(self, path: Formula, state: State, *, wanted: bool) -> Witness:
        """Return a path from a state on which the formula holds, or, not `wanted`, fails."""
        through_cells = self._through_cells(path, state, wanted=wanted)
        if through_cells is not None and (self._endless or len(through_cells.states) <= _LONG):
            return through_cells
        found = self._search.find(path, state, wanted=wanted)
        candidates = [each for each in (through_cells, found) if each is not None]
        if not candidates:
            raise NotShown
        return min(candidates, key=lambda each: len(each.states))

    def _through_cells(self, path: Formula, state: State, *, wanted: bool) -> Witness | None:
        """Return a path along the cells; where only endless paths count, one that is known to go on.

        However long it is, nothing has to be searched for but how it goes on.
        """
        try:
            found = super().find(path, state, wanted=wanted)
        except NotShown:
            return None
        if self._endless and (found.loop is not None or self.onward(found.states[-1]) is None):
            return None
        return found

    def onward(self, state: State) -> Witness | None:
        """Return a path from a state that counts, if one is found."""
        if state not in self._onward:
            always = Globally(Constant(value=True))
            self._onward[state] = self._search.find(always, state, wanted=True)
        return self._onward[state]


def beginning(
    system: System, walks: CellWalks, sets: ProductSets, state: State
) -> Beginning | None:
    """Return how a path begins that stays where cells say that it surely can go on, if one is found."""
    nodes, found = sets

    def able(node: int, here: State) -> bool:
        return walks.contains(found[node], here) is True

    node = next((each for each in nodes.initial if able(each, state)), None)
    states = [state]
    while node is not None and len(states) <= _FOLLOWED:
        after = nodes.successors[node]
        try:
            states.append(walks.step_into(states[-1], [found[each].true for each in after]))
        except NotShown:
            return None
        if states[-1] in states[:-1]:
            return None  # it does come back: there must be another reason
        node = next((each for each in after if able(each, states[-1])), None)
    if node is None:
        return None
    return Beginning(states[: _SHOWN + 1], tuple(_moving(system, states)))


def _moving(system: System, states: list[State]) -> list[str]:
    """Return which numbers only grow, or only fall, on a path, in words."""
    said = []
    for place, variable in enumerate(system.variables):
        if not isinstance(variable.domain, Integers):
            continue
        values = [int(state[place]) for state in states]
        way = {(after > before) - (after < before) for before, after in pairwise(values)}
        name = f"{variable.agent}.{variable.name}"
        if way - {0} == {1}:
            said.append(f"{name} only grows")
        elif way - {0} == {-1}:
            said.append(f"{name} only falls")
    return said
