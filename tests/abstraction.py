"""Cells against states: random partitions, systems that count, and what labels must never say.

Everything is drawn from one `random.Random`, as in `tests.systems`. `States` compares the cells of a finite
system with what the oracle knows of every state in them; `Within` compares those of an unbounded one with
what can be seen of it through a window.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from random import Random
from unittest.mock import patch

from gnomon.engines.abstraction.decide import Decider
from gnomon.engines.abstraction.label import Label
from gnomon.engines.abstraction.labels import Labels
from gnomon.engines.abstraction.linear import Form, affine, form_of, scaled
from gnomon.engines.abstraction.mustreach import MustReach
from gnomon.engines.abstraction.partition import (
    Opaque,
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
from gnomon.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    EvolutionLine,
    ProtocolLine,
    Variable,
)
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
    reads,
)
from gnomon.model.step import State, holds
from gnomon.model.system import System
from gnomon.text.record import replace
from tests import systems
from tests.contract.test_games import game, wishes
from tests.oracle import Oracle, TooMany
from tests.systems import random_formula, random_system
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


def depths(formula: f.Formula) -> tuple[int, ...]:
    """Return of how many quantities rankings may be made; without time, they make no difference."""
    return DEPTHS if any(map(f.is_path_formula, f.walk(formula))) else DEPTHS[:1]


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
            options = (
                Negative(own),
                Arithmetic("*", Literal(2), own),
                Arithmetic("*", own, other),
                Arithmetic(rng.choice(("/", "div")), own, Literal(2)),
            )
            return rng.choice(options)
        case 3:
            return Sum((own, Negative(other), Literal(1)))
        case _:
            return Sum((own, Literal(rng.choice((1, 1, -1, -1, 2, -2)))))


# Partitions


def random_partition(
    rng: Random,
    system: System,
    formulae: Iterable[f.Formula],
    related: float = 0.3,
    keep: Sequence[float] = (1.0, 0.7, 0.3),
) -> Partition:
    """Return a partition by some of the predicates of system and formulae, and by some of its own.

    `related` is how often there are predicates about sums, differences and remainders among them, and `keep`
    how many of those of the system are kept.
    """
    wide = rng.choice((0, 0, 0, 4, 64))
    first = first_partition(system, [(formula, HERE) for formula in formulae], wide=wide)
    share = rng.choice(keep)
    predicates = [predicate for predicate in first.predicates if rng.random() < share]
    if rng.random() < 0.5:
        predicates.extend(predicates_of(first, system.initial, HERE))
    coarse = sorted(first.coarse, key=lambda read: (read.agent, read.variable))
    if coarse:
        predicates.extend(_more(rng, system, coarse, related))
    return Partition(system, first.coarse, predicates, _hidden(rng, system, first.coarse))


def _hidden(rng: Random, system: System, coarse: frozenset[Read]) -> frozenset[Read]:
    share = rng.choice((0.0, 0.0, 0.0, 0.4))
    reads = [Read(variable.agent, variable.name) for variable in system.variables]
    return frozenset(read for read in reads if read not in coarse and rng.random() < share)


def _more(rng: Random, system: System, coarse: list[Read], related: float) -> Iterator[Predicate]:
    for _ in range(rng.choice((0, 0, 1, 3))):
        yield Predicate(form_of(rng.choice(coarse)), rng.randint(-3, 4), HERE)
    if rng.random() < related:
        for _ in range(rng.choice((1, 1, 2))):
            yield Predicate(_relation(rng, coarse), rng.randint(-3, 4), HERE)
    if rng.random() < related / 2:
        form = rng.choice((form_of(rng.choice(coarse)), _relation(rng, coarse)))
        yield Predicate(Residue(form, rng.randint(2, 4)), 0, HERE)
    if rng.random() < related / 2:
        numbers = [Read(v.agent, v.name) for v in system.variables if _is_number(v.domain)]
        atom = _nonlinear(rng, rng.choice(coarse), numbers)
        yield Predicate(Opaque(atom), 0, HERE)


def _nonlinear(rng: Random, one: Read, numbers: Sequence[Read]) -> Compare:
    operator: systems.Relation = rng.choice(("=", "<", ">="))
    rest = rng.choice((rng.choice(numbers), Literal(rng.randint(-2, 4))))
    left = Arithmetic(rng.choice(("*", "*", "*", "&")), one, rng.choice(numbers))
    divided = Arithmetic(rng.choice(("mod", "div")), left, Literal(3))
    return Compare(operator, rng.choice((left, left, divided)), rest)


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
    for opaque in partition.opaque:
        answer = int(holds(opaque.atom, space.system, state))
        cell = d.both(cell, space.cells.is_piece(opaque, answer))
    return cell


# What must never be


@dataclass
class Cells:
    """Some formulae over the cells of one partition."""

    partition: Partition
    formulae: list[f.Formula]
    _cells: dict[State, Diagram] = field(default_factory=dict)
    _labels: dict[int, Labels] = field(default_factory=dict)

    @cached_property
    def space(self) -> Space:
        """The cells."""
        return Space(self.partition, self.formulae)

    @cached_property
    def must_reach(self) -> MustReach:
        """What is surely reachable, found once for all labels."""
        return MustReach(self.space)

    def label(self, formula: f.Formula, depth: int) -> Label:
        """Return the label of a formula, with rankings of so many quantities."""
        if depth not in self._labels:
            self._labels[depth] = Labels(self.space, depth)
            self._labels[depth]._must_reach = self.must_reach
        return self._labels[depth].label(formula)

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
            for depth in depths(formula):
                label = self.label(formula, depth)
                for state in self.oracle.reachable:
                    if state in truth:
                        self.expect(not self.is_in(label.false, state), "false", formula, state)
                    else:
                        self.expect(not self.is_in(label.true, state), "true", formula, state)

    def compare_uniform_labels(self) -> None:
        """Let no label be wrong where members of coalitions act on what they see."""
        oracle = Oracle(self.partition.system, "uniform")
        labels = Labels(self.space, 1, uniform=True)
        for formula in self.formulae:
            label = labels.label(formula)
            try:
                truth = oracle.states(formula)
            except TooMany:
                continue
            for state in oracle.reachable:
                wrong = label.false if state in truth else label.true
                self.expect(not self.is_in(wrong, state), "uniform", formula, state)

    def compare_cells(self) -> None:
        """Let every state have its cell, and where that is claimed every cell a state."""
        space, d = self.space, self.space.diagrams
        found = space.cells.anyone(self.cell(state) for state in self.oracle.everything())
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
        self.compare_cells()
        self.compare_reachable()
        self.compare_must_reach()
        self.compare_labels()


def finite(rng: Random, operators: str = OPERATORS, related: float = 0.3) -> States:
    """Return three formulae over a random partition of a random finite system."""
    system = counting_system(rng, rng.choice((12, 24, 48)))
    formulae = [random_formula(rng, system, rng.choice((1, 2, 2, 3)), operators) for _ in range(3)]
    return States(random_partition(rng, system, formulae, related), formulae)


@dataclass
class Within(Cells):
    """A partition of an unbounded system, against what is seen of it through a window."""

    view: tuple[int, int] = (-4, 6)

    @cached_property
    def window(self) -> Window:
        """What is seen."""
        return Window(self.partition.system, *self.view)

    def compare_labels(self) -> None:
        """Let no label contradict what is seen of a formula."""
        for formula in self.formulae:
            truth = self.window.truth(formula)
            for depth in depths(formula):
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
        must = self.must_reach
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
    """Return what two players can do about a number, where cells do not tell what they may do."""
    system = arena(rng)
    formulae = [random_formula(rng, system, rng.choice((1, 1, 2)), "atl atl ctl") for _ in range(3)]
    return States(random_partition(rng, system, formulae, 0.1, (0.5, 0.1)), formulae)


def groping(rng: Random) -> States:
    """Return what players can do who see little of a game."""
    system = game(rng)
    formulae = [wishes(rng, system) for _ in range(2)]
    return States(random_partition(rng, system, formulae, 0.0, (1.0, 1.0, 0.7)), formulae)


def racing(rng: Random) -> Within:
    """Return the same for a number without bounds."""
    bounded = arena(rng)
    formulae = [random_formula(rng, bounded, rng.choice((1, 1, 2)), "atl ctl") for _ in range(2)]
    system = without_bounds(rng, bounded)
    return Within(random_partition(rng, system, formulae, 0.1, (1.0, 0.5)), formulae)


def arena(rng: Random) -> System:
    """Return a number that two players move; what each may do, and what comes of it, depends on it."""
    last = rng.randint(2, 6)
    number = Variable(ENVIRONMENT, "n", IntegerRange(0, last), observed=True)
    read = Read(ENVIRONMENT, "n")
    lines: list[EvolutionLine] = []
    for one, two in product("ab", "ab"):
        for _ in range(rng.choice((1, 1, 2))):
            parts: list[Expression] = [Does("P", one), Does("Q", two)]
            if rng.random() < 0.3:
                parts.append(_cut(rng, read))
            value = rng.choice((Literal(rng.randint(0, last)), _count(rng, read, read)))
            guard = And(tuple(parts))
            lines.append(EvolutionLine((Assignment("n", value),), guard, len(lines) + 1))
    players = [_player(rng, name, read) for name in "PQ"]
    world = Agent(ENVIRONMENT, (number,), (), evolution=tuple(lines))
    return System(
        "arena",
        (world, *players),
        rng.choice((TRUE, _cut(rng, read))),
        "MultiAssignment",
        {name: _cut(rng, read) for name in "pqr"},
        {"g": f.Group(("P",), "g"), "h": f.Group(rng.choice((("Q",), ("P", "Q"))), "h")},
    )


def _player(rng: Random, name: str, read: Read) -> Agent:
    choices = (("a",), ("b",), ("a", "b"))
    line = ProtocolLine(_cut(rng, read), rng.choice(choices))
    return Agent(name, (), ("a", "b"), (line,), rng.choice(choices), sees=("n",))


# Ignorance


def knowing(rng: Random) -> States:
    """Return what agents know of each other's numbers, where whole cells are initial."""
    system, formulae = _knowing(rng)
    return States(_apart(rng, system, formulae), formulae)


