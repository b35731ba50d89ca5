"""Lassos of concrete states, found by following the model itself from a state on.

Cells only say that there is a path. Here the states that follow are listed, together with the nodes of the
automaton of a path formula, breadth first and then by random walks, until some of them form a cycle that
meets all that has to be met again and again. Where numbers grow for ever there is none to be found.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final, TypeAlias

from gnomon.certificate.plain import path_value
from gnomon.engines.uniform.cycles import closed_walks, components, has_cycle
from gnomon.logic.automaton import Automaton, automaton
from gnomon.logic.path import normal_form
from gnomon.logic.witness import Claim, Witness
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula, Not
from gnomon.model.fragment import is_propositional, state_subformulae
from gnomon.model.step import State, moves
from gnomon.model.system import System

#: A state with the node of an automaton.
ProductPoint: TypeAlias = tuple[State, int]
#: Returns whether something holds in a state; None where that is not known.
KnownValue: TypeAlias = Callable[[Formula, State], bool | None]
KnownConstraint: TypeAlias = Callable[[State], bool | None]

#: So many points are listed before a cycle is looked for among them, and looked for again.
_STAGES: Final = (40, 200, 1_000, 3_000)
#: A state may have more moves than anybody wants to see.
_MOST_MOVES: Final = 500
_WALKS: Final = 12
_LONGEST_WALK: Final = 150
#: A search takes no longer than this, in seconds, and no more than its share of the time that is left.
_PATIENCE: Final = 2.0
_SHARE: Final = 0.1


class LassoSearch:
    """Looks for paths of one system that go round for ever, or that are decided after some steps."""

    def __init__(
        self,
        system: System,
        value: KnownValue,
        constraints: Sequence[KnownConstraint],
        budget: Budget,
        *,
        endless: bool,
        thorough: bool = True,
    ) -> None:
        """Go by values of state formulae; `endless`: only paths count that go on for ever."""
        self.stages = _STAGES if thorough else _STAGES[:2]
        self._system = system
        self._value = value
        self._constraints = constraints
        self._budget = budget
        self._endless = endless or bool(constraints)
        self._following: dict[State, tuple[State, ...]] = {}

    def find(self, path: Formula, state: State, *, wanted: bool) -> Witness | None:
        """Return a path from a state on which a formula holds, or, not `wanted`, fails, if one is found."""
        nodes = automaton(normal_form(path, wanted=wanted))
        listing = _Listing(self, nodes)
        for found in listing.stages(state):
            states, loop = tuple(point[0] for point in found[0]), found[1]
            return self._told(path, states, loop, wanted=wanted)
        return None

    def _told(
        self, path: Formula, states: tuple[State, ...], loop: int | None, *, wanted: bool
    ) -> Witness:
        """Return a witness with what it takes to believe it, without what comes after it is decided."""

        def value(part: Formula, position: int) -> bool | None:
            return self._value(part, states[position])

        for length in range(1, len(states)):
            if path_value(path, length, None, value) is wanted:
                states, loop = states[:length], None
                break
        last = len(states) - 1

        def value_at_last(part: Formula, position: int) -> bool | None:
            return value(part, position) if position == last else None

        enough = path_value(path, len(states), loop, value_at_last) is wanted
        told = dict.fromkeys(reversed(state_subformulae(path)))
        claims = [
            Claim(position, part, known)
            for position in range(last if enough else 0, len(states))
            for part in told
            if (not is_propositional(part) or position == last)
            and (known := value(part, position)) is not None
        ]
        return Witness(states, loop, tuple(claims))

    def holds(self, formula: Formula, state: State) -> bool:
        """Return whether a literal of an automaton surely holds in a state."""
        if isinstance(formula, Not):
            return self._value(formula.body, state) is False
        return self._value(formula, state) is True

    def following(self, state: State) -> tuple[State, ...]:
        """Return the states that follow, by the reference semantics."""
        found = self._following.get(state)
        if found is None:
            targets = (move.target for move in islice(moves(self._system, state), _MOST_MOVES))
            found = tuple(dict.fromkeys(each for each in targets if each is not None))
            self._following[state] = found
        return found

    def meeting(self, nodes: Automaton) -> list[Callable[[ProductPoint], bool]]:
        """Return what has to be met again and again: promises that are not put off, and constraints."""

        def keeps(until: object) -> Callable[[ProductPoint], bool]:
            return lambda point: until not in nodes.nodes[point[1]].late

        def meets(constraint: KnownConstraint) -> Callable[[ProductPoint], bool]:
            return lambda point: constraint(point[0]) is True

        return [*map(keeps, nodes.untils), *map(meets, self._constraints)]

    def suffices(self, nodes: Automaton, node: int) -> bool:
        """Return whether nothing has to hold any more, so that the path may end."""
        return not self._endless and not nodes.nodes[node].next

    def patience(self) -> Budget:
        """Return how long one search may take."""
        share = self._budget
        if share.seconds is not None:
            left = max(share.seconds - share.spent(), 0.0)
            return Budget(min(_PATIENCE, _SHARE * left), share.megabytes)
        return Budget(_PATIENCE, share.megabytes)


class _Listing:
    """The points that were come to from one state, by number."""

    def __init__(self, search: LassoSearch, nodes: Automaton) -> None:
        self._search = search
        self._nodes = nodes
        self._numbers: dict[ProductPoint, int] = {}
        self._points: list[ProductPoint] = []
        self._parents: list[int | None] = []
        self._edges: dict[int, list[int]] = {}
        self._labels: dict[tuple[State, int], bool] = {}

    def stages(self, state: State) -> Iterator[tuple[list[ProductPoint], int | None]]:
        """Yield paths, with where their loops start, as they are found."""
        patience = self._search.patience()
        waiting = [
            found
            for node in self._nodes.initial
            if (found := self._enter((state, node), None)) is not None
        ]
        done = 0
        for most in self._search.stages:
            while done < len(waiting) and len(self._points) < most:
                if patience.seconds is not None and patience.spent() > patience.seconds:
                    return
                yield from self._ended(waiting[done])
                waiting.extend(self._open(waiting[done]))
                done += 1
            yield from self._lassos()
            if done == len(waiting):
                return
        random = Random(0)
        for _ in range(_WALKS if self._search.stages == _STAGES else 0):
            self._wander(random, patience)
            yield from self._lassos()

    def _ended(self, number: int) -> Iterator[tuple[list[ProductPoint], None]]:
        if self._search.suffices(self._nodes, self._points[number][1]):
            yield self._way_to(number), None

    def _enter(self, point: ProductPoint, parent: int | None) -> int | None:
        """Return the number of a new point; None where its node does not fit, or it is known."""
        if point in self._numbers or not self._fits(point):
            return None
        number = self._numbers[point] = len(self._points)
        self._points.append(point)
        self._parents.append(parent)
        return number

    def _fits(self, point: ProductPoint) -> bool:
        known = self._labels.get(point)
        if known is None:
            state, node = point
            now = self._nodes.nodes[node].now
            known = all(self._search.holds(each, state) for each in now)
            self._labels[point] = known
        return known

    def _open(self, number: int) -> list[int]:
        """Note what follows a point; return what is new of it."""
        state, node = self._points[number]
        new: list[int] = []
        edges = self._edges[number] = []
        for target in self._search.following(state):
            for after in self._nodes.successors[node]:
                entered = self._enter((target, after), number)
                new += [] if entered is None else [entered]
                if (target, after) in self._numbers:
                    edges.append(self._numbers[target, after])
        return new

    def _wander(self, random: Random, patience: Budget) -> None:
        current = 0
        for _ in range(_LONGEST_WALK if self._points else 0):
            if patience.seconds is not None and patience.spent() > patience.seconds:
                return
            if current not in self._edges:
                self._open(current)
            if not self._edges[current]:
                return
            current = random.choice(self._edges[current])

    def _lassos(self) -> Iterator[tuple[list[ProductPoint], int]]:
        """Yield the shortest lasso among some that are there."""
        meets = self._search.meeting(self._nodes)
        on_points = [lambda n, each=each: each(self._points[n]) for each in meets]
        found: list[tuple[list[ProductPoint], int]] = []
        for component in components(self._edges):
            if has_cycle(self._edges, component):
                walks = closed_walks(self._edges, sorted(component), on_points)
                found.extend(map(self._lasso, walks))
        if found:
            yield min(found, key=lambda each: len(each[0]))

    def _lasso(self, walk: list[int]) -> tuple[list[ProductPoint], int]:
        """Return the way to a closed walk, and round."""
        place = min(range(len(walk)), key=lambda n: walk[n])  # what was found first is near
        stem = self._way_to(walk[place])
        round_ = [self._points[n] for n in (*walk[place + 1 :], *walk[:place])]
        return [*stem, *round_], len(stem) - 1

    def _way_to(self, number: int) -> list[ProductPoint]:
        way: list[int] = [number]
        while (before := self._parents[way[-1]]) is not None:
            way.append(before)
        return [self._points[each] for each in reversed(way)]
