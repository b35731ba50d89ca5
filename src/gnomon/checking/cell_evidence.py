"""What supports a verdict on cells: runs and answers with concrete numbers, and strategies by cells."""

from dataclasses import replace as replace_game
from functools import cached_property, reduce
from typing import Final

from gnomon.certificate.plain import FormulaValue, plain_value
from gnomon.certificate.rejection import TooManyAnswers, Unproved, require
from gnomon.certificate.replay import replay
from gnomon.certificate.strategy import PlayNode, StrategyPlay
from gnomon.checking.threshold_words import thresholds_in_words
from gnomon.checking.uniform_cells import is_settled, uniform_on_cells, value_of
from gnomon.engines.abstraction.cell_play import CellPlay, told_actions
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.concretise import cell_of
from gnomon.engines.abstraction.local_strategies import LocalStrategy
from gnomon.engines.abstraction.lookahead import Lookahead, StatePredicate, refuted
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.refinement import FAIR
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.uniform_search import UniformAnswers
from gnomon.engines.game import CoalitionGame, NotShown
from gnomon.logic.answering import answer_rules
from gnomon.logic.automaton import automaton
from gnomon.logic.denotation import Denotation, Reading
from gnomon.logic.explainer import Explainer, has_run, say
from gnomon.logic.frame import Frame
from gnomon.logic.path import normal_form
from gnomon.logic.refusal import clashes, conflict_in_words
from gnomon.logic.witness import Witnesses
from gnomon.model.evidence import Clashes, Evidence, Strategy
from gnomon.model.formula import Enforces, Formula, Next, show_formula
from gnomon.model.step import State
from gnomon.model.system import Logic, Specification
from gnomon.text.record import replace

#: So many states of the outcomes of a strategy are played.
_MOST_PLAYED: Final = 500
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
        self._logic = logic

    @cached_property
    def constraints(self) -> tuple[ThreeValued, ...]:
        """Where each fairness constraint holds, which is itself read without fairness."""
        return tuple(
            CellDenotation(self.algebra, logic=each.logic).states(each.formula)
            for each in self._fairness
        )

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
        return super().states(formula, logic or self._logic)

    def _exists_path(self, path: Formula, logic: Logic) -> ThreeValued:
        """Return where some path satisfies a path formula of LTL."""
        algebra = self.algebra
        nodes = automaton(normal_form(path))
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
        found = algebra.accepting(nodes.successors, labels, [*on_time, *fair])
        return reduce(algebra.union, (found[node] for node in nodes.initial), algebra.empty)

    def _uniformly(self, formula: Enforces, within: ThreeValued, logic: Logic) -> ThreeValued:
        """Return where one uniform strategy for each member surely wins, and where surely none does."""
        game = self.game(formula, logic)
        if game is None:
            return super()._uniformly(formula, within, logic)
        frame = self.frame(logic)
        game = replace_game(game, constraints=frame.constraints)
        found = uniform_on_cells(frame, self.algebra, formula.group.members, game)
        self.searched[formula] = found
        self.wins[formula] = list(found.strategies)
        return self.algebra.intersection(ThreeValued(found.won, found.lost), within)

    def refutation(
        self, formula: Enforces, state: State
    ) -> tuple[Lookahead, CoalitionGame[StatePredicate]] | None:
        """Return what follows a state, where that shows that there is no uniform strategy."""
        game = self.game(formula, self._logic)
        if self.strategies != "uniform" or game is None or not is_settled(self.algebra, game):
            return None
        frame = self.frame(self._logic)
        game = replace_game(game, constraints=frame.constraints)
        fair = self.fair if frame.constraints else None
        return refuted(self.algebra, formula.group.members, game, state, fair)

    def fails_in(self, formula: Formula, state: State) -> bool:
        """Return whether a formula surely fails in a state, where its cell does not tell."""
        walks = CellWalks(self.algebra)
        if self.strategies != "uniform" or walks.contains(self.fair, state) is not True:
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