def knowing_without_bounds(rng: Random) -> Within:
    """Return the same for numbers without bounds."""
    bounded, formulae = _knowing(rng)
    system = without_bounds(rng, bounded)
    return Within(_apart(rng, system, formulae), formulae[:2], view=(-2, 3))


def _knowing(rng: Random) -> tuple[System, list[f.Formula]]:
    system = secrets(rng)
    formulae: list[f.Formula] = []
    for _ in range(3):
        body = f.Condition(_about_two(rng, system))
        kind: systems.Kind = rng.choice(("everybody", "common", "distributed"))
        group = rng.choice(tuple(system.groups.values()))
        one = f.Knows(rng.choice(system.agents).name, body)
        formulae.append(rng.choice((one, one, f.GroupKnows(kind, group, body))))
    return system, formulae


def secrets(rng: Random) -> System:
    """Return three agents with a number each; the others may see that of the environment."""
    names = (ENVIRONMENT, "P", "Q")
    agents = tuple(_keeper(rng, name) for name in names)
    numbers = [Read(name, "n") for name in names]
    initial = And(tuple(_cut(rng, number) for number in numbers if rng.random() < 0.8))
    groups = {"g": f.Group(("P", "Q"), "g"), "h": f.Group(rng.choice((("Q",), names[:2])), "h")}
    propositions = {name: _cut(rng, rng.choice(numbers)) for name in "pqr"}
    return System("secrets", agents, initial, "MultiAssignment", propositions, groups)


