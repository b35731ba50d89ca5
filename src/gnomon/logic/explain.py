"""Why a formula has its value: trees of runs, confusions and strategies, built from the sets."""

from collections.abc import Collection
from typing import Generic, Literal, TypeAlias

from gnomon.engines.algebra import Set
from gnomon.logic import fixpoint
from gnomon.logic.moves import run_through
from gnomon.logic.refusal import Refusals, has
from gnomon.logic.runs import lasso, shortest
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.strategies import Tables
from gnomon.logic.witness import Claim, Witnesses, is_plain
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step, Strategy
from gnomon.model.formula import (
    All,
    And,
    Condition,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Until,
    is_path_formula,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Logic
from gnomon.text.record import replace

Kind: TypeAlias = Literal["witness", "counterexample", "strategy"]

#: A tree with more explanations than this is cut: what is left out is stated, not explained.
MOST_EXPLANATIONS = 60


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
    if holds and not found.strategies and not _has_run(explanation):
        telling = found.defences or found.clashes or _is_strategic(explanation)
        return found if telling else None
    starts = algebra.count(truth.initial)
    if holds and found.strategies and starts > 1:
        return _for_one_of(found, starts)
    return found


def _for_one_of(found: Evidence, starts: int) -> Evidence:
    """Say that what is shown is for one initial state of several."""
    why = found.explanation
    assert why is not None
    text = f"{why.text} (shown for one of {starts:,} initial states; others may need another)"
    return replace(found, explanation=replace(why, text=text))


def _is_strategic(explanation: Explanation) -> bool:
    """Return whether what is to be told is that there is a strategy, be it shown or not."""
    return isinstance(explanation.about, Enforces) and bool(explanation.about.group.members)


def evidence_at(
    truth: Satisfaction[Set], formula: Formula, logic: Logic, state: State, *, value: bool
) -> Evidence:
    """Return what supports the value of a formula in an initial state that counts."""
    explainer = _Explainer(truth, logic)
    explanation = explainer.explain(formula, state, value=value)
    alone = Run((Step(state),))
    counts = explainer.onward(alone) if truth.frame(logic).constraints else None
    if explanation.run is None and not value:
        explanation = replace(explanation, run=alone, onward=counts)
    kind: Kind = "strategy" if explainer.strategies else "witness"
    return Evidence(
        kind if value else "counterexample",
        explanation,
        tuple(explainer.strategies),
        tuple(explainer.refusals.defences),
        tuple(explainer.refusals.clashes),
        counts=counts,
    )


def _has_run(explanation: Explanation) -> bool:
    if explanation.run is not None:
        return True
    return any(_has_run(branch.because) for branch in explanation.branches)


class _Explainer(Generic[Set]):
    """Explains the subformulae of one formula; collects strategies and refusals it comes across."""

    def __init__(self, truth: Satisfaction[Set], logic: Logic) -> None:
        self._truth = truth
        self._logic = logic
        self._algebra = truth.algebra
        self._system = truth.algebra.system
        self._frame = truth.frame(logic)
        self._witnesses = Witnesses(truth, logic)
        self._tables = Tables(truth, logic)
        self._left = MOST_EXPLANATIONS
        self.refusals = Refusals(truth, logic)
        self.strategies: list[Strategy] = []

    def explain(self, formula: Formula, state: State, *, value: bool) -> Explanation:
        """Explain why a formula has a value in a state."""
        self._left -= 1
        word = "true" if value else "false"
        if self._left < 0:
            return leaf(formula, state, value, f"{say(formula)} is {word}; not explained further")
        match formula:
            case Constant() | Proposition() | Condition() | Norm():
                return leaf(formula, state, value, f"{say(formula)} is {word}")
            case _ if is_plain(formula):
                return leaf(formula, state, value, f"{say(formula)} is {word}")
            case Not(body):
                return self._because(formula, state, [Claim(0, body, not value)], value=value)
            case And() | Or() | Implies():
                claims = self._connective(formula, state, value=value)
                return self._because(formula, state, claims, value=value)
            case Exists(path) | All(path):
                return self._quantified(formula, path, state, value=value)
            case Enforces():
                return self._enforced(formula, state, value=value)
            case Knows() | GroupKnows() | Obliged():
                return self._epistemic(formula, state, value=value)
            case Next() | Finally() | Globally() | Until():
                return self._quantified(All(formula), formula, state, value=value)

    def _holds(self, formula: Formula, state: State) -> bool:
        here = self._algebra.only(state)
        found = self._truth.states_within(formula, here, self._logic)
        return self._algebra.is_subset(here, found)

    def _connective(self, formula: And | Or | Implies, state: State, *, value: bool) -> list[Claim]:
        """Return the operands that give a conjunction or disjunction its value."""
        if isinstance(formula, Implies):
            sides = ((formula.left, False), (formula.right, True))
        else:
            sides = tuple((operand, True) for operand in formula.operands)  # type: ignore[assignment]
        is_and = isinstance(formula, And)
        # One operand decides a true disjunction and a false conjunction; else all of them do.
        claims = []
        for operand, positive in sides:
            wanted = positive == value
            if is_and == value:
                claims.append(Claim(0, operand, wanted))
            elif self._holds(operand, state) == wanted:
                return [Claim(0, operand, wanted)]
        return claims

    def _because(
        self, formula: Formula, state: State, claims: list[Claim], *, value: bool
    ) -> Explanation:
        branches = self._branches((state,), claims)
        word = "true" if value else "false"
        return Explanation(
            show_formula(formula),
            value,
            f"{say(formula)} is {word}, because",
            branches=branches,
            about=formula,
            state=state,
        )

    def _branches(self, states: tuple[State, ...], claims: Collection[Claim]) -> tuple[Branch, ...]:
        """Explain claims along a run."""
        return tuple(
            Branch(
                claim.position,
                self.explain(claim.formula, states[claim.position], value=claim.value),
            )
            for claim in claims
        )

    def _quantified(
        self, formula: Formula, path: Formula, state: State, *, value: bool
    ) -> Explanation:
        existential = isinstance(formula, Exists)
        if not is_path_formula(path):
            return self.explain(path, state, value=value)
        if existential != value:
            endless = "infinite " if self._logic != "CTL" else ""
            text = f"{say(path)} on {'no' if existential else 'every'} {endless}path from here"
            return leaf(formula, state, value, text)
        found = self._witnesses.find(path, state, wanted=value)
        last = len(found.states) - 1
        # Plain claims need no words, but for the one that ends a run without a loop.
        telling = [
            claim
            for claim in found.claims
            if not is_plain(claim.formula) or (found.loop is None and claim.position == last)
        ]
        run = run_through(self._system, list(found.states), found.loop)
        shape = "this run" if found.loop is None else "this run, which goes round for ever,"
        return Explanation(
            show_formula(formula),
            value,
            f"{shape} {'satisfies' if existential else 'breaks'} {say(path)}",
            "time",
            run=run,
            branches=self._branches(found.states, telling),
            about=formula,
            state=state,
            onward=self.onward(run),
        )

    def onward(self, run: Run) -> Run | None:
        """Return how a finite run goes on for ever where only such paths count."""
        endless = self._frame.constraints or self._logic != "CTL"
        if run.loop is not None or not endless:
            return None
        last = run.steps[-1].state
        within = self._frame.tail
        if not self._frame.constraints:
            within = fixpoint.globally(self._algebra, self._algebra.reachable)
        path, loop = lasso(self._algebra, last, within, self._frame.constraints)
        return run_through(self._system, path, loop)

    def _enforced(self, formula: Enforces, state: State, *, value: bool) -> Explanation:
        if not formula.group.members:
            return self._quantified(All(formula.path), formula.path, state, value=value)
        if not value:
            text = self.refusals.explain(formula, state, say(formula.path))
            return leaf(formula, state, value, text)
        strategy = self._tables.strategy(formula, state)
        text = f"{formula.group} {has(formula.group)} a strategy for {say(formula.path)}"
        if strategy is not None:
            self.strategies.append(strategy)
        else:
            text += ", too large to be shown"
        if self._frame.constraints:
            text += "; outcomes that are not fair do not count"
        elif not self._algebra.is_empty(self._algebra.overflows):
            text += "; a move by which a value would leave its range has no outcome"
        return leaf(formula, state, value, text)

    def _epistemic(
        self, formula: Knows | GroupKnows | Obliged, state: State, *, value: bool
    ) -> Explanation:
        if value:
            text = f"{say(formula)} is true: so it is in all states that count"
            return leaf(formula, state, value, text)
        match formula:
            case Knows(agent, body):
                return self._confused(formula, state, (agent,), Claim(0, body, False))
            case GroupKnows("everybody", group, body):
                doubter = self._doubter(group.members, state, body)
                return self._confused(formula, state, doubter, Claim(0, body, False))
            case GroupKnows("distributed", group, body):
                return self._confused(formula, state, group.members, Claim(0, body, False))
            case GroupKnows(_, group, body):
                return self._chain(formula, state, group.members, body)
            case Obliged(agent, body):
                return self._norm(formula, state, agent, body)

    def _doubter(self, members: Collection[str], state: State, body: Formula) -> tuple[str, ...]:
        for agent in members:
            if not self._holds(Knows(agent, body), state):
                return (agent,)
        msg = "nobody doubts it"
        raise AssertionError(msg)

    def _bad(self, formula: Formula) -> Set:
        return self._frame.opposite(self._truth.states(formula, self._logic))

    def _confused(
        self, formula: Formula, state: State, agents: tuple[str, ...], claim: Claim
    ) -> Explanation:
        """Show a state that the agents cannot tell from this one, where the claim holds."""
        here = self._algebra.only(state)
        target = self._algebra.intersection(here, self._bad(claim.formula))
        if self._algebra.is_empty(target):
            # What is false cannot be known: the state itself is the best example, if it is one.
            alike = self._algebra.indistinguishable(agents, here)
            target = self._algebra.intersection(alike, self._bad(claim.formula))
        text = confusion(agents, claim.formula)
        return self._elsewhere(formula, state, target, agents, claim, text)

    def _elsewhere(
        self,
        formula: Formula,
        state: State,
        target: Set,
        agents: tuple[str, ...],
        claim: Claim,
        text: str,
    ) -> Explanation:
        """Show a run from an initial state into `target`, where the claim holds."""
        algebra = self._algebra
        path = shortest(algebra, algebra.initial, algebra.reachable, target)
        assert path is not None, "all states are reachable"
        last = Claim(len(path) - 1, claim.formula, claim.value)
        run = run_through(self._system, path)
        return Explanation(
            show_formula(formula),
            value=False,
            text=text,
            relation="norm" if isinstance(formula, Obliged) else "knowledge",
            agents=agents,
            run=run,
            branches=self._branches(tuple(path), [last]),
            about=formula,
            state=state,
            onward=self.onward(run) if self._frame.constraints else None,
        )

    def _chain(
        self, formula: GroupKnows, state: State, members: Collection[str], body: Formula
    ) -> Explanation:
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
                return self._elsewhere(formula, state, found, (agent,), claim, text)
        msg = "somebody must be confused"
        raise AssertionError(msg)

    def _norm(self, formula: Obliged, state: State, agent: str, body: Formula) -> Explanation:
        green = self._truth.states(Norm(agent, red=False), self._logic)
        target = self._algebra.intersection(green, self._bad(body))
        text = (
            f"{agent} functions correctly in the last state of this run, where {say(body)} is false"
        )
        claim = Claim(0, body, False)
        return self._elsewhere(formula, state, target, (agent,), claim, text)


def say(formula: Formula) -> str:
    """Return a formula as part of a sentence, without the outermost brackets."""
    text = show_formula(formula)
    if text.startswith("(") and text.endswith(")") and _matches(text):
        return text[1:-1]
    return text


def _matches(text: str) -> bool:
    """Return whether the first bracket is closed by the last character."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def confusion(agents: tuple[str, ...], body: Formula) -> str:
    """Return in words that agents do not know something."""
    who = " and ".join(agents) or "nobody"
    does = "do not together know" if len(agents) > 1 else "does not know"
    return f"{who} {does} {say(body)}: the last state of this run looks the same, and there it is false"


def leaf(formula: Formula, state: State, value: bool, text: str) -> Explanation:  # noqa: FBT001
    """Return an explanation that has nothing below it."""
    return Explanation(show_formula(formula), value, text, about=formula, state=state)
