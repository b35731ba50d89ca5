"""Why something comes about on every path: the rankings that elimination used, those it takes, replayed."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, Protocol

from gnomon.certificate.rejection import require
from gnomon.checking.ranking_words import all_of, in_words
from gnomon.engines.abstraction.concretise import cell_of, diagram_of
from gnomon.engines.abstraction.elimination import EliminationLevel, NodeSuccessors, Remaining
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.three_valued import CellSemantics, ThreeValued, possible_paths
from gnomon.engines.diagrams.interface import Diagram
from gnomon.logic.automaton import Automaton, automaton
from gnomon.logic.path import normal_form
from gnomon.model.budget import Budget
from gnomon.model.formula import (
    All,
    And,
    Exists,
    Finally,
    Formula,
    Globally,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.fragment import is_path_formula
from gnomon.model.step import State, random_move
from gnomon.model.system import Logic

#: With more levels, or where it takes longer in seconds, levels that are not needed are not looked for.
_MOST_LEVELS: Final = 30
_PATIENCE: Final = 0.5
#: Random walks on which rankings are replayed.
_WALKS: Final = 12
_LONGEST_WALK: Final = 40


class ProductSemantics(CellSemantics, Protocol):
    """What is asked of the satisfaction relation over cells."""

    @property
    def constraints(self) -> tuple[ThreeValued, ...]:
        """Where each constraint of fairness holds."""

    def product_sets(
        self, nodes: Automaton, logic: Logic, /
    ) -> tuple[tuple[ThreeValued, ...], list[tuple[ThreeValued, ...]]]:
        """Return where the literals of each node hold, and what has to be met again and again."""


class PathsLeft:
    """The paths on which a formula on paths would fail (or an existential one hold), as far as cells tell."""

    def __init__(self, truth: ProductSemantics, formula: All | Exists, logic: Logic) -> None:
        """Look for paths that break `A path`, or satisfy `E path`."""
        self._truth = truth
        self._space = truth.algebra.space
        wanted = isinstance(formula, Exists)
        self.nodes: Automaton = automaton(normal_form(formula.path, wanted=wanted))
        self.following: NodeSuccessors = self.nodes.successors
        self._labels, self.visited = truth.product_sets(self.nodes, logic)
        self._search = possible_paths(self._space, self.following, self._labels, self.visited)
        self.remaining: Remaining = truth.algebra.eliminated(self._search)

    def excluded(self, remaining: Remaining, where: Diagram) -> bool:
        """Return whether from some cells nothing leads to what is left."""
        d = self._space.diagrams
        leading = self._search.leading_to(remaining.cells)
        return all(d.both(where, leading[node]) == d.false for node in self.nodes.initial)

    def levels(self, where: Diagram) -> tuple[EliminationLevel, ...]:
        """Return the levels of rankings that exclude all paths from some cells; none where they do not."""
        if not self.remaining.levels or not self.excluded(self.remaining, where):
            return ()
        budget, needed = Budget(_PATIENCE), self.remaining
        known = list(dict.fromkeys(level.ranking for level in needed.levels))
        if len(known) > _MOST_LEVELS:
            return needed.levels
        upwards = [each for each in known if each.sign < 0]
        # What falls is said more easily than what grows: that is left out first, all of it if that can be.
        for gone in (upwards, *([each] for each in (*upwards, *reversed(known)))):
            if budget.spent() > _PATIENCE:
                break
            fewer = [each for each in known if each not in gone]
            if len(fewer) == len(known):
                continue
            found = self._again(fewer)
            if self.excluded(found, where):
                known, needed = fewer, found
        return needed.levels

    def takes(self, where: Diagram) -> list[int]:
        """Return constraints of fairness, by number, that together exclude all paths from some cells.

        Not all of them would do without one; none where they are not needed, or not enough.
        """
        needed = list(range(len(self._truth.constraints)))
        if not needed or not self.excluded(self.remaining, where):
            return []
        budget, first = Budget(_PATIENCE), len(self.visited) - len(needed)
        for each in tuple(needed):
            fewer = [number for number in needed if number != each]
            visited = [*self.visited[:first], *(self.visited[first + n] for n in fewer)]
            search = possible_paths(self._space, self.following, self._labels, visited)
            if self.excluded(self._truth.algebra.eliminated(search), where):
                needed = fewer
            if budget.spent() > _PATIENCE:
                break
        return needed

    def phases(self, levels: Sequence[EliminationLevel]) -> list[list[Ranking]]:
        """Return the rankings in the order in which they run out: first those that never grow."""
        known = list(dict.fromkeys(level.ranking for level in levels))
        first = [each for each in known if not self._may_grow(each)]
        return [each for each in (first, *([r] for r in known if r not in first)) if each]

    def _may_grow(self, ranking: Ranking) -> bool:
        d = self._space.diagrams
        for label, after in zip(self._search.within, self.nodes.successors, strict=True):
            target = self._space.cells.disjunction(self._search.within[node] for node in after)
            growing = d.minus(d.both(label, self._space.after(target)), ranking.not_more)
            if d.both(label, self._space.may_lead(growing)) != d.false:
                return True
        return False

    def replay(self, levels: Sequence[EliminationLevel], start: State) -> None:
        """Fail where on a random walk a quantity grows where it must not, and none before it falls."""
        random = Random(0)
        budget = Budget(_PATIENCE)
        for _ in range(_WALKS):
            before: list[int | None] = []
            for point in self._walk(random, start):
                if budget.spent() > _PATIENCE:
                    return
                here = diagram_of(self._space, cell_of(self._space, point[0]))
                after = [self._value(level, point, here) for level in levels]
                fell = False
                for old, new in zip(before, after, strict=False):
                    if old is not None and new is not None:
                        require(fell or new <= old, "a ranking grows where it must not")
                        fell |= new < old
                before = after

    def _walk(self, random: Random, start: State) -> Iterator[tuple[State, int]]:
        """Yield the points of a random path on which what is asked is still open."""
        state, nodes = start, self.nodes.initial
        for _ in range(_LONGEST_WALK):
            here = diagram_of(self._space, cell_of(self._space, state))
            able = [n for n in nodes if self._meets(self._search.within[n], here)]
            if not able:
                return
            node = random.choice(able)
            yield state, node
            system = self._truth.algebra.system
            move = random_move(system, state, random)
            if move is None or move.target is None:
                return
            state, nodes = move.target, self.nodes.successors[node]

    def _value(
        self, level: EliminationLevel, point: tuple[State, int], here: Diagram
    ) -> int | None:
        """Return what a quantity is worth where it must not grow; None elsewhere."""
        state, node = point
        if not self._meets(level.cells[node], here):
            return None
        position = self._space.system.position
        terms = level.ranking.form.terms
        total = sum(w * int(state[position[read.agent, read.variable]]) for read, w in terms)
        return level.ranking.sign * total

    def _meets(self, one: Diagram, two: Diagram) -> bool:
        d = self._space.diagrams
        return bool(d.both(one, two) != d.false)

    def _again(self, rankings: Iterable[Ranking]) -> Remaining:
        return self._search.again().run(rankings)


def why_it_ends(
    truth: ProductSemantics, formula: Formula, logic: Logic, start: State, where: Diagram
) -> str:
    """Return in words why a formula that is true in some cells comes about on every path.

    "" where no number runs out, and no constraint of fairness is needed.
    """
    constraints = truth.algebra.space.system.fairness
    said: dict[str, None] = {}
    for part, cells in _on_paths(truth, formula, where, value=True):
        left = PathsLeft(truth, part, logic)
        why: list[str] = []
        levels = left.levels(cells)
        if levels:
            left.replay(levels, start)
            why.append(_before(part) + in_words(left.phases(levels)))
        takes = [constraints[number].text for number in left.takes(cells)]
        if takes:
            hold = "holds" if len(takes) == 1 else "hold, each of them,"
            why.append(f"it takes that {all_of(takes)} {hold} again and again")
        if why:
            of_part = "" if formula in (part, Not(part)) else f"for {show_formula(part)}, "
            said[of_part + "; ".join(why)] = None
    return "; ".join(said)


def _before(part: All | Exists) -> str:
    """Return when it is that numbers run out."""
    if isinstance(part, Exists):
        return "on such a path "
    return "until then " if isinstance(part.path, (Finally, Until)) else "on any other path "


def _on_paths(
    truth: ProductSemantics, formula: Formula, where: Diagram, *, value: bool
) -> Iterator[tuple[All | Exists, Diagram]]:
    """Yield what a formula says of all paths, with cells in which it surely is so."""
    d = truth.algebra.space.diagrams

    def inside(
        part: Formula, cells: Diagram, *, value: bool
    ) -> Iterator[tuple[All | Exists, Diagram]]:
        states = truth.states(part)
        known = d.both(cells, states.true if value else states.false)
        if known != d.false:
            yield from _on_paths(truth, part, known, value=value)

    match formula:
        case Not(body):
            yield from inside(body, where, value=not value)
        case And(operands) if value:
            for each in operands:
                yield from inside(each, where, value=True)
        case Or(operands):
            for each in operands:
                yield from inside(each, where, value=value)
        case Implies(left, right) if value:
            yield from inside(left, where, value=False)
            yield from inside(right, where, value=True)
        case All(Globally(body)) if value and not is_path_formula(body):
            yield from inside(body, truth.algebra.space.reachable, value=True)
        case Exists(Finally(body)) if not value and not is_path_formula(body):
            yield from inside(body, truth.algebra.space.reachable, value=False)
        case All() if value:
            yield formula, where
        case Exists() if not value:
            yield formula, where
        case Finally() | Globally() | Until() | WeakUntil() | Release() | Next() if value:
            yield All(formula), where  # LTL
        case _:
            return
