"""The satisfaction relation over cells, and what it says of single states."""

from dataclasses import replace as replace_game
from functools import cached_property, reduce
from typing import Final

from gnomon.certificate.plain import plain_value
from gnomon.certificate.rejection import Unproved
from gnomon.checking.cell_paths import ProductSets
from gnomon.checking.uniform_cells import is_settled, starts_of, uniform_on_cells, value_of
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.fair_games import FairGames
from gnomon.engines.abstraction.lookahead import Refuted, refuted
from gnomon.engines.abstraction.refinement import FAIR
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.uniform_search import UniformAnswers
from gnomon.logic.automaton import Automaton, automaton
from gnomon.logic.denotation import Denotation, Reading
from gnomon.logic.frame import Frame
from gnomon.logic.path import Path, normal_form
from gnomon.model.formula import Enforces, Formula, show_formula
from gnomon.model.step import State
from gnomon.model.system import Logic, Specification

#: So many strategies that may win or lose say what should be told apart.
_MOST_DOUBTS: Final = 4


class CellDenotation(Denotation[ThreeValued]):
    """The satisfaction relation over cells, on the paths that meet all fairness constraints.

    What is said of a cell is said of those of its states that count: that start a fair path.
    """

    algebra: CellAlgebra

    def __init__(
        self,
        algebra: CellAlgebra,
        strategies: Reading = "perfect",
        fairness: tuple[Specification, ...] = (),
        logic: Logic = "CTL",
    ) -> None:
        """Read formulae over the cells of an algebra, as those of a logic."""
        super().__init__(algebra, strategies)
        #: What was found out about uniform strategies.
        self.searched: dict[Formula, UniformAnswers] = {}
        self._fairness = fairness
        self.logic = logic
        self._games_of: dict[tuple[str, ...], FairGames] = {}

    @cached_property
    def constraints(self) -> tuple[ThreeValued, ...]:
        """Where each fairness constraint holds, which is itself read without fairness."""
        readings = zip(self.without_fairness, self._fairness, strict=True)
        return tuple(reading.states(each.formula) for reading, each in readings)

    @cached_property
    def without_fairness(self) -> tuple["CellDenotation", ...]:
        """How each constraint is read."""
        return tuple(CellDenotation(self.algebra, logic=each.logic) for each in self._fairness)

    @cached_property
    def fair(self) -> ThreeValued:
        """The cells whose states start a fair path."""
        if not self._fairness:
            return self.algebra.reachable
        return self.algebra.fairly_lasting(self.algebra.reachable, self.constraints)

    @cached_property
    def _infinite_paths(self) -> Frame[ThreeValued]:
        algebra, reachable = self.algebra, self.algebra.reachable
        if self._fairness:
            return Frame(algebra, reachable, self.fair, self.constraints, self.fair)
        lasting = algebra.lasting(reachable)
        everywhere = algebra.is_subset(reachable, lasting)
        return Frame(algebra, reachable, reachable if everywhere else lasting)

    def frame(self, logic: Logic = "CTL") -> Frame[ThreeValued]:
        """Return the states and paths that a logic ranges over."""
        if logic == "CTL" and not self._fairness:
            return self._all_paths
        return self._infinite_paths

    def states(self, formula: Formula, logic: Logic | None = None) -> ThreeValued:
        """Return where a formula surely holds and where it surely fails."""
        if self._fairness and formula == FAIR:
            return self.fair
        return super().states(formula, logic or self.logic)

    def _exists_path(self, path: Formula, logic: Logic) -> ThreeValued:
        """Return where some path satisfies a path formula of LTL."""
        nodes, found = self.product(normal_form(path), logic)
        algebra = self.algebra
        return reduce(algebra.union, (found[node] for node in nodes.initial), algebra.empty)

    def product(self, path: Path, logic: Logic) -> ProductSets:
        """Return the automaton of a path formula, and from where some path is accepted from each node."""
        nodes = automaton(path)
        labels, visited = self.product_sets(nodes, logic)
        return nodes, self.algebra.accepting(nodes.successors, labels, visited)

    def product_sets(
        self, nodes: Automaton, logic: Logic
    ) -> tuple[tuple[ThreeValued, ...], list[tuple[ThreeValued, ...]]]:
        """Return where the literals of each node hold, and what has to be met again and again."""
        algebra = self.algebra
        labels = tuple(
            reduce(
                algebra.intersection,
                (self.states(formula, logic) for formula in node.now),
                algebra.reachable,
            )
            for node in nodes.nodes
        )
        on_time = [
            tuple(
                algebra.empty if until in node.late else label
                for node, label in zip(nodes.nodes, labels, strict=True)
            )
            for until in nodes.untils
        ]
        fair = [
            tuple(algebra.intersection(label, each) for label in labels)
            for each in self.frame(logic).constraints
        ]
        return labels, [*on_time, *fair]

    def _enforced(self, formula: Enforces, logic: Logic) -> ThreeValued:
        """Return where a coalition wins that sees everything; outcomes that are not fair do not count."""
        if not self._fairness:
            return super()._enforced(formula, logic)
        members, frame = formula.group.members, self.frame(logic)
        games = self.fair_games(members)
        match self._objective(formula.path, logic):
            case ("next", _, body):
                return games.next(body)
            case ("until", left, right):
                return games.until(left, right)
            case ("weak", held, won):
                return games.weak(held, won)
            case _ if self.algebra.space.may_end:
                # The rules for windows take every cell for one from which something goes on.
                return ThreeValued(
                    self.algebra.space.diagrams.false, self.algebra.space.diagrams.false
                )
            case _:
                frame.fair_against[frozenset(members)] = games.against
                return super()._enforced(formula, logic)

    def fair_games(self, members: tuple[str, ...]) -> FairGames:
        """Return what a coalition can do on fair outcomes."""
        found = self._games_of.get(members)
        if found is None:
            found = FairGames(self.algebra, members, self.fair, self.constraints)
            self._games_of[members] = found
        return found

    def _uniformly(self, formula: Enforces, within: ThreeValued, logic: Logic) -> ThreeValued:
        """Return where one uniform strategy for each member surely wins, and where surely none does."""
        game = self.game(formula, logic)
        if game is None:
            return super()._uniformly(formula, within, logic)
        frame = self.frame(logic)
        game = replace_game(game, constraints=frame.constraints)
        members = formula.group.members
        starts = starts_of(frame, self.algebra, members, self.strategies)
        found = uniform_on_cells(frame, self.algebra, members, game, starts)
        self.searched[formula] = found
        self.wins[formula] = list(found.strategies)
        return self.algebra.intersection(ThreeValued(found.won, found.lost), within)

    def refutation(self, formula: Enforces, state: State) -> Refuted | None:
        """Return what follows a state, where that shows that there is no uniform strategy."""
        game = self.game(formula, self.logic)
        if self.strategies == "perfect" or game is None or not is_settled(self.algebra, game):
            return None
        frame = self.frame(self.logic)
        game = replace_game(game, constraints=frame.constraints)
        fair = self.fair if frame.constraints else None
        members = formula.group.members
        states = starts_of(frame, self.algebra, members, self.strategies).alike(state)
        return refuted(self.algebra, members, game, states, fair)

    def fails_in(self, formula: Formula, state: State) -> bool:
        """Return whether a formula surely fails in a state, where its cell does not tell."""
        walks = CellWalks(self.algebra)
        if self.strategies == "perfect" or walks.contains(self.fair, state) is not True:
            return False

        def known(part: Formula) -> bool | None:
            return walks.contains(self.states(part), state)

        value = value_of(formula, known, lambda part: self.refutation(part, state) is not None)
        return value is False

    def doubts(self, formula: Formula) -> tuple[ThreeValued, ...]:
        """Return where a formula holds by strategies that neither surely win nor surely lose."""
        found = self.searched.get(formula)
        return tuple(found.open[:_MOST_DOUBTS]) if found else ()


def value_on_cells(truth: CellDenotation, formula: Formula, state: State) -> bool:
    """Return the value of a formula in a state; raises `Unproved` where its cell does not tell."""
    value = plain_value(truth.algebra.system, formula, state)
    if value is None:
        value = CellWalks(truth.algebra).contains(truth.states(formula), state)
    if value is None and truth.fails_in(formula, state):
        value = False
    if value is None:
        msg = f"{show_formula(formula)} is open on the cell"
        raise Unproved(msg)
    return value
