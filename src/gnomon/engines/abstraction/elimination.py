"""Moves that no run takes again and again, taken away until nothing is left to go on by.

A quantity that is bounded below where it falls cannot fall again and again unless it also grows again and
again. So a move by which it falls is over at some point, wherever no move by which it may grow can be reached
any more; without that move, others are over, too. That is the emptiness of a Streett automaton, found without
listing components, and every lexicographic ranking over the quantities is found on the way (as by Alias,
Darte, Feautrier and Gonnord 2010).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.diagrams.interface import Diagram

#: Returns one more quantity, where the moves and cells that are left suggest one.
Suggest: TypeAlias = Callable[[Diagram, Diagram], Ranking | None]


class EliminationLevel(NamedTuple):
    """A quantity, and the cells from which it can grow no more: by then it has fallen for the last time."""

    ranking: Ranking
    cells: Diagram


class Remaining(NamedTuple):
    """The cells in which a run may go on for ever, by which moves, and what was found out on the way."""

    cells: Diagram
    moves: Diagram
    levels: tuple[EliminationLevel, ...]


class Elimination:
    """Looks for endless runs inside a set of cells."""

    def __init__(self, space: CellSpace, within: Diagram, justice: Sequence[Diagram] = ()) -> None:
        """Runs count that stay within some cells, and meet each set of `justice` again and again."""
        self._space = space
        self._d = space.diagrams
        self._justice = justice
        self._stay = within
        self._allowed: Diagram = space.diagrams.true
        self._levels: list[EliminationLevel] = []

    def run(self, rankings: Iterable[Ranking] = (), suggest: Suggest | None = None) -> Remaining:
        """Return what is left when nothing more can be taken away.

        Every cell and move that an endless run in the given cells takes again and again is left.
        """
        known = list(rankings)
        while True:
            self._keep_what_goes_on()
            if self._stay == self._d.false:
                break
            changed = [self._end(ranking) for ranking in known]
            if any(changed):
                continue
            found = None if suggest is None else suggest(self._allowed, self._stay)
            if found is None or not self._end(found):
                break
            known.append(found)
        return Remaining(self._stay, self._allowed, tuple(self._levels))

    def _keep_what_goes_on(self) -> None:
        """Leave the cells from which one can go on for ever, to each set of justice again and again."""
        d = self._d
        while True:
            smaller = d.both(self._stay, self._before(self._allowed, self._stay))
            for wanted in self._justice:
                met = d.both(smaller, wanted)
                smaller = self._leads_to(met, smaller)
            if smaller == self._stay:
                return
            self._stay = smaller

    def _end(self, ranking: Ranking) -> bool:
        """Take away the moves by which a quantity falls for the last time; return whether there were any."""
        d = self._d
        falling = d.both(d.both(self._allowed, ranking.less), self._stay)
        if falling == d.false:
            return False
        growing = d.both(self._stay, d.minus(self._allowed, ranking.not_more))
        able = self._leads_to(d.both(self._stay, self._before(growing, self._stay)), self._stay)
        last = d.minus(falling, able)
        if last == d.false:
            return False
        self._allowed = d.minus(self._allowed, last)
        self._levels.append(EliminationLevel(ranking, d.minus(self._stay, able)))
        return True

    def _before(self, moves: Diagram, cells: Diagram) -> Diagram:
        return self._space.may_lead(self._d.both(moves, self._space.after(cells)))

    def _leads_to(self, target: Diagram, within: Diagram) -> Diagram:
        """Return the cells of `within` from which allowed moves may lead to the target."""
        d = self._d
        found = target
        if found == d.false:
            return found
        while True:
            larger = d.either(found, d.both(within, self._before(self._allowed, found)))
            if larger == found:
                return found
            found = larger