def _keeper(rng: Random, name: str) -> Agent:
    first = rng.randint(-2, 1)
    variable = Variable(name, "n", IntegerRange(first, first + rng.randint(2, 4)))
    own, shown = Read(name, "n"), Read(ENVIRONMENT, "n")
    sees = ("n",) if name != ENVIRONMENT and rng.random() < 0.5 else ()
    lines = []
    for number in range(rng.choice((0, 1, 1, 2))):
        value = _count(rng, own, rng.choice((own, shown)) if sees else own)
        guard = rng.choice((TRUE, TRUE, Does(name, "a"), _cut(rng, own)))
        lines.append(EvolutionLine((Assignment("n", value),), guard, number + 1))
    actions = ("a", "b")[: rng.randint(1, 2)]
    return Agent(name, (variable,), actions, (), actions, tuple(lines), sees)


def _about_two(rng: Random, system: System) -> Expression:
    """Return a condition that most likely compares two numbers."""
    numbers = [Read(v.agent, v.name) for v in system.variables]
    one, two = rng.choice(numbers), rng.choice(numbers)
    if rng.random() < 0.2:
        return _nonlinear(rng, one, numbers)
    if one == two:
        return _cut(rng, one)
    operator: systems.Relation = rng.choice(("<=", "<", ">", "="))
    return Compare(operator, one, rng.choice((two, Sum((two, Literal(rng.randint(-1, 2)))))))


def _apart(rng: Random, system: System, formulae: list[f.Formula]) -> Partition:
    """Return a partition that tells most initial states from others; some numbers may be kept."""
    every = sorted(coarse_variables(system, 0), key=lambda read: (read.agent, read.variable))
    kept = rng.choice(every) if rng.random() < 0.4 else None
    coarse = [read for read in every if read != kept or read in coarse_variables(system)]
    base = Partition(system, frozenset(coarse), ())
    parts = [part for formula in formulae for part in f.walk(formula)]
    said = [part.expression for part in parts if isinstance(part, f.Condition)]
    found = [
        predicate
        for condition in (system.initial, *said)
        for predicate in predicates_of(base, condition, HERE)
        if rng.random() < 0.9
    ]
    opaque = [
        Predicate(Opaque(atom), 0, HERE)
        for atom in said
        if isinstance(atom, Compare) and affine(atom.left) is None and reads(atom) & base.coarse
    ]
    return base.refined((*found, *opaque, *_more(rng, system, coarse, 0.4)))
