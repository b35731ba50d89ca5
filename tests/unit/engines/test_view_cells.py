"""Models that a strategy leaves, as cells: nothing that was worked out for the one is taken for the other."""

from random import Random

import pytest

from gnomon.engines.abstraction.attractors import EVERY_PATH, SOME_PATH
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.engines.abstraction.view_cells import ViewCells, acting_otherwise
from tests.abstraction import playing


@pytest.mark.parametrize("seed", range(5))
def test_nothing_that_may_change_is_shared(seed: int) -> None:
    space = playing(Random(seed)).space
    other = acting_otherwise(space, (), {})

    shared = {
        name
        for name, value in vars(space).items()
        if isinstance(value, dict | list | set) and vars(other).get(name) is value
    }
    assert not shared


@pytest.mark.parametrize("seed", range(20))
def test_what_holds_in_one_model_is_not_taken_for_the_other(seed: int) -> None:
    found = playing(Random(seed))
    space = found.space
    members = [agent.name for agent in space.system.agents if agent.actions]
    views = ViewCells(space, members[:1])
    sights = list(views.new(space.reachable, ()))
    choices = {sight: views.options(sight)[0] for sight in sights if views.options(sight)}
    whole, alone = CellAlgebra(space), CellAlgebra(playing(Random(seed)).space)
    pruned = views.pruned(whole, choices)
    within = space.initial.may
    for player in (EVERY_PATH, SOME_PATH):
        pruned.confine(player, space.diagrams.false, within)
        after = whole.confine(player, space.diagrams.false, within)
        fresh = alone.confine(player, alone.space.diagrams.false, alone.space.initial.may)
        assert space.count(after) == alone.space.count(fresh)
