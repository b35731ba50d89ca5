"""Sums that no step changes: linear algebra over the numbers of the environment and those of agents.

If every vector by which steps change some coordinates is orthogonal to certain weights, then so weighted
their sum stays what it was: a place invariant, as for Petri nets.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from gnomon.certificate.parameterised.counted_classes import COUNT
from gnomon.engines.solvers.population_moves import EnvironmentNumber, NumberChanges
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean
from gnomon.model.parameterised.condition import Condition, Holds
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record


class PlaceInvariant(Record):
    """So weighted, the coordinates always have this sum."""

    weights: tuple[int, ...]
    total: int


def place_invariants(moves: NumberChanges) -> tuple[PlaceInvariant, ...]:
    """Return a basis of the sums that no step changes and that are known from the start."""
    size = len(moves.settled)
    rows = [list(map(Fraction, vector)) for vector in moves.vectors]
    for place, settled in enumerate(moves.settled):
        if not settled:
            rows.append([Fraction(n == place) for n in range(size)])
    found = []
    for weights in _orthogonal(rows, size, len(moves.environment)):
        total = sum(w * s for w, s in zip(weights, moves.start, strict=True))
        found.append(PlaceInvariant(weights, total))
    return tuple(found)


def equation(system: OpenSystem, moves: NumberChanges, place: PlaceInvariant) -> Condition:
    """Return a place invariant as a condition on the environment and numbers of agents."""
    sides: tuple[list[plain.Expression], list[plain.Expression]] = ([], [])
    own = len(moves.environment)
    for position, weight in enumerate(place.weights):
        if weight:
            term = (
                _number(system, moves.environment[position])
                if position < own
                else plain.Read(COUNT, str(position - own))
            )
            side = sides[weight < 0]
            many = abs(weight)
            side.append(term if many == 1 else plain.Arithmetic("*", plain.Literal(many), term))
    more, less = sides
    if place.total:
        (less if place.total > 0 else more).append(plain.Literal(abs(place.total)))
    single = len(less) == 1 and not isinstance(less[0], plain.Literal)
    if not more or (single and (len(more) > 1 or _is_count(more[0]))):
        more, less = less, more
    return Holds(plain.Compare("=", _sum(more), _sum(less)))


def _number(system: OpenSystem, number: EnvironmentNumber) -> plain.Expression:
    read = plain.Read(ENVIRONMENT, number.variable)
    if number.value is None:
        return read
    domain = system.environment.variables[system.position[ENVIRONMENT, number.variable]].domain
    has = (
        read
        if isinstance(domain, Boolean)
        else plain.Compare("=", read, plain.Literal(number.value))
    )
    return plain.Conditional(has, plain.Literal(1), plain.Literal(0))


def _is_count(term: plain.Expression) -> bool:
    return isinstance(term, plain.Read) and term.agent == COUNT


def _sum(terms: list[plain.Expression]) -> plain.Expression:
    if not terms:
        return plain.Literal(0)
    return terms[0] if len(terms) == 1 else plain.Sum(tuple(terms))


def _orthogonal(rows: list[list[Fraction]], size: int, own: int) -> list[tuple[int, ...]]:
    """Return weights orthogonal to all rows: as many as there are, each with one number of the environment.

    The numbers of agents are eliminated first, so that what is left free are the numbers of the environment.
    """
    order = [*range(own, size), *range(own)]
    pivots: dict[int, list[Fraction]] = {}
    for row in rows:
        left = row
        for column, pivot in pivots.items():
            if left[column]:
                left = _minus(left, left[column], pivot)
        column_ = next((n for n in order if left[n]), None)
        if column_ is None:
            continue
        left = [value / left[column_] for value in left]
        for column, pivot in pivots.items():
            if pivot[column_]:
                pivots[column] = _minus(pivot, pivot[column_], left)
        pivots[column_] = left
    found = []
    for free in reversed(order):
        if free not in pivots:
            weights = [Fraction(n == free) for n in range(size)]
            for column, pivot in pivots.items():
                weights[column] = -pivot[free]
            found.append(_whole(weights))
    return found


def _minus(row: Sequence[Fraction], factor: Fraction, other: Sequence[Fraction]) -> list[Fraction]:
    return [value - factor * own for value, own in zip(row, other, strict=True)]


def _whole(weights: Sequence[Fraction]) -> tuple[int, ...]:
    """Return weights without fractions, and without a divisor that all share."""
    many = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * many) for weight in weights]
    common = gcd(*whole)
    return tuple(weight // common for weight in whole)
