"""`verify` takes a certificate and a model, and nothing else, and says which verdicts it proves.

The rules are in `replay` (runs, lassos, confusions), `strategy`, `defence` and `refutation` (coalitions) and
`labels` (everything else, state by state). All of them step through the model by `gnomon.model.step`, the
reference semantics, and share no code with the engines.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from gnomon.certificate import document
from gnomon.certificate.core import Unproved
from gnomon.certificate.defence import replay_defence
from gnomon.certificate.labels import Labels
from gnomon.certificate.plain import plain_value
from gnomon.certificate.refutation import check_refutation
from gnomon.certificate.replay import replay
from gnomon.certificate.space import Rejected, Space, TooMuch, require
from gnomon.certificate.strategy import TooManyAnswers, replay_strategy
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Evidence, Strategy
from gnomon.model.expression import reads
from gnomon.model.formula import Constant, Formula, show_formula
from gnomon.model.fragment import has_coalition
from gnomon.model.step import State, holds, initial_states
from gnomon.model.system import Specification, System
from gnomon.text.record import Record, replace

#: What a strategy must be for to count as evidence for a reading: a reading that asks for more proves less.
_ENOUGH = {
    "perfect": ("perfect", "uniform"),
    "uniform": ("uniform",),
    "uniform-subjective": ("uniform-subjective",),
}
#: What goes wrong where data does not have the shape that it should have.
_MALFORMED = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)


class Outcome(Record):
    """What was found out about one verdict: accepted, rejected, or without anything to check."""

    index: int
    formula: str
    verdict: str
    accepted: bool | None
    why: str = ""
    strategies: str | None = None


def verify(
    system: System,
    certificate: Any,
    specification: Callable[[Any], Specification],
    budget: Budget | None = None,
) -> Iterable[Outcome]:
    """Yield what each entry of a certificate proves; `specification` finds the formula it is about.

    An entry has at least `index`, `formula`, `parsed`, `logic`, `strategies`, `verdict`, `proof`, `reason`.
    """
    shared = _Shared(system, certificate, budget)
    for entry in certificate["verdicts"]:
        if entry["proof"] is None:
            yield _outcome(entry, None, entry["reason"])
            continue
        try:
            asked = specification(entry)
            require(show_formula(asked.formula) == entry["parsed"], "the formula is another one")
            require(asked.text == entry["formula"], "the formula has another text")
            require(asked.logic == entry["logic"], "the formula is read in another logic")
            _Entry(system, shared, asked, entry).check()
        except Unproved as gap:
            yield _outcome(entry, False, f"nothing proves {gap}")
        except Rejected as error:
            yield _outcome(entry, False, str(error))
        except (TooMuch, LimitReached) as limit:
            yield _outcome(entry, None, str(limit))
        except TooManyAnswers:
            yield _outcome(entry, None, "a strategy has too many outcomes to be gone through")
        except _MALFORMED as error:
            why = f"it is not well formed ({type(error).__name__}: {error})"
            yield _outcome(entry, False, why)
        else:
            yield _outcome(entry, True, "")


def _outcome(entry: Any, accepted: bool | None, why: str) -> Outcome:  # noqa: FBT001
    index, text, verdict = entry["index"], entry["formula"], entry["verdict"]
    return Outcome(index, text, verdict, accepted, why, entry["strategies"])


class _Shared:
    """What the entries of a certificate share: the list of states and the labels. Read when first used."""

    def __init__(self, system: System, certificate: Any, budget: Budget | None) -> None:
        self._system = system
        self._certificate = certificate
        self._budget = budget
        self.listed = certificate["space"] is not None

    @cached_property
    def space(self) -> Space:
        """The list of states, checked."""
        data = self._certificate["space"]
        states = list(document.states(self._system, data["states"]))
        return Space(self._system, states, document.parents(data["parents"]), self._budget)

    @cached_property
    def plain(self) -> Labels:
        """The labels without fairness."""
        return Labels(self.space, document.labels(self._certificate["labels"]))

    @cached_property
    def labels(self) -> Labels:
        """The labels, on the paths that count."""
        if not self._system.fairness:
            return self.plain
        table = document.labels(self._certificate["labels"])
        return Labels(self.space, table, self._system.fairness)


class _Entry:
    """One verdict, and what its certificate says."""

    def __init__(self, system: System, shared: _Shared, asked: Specification, entry: Any) -> None:
        self._system = system
        self._shared = shared
        self._asked = asked
        self._entry = entry
        said = entry["strategies"]
        require(said is not None or not has_coalition(asked.formula), "no reading is named")
        require(said in {None, *_ENOUGH}, f"no such reading can be checked: {said!r}")
        self._reading: str = said or "perfect"
        self._facts: dict[tuple[Formula, State], bool] = {}

    def _labels_for(self, formula: Formula) -> Labels:
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

    def check(self) -> None:
        """Fail where the verdict is not proved."""
        verdict = self._entry["verdict"]
        require(verdict in {"true", "false"}, "there is nothing to prove")
        proof = self._entry["proof"]
        if proof["kind"] == "labels":
            require(self._holds_by_labels() == (verdict == "true"), "the labels say the opposite")
            return
        require(proof["kind"] == "evidence", f"an unknown kind of proof: {proof['kind']}")
        reader = document.Reader(self._system, self._asked.formula)
        found = [reader.evidence(each) for each in proof["evidence"]]
        for evidence in found:
            self._evidence(evidence, value=verdict == "true")
        roots = {each.explanation.state for each in found if each.explanation is not None}
        if verdict == "true":
            # Those that do not count under fairness need no proof, but get one as well.
            for state in initial_states(self._system):
                require(state in roots, "an initial state is left out")
        else:
            require(roots, "no state is named")

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
        here, found = space.number[strategy.state], {strategy.state}
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
