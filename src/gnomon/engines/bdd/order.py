"""A static order of variables from the structure of the model.

FORCE (Aloul, Markov, Sakallah 2003): things that occur together attract each other, each group with a force
that is the weaker the larger it is. Without that weight one large sum pulls everything to one spot.
"""

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple, TypeVar

_ROUNDS: Final = 200
_PATIENCE: Final = 12
_FEW: Final = 12
_SMALL: Final = 8
_LARGE_PART: Final = 0.1

Thing = TypeVar("Thing", bound=Hashable)


class Tie(NamedTuple):
    """Things that should stand close together, and how much it matters."""

    things: frozenset[Hashable]
    weight: float = 1.0


def force_order(things: Sequence[Thing], ties: Sequence[Tie]) -> list[Thing]:
    """Return the things in an order in which ties are short.

    Things that nearly everything is tied to say nothing about where others belong, and would pull all of
    them to one spot: they come first, and the others are arranged without them.
    """
    hubs = _hubs(ties)
    others = [thing for thing in things if thing not in hubs]
    loose = [Tie(tie.things - hubs, tie.weight) for tie in ties]
    return [*(thing for thing in things if thing in hubs), *_arrange(others, loose)]


def _hubs(ties: Sequence[Tie]) -> frozenset[Hashable]:
    """Return the things that occur in a large part of all small ties; large ones name everything."""
    counts: dict[Hashable, int] = {}
    distinct = {tie.things for tie in ties if 1 < len(tie.things) <= _SMALL}
    for members in distinct:
        for thing in members:
            counts[thing] = counts.get(thing, 0) + 1
    return frozenset(
        thing for thing, count in counts.items() if count > max(_FEW, _LARGE_PART * len(distinct))
    )


def _arrange(things: Sequence[Thing], ties: Sequence[Tie]) -> list[Thing]:
    index = {thing: number for number, thing in enumerate(things)}
    edges = _edges(index, ties)
    touching: list[list[int]] = [[] for _ in things]
    for number, (members, _) in enumerate(edges):
        for member in members:
            touching[member].append(number)
    places = [float(number) for number in range(len(things))]
    best, best_length, waited = places, _length(edges, places), 0
    for _ in range(_ROUNDS):
        places = _settle(places, edges, touching)
        length = _length(edges, places)
        if length < best_length * 0.9999:
            best, best_length, waited = places, length, 0
        else:
            waited += 1
            if waited > _PATIENCE:
                break
    return sorted(things, key=lambda thing: best[index[thing]])


Edge = tuple[list[int], float]


def _edges(index: dict[Thing, int], ties: Sequence[Tie]) -> list[Edge]:
    """Return the ties as numbers, equal ones joined, each weighted by one over its size."""
    weights: dict[frozenset[Hashable], float] = {}
    for tie in ties:
        if len(tie.things) > 1:
            weights[tie.things] = weights.get(tie.things, 0.0) + tie.weight
    return [
        (sorted(index[thing] for thing in members), weight / (len(members) - 1) ** 2)  # type: ignore[index]
        for members, weight in weights.items()
    ]


def _settle(places: list[float], edges: list[Edge], touching: list[list[int]]) -> list[float]:
    """Move every thing to the weighted middle of the ties it is in, then line all of them up."""
    middles = [sum(places[member] for member in members) / len(members) for members, _ in edges]
    wanted = list(places)
    for thing, numbers in enumerate(touching):
        if numbers:
            total = sum(edges[number][1] for number in numbers)
            wanted[thing] = sum(middles[number] * edges[number][1] for number in numbers) / total
    lined_up = sorted(range(len(places)), key=lambda thing: (wanted[thing], places[thing]))
    result = [0.0] * len(places)
    for place, thing in enumerate(lined_up):
        result[thing] = float(place)
    return result


def _length(edges: list[Edge], places: list[float]) -> float:
    return sum(
        weight
        * (max(places[member] for member in members) - min(places[member] for member in members))
        for members, weight in edges
    )
