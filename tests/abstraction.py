"""Cells against states: random partitions, systems that count, and what labels must never say.

Everything is drawn from one `random.Random`, as in `tests.systems`. `States` compares the cells of a finite
system with what the oracle knows of every state in them; `Within` compares those of an unbounded one with
what can be seen of it through a window.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from unittest.mock import patch

from gnomon.engines.abstraction.decide import Decider
from gnomon.engines.abstraction.labels import Label, Labels
from gnomon.engines.abstraction.linear import Form, form_of, scaled
from gnomon.engines.abstraction.mustreach import MustReach
from gnomon.engines.abstraction.partition import (
    Origin,
    Partition,
    Predicate,
    Residue,
    coarse_variables,
    first_partition,
    predicates_of,
)
from gnomon.engines.abstraction.space import Space
from gnomon.engines.bdd.diagrams import Diagram
from gnomon.model import formula as f
from gnomon.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, Integers
from gnomon.model.expression import (
    TRUE,
    And,
    Arithmetic,
    Compare,
    Does,
    Expression,
    Literal,
    Negative,
    Read,
    Sum,
)
from gnomon.model.step import State, holds
from gnomon.model.system import System
from gnomon.text.record import replace
from tests import systems
from tests.oracle import Oracle
from tests.systems import random_condition, random_formula, random_system
from tests.window import Window

OPERATORS = "bool ctl know norm atl"
DEPTHS = (0, 1, 2)
HERE = Origin("the test")

#: More numbers than elsewhere, and wide enough to be cut in several ways.
_DOMAINS: tuple[Domain, ...] = (
    Boolean(),
    Enumeration(("left", "right")),
    IntegerRange(0, 2),
    IntegerRange(-1, 1),
    IntegerRange(0, 4),
    IntegerRange(-2, 3),
    IntegerRange(0, 20),
)


class Wrong(AssertionError):
    """A label, a set of cells or a verdict that says what is not so."""


# Systems that count


def counting_system(rng: Random, largest: int = 48, stuck: float = 0.0) -> System:
    """Return a finite system in which numbers go up and down, are copied and added."""
    with patch.object(systems, "_DOMAINS", _DOMAINS):
        system = random_system(rng, largest=largest, stuck=stuck)
    agents = tuple(_counting(rng, system, agent) for agent in system.agents)
    initial = _between(rng, system) if rng.random() < 0.4 else system.initial
    return dataclasses.replace(system, agents=agents, initial=initial)


def _between(rng: Random, system: System) -> Expression:
    """Return a condition that leaves several values to most numbers."""
    bounds = [
        _cut(rng, Read(v.agent, v.name))
        for v in system.variables
        if _is_number(v.domain) and rng.random() < 0.8
    ]
    return And(tuple(bounds))


def without_bounds(rng: Random, system: System) -> System:
    """Return a system with all integers for most of its ranges."""
    agents = tuple(
        replace(agent, variables=tuple(_without_bounds(rng, each) for each in agent.variables))
        for agent in system.agents
    )
    return dataclasses.replace(system, agents=agents)


def _without_bounds(rng: Random, variable: Variable) -> Variable:
    number = isinstance(variable.domain, IntegerRange)
    return replace(variable, domain=Integers()) if number and rng.random() < 0.8 else variable


def _numbers(system: System, agent: Agent) -> list[Read]:
    """Return the numbers that an agent sees."""
    shown = [v for v in system.environment.variables if v.name in agent.sees]
    return [Read(v.agent, v.name) for v in (*agent.variables, *shown) if _is_number(v.domain)]


def _cut(rng: Random, number: Read) -> Compare:
    return Compare(rng.choice(("<", ">=", "<=", "=")), number, Literal(rng.randint(-1, 3)))


def _counting(rng: Random, system: System, agent: Agent) -> Agent:
    numbers = _numbers(system, agent)
    lines = tuple(_counting_line(rng, agent, line, numbers) for line in agent.evolution)
    return replace(agent, evolution=lines)


def _is_number(domain: Domain) -> bool:
    return isinstance(domain, (IntegerRange, Integers))


def _counting_line(
    rng: Random, agent: Agent, line: EvolutionLine, numbers: list[Read]
) -> EvolutionLine:
    assignments = []
    guard = line.guard
    for item in line.assignments:
        own = Read(agent.name, item.variable)
        if own in numbers and rng.random() < 0.7:
            item = replace(item, value=_count(rng, own, rng.choice(numbers)))  # noqa: PLW2901
            if rng.random() < 0.3:
                fence = Compare(rng.choice(("<", ">")), own, Literal(rng.randint(-1, 3)))
                guard = And((guard, fence))
        assignments.append(item)
    return replace(line, assignments=tuple(assignments), guard=guard)


def _count(rng: Random, own: Read, other: Read) -> Expression:
    match rng.randrange(10):
        case 0:
            return other
        case 1:
            return Sum((own, other))
        case 2:
            return rng.choice(
                (Negative(own), Arithmetic("*", Literal(2), own), Arithmetic("*", own, other))
            )
        case 3:
            return Sum((own, Negative(other), Literal(1)))
        case _:
            return Sum((own, Literal(rng.choice((1, 1, -1, -1, 2, -2)))))


# Partitions


def random_partition(
    rng: Random, system: System, formulae: Iterable[f.Formula], related: float = 0.3
) -> Partition:
    """Return a partition by some of the predicates of system and formulae, and by some of its own.

    `related` is how often there are predicates about sums, differences and remainders among them.
    """
    wide = rng.choice((0, 0, 0, 4, 64))
    first = first_partition(system, [(formula, HERE) for formula in formulae], wide=wide)
    keep = rng.choice((1.0, 0.7, 0.3))
    predicates = [predicate for predicate in first.predicates if rng.random() < keep]
    if rng.random() < 0.5:
        predicates.extend(predicates_of(first, system.initial, HERE))
    coarse = sorted(first.coarse, key=lambda read: (read.agent, read.variable))
    if coarse:
        predicates.extend(_more(rng, coarse, related))
    return Partition(system, first.coarse, predicates, _hidden(rng, system, first.coarse))


def _hidden(rng: Random, system: System, coarse: frozenset[Read]) -> frozenset[Read]:
    share = rng.choice((0.0, 0.0, 0.0, 0.4))
    reads = [Read(variable.agent, variable.name) for variable in system.variables]
    return frozenset(read for read in reads if read not in coarse and rng.random() < share)


def _more(rng: Random, coarse: list[Read], related: float) -> Iterator[Predicate]:
    for _ in range(rng.choice((0, 0, 1, 3))):
        yield Predicate(form_of(rng.choice(coarse)), rng.randint(-3, 4), HERE)
    if rng.random() < related:
        for _ in range(rng.choice((1, 1, 2))):
            yield Predicate(_relation(rng, coarse), rng.randint(-3, 4), HERE)
    if rng.random() < related / 2:
        form = rng.choice((form_of(rng.choice(coarse)), _relation(rng, coarse)))
        yield Predicate(Residue(form, rng.randint(2, 4)), 0, HERE)


def _relation(rng: Random, coarse: list[Read]) -> Form:
    one, two = rng.choice(coarse), rng.choice(coarse)
    terms = {one: 1} if one == two else {one: rng.choice((1, 1, 2)), two: rng.choice((1, -1))}
    found = scaled(terms)
    assert found is not None
    return found.form


def exact_partition(system: System) -> Partition:
    """Return the partition in which every value of every number has its own cell."""
    coarse = coarse_variables(system, 0)
    cuts = [
        Predicate(form_of(read), bound, HERE)
        for read in coarse
        for bound in range(_range(system, read).low, _range(system, read).high)
    ]
    return Partition(system, coarse, cuts)


def _range(system: System, read: Read) -> IntegerRange:
    domain = system.variables[system.position[read.agent, read.variable]].domain
    assert isinstance(domain, IntegerRange)
    return domain


def cell_of(space: Space, state: State) -> Diagram:
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
    return cell


# What must never be


@dataclass
class Cells:
    """Some formulae over the cells of one partition."""

    partition: Partition
    formulae: list[f.Formula]
    _cells: dict[State, Diagram] = field(default_factory=dict)

    @cached_property
    def space(self) -> Space:
        """The cells."""
        return Space(self.partition, self.formulae)

    def label(self, formula: f.Formula, depth: int) -> Label:
        """Return the label of a formula, with rankings of so many quantities."""
        return Labels(self.space, depth).label(formula)

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
            raise Wrong(
                " ".join(f.show_formula(x) if isinstance(x, _SHOWN) else str(x) for x in said)
            )


_SHOWN = (f.All, f.Exists, f.Enforces, f.Knows, f.GroupKnows, f.Obliged, f.Not, f.And, f.Or)


class States(Cells):
    """A partition of a finite system, against the oracle."""

    @cached_property
    def oracle(self) -> Oracle:
        """The truth."""
        return Oracle(self.partition.system)

    def compare_labels(self) -> None:
        """Let no label say of a cell what is wrong of a reachable state in it."""
        for formula in self.formulae:
            truth = self.oracle.states(formula)
            for depth in DEPTHS:
                label = self.label(formula, depth)
                for state in self.oracle.reachable:
                    if state in truth:
                        self.expect(not self.is_in(label.false, state), "false", formula, state)
                    else:
                        self.expect(not self.is_in(label.true, state), "true", formula, state)

    def compare_reachable(self) -> None:
        """Let all reachable states be in reachable cells, and all initial ones in initial cells."""
        for state in self.oracle.reachable:
            self.expect(self.is_in(self.space.reachable, state), "lost", state)
        for state in self.oracle.initial:
            self.expect(self.is_in(self.space.initial.may, state), "no start", state)

    def compare_must_reach(self) -> None:
        """Let cells be called surely reachable only where some, or all, of their states are."""
        must = MustReach(self.space)
        reached = {self.cell(state) for state in self.oracle.reachable}
        for state in self.oracle.everything():
            if self.is_in(must.everywhere, state):
                self.expect(state in self.oracle.reachable, "not everywhere", state)
            if self.is_in(must.somewhere, state):
                self.expect(self.cell(state) in reached, "not somewhere", state)
            if self.is_in(self.space.initial.must, state):
                self.expect(state in self.oracle.initial, "not initial", state)

    def compare_verdicts(self, rounds: int | None) -> int:
        """Let definite verdicts be right, and return how many there are."""
        decider = Decider(self.partition, self.formulae, most_rounds=rounds)
        definite = 0
        for formula in self.formulae:
            decision = decider.decide(formula)
            if decision.value == "undefined":
                continue
            definite += 1
            expected = "true" if self.oracle.holds(formula) else "false"
            self.expect(decision.value == expected, decision.value, formula)
            if decision.start is not None:
                start = decision.start
                self.expect(start in self.oracle.initial, "starts elsewhere", start)
                self.expect(start not in self.oracle.states(formula), "holds there", start)
        return definite

    def compare(self) -> None:
        """Compare everything but verdicts."""
        self.compare_reachable()
        self.compare_must_reach()
        self.compare_labels()


def finite(rng: Random, operators: str = OPERATORS, related: float = 0.3) -> States:
    """Return three formulae over a random partition of a random finite system."""
    system = counting_system(rng, rng.choice((12, 24, 48)))
    formulae = [random_formula(rng, system, rng.choice((1, 2, 2, 3)), operators) for _ in range(3)]
    return States(random_partition(rng, system, formulae, related), formulae)


class Within(Cells):
    """A partition of an unbounded system, against what is seen of it through a window."""

    @cached_property
    def window(self) -> Window:
        """What is seen."""
        return Window(self.partition.system, -4, 6)

    def compare_labels(self) -> None:
        """Let no label contradict what is seen of a formula."""
        for formula in self.formulae:
            truth = self.window.truth(formula)
            for depth in DEPTHS:
                label = self.label(formula, depth)
                for state in self.window.surely_reachable:
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
        must = MustReach(self.space)
        inside = frozenset(self.window.inside())
        reached = {self.cell(state) for state in perhaps & inside}
        for state in inside:
            if self.is_in(must.everywhere, state):
                self.expect(state in perhaps, "not everywhere", state)
            if perhaps <= inside and self.is_in(must.somewhere, state):
                self.expect(self.cell(state) in reached, "not somewhere", state)

    def compare_verdicts(self, rounds: int | None) -> int:
        """Let no definite verdict contradict what is seen, and return how many there are."""
        decider = Decider(self.partition, self.formulae, most_rounds=rounds)
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


def unbounded(rng: Random, operators: str = OPERATORS, related: float = 0.3) -> Within:
    """Return two formulae over a random partition of a random unbounded system."""
    bounded = counting_system(rng, rng.choice((12, 24)))
    formulae = [random_formula(rng, bounded, rng.choice((1, 1, 2, 3)), operators) for _ in range(2)]
    system = without_bounds(rng, bounded)
    return Within(random_partition(rng, system, formulae, related), formulae)


# Strategies


def playing(rng: Random) -> States:
    """Return what coalitions can do, where what agents may do depends on numbers that cells hide."""
    system = counting_system(rng, rng.choice((12, 24)))
    agents = tuple(_torn(rng, system, agent) for agent in system.agents)
    system = dataclasses.replace(system, agents=agents)
    formulae = [random_formula(rng, system, rng.choice((1, 1, 2)), "atl atl ctl") for _ in range(3)]
    return States(random_partition(rng, system, formulae, 0.1), formulae)


def _torn(rng: Random, system: System, agent: Agent) -> Agent:
    numbers = _numbers(system, agent)
    if not numbers or len(agent.actions) < 2:
        return agent
    line = ProtocolLine(_cut(rng, rng.choice(numbers)), _other_than(rng, agent.actions))
    return replace(agent, protocol=(line,), other=_other_than(rng, agent.actions))


def _other_than(rng: Random, actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return all actions but one."""
    missing = rng.choice(actions)
    return tuple(action for action in actions if action != missing)


