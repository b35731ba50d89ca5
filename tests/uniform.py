"""Coalitions whose members act on what they see: random games, and what cells must never say of them."""

import dataclasses
from collections.abc import Iterator
from functools import partial
from itertools import product
from random import Random
from typing import TypeVar

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.uniform_cells import starts_of
from gnomon.engines.abstraction.lookahead import won_nearby
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.logic.denotation import Reading
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.system import System
from gnomon.text.record import replace
from tests.abstraction import States, Within
from tests.contract.test_games import game, prying, wishes
from tests.counting import (
    arena,
    counting_system,
    exact_partition,
    random_partition,
    without_bounds,
)
from tests.fairness import fairly
from tests.oracle import Oracle, TooMany
from tests.systems import random_bounded, random_formula
from tests.window import Shapes, Truth, Window

#: More strategies than this are not listed.
_MOST = 3_000


@dataclasses.dataclass
class Groping(States):
    """A partition of a finite system, against the oracle that lists uniform strategies."""

    #: Whether members have to know that their strategy wins.
    reading: Reading = "uniform"

    def uniform_labels(self) -> Iterator[tuple[f.Formula, ThreeValued, frozenset[step.State]]]:
        """Yield formulae with what cells and what the oracle say."""
        system = self.partition.system
        oracle = Oracle(system, self.reading)
        found = CellDenotation(CellAlgebra(self.space), self.reading, system.fairness)
        for formula in self.formulae:
            try:
                truth = oracle.states(formula)
            except TooMany:
                continue
            yield formula, found.states(formula), truth

    def compare_uniform_labels(self) -> None:
        """Let no label be wrong where members of coalitions act on what they see."""
        for formula, label, truth in self.uniform_labels():
            for state in self.oracle.universe:
                wrong = label.false if state in truth else label.true
                self.expect(not self.is_in(wrong, state), "uniform", formula, state)

    def compare_ahead(self) -> None:
        """Let what follows single states not show what is not so."""
        system = self.partition.system
        oracle = Oracle(system, self.reading)
        found = CellDenotation(CellAlgebra(self.space), self.reading, system.fairness)
        for formula in self.formulae:
            game = found.game(formula) if isinstance(formula, f.Enforces) else None
            if game is None or not isinstance(formula, f.Enforces):
                continue
            try:
                truth = oracle.states(formula)
            except TooMany:
                continue
            for state in self.oracle.universe:
                if state in truth:
                    self.expect(found.refutation(formula, state) is None, "lost", formula, state)
                elif not system.fairness:
                    members, frame = formula.group.members, found.frame()
                    starts = starts_of(frame, found.algebra, members, self.reading)
                    states = starts.all_alike(state)
                    won = states and won_nearby(found.algebra, members, game, states)
                    self.expect(not won, "won", formula, state)

    def compare_uniform_verdicts(self, rounds: int) -> int:
        """Let definite verdicts be right, and return how many there are."""
        system = self.partition.system
        denote = partial(CellDenotation, strategies=self.reading, fairness=system.fairness)
        decider = AbstractionRefinement(denote, self.partition, self.formulae, most_rounds=rounds)
        oracle, definite = Oracle(system, self.reading), 0
        for formula in self.formulae:
            decision = decider.decide(formula)
            if decision.value == "undefined":
                continue
            try:
                truth = oracle.states(formula)
            except TooMany:
                continue
            definite += 1
            expected = "true" if oracle.initial & oracle.universe <= truth else "false"
            self.expect(decision.value == expected, decision.value, formula)
            start = decision.start
            counts = start is None or start in (oracle.initial & oracle.universe) - truth
            self.expect(counts, "holds there", formula, start)
        return definite

    def count_open(self) -> tuple[int, int]:
        """Return in how many states formulae are open, and of how many."""
        counts = [
            not self.is_in(label.true, state) and not self.is_in(label.false, state)
            for _, label, _ in self.uniform_labels()
            for state in self.oracle.universe
        ]
        return sum(counts), len(counts)


