"""Why a formula has its value in a state: the tree of explanations, whatever kind of sets it rests on."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Generic, Literal, TypeAlias

from gnomon.engines.algebra import Set
from gnomon.engines.game import NotShown
from gnomon.logic.run_steps import run_through
from gnomon.logic.witness import Claim, Witnesses
from gnomon.model.evidence import (
    Branch,
    Clashes,
    Defence,
    Evidence,
    Explanation,
    Run,
    Step,
    Strategy,
)
from gnomon.model.formula import (
    All,
    And,
    Bounded,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.fragment import is_path_formula, is_propositional
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.record import replace

EvidenceKind: TypeAlias = Literal["witness", "counterexample", "strategy"]

#: A tree with more explanations than this is cut: what is left out is stated, not explained.
MOST_EXPLANATIONS = 60


class Explainer(ABC, Generic[Set]):
    """Explains the subformulae of one formula; collects strategies and refusals it comes across.

    What is abstract asks about concrete states: the value of a formula in one, another that looks like it.
    Where that is more than can be found, it raises `NotShown`, and the value is only stated.
    """

    #: What is said where a value is known and nothing can be shown for it.
    unshown = ""
    #: What is said of paths where only infinite ones count.
    endless = ""

    def __init__(self, system: System, witnesses: Witnesses[Set]) -> None:
        """Explain formulae about the states of a system, and path formulae by witnesses."""
        self._system = system
        self._witnesses = witnesses
        self._left = MOST_EXPLANATIONS
        self.strategies: list[Strategy] = []
        self.defences: list[Defence] = []
        self.clashes: list[Clashes] = []

    @abstractmethod
    def _holds(self, formula: Formula, state: State) -> bool | None:
        """Return whether a formula holds in a state; None where that is not known."""

    @abstractmethod
    def _look_alike(self, state: State, agents: tuple[str, ...], body: Formula) -> list[State]:
        """Return a run from an initial state to one that looks like this one, where the body fails."""

    @abstractmethod
    def _enforced(self, formula: Enforces, state: State) -> str:
        """Say how a coalition enforces a formula, and collect the strategy."""

    @abstractmethod
    def _refused(self, formula: Enforces, state: State) -> str:
        """Say why a coalition cannot enforce a formula, and collect what shows it."""

    def _known(self, formula: Knows | GroupKnows | Obliged) -> str:  # noqa: ARG002
        """Say why something is known."""
        raise NotShown

    def _doubted(
        self,
        formula: GroupKnows | Obliged,  # noqa: ARG002
        state: State,  # noqa: ARG002
    ) -> tuple[list[State], tuple[str, ...], Claim, str]:
        """Return why something is not common knowledge, or an obligation broken.

        A run to a state, the agents it is about, what is claimed of that state, and all that in words.
        """
        raise NotShown

    def _onward(self, run: Run, *, fair_only: bool = False) -> Run | None:  # noqa: ARG002
        """Return how a finite run goes on for ever where only such paths count."""
        return None

    def _has_to_count(self, explanation: Explanation) -> bool:  # noqa: ARG002
        """Return whether it has to be shown that the state counts which an explanation is about."""
        return True

    def evidence(self, formula: Formula, state: State, *, value: bool) -> Evidence:
        """Return what supports the value of a formula in an initial state."""
        explanation = self.explain(formula, state, value=value)
        alone = Run((Step(state),))
        counts = self._onward(alone, fair_only=True) if self._has_to_count(explanation) else None
        if explanation.run is None and not value:
            explanation = replace(explanation, run=alone, onward=counts)
        kind: EvidenceKind = "strategy" if self.strategies else "witness"
        return Evidence(
            kind if value else "counterexample",
            explanation,
            tuple(self.strategies),
            tuple(self.defences),
            tuple(self.clashes),
            counts=counts,
        )

    def explain(self, formula: Formula, state: State, *, value: bool) -> Explanation:
        """Explain why a formula has a value in a state."""
        self._left -= 1
        word = "true" if value else "false"
        if self._left < 0:
            return leaf(formula, state, value, f"{say(formula)} is {word}; not explained further")
        if is_propositional(formula):
            return leaf(formula, state, value, f"{say(formula)} is {word}")
        try:
            return self._explain(formula, state, value=value)
        except NotShown:
            return leaf(formula, state, value, f"{say(formula)} is {word}{self.unshown}")

    def _explain(self, formula: Formula, state: State, *, value: bool) -> Explanation:
        match formula:
            case Not(body):
                return self._because(formula, state, [Claim(0, body, not value)], value=value)
            case And() | Or() | Implies() | Iff():
                claims = self._connective(formula, state, value=value)
                return self._because(formula, state, claims, value=value)
            case Exists(path) | All(path):
                return self._quantified(formula, path, state, value=value)
            case Enforces(group, path) if not group.members:
                return self._quantified(All(path), path, state, value=value)
            case Enforces():
                say_why = self._enforced if value else self._refused
                return leaf(formula, state, value, say_why(formula, state))
            case Knows() | GroupKnows() | Obliged():
                return self._epistemic(formula, state, value=value)
            case Next() | Finally() | Globally() | Until() | WeakUntil() | Release() | Bounded():
                return self._quantified(All(formula), formula, state, value=value)
            case Constant() | Proposition() | StateCondition() | Norm():
                raise AssertionError(formula)  # it is propositional

    def _connective(
        self, formula: And | Or | Implies | Iff, state: State, *, value: bool
    ) -> list[Claim]:
        """Return the operands that give a connective its value."""
        if isinstance(formula, Iff):
            return [self._claimed(side, state) for side in (formula.left, formula.right)]
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
            elif self._holds(operand, state) is wanted:
                return [Claim(0, operand, wanted)]
        if is_and != value:
            raise NotShown
        return claims

    def _claimed(self, formula: Formula, state: State) -> Claim:
        """Return the value of a formula here, as something to be shown."""
        value = self._holds(formula, state)
        if value is None:
            raise NotShown
        return Claim(0, formula, value)

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
            text = f"{say(path)} on {'no' if existential else 'every'} {self.endless}path from here"
            return leaf(formula, state, value, text)
        found = self._witnesses.find(path, state, wanted=value)
        last = len(found.states) - 1
        # Plain claims need no words, but for the one that ends a run without a loop.
        telling = [
            claim
            for claim in found.claims
            if not is_propositional(claim.formula)
            or (found.loop is None and claim.position == last)
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
            onward=self._onward(run),
        )

    def _epistemic(
        self, formula: Knows | GroupKnows | Obliged, state: State, *, value: bool
    ) -> Explanation:
        if value:
            return leaf(formula, state, value, self._known(formula))
        match formula:
            case Knows(agent, body):
                return self._confused(formula, state, (agent,), body)
            case GroupKnows("everybody", group, body):
                doubter = self._doubter(group.members, state, body)
                return self._confused(formula, state, doubter, body)
            case GroupKnows("distributed", group, body):
                return self._confused(formula, state, group.members, body)
            case GroupKnows() | Obliged():
                return self._elsewhere(formula, state, *self._doubted(formula, state))

    def _doubter(self, members: Collection[str], state: State, body: Formula) -> tuple[str, ...]:
        for agent in members:
            if self._holds(Knows(agent, body), state) is False:
                return (agent,)
        raise NotShown

    def _confused(
        self, formula: Formula, state: State, agents: tuple[str, ...], body: Formula
    ) -> Explanation:
        """Show a state that the agents cannot tell from this one, where the body fails."""
        path = self._look_alike(state, agents, body)
        claim, text = Claim(0, body, False), confusion(agents, body)
        return self._elsewhere(formula, state, path, agents, claim, text)

    def _elsewhere(
        self,
        formula: Formula,
        state: State,
        path: list[State],
        agents: tuple[str, ...],
        claim: Claim,
        text: str,
    ) -> Explanation:
        """Show a run from an initial state to one where the claim holds."""
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
            onward=self._onward(run, fair_only=True),
        )


def has_run(explanation: Explanation) -> bool:
    """Return whether a run is shown somewhere in an explanation."""
    if explanation.run is not None:
        return True
    return any(has_run(branch.because) for branch in explanation.branches)


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


def broken_obligation(formula: Obliged) -> str:
    """Return in words that something does not hold wherever an agent functions correctly."""
    last = "in the last state of this run"
    return f"{formula.agent} functions correctly {last}, where {say(formula.body)} is false"


def leaf(formula: Formula, state: State, value: bool, text: str) -> Explanation:  # noqa: FBT001
    """Return an explanation that has nothing below it."""
    return Explanation(show_formula(formula), value, text, about=formula, state=state)
