"""What coalitions enforce where one event happens at a time: random systems, and what cells must not say."""

from functools import cached_property
from random import Random

from gnomon.engines.abstraction.partition import Partition
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import IntegerRange
from gnomon.model.expression import TRUE, And, Compare, Does, Expression, Literal, Or, Read, Sum
from gnomon.model.fragment import coalition_members
from gnomon.model.scheduled import as_written, scheduled
from gnomon.model.system import System
from tests.abstraction import States, Within
from tests.counting import random_partition, without_bounds
from tests.fairness import fairly
from tests.systems import random_formula, random_system
from tests.window import Shape, Shapes, Window

#: What both of two agents can do, so that they meet in it; and each alone.
_SHARED = ("m", "n")
_OWN = {"P": ("a", "b"), "Q": ("c",)}
_OPERATORS = ("atl", "atl atl ctl", "bool ctl know norm atl atl")


class EventWindow(Window):
    """What is seen of an interleaved system without bounds: members choose actions, and may all wait."""

    def _choices(self, shape: Shape, members: tuple[str, ...]) -> list[Shapes]:
        system, after = self.system, self._explored[shape]
        if not members:
            return super()._choices(shape, members)
        found: list[Shapes] = []
        for choice in _chosen(system, shape, members):
            results: Shapes = frozenset()
            for actions in step.completions(system, shape, choice):
                results |= after.get(actions, {shape})
            found.append(results)
        return found if after else []


def _chosen(system: System, shape: Shape, members: tuple[str, ...]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = [{}]
    for name in dict.fromkeys(members):
        able = step.enabled_actions(system, system.agent(name), shape)
        found = [each | {name: action} for each in found for action in able]
    return found


class EventsWithin(Within):
    """A partition of an unbounded system, against what is seen of the interleaved one."""

    @cached_property
    def window(self) -> Window:
        """What is seen."""
        return EventWindow(as_written(self.partition.system), *self.view, most=120)


def by_choices(rng: Random) -> States:
    """Return what coalitions enforce where one event happens at a time, perhaps on fair outcomes only."""
    system = random_system(rng, largest=rng.choice((12, 24)), interleaved=True)
    system = _perhaps_fair(rng, system)
    formulae = _wishes(rng, system, 3)
    return States(_cells(rng, system, formulae), formulae)


def bargaining(rng: Random) -> States:
    """Return the same of two agents whose numbers run out."""
    system = _perhaps_fair(rng, bargain(rng))
    formulae = _wishes(rng, system, 3)
    return States(_cells(rng, system, formulae), formulae)


def bargaining_without_bounds(rng: Random) -> EventsWithin:
    """Return the same of numbers without bounds."""
    bounded = bargain(rng)
    formulae = _wishes(rng, bounded, 2)
    return EventsWithin(_cells(rng, without_bounds(rng, bounded), formulae), formulae)


def _perhaps_fair(rng: Random, system: System) -> System:
    return fairly(rng, system, steps=0.0) if rng.random() < 0.4 else system


def _wishes(rng: Random, system: System, count: int) -> list[f.Formula]:
    operators = rng.choice(_OPERATORS)
    return [random_formula(rng, system, rng.choice((1, 1, 2)), operators) for _ in range(count)]


def _cells(rng: Random, system: System, formulae: list[f.Formula]) -> Partition:
    told = [each.formula for each in system.fairness]
    written_out = scheduled(system, coalition_members(formulae))
    return random_partition(rng, written_out, [*formulae, *told], 0.2, (1.0, 1.0, 0.7, 0.3))


def bargain(rng: Random) -> System:
    """Return two agents with a number each, who do some things together and some alone."""
    last = rng.randint(2, 4)
    agents = [_bargainer(rng, name, last) for name in "PQ"]
    reads = [Read(name, "n") for name in "PQ"]
    named = {name: _about(rng, rng.choice(reads)) for name in "pqr"}
    together = f.Group(("P", "Q"), "g")
    one = f.Group((rng.choice("PQ"),), "h")
    world = Agent(ENVIRONMENT, (), ())
    start = rng.choice((TRUE, _about(rng, reads[0])))
    return System(
        "bargain", (world, *agents), start, "Interleaved", named, {"g": together, "h": one}
    )


def _bargainer(rng: Random, name: str, last: int) -> Agent:
    own = Read(name, "n")
    actions = (*rng.sample(_SHARED, rng.choice((1, 2))), *_OWN[name][: rng.choice((0, 1, 2))])
    lines: list[EvolutionLine] = []
    for action in actions:
        for _ in range(rng.choice((0, 1, 1, 2))):
            by = rng.choice((-1, -1, 1))
            guard: list[Expression] = [Does(name, action)]
            if rng.random() < 0.8:
                guard.append(Compare("<>", own, Literal(0 if by < 0 else last)))
            if rng.random() < 0.3:
                guard.append(_about(rng, own))
            change = Assignment("n", Sum((own, Literal(by))))
            lines.append(EvolutionLine((change,), And(tuple(guard)), len(lines) + 1))
    some = [
        ProtocolLine(_about(rng, own), tuple(rng.sample(actions, rng.randint(0, len(actions)))))
        for _ in range(rng.choice((0, 1, 2)))
    ]
    other = rng.choice((None, actions, actions, actions[:1]))
    if not some and other is None:
        other = actions
    return Agent(
        name,
        (Variable(name, "n", IntegerRange(0, last)),),
        actions,
        tuple(some),
        other,
        tuple(lines),
    )


def _about(rng: Random, number: Read) -> Expression:
    cut = Compare(rng.choice(("<", ">=", "<=", "=")), number, Literal(rng.randint(0, 2)))
    return Or((cut, Compare("=", number, Literal(3)))) if rng.random() < 0.2 else cut
