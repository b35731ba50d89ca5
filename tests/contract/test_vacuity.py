"""What is said to be vacuous is so by the oracle, word for word; what is vacuous in plain ways is said."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.logic.exact_vacuity import ExactVacuity
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.logic.settled import settled
from gnomon.logic.vacuity import Note, Vacuity
from gnomon.model import expression as e
from gnomon.model import formula as f
from gnomon.model.agent import Assignment, EvolutionLine
from gnomon.model.budget import Budget
from gnomon.model.domain import IntegerRange
from gnomon.model.step import view
from gnomon.model.system import Logic, Specification, System
from gnomon.text import record
from tests.contract.compare import ENGINES
from tests.fairness import fairly
from tests.oracle import Oracle, TooMany, greatest
from tests.systems import (
    examples,
    named,
    random_bounded,
    random_formula,
    random_path,
    random_system,
    seeds,
)

every_engine = pytest.mark.parametrize("engine", ENGINES)
FALSE = f.Constant(False)

#: What sentences say, by words that only they have.
KINDS = (
    "is true in no reachable state",
    "is true in no fair state",
    "is true in no initial state",
    "is true nowhere that it is asked",
    "can tell all reachable states apart",
    "can tell all fair states apart",
    "can tell each initial state from all others",
    "together can tell",
    "each of",
    "has no members",
    "no reachable state is green",
    "no fair state is green",
    "is true already",
    "is asked only in deadlocks",
    "ends in a deadlock",
    "is infinite",
    "see to it that no outcome is fair",
    "end the run by a move without result",
    "only up to a move without result",
)


def put(formula: f.Formula, part: f.Formula, instead: f.Formula) -> f.Formula:
    """Return a formula with something else in the place of this one part."""
    if formula is part:
        return instead
    inner = [put(each, part, instead) for each in f.parts(formula)]
    match formula:
        case f.And() | f.Or():
            return type(formula)(tuple(inner))
        case f.Implies() | f.Iff() | f.Until() | f.WeakUntil() | f.Release():
            return type(formula)(inner[0], inner[1])
        case f.Bounded(path, low, high):
            return f.Bounded(put(path, part, instead), low, high)  # type: ignore[arg-type]
        case f.Knows(agent) | f.Obliged(agent):
            return type(formula)(agent, inner[0])
        case f.GroupKnows(kind, group):
            return f.GroupKnows(kind, group, inner[0])
        case f.Enforces(group):
            return f.Enforces(group, inner[0])
        case f.Not() | f.Next() | f.Finally() | f.Globally() | f.All() | f.Exists():
            return type(formula)(inner[0])
        case _:
            return formula


def left_of(part: f.Formula) -> f.Formula:
    """Return the left side of an implication, or of a disjunction that is one."""
    if isinstance(part, f.Implies):
        return part.left
    assert isinstance(part, f.Or)
    return f.And(tuple(each.body for each in part.operands if isinstance(each, f.Not)))


class Claims:
    """What notes claim, tried out by brute force on one system."""

    def __init__(self, system: System, strategies: Reading = "perfect") -> None:
        """Let the oracle get ready."""
        self.oracle = Oracle(system, strategies)
        self.said: Counter[str] = Counter()

    def check(self, formula: f.Formula, logic: Logic, notes: Iterable[Note]) -> None:
        """Raise where a note on a true formula claims too much."""
        for note in notes:
            assert self.oracle.holds(put(formula, note.part, note.instead), logic), note
            assert self.as_worded(note, formula, logic), note
            kinds = [kind for kind in KINDS if kind in note.text]
            assert kinds, note.text
            self.said.update(kinds)

    def as_worded(self, note: Note, formula: f.Formula, logic: Logic) -> bool:
        """Return whether a sentence is right, as far as it says more than what may be replaced."""
        oracle, text, part = self.oracle, note.text, note.part
        initial = oracle.initial & oracle.universe
        if "is true in no initial state" in text:
            return not self.somewhere(left_of(part), logic) & initial
        if "is true in no" in text:
            return not self.somewhere(left_of(part), logic)
        if "can tell" in text:
            assert isinstance(part, (f.Knows, f.GroupKnows))
            everywhere = "each initial state" not in text
            return self.tell_apart(part, oracle.universe if everywhere else initial)
        if "state is green" in text:
            assert isinstance(part, f.Obliged)
            return not oracle.states(f.Norm(part.agent, red=False), logic)
        if "only up to" in text and part is formula:
            assert isinstance(part, f.Enforces)
            assert isinstance(part.path, f.Globally)
            return not self.kept(part.group.members, oracle.states(part.path.body)) & initial
        return True

    def somewhere(self, formula: f.Formula, logic: Logic) -> frozenset[Any]:
        """Return the states that count in which a formula holds, or on a path from there."""
        if f.is_path_formula(formula):
            return self.oracle.on_some_path(formula, logic) & self.oracle.universe
        return self.oracle.states(formula, logic)

    def tell_apart(self, part: f.Knows | f.GroupKnows, states: frozenset[Any]) -> bool:
        """Return whether those who know confuse none of the states with another one."""
        oracle = self.oracle
        names = (part.agent,) if isinstance(part, f.Knows) else part.group.members
        join = all if isinstance(part, f.GroupKnows) and part.kind == "distributed" else any
        return not any(
            s != t and join(oracle.same(name, s, t) for name in names)
            for s, t in product(states, oracle.universe)
        )

    def kept(self, members: tuple[str, ...], body: frozenset[Any]) -> frozenset[Any]:
        """Return where a coalition can stay in a set by choices that have results."""
        choices = {s: self.oracle.choices(s, members).values() for s in self.oracle.reachable}
        return greatest(
            lambda z: frozenset(s for s in z & body if any(r and r <= z for r in choices[s])),
            self.oracle.reachable,
        )


def leaving(rng: Random, system: System) -> System:
    """Return a system in which some agent has an action that leads out of a range, if one can have it."""
    able = [
        (agent, variable)
        for agent in system.agents
        for variable in agent.variables
        if agent.actions and isinstance(variable.domain, IntegerRange)
    ]
    if not able:
        return system
    agent, variable = rng.choice(able)
    assert isinstance(variable.domain, IntegerRange)
    does = e.Does(agent.name, rng.choice(agent.actions))
    out = Assignment(variable.name, e.Literal(variable.domain.high + 1))
    others = (
        EvolutionLine(line.assignments, e.And((line.guard, e.Not(does))), line.line)
        for line in agent.evolution
    )
    changed = record.replace(agent, evolution=(EvolutionLine((out,), does), *others))
    agents = tuple(changed if each is agent else each for each in system.agents)
    return replace(system, agents=agents)


def some_system(rng: Random) -> System:
    """Return a system that may get stuck or leave a range, and may have fairness constraints."""
    system = random_system(rng, stuck=rng.choice((0.05, 0.3)))
    if rng.random() < 0.3:
        system = leaving(rng, system)
    if rng.random() < 0.3:
        return fairly(rng, system)
    return system


def some_formula(rng: Random, system: System, logic: Logic) -> f.Formula:
    """Return a formula of any kind, often one of the shapes that are vacuous now and then."""
    if logic == "LTL":
        path = random_path(rng, system, 3, "bool know")
        if rng.random() < 0.4:
            sides = (random_path(rng, system, rng.choice((0, 1)), "bool know") for _ in range(2))
            path = rng.choice((f.Next, f.Globally))(f.Implies(*sides))
        return f.All(path)
    kinds = "bool bool ctl know norm atl" if logic == "CTL" else "bool bool star know"
    if rng.random() < 0.4:
        return random_formula(rng, system, 3, kinds)

    def inner() -> f.Formula:
        return random_formula(rng, system, rng.choice((0, 0, 1)), kinds)

    group = rng.choice(tuple(system.groups.values()))
    agent = rng.choice(named(system)).name
    shapes = (
        f.Implies(inner(), inner()),
        f.Or((f.Not(inner()), inner())),
        f.Or((f.Not(inner()), inner(), f.Not(inner()))),
        f.Implies(inner(), f.Implies(inner(), inner())),
        f.All(f.Next(f.Implies(inner(), inner()))),
        f.Implies(inner(), f.All(f.Next(f.Implies(inner(), inner())))),
        f.Implies(inner(), f.All(f.Until(inner(), inner()))),
        f.Exists(rng.choice((f.Next, f.Finally))(f.Implies(inner(), inner()))),
        f.Knows(agent, inner()),
        f.Obliged(agent, inner()),
        f.Enforces(group, f.Finally(inner())),
        f.Enforces(group, f.Until(inner(), f.Implies(inner(), inner()))),
        f.Enforces(group, f.Globally(f.Not(inner()))),
        f.Enforces(group, f.Until(inner(), inner())),
        f.Enforces(group, f.Next(inner())),
        f.Enforces(group, f.WeakUntil(inner(), f.Implies(inner(), inner()))),
        f.Enforces(group, f.Release(inner(), inner())),
        f.Enforces(group, random_bounded(rng, inner)),
    )
    shape = rng.choice(shapes if logic == "CTL" else shapes[:10])
    return shape if rng.random() < 0.5 else f.All(f.Globally(shape))


def compare(
    engine: str, rng: Random, logic: Logic, strategies: Reading = "perfect"
) -> Counter[str]:
    """Let an engine look at some formulae, and the oracle at what it says; return how often it says what."""
    system = some_system(rng)
    claims = Claims(system, strategies)
    truth = Satisfaction(ENGINES[engine](system), system.fairness, strategies)
    for _ in range(6):
        formula = some_formula(rng, system, logic)
        try:
            if claims.oracle.holds(formula, logic):
                notes = list(ExactVacuity(truth, truth.initial, logic).notes(formula))
                claims.check(formula, logic, notes)
        except TooMany:
            continue
    return claims.said


@every_engine
@pytest.mark.parametrize("logic", ["CTL", "LTL", "CTL*"])
@given(seed=seeds)
@examples(32)
def test_what_is_said_of_time_and_knowledge_is_so(engine: str, logic: Logic, seed: int) -> None:
    compare(engine, Random(seed), logic)


@every_engine
@pytest.mark.parametrize("strategies", ["uniform", "uniform-subjective"])
@given(seed=seeds)
@examples(20)
def test_what_is_said_of_uniform_strategies_is_so(
    engine: str, strategies: Reading, seed: int
) -> None:
    compare(engine, Random(seed), "CTL", strategies)


def test_all_there_is_to_say_is_said_of_random_systems() -> None:
    said: Counter[str] = Counter()
    for seed in range(300):
        rng = Random(seed)
        said += compare("explicit", rng, rng.choice(("CTL", "CTL", "CTL", "LTL")))

    assert [kind for kind in KINDS if not said[kind]] == []


@given(seed=seeds)
@examples(32)
def test_engines_say_the_same(seed: int) -> None:
    rng = Random(seed)
    system = some_system(rng)
    logic: Logic = rng.choice(("CTL", "LTL", "CTL*"))
    truths = [Satisfaction(make(system), system.fairness) for make in ENGINES.values()]
    for formula in [some_formula(rng, system, logic) for _ in range(4)]:
        if truths[0].holds(formula, logic):
            told = {ExactVacuity(each, each.initial, logic).sentence(formula) for each in truths}

            assert len(told) == 1


@every_engine
@given(seed=seeds)
@examples(24)
def test_views_are_counted(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    algebra, oracle = ENGINES[engine](system), Oracle(system)
    names = [agent.name for agent in system.agents if rng.random() < 0.5]
    some = f.Proposition(rng.choice("pqr"))
    seen = {
        tuple(view(system, system.agent(name), state) for name in names)
        for state in oracle.states(some)
    }

    assert len(seen) == algebra.views(names, Satisfaction(algebra).states(some))


# On cells ---------------------------------------------------------------------------------------


def on_cells(system: System, formulae: list[f.Formula]) -> Iterator[tuple[f.Formula, list[Note]]]:
    """Yield the formulae that are true on cells, with what cells tell of them."""
    asked = tuple(Specification(each, f.show_formula(each)) for each in formulae)
    abstraction = PredicateAbstraction(system, asked, Budget())
    for formula in formulae:
        decision = abstraction.decider.decide(formula)
        if decision.value == "true":
            yield formula, list(cell_notes(decision.truth, formula))


def cell_notes(truth: CellDenotation, formula: f.Formula) -> Iterator[Note]:
    space = truth.algebra.space
    elsewhere = space.diagrams.minus(space.reachable, space.initial.may)
    return Vacuity(truth, ThreeValued(space.initial.may, elsewhere)).notes(formula)


def compare_cells(rng: Random) -> Counter[str]:
    system = random_system(rng)
    claims = Claims(system)
    formulae = [some_formula(rng, system, "CTL") for _ in range(4)]
    for formula, notes in on_cells(system, formulae):
        claims.check(formula, "CTL", notes)
    return claims.said


@given(seed=seeds)
@examples(24)
def test_what_is_said_on_cells_is_so(seed: int) -> None:
    compare_cells(Random(seed))


def test_cells_say_something() -> None:
    said = sum((compare_cells(Random(seed)) for seed in range(60)), Counter[str]())

    assert said["is true in no reachable state"] > 5
    assert said["can tell all reachable states apart"] > 0


# Nothing plain is left out ----------------------------------------------------------------------


def said_of(system: System, formula: f.Formula) -> str:
    truth = Satisfaction(ENGINES["explicit"](system), system.fairness)
    return ExactVacuity(truth, truth.initial).sentence(formula)


@given(seed=seeds)
@examples(80)
def test_an_implication_whose_left_side_is_never_true_is_told(seed: int) -> None:
    rng = Random(seed)
    system = some_system(rng)
    oracle = Oracle(system)
    left, right = (random_formula(rng, system, 1, "bool ctl know") for _ in range(2))
    initial = oracle.initial & oracle.universe
    if settled(left) is not None or settled(right) is not None or not initial:
        return
    reached = oracle.states(left)

    if not reached:
        assert "is true in no" in said_of(system, f.All(f.Globally(f.Implies(left, right))))
    if not reached & initial:
        assert "is true in no" in said_of(system, f.Implies(left, f.All(f.Finally(right))))


@given(seed=seeds)
@examples(80)
def test_a_coalition_that_wins_whatever_it_plays_for_is_told(seed: int) -> None:
    rng = Random(seed)
    system = some_system(rng)
    oracle = Oracle(system)
    group = rng.choice(tuple(system.groups.values()))
    goal = random_formula(rng, system, 1, "bool")
    if settled(goal) is not None:
        return
    paths = (f.Next(FALSE), f.Next(goal)), (f.Finally(FALSE), f.Finally(goal))
    try:
        for nothing, something in paths:
            if oracle.initial & oracle.universe and oracle.holds(f.Enforces(group, nothing)):
                assert "nothing is said" in said_of(system, f.Enforces(group, something))
    except TooMany:
        pass


@given(seed=seeds)
@examples(80)
def test_a_coalition_that_keeps_something_only_by_ending_the_run_is_told(seed: int) -> None:
    rng = Random(seed)
    system = leaving(rng, random_system(rng))
    claims = Claims(system)
    oracle = claims.oracle
    group = rng.choice(tuple(system.groups.values()))
    body = f.Proposition(rng.choice("pqr"))
    formula = f.Enforces(group, f.Globally(body))
    if not group.members or not oracle.initial or not oracle.holds(formula):
        return
    ends = oracle.holds(f.Enforces(group, f.Until(body, FALSE)))
    kept = claims.kept(group.members, oracle.states(body)) & oracle.initial

    assert (ends and not kept) == ("only up to" in said_of(system, formula))


@given(seed=seeds)
@examples(80)
def test_an_agent_that_tells_everything_apart_is_told(seed: int) -> None:
    rng = Random(seed)
    system = some_system(rng)
    claims = Claims(system)
    agent = rng.choice(named(system)).name
    formula = f.Knows(agent, f.Proposition("p"))
    if claims.oracle.initial & claims.oracle.universe:
        told = "states apart" in said_of(system, formula)

        assert told == claims.tell_apart(formula, claims.oracle.universe)
