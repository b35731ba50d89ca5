"""Points of integers at regular distances: a point, and the steps that lead from it to all others.

They say which sums always have the same value, and which numbers keep their remainder (Karr, Acta
Informatica 1976; Granger, TAPSOFT 1991). Written by generators, so that joining is putting them together.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import TypeAlias

from gnomon.text.record import Record

Vector: TypeAlias = tuple[int, ...]


class Map(Record):
    """A step: a row of weights and a constant for each number, and what may be added any number of times."""

    rows: tuple[Vector, ...]
    constants: Vector
    free: tuple[Vector, ...] = ()

    def turned(self, vector: Vector) -> Vector:
        """Return what becomes of a difference between two points."""
        return tuple(_times(row, vector) for row in self.rows)

    def applied(self, point: Vector) -> Vector:
        """Return what becomes of a point."""
        return tuple(
            _times(row, point) + constant
            for row, constant in zip(self.rows, self.constants, strict=True)
        )


class Lattice(Record):
    """A point and all that steps lead to from it, any number of times, forwards and backwards.

    The steps are in echelon form: each has its first number after that of the one before.
    """

    point: Vector
    steps: tuple[Vector, ...]

    def span(self, weights: Sequence[int]) -> int:
        """Return the distance between the values that a sum may have; 0 where it has just one."""
        return gcd(*(_times(weights, step) for step in self.steps))

    def value(self, weights: Sequence[int]) -> int:
        """Return one of the values that a sum has."""
        return _times(weights, self.point)

    def where(self, weights: Sequence[int], wanted: int, modulus: int = 0) -> "Lattice | None":
        """Return the points where a sum has a value, or the same remainder as it; None if there are none."""
        steps, left = _gathered(weights, self.steps)
        missing = wanted - self.value(weights)
        if left is None:
            fits = missing % modulus == 0 if modulus else missing == 0
            return self if fits else None
        each = _times(weights, left)
        shared = gcd(each, modulus)
        if missing % shared:
            return None
        if modulus:
            # each * count = missing, but for a multiple of the modulus
            count = missing // shared * pow(each // shared, -1, modulus // shared)
            steps = [*steps, _scaled(modulus // shared, left)]
        else:
            count = missing // each
        return Lattice(_sum(self.point, _scaled(count, left)), _echelon(steps))

    def with_also(self, other: "Lattice") -> "Lattice":
        """Return the least one that has all points of both."""
        apart = _sum(other.point, _scaled(-1, self.point))
        return Lattice(self.point, _echelon([*self.steps, *other.steps, apart]))

    def after(self, step: Map) -> "Lattice":
        """Return what becomes of all points."""
        turned = [*map(step.turned, self.steps), *step.free]
        return Lattice(step.applied(self.point), _echelon(turned))

    def constant_sums(self) -> Iterator[Vector]:
        """Yield weights of sums that have just one value, from which all others are made."""
        size = len(self.point)
        rows = _fully_reduced(self.steps)
        pivots = [_first(row) for row in rows]
        for free in range(size):
            if free in pivots:
                continue
            common = 1
            for row, pivot in zip(rows, pivots, strict=True):
                common = common * row[pivot] // gcd(common, row[pivot])
            weights = [0] * size
            weights[free] = common
            for row, pivot in zip(rows, pivots, strict=True):
                weights[pivot] = -row[free] * common // row[pivot]
            shared = gcd(*weights)
            yield tuple(weight // shared for weight in weights)


def everything(size: int) -> Lattice:
    """Return all points."""
    units = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
    return Lattice((0,) * size, units)


def closed(start: Lattice, maps: Iterable[Map], most: int) -> Lattice | None:
    """Return the least one with all that is reached by some steps; None where that takes too long."""
    maps, found = list(maps), start
    for _ in range(most):
        larger = found
        for each in maps:
            larger = larger.with_also(found.after(each))
        if larger.steps == found.steps:
            return found
        found = larger
    return None


def _times(weights: Sequence[int], vector: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(weights, vector, strict=True) if a and b)


def _scaled(factor: int, vector: Vector) -> Vector:
    return tuple(factor * number for number in vector)


def _sum(one: Vector, two: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, two, strict=True))


def _first(vector: Sequence[int]) -> int:
    return next(place for place, number in enumerate(vector) if number)


def _gathered(
    weights: Sequence[int], steps: Iterable[Vector]
) -> tuple[list[Vector], Vector | None]:
    """Return the same steps with at most one that changes a sum, and that one."""
    rest: list[Vector] = []
    left: Vector | None = None
    for step in steps:
        new = step
        if left is None:
            if _times(weights, new):
                left = new
            else:
                rest.append(new)
            continue
        while _times(weights, new):  # Euclid's algorithm on what they change the sum by
            factor = _times(weights, left) // _times(weights, new)
            left, new = new, _sum(left, _scaled(-factor, new))
        rest.append(new)
    return rest, left


def _echelon(vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """Return steps that lead as far, in Hermite normal form: it is always the same for the same points."""
    rest = [vector for vector in dict.fromkeys(vectors) if any(vector)]
    found: list[Vector] = []
    size = len(rest[0]) if rest else 0
    for place in range(size):
        unit = [int(other == place) for other in range(size)]
        rest, pivot = _gathered(unit, rest)
        rest = [vector for vector in rest if any(vector)]
        if pivot is None:
            continue
        pivot = pivot if pivot[place] > 0 else _scaled(-1, pivot)
        found = [_sum(row, _scaled(-(row[place] // pivot[place]), pivot)) for row in found]
        found.append(pivot)
    return tuple(found)


def _fully_reduced(steps: Sequence[Vector]) -> list[Vector]:
    """Return multiples of rows in echelon form, the first number of each alone in its column."""
    rows = list(steps)
    for number in range(len(rows)):
        place = _first(rows[number])
        pivot = rows[number]
        for other in range(number):
            row = rows[other]
            if row[place]:
                rows[other] = _sum(_scaled(pivot[place], row), _scaled(-row[place], pivot))
    return rows
