"""Points at regular distances, beside what can be counted out in a small box."""

from itertools import product
from math import gcd
from random import Random

from hypothesis import given

from gnomon.engines.abstraction.lattice import Lattice, Map, Vector, closed, everything
from tests.systems import examples, seeds

SIZE = 3
#: Small enough to count out; what is asked of points is asked of those in the middle.
BOX = range(-4, 5)


def vector(rng: Random, largest: int = 3) -> Vector:
    return tuple(rng.randint(-largest, largest) for _ in range(SIZE))


def weights(rng: Random) -> Vector:
    return tuple(rng.choice((0, 0, 1, -1, 2)) for _ in range(SIZE))


def lattice(rng: Random) -> Lattice:
    found = Lattice(vector(rng), ())
    for _ in range(rng.randint(0, 4)):
        found = found.with_also(Lattice(vector(rng), ()))
    return found


def has(found: Lattice, point: Vector) -> bool:
    """Return whether a point is one of those, by the echelon form."""
    left = [a - b for a, b in zip(point, found.point, strict=True)]
    for step in found.steps:
        place = next(n for n, number in enumerate(step) if number)
        factor, rest = divmod(left[place], step[place])
        if rest:
            return False
        left = [a - factor * b for a, b in zip(left, step, strict=True)]
    return not any(left)


def times(one: Vector, two: Vector) -> int:
    return sum(a * b for a, b in zip(one, two, strict=True))


@given(seed=seeds)
@examples(150)
def test_what_is_joined_has_all_points_and_all_their_differences(seed: int) -> None:
    rng = Random(seed)
    one, two = lattice(rng), lattice(rng)
    both = one.with_also(two)

    for each in (one, two):
        assert has(both, each.point)
        for step in each.steps:
            assert has(both, tuple(a + b for a, b in zip(each.point, step, strict=True)))


@given(seed=seeds)
@examples(150)
def test_the_same_points_are_written_in_the_same_way(seed: int) -> None:
    rng = Random(seed)
    points = [vector(rng) for _ in range(4)]
    first = Lattice(points[0], ())
    one, two = first, first
    for point in points:
        one = one.with_also(Lattice(point, ()))
    for point in reversed(points):
        two = two.with_also(Lattice(point, ()))

    assert one == two


@given(seed=seeds)
@examples(150)
def test_where_a_sum_has_a_value_are_just_the_points_where_it_has(seed: int) -> None:
    rng = Random(seed)
    found, sum_, value, modulus = (
        lattice(rng),
        weights(rng),
        rng.randint(-3, 3),
        rng.choice((0, 2, 3)),
    )
    some = found.where(sum_, value, modulus)

    for point in product(BOX, repeat=SIZE):
        apart = times(sum_, point) - value
        fits = apart % modulus == 0 if modulus else apart == 0
        expected = has(found, point) and fits
        assert expected == (some is not None and has(some, point))


@given(seed=seeds)
@examples(150)
def test_a_sum_has_the_values_at_its_distance_and_no_others(seed: int) -> None:
    rng = Random(seed)
    found, sum_ = lattice(rng), weights(rng)
    values = {times(sum_, point) for point in product(BOX, repeat=SIZE) if has(found, point)}
    span = found.span(sum_)

    assert all(
        ((each - found.value(sum_)) % span if span else each - found.value(sum_)) == 0
        for each in values
    )
    if len(values) > 8:
        first = min(values)
        assert span == gcd(*(each - first for each in values))


@given(seed=seeds)
@examples(150)
def test_constant_sums_are_constant_and_there_are_enough_of_them(seed: int) -> None:
    found = lattice(Random(seed))
    sums = list(found.constant_sums())

    assert SIZE == len(found.steps) + len(sums)
    assert all(any(sum_) and found.span(sum_) == 0 for sum_ in sums)


@given(seed=seeds)
@examples(100)
def test_what_steps_reach_is_among_what_is_closed(seed: int) -> None:
    rng = Random(seed)
    maps = [
        Map(
            tuple(
                tuple(
                    int(i == j) if rng.random() < 0.8 else rng.randint(-1, 2) for j in range(SIZE)
                )
                for i in range(SIZE)
            ),
            vector(rng),
            tuple(vector(rng) for _ in range(rng.choice((0, 0, 0, 1)))),
        )
        for _ in range(rng.randint(1, 3))
    ]
    start = lattice(rng)
    found = closed(start, maps, 100)
    assert found is not None
    point = start.point
    for _ in range(30):
        each = rng.choice(maps)
        point = each.applied(point)
        for step in each.free:
            factor = rng.randint(-2, 2)
            point = tuple(a + factor * b for a, b in zip(point, step, strict=True))

        assert has(found, point)


def test_all_points_are_everything() -> None:
    assert all(has(everything(SIZE), point) for point in product(BOX, repeat=SIZE))
