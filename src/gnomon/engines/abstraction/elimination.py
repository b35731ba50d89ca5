"""Moves that no run takes again and again, taken away until nothing is left to go on by.

A quantity that is bounded below where it falls cannot fall again and again unless it also grows again and
again. So a move by which it falls is over at some point, wherever no move by which it may grow can be reached
any more; without that move, others are over, too. That is the emptiness of a Streett automaton, found without
listing components, and every lexicographic ranking over the quantities is found on the way (as by Alias,
Darte, Feautrier and Gonnord 2010). Sets to be met again and again are one more reason to take cells away.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from gnomon.engines.abstraction.cell_codes import CellCodes
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.diagrams.interface import Diagram, Diagrams

#: One set of cells for each node of an automaton; where there is none, there is one node.
CellsByNode: TypeAlias = tuple[Diagram, ...]
#: The nodes that may follow each node.
NodeSuccessors: TypeAlias = Sequence[Sequence[int]]
ONE_NODE: Final[NodeSuccessors] = ((0,),)
#: Returns one more quantity, where the moves that are left suggest one.
Suggest: TypeAlias = Callable[[Diagram], Ranking | None]


class PathSpace(Protocol):
    """What an elimination asks of a space: one in which time may also run backwards."""

    @property
    def diagrams(self) -> Diagrams:
        """What sets are made of."""

    @property
    def cells(self) -> CellCodes:
        """The codes of cells."""

    def after(self, cells: Diagram) -> Diagram:
        """Return a set of cells as one of next cells."""

    def may_lead(self, moves: Diagram) -> Diagram:
        """Return the cells that may have one of some moves: over cells, moves and next cells."""

    def moves_into(self, moves: Diagram, target: Diagram) -> Diagram:
        """Return those of some moves that may be made and may lead into a set, without next cells."""


class EliminationLevel(NamedTuple):
    """A quantity, and the cells from which it can grow no more: by then it has fallen for the last time."""

    ranking: Ranking
    cells: CellsByNode


class Remaining(NamedTuple):
    """The cells in which a run may go on for ever, by which moves, and what was found out on the way."""

    cells: CellsByNode
    moves: tuple[Diagram, ...]
    levels: tuple[EliminationLevel, ...]


class EliminationStage(NamedTuple):
    """One step of the argument that nothing is left: see `gnomon.certificate.deductive.ending`.

    Cells that all moves leave, or from which a set of `justice` is not met again, are not among `cells` any
    longer; or a quantity does not grow in `cells`.
    """

    reason: Literal["leaves", "avoids", "falls"]
    cells: CellsByNode
    ranking: Ranking | None = None
    justice: int = 0


class Elimination:
    """Looks for endless runs inside some cells, perhaps together with runs of an automaton."""

    def __init__(
        self,
        space: PathSpace,
        within: CellsByNode,
        following: NodeSuccessors = ONE_NODE,
        justice: Iterable[CellsByNode] = (),
        moves: Diagram | None = None,
    ) -> None:
        """Runs count that stay within some cells, and meet each set of `justice` again and again.

        If only some `moves` count, these are over cells, actions and choices.
        """
        self._space = space
        self._d = space.diagrams
        self._following = following
        self._justice = tuple(justice)
        #: Where runs may be at each node.
        self.within = within
        self._stay = within
        self._moves = space.diagrams.true if moves is None else moves
        self._allowed: tuple[Diagram, ...] = (self._moves,) * len(within)
        self._levels: list[EliminationLevel] = []
        #: The argument, step by step.
        self.stages: list[EliminationStage] = []

    def again(self) -> "Elimination":
        """Return a search for the same runs that has not begun."""
        return Elimination(self._space, self.within, self._following, self._justice, self._moves)

    @property
    def question(self) -> object:
        """What is looked for: the same for all that look for the same runs."""
        return self.within, tuple(map(tuple, self._following)), self._justice, self._moves

    def run(self, rankings: Iterable[Ranking] = (), suggest: Suggest | None = None) -> Remaining:
        """Return what is left when nothing more can be taken away.

        Every cell and move that an endless run in the given cells takes again and again is left.
        """
        known = list(rankings)
        while True:
            self._keep_what_goes_on()
            if self._is_empty(self._stay):
                break
            changed = [self._end(ranking) for ranking in known]
            if any(changed):
                continue
            found = None if suggest is None else suggest(self._stuck())
            if found is None or not self._end(found):
                break
            known.append(found)
        return Remaining(self._stay, self._allowed, tuple(self._levels))

    def leading_to(self, target: CellsByNode) -> CellsByNode:
        """Return the cells from which any moves inside the given cells may lead to the target."""
        free = (self._d.true,) * len(self.within)
        return self._leads_to(target, self.within, free)

    def _keep_what_goes_on(self) -> None:
        """Leave the cells from which one can go on for ever, to each set of justice again and again."""
        while True:
            smaller = self._both(self._stay, self._before(self._allowed, self._stay))
            if smaller != self._stay:
                self.stages.append(EliminationStage("leaves", smaller))
            for number, wanted in enumerate(self._justice):
                met = self._both(smaller, wanted)
                before, smaller = smaller, self._leads_to(met, smaller, self._allowed)
                if smaller != before:
                    self.stages.append(EliminationStage("avoids", smaller, None, number))
            if smaller == self._stay:
                return
            self._stay = smaller

    def _end(self, ranking: Ranking) -> bool:
        """Take away the moves by which a quantity falls for the last time; return whether there were any."""
        d = self._d
        falling = tuple(d.both(d.both(moves, ranking.less), stay) for moves, stay in self._left())
        if self._is_empty(falling):
            return False
        growing = tuple(
            d.both(stay, d.minus(moves, ranking.not_more)) for moves, stay in self._left()
        )
        grows = self._both(self._stay, self._before(growing, self._stay))
        able = self._leads_to(grows, self._stay, self._allowed)
        last = tuple(map(d.minus, falling, able))
        if self._is_empty(last):
            return False
        self._allowed = tuple(map(d.minus, self._allowed, last))
        over = tuple(map(d.minus, self._stay, able))
        self._levels.append(EliminationLevel(ranking, over))
        self.stages.append(EliminationStage("falls", over, ranking))
        return True

    def _stuck(self) -> Diagram:
        """Return the moves that are left."""
        d, space = self._d, self._space
        return space.cells.disjunction(
            space.moves_into(d.both(moves, stay), self._next_to(self._stay, node))
            for node, (moves, stay) in enumerate(self._left())
        )

    def _left(self) -> list[tuple[Diagram, Diagram]]:
        return list(zip(self._allowed, self._stay, strict=True))

    def _before(self, moves: tuple[Diagram, ...], cells: CellsByNode) -> CellsByNode:
        d, space = self._d, self._space
        return tuple(
            d.false
            if (target := self._next_to(cells, node)) == d.false
            else space.may_lead(d.both(allowed, space.after(target)))
            for node, allowed in enumerate(moves)
        )

    def _leads_to(
        self, target: CellsByNode, within: CellsByNode, moves: tuple[Diagram, ...]
    ) -> CellsByNode:
        """Return the cells of `within` from which some moves may lead to the target, and the target."""
        found = target
        if self._is_empty(found):
            return found
        while True:
            before = self._both(within, self._before(moves, found))
            larger = tuple(map(self._d.either, found, before))
            if larger == found:
                return found
            found = larger

    def _both(self, left: CellsByNode, right: CellsByNode) -> CellsByNode:
        return tuple(map(self._d.both, left, right))

    def _next_to(self, cells: CellsByNode, node: int) -> Diagram:
        """Return what is in the sets of those nodes that may follow one."""
        return self._space.cells.disjunction(cells[each] for each in self._following[node])

    def _is_empty(self, cells: CellsByNode) -> bool:
        return all(each == self._d.false for each in cells)