class _CellExplainer(Explainer[ThreeValued]):
    """Explains a formula and its parts from one concrete state on, as far as cells tell."""

    unshown = ", as the cells tell"

    def __init__(self, truth: CellDenotation, start: State) -> None:
        self._walks = CellWalks(truth.algebra)
        super().__init__(truth.algebra.system, Witnesses(truth, self._walks))
        self._truth = truth
        self._algebra = truth.algebra
        self._start = start

    def _holds(self, formula: Formula, state: State) -> bool | None:
        try:
            return value_on_cells(self._truth, formula, state)
        except Unproved:
            return None

    def _look_alike(self, state: State, agents: tuple[str, ...], body: Formula) -> list[State]:
        return self._walks.look_alike(
            state, agents, lambda other: self._holds(body, other) is False
        )

    def _play(self, formula: Enforces) -> CellPlay:
        game = self._truth.game(formula)
        if game is None or game.kind == "window":
            raise NotShown
        return CellPlay(self._algebra, formula, game, self._walks)

    def _enforced(self, formula: Enforces, state: State) -> str:
        play = self._play(formula)
        text = f"{formula.group} {_has(formula)} a strategy for {say(formula.path)}"
        if self._truth.strategies == "uniform":
            return text + self._by_sight(play, formula, state)
        everywhere = state == self._start
        starts = self._algebra.space.initial.may if everywhere else self._walks.here(state)
        found = play.strategy(state, starts)
        if found is not None:
            self.strategies.append(found)
            rankings = play.attraction.rankings if play.attraction else ()
            text += "".join(dict.fromkeys(map(_ending, rankings)))
        return text

    def _by_sight(self, play: CellPlay, formula: Enforces, state: State) -> str:
        """Keep a uniform strategy, and return what can be said of it in a few words."""
        partition = self._algebra.space.partition
        for win in self._truth.wins.get(formula, ()):
            found = play.uniform_strategy(state, [win])
            if found is not None and isinstance(win, LocalStrategy):
                self.strategies.append(found)
                return thresholds_in_words(partition, win.actions)
        return ""

    def _refused(self, formula: Enforces, state: State) -> str:
        if self._truth.strategies == "uniform" and not self._is_prevented(formula, state):
            return self._groping(formula, state)
        text = f"{formula.group} cannot enforce {say(formula.path)}: the others can prevent it"
        found = self._play(formula).defence(state)
        if found is None:
            return text + self.unshown
        rules = answer_rules(self._system, found.members, found.answers)
        self.defences.append(replace(found, rules=rules))
        return text

    def _is_prevented(self, formula: Enforces, state: State) -> bool:
        """Return whether a coalition surely could not win if it saw everything."""
        game = self._truth.game(formula)
        return game is not None and self._walks.contains(game.bound, state) is False

    def _groping(self, formula: Enforces, state: State) -> str:
        """Say that what members see is not enough, and if that shows near the state, in which views."""
        text = f"{formula.group} {_has(formula)} no uniform strategy for {say(formula.path)}"
        found = self._truth.refutation(formula, state)
        if found is None:
            return f"{text}: every choice by what is seen of cells fails{self.unshown}"
        ahead, game = found
        views = clashes(self._system, ahead.clash(formula.group.members, game, state))
        if not views:
            return text
        members = tuple(dict.fromkeys(formula.group.members))
        self.clashes.append(Clashes(show_formula(formula), members, views))
        return f"{text}: {conflict_in_words(self._system, views)}"


def _has(formula: Enforces) -> str:
    return "have" if len(formula.group.members) > 1 else "has"


def _ending(ranking: Ranking) -> str:
    """Return in words why a quantity brings something to an end."""
    way = "down" if ranking.sign > 0 else "up"
    return f"; it gets there, since {ranking.form} cannot go {way} for ever without"


def evidence_on_cells(
    truth: CellDenotation, formula: Formula, start: State | None, *, value: bool
) -> Evidence | None:
    """Return what supports a verdict, from an initial state on; None where nothing concrete can be shown."""
    if start is None:
        start = CellWalks(truth.algebra).initial_state()
    if start is None:
        return None
    found = _CellExplainer(truth, start).evidence(formula, start, value=value)
    assert found.explanation is not None
    return found if not value or found.strategies or has_run(found.explanation) else None


def supported(
    truth: CellDenotation, formula: Formula, start: State | None, *, value: bool
) -> Evidence | None:
    """Return the evidence for a verdict, replayed without the engine as far as that can be done."""
    found = evidence_on_cells(truth, formula, start, value=value)
    if found is None:
        return None

    def value_in(part: Formula, state: State) -> bool:
        return value_on_cells(truth, part, state)

    try:
        replay(truth.algebra.system, replace(found, strategies=()), value_in)
        for strategy in found.strategies:
            won = _plays_well(truth.algebra, strategy, value_in)
            require(won, "a strategy by cells does not win")
    except (TooManyAnswers, Unproved):
        # There is more to it than can be played, or than cells tell of single states.
        return None
    return found


def _plays_well(algebra: CellAlgebra, strategy: Strategy, value: FormulaValue) -> bool:
    """Play a strategy by cells from its state, all answers, for as many states as there is time for.

    What follows a state is taken from the reference; the engine only says which cell a state is in, and
    whether parts of the formula hold there.
    """
    assert strategy.about is not None and strategy.state is not None
    space = algebra.space
    told = told_actions(space, strategy)
    game = StrategyPlay(space.system, strategy, value, ())
    first = "first" if isinstance(strategy.about.path, Next) else "open"
    start = (strategy.state, first) if first == "first" else game.enter(strategy.state, "open")
    waiting = [start]
    seen: set[PlayNode] = set()
    while waiting and len(seen) < _MOST_PLAYED:
        node = waiting.pop(0)
        if node is None or node in seen:
            continue
        if node[1] == "broken":
            return False
        seen.add(node)
        chosen = told(cell_of(space, node[0]))
        if chosen is None or not game.can(node[0], chosen):
            return False
        waiting.extend(game.after(node, chosen))
    return True
