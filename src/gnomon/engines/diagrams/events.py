"""Steps as events: where one agent's action decides who moves, each of its actions is a small relation.

A scheduler that picks one of n agents makes a relation in which everybody is tied to everybody. Taken one
action at a time, nearly all variables stay as they are and need not be touched at all.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from gnomon.engines.diagrams.image import PartitionedImage, RelationPart, cluster, support
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.relation import Partitioned
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.model.agent import Variable

#: It pays to take an agent's actions apart when each leaves at least this share of all variables alone.
_QUIET: Final = 0.5
_FEW_ACTIONS: Final = 3
#: From so many actions on it pays to join the relation case by case.
_MANY_ACTIONS: Final = 8
#: Parts are joined beforehand to get rid of an action, unless the product outgrows so many nodes.
_SMALL: Final = 10_000
#: Many parts that are all tiny may pass through a large product and end in a small one.
_LARGE: Final = 300_000
_TINY: Final = 500


class TransitionEvent:
    """The moves under one action of the scheduler, or all moves where there is no scheduler."""

    def __init__(
        self, relation: Partitioned, parts: list[RelationPart], touched: Iterable[tuple[int, int]]
    ) -> None:
        """Prepare both directions; `touched` are the bits that may change, with their next bits."""
        self.diagrams = relation.diagrams
        pairs = list(touched)
        if relation.joins_actions:
            parts = without_actions(relation, parts)
        joined = cluster(self.diagrams, parts)
        named = frozenset(level for part in joined for level in part.levels)
        layout = relation.encoder.layout
        acts = [level for levels in layout.actions.values() for level in levels if level in named]
        self._exchange = self.diagrams.renaming(pairs)
        self._forward = PartitionedImage(self.diagrams, joined, [*(now for now, _ in pairs), *acts])
        self._next = [after for _, after in pairs]
        self._backward = PartitionedImage(self.diagrams, joined, [*self._next, *acts])
        self._actions = acts
        self._joined = joined
        self.parts = len(joined)

    def restrict(self, states: Diagram) -> None:
        """Look back from now on only to some states: where there are few, one small relation will do."""
        whole = PartitionedImage(self.diagrams, self._joined, self._actions).product(_LARGE, states)
        if whole is not None and self.diagrams.size(whole) <= _LARGE // 3:
            part = RelationPart(whole, support(self.diagrams, whole))
            self._backward = PartitionedImage(self.diagrams, [part], self._next)

    def image(self, states: Diagram) -> Diagram:
        """Return the states that follow."""
        return self.diagrams.rename(self._forward.apply(states), self._exchange)

    def preimage(self, states: Diagram) -> Diagram:
        """Return the states that lead there."""
        return self._backward.apply(self.diagrams.rename(states, self._exchange))


class AnyEvent(Protocol):
    """Moves that are taken together, in both directions."""

    #: In how many parts they are taken.
    parts: int

    @abstractmethod
    def restrict(self, states: Diagram) -> None:
        """Look back from now on only to some states."""

    @abstractmethod
    def image(self, states: Diagram) -> Diagram:
        """Return the states that follow."""

    @abstractmethod
    def preimage(self, states: Diagram) -> Diagram:
        """Return the states that lead there."""


def without_actions(
    relation: Partitioned, parts: list[RelationPart], keep: frozenset[str] = frozenset()
) -> list[RelationPart]:
    """Quantify actions away, each where all parts that know of it meet, if that keeps things small.

    Those of the agents in `keep` are left as they are.
    """
    pool = dict(enumerate(parts))
    users: dict[str, set[int]] = {}

    def enter(number: int, part: RelationPart) -> None:
        pool[number] = part
        for agent in relation.actors(part.levels):
            users.setdefault(agent, set()).add(number)

    for number, part in enumerate(parts):
        enter(number, part)
    for fresh, agent in enumerate(relation.encoder.layout.actions, start=len(parts)):
        numbers = users.get(agent)
        if not numbers or agent in keep:
            continue
        product = _without(relation, agent, [pool[number] for number in sorted(numbers)])
        if product is not None:
            for number in list(numbers):
                for actor in relation.actors(pool.pop(number).levels):
                    users[actor].discard(number)
            enter(fresh, product)
    return list(pool.values())


def _without(
    relation: Partitioned, agent: str, touching: list[RelationPart]
) -> RelationPart | None:
    """Return the product of some parts without the action of one agent, None where it is too large."""
    key = (agent, *(part.diagram for part in touching))
    if key not in relation.products:
        diagrams = relation.diagrams
        levels = frozenset(relation.encoder.layout.actions[agent])
        tiny = all(diagrams.size(part.diagram) < _TINY for part in touching)
        diagram = PartitionedImage(diagrams, touching, levels).product(_LARGE if tiny else _SMALL)
        if diagram is not None and diagrams.size(diagram) > _SMALL:
            diagram = None
        relation.products[key] = (
            None if diagram is None else RelationPart(diagram, support(diagrams, diagram))
        )
    return relation.products[key]


def events_of(relation: Partitioned) -> list[TransitionEvent]:
    """Return the events of a system: one for each action of its scheduler, if it has one."""
    choosers = [
        _EventCases(relation, name)
        for name, protocol in relation.protocols.items()
        if not protocol.forced and len(protocol.enabled) >= _FEW_ACTIONS
    ]
    everything = relation.encoder.layout.pairs
    if not choosers:
        return [TransitionEvent(relation, relation.parts, everything)]
    scheduler = max(choosers, key=lambda cases: cases.quiet)
    if scheduler.quiet >= _QUIET:
        return [
            TransitionEvent(relation, scheduler.parts(case), case.touched)
            for case in scheduler.cases
        ]
    whole = max(choosers, key=lambda cases: len(cases.cases)).joined()
    return [TransitionEvent(relation, relation.parts if whole is None else [whole], everything)]


def events_by_action(relation: Partitioned) -> list[TransitionEvent]:
    """Return one event for each action of the agent that has most, whatever each of them touches.

    Where there are few values to a variable, taking actions one after the other beats joining them.
    """
    choosers = [
        name
        for name, protocol in relation.protocols.items()
        if not protocol.forced and len(protocol.enabled) >= _FEW_ACTIONS
    ]
    if not choosers:
        return [TransitionEvent(relation, relation.parts, relation.encoder.layout.pairs)]
    busiest = max(choosers, key=lambda name: len(relation.protocols[name].enabled))
    cases = _EventCases(relation, busiest)
    return [TransitionEvent(relation, cases.parts(case), case.touched) for case in cases.cases]


class _EventCase(NamedTuple):
    """What is left of each part of the relation under one action, and the bits that it may change."""

    left: list[tuple[int, Diagram]]
    touched: list[tuple[int, int]]
    still: list[Variable]


class _EventCases:
    """The relation under each action of one agent."""

    def __init__(self, relation: Partitioned, agent: str) -> None:
        self._relation = relation
        self._levels = frozenset(relation.encoder.layout.actions[agent])
        self._cube = relation.diagrams.cube(self._levels)
        #: Most parts are the same under most actions.
        self._stays: dict[tuple[int, Diagram], bool] = {}
        self._parts: dict[tuple[int, Diagram], RelationPart] = {}
        actions = relation.protocols[agent].enabled
        self.cases = [self._case(relation.does(agent, action)) for action in actions]
        total = len(self.cases) * max(len(relation.encoder.layout.pairs), 1)
        self.quiet = 1 - sum(len(case.touched) for case in self.cases) / total

    def _case(self, chosen: Diagram) -> _EventCase:
        diagrams = self._relation.diagrams
        left: list[tuple[int, Diagram]] = []
        touched: list[tuple[int, int]] = []
        still: list[Variable] = []
        for number, part in enumerate(self._relation.parts):
            diagram = part.diagram
            if part.levels & self._levels:
                diagram = diagrams.both_exists(diagram, chosen, self._cube)
            if self._just_stays(number, part, diagram):
                still.extend(part.assigned)
                continue
            for variable in part.assigned:
                bits = self._relation.encoder.layout.variables[variable.agent, variable.name]
                touched.extend(zip(bits.now, bits.next, strict=True))
            if diagram != diagrams.true:
                left.append((number, diagram))
        return _EventCase(left, touched, still)

    def _just_stays(self, number: int, part: RelationPart, diagram: Diagram) -> bool:
        """Return whether what is left of a part only says that nothing changes."""
        key = (number, diagram)
        if key not in self._stays:
            self._stays[key] = bool(part.assigned) and diagram == self._relation.stay(part.assigned)
        return self._stays[key]

    def parts(self, case: _EventCase) -> list[RelationPart]:
        """Return the relation under one action; what its parts depend on takes a while to find out."""
        for key in case.left:
            if key not in self._parts:
                number, diagram = key
                levels = support(self._relation.diagrams, diagram)
                self._parts[key] = RelationPart(
                    diagram, levels, self._relation.parts[number].assigned
                )
        return [self._parts[key] for key in case.left]

    def joined(self) -> RelationPart | None:
        """Return the whole relation without actions, joined case by case, if it stays small.

        One agent's action that all others look at makes every product large until it is gone. Under each
        single action the others have little to do with each other.
        """
        diagrams = self._relation.diagrams
        if len(self.cases) < _MANY_ACTIONS:
            return None
        wholes: list[Diagram] = []
        for case in self.cases:
            parts = [
                *without_actions(self._relation, self.parts(case)),
                *(self._relation.staying(variable) for variable in case.still),
            ]
            parts.sort(key=lambda part: min(part.levels, default=0))
            whole = balanced(diagrams.both, [part.diagram for part in parts], diagrams.true)
            if diagrams.size(whole) > _SMALL:
                return None
            wholes.append(whole)
        whole = balanced(diagrams.either, wholes, diagrams.false)
        levels = support(diagrams, whole)
        if diagrams.size(whole) > _LARGE or levels & _action_levels(self._relation):
            return None
        return RelationPart(whole, levels)


def _action_levels(relation: Partitioned) -> frozenset[int]:
    return frozenset(
        level for levels in relation.encoder.layout.actions.values() for level in levels
    )


def explore(
    diagrams: Diagrams,
    steps: Sequence[Callable[[Diagram], Diagram]],
    first: Diagram,
    within: Diagram | None = None,
) -> Iterator[Diagram]:
    """Yield larger and larger sets of what the steps lead to; the last one is all of it."""
    limit = diagrams.true if within is None else within
    if len(steps) == 1:
        return _by_breadth(diagrams, steps[0], first, limit)
    return _chained(diagrams, steps, first, limit)


def _by_breadth(
    diagrams: Diagrams, step: Callable[[Diagram], Diagram], first: Diagram, within: Diagram
) -> Iterator[Diagram]:
    """Go on from what is new, or from all that is known where that has the smaller diagram."""
    reached = frontier = first
    while frontier != diagrams.false:
        start = min(frontier, reached, key=diagrams.size)
        frontier = diagrams.minus(diagrams.both(step(start), within), reached)
        reached = diagrams.either(reached, frontier)
        yield reached


def _chained(
    diagrams: Diagrams,
    steps: Sequence[Callable[[Diagram], Diagram]],
    first: Diagram,
    within: Diagram,
) -> Iterator[Diagram]:
    """Take one event after the other, each on all that is known so far: what one did, the next builds on."""
    reached = first
    while True:
        before = reached
        for step in steps:
            reached = diagrams.either(reached, diagrams.both(step(reached), within))
        yield reached
        if reached == before:
            return
