"""A static order of variables from the structure of the model.

FORCE (Aloul, Markov, Sakallah 2003): things that occur together attract each other, each group with a force
that is the weaker the larger it is. Without that weight one large sum pulls everything to one spot.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from operator import itemgetter, mul
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

_ROUNDS: Final = 200
_PATIENCE: Final = 12
_FEW: Final = 12
_SMALL: Final = 8
_LARGE_PART: Final = 0.1
#: A crowd has more pairs for each member than this.
_DENSE: Final = 3
#: Authors write neighbours side by side: another start has to be better by this much.
_CLEARLY: Final = 0.94

_Getter: TypeAlias = Callable[[list[float]], tuple[float, ...]]

Thing = TypeVar("Thing", bound=Hashable)

#: `structure`: the best arrangement found; `near`, `grown`: from one start each; `written`: as in the file;
#: `appearance`, `gates`: those of circuits, see `gnomon.engines.diagrams.circuit_order`.
Order: TypeAlias = Literal["structure", "near", "grown", "written", "appearance", "gates"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)


class Tie(NamedTuple):
    """Things that should stand close together, and how much it matters."""

    things: frozenset[Hashable]
    weight: float = 1.0


def arrange(
    things: Sequence[Thing], ties: Sequence[Tie], order: Order = "structure"
) -> list[Thing]:
    """Return the things in an order in which ties are short.

    Things that nearly everything is tied to say nothing about where others belong, and would pull all of
    them to one spot: they come first, and the others are arranged without them.
    """
    if order == "written":
        return list(things)
    ties = _without_crowds(ties)
    hubs = _hubs(ties)
    others = [thing for thing in things if thing not in hubs]
    loose = [Tie(tie.things - hubs, tie.weight) for tie in ties]
    return [*(thing for thing in things if thing in hubs), *settled(others, loose, order)]


def settled(things: Sequence[Thing], ties: Sequence[Tie], order: Order) -> list[Thing]:
    """Return the things where their ties pull them to, hubs as well."""
    return _Springs(things, ties).settled(order)


def _degrees(members: Sequence[frozenset[Hashable]]) -> dict[Hashable, int]:
    degrees: dict[Hashable, int] = {}
    for things in members:
        for thing in things:
            degrees[thing] = degrees.get(thing, 0) + 1
    return degrees


def _without_crowds(ties: Sequence[Tie]) -> list[Tie]:
    """Return the ties with one in the place of many pairs that tie nearly all of a crowd to each other.

    That at most one of n things holds is often written as n² pairs; it ties no two of them in particular.
    """
    crowds: dict[Hashable, set[Hashable]] = {}
    pairs = {tie.things for tie in ties if len(tie.things) == 2}
    for one, two in pairs:
        joined = crowds.get(one, {one}) | crowds.get(two, {two})
        for thing in joined:
            crowds[thing] = joined
    inside = Counter(id(crowds[one]) for one, _ in pairs)
    dense = {
        id(crowd): Tie(frozenset(crowd))
        for crowd in crowds.values()
        if inside[id(crowd)] > _DENSE * len(crowd)
    }
    kept = [
        tie
        for tie in ties
        if len(tie.things) != 2 or id(crowds[next(iter(tie.things))]) not in dense
    ]
    return [*kept, *dense.values()]


def _hubs(ties: Sequence[Tie]) -> frozenset[Hashable]:
    """Return the things that occur in a large part of all small ties; large ones name everything.

    Where all are tied to all in pairs, each is in many ties, but none is a hub: a tie counts only for those
    who are much busier than some other member.
    """
    distinct = list({tie.things for tie in ties if 1 < len(tie.things) <= _SMALL})
    degrees = _degrees(distinct)
    counts = dict.fromkeys(degrees, 0)
    uneven = 0
    for members in distinct:
        least = min(degrees[thing] for thing in members)
        busy = [thing for thing in members if degrees[thing] >= 2 * least]
        uneven += bool(busy)
        for thing in busy:
            counts[thing] += 1
    many = max(_FEW, _LARGE_PART * uneven)
    return frozenset(thing for thing, count in counts.items() if count > many)


class _WeightedEdge(NamedTuple):
    members: list[int]
    weight: float


class _Springs(Generic[Thing]):
    """Things by number, tied by springs."""

    def __init__(self, things: Sequence[Thing], ties: Sequence[Tie]) -> None:
        self._things = things
        self._edges = _edges({thing: number for number, thing in enumerate(things)}, ties)
        self._touching: list[list[int]] = [[] for _ in things]
        for number, edge in enumerate(self._edges):
            for member in edge.members:
                self._touching[member].append(number)

    def settled(self, order: Order) -> list[Thing]:
        """Return the things where the springs leave them, from one start or the better of two."""
        numbers = range(len(self._things))
        near = self._relax([float(number) for number in numbers]) if order != "grown" else None
        grown = self._relax(self._grown()) if order != "near" else None
        if near is None or (grown is not None and grown[0] < near[0] * _CLEARLY):
            assert grown is not None
            places = grown[1]
        else:
            places = near[1]
        return [self._things[number] for number in sorted(numbers, key=places.__getitem__)]

    def _grown(self) -> list[float]:
        """Return places by growing one cluster: next comes what is tied to it most, and least to others."""
        pulls = [
            -sum(self._edges[number].weight for number in touching) for touching in self._touching
        ]
        missing = [len(edge.members) for edge in self._edges]
        waiting = [(-pull, thing) for thing, pull in enumerate(pulls)]
        heapify(waiting)
        places = [-1.0] * len(pulls)
        taken = 0
        while waiting:
            pull, thing = heappop(waiting)
            if places[thing] >= 0 or -pull != pulls[thing]:
                continue
            places[thing] = float(taken)
            taken += 1
            for number in self._touching[thing]:
                members, weight = self._edges[number]
                # The first member turns a tie to others into one to the cluster; the last but one
                # leaves one that would make it whole.
                gain = 2 * weight * (missing[number] == len(members))
                missing[number] -= 1
                gain += weight * (missing[number] == 1)
                if gain:
                    for member in members:
                        if places[member] < 0:
                            pulls[member] += gain
                            heappush(waiting, (-pulls[member], member))
        return places

    def _relax(self, places: list[float]) -> tuple[float, list[float]]:
        """Return the length of all springs where they come to rest, and the places there."""
        middles, shortest = self._measured(places)
        best, waited = places, 0
        for _ in range(_ROUNDS):
            places = self._pull(places, middles)
            middles, length = self._measured(places)
            if length < shortest * 0.9999:
                best, shortest, waited = places, length, 0
            else:
                waited += 1
                if waited > _PATIENCE:
                    break
        return shortest, best

    def _pull(self, places: list[float], middles: list[float]) -> list[float]:
        """Move every thing to the weighted middle of the ties it is in, then line all of them up."""
        wanted = list(places)
        for thing, weights, total, ends in self._tied:
            wanted[thing] = sum(map(mul, ends(middles), weights)) / total
        # Those that want to stand in the same place keep their order.
        numbers = sorted(range(len(places)), key=places.__getitem__)
        result = [0.0] * len(places)
        for place, thing in enumerate(sorted(numbers, key=wanted.__getitem__)):
            result[thing] = float(place)
        return result

    @cached_property
    def _tied(self) -> list[tuple[int, list[float], float, _Getter]]:
        """The things that are tied: the weights of their ties, their sum, and what gets one value a tie."""
        found: list[tuple[int, list[float], float, _Getter]] = []
        for thing, numbers in enumerate(self._touching):
            if numbers:
                weights = [self._edges[number].weight for number in numbers]
                found.append((thing, weights, sum(weights), _getter(numbers)))
        return found

    @cached_property
    def _ends(self) -> list[tuple[int, float, _Getter]]:
        """The size of every tie, its weight, and what gets one value a member."""
        return [(len(members), weight, _getter(members)) for members, weight in self._edges]

    def _measured(self, places: list[float]) -> tuple[list[float], float]:
        """Return the middle of every tie, and the length of all of them."""
        middles: list[float] = []
        total = 0.0
        for size, weight, members in self._ends:
            at = members(places)
            if size == 2:  # most ties are pairs
                one, other = at
                middles.append((one + other) / 2)
                total += weight * (one - other if one > other else other - one)
            else:
                middles.append(sum(at) / size)
                total += weight * (max(at) - min(at))
        return middles, total


def _getter(numbers: Sequence[int]) -> _Getter:
    """Return what gets the values at some places of a list, quickly."""
    if len(numbers) > 1:
        return itemgetter(*numbers)
    [number] = numbers
    return lambda values: (values[number],)


def _edges(index: Mapping[Any, int], ties: Sequence[Tie]) -> list[_WeightedEdge]:
    """Return the ties as numbers, equal ones joined, weak where they are large or one of very many."""
    weights: dict[frozenset[Hashable], float] = {}
    for tie in ties:
        if len(tie.things) > 1:
            weights[tie.things] = weights.get(tie.things, 0.0) + tie.weight
    degrees = _degrees(list(weights))
    return [
        _WeightedEdge(
            sorted([index[thing] for thing in members]),
            weight / (len(members) - 1) ** 2 / min([degrees[thing] for thing in members]),
        )
        for members, weight in weights.items()
    ]
