"""Cells against states: what labels, sets of cells and verdicts must never say.

`States` compares the cells of a finite system with what the oracle knows of every state in them; `Within`
compares those of an unbounded one with what can be seen of it through a window.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from random import Random
from typing import Any, get_args
from unittest.mock import patch

from gnomon.checking import predicate_abstraction
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.cell_sanity import sane
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.must_reachability import MustReachability
from gnomon.engines.abstraction.partition import Partition, first_partition
from gnomon.engines.abstraction.refinement import FAIR, AbstractionRefinement
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.explicit.engine import explore
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.domain import Integers, values_of
from gnomon.model.expression import Read
from gnomon.model.fragment import coalition_members
from gnomon.model.scheduled import as_written, scheduled
from gnomon.model.step import State, holds, moves
from gnomon.model.system import Logic, System
from tests import systems
from tests.contract.compare import concrete
from tests.contract.test_empty_lines import with_empty_lines
from tests.contract.test_games import game, wishes
from tests.counting import (
    HERE,
    about_two,
    apart,
    arena,
    counting_system,
    hidden_counters,
    in_step,
    phases,
    random_partition,
    secrets,
    toil,
    told_finely,
    turns,
    without_bounds,
)
from tests.fairness import fairly
from tests.oracle import Oracle, TooMany
from tests.systems import random_condition, random_formula, random_path, random_system
from tests.window import Window
from tests.window_paths import PathWindow

OPERATORS = "bool ctl know norm atl"
DEPTHS = (0, 1, 2)


def depths(formula: f.Formula) -> tuple[int, ...]:
    """Return of how many quantities rankings may be made; without time, they make no difference."""
    return DEPTHS if any(map(f.is_path_formula, f.walk(formula))) else DEPTHS[:1]


class Wrong(AssertionError):
    """A label, a set of cells or a verdict that says what is not so."""


def cell_of(space: CellSpace, state: State) -> Diagram:
    """Return the cell of a state, by the definition of cells."""
    d, partition = space.diagrams, space.partition
    reads = [Read(variable.agent, variable.name) for variable in space.system.variables]
    values = dict(zip(reads, state, strict=True))

    def number(form: Form) -> int:
        return sum(weight * int(values[read]) for read, weight in form.terms)

    untold = partition.coarse | partition.hidden
    cell = space.cells.encoder.assignment(
        {read: value for read, value in values.items() if read not in untold}
    )
    for form, pieces in partition.pieces.items():
        (place,) = [
            place
            for place, piece in enumerate(pieces)
            if (piece.low is None or piece.low <= number(form))
            and (piece.high is None or number(form) <= piece.high)
        ]
        cell = d.both(cell, space.cells.is_piece(form, place))
    for residue in partition.residues:
        left = number(residue.form) % residue.modulus
        cell = d.both(cell, space.cells.is_piece(residue, left))
    for opaque in partition.opaque:
        answer = int(holds(opaque.atom, space.system, state))
        cell = d.both(cell, space.cells.is_piece(opaque, answer))
    return cell


@dataclass
class Cells:
    """Some formulae over the cells of one partition."""

    partition: Partition
    formulae: list[f.Formula]
    logic: Logic = "CTL"
    _cells: dict[State, Diagram] = field(default_factory=dict)
    _truth: dict[int, CellDenotation] = field(default_factory=dict)

    @cached_property
    def space(self) -> CellSpace:
        """The cells."""
        return CellSpace(self.partition, self.formulae)

    @cached_property
    def must_reach(self) -> MustReachability:
        """What is surely reachable, found once for all labels."""
        return MustReachability(self.space)

    def label(self, formula: f.Formula, depth: int) -> ThreeValued:
        """Return where a formula holds, with rankings of so many quantities."""
        if depth not in self._truth:
            algebra = CellAlgebra(self.space, ranked=bool(depth))
            algebra.must_reach = self.must_reach
            fairness = self.partition.system.fairness
            self._truth[depth] = CellDenotation(algebra, fairness=fairness, logic=self.logic)
        return self._truth[depth].states(formula)

    def cell(self, state: State) -> Diagram:
        """Return the cell of a state."""
        found = self._cells.get(state)
        if found is None:
            found = self._cells[state] = cell_of(self.space, state)
        return found

    def is_in(self, cells: Diagram, state: State) -> bool:
        """Return whether the cell of a state is one of a set."""
        return bool(self.space.diagrams.both(self.cell(state), cells) != self.space.diagrams.false)

    def expect(self, fact: object, *said: object) -> None:
        """Raise `Wrong` where something is not so."""
        if not fact:
            formulae = get_args(f.Formula)
            raise Wrong(*(f.show_formula(x) if isinstance(x, formulae) else x for x in said))


#: Every number is cut, even those of few values.
_cut_small = partial(first_partition, wide=0)


class States(Cells):
    """A partition of a finite system, against the oracle."""

    @property
    def judged(self) -> System:
        """The system that the truth is about."""
        return as_written(self.partition.system)

    @cached_property
    def oracle(self) -> Oracle:
        """The truth."""
        return Oracle(self.judged)

    @cached_property
    def explicit(self) -> Satisfaction[Any]:
        """The explicit engine, where there are too many strategies for the oracle."""
        return Satisfaction(explore(self.judged), self.judged.fairness)

    def truth(self, formula: f.Formula) -> frozenset[State]:
        """Return the states in which a formula holds."""
        try:
            return self.oracle.states(formula, self.logic)
        except TooMany:
            return concrete(self.explicit.algebra, self.explicit.states(formula, self.logic))

    def compare_labels(self) -> None:
        """Let no label say of a cell what is wrong of a reachable state in it."""
        for formula in self.formulae:
            truth = self.truth(formula)
            for depth in depths(formula):
                label = self.label(formula, depth)
                for state in self.oracle.universe:
                    if state in truth:
                        self.expect(not self.is_in(label.false, state), "false", formula, state)
                    else:
                        self.expect(not self.is_in(label.true, state), "true", formula, state)

    def compare_sanity(self, rounds: int) -> int:
        """Let deadlocks and overflows be found, or excluded, only where that is right; count the answers."""
        system = self.partition.system
        budget = Budget()
        with patch.object(predicate_abstraction, "first_partition", _cut_small):
            cells = PredicateAbstraction(system, (), budget, rounds)
            cells.partition  # noqa: B018 - while it is patched
        lost = {
            s: [move.target is None for move in moves(system, s)] for s in self.oracle.reachable
        }
        ended = {s for s, each in lost.items() if all(each)}
        if system.terminal is not None:
            ended = {s for s in ended if not holds(system.terminal, system, s)}
        there = {"deadlock": bool(ended), "overflow": any(map(any, lost.values()))}
        definite = 0
        for check, found in there.items():
            with patch.object(predicate_abstraction, "first_partition", _cut_small):
                value = sane(system, cells, check, budget, rounds).value
            self.expect(value is not (Value.TRUE if found else Value.FALSE), check, value.name)
            definite += value is not Value.UNDEFINED
        return definite

    def compare_uniform_labels(self) -> None:
        """Let no label be wrong where members of coalitions act on what they see."""
        oracle = Oracle(self.judged, "uniform")
        fairness = self.judged.fairness
        found = CellDenotation(CellAlgebra(self.space), "uniform", fairness)
        for formula in self.formulae:
            label = found.states(formula)
            try:
                truth = oracle.states(formula)
            except TooMany:
                continue
            for state in oracle.universe:
                wrong = label.false if state in truth else label.true
                self.expect(not self.is_in(wrong, state), "uniform", formula, state)

    def compare_cells(self) -> None:
        """Let every state have its cell, and where that is claimed every cell a state."""
        space, d = self.space, self.space.diagrams
        found = space.cells.disjunction(self.cell(state) for state in self.oracle.everything())
        self.expect(d.minus(found, space.all) == d.false, "there is a state without a cell")
        if space.inhabited:
            self.expect(d.minus(space.all, found) == d.false, "there is a cell without a state")

    def compare_reachable(self) -> None:
        """Let all reachable states be in reachable cells, and all initial ones in initial cells."""
        for state in self.oracle.reachable:
            self.expect(self.is_in(self.space.reachable, state), "lost", state)
        for state in self.oracle.initial:
            self.expect(self.is_in(self.space.initial.may, state), "no start", state)

    def compare_must_reach(self) -> None:
        """Let cells be called surely reachable only where some, or all, of their states are."""
        must = self.must_reach
        reached = {self.cell(state) for state in self.oracle.reachable}
        for state in self.oracle.everything():
            if self.is_in(must.everywhere, state):
                self.expect(state in self.oracle.reachable, "not everywhere", state)
            if self.is_in(must.inductively, state):
                self.expect(state in self.oracle.reachable, "not inductively", state)
            if self.is_in(must.somewhere, state):
                self.expect(self.cell(state) in reached, "not somewhere", state)
            if self.is_in(self.space.initial.must, state):
                self.expect(state in self.oracle.initial, "not initial", state)

    def compare_verdicts(self, rounds: int | None) -> int:
        """Let definite verdicts be right, and return how many there are."""
        fairness = self.partition.system.fairness
        decider = AbstractionRefinement(
            partial(CellDenotation, fairness=fairness, logic=self.logic),
            self.partition,
            self.formulae,
            most_rounds=rounds,
        )
        definite = 0
        for formula in self.formulae:
            decision = decider.decide(formula)
            if decision.value == "undefined":
                continue
            try:
                expected = "true" if self.oracle.holds(formula, self.logic) else "false"
            except TooMany:
                continue
            definite += 1
            self.expect(decision.value == expected, decision.value, formula)
            if decision.start is not None:
                start = decision.start
                self.expect(start in self.oracle.initial, "starts elsewhere", start)
                self.expect(start in self.oracle.universe, "does not count", start)
                there = self.oracle.states(formula, self.logic)
                self.expect(start not in there, "holds there", start)
        return definite

    def compare_fair(self) -> None:
        """Let cells be called fair, or not fair, only where all of their states are."""
        fair = self.label(FAIR, 1) if self.partition.system.fairness else None
        for state in self.oracle.reachable if fair else ():
            wrong = fair.false if state in self.oracle.universe else fair.true  # type: ignore[union-attr]
            self.expect(not self.is_in(wrong, state), "fair", state)

    def compare(self) -> None:
        """Compare everything but verdicts."""
        self.compare_fair()
        self.compare_cells()
        self.compare_reachable()
        self.compare_must_reach()
        self.compare_labels()


@dataclass
class Within(Cells):
    """A partition of an unbounded system, against what is seen of it through a window."""

    view: tuple[int, int] = (-4, 6)

    @cached_property
    def window(self) -> Window:
        """What is seen."""
        system = self.partition.system
        paths = self.logic != "CTL" or bool(system.fairness)
        return PathWindow(system, *self.view, most=120) if paths else Window(system, *self.view)

    @cached_property
    def counted(self) -> frozenset[State]:
        """The states that are surely reached and of which something is said: the fair ones."""
        window = self.window
        fair = window.fair.low if isinstance(window, PathWindow) else window.surely_reachable
        return window.surely_reachable & fair

    def compare_labels(self) -> None:
        """Let no label contradict what is seen of a formula."""
        for formula in self.formulae:
            truth = self.window.truth(formula)
            for depth in depths(formula):
                label = self.label(formula, depth)
                for state in self.counted:
                    if state not in truth.high:
                        self.expect(not self.is_in(label.true, state), "true", formula, state)
                    if state in truth.low:
                        self.expect(not self.is_in(label.false, state), "false", formula, state)

    def compare_reachable(self) -> None:
        """Let all states that are surely reachable be in reachable cells."""
        for state in self.window.surely_reachable:
            self.expect(self.is_in(self.space.reachable, state), "lost", state)

    def compare_must_reach(self) -> None:
        """Let no cell be called surely reachable that has states which surely are not."""
        perhaps = self.window.perhaps_reachable
        if perhaps is None:
            return
        must = self.must_reach
        inside = frozenset(self.window.inside())
        reached = {self.cell(state) for state in perhaps & inside}
        for state in inside:
            if self.is_in(must.everywhere, state):
                self.expect(state in perhaps, "not everywhere", state)
            if self.is_in(must.inductively, state):
                self.expect(state in perhaps, "not inductively", state)
            if perhaps <= inside and self.is_in(must.somewhere, state):
                self.expect(self.cell(state) in reached, "not somewhere", state)

    def compare_verdicts(self, rounds: int | None) -> int:
        """Let no definite verdict contradict what is seen, and return how many there are."""
        fairness = self.partition.system.fairness
        decider = AbstractionRefinement(
            partial(CellDenotation, fairness=fairness, logic=self.logic),
            self.partition,
            self.formulae,
            most_rounds=rounds,
        )
        definite = 0
        for formula in self.formulae:
            decision = decider.decide(formula)
            if decision.value == "undefined":
                continue
            definite += 1
            could_hold, must_hold = self.window.verdict(formula)
            wrong = must_hold if decision.value == "false" else not could_hold
            self.expect(not wrong, decision.value, formula)
            if decision.start is not None:
                system, start = self.partition.system, decision.start
                self.expect(holds(system.initial, system, start), "starts elsewhere", start)
                self.expect(start not in self.window.truth(formula).low, "holds there", start)
        return definite

    def compare(self) -> None:
        """Compare everything but verdicts."""
        self.compare_reachable()
        self.compare_must_reach()
        self.compare_labels()


@dataclass
class Counted(Within):
    """A partition of an unbounded system whose numbers change little, against runs near zero."""

    #: Runs stay within these bounds; what is said of states within narrower ones is looked at.
    far: int = 9
    close: tuple[int, int] = (-2, 3)

    @cached_property
    def reached(self) -> frozenset[State]:
        """The states that are reached by runs near zero."""
        system = self.partition.system
        waiting = [s for s in self._states(-self.far, self.far) if holds(system.initial, system, s)]
        seen = set(waiting)
        for state in waiting:
            for move in moves(system, state):
                target = move.target
                if target is not None and target not in seen and self._is_near(target):
                    seen.add(target)
                    waiting.append(target)
        return frozenset(seen)

    def _is_near(self, state: State) -> bool:
        return all(abs(value) <= self.far for value in state if isinstance(value, int))

    def _states(self, low: int, high: int) -> Iterator[State]:
        pools = [
            range(low, high + 1) if isinstance(v.domain, Integers) else values_of(v.domain)
            for v in self.partition.system.variables
        ]
        return product(*pools)

    def compare_must_reach(self) -> None:
        """Let all states near zero be reached that are said to be reached."""
        must = self.must_reach
        for state in self._states(*self.close):
            for cells in (must.everywhere, must.inductively):
                self.expect(
                    state in self.reached or not self.is_in(cells, state), "not reached", state
                )


# What is compared


def finite(rng: Random, operators: str = OPERATORS, related: float = 0.3) -> States:
    """Return three formulae over a random partition of a random finite system."""
    system = counting_system(rng, rng.choice((12, 24, 48)))
    formulae = [random_formula(rng, system, rng.choice((1, 2, 2, 3)), operators) for _ in range(3)]
    return States(random_partition(rng, system, formulae, related), formulae)


def unbounded(rng: Random, operators: str = OPERATORS, related: float = 0.3) -> Within:
    """Return two formulae over a random partition of a random unbounded system."""
    bounded = counting_system(rng, rng.choice((12, 24)))
    formulae = [random_formula(rng, bounded, rng.choice((1, 1, 2, 3)), operators) for _ in range(2)]
    system = without_bounds(rng, bounded)
    return Within(random_partition(rng, system, formulae, related), formulae)


def playing(rng: Random) -> States:
    """Return what two players can do about a number, where cells do not tell what they may do."""
    system = arena(rng)
    formulae = [random_formula(rng, system, rng.choice((1, 1, 2)), "atl atl ctl") for _ in range(3)]
    return States(random_partition(rng, system, formulae, 0.1, (0.5, 0.1)), formulae)


def racing(rng: Random) -> Within:
    """Return the same for a number without bounds."""
    bounded = arena(rng)
    formulae = [random_formula(rng, bounded, rng.choice((1, 1, 2)), "atl ctl") for _ in range(2)]
    system = without_bounds(rng, bounded)
    return Within(random_partition(rng, system, formulae, 0.1, (1.0, 0.5)), formulae)


def fair(rng: Random) -> States:
    """Return three formulae over a random partition of a random finite system with fairness."""
    system = rng.choice((phases, arena, lambda rng: counting_system(rng, rng.choice((12, 24)))))(
        rng
    )
    system = fairly(rng, system, steps=0.0)
    formulae = [random_formula(rng, system, rng.choice((1, 2, 2)), OPERATORS) for _ in range(3)]
    told = [each.formula for each in system.fairness]
    return States(random_partition(rng, system, [*formulae, *told], 0.2), formulae)


def fair_play(rng: Random) -> States:
    """Return what coalitions enforce on fair outcomes, where cells do not tell who comes when."""
    system = rng.choice((phases, arena, arena, turns))(rng)
    system = fairly(rng, system, steps=0.0) if system.name != "turns" else system
    formulae = [random_formula(rng, system, rng.choice((1, 1, 2)), "atl atl ctl") for _ in range(3)]
    told = [each.formula for each in system.fairness]
    return States(random_partition(rng, system, [*formulae, *told], 0.1, (1.0, 0.7)), formulae)


def emptied(rng: Random) -> States:
    """Return three formulae over a random partition of a system in which some agents may be stuck."""
    made = (phases, arena, lambda rng: counting_system(rng, rng.choice((12, 24)), stuck=0.4))
    system = with_empty_lines(rng, rng.choice(made)(rng))
    logic: Logic = "CTL"
    if rng.random() < 0.3:
        system = fairly(rng, system, steps=0.0)
    if rng.random() < 0.3:
        logic = "CTL*"
        paths = [random_path(rng, system, rng.choice((1, 2))) for _ in range(2)]
        formulae: list[f.Formula] = [rng.choice((f.All, f.Exists))(path) for path in paths]
    else:
        operators = "bool ctl know norm atl atl"
        formulae = [random_formula(rng, system, rng.choice((1, 2)), operators) for _ in range(3)]
    told = [each.formula for each in system.fairness]
    partition = random_partition(rng, system, [*formulae, *told], 0.2, (1.0, 0.7))
    return States(partition, formulae, logic)


def mishaps(rng: Random) -> States:
    """Return a system in which values may leave their ranges, and agents may be stuck."""
    made = (phases, arena, lambda rng: counting_system(rng, rng.choice((12, 24)), stuck=0.3))
    system = rng.choice(made)(rng)
    if rng.random() < 0.5:
        system = with_empty_lines(rng, system)
    if rng.random() < 0.3:
        terminal = system.propositions[rng.choice(sorted(system.propositions))]
        system = replace(system, terminal=terminal)
    return States(first_partition(system, []), [])


def by_events(rng: Random) -> States:
    """Return three formulae of time and knowledge over a random partition of an interleaved system."""
    system = random_system(rng, largest=rng.choice((12, 24)), interleaved=True)
    logic: Logic = "CTL"
    if rng.random() < 0.4:
        system = fairly(rng, system, steps=0.5)
    if rng.random() < 0.3:
        logic = "CTL*"
        paths = [random_path(rng, system, rng.choice((1, 2))) for _ in range(2)]
        formulae: list[f.Formula] = [rng.choice((f.All, f.Exists))(path) for path in paths]
    else:
        formulae = [random_formula(rng, system, 2, "bool ctl know norm") for _ in range(3)]
    return _by_events(rng, system, formulae, logic)


def _by_events(rng: Random, system: System, formulae: list[f.Formula], logic: Logic) -> States:
    told = [each.formula for each in system.fairness]
    written_out = scheduled(system, coalition_members(formulae))
    partition = random_partition(rng, written_out, [*formulae, *told], 0.2)
    return States(partition, formulae, logic)


def linear(rng: Random) -> States:
    """Return formulae on paths over a random partition of a random finite system, perhaps with fairness."""
    system = rng.choice((phases, arena, lambda rng: counting_system(rng, rng.choice((12, 24)))))(
        rng
    )
    if rng.random() < 0.4:
        system = fairly(rng, system, steps=0.0)
    formulae: list[f.Formula] = []
    for _ in range(3):
        path = random_path(rng, system, rng.choice((1, 2, 2)))
        formulae.append(rng.choice((f.All, f.Exists))(path))
    told = [each.formula for each in system.fairness]
    partition = random_partition(rng, system, [*formulae, *told], 0.2)
    return States(partition, formulae, logic="CTL*")


def fair_without_bounds(rng: Random) -> Within:
    """Return formulae over a random partition of a system without bounds, with fairness."""
    bounded, formulae = _counted_down(rng, "bool ctl ctl")
    return _without_bounds(rng, fairly(rng, bounded, steps=0.0), formulae, "CTL")


def linear_without_bounds(rng: Random) -> Within:
    """Return formulae on paths over a random partition of a system without bounds, perhaps with fairness."""
    bounded, _ = _counted_down(rng, "bool")
    if rng.random() < 0.4:
        bounded = fairly(rng, bounded, steps=0.0)
    formulae: list[f.Formula] = []
    for _ in range(3):
        path = random_path(rng, bounded, rng.choice((1, 2, 2)), rng.choice(("bool", "bool ctl")))
        formulae.append(rng.choice((f.All, f.Exists))(path))
    return _without_bounds(rng, bounded, formulae, "CTL*")


def _counted_down(rng: Random, operators: str) -> tuple[System, list[f.Formula]]:
    makes = (phases, arena, toil, toil, lambda rng: counting_system(rng, rng.choice((12, 24))))
    system = rng.choice(makes)(rng)
    return system, [random_formula(rng, system, rng.choice((1, 2)), operators) for _ in range(2)]


def _without_bounds(
    rng: Random, bounded: System, formulae: list[f.Formula], logic: Logic
) -> Within:
    system = without_bounds(rng, bounded)
    told = [each.formula for each in system.fairness]
    partition = random_partition(rng, system, [*formulae, *told], 0.2, (1.0, 1.0, 0.5))
    return Within(partition, formulae, logic)


def waning(rng: Random) -> States:
    """Return what becomes of numbers that fall and grow in phases."""
    system = phases(rng)
    formulae: list[f.Formula] = []
    for _ in range(3):
        one, two = (f.Proposition(rng.choice("pqr")) for _ in "ab")
        comes = rng.choice((f.Finally(one), f.Until(one, f.Not(two))))
        formulae.append(rng.choice((f.All(comes), f.Exists(f.Globally(one)))))
    return States(random_partition(rng, system, formulae, 0.1, (1.0, 0.5)), formulae)


def toiling(rng: Random) -> States:
    """Return what becomes of numbers that are worked off or divided, and may grow again."""
    system = toil(rng)
    formulae: list[f.Formula] = []
    for _ in range(3):
        one, two = (f.Proposition(rng.choice("pqr")) for _ in "ab")
        comes = rng.choice((f.Finally(one), f.Until(one, f.Not(two))))
        does = rng.choice(tuple(system.groups.values()))
        path = rng.choice((f.All, f.Exists, lambda path: f.Enforces(does, path)))  # noqa: B023
        formulae.append(rng.choice((path(comes), path(f.Globally(one)))))
    return States(random_partition(rng, system, formulae, 0.1, (1.0, 1.0, 0.5)), formulae)


def stepping(rng: Random) -> States:
    """Return what becomes of numbers that move in step, before anything else is told apart."""
    system, formulae = _stepping(rng)
    return States(first_partition(system, [(each, HERE) for each in formulae], wide=0), formulae)


def stepping_without_bounds(rng: Random) -> Within:
    """Return the same for numbers without bounds."""
    bounded, formulae = _stepping(rng)
    system = without_bounds(rng, bounded, 1.0)
    return Within(first_partition(system, [(each, HERE) for each in formulae]), formulae)


def _stepping(rng: Random) -> tuple[System, list[f.Formula]]:
    system = in_step(rng)
    proposition = f.Proposition(rng.choice("pqr"))
    formulae = [
        f.All(f.Globally(proposition)),
        rng.choice((f.Exists, f.All))(rng.choice((f.Finally, f.Globally))(proposition)),
        random_formula(rng, system, 2, "ctl atl"),
    ]
    return system, formulae


def groping(rng: Random) -> States:
    """Return what players can do who see little of a game."""
    system = game(rng)
    formulae = [wishes(rng, system) for _ in range(2)]
    return States(random_partition(rng, system, formulae, 0.0, (1.0, 1.0, 0.7)), formulae)


def groping_fairly(rng: Random) -> States:
    """Return the same where only fair outcomes count, and some may have nothing to do."""
    system = game(rng)
    if rng.random() < 0.4:
        system = with_empty_lines(rng, system)
    named = {name: random_condition(rng, system.variables, 1) for name in "pqr"}
    system = replace(system, propositions={**named, **system.propositions})
    system = fairly(rng, system, steps=0.0)
    formulae = [wishes(rng, system) for _ in range(2)]
    told = [each.formula for each in system.fairness]
    return States(random_partition(rng, system, [*formulae, *told], 0.0, (1.0, 0.7)), formulae)


def knowing(rng: Random) -> States:
    """Return what agents know of each other's numbers, where whole cells are initial."""
    system, formulae = _knowing(rng)
    return States(apart(rng, system, formulae), formulae)


