"""The border of a monotone property, found by asking about few groups."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import given

from gnomon.campaign.border import BorderSearch, WholeSearch
from gnomon.checking.verdict import Value
from gnomon.results.groups import (
    Direction,
    GroupAnswer,
    GroupSurvey,
    all_groups,
    maximal,
    minimal,
)
from tests.systems import examples, seeds


def survey(
    agents: int,
    holds: Callable[[int], bool | None],
    direction: Direction | None = "up",
    most: int = 16,
    largest: int | None = None,
) -> GroupSurvey:
    """Return what a search finds out by asking an oracle, so many groups at a time."""
    largest = largest or agents
    groups = all_groups(agents, largest)
    search = WholeSearch(groups) if direction is None else BorderSearch(groups, direction)
    answers: list[GroupAnswer] = []
    while asked := search.ask(most):
        for group in asked:
            found = holds(group)
            search.tell(group, holds=found)
            value = {True: Value.TRUE, False: Value.FALSE, None: Value.UNKNOWN}[found]
            answers.append(GroupAnswer(group, value, found, str(group)))
    names = tuple("ABCDEFGHIJ"[:agents])
    return GroupSurvey("enforces", "", names, largest, direction, tuple(answers))


def random_border(rng: Random, agents: int) -> list[int]:
    """Return some groups of which none has another in it."""
    some = [rng.randrange(1, 1 << agents) for _ in range(rng.choice((0, 1, 1, 2, 3, 5)))]
    return minimal(some)


def is_above(border: list[int], group: int) -> bool:
    """Return whether one of these groups is in another."""
    return any(group & each == each for each in border)


@given(seeds)
@examples(200)
def test_every_group_is_settled_as_if_each_had_been_asked(seed: int) -> None:
    rng = Random(seed)
    agents = rng.randint(1, 6)
    border = random_border(rng, agents)
    up = rng.random() < 0.5

    def holds(group: int) -> bool:
        return is_above(border, group) == up

    found = survey(
        agents, holds, "up" if up else "down", rng.choice((1, 2, 16)), rng.randint(1, agents)
    )
    has = [group for group in found.groups if holds(group)]
    lacks = [group for group in found.groups if not holds(group)]

    assert [found.standing(group) for group in found.groups] == list(map(holds, found.groups))
    assert {*(found.holding if up else found.failing)} == {*minimal(has if up else lacks)}
    # All together may be named although they are too many: that says more.
    largest = {*(found.failing if up else found.holding)}
    assert largest in ({*maximal(lacks if up else has)}, {(1 << agents) - 1})
    assert all(found.is_certain(group) for group in (*found.holding, *found.failing))
    assert not found.open


@given(seeds)
@examples(200)
def test_what_nobody_knows_settles_nothing_else(seed: int) -> None:
    rng = Random(seed)
    agents = rng.randint(1, 5)
    border = random_border(rng, agents)
    dark = {group for group in range(1, 1 << agents) if rng.random() < 0.3}

    truth = partial(is_above, border)

    found = survey(agents, lambda group: None if group in dark else truth(group))

    for group in found.groups:
        assert found.standing(group) in (truth(group), None)
        assert found.standing(group) is not None or group in dark
    for group in (*found.holding, *found.failing):
        inside = [each for each in found.groups if each & group == each != group]
        around = [each for each in found.groups if each & group == group != each]
        beyond = inside if truth(group) else around
        if found.is_certain(group):
            assert all(truth(each) != truth(group) for each in beyond)
        else:
            assert any(found.standing(each) is None for each in beyond)


def test_where_nobody_can_one_question_is_enough() -> None:
    found = survey(10, lambda _: False)

    assert found.asked == 1
    assert found.failing == (0b1111111111,)


def test_every_group_at_the_border_is_asked_about_and_few_others() -> None:
    """One pair and one other agent of ten: the border has three groups, and there are 1,023."""

    def holds(group: int) -> bool:
        return group & 0b11 == 0b11 or bool(group & 0b100)

    found = survey(10, holds)

    assert found.holding == (0b100, 0b11)
    assert len(found.failing) == 2
    assert found.asked <= 25


@pytest.mark.parametrize(("most", "questions"), [(1, 24), (2, 25), (4, 33), (16, 34)])
def test_few_at_a_time_ask_less_and_many_hardly_more(most: int, questions: int) -> None:
    """Of 255 groups; the border has eight of them, on average."""
    rng = Random(1)
    borders = [random_border(rng, 8) for _ in range(20)]
    asked = sum(survey(8, partial(is_above, border), most=most).asked for border in borders)

    assert asked <= 20 * questions


def test_without_monotonicity_every_group_is_asked_about() -> None:
    found = survey(3, lambda group: group == 0b001, direction=None)

    assert found.asked == 7
    assert found.holding == (0b001,)
    assert found.exceptions == (0b001,)
    assert found.standing(0b111) is False