# Ignorance


def knowing(rng: Random) -> States:
    """Return what agents know of each other's numbers, where whole cells are initial."""
    system, formulae = _knowing(rng)
    return States(_apart(rng, system, formulae), formulae)


def knowing_without_bounds(rng: Random) -> Within:
    """Return the same for numbers without bounds."""
    bounded, formulae = _knowing(rng)
    system = without_bounds(rng, bounded)
    return Within(_apart(rng, system, formulae), formulae)


def _knowing(rng: Random) -> tuple[System, list[f.Formula]]:
    system = counting_system(rng, 24)
    formulae: list[f.Formula] = []
    for _ in range(3):
        body = f.Condition(_about_two(rng, system))
        kind: systems.Kind = rng.choice(("everybody", "common", "distributed"))
        group = rng.choice(tuple(system.groups.values()))
        one = f.Knows(rng.choice(system.agents).name, body)
        formulae.append(rng.choice((one, f.GroupKnows(kind, group, body))))
    agents = tuple(_steady(rng, system, agent) for agent in system.agents)
    initial = _between(rng, system)
    return dataclasses.replace(system, agents=agents, initial=initial), formulae


def _steady(rng: Random, system: System, agent: Agent) -> Agent:
    """Return an agent that does not look at numbers, so that its steps are sure."""
    if rng.random() < 0.4:
        return agent
    numbers = _numbers(system, agent)
    own = [read for read in numbers if read.agent == agent.name]
    lines = []
    for number, read in enumerate(own, 1):
        change = Assignment(read.variable, _count(rng, read, rng.choice(numbers)))
        actions = [Does(agent.name, action) for action in agent.actions]
        guard: Expression = rng.choice((TRUE, *actions))
        lines.append(EvolutionLine((change,), guard, number))
    return replace(agent, protocol=(), other=agent.actions, evolution=tuple(lines))


def _about_two(rng: Random, system: System) -> Expression:
    """Return a condition that most likely compares two numbers."""
    numbers = [Read(v.agent, v.name) for v in system.variables if _is_number(v.domain)]
    if not numbers or rng.random() < 0.3:
        return random_condition(rng, system.variables, 1)
    one, two = rng.choice(numbers), rng.choice(numbers)
    operator: systems.Relation = rng.choice(("<=", "<", ">", "="))
    return Compare(operator, one, rng.choice((two, Sum((two, Literal(rng.randint(-1, 2)))))))


def _apart(rng: Random, system: System, formulae: list[f.Formula]) -> Partition:
    """Return a partition that tells most initial states from others."""
    asked = [(formula, HERE) for formula in formulae]
    first = first_partition(system, asked, [(system.initial, HERE)], wide=0)
    kept = [predicate for predicate in first.predicates if rng.random() < 0.9]
    coarse = sorted(first.coarse, key=lambda read: (read.agent, read.variable))
    more = _more(rng, coarse, 0.4) if coarse else ()
    return Partition(system, first.coarse, (*kept, *more))
