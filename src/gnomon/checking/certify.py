"""Certificates for verdicts: the shortest proof that the checker accepts, or why there is none."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from gnomon.certificate.evidence_data import of_evidence, of_label
from gnomon.certificate.listed_states import ListedStates
from gnomon.certificate.rejection import Unproved
from gnomon.checking.fixpoint_labels import MOST_MOVES, MOST_STATES, Labeller, list_states
from gnomon.checking.proofs import (
    UNDECIDED,
    UNFINISHED,
    ProofAttempt,
    Proved,
    entry_of,
    first_accepted,
)
from gnomon.checking.verdict import Value, Verdict
from gnomon.engines.uniform.refuter import refutation
from gnomon.logic.exact_evidence import evidence_at
from gnomon.logic.run_steps import run_through
from gnomon.logic.runs import shortest
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Budget, LimitReached, OutOfReach
from gnomon.model.evidence import Evidence, Explanation, Refutation, Run
from gnomon.model.formula import Enforces, Formula
from gnomon.model.fragment import has_coalition
from gnomon.model.step import State, initial_states
from gnomon.model.system import Specification, System
from gnomon.text.record import replace

#: More initial states than this are not gone through one by one.
_MOST_INITIAL: Final = 64
#: So many states that look alike are looked into.
_MOST_ALIKE: Final = 100

_TOO_LARGE: Final = (
    f"its proof needs a list of all states, and there are more than {MOST_STATES:,} of them, or "
    f"more than {MOST_MOVES:,} moves"
)


class Certifier:
    """Makes the certificates of one model's verdicts."""

    def __init__(self, system: System, budget: Budget) -> None:
        """Start without any."""
        self._system = system
        self._budget = budget
        self._told = 0  # so many labels, and with the first of them the states
        self._space: tuple[list[State], list[int | None]] | None = None
        self._labeller: Labeller | None = None
        self._too_large = False

    def proved(
        self,
        verdict: Verdict,
        specification: Specification,
        truth: Satisfaction[Any],
        states: int | None,
    ) -> Proved:
        """Return the proof of a verdict, or why there is none; there are so many states, if that is known."""
        self._too_large = self._too_large or (states or 0) > MOST_STATES
        entry, listed = entry_of(verdict, specification.logic, ""), False
        if verdict.value not in {Value.TRUE, Value.FALSE}:
            entry["reason"] = UNDECIDED
        elif verdict.strategies == "uniform-model":
            entry["reason"] = "there is no way to check this reading other than to decide it again"
        else:
            listed = self._prove(entry, specification, truth)
        return self._with_new_labels(entry, listed=listed)

    def _with_new_labels(self, entry: dict[str, Any], *, listed: bool) -> Proved:
        """Return an entry with what it takes to check it and was not told before."""
        if not listed:
            return Proved(entry)
        assert self._labeller is not None
        new = islice(self._labeller.table.items(), self._told, None)
        labels = tuple(of_label(key, label) for key, label in new)
        space = None if self._told else self._listed_states()
        self._told += len(labels)
        return Proved(entry, listed, space, labels)

    def _listed_states(self) -> dict[str, Any]:
        assert self._space is not None
        states, parents = self._space
        return {"states": states, "parents": parents}

    def shown(
        self,
        verdict: Verdict,
        specification: Specification,
        evidence: Evidence | None,
        otherwise: str,
    ) -> Proved:
        """Return the evidence for a verdict as its proof, if the checker accepts that; else why not."""
        entry = entry_of(verdict, specification.logic, UNDECIDED)
        if verdict.value in {Value.TRUE, Value.FALSE}:
            entry["reason"] = otherwise
            enough = evidence is not None and (
                verdict.value is Value.FALSE or self._has_one_start()
            )
            if evidence is not None and enough:
                attempt = ProofAttempt(_shown_by([of_evidence(evidence)]))
                if self._accepted(entry, specification, [attempt]):
                    entry = {**entry, "proof": attempt.proof, "reason": ""}
        return Proved(entry)

    def _has_one_start(self) -> bool:
        try:
            return len(list(islice(initial_states(self._system), 2))) == 1
        except LimitReached:
            return False

    def _prove(
        self, entry: dict[str, Any], specification: Specification, truth: Satisfaction[Any]
    ) -> bool:
        """Give an entry its proof, or the reason why it has none; return whether states are listed."""
        holds = entry["verdict"] == "true"
        try:
            attempts = self._attempts(specification, truth, holds=holds)
            accepted = self._accepted(entry, specification, attempts)
            if accepted is not None:
                entry["proof"] = accepted.proof
                return accepted.space is not None
        except (Unproved, OutOfReach):
            pass
        except LimitReached:
            entry["reason"] = UNFINISHED
            return False
        entry["reason"] = self._why_not(specification, truth)
        return False

    def _why_not(self, specification: Specification, truth: Satisfaction[Any]) -> str:
        """Return in words why the checker has no rule for a verdict."""
        formula = specification.formula
        if self._system.fairness and has_coalition(formula):
            return "there is no rule for what coalitions can do under fairness, but for strategies"
        if truth.strategies != "perfect" and has_coalition(formula):
            return (
                "there is no rule for coalitions inside other operators with uniform strategies, "
                "nor for refutations over very many states"
            )
        if self._too_large:
            return _TOO_LARGE
        if specification.logic != "CTL":
            return "there is no rule for what LTL and CTL* say of all paths, unless it is CTL"
        return "there is no rule that proves it"

    def _attempts(
        self, specification: Specification, truth: Satisfaction[Any], *, holds: bool
    ) -> Iterator[ProofAttempt]:
        """Yield proofs to try, the shortest first."""
        found = self._evidence(specification, truth, holds=holds)
        shown = [of_evidence(evidence) for evidence in found]
        if shown:
            yield ProofAttempt(_shown_by(shown))
        if self._label(specification.formula):
            assert self._labeller is not None
            table = self._labeller.table
            listed = self._listed_states(), [of_label(*each) for each in table.items()]
            if shown:
                yield ProofAttempt(_shown_by(shown), *listed)
            yield ProofAttempt({"kind": "labels"}, *listed)

    def _evidence(
        self, specification: Specification, truth: Satisfaction[Any], *, holds: bool
    ) -> list[Evidence]:
        """Return evidence for a false formula, or for a true one in each initial state."""
        formula, logic = specification.formula, specification.logic
        algebra = truth.algebra
        wrong = truth.initial
        if not holds:
            wrong = algebra.difference(wrong, truth.states_within(formula, wrong, logic))
            states = [algebra.pick(wrong)]
        elif algebra.count(algebra.initial) > _MOST_INITIAL:
            return []
        else:
            states = list(initial_states(self._system))
        found = []
        for state in states:
            if not algebra.is_subset(algebra.only(state), truth.initial):
                return []  # a state that does not count, which only labels can tell
            one = evidence_at(truth, formula, logic, state, value=holds)
            found.append(self._with_refutations(one, truth, specification))
        return found

    def _with_refutations(
        self, evidence: Evidence, truth: Satisfaction[Any], specification: Specification
    ) -> Evidence:
        """Add what proves that there is no uniform strategy, where nothing else does."""
        root = evidence.explanation
        if root is None or truth.strategies == "perfect" or self._system.fairness:
            return evidence

        def value(formula: Formula, state: State) -> bool:
            here = truth.algebra.only(state)
            found = truth.states_within(formula, here, specification.logic)
            return truth.algebra.is_subset(here, found)

        answered = {(each.about, each.state) for each in evidence.defences}
        added: list[Refutation] = []
        for formula, state in _denied(root):
            if (formula, state) not in answered:
                alike = self._alike(truth, formula, state)
                found = refutation(self._system, formula, state, value, self._budget, alike)
                added += [found] if found is not None else []
        return replace(evidence, refutations=tuple(added))

    def _alike(self, truth: Satisfaction[Any], formula: Enforces, state: State) -> tuple[Run, ...]:
        """Return runs to the states that look like this one to some member, where it has to know."""
        if truth.strategies != "uniform-subjective":
            return ()
        algebra = truth.algebra
        runs: list[Run] = []
        here = algebra.only(state)
        left = algebra.empty
        for name in formula.group.members:
            left = algebra.union(left, algebra.indistinguishable((name,), here))
        left = algebra.difference(left, here)
        while not algebra.is_empty(left) and len(runs) < _MOST_ALIKE:
            other = algebra.pick(left)
            left = algebra.difference(left, algebra.only(other))
            path = shortest(algebra, algebra.initial, algebra.reachable, algebra.only(other))
            assert path is not None
            runs.append(run_through(self._system, path))
        return tuple(runs)

    def _label(self, formula: Formula) -> bool:
        """Make labels for a formula; return whether there are few enough states for that."""
        if self._too_large:
            return False
        if self._labeller is None:
            listed = list_states(self._system, self._budget)
            if listed is None:
                self._too_large = True
                return False
            self._space = listed
            self._labeller = Labeller(ListedStates(self._system, *listed), self._system)
        self._labeller.label(formula)
        return True

    def _accepted(
        self, entry: dict[str, Any], specification: Specification, attempts: Iterable[ProofAttempt]
    ) -> ProofAttempt | None:
        """Ask the checker."""
        found, _ = first_accepted(self._system, specification, entry, attempts, self._budget)
        return found


def _shown_by(evidence: list[dict[str, Any]]) -> dict[str, Any]:
    return {"kind": "evidence", "evidence": evidence}


def _denied(node: Explanation) -> Iterator[tuple[Enforces, State]]:
    """Yield the coalition formulae that a tree says are false, and where."""
    if isinstance(node.about, Enforces) and not node.value and node.state is not None:
        yield node.about, node.state
    for branch in node.branches:
        yield from _denied(branch.because)
