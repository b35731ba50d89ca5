"""What supports a verdict on cells: runs and answers with concrete numbers, and strategies by cells."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from gnomon.certificate.rejection import TooManyAnswers, Unproved, require
from gnomon.certificate.replay import replay
from gnomon.checking.cell_evidence import CellDenotation, value_on_cells
from gnomon.checking.cell_paths import CellWitnesses, beginning
from gnomon.checking.cell_replay import counted, plays_well
from gnomon.checking.lasso_search import LassoSearch
from gnomon.checking.ranking_words import all_of, none_of
from gnomon.checking.run_out import why_it_ends
from gnomon.checking.threshold_rules import ThresholdRules, threshold_rules
from gnomon.engines.abstraction.cell_play import CellPlay
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.concretise import (
    diagram_of,
    pick_cell,
    space_concretiser,
)
from gnomon.engines.abstraction.fair_play import FairPlay
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.game import NotShown
from gnomon.logic.answering import answer_rules
from gnomon.logic.explainer import MOST_EXPLANATIONS, Explainer, has_run, say
from gnomon.logic.path import normal_form
from gnomon.logic.refusal import clashes, conflict_in_words
from gnomon.logic.run_steps import run_through
from gnomon.model.evidence import Clashes, Evidence, Explanation, Run, Strategy
from gnomon.model.formula import (
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Logic
from gnomon.text.record import replace

#: So many states of the outcomes of a strategy are played.
_MOST_PLAYED: Final = 500
#: So many initial states are tried, where from the first one a path only grows.
_MOST_STARTS: Final = 4
#: So many times it is told which numbers run out.
_MOST_RANKED: Final = 3

_UNFAIR: Final = "; outcomes that are not fair do not count"
_SOME_STARTS: Final = " (shown for some initial states; others may need another)"


class _CellExplainer(Explainer[ThreeValued]):
    """Explains a formula and its parts from one concrete state on, as far as cells tell."""

    unshown = ", as the cells tell"

    def __init__(
        self, truth: CellDenotation, start: State, logic: Logic, *, thorough: bool = True
    ) -> None:
        algebra = truth.algebra
        self._walks = CellWalks(algebra)
        self._fair = bool(truth.constraints)
        self._endless = self._fair or logic != "CTL"
        self._values: dict[tuple[Formula, State], bool | None] = {}
        search = LassoSearch(
            algebra.system,
            self._holds,
            constraints_on_cells(truth),
            algebra.space.budget,
            endless=self._endless,
            thorough=thorough,
        )
        self._witnesses: CellWitnesses
        witnesses = CellWitnesses(truth, self._walks, search, logic, endless=self._endless)
        super().__init__(algebra.system, witnesses)
        self._truth = truth
        self._algebra = algebra
        self._start = start
        self._logic: Logic = logic
        self.endless = "fair " if self._fair else "infinite " if self._endless else ""
        self.rules: dict[Strategy, ThresholdRules] = {}
        self._to_rank = _MOST_RANKED
        #: Whether it is told why something comes about on every path.
        self.ranked = False
        #: Whether the explanation as a whole is how a path begins, and no more.
        self.only_begun = False

    def _holds(self, formula: Formula, state: State) -> bool | None:
        key = formula, state
        if key not in self._values:
            try:
                self._values[key] = value_on_cells(self._truth, formula, state)
            except Unproved:
                self._values[key] = None
        return self._values[key]

    def _onward(self, run: Run, *, fair_only: bool = False) -> Run | None:
        if run.loop is not None or not (self._fair if fair_only else self._endless):
            return None
        found = self._witnesses.onward(run.steps[-1].state)
        if found is not None:
            return run_through(self._system, list(found.states), found.loop)
        if len(run.steps) == 1 and run.steps[0].state == self._start:
            return None  # that is said of the whole
        raise NotShown

    def _has_to_count(self, explanation: Explanation) -> bool:
        return not _says_enough(explanation)

    def _quantified(
        self, formula: Formula, path: Formula, state: State, *, value: bool
    ) -> Explanation:
        try:
            found = super()._quantified(formula, path, state, value=value)
            if found.run is None and isinstance(formula, Exists) != value:
                return self._with_rankings(found)
        except NotShown:
            begun = self._begun(formula, path, state, value=value)
            if begun is None:
                raise
            return begun
        else:
            return found

    def _with_rankings(self, why: Explanation) -> Explanation:
        """Add which numbers run out, and which constraints it takes, to what is said of all paths."""
        formula, state = why.about, why.state
        assert formula is not None and state is not None
        at_root = state == self._start and self._left == MOST_EXPLANATIONS - 1
        self._to_rank -= 1
        if self._to_rank < 0 or not (self._algebra.ranked or self._fair):
            return why
        where = self._algebra.space.initial.may if at_root else self._walks.here(state)
        said = formula if why.value else Not(formula)
        words = why_it_ends(self._truth, said, self._logic, state, where)
        if not words:
            return why
        self.ranked = True
        return replace(why, text=f"{why.text}; {words}")

    def _begun(
        self, formula: Formula, path: Formula, state: State, *, value: bool
    ) -> Explanation | None:
        """Explain by how a path begins, where numbers grow and it never goes round."""
        at_root = state == self._start and self._left == MOST_EXPLANATIONS - 1
        if self._endless and not at_root:
            return None
        sets = self._truth.product(normal_form(path, wanted=value), self._logic)
        found = beginning(self._system, self._walks, sets, state)
        if found is None:
            return None
        self.only_begun |= at_root
        arrives = not self._endless and _is_over_somewhere(path, value=value)
        kind = "a run" if arrives else "a fair path" if self._fair else "an endless path"
        text = f"{kind} {'satisfies' if value else 'breaks'} {say(path)}, as the cells tell"
        text += f", and begins like this; {found.said(arrives=arrives)}"
        run = run_through(self._system, found.states)
        return Explanation(show_formula(formula), value, text, run=run, about=formula, state=state)

    def _look_alike(self, state: State, agents: tuple[str, ...], body: Formula) -> list[State]:
        return self._walks.look_alike(
            state, agents, lambda other: self._holds(body, other) is False
        )

    def _play(self, formula: Enforces) -> CellPlay:
        game = self._truth.game(formula)
        if game is None or game.kind == "window":
            raise NotShown
        if self._fair:
            games = self._truth.fair_games(formula.group.members)
            return FairPlay(self._algebra, formula, game, self._walks, games)
        return CellPlay(self._algebra, formula, game, self._walks)

    def _enforced(self, formula: Enforces, state: State) -> str:
        play = self._play(formula)
        text = f"{formula.group} {_has(formula)} a strategy for {say(formula.path)}"
        everywhere = state == self._start
        starts = self._algebra.space.initial.may if everywhere else self._walks.here(state)
        if self._truth.strategies != "perfect":
            wins = self._truth.wins.get(formula, ())
            uniform = play.uniform_strategy(state, wins, starts)
            if uniform is None:
                return text
            self.strategies.append(self._ruled(play, uniform[0]))
            text += _UNFAIR if self._fair else ""
            return text if uniform[1] else text + _SOME_STARTS
        found = play.strategy(state, starts)
        if found is None and everywhere:
            found = play.strategy(state, self._walks.here(state))
            text += _SOME_STARTS if found else ""
        if found is not None:
            self.strategies.append(self._ruled(play, found))
            text += _ending(play.attraction.rankings if play.attraction else ())
            text += self._unfairly(play)
        return text

    def _unfairly(self, play: CellPlay) -> str:
        """Say which outcomes do not count, and whether a strategy rests on that."""
        if not isinstance(play, FairPlay):
            return ""
        missed = play.missed()
        if not missed:
            return _UNFAIR
        said = " or ".join(self._system.fairness[each].text for each in missed)
        return f"; an outcome on which {said} never holds again is not fair and does not count"

    def _ruled(self, play: CellPlay, strategy: Strategy) -> Strategy:
        """Return a strategy with its thresholds in words, where these are shorter."""
        rules = threshold_rules(self._algebra.space.partition, play.rows)
        found = replace(strategy, rules=rules.rules)
        self.rules[found] = rules
        return found

    def _refused(self, formula: Enforces, state: State) -> str:
        if self._truth.strategies != "perfect" and not self._is_prevented(formula, state):
            return self._groping(formula, state)
        text = f"{formula.group} cannot enforce {say(formula.path)}: the others can prevent it"
        if self._fair:
            return text + self._kept_fair(formula)
        found = self._play(formula).defence(state)
        if found is None:
            return text + self.unshown
        rules = answer_rules(self._system, found.members, found.answers)
        self.defences.append(replace(found, rules=rules))
        return text

    def _kept_fair(self, formula: Enforces) -> str:
        """Say what the others see to again and again: an answer to each choice would not show it."""
        said = all_of(each.text for each in self._system.fairness)
        path = formula.path
        if isinstance(path, Next):
            what = "break it by the next step"
        elif isinstance(path, Finally):
            what = "keep from it for ever"
        elif isinstance(path, Until):
            what = "keep from it for ever, or break it,"
        else:
            what = "break it in the end"
        return f", since they {what} and have {said} hold again and again{self.unshown}"

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
        clash = found.ahead.clash(formula.group.members, found.game, found.states)
        views = clashes(self._system, clash)
        if not views:
            return text
        if len(found.states) > 1:
            text += " that also wins from what looks the same"
        members = tuple(dict.fromkeys(formula.group.members))
        self.clashes.append(Clashes(show_formula(formula), members, views))
        return f"{text}: {conflict_in_words(self._system, views)}"


def _is_over_somewhere(path: Formula, *, value: bool) -> bool:
    """Return whether a run that satisfies a path formula, or breaks it, has done so in one of its states."""
    match path:
        case Finally() | Until():
            return value
        case Globally() | WeakUntil() | Release():
            return not value
        case _:
            return False


def _has(formula: Enforces) -> str:
    return "have" if len(formula.group.members) > 1 else "has"


def _ending(rankings: Iterable[Ranking]) -> str:
    """Return in words why quantities bring something to an end."""
    parts = []
    for sign, way in ((1, "down"), (-1, "up")):
        forms = dict.fromkeys(str(each.form) for each in rankings if each.sign == sign)
        if forms:
            parts.append(f"{none_of(forms)} go {way} for ever")
    return f"; it gets there, since {' and '.join(parts)} before that" if parts else ""


def _says_enough(explanation: Explanation) -> bool:
    """Return whether it makes no difference to what is said whether the state counts that it is about.

    What is true of all paths, or of a strategy, need be true only of states that count.
    """
    return explanation.value and not has_run(explanation)


class CellEvidence(NamedTuple):
    """What supports a verdict, not replayed yet."""

    evidence: Evidence
    #: Whether it shows how a path begins, and no more.
    only_begun: bool
    rules: Mapping[Strategy, ThresholdRules]


def evidence_on_cells(
    truth: CellDenotation,
    formula: Formula,
    start: State | None,
    logic: Logic,
    *,
    value: bool,
    thorough: bool = True,
) -> CellEvidence | None:
    """Return what supports a verdict from an initial state on; None where nothing concrete can be shown."""
    if start is None:
        start = CellWalks(truth.algebra).initial_state(truth.fair)
    if start is None:
        return None
    explainer = _CellExplainer(truth, start, logic, thorough=thorough)
    found = explainer.evidence(formula, start, value=value)
    assert found.explanation is not None
    unneeded = explainer.only_begun or _says_enough(found.explanation)
    if truth.constraints and found.counts is None and not unneeded:
        return None  # nothing shows that the state counts
    if value and not (found.strategies or explainer.ranked or has_run(found.explanation)):
        return None
    return CellEvidence(found, explainer.only_begun, explainer.rules)


def constraints_on_cells(truth: CellDenotation) -> list[Callable[[State], bool | None]]:
    """Return what says of states whether they meet each fairness constraint; None where cells do not tell."""
    walks = CellWalks(truth.algebra)

    def constraint(where: ThreeValued) -> Callable[[State], bool | None]:
        return lambda state: walks.contains(where, state)

    return [constraint(where) for where in truth.constraints]


def supported(
    truth: CellDenotation,
    formula: Formula,
    start: State | None,
    logic: Logic = "CTL",
    *,
    value: bool,
) -> Evidence | None:
    """Return the evidence for a verdict, replayed without the engine as far as that can be done."""
    shown = evidence_on_cells(truth, formula, start, logic, value=value)
    if not value and (shown is None or shown.only_begun):
        shown = _from_elsewhere(truth, formula, logic) or shown
    if shown is None:
        return None
    found, only_begun, rules = shown

    def value_in(part: Formula, state: State) -> bool:
        return value_on_cells(truth, part, state)

    def meets(known: Callable[[State], bool | None]) -> Callable[[State], bool]:
        return lambda state: known(state) is True

    # How a path begins says nothing about what it meets again and again.
    constraints = () if only_begun else tuple(map(meets, constraints_on_cells(truth)))
    endless = bool(constraints) or (logic != "CTL" and not only_begun)
    assert found.explanation is not None
    on_runs = () if found.counts is None and _says_enough(found.explanation) else constraints
    try:
        replay(
            truth.algebra.system,
            replace(found, strategies=()),
            value_in,
            on_runs,
            endless=endless,
        )
        for strategy in found.strategies:
            played = strategy, rules[strategy]
            won = plays_well(truth.algebra, *played, counted(truth, value_in), constraints)
            require(won, "a strategy by cells does not win")
    except (TooManyAnswers, Unproved):
        # There is more to it than can be played, or than cells tell of single states.
        return None
    return found


def _from_elsewhere(truth: CellDenotation, formula: Formula, logic: Logic) -> CellEvidence | None:
    """Return evidence from another initial state where a formula fails, if one goes round from there."""
    space, d = truth.algebra.space, truth.algebra.space.diagrams
    left = d.both(d.both(space.initial.may, truth.states(formula).false), truth.fair.true)
    concretiser = space_concretiser(space)
    for _ in range(_MOST_STARTS):
        if left == d.false:
            break
        cell = pick_cell(space, left)
        left = d.minus(left, diagram_of(space, cell))
        _, state = concretiser.state_in(space.partition, cell, space.system.initial)
        if state is not None:
            found = evidence_on_cells(truth, formula, state, logic, value=False, thorough=False)
            if found is not None and not found.only_begun:
                return found
    return None
