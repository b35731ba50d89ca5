"""Is there one action for each view such that every outcome is good? Decided by satisfiability.

The clauses say which states the outcomes of a strategy visit. They are added as strategies are tried: a
solver proposes what to do in the views met so far, the outcomes are followed, and what goes wrong (a choice
that loses whatever follows, a cycle that never gets there) is ruled out by a clause. So only what the
strategies tried can reach is ever looked at, and a strategy is returned only after all its outcomes have
been followed.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeAlias, TypeVar

from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.game import (
    BROKEN,
    FIRST,
    OPEN,
    CoalitionGame,
    FormulaStatus,
    SearchTooLong,
    Window,
)
from gnomon.engines.solvers.sat import SatSolver
from gnomon.engines.uniform.cycles import closed_walks, components, has_cycle
from gnomon.engines.uniform.statewise import JointChoice, Set, StatewiseSets

#: What an agent acts on.
Seeing = TypeVar("Seeing", bound=Hashable)
#: A state as outcomes come to it, and how the formula stands there.
OutcomeNode: TypeAlias = tuple[NumberedState, FormulaStatus]

#: Up to this many actions it is spelt out that an agent does one at a time. It is true of what is played in
#: any case; that solvers know it only helps them.
_FEW: Final = 12
_EVERY: Final = 256


@dataclass(slots=True)
class _Seen:
    """A view that was met: a variable for each action, and which of them to try first."""

    variables: dict[str, int]
    preferred: str


@dataclass(slots=True)
class _VisitedNode:
    """A node that was met: its variable, the views of the members there, and what may be done."""

    variable: int
    sights: tuple[int, ...]
    good: frozenset[JointChoice]
    #: Where a choice may lead, for those that were taken.
    targets: dict[JointChoice, tuple[int, ...]]


@dataclass(frozen=True)
class FoundStrategy:
    """A strategy by view, and the nodes its outcomes visit."""

    actions: dict[int, str]
    nodes: frozenset[int]


class OutcomeSearch(Generic[Set, Seeing]):
    """The search for one coalition and one game; what is learnt about one state serves the next."""

    def __init__(
        self,
        sets: StatewiseSets[Set],
        coalition: tuple[int, ...],
        game: CoalitionGame[Set],
        sees: Callable[[NumberedState], list[Seeing]],
    ) -> None:
        """Start without a clause; members act on what `sees` gives for them."""
        self._sees = sees
        #: The most states that may be met.
        self.most: int | None = None
        self._sets = sets
        self._moves = sets.moves
        self._members = coalition
        self._kind = game.kind
        contains = sets.contains
        self._universe, self._bound = contains(game.universe), contains(game.bound)
        self._left, self._right = contains(game.left), contains(game.right)
        self._window: Window[Callable[[NumberedState], bool]] | None = None
        if game.window is not None:
            self._window = game.window.changed(lambda *pair: (contains(pair[0]), contains(pair[1])))
        self._constraints = [partial(self._meets, contains(each)) for each in game.constraints]
        self._good = {mode: sets.forcing(coalition, safe) for mode, safe in game.safe.items()}
        self._rings = [contains(ring) for ring in game.rings]
        self._nearer: dict[int, Callable[[NumberedState], list[JointChoice]]] = {}
        self._ring_sets = game.rings
        self._clauses = SatSolver(sets.budget)
        self._nodes: list[OutcomeNode] = []
        self._ids: dict[OutcomeNode, int] = {}
        self._places: dict[int, _VisitedNode] = {}
        self._sights: list[Seeing] = []
        self._sight_ids: dict[Seeing, int] = {}
        self._seen: list[_Seen] = []
        self._visits = 0

    def run(self, states: Sequence[NumberedState]) -> FoundStrategy | None:
        """Return a strategy that wins from all the states given, if there is one."""
        if not all(map(self._bound, states)):
            return None
        starts = [self._id(node) for state in states if (node := self._start(state)) is not None]
        model: list[int] | None = []
        while model is not None:
            found = self._follow(starts, model)
            if found is not None:
                return found
            model = self._clauses.solve(self._assumed(starts))
        return None

    def _assumed(self, starts: Sequence[int]) -> list[int]:
        """Return the literals that are to hold."""
        return [self._places[start].variable for start in starts]

    def visited(self, found: FoundStrategy) -> set[NumberedState]:
        """Return states from which a strategy wins: all that its outcomes visit.

        Where steps count, at the first one. Also where the formula is broken: from there the strategy makes
        every outcome unfair.
        """
        nodes = (self._nodes[node] for node in found.nodes)
        return {state for state, mode in nodes if not isinstance(mode, int) or mode == 0}

    def played(self, found: FoundStrategy) -> list[tuple[Seeing, str]]:
        """Return what is done on seeing what."""
        return [(self._sights[sight], action) for sight, action in found.actions.items()]

    # Nodes

    def _meets(self, contains: Callable[[NumberedState], bool], node: int) -> bool:
        return contains(self._nodes[node][0])

    def _start(self, state: NumberedState) -> OutcomeNode | None:
        if self._kind == "next":
            return state, FIRST
        return self._enter(state, OPEN if self._window is None else 0)

    def _enter(self, state: NumberedState, mode: FormulaStatus) -> OutcomeNode | None:
        """Return the node of a state that an outcome comes to; None where nothing can go wrong."""
        if not self._universe(state):
            return None
        if mode == BROKEN:
            return state, BROKEN
        if isinstance(mode, int):
            return self._enter_step(state, mode)
        if self._right(state):
            return None
        return state, OPEN if mode == OPEN and self._left(state) else BROKEN

    def _enter_step(self, state: NumberedState, step: int) -> OutcomeNode | None:
        """Return the node of a state that an outcome comes to at some step of a window."""
        assert self._window is not None
        won, kept = self._window.at(step)
        if won(state):
            return None
        return state, step if kept(state) else BROKEN

    def _id(self, node: OutcomeNode) -> int:
        found = self._ids.get(node)
        if found is None:
            found = self._ids[node] = len(self._nodes)
            self._nodes.append(node)
        return found

    # Outcomes

    def _follow(self, starts: Sequence[int], model: Sequence[int]) -> FoundStrategy | None:
        """Follow all outcomes of what a solution proposes; learn from what goes wrong."""
        actions: dict[int, str] = {}
        graph: dict[int, tuple[int, ...]] = {}
        waiting = list(starts)
        refuted = False
        while waiting:
            node = waiting.pop()
            if node in graph:
                continue
            if self.most is not None and self._visits > self.most:
                raise SearchTooLong
            place = self._place(node, actions)
            choice = tuple([self._action(sight, model, actions) for sight in place.sights])
            if choice in place.good:
                graph[node] = self._targets(node, place, choice)
                waiting.extend(graph[node])
            else:
                graph[node] = ()
                self._refute(place, choice)
                refuted = True
        if self._learn_from_cycles(graph, actions) or refuted:
            return None
        return FoundStrategy(actions, frozenset(graph))

    def _place(self, node: int, actions: Mapping[int, str]) -> _VisitedNode:
        """Return a node with all that matters in it, met for the first time or not."""
        place = self._places.get(node)
        if place is None:
            self._visits += 1
            if self._visits % _EVERY == 0:
                self._sets.budget.check("strategies, states", self._visits)
            place = self._places[node] = self._meet(node, actions)
        return place

    def _meet(self, node: int, actions: Mapping[int, str]) -> _VisitedNode:
        state, mode = self._nodes[node]
        sights = self._sees(state)
        allowed = [self._sets.always(index, state) for index in self._members]
        good = [
            choice
            for choice in self._good[mode](state)
            if all(action in some for action, some in zip(choice, allowed, strict=True))
        ]
        ids = tuple([self._sight(s, a) for s, a in zip(sights, allowed, strict=True)])
        place = _VisitedNode(self._clauses.variable(), ids, frozenset(good), {})
        self._prefer(self._preferred(state, mode, good), ids, actions)
        if not good:
            self._clauses.add([-place.variable])
            return place
        for position, sight in enumerate(ids):
            variables = self._seen[sight].variables
            useful = sorted({variables[choice[position]] for choice in good})
            self._clauses.add([-place.variable, *useful])
        return place

    def _sight(self, sight: Seeing, allowed: frozenset[str]) -> int:
        found = self._sight_ids.get(sight)
        if found is None:
            found = self._sight_ids[sight] = len(self._sights)
            self._sights.append(sight)
            variables = {action: self._clauses.variable() for action in sorted(allowed)}
            self._seen.append(_Seen(variables, ""))
            if len(variables) <= _FEW:
                self._at_most_one(list(variables.values()))
        return found

    def _at_most_one(self, variables: Sequence[int]) -> None:
        for place, one in enumerate(variables):
            for other in variables[:place]:
                self._clauses.add([-one, -other])

    def _preferred(
        self, state: NumberedState, mode: FormulaStatus, good: Sequence[JointChoice]
    ) -> Sequence[JointChoice]:
        """Return the choices that get nearer to the goal for those who see everything."""
        if mode != OPEN or len(good) < 2 or not self._rings:
            return good
        rank = bisect_left(self._rings, True, key=lambda ring: ring(state))
        if not 0 < rank < len(self._rings):
            return good
        if rank not in self._nearer:
            ring = self._ring_sets[rank - 1]
            self._nearer[rank] = self._sets.forcing(self._members, ring)
        nearer = frozenset(self._nearer[rank](state))
        return [choice for choice in good if choice in nearer] or good

    def _prefer(
        self, good: Sequence[JointChoice], sights: tuple[int, ...], actions: Mapping[int, str]
    ) -> None:
        """Suggest what to do in views that are new, in line with what is done in others."""
        new = [place for place, sight in enumerate(sights) if not self._seen[sight].preferred]
        if not new or not good:
            return

        def fitting(choice: JointChoice) -> int:
            return sum(
                actions.get(sight, self._seen[sight].preferred) == action
                for sight, action in zip(sights, choice, strict=True)
            )

        best = max(good, key=fitting)
        for place in new:
            seen = self._seen[sights[place]]
            seen.preferred = best[place]
            self._clauses.prefer([seen.variables[best[place]]])

    def _action(self, sight: int, model: Sequence[int], actions: dict[int, str]) -> str:
        """Return what a solution does in a view; what is preferred there where it says nothing.

        Something has to be done there, also where so far nothing helps in any state that looks so.
        """
        found = actions.get(sight)
        if found is None:
            seen = self._seen[sight]
            found = seen.preferred or next(iter(seen.variables), "")
            for action, variable in seen.variables.items():
                if variable < len(model) and model[variable] > 0:
                    found = action
                    break
            actions[sight] = found
        return found

    def _targets(self, node: int, place: _VisitedNode, choice: JointChoice) -> tuple[int, ...]:
        """Return where a choice may lead; say so in clauses the first time."""
        found = place.targets.get(choice)
        if found is None:
            state, mode = self._nodes[node]
            results = self._moves.results(state, dict(zip(self._members, choice, strict=True)))
            following = mode + 1 if isinstance(mode, int) else mode
            entered = [self._enter(target, following) for target in results]
            ids = [self._id(target) for target in dict.fromkeys(entered) if target is not None]
            found = place.targets[choice] = tuple(ids)
            done = self._done(place, choice)
            for target in found:
                self._clauses.add([*done, self._place(target, {}).variable])
        return found

    def _done(self, place: _VisitedNode, choice: JointChoice) -> list[int]:
        """Return the literals of a clause for "where this is done there"."""
        pairs = zip(place.sights, choice, strict=True)
        return [-place.variable, *(-self._seen[sight].variables[a] for sight, a in pairs)]

    def _refute(self, place: _VisitedNode, choice: JointChoice) -> None:
        """Rule out as few actions as it takes for no good choice to be left."""
        kept = [place_ for place_, action in enumerate(choice) if action]
        for position in list(kept):
            fewer = [other for other in kept if other != position]
            if not any(all(good[p] == choice[p] for p in fewer) for good in place.good):
                kept = fewer
        clause = [-place.variable]
        clause += [-self._seen[place.sights[p]].variables[choice[p]] for p in kept]
        self._clauses.add(clause)

    def _learn_from_cycles(
        self, graph: Mapping[int, tuple[int, ...]], actions: Mapping[int, str]
    ) -> bool:
        """Rule out the cycles of outcomes that count and never win; return whether there are any."""
        modes = {BROKEN, OPEN} if self._kind == "until" else {BROKEN}
        found = False
        for mode in modes:
            inside = {n: targets for n, targets in graph.items() if self._nodes[n][1] == mode}
            for component in components(inside):
                if not has_cycle(inside, component):
                    continue
                for walk in closed_walks(inside, component, self._constraints):
                    found = True
                    self._clauses.add(self._cycle(walk, actions))
        return found

    def _cycle(self, walk: Sequence[int], actions: Mapping[int, str]) -> list[int]:
        sights = dict.fromkeys(sight for node in walk for sight in self._places[node].sights)
        done = [-self._seen[sight].variables[actions[sight]] for sight in sights]
        return [-self._places[walk[0]].variable, *done]
