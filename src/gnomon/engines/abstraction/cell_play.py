"""What a coalition does to win, cell by cell, and what others do against it, in concrete states."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice, product
from operator import itemgetter
from typing import Final

from gnomon.engines.abstraction.attractors import Attraction, AttractorLayer
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.concretise import (
    Cell,
    apply_move,
    diagram_of,
    joint_action,
    local_part,
    pick_cell,
)
from gnomon.engines.abstraction.local_strategies import LocalStrategy
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame, NotShown, Win
from gnomon.model.domain import Integers
from gnomon.model.evidence import Choice, Defence, DefenceAnswer, Strategy
from gnomon.model.formula import Enforces, show_formula
from gnomon.model.step import JointAction, State, enabled_actions, moves
from gnomon.model.system import System

_MOST_ANSWERS: Final = 400
_MOST_ROWS: Final = 300
#: So many moves are looked at for an answer that leads to a known state.
_MOST_MOVES: Final = 500


class CellPlay:
    """One coalition formula over the cells of an algebra: its strategies and defences."""

    def __init__(
        self,
        algebra: CellAlgebra,
        formula: Enforces,
        game: CoalitionGame[ThreeValued],
        walks: CellWalks,
    ) -> None:
        """Play a game, which is that of the formula."""
        self._algebra = algebra
        self._space = algebra.space
        self._d = algebra.space.diagrams
        self._formula = formula
        self._members = formula.group.members
        self._game = game
        self._walks = walks
        #: The rows of the strategy that was found: a member, a cell or what it sees of one, what it does.
        self.rows: list[tuple[str, Cell, str]] = []
        #: Where the strategy begins that is being looked for.
        self._starts = self._d.false

    @property
    def attraction(self) -> Attraction | None:
        """How the coalition gets where it wants to, if it wants to get somewhere."""
        if self._game.kind != "until":
            return None
        player, game = ("surely", self._members), self._game
        return self._algebra.attraction(player, game.left.true, game.right.true)  # type: ignore[arg-type]

    # Strategies

    def strategy(self, state: State, starts: Diagram) -> Strategy | None:
        """Return what is done in all cells that outcomes may come to; None where there are too many."""
        self._starts = starts
        table: dict[Cell, dict[str, str]] = {}
        waiting = self._listed(starts)
        while waiting:
            cell = waiting.pop()
            here = diagram_of(self._space, cell)
            if cell in table or self._is_over(here):
                continue
            forbidden = self._to_avoid(here)
            chosen = (
                None if forbidden is None else self._space.forced(here, self._members, forbidden)
            )
            if chosen is None or len(table) >= _MOST_ROWS:
                return None
            table[cell] = chosen
            if self._goes_on():
                following = self._listed(self._space.successors(here, chosen))
                if following is None:
                    return None
                waiting.extend(following)
        if waiting is None:
            return None
        self.rows = [(name, cell, did) for cell, row in table.items() for name, did in row.items()]
        rows = (
            Choice(cell.show(self._space.partition), tuple(chosen.items()))
            for cell, chosen in table.items()
        )
        return self._told("cells", rows, state)

    def uniform_strategy(
        self, state: State, wins: Iterable[Win[ThreeValued]], starts: Diagram
    ) -> tuple[Strategy, bool] | None:
        """Return what members do by what they see, and whether that wins from all starts and not just one."""
        short = (
            each
            for each in wins
            if isinstance(each, LocalStrategy)
            and len(each.actions) <= _MOST_ROWS
            and self._walks.contains(each.states, state)
        )
        ranked = [
            (self._d.minus(starts, each.states.true) != self._d.false, each) for each in short
        ]
        if not ranked:
            return None
        partly, win = min(ranked, key=itemgetter(0))
        self.rows = [(name, seen, did) for (name, seen), did in win.actions.items()]
        rows = (
            Choice(seen.show(self._space.partition), ((name, action),))
            for (name, seen), action in win.actions.items()
        )
        return self._told("local cells", rows, state), not partly

    def _told(self, reading: str, rows: Iterable[Choice], state: State) -> Strategy:
        text = show_formula(self._formula)
        return Strategy(text, reading, self._members, tuple(rows), self._formula, state)

    def _to_avoid(self, here: Diagram) -> Diagram | None:
        """Return the moves that the members must not allow in a cell; None where nothing is known to help."""
        d, space, game = self._d, self._space, self._game
        attraction = self.attraction
        if attraction is None:
            wanted = game.right.true if game.kind == "next" else game.bound.true
            return space.after(d.minus(space.reachable, wanted))
        layer = self._first_layer(attraction, here)
        return None if layer is None else d.opposite(layer.moves)

    def _first_layer(self, attraction: Attraction, here: Diagram) -> AttractorLayer | None:
        met = (
            each for each in attraction.layers if self._d.both(here, each.cells) != self._d.false
        )
        return next(met, None)

    def _goes_on(self) -> bool:
        """Return whether it matters what is done after one step."""
        return self._game.kind != "next"

    def _is_over(self, here: Diagram) -> bool:
        """Return whether nothing has to be done any more."""
        done = self._game.kind in ("until", "weak")
        return done and bool(self._d.both(here, self._game.right.true) != self._d.false)

    def _listed(self, cells: Diagram) -> list[Cell] | None:
        """Return the cells of a set; None where there are too many."""
        found: list[Cell] = []
        left = cells
        while left != self._d.false:
            self._space.budget.check("listing cells", len(found))
            if len(found) >= _MOST_ROWS:
                return None
            found.append(pick_cell(self._space, left))
            left = self._d.minus(left, diagram_of(self._space, found[-1]))
        return found

    # Defences

    def defence(self, state: State) -> Defence | None:
        """Return concrete answers to all that the coalition may do, if they come to an end."""
        try:
            answers = tuple(self._answers(state))
        except NotShown:
            return None
        return Defence(show_formula(self._formula), self._members, answers, self._formula, state)

    def _answers(self, state: State) -> Iterator[DefenceAnswer]:
        waiting, seen = [state], {state}
        count = 0
        while waiting:
            current = waiting.pop()
            forbidden = self._to_prevent(current, first=current is state)
            if forbidden is None:
                continue
            for choice in self._choices(current):
                count += 1
                answer = self._quiet_answer(current, choice, seen)
                answer = answer or self._sure_answer(current, choice, forbidden)
                if answer is None or count > _MOST_ANSWERS:
                    raise NotShown
                actions, result = answer
                yield DefenceAnswer(current, tuple(choice.items()), actions, result)
                if result not in seen and self._game.kind != "next":
                    seen.add(result)
                    waiting.append(result)

    def _sure_answer(
        self, state: State, choice: Mapping[str, str], forbidden: Diagram
    ) -> tuple[JointAction, State] | None:
        """Return an answer that is one in all states of the cell."""
        found = self._space.answer(self._walks.here(state), forbidden, choice)
        if found is None:
            return None
        return joint_action(self._space, found), apply_move(self._space, state, found)

    def _quiet_answer(
        self, state: State, choice: Mapping[str, str], seen: Collection[State]
    ) -> tuple[JointAction, State] | None:
        """Return what leads to where they still prevent it, a known state or one where few numbers changed.

        So what goes on for ever is told by few states, where that can be.
        """
        if self._game.kind != "until":
            return None
        system = self._algebra.system
        able: list[tuple[int, JointAction, State]] = []
        for move in islice(moves(system, state, chosen=choice), _MOST_MOVES):
            target = move.target
            if target is not None and self._walks.contains(self._game.bound, target) is False:
                able.append((_changed(system, state, target, seen), move.actions, target))
        return min(able, key=itemgetter(0))[1:] if able else None

    def _to_prevent(self, state: State, *, first: bool) -> Diagram | None:
        """Return which moves the others must not make here; None where the formula is broken."""
        d, space, game = self._d, self._space, self._game
        if game.kind == "next":
            return space.after(d.minus(space.reachable, game.right.false)) if first else None
        if self._walks.contains(game.left, state) is False:
            return None
        if game.kind == "weak":
            player = ("never", self._members)
            found = self._algebra.attraction(player, game.right.false, game.left.false)  # type: ignore[arg-type]
            return d.opposite(self._walks.layer(found.layers, state).moves)
        return space.after(d.minus(space.reachable, game.bound.false))

    def _choices(self, state: State) -> Iterator[dict[str, str]]:
        system = self._algebra.system
        enabled = [enabled_actions(system, system.agent(name), state) for name in self._members]
        for actions in product(*enabled):
            yield dict(zip(self._members, actions, strict=True))


def _changed(system: System, before: State, after: State, seen: Collection[State]) -> int:
    """Return how many numbers without bounds a step changes; nothing is better than a known state."""
    if after in seen:
        return -1
    triples = zip(system.variables, before, after, strict=True)
    return sum(isinstance(v.domain, Integers) and old != new for v, old, new in triples)


def told_actions(space: CellSpace, strategy: Strategy) -> Callable[[Cell], dict[str, str] | None]:
    """Return what gives the actions that a strategy tells for a cell."""
    if strategy.reading == "cells":
        rows = {row.where: dict(row.actions) for row in strategy.choices}
        return lambda cell: rows.get(cell.show(space.partition))
    own = {(row.actions[0][0], row.where): row.actions[0][1] for row in strategy.choices}
    members = [name for name in strategy.members if space.system.agent(name).actions]

    def by_sight(cell: Cell) -> dict[str, str] | None:
        found: dict[str, str] = {}
        for name in members:
            seen = local_part(space, cell, (name,)).show(space.partition)
            action = own.get((name, seen))
            if action is None:
                return None
            found[name] = action
        return found

    return by_sight