def knowing_without_bounds(rng: Random) -> Within:
    """Return the same for numbers without bounds."""
    bounded, formulae = _knowing(rng)
    system = without_bounds(rng, bounded)
    return Within(apart(rng, system, formulae), formulae[:2], view=(-2, 3))


def hiding(rng: Random) -> States:
    """Return what somebody knows who does not see how others count."""
    system = hidden_counters(rng)
    formulae = _suspicions(rng, system)
    return States(told_finely(rng, system, formulae), formulae)


def hiding_without_bounds(rng: Random) -> Counted:
    """Return the same for numbers without bounds."""
    bounded = hidden_counters(rng)
    formulae = _suspicions(rng, bounded)
    system = without_bounds(rng, bounded, 0.9)
    return Counted(told_finely(rng, system, formulae), formulae)


def _suspicions(rng: Random, system: System) -> list[f.Formula]:
    """Return formulae about what somebody knows, one within another or at any time."""
    found: list[f.Formula] = []
    for name in "pqr":
        known = f.Knows(rng.choice("PQ"), f.Proposition(name))
        outer = f.Knows(rng.choice("PQ"), rng.choice((known, f.Not(known))))
        kind: systems.Kind = rng.choice(("everybody", "common", "distributed"))
        together = f.GroupKnows(kind, system.groups["g"], known.body)
        found.append(rng.choice((known, known, f.All(f.Globally(f.Not(known))), outer, together)))
    return found


def _knowing(rng: Random) -> tuple[System, list[f.Formula]]:
    system = secrets(rng)
    formulae: list[f.Formula] = []
    for _ in range(3):
        body = f.StateCondition(about_two(rng, system))
        kind: systems.Kind = rng.choice(("everybody", "common", "distributed"))
        group = rng.choice(tuple(system.groups.values()))
        one = f.Knows(rng.choice(system.agents).name, body)
        formulae.append(rng.choice((one, one, f.GroupKnows(kind, group, body))))
    return system, formulae
