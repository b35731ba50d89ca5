"""Where members of a crowd are counted, all is as where states are listed one by one."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.engines.counting import counted_space, layout, moves, starts
from gnomon.engines.counting.counted_sets import CountedSets
from gnomon.engines.counting.counted_space import CountedViews
from gnomon.engines.counting.meeting import Meeting
from gnomon.model import kept_apart, symmetry
from gnomon.model.crowd import AlikeCrowd
from tests.counted import Differs, compare, crowd_system, seats
from tests.systems import examples, seeds


@given(seed=seeds)
@examples(40)
def test_counting_is_listing(seed: int) -> None:
    compare(crowd_system(seed))


def test_what_all_of_a_crowd_know_is_not_what_one_knows() -> None:
    compare(seats())


@pytest.mark.slow
def test_what_counting_treats_in_ways_of_its_own_occurs() -> None:
    census = Counter[str]()
    for seed in range(50):
        compare(crowd_system(seed), census)

    rare = {
        each: census[each]
        for each in (
            *("pointing", "no crowd", "refused", "fair", "somebody kept apart", "deadlocks"),
            *("overflows", "here and not there", "fewer", "True", "False"),
            *("K(", "GK(", "GCK(", "DK(", "<all>", "<both>", "<Watcher>", "<Player", "EG", "AF"),
        )
        if census[each] < 2
    }
    assert not rare, census
    assert census["compared"] > 160


# Mistakes


def first_of_each(self: CountedViews, *given: Any) -> None:
    """Let two states look alike only where those that stand for them do."""
    space, variables = given
    LOOK(self, space, variables)
    positions = [
        space.layout.system.position[read.agent, read.variable]
        for read in sorted(variables, key=repr)
    ]
    numbers: dict[object, int] = {}
    self.class_of, self.members = [], []
    for number, state in enumerate(space.states):
        view = numbers.setdefault(tuple(state[at] for at in positions), len(self.members))
        if view == len(self.members):
            self.members.append([])
        self.members[view].append(number)
        self.class_of.append(view)
    self.weights = [1] * len(self.members)


LOOK = CountedViews.__init__


def in_one_way(counts: Iterable[int]) -> int:
    del counts
    return 1


def one_each(counts: Iterable[int]) -> int:
    return len(list(counts))


def anything(*_: object) -> bool:
    return True


def nobody(*_: object) -> frozenset[int]:
    return frozenset()


def as_they_are(self: CountedSets, states: frozenset[int]) -> frozenset[int]:
    del self
    return states


def all_alike(self: Meeting, cell: tuple[int, ...], *_: object) -> list[list[int]]:
    """Let nobody outside the crowd tell its members apart."""
    del self
    return [list(cell)]


def not_parted(cell: tuple[int, ...], done: object) -> list[tuple[int, ...]]:
    """Take members of a cell for alike whatever they do."""
    del done
    return [cell]


def not_singled_out(cells: layout.AlikeCells, member: int) -> layout.AlikeCells | None:
    """Take whom an action is about for one like the others."""
    return cells if any(cell[0] == member for cell in cells) else None


def all_do_the_same(cell: Iterable[Any], size: int) -> Iterable[tuple[Any, ...]]:
    """Let all of a cell do the same."""
    return [(each,) * size for each in cell]


def untouched(self: Meeting, *_: object) -> bool:
    del self
    return False


def every_coalition(self: AlikeCrowd, agents: Collection[str]) -> bool:
    """Take any agents for ones that change places with nobody."""
    del self, agents
    return True


#: A class or a module, a name in it, and what stands there instead.
MISTAKES: dict[str, list[tuple[Any, str, Any]]] = {
    "states weigh one": [(counted_space, "ways", in_one_way)],
    "states weigh as many blocks as there are": [(counted_space, "ways", one_each)],
    "conditions on single members are taken": [(AlikeCrowd, "leaves_alone", anything)],
    "nobody is kept apart": [
        (kept_apart, "_rare", lambda *_: ()),
        (AlikeCrowd, "leaves_alone", anything),
        (AlikeCrowd, "leaves_agents_alone", every_coalition),
    ],
    "alike is between those that stand for others": [(CountedViews, "__init__", first_of_each)],
    "fairness to one is fairness to all": [(CountedSets, "_for_each", as_they_are)],
    "what one of a crowd confuses is all they confuse": [(CountedSets, "_for_some", as_they_are)],
    "others tell nobody apart": [(Meeting, "_told_apart", all_alike)],
    "others change nothing": [(Meeting, "_is_touched", untouched)],
    "actions tell nobody apart": [(moves, "_parted", not_parted)],
    "who is called is one like the others": [(moves, "_singled_out", not_singled_out)],
    "all of a cell do the same": [(moves, "combinations_with_replacement", all_do_the_same)],
    "all start alike": [(starts, "combinations_with_replacement", all_do_the_same)],
    "every renaming is accepted": [(symmetry, "_maps_to_itself", anything)],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(name: str) -> None:
    patches = [patch.object(*each) for each in MISTAKES[name]]
    for each in patches:
        each.start()
    try:
        assert any(map(goes_wrong, range(-1, 150)))
    finally:
        for each in patches:
            each.stop()


def goes_wrong(seed: int) -> bool:
    symmetry._LAST[0] = (None, ())
    try:
        compare(seats() if seed < 0 else crowd_system(seed))
    except (Differs, KeyError, IndexError):
        return True
    finally:
        symmetry._LAST[0] = (None, ())
    return False