@dataclasses.dataclass
class GropingWindow(Window):
    """A window in which members of coalitions act on what they see, by listing their strategies."""

    reading: Reading = "uniform"

    def _truth(self, formula: f.Formula) -> Truth:
        match formula:
            case f.Enforces(f.Group(()), _):
                return super()._truth(formula)
            case f.Enforces(group, path):
                found = [self._by(each, path) for each in self._strategies(group.members)]
                if self.reading == "uniform-subjective":
                    found = [self._knowingly(each, group.members) for each in found]
                nothing: Shapes = frozenset()
                low = nothing.union(*(each.low for each in found))
                return Truth(low, nothing.union(*(each.high for each in found)))
            case _:
                return super()._truth(formula)

    def _knowingly(self, won: Truth, members: tuple[str, ...]) -> Truth:
        """Return where a strategy wins from all that some member takes for possible."""
        low, high = won
        for name in members:
            known = self._everywhere(partial(self._view, name), won)
            low, high = low & known.low, high & known.high
        return Truth(low, high)

    def _strategies(self, members: tuple[str, ...]) -> Iterator[dict[tuple[str, step.State], str]]:
        allowed: dict[tuple[str, step.State], set[str]] = {}
        for name in dict.fromkeys(members):
            agent = self.system.agent(name)
            for state in self._explored:
                sight = (name, step.view(self.system, agent, state))
                enabled = set(step.enabled_actions(self.system, agent, state))
                allowed[sight] = allowed.get(sight, enabled) & enabled
        total = 1
        for options in allowed.values():
            total *= len(options)
        if not 0 < total <= _MOST:
            raise TooMany
        for chosen in product(*(sorted(options) for options in allowed.values())):
            yield dict(zip(allowed, chosen, strict=True))

    def _by(self, strategy: dict[tuple[str, step.State], str], path: f.Formula) -> Truth:
        names = dict.fromkeys(name for name, _ in strategy)
        places = {name: self.system.agent_index[name] for name in names}

        def leads(state: step.State, target: Shapes) -> bool:
            wanted = {
                name: strategy[name, step.view(self.system, self.system.agent(name), state)]
                for name in names
            }
            found = [
                targets
                for actions, targets in self._explored[state].items()
                if all(actions[places[name]] == action for name, action in wanted.items())
            ]
            return bool(found) and all(targets <= target for targets in found)

        return self._path(leads, path)


@dataclasses.dataclass
class GropingWithin(Within):
    """A partition of an unbounded system, against what can be seen of uniform strategies."""

    reading: Reading = "uniform"

    def compare_uniform(self) -> int:
        """Let neither labels nor what follows single states contradict the window; count what is definite."""
        found = CellDenotation(CellAlgebra(self.space), self.reading)
        window = GropingWindow(self.partition.system, *self.view, most=60, reading=self.reading)
        definite = 0
        for formula in self.formulae:
            label = found.states(formula)
            try:
                truth = window.truth(formula)
            except TooMany:
                continue
            for state in window.surely_reachable:
                true, false = self.is_in(label.true, state), self.is_in(label.false, state)
                false = false or (not true and found.fails_in(formula, state))
                definite += true or false
                self.expect(state in truth.high or not true, "true", formula, state)
                self.expect(state not in truth.low or not false, "false", formula, state)
        return definite


Games = TypeVar("Games", Groping, GropingWithin)


def read_as(reading: Reading, found: Games) -> Games:
    """Return the same, with coalitions read in some way."""
    found.reading = reading
    return found


# What is compared


def colours(rng: Random) -> System:
    """Return a game of colours, in which players may even be allowed what they cannot see."""
    return prying(rng, game(rng)) if rng.random() < 0.3 else game(rng)


