"""Steps as events: where one agent's action decides who moves, each of its actions is a small relation.

A scheduler that picks one of n agents makes a relation in which everybody is tied to everybody. Taken one
action at a time, nearly all variables stay as they are and need not be touched at all.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from gnomon.engines.bdd.diagrams import Diagram, Diagrams
from gnomon.engines.bdd.relation import Part, Relation, Steps, cluster, support

#: It pays to take an agent's actions apart when each leaves at least this share of all variables alone.
_QUIET: Final = 0.5
_FEW_ACTIONS: Final = 3
#: Parts are joined beforehand to get rid of an action, unless the product outgrows so many nodes.
_SMALL: Final = 10_000
#: Many parts that are all tiny may pass through a large product and end in a small one.
_LARGE: Final = 300_000
_TINY: Final = 500


class Event:
    """The moves under one action of the scheduler, or all moves where there is no scheduler."""

    def __init__(
        self, relation: Relation, parts: list[Part], touched: Iterable[tuple[int, int]]
    ) -> None:
        """Prepare both directions; `touched` are the bits that may change, with their next bits."""
        self.diagrams = relation.diagrams
        pairs = list(touched)
        joined = cluster(self.diagrams, without_actions(relation, parts))
        named = frozenset(level for part in joined for level in part.levels)
        layout = relation.encoder.layout
        acts = [level for levels in layout.actions.values() for level in levels if level in named]
        self._exchange = self.diagrams.renaming(pairs)
        self._forward = Steps(self.diagrams, joined, [*(now for now, _ in pairs), *acts])
        self._backward = Steps(self.diagrams, joined, [*(after for _, after in pairs), *acts])
        self.parts = len(joined)

    def image(self, states: Diagram) -> Diagram:
        """Return the states that follow."""
        return self.diagrams.rename(self._forward.apply(states), self._exchange)

    def preimage(self, states: Diagram) -> Diagram:
        """Return the states that lead there."""
        return self._backward.apply(self.diagrams.rename(states, self._exchange))


def without_actions(relation: Relation, parts: list[Part]) -> list[Part]:
    """Quantify actions away, each where all parts that know of it meet, if that keeps things small."""
    diagrams = relation.diagrams
    for levels in relation.encoder.layout.actions.values():
        wanted = frozenset(levels)
        touching = [part for part in parts if part.levels & wanted]
        if not touching:
            continue
        others = [part for part in parts if not part.levels & wanted]
        tiny = all(diagrams.size(part.diagram) < _TINY for part in touching)
        diagram = Steps(diagrams, touching, wanted).product(_LARGE if tiny else _SMALL)
        if diagram is None:
            continue
        names = frozenset(level for part in touching for level in part.levels) - wanted
        parts = [*others, Part(diagram, names)]
    return parts


def events_of(relation: Relation) -> list[Event]:
    """Return the events of a system: one for each action of its scheduler, if it has one."""
    best: list[tuple[list[Part], list[tuple[int, int]]]] | None = None
    most = 0.0
    for name, protocol in relation.protocols.items():
        if protocol.forced or len(protocol.enabled) < _FEW_ACTIONS:
            continue
        cases = [_case(relation, name, action) for action in protocol.enabled]
        total = len(cases) * max(len(relation.encoder.layout.pairs), 1)
        quiet = 1 - sum(len(touched) for _, touched in cases) / total
        if quiet > most:
            best, most = cases, quiet
    if best is None or most < _QUIET:
        return [Event(relation, relation.parts, relation.encoder.layout.pairs)]
    return [Event(relation, parts, touched) for parts, touched in best]


def _case(relation: Relation, agent: str, action: str) -> tuple[list[Part], list[tuple[int, int]]]:
    """Return what is left of the relation under one action, and the bits that it may change."""
    diagrams = relation.diagrams
    levels = frozenset(relation.encoder.layout.actions[agent])
    chosen, cube = relation.does(agent, action), diagrams.cube(levels)
    parts: list[Part] = []
    touched: list[tuple[int, int]] = []
    for part in relation.parts:
        kept = part
        if part.levels & levels:
            diagram = diagrams.both_exists(part.diagram, chosen, cube)
            kept = Part(diagram, support(diagrams, diagram), part.assigned)
        if kept.assigned and kept.diagram == relation.stay(kept.assigned):
            continue
        for variable in kept.assigned:
            bits = relation.encoder.layout.variables[variable.agent, variable.name]
            touched.extend(zip(bits.now, bits.next, strict=True))
        if kept.diagram != diagrams.true:
            parts.append(kept)
    return parts, touched


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
