from itertools import product

import pytest

from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, cut, near, point

ENDS = (None, -3, -1, 0, 2, 3)
INTERVALS = [Interval(low, high) for low, high in product(ENDS, ENDS)]
SOME = [interval for interval in INTERVALS if not interval.empty]
FACTORS = range(-3, 4)
#: Far enough for all ends above and their products.
FAR = range(-60, 61)


def members(interval: Interval, among: range = FAR) -> set[int]:
    return {
        number
        for number in among
        if (interval.low is None or interval.low <= number)
        and (interval.high is None or number <= interval.high)
    }


def test_an_interval_is_empty_if_it_has_no_member() -> None:
    for interval in INTERVALS:
        assert (not members(interval)) == interval.empty


def test_intervals_meet_if_they_share_a_member() -> None:
    for one, two in product(INTERVALS, INTERVALS):
        if not one.empty:
            assert bool(members(one) & members(two)) == one.meets(two), (one, two)


def test_an_interval_is_inside_another_that_has_all_its_members() -> None:
    for one, two in product(SOME, INTERVALS):
        assert (members(one) <= members(two)) == one.inside(two), (one, two)


def test_a_point_has_one_member() -> None:
    for interval in SOME:
        only = members(interval)
        assert (only == {interval.point}) == (interval.point is not None)
    assert Interval(2, 2) == point(2)


def test_a_sum_has_exactly_the_sums_of_members() -> None:
    near_ = range(-12, 13)
    for one, two in product(SOME, SOME):
        sums = {a + b for a in members(one) for b in members(two)}
        assert sums & set(near_) == members(one.plus(two), near_), (one, two)


def test_multiples_are_inside_and_the_ends_are_multiples() -> None:
    for interval, factor in product(SOME, FACTORS):
        found = interval.times(factor)
        multiples = {factor * number for number in members(interval)}
        assert all(point(number).inside(found) for number in multiples)
        assert {found.low, found.high} - {None} <= multiples


def test_products_are_inside() -> None:
    for one, two in product(SOME, SOME):
        found = one.product(two)
        for a, b in product(members(one, range(-6, 7)), members(two, range(-6, 7))):
            assert point(a * b).inside(found), (one, two)


def test_products_of_bounded_intervals_reach_both_ends() -> None:
    bounded = [i for i in SOME if i.low is not None and i.high is not None]
    for one, two in product(bounded, bounded):
        products = {a * b for a in members(one) for b in members(two)}
        assert Interval(min(products), max(products)) == one.product(two)


def test_products_without_bounds_have_no_end_that_is_not_reached() -> None:
    far = range(-30, 31)
    for one, two in product(SOME, SOME):
        products = {a * b for a in members(one, far) for b in members(two, far)}
        found = one.product(two)
        assert (found.low is None) == (min(products) <= -30), (one, two)
        assert (found.high is None) == (max(products) >= 30), (one, two)
        assert {found.low, found.high} - {None} <= products, (one, two)


def test_the_products_of_large_numbers_are_exact() -> None:
    large = 10**400
    assert Interval(large**2, None) == Interval(large, None).product(Interval(large, None))
    assert Interval(None, -large) == Interval(None, -1).product(Interval(large, 2 * large))


def test_a_quotient_has_the_numbers_whose_multiples_are_inside() -> None:
    for interval, divisor in product(SOME, range(1, 5)):
        wanted = {number for number in range(-9, 10) if divisor * number in members(interval)}
        assert wanted == members(interval.divided(divisor), range(-9, 10)), (interval, divisor)


def test_any_member_is_a_member_close_to_zero() -> None:
    for interval in SOME:
        assert min(members(interval), key=abs) == interval.any_member()


def test_a_range_is_cut_into_neighbours_above_each_number() -> None:
    for whole, cuts in product(SOME, [(), (0,), (-2, 1), (5, -9, 2), (0, 0, 3)]):
        pieces = cut(whole, cuts)
        assert members(whole) == set().union(*map(members, pieces))
        assert not any(one.meets(two) for one in pieces for two in pieces if one is not two)
        for number in set(cuts) & members(whole) - {whole.high}:
            assert any(piece.high == number for piece in pieces)
        assert len(pieces) <= len(set(cuts)) + 1


def test_near_a_range_are_the_pieces_that_meet_it() -> None:
    for whole, bounds in product(SOME, SOME):
        pieces = cut(whole, (-2, 0, 1))
        wanted = [number for number, piece in enumerate(pieces) if piece.meets(bounds)]
        assert wanted == list(near(pieces, bounds)), (whole, bounds)


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("any", EVERYTHING),
        ("<= 3", Interval(None, 3)),
        (">= -1", Interval(-1, None)),
        ("2", point(2)),
        ("0..4", Interval(0, 4)),
    ],
)
def test_an_interval_is_shown_as_a_condition(text: str, interval: Interval) -> None:
    assert text == str(interval)