def fair_colours(rng: Random) -> System:
    """Return such a game with fairness."""
    system = game(rng)
    told = {"p": "goal", "q": "bad", "r": "goal"}
    propositions = {name: system.propositions[other] for name, other in told.items()}
    here = Compare("<=", Read(ENVIRONMENT, "s"), Literal(rng.randint(0, 3)))
    propositions |= {**system.propositions, "r": here}
    return fairly(rng, dataclasses.replace(system, propositions=propositions), steps=0.0)


def dim(rng: Random) -> System:
    """Return two players who move a number, of which each may see nothing."""
    system = arena(rng)
    agents = tuple(
        replace(agent, sees=(), protocol=(), other=("a", "b"))
        if not agent.is_environment and rng.random() < 0.6
        else agent
        for agent in system.agents
    )
    return dataclasses.replace(system, agents=agents)


def _over(rng: Random, system: System, formulae: list[f.Formula]) -> Groping:
    told = [each.formula for each in system.fairness]
    if rng.random() < 0.3:
        return Groping(exact_partition(system), formulae)
    keep = (1.0, 1.0, 0.7)
    return Groping(random_partition(rng, system, [*formulae, *told], 0.1, keep), formulae)


def groping(rng: Random) -> Groping:
    """Return what players can do who see little of a game."""
    system = colours(rng)
    return _over(rng, system, [wishes(rng, system) for _ in range(2)])


def groping_fairly(rng: Random) -> Groping:
    """Return the same where only fair outcomes count."""
    if rng.random() < 0.3:
        system = fair_colours(rng)
        return _over(rng, system, [wishes(rng, system) for _ in range(2)])
    system = fairly(rng, dim(rng), steps=0.0)
    return _over(rng, system, [random_formula(rng, system, 1, "atl") for _ in range(2)])


def counting_blindly(rng: Random) -> Groping:
    """Return what becomes of numbers of which each player sees some, in ranges of one value, too."""
    system = rng.choice((dim, lambda rng: counting_system(rng, rng.choice((12, 24)))))(rng)
    formulae = [random_formula(rng, system, rng.choice((1, 1, 2)), "atl atl know") for _ in "ab"]
    return _over(rng, system, formulae)


def by_the_clock(rng: Random) -> Groping:
    """Return what players can do within so many steps, by themselves and inside other formulae."""
    make = rng.choice((groping, groping_fairly, counting_blindly))
    system = make(rng).partition.system
    return _over(rng, system, [_timely(rng, system) for _ in range(2)])


def _timely(rng: Random, system: System) -> f.Formula:
    """Return a formula in which a coalition enforces something with bounds."""
    names = sorted(system.propositions)

    def inner() -> f.Formula:
        found: f.Formula = f.Proposition(rng.choice(names))
        return f.Not(found) if rng.random() < 0.3 else found

    found: f.Formula = f.Constant(value=True)
    for _ in range(rng.choice((1, 1, 2))):
        group = rng.choice([each for each in system.groups.values() if each.members])
        inside = inner if isinstance(found, f.Constant) else partial(_itself, found)
        found = f.Enforces(group, random_bounded(rng, inside))
        match rng.randrange(8):
            case 0:
                found = f.Not(found)
            case 1:
                found = f.Or((inner(), found))
            case 2:
                found = f.Knows(group.members[0], found)
            case 3:
                found = rng.choice((f.All, f.Exists))(f.Next(found))
            case _:
                pass
    return found


def _itself(formula: f.Formula) -> f.Formula:
    return formula


def counting_blindly_without_bounds(rng: Random) -> GropingWithin:
    """Return the same for numbers without bounds."""
    bounded = rng.choice((dim, lambda rng: counting_system(rng, 12)))(rng)
    formulae = [random_formula(rng, bounded, rng.choice((1, 1, 2)), "atl") for _ in "ab"]
    system = without_bounds(rng, bounded)
    partition = random_partition(rng, system, formulae, 0.1, (1.0, 0.5))
    return GropingWithin(partition, formulae, view=(-1, 3))
