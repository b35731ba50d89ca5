"""Deciding without exploring, by substitution, beside the oracle and beside the relation."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

from gnomon.checking.check import Options, check
from gnomon.checking.supervise import work_here
from gnomon.engines.bdd import setup as choosing
from gnomon.engines.bdd.bdd_algebra import BddAlgebra
from gnomon.engines.bdd.interleaved_algebra import bdd_algebra
from gnomon.engines.bdd.setup import Setup, default_setup
from gnomon.engines.bdd.unexplored import UnexploredBddAlgebra
from gnomon.engines.diagrams.interface import Diagram
from gnomon.logic.at_start import SatisfactionAtStart
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.overlaps import overlaps
from gnomon.model.system import Logic, Specification, System
from tests.contract.compare import concrete
from tests.oracle import Oracle, TooMany
from tests.support import VACUOUS
from tests.systems import random_formula, random_system

#: What is said of a model, and has to be the same whoever says it.
_ODDITIES = {"G0801", "G0802", "G0803"}


def unexplored(system: System) -> UnexploredBddAlgebra:
    """Return the algebra of all states there might be."""
    found = bdd_algebra(system, replace(default_setup(system), explores=False))
    assert isinstance(found, UnexploredBddAlgebra)
    return found


class Related(UnexploredBddAlgebra):
    """The same, on the relation that exploring goes by."""

    def _steps(self) -> Any:
        return BddAlgebra._steps(self)

    def _ahead(self, states: Diagram) -> Diagram:
        return BddAlgebra._ahead(self, states)

    def _behind(self, coalition: Any) -> Any:
        return BddAlgebra._behind(self, coalition)


class Unexplored:
    """The oracle and the algebra of all states: where states are reachable, both say the same."""

    def __init__(self, system: System) -> None:
        """Let both get ready."""
        self.oracle = Oracle(system)
        self.algebra = unexplored(system)
        self.truth = SatisfactionAtStart(self.algebra)

    def on(self, formula: f.Formula, logic: Logic = "CTL") -> None:
        """Compare the reachable states of a formula and of those inside it, and their verdicts."""
        algebra, oracle = self.algebra, self.oracle
        for part in reversed(list(f.walk(formula))):
            if f.is_path_formula(part):
                continue
            try:
                expected = oracle.states(part, logic)
            except TooMany:
                continue
            found = self.truth.states(part, logic)
            for state in oracle.reachable:
                inside = algebra.is_subset(algebra.only(state), found)
                assert inside == (state in expected), f.show_formula(part)
            holds = self.truth.holds(part, logic)
            assert holds == (oracle.initial <= expected), f.show_formula(part)


def formulae(seed: int) -> None:
    """Compare random formulae about steps and choices with the oracle."""
    rng = Random(seed)
    system = random_system(rng, stuck=rng.choice((0.05, 0.4)))
    contest = Unexplored(system)
    for _ in range(4):
        contest.on(random_formula(rng, system, 3, "bool ctl atl"))


def steps(seed: int) -> None:
    """Compare single steps from reachable states with the reference."""
    system = random_system(Random(seed))
    oracle, algebra = Oracle(system), unexplored(system)
    everything = algebra.reachable
    for state in oracle.reachable:
        here = algebra.only(state)
        follow = step.successors(system, state)
        after = algebra.after(here)
        assert algebra.count(after) == len(follow)
        assert all(algebra.is_subset(algebra.only(each), after) for each in follow)
        before = algebra.before(here, everything)
        for other in oracle.reachable:
            inside = algebra.is_subset(algebra.only(other), before)
            assert inside == (state in oracle.graph[other])


def sets(seed: int) -> None:
    """Compare looking back by substitution with the relation, on all states there might be."""
    rng = Random(seed)
    system = random_system(rng, wide=0.2, stuck=0.2)
    setup = replace(default_setup(system), explores=False)
    one = UnexploredBddAlgebra(system, setup)
    other = Related(system, setup)
    coalition = [agent.name for agent in system.agents if rng.random() < 0.5]
    found: list[Any] = [
        tuple(algebra.where(condition) for condition in system.propositions.values())
        for algebra in (one, other)
    ]
    for these, those in zip(*found, strict=True):
        _compare(one, other, these, those, coalition)
        # Those that come next differ little from those before, as in a fixpoint.
        grown = one.union(these, one.before(these, one.reachable))
        larger = other.union(those, other.before(those, other.reachable))
        _compare(one, other, grown, larger, coalition)


def _compare(one: BddAlgebra, other: BddAlgebra, these: Any, those: Any, coalition: Any) -> None:
    pairs = (
        (one.before(these, one.reachable), other.before(those, other.reachable)),
        (
            one.controllable(coalition, these, one.reachable),
            other.controllable(coalition, those, other.reachable),
        ),
        (one.leads_to(these, one.reachable), other.leads_to(those, other.reachable)),
        (one.deadlocks, other.deadlocks),
        (one.overflows, other.overflows),
    )
    for left, right in pairs:
        assert one.count(left) == other.count(right)
        for state in concrete(one, left):
            assert other.is_subset(other.only(state), right)


@contextmanager
def without_exploring() -> Iterator[None]:
    """Let the symbolic engine begin without exploring wherever it may."""
    plain = choosing.setups

    def setups(system: System, *rest: Any, unexplored: bool = False) -> Iterator[Setup]:
        if unexplored:
            yield replace(default_setup(system), explores=False)
        yield from plain(system, *rest)

    with patch.object(choosing, "setups", setups), work_here():
        yield


#: How often what was decided.
census: Counter[str] = Counter()


def _without_overlaps(rng: Random) -> System:
    """Return a system of which nothing is said but what deciding without exploring can say, too."""
    while True:
        system = random_system(rng, stuck=rng.choice((0.05, 0.4)))
        if not overlaps(system):
            return system


def verdicts(seed: int) -> None:
    """Compare verdicts, checks and oddities of the whole way with what listing all states gives."""
    rng = Random(seed)
    system = _without_overlaps(rng)
    operators = "bool ctl atl" if rng.random() < 0.8 else "bool ctl know atl"
    asked = [random_formula(rng, system, 2, operators) for _ in range(3)]
    specifications = [Specification(each, f.show_formula(each)) for each in asked]
    told = Options(
        evidence=True,
        check_deadlock=True,
        check_overflow=True,
        allow=(*VACUOUS, "G0803"),
    )
    expected = check(system, specifications, replace(told, engine="explicit"))
    with without_exploring():
        found = check(system, specifications, replace(told, engine="bdd"))
    assert [each.value for each in found] == [each.value for each in expected]
    assert [each.value for each in found.checks] == [each.value for each in expected.checks]
    assert found.initial == expected.initial
    kinds = [{each.code for each in result.diagnostics} for result in (found, expected)]
    assert kinds[0] & _ODDITIES == kinds[1] & _ODDITIES
    census["known" if found.states is not None else "unexplored"] += 1
    if found.states is None:
        census["shown"] += sum(each.evidence is not None for each in found)
        census.update(kinds[0] & _ODDITIES)
        census.update(str(each.value) for each in found)
    else:
        assert found.states == expected.states
