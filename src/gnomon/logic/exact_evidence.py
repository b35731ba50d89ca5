"""What supports a verdict where the states are known: runs, confusions and strategies, from exact sets."""

from collections.abc import Collection

from gnomon.engines.algebra import Set
from gnomon.logic.exact_witness import ExactWitnesses
from gnomon.logic.explainer import Explainer, broken_obligation, confusion, has_run, say
from gnomon.logic.refusal import Refusals, has
from gnomon.logic.run_steps import run_through
from gnomon.logic.runs import lasso, shortest
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.strategies import Tables
from gnomon.logic.witness import Claim
from gnomon.model.evidence import Evidence, Explanation, Run
from gnomon.model.formula import Enforces, Formula, GroupKnows, Knows, Norm, Obliged
from gnomon.model.step import State
from gnomon.model.system import Logic
from gnomon.text.record import replace


def evidence(truth: Satisfaction[Set], formula: Formula, logic: Logic) -> Evidence | None:
    """Return what supports the verdict on a formula, None where nothing can be shown."""
    algebra = truth.algebra
    failing = algebra.difference(truth.initial, truth.states_within(formula, truth.initial, logic))
    holds = algebra.is_empty(failing)
    if holds and algebra.is_empty(truth.initial):
        return None
    state = algebra.pick(truth.initial if holds else failing)
    found = evidence_at(truth, formula, logic, state, value=holds)
    explanation = found.explanation
    assert explanation is not None
    if holds and not found.strategies and not has_run(explanation):
        telling = found.defences or found.clashes or _is_strategic(explanation)
        return found if telling else None
    starts = algebra.count(truth.initial)
    if holds and found.strategies and starts > 1:
        return for_one_of(found, starts)
    return found


def for_one_of(found: Evidence, starts: int) -> Evidence:
    """Say that what is shown is for one initial state of several."""
    why = found.explanation
    assert why is not None
    # The reasons come after the sentence that ends in "because".
    said, because, _ = why.text.rpartition(", because")
    which = f"(shown for one of {starts:,} initial states; others may need another)"
    text = f"{said} {which}{because}" if because else f"{why.text} {which}"
    return replace(found, explanation=replace(why, text=text))


def _is_strategic(explanation: Explanation) -> bool:
    """Return whether what is to be told is that there is a strategy, be it shown or not."""
    return isinstance(explanation.about, Enforces) and bool(explanation.about.group.members)


def evidence_at(
    truth: Satisfaction[Set], formula: Formula, logic: Logic, state: State, *, value: bool
) -> Evidence:
    """Return what supports the value of a formula in an initial state that counts."""
    return _ExactExplainer(truth, logic).evidence(formula, state, value=value)


class _ExactExplainer(Explainer[Set]):
    """Explains by what a satisfaction relation has computed: every value can be shown."""

    def __init__(self, truth: Satisfaction[Set], logic: Logic) -> None:
        super().__init__(truth.algebra.system, ExactWitnesses(truth, logic))
        self._truth = truth
        self._logic = logic
        self._algebra = truth.algebra
        self._frame = truth.frame(logic)
        self._tables = Tables(truth, logic)
        self._refusals = Refusals(truth, logic)
        # Both collect what they come across.
        self.defences = self._refusals.defences
        self.clashes = self._refusals.clashes
        self.endless = "infinite " if logic != "CTL" else ""

    def _holds(self, formula: Formula, state: State) -> bool:
        here = self._algebra.only(state)
        found = self._truth.states_within(formula, here, self._logic)
        return self._algebra.is_subset(here, found)

    def _onward(self, run: Run, *, fair_only: bool = False) -> Run | None:
        constraints = self._frame.constraints
        endless = constraints or (self._logic != "CTL" and not fair_only)
        if run.loop is not None or not endless:
            return None
        last = run.steps[-1].state
        within = self._frame.tail
        if not constraints:
            within = self._algebra.lasting(self._algebra.reachable)
        path, loop = lasso(self._algebra, last, within, constraints)
        return run_through(self._system, path, loop)

    def _enforced(self, formula: Enforces, state: State) -> str:
        strategy = self._tables.strategy(formula, state)
        text = f"{formula.group} {has(formula.group)} a strategy for {say(formula.path)}"
        if strategy is not None:
            self.strategies.append(strategy)
        else:
            text += ", too large to be shown"
        if self._frame.constraints:
            text += "; outcomes that are not fair do not count"
        elif self._truth.may_overflow:
            text += "; a move by which a value would leave its range has no outcome"
        return text

    def _refused(self, formula: Enforces, state: State) -> str:
        return self._refusals.explain(formula, state, say(formula.path))

    def _known(self, formula: Knows | GroupKnows | Obliged) -> str:
        return f"{say(formula)} is true: so it is in all states that count"

    def _bad(self, formula: Formula) -> Set:
        return self._frame.opposite(self._truth.states(formula, self._logic))

    def _way_to(self, target: Set) -> list[State]:
        """Return a shortest run from an initial state."""
        algebra = self._algebra
        path = shortest(algebra, algebra.initial, algebra.reachable, target)
        assert path is not None, "all states are reachable"
        return path

    def _look_alike(self, state: State, agents: tuple[str, ...], body: Formula) -> list[State]:
        here = self._algebra.only(state)
        target = self._algebra.intersection(here, self._bad(body))
        if self._algebra.is_empty(target):
            # What is false cannot be known: the state itself is the best example, if it is one.
            alike = self._algebra.indistinguishable(agents, here)
            target = self._algebra.intersection(alike, self._bad(body))
        return self._way_to(target)

    def _doubted(
        self, formula: GroupKnows | Obliged, state: State
    ) -> tuple[list[State], tuple[str, ...], Claim, str]:
        match formula:
            case GroupKnows(_, group, body):
                return self._chain(formula, state, group.members, body)
            case Obliged(agent, body):
                green = self._truth.states(Norm(agent, red=False), self._logic)
                target = self._algebra.intersection(green, self._bad(body))
                text = broken_obligation(formula)
                return self._way_to(target), (agent,), Claim(0, body, False), text

    def _chain(
        self, formula: GroupKnows, state: State, members: Collection[str], body: Formula
    ) -> tuple[list[State], tuple[str, ...], Claim, str]:
        """Take one step of confusion towards a state where the body fails."""
        algebra, here = self._algebra, self._algebra.only(state)
        rings = [self._bad(body)]

        def step(new: Set, _: Set) -> Set:
            found = algebra.empty
            for agent in members:
                found = algebra.union(found, algebra.indistinguishable((agent,), new))
            rings.append(algebra.intersection(found, self._frame.universe))
            return rings[-1]

        if not algebra.is_subset(here, rings[0]):
            algebra.grow(rings[0], step)
        near = next(n for n, ring in enumerate(rings) if algebra.is_subset(here, ring))
        target = rings[max(near - 1, 0)]
        for agent in members:
            alike = algebra.indistinguishable((agent,), here)
            found = algebra.intersection(alike, target)
            if not algebra.is_empty(found):
                claim = Claim(0, body if near <= 1 else formula, False)
                text = confusion((agent,), claim.formula)
                return self._way_to(found), (agent,), claim, text
        msg = "somebody must be confused"
        raise AssertionError(msg)
