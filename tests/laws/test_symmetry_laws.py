"""Formulae of one orbit have one verdict, and agents that differ do not change places."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value
from gnomon.model import symmetry
from gnomon.model.agent import Agent
from gnomon.model.formula_orbits import FormulaOrbits
from gnomon.model.system import System
from tests.alike import random_alike
from tests.systems import examples, seeds


def alike(seed: int) -> System:
    """Return a random system of agents of which some are alike."""
    rng = Random(seed)
    system = load_text(random_alike(rng, rng.choice([2, 3, 3]))).system
    assert system is not None
    return system


def orbits_of(system: System) -> dict[object, list[int]]:
    """Return the places of the formulae of each orbit."""
    orbits = FormulaOrbits(system)
    found: dict[object, list[int]] = defaultdict(list)
    if orbits.symmetries:
        for place, each in enumerate(system.specifications):
            found[orbits.orbit(each.formula)].append(place)
    return found


def mixed_orbits(system: System) -> list[list[int]]:
    """Return the orbits in which the oracle finds two verdicts."""
    found = [places for places in orbits_of(system).values() if len(places) > 1]
    if not found:
        return []
    with patch("gnomon.checking.orbits.FormulaOrbits", Blind):
        answers = check(system, None, Options(engine="explicit"))
    values = [answer.value for answer in answers]
    assert set(values) <= {Value.TRUE, Value.FALSE}
    return [places for places in found if len({values[place] for place in places}) > 1]


@given(seed=seeds)
@examples(150)
def test_formulae_of_one_orbit_have_one_verdict(seed: int) -> None:
    assert [] == mixed_orbits(alike(seed))


def test_places_are_changed_often_and_not_always() -> None:
    kinds: dict[str, int] = defaultdict(int)
    merged = 0
    for seed in range(60):
        system = alike(seed)
        found = FormulaOrbits(system).symmetries
        kinds["none" if not found else "ring" if found[0].ring else "any"] += 1
        merged += any(len(places) > 1 for places in orbits_of(system).values())

    assert min(kinds["none"], kinds["ring"], kinds["any"]) >= 3
    assert merged >= 20


@given(seed=seeds)
@examples(100)
def test_a_check_says_the_same_with_and_without(seed: int) -> None:
    system = alike(seed)
    with patch("gnomon.checking.orbits.FormulaOrbits", Blind):
        alone = check(system)

    assert [answer.value for answer in check(system)] == [answer.value for answer in alone]


class Blind:
    """Sees no symmetry."""

    symmetries = ()

    def __init__(self, system: System) -> None:
        """Look at nothing."""


# Mistakes


def everywhere(*_: object) -> bool:
    """Accept every renaming."""
    return True


agent_shape = symmetry._Renamed.agent


def without_views(self: symmetry._Renamed, agent: Agent) -> int:
    """Take an agent for one that sees nothing of the environment."""
    blind = {name: getattr(agent, name) for name in agent.__match_args__} | {"sees": ()}
    return agent_shape(self, Agent(**blind))


MISTAKES = {
    "every renaming is accepted": (symmetry, "_maps_to_itself", everywhere),
    "lines are not looked at": (symmetry._Renamed, "_line", lambda *_: 0),
    "conditions are not looked at": (symmetry._Renamed, "_made", lambda *_: 0),
    "views are not looked at": (symmetry._Renamed, "agent", without_views),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(name: str) -> None:
    owner, attribute, instead = MISTAKES[name]
    with patch.object(owner, attribute, instead):
        assert any(mixed_orbits(alike(seed)) for seed in range(150))


#: Who is marked went together with the next one, who has left a mark as well.
RING = """
Semantics = SingleAssignment;
Agent Environment
  Vars: {seats} end Vars
  Actions = {{tick}};
  Protocol: Other : {{tick}}; end Protocol
  Evolution: {marks} end Evolution
end Agent
{players}
Evaluation {names} end Evaluation
InitStates {initial}; end InitStates
Formulae {asked} end Formulae
"""
PLAYER = """
Agent Player{i}
  Vars: x : boolean; end Vars
  Actions = {{go, stay}};
  Protocol: Other : {{go, stay}}; end Protocol
  Evolution: x = true if Action = go and Player{after}.Action = go; end Evolution
end Agent
"""


def ring(size: int) -> System:
    """Return so many players in a ring, and ask of each pair whether one mark needs the other."""
    all_of_them = range(size)
    system = load_text(
        RING.format(
            seats=" ".join(f"seat{i} : boolean = false;" for i in all_of_them),
            marks=" ".join(f"seat{i} = true if Player{i}.Action = go;" for i in all_of_them),
            players="".join(PLAYER.format(i=i, after=(i + 1) % size) for i in all_of_them),
            names=" ".join(
                f"p{i} if Player{i}.x = true; q{i} if Environment.seat{i} = true;"
                for i in all_of_them
            ),
            initial=" and ".join(f"Player{i}.x = false" for i in all_of_them),
            asked=" ".join(f"AG (p{i} -> q{j});" for i in all_of_them for j in all_of_them),
        )
    ).system
    assert system is not None
    return system


def test_in_a_ring_it_counts_how_far_away_somebody_is() -> None:
    assert sorted(orbits_of(ring(4)).values()) == [
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ]
    assert [] == mixed_orbits(ring(4))
    assert [str(answer.value)[0] for answer in check(ring(3))] == [*"ttf", *"ftt", *"tft"]


def test_a_ring_is_no_crowd() -> None:
    with patch.object(symmetry.Symmetry, "to_the_front", crowd):
        assert mixed_orbits(ring(4))


def crowd(self: symmetry.Symmetry, order: Iterable[int]) -> dict[int, int]:
    """Let any two of a ring change places."""
    told = [*dict.fromkeys([*order, *self.family.numbers])]
    return dict(zip(told, self.family.numbers, strict=True))


def test_an_order_of_values_is_none_to_change() -> None:
    """Numbers in values that are compared as numbers do not change places."""
    text = RING.format(
        seats="least : 0..2 = 0;",
        marks=" ".join(f"least = {i} if Player{i}.Action = go and least > {i};" for i in range(3)),
        players="".join(PLAYER.format(i=i, after=(i + 1) % 3) for i in range(3)),
        names="none if Environment.least = 0;",
        initial=" and ".join(f"Player{i}.x = false" for i in range(3)),
        asked="AG none;",
    )
    system = load_text(text).system
    assert system is not None
    assert not FormulaOrbits(system).symmetries


def test_of_very_many_families_some_are_looked_at() -> None:
    """Each takes a look at the whole system, so that a file could make that as long as it likes."""
    letters = "abcdefghij"
    agents = "".join(
        f"Agent {one}{two}{number} Actions = {{go}}; Protocol: Other : {{go}}; end Protocol end Agent\n"
        for place, (one, two) in enumerate(product(letters, letters))
        for number in (place, place + 1)
    )
    system = load_text(
        "Agent Environment Vars: on : boolean; end Vars end Agent\n"
        f"{agents} InitStates Environment.on = true; end InitStates\n"
        "Formulae EF Environment.on = true; end Formulae"
    ).system
    assert system is not None
    with patch.object(symmetry, "_maps_to_itself", return_value=False) as looked:
        assert not FormulaOrbits(system).symmetries
    assert looked.call_count <= symmetry._MOST_FAMILIES
