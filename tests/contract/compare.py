"""The contest: what an engine says of every subformula, against the oracle."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from gnomon.checking.check import Options, check
from gnomon.checking.circuit_work import NotSolvable
from gnomon.engines.algebra import Algebra
from gnomon.engines.bdd.interleaved_algebra import bdd_algebra
from gnomon.engines.explicit.engine import explore
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.step import State
from gnomon.model.system import Logic, Specification, System
from gnomon.text.diagnostic import InputError
from tests.oracle import Oracle, TooMany
from tests.solving import decided, formulae_of
from tests.support import VACUOUS

#: The engines that have sets of states; every one of them has to pass every test.
ENGINES: dict[str, Callable[[System], Algebra[Any]]] = {"explicit": explore, "bdd": bdd_algebra}

#: Those that decide formulae of CTL, ATL and knowledge. Cells of states give verdicts and no sets of states;
#: satisfiability gives verdicts on formulae that are about single paths.
DECIDING = (*ENGINES, "abstraction", "sat")

States: TypeAlias = frozenset[State]


def concrete(algebra: Algebra[Any], states: Any) -> States:
    """Return the states of an engine's set, one by one."""
    found = set()
    while not algebra.is_empty(states):
        found.add(algebra.pick(states))
        states = algebra.difference(states, algebra.only(algebra.pick(states)))
    return frozenset(found)


def compare_steps(engine: str, system: System) -> None:
    """Compare what an engine reaches, in which steps, and where it is lost or stuck, with the reference."""
    oracle, algebra = Oracle(system), ENGINES[engine](system)
    assert oracle.reachable == concrete(algebra, algebra.reachable)
    assert len(oracle.reachable) == algebra.count(algebra.reachable)
    for state in oracle.reachable:
        here = algebra.only(state)
        assert step.successors(system, state) == concrete(algebra, algebra.after(here))
        moves = list(step.moves(system, state))
        lost = any(move.target is None for move in moves)
        assert lost == algebra.is_subset(here, algebra.overflows)
        stuck = all(move.target is None for move in moves)
        assert stuck == algebra.is_subset(here, algebra.deadlocks)
        expected = {s for s in oracle.reachable if state in oracle.graph[s]}
        assert expected == concrete(algebra, algebra.before(here, algebra.reachable))


class Contest:
    """One engine and the oracle on one system."""

    def __init__(self, engine: str, system: System, strategies: Reading = "perfect") -> None:
        """Let both get ready."""
        self.oracle = Oracle(system, strategies)
        self.algebra = ENGINES[engine](system)
        self.truth = Satisfaction(self.algebra, system.fairness, strategies)

    def on(self, formula: f.Formula, logic: Logic = "CTL") -> None:
        """Compare the states of the formula and of all formulae about the state inside it."""
        initial = self.oracle.initial & self.oracle.universe
        for part in reversed(list(f.walk(formula))):
            if f.is_path_formula(part):
                continue
            try:
                expected = self.oracle.states(part, logic)
            except TooMany:
                continue
            found = concrete(self.algebra, self.truth.states(part, logic))
            assert expected == found, f.show_formula(part)
            if self.truth.strategies == "perfect":
                holds = self.truth.holds(part, logic)
                assert holds == (initial <= expected), f.show_formula(part)
        assert initial == concrete(self.algebra, self.truth.initial)


class Cells:
    """Predicate abstraction and the oracle on one system: a verdict may be open, and is never wrong."""

    def __init__(self, system: System, strategies: Reading = "perfect") -> None:
        """Let the oracle get ready."""
        self.system = system
        self.oracle = Oracle(system, strategies)
        self.options = Options(allow=VACUOUS, engine="abstraction", strategies=strategies)
        #: How many verdicts there were of each kind, "refused" among them.
        self.said: Counter[str] = Counter()

    def on(self, formula: f.Formula, logic: Logic = "CTL") -> None:
        """Compare the verdict on a formula."""
        try:
            expected = self.oracle.holds(formula, logic)
        except TooMany:
            return
        asked = Specification(formula, f.show_formula(formula), 0, logic)
        try:
            [verdict] = check(self.system, (asked,), self.options)
        except InputError:
            self.said["refused"] += 1
            return
        value = str(verdict.value)
        self.said[value] += 1
        assert value in {"undefined", "true" if expected else "false"}, asked.text


class Solved:
    """Satisfiability and the oracle on one system: what is not refused is decided, with evidence replayed."""

    def __init__(self, system: System) -> None:
        """Let the oracle get ready."""
        self.system = system
        self.oracle = Oracle(system)
        self.formulae = formulae_of(system)
        #: How many verdicts there were of each kind, "refused" among them, and how many showed a run.
        self.said: Counter[str] = Counter()

    def on(self, formula: f.Formula, logic: Logic = "CTL") -> None:
        """Compare the verdict on a formula."""
        try:
            expected = self.oracle.holds(formula, logic)
        except TooMany:
            return
        try:
            decision = decided(self.formulae, formula, logic)
        except NotSolvable:
            self.said["refused"] += 1
            return
        value = str(decision.value)
        self.said[value] += 1
        self.said["shown"] += decision.evidence is not None
        assert value == ("true" if expected else "false"), f.show_formula(formula)
        # What is false can be shown.
        assert decision.evidence is not None or expected, f.show_formula(formula)
        counting = self.oracle.initial & self.oracle.universe
        assert bool(counting) or decision.vacuous or not self.oracle.initial


class Comparing(Protocol):
    """What compares the two on one formula after the other."""

    def on(self, formula: f.Formula, logic: Logic = "CTL") -> None:
        """Compare what is said of one formula."""


def contest(engine: str, system: System, strategies: Reading = "perfect") -> Comparing:
    """Return what compares an engine with the oracle on one system."""
    if engine in ENGINES:
        return Contest(engine, system, strategies)
    if engine == "sat":
        return Solved(system)
    return Cells(system, strategies)
