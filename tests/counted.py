"""Counted states beside those that are listed one by one: sets, numbers of states, views, verdicts."""

from collections import Counter
from random import Random

from gnomon.checking.counted_truth import CountedTruth
from gnomon.checking.load import load_text
from gnomon.engines.counting.counted_sets import CountedSets
from gnomon.engines.counting.counted_space import CountedSpace
from gnomon.engines.counting.work import WorkLeft
from gnomon.engines.explicit.engine import ExplicitAlgebra, explore
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Budget, TryAnother, Unsuited
from gnomon.model.crowd import AlikeCrowd
from gnomon.model.kept_apart import kept_apart
from gnomon.model.symmetry import symmetries
from gnomon.model.system import Specification, System
from tests.crowds import random_crowd

#: Larger systems are left out: there it takes long to list the states.
_MOST_STATES = 1_000
_ENOUGH = 10_000_000


#: Each sees one seat, and whoever sees an empty one knows that not all are taken.
SEATS = """
Agent Environment
  Vars: seat1 : 0..1; seat2 : 0..1; seat3 : 0..1; end Vars
  Actions = {{tick}};
  Protocol: Other : {{tick}}; end Protocol
end Agent
{players}
Evaluation
  full if Environment.seat1 = 1 and Environment.seat2 = 1 and Environment.seat3 = 1;
  one if Environment.seat1 + Environment.seat2 + Environment.seat3 = 1;
end Evaluation
InitStates Player1.x = true and Player2.x = true and Player3.x = true; end InitStates
Groups all = {{Player1, Player2, Player3}}; end Groups
Formulae {asked}; end Formulae
"""
_ASKED = """EF GK(all, !full); GK(all, !full); GCK(all, !full); DK(all, !full); EF DK(all, one);
  GK(all, !one); K(Player2, !full); EF K(Player2, one)"""
_PLAYER = """
Agent Player{i}
  Lobsvars = {{seat{i}}};
  Vars: x : boolean; end Vars
  Actions = {{stay}};
  Protocol: Other : {{stay}}; end Protocol
end Agent
"""


def seats(asked: str = _ASKED) -> System:
    """Return the system in which it is seats that are seen."""
    players = "".join(_PLAYER.format(i=i) for i in (1, 2, 3))
    return loaded(SEATS.format(players=players, asked=asked))


class Differs(AssertionError):
    """Counting says something else than listing."""


def loaded(text: str) -> System:
    """Return the system of a program that is right."""
    found = load_text(text)
    assert found.system is not None, [str(each) for each in found.diagnostics]
    return found.system


def crowd_system(seed: int) -> System:
    """Return a random system of a crowd."""
    rng = Random(seed)
    return loaded(random_crowd(rng, rng.choice([2, 3, 3, 4])))


def compare(system: System, census: Counter[str] | None = None) -> None:
    """Raise `Differs` where counting says something else about the formulae of a system than listing."""
    seen = Counter[str]() if census is None else census
    seen["systems"] += 1
    families = [each.family for each in symmetries(system) if not each.ring]
    if not families:
        seen["no crowd"] += 1
        return
    [family] = families[:1]
    seen["pointing"] += any(kind == "number" for kind, _, _ in family.places)
    try:
        listed = explore(system, Budget(states=_MOST_STATES))
    except TryAnother:
        seen["large"] += 1
        return
    spaces: dict[frozenset[int], CountedSpace] = {}
    for asked in system.specifications:
        named = kept_apart(system, family, asked.formula)
        if len(family.numbers) - len(named) < 2:
            seen["all are named"] += 1
            continue
        whole = AlikeCrowd(system, family, named)
        for apart in (named, named | {whole.members[-1]}):
            try:
                if apart not in spaces:
                    counted = AlikeCrowd(system, family, apart)
                    spaces[apart] = CountedSpace(counted, Budget(), WorkLeft(_ENOUGH), _ENOUGH)
                algebra = CountedSets(spaces[apart], whole)
                compare_formula(algebra, listed, asked, seen)
            except Unsuited as why:
                seen["refused"] += 1
                seen[f"refused: {str(why).split('`')[0]}"] += 1


def compare_formula(
    algebra: CountedSets, listed: ExplicitAlgebra, asked: Specification, seen: Counter[str]
) -> None:
    """Compare what counting and listing say about one formula, state by state."""
    system, space = listed.system, algebra.space
    truth, expected = CountedTruth(algebra, system.fairness), Satisfaction(listed, system.fairness)
    found = truth.states(asked.formula, asked.logic)
    wanted = expected.states(asked.formula, asked.logic)
    for name in ("reachable", "initial", "deadlocks", "overflows"):
        left, right = algebra.count(getattr(algebra, name)), listed.count(getattr(listed, name))
        _same(left == right, f"{left} {name}, and there are {right}")
    there = {n for n in listed.reachable if space.number(listed.space.state(n)) in found}
    _same(there == wanted, f"`{asked.text}` in {len(there)} states, and it is in {len(wanted)}")
    value = truth.holds(asked.formula, asked.logic)
    _same(value == expected.holds(asked.formula, asked.logic), f"`{asked.text}` is {value}")
    for agent in system.agents:
        try:
            views = algebra.views((agent.name,), algebra.reachable)
        except Unsuited:
            continue
        _same(views == listed.views((agent.name,), listed.reachable), f"{views} views")
    seen["compared"] += 1
    seen[str(value)] += 1
    seen["fair"] += bool(system.fairness)
    seen["somebody kept apart"] += bool(algebra.whole.apart)
    seen["deadlocks"] += bool(algebra.deadlocks)
    seen["overflows"] += bool(algebra.overflows)
    seen["here and not there"] += 0 < len(wanted) < len(listed.reachable)
    seen["fewer"] += len(space.counted) < len(listed.reachable)
    for operator in (
        "K(",
        "GK(",
        "GCK(",
        "DK(",
        "<all>",
        "<both>",
        "<Watcher>",
        "<Player",
        "EG",
        "AF",
    ):
        seen[operator] += operator in asked.text


def _same(agrees: bool, said: str) -> None:
    if not agrees:
        raise Differs(said)
