"""Coalitions that act on what they see inside other operators, on random games."""

from random import Random

from gnomon.logic.denotation import Reading
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model import formula as f
from gnomon.model.system import System
from tests.contract.compare import ENGINES, concrete
from tests.contract.test_games import game, prying, unfair_at_times, wishes
from tests.oracle import Oracle, TooMany
from tests.systems import random_bounded

READINGS: tuple[Reading, ...] = ("uniform", "uniform-subjective")


def nested_game(rng: Random) -> System:
    """Return a game, at times one whose protocols pry or whose outcomes do not all count."""
    system = game(rng)
    if rng.random() < 0.3:
        system = prying(rng, system)
    if rng.random() < 0.25:
        bad, goal = f.Proposition("bad"), f.Proposition("goal")
        system = unfair_at_times(rng, system, [bad, f.Not(bad), f.Not(goal)])
    return system


def nested(rng: Random, system: System, depth: int) -> f.Formula:
    """Return a formula of so many operators, one inside the other, mostly around coalitions."""
    if depth == 0:
        if rng.random() < 0.3:
            return f.Proposition(rng.choice(("goal", "bad")))
        return wishes(rng, system, bounded=rng.random() < 0.1)
    one, other = (nested(rng, system, depth - 1) for _ in range(2))
    group = system.groups[rng.choice(("both", "one"))]
    unary = rng.choice((f.Next, f.Finally, f.Globally))(one)
    binary = rng.choice((f.Until, f.WeakUntil, f.Release))(one, other)
    timed = random_bounded(rng, lambda: rng.choice((one, other)))
    path = timed if rng.random() < 0.1 else rng.choice((unary, binary))
    kind = rng.choice(("everybody", "common", "distributed"))
    plain = (f.Not(one), f.And((one, other)), f.Or((one, other)), f.Implies(one, other))
    known = (f.Knows(rng.choice("PQ"), one), f.GroupKnows(kind, group, one))  # type: ignore[arg-type]
    temporal = (f.All(path), f.Exists(path), f.Enforces(group, path))
    return rng.choice(
        (
            rng.choice((*plain, f.Iff(one, other))),
            rng.choice(known),
            *temporal,
            rng.choice(temporal),
        )
    )


class Nesting:
    """One engine and the oracle: verdicts, and the states among some in which formulae hold."""

    def __init__(self, engine: str, system: System, reading: Reading) -> None:
        """Let both get ready."""
        self.system, self.reading = system, reading
        self.oracle = Oracle(system, reading)
        self.algebra = ENGINES[engine](system)

    def on(self, formula: f.Formula, rng: Random) -> bool:
        """Compare what is asked first of a formula, in three ways; return whether the oracle could tell."""
        try:
            expected = self.oracle.states(formula)
            holds = self.oracle.holds(formula)
        except TooMany:
            return False
        text = f.show_formula(formula)
        assert self._afresh().holds(formula) == holds, text
        truth = self._afresh()
        universe = truth.frame().universe
        some = frozenset(s for s in concrete(self.algebra, universe) if rng.random() < 0.3)
        asked = self.algebra.empty
        for state in some:
            asked = self.algebra.union(asked, self.algebra.only(state))
        found = concrete(self.algebra, truth.states_within(formula, asked))
        assert found == some & expected, text
        # And what was learnt does not mislead.
        assert truth.holds(formula) == holds, text
        assert concrete(self.algebra, truth.states_within(formula, universe)) == expected, text
        return True

    def _afresh(self) -> Satisfaction[object]:
        return Satisfaction(self.algebra, self.system.fairness, self.reading)
