"""The rules for a system whose agents are given: finitely many states, or numbers without bounds.

They are in `replay` (runs, lassos, confusions), `strategy`, `defence` and `refutation` (coalitions) and
`ranked_labels` (everything else, state by state). All of them step through the model by `gnomon.model.step`,
the reference semantics, and share no code with the engines.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from gnomon.certificate.defence import replay_defence
from gnomon.certificate.document import AskedFormula, Certificate, ClaimedVerdict, ProofGrounds
from gnomon.certificate.evidence_data import EvidenceReader, read_labels, read_states
from gnomon.certificate.listed_states import ListedStates
from gnomon.certificate.plain import plain_value
from gnomon.certificate.ranked_labels import CheckedLabels
from gnomon.certificate.refutation import check_refutation
from gnomon.certificate.rejection import Unproved, require, shown
from gnomon.certificate.replay import replay
from gnomon.certificate.shape import items, member
from gnomon.certificate.strategy import replay_strategy
from gnomon.model.budget import Budget
from gnomon.model.evidence import Evidence, Strategy
from gnomon.model.expression import reads
from gnomon.model.formula import Constant, Formula, show_formula
from gnomon.model.fragment import has_coalition
from gnomon.model.step import State, holds, initial_states
from gnomon.model.system import Specification, System
from gnomon.text.record import replace

#: The kind of proof that `gnomon.certificate.deductive` has the rules for.
CONDITIONS: Final = "conditions"
#: What a strategy must be for to count as evidence for a reading: a reading that asks for more proves less.
_ENOUGH: Final = {
    "perfect": ("perfect", "uniform"),
    "uniform": ("uniform",),
    "uniform-subjective": ("uniform-subjective",),
}


def _kind(claim: ClaimedVerdict) -> object:
    return member(claim.proof, "kind")


class SystemRules:
    """What the proofs of a certificate share: the list of states and the labels. Read when first used."""

    def __init__(self, system: System, certificate: Certificate, budget: Budget) -> None:
        """Read nothing yet."""
        self.system = system
        self._certificate = certificate
        self.budget = budget
        self.listed = certificate.space is not None

    def check(self, claim: ClaimedVerdict, asked: AskedFormula) -> ProofGrounds:
        """Fail where a verdict is not proved."""
        assert isinstance(asked, Specification)
        require(show_formula(asked.formula) == claim.parsed, "the formula is another one")
        require(asked.text == claim.formula, "the formula has another text")
        require(claim.name in ("", asked.name), "the formula has another name")
        require(asked.logic == claim.logic, "the formula is read in another logic")
        return ProofGrounds(_Proof(self, asked, claim).check())

    @cached_property
    def space(self) -> ListedStates:
        """The list of states, checked."""
        states, parents = read_states(self.system, self._certificate.space)
        return ListedStates(self.system, states, parents, self.budget)

    @cached_property
    def plain(self) -> CheckedLabels:
        """The labels without fairness."""
        return CheckedLabels(self.space, read_labels(self._certificate.labels))

    @cached_property
    def labels(self) -> CheckedLabels:
        """The labels, on the paths that count."""
        if not self.system.fairness:
            return self.plain
        table = read_labels(self._certificate.labels)
        return CheckedLabels(self.space, table, self.system.fairness)


class _Proof:
    """One verdict, and what its certificate says."""

    def __init__(self, shared: SystemRules, asked: Specification, claim: ClaimedVerdict) -> None:
        self._system = shared.system
        self._shared = shared
        self._asked = asked
        self._claim = claim
        said = claim.strategies
        require(said is not None or not has_coalition(asked.formula), "no reading is named")
        by_profile = said == "uniform-model" and _kind(claim) == CONDITIONS
        known = by_profile or said in {None, *_ENOUGH}
        require(known, f"no such reading can be checked: {said!r}")
        self._reading: str = said or "perfect"
        self._facts: dict[tuple[Formula, State], bool] = {}

    def _labels_for(self, formula: Formula) -> CheckedLabels:
        """Return the labels, if there are any and they speak of this formula as it is read here.

        They speak of the paths of CTL, which are those of the other logics where no run ends and where only
        fair paths count in any case; and of coalitions that see everything.
        """
        if not self._shared.listed:
            raise Unproved(show_formula(formula))
        labels = self._shared.labels
        endless = bool(self._system.fairness) or all(labels.space.follow)
        informed = self._reading == "perfect" or not has_coalition(formula)
        if not informed or not (self._asked.logic == "CTL" or endless):
            raise Unproved(show_formula(formula))
        return labels

    def check(self) -> str:
        """Fail where the verdict is not proved; return the solver that was asked."""
        verdict = self._claim.verdict
        require(verdict in {"true", "false"}, "there is nothing to prove")
        kind = _kind(self._claim)
        if kind == CONDITIONS:
            return self._by_conditions(value=verdict == "true")
        self._by_states(kind, verdict)
        return ""

    def _by_states(self, kind: object, verdict: str) -> None:
        """Fail where the verdict is not proved by labels or by evidence."""
        if kind == "labels":
            require(self._holds_by_labels() == (verdict == "true"), "the labels say the opposite")
            return
        require(kind == "evidence", f"an unknown kind of proof: {shown(kind)}")
        reader = EvidenceReader(self._system, self._asked.formula)
        found = [reader.evidence(each) for each in items(member(self._claim.proof, "evidence"))]
        for evidence in found:
            self._evidence(evidence, value=verdict == "true")
        roots = {each.explanation.state for each in found if each.explanation is not None}
        if verdict == "true":
            # Those that do not count under fairness need no proof, but get one as well.
            for state in initial_states(self._system):
                require(state in roots, "an initial state is left out")
        else:
            require(roots, "no state is named")

    def _by_conditions(self, *, value: bool) -> str:
        """Have a solver look at a proof in which sets of states are conditions."""
        from gnomon.certificate.deductive.proof import (
            check_conditions,
        )  # few proofs are of this kind

        return check_conditions(
            self._system,
            self._asked,
            self._claim.proof,
            self._shared.budget,
            value=value,
            reading=self._reading,
        )

    def _holds_by_labels(self) -> bool:
        labels = self._labels_for(self._asked.formula)
        return labels.space.initial & labels.universe <= labels.where(self._asked.formula)

    def _evidence(self, evidence: Evidence, *, value: bool) -> None:
        root = evidence.explanation
        assert root is not None
        assert root.state is not None
        require(holds(self._system.initial, self._system, root.state), "not an initial state")
        require(root.value == value, "evidence for the opposite")
        require(root.about == self._asked.formula, "evidence for another formula")
        self._coalitions(evidence)
        constraints = tuple(self._constraint(item) for item in self._system.fairness)
        endless = bool(constraints) or self._asked.logic != "CTL"
        tree = Evidence("witness", root, counts=evidence.counts)
        replay(self._system, tree, self._truth, constraints, endless=endless)

    def _coalitions(self, evidence: Evidence) -> None:
        """Check what coalitions can and cannot do, and remember it."""
        constraints = tuple(self._constraint(item) for item in self._system.fairness)
        for strategy in evidence.strategies:
            assert strategy.about is not None
            assert strategy.state is not None
            require(strategy.reading in _ENOUGH[self._reading], "a strategy of another kind")
            require(set(strategy.members) == set(strategy.about.group.members), "another coalition")
            if strategy.reading != "perfect":
                self._acts_on_views(strategy.members)
            for start in self._starts(strategy):
                moved = replace(strategy, state=start)
                wins = replay_strategy(self._system, moved, self._truth, constraints)
                require(wins, f"the strategy for {strategy.formula} does not win")
            self._facts[strategy.about, strategy.state] = True
        for defence in evidence.defences:
            assert defence.about is not None
            assert defence.state is not None
            require(not constraints, "an answer to each choice proves nothing under fairness")
            enough = replay_defence(self._system, defence, self._truth)
            require(enough, f"the answers against {defence.formula} are not enough")
            self._facts[defence.about, defence.state] = False
        for refutation in evidence.refutations:
            assert refutation.about is not None
            assert refutation.state is not None
            require(not constraints, "clauses say nothing about fairness")
            require(self._reading != "perfect", "those who see everything need no such strategy")
            require(refutation.about.group.members, "the empty coalition")
            knowing = self._reading == "uniform-subjective"
            require(knowing or not refutation.alike, "it need not win where it looks the same")
            check_refutation(self._system, refutation, self._truth)
            self._facts[refutation.about, refutation.state] = False

    def _starts(self, strategy: Strategy) -> set[State]:
        """Return the states where a strategy has to win: those that look alike, too, if members must know."""
        assert strategy.state is not None
        if self._reading != "uniform-subjective":
            return {strategy.state}
        if not self._shared.listed:
            raise Unproved(strategy.formula)
        space, universe = self._shared.space, self._shared.labels.universe
        here, found = space.number_of(strategy.state), {strategy.state}
        for name in strategy.members:
            for alike in space.classes((name,)):
                if here in alike:
                    found.update(space.states[number] for number in universe.intersection(alike))
        return found

    def _acts_on_views(self, members: tuple[str, ...]) -> None:
        """Refuse agents that cannot see what they may do: an action must be enabled wherever it looks so."""
        system = self._system
        for name in members:
            agent = system.agent(name)
            for line in agent.protocol:
                for read in reads(line.condition):
                    own = read.agent == name
                    seen = read.agent == system.environment.name and read.variable in agent.sees
                    require(own or seen, f"{name} does not see what it may do")

    def _constraint(self, item: Specification) -> Callable[[State], bool]:
        """Return whether a state meets a fairness constraint, which is itself read without fairness."""

        def meets(state: State) -> bool:
            plain = plain_value(self._system, item.formula, state)
            if plain is not None:
                return plain
            if not self._shared.listed:
                raise Unproved(item.text)
            return self._shared.plain.value(item.formula, state)

        return meets

    def _truth(self, formula: Formula, state: State) -> bool:
        """Return what a formula is worth in a state, if that is proved."""
        if formula == Constant(True):
            # Whether a state counts: a path through one that does not is never fair, so nothing is lost.
            return True
        plain = plain_value(self._system, formula, state)
        if plain is not None:
            return plain
        if (formula, state) in self._facts:
            return self._facts[formula, state]
        return self._labels_for(formula).value(formula, state)
