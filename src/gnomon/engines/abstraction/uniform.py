"""Strategies of agents that act on what they see: one action for each of their local cells.

A strategy that sees everything is looked for first. Where it wants an agent to do different things in cells
that look alike to it, the agent is bound to each of its actions there in turn, and the search goes on.
"""

from typing import Final, Protocol, TypeAlias

from gnomon.engines.abstraction.concrete import Cell, diagram_of, local_part, pick_cell
from gnomon.engines.abstraction.label import Label, Layer, Step
from gnomon.engines.abstraction.space import Space
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.formula import Enforces, Finally, Formula, Next, Until
from gnomon.text.record import Record

#: So many ways of binding agents are tried before the question is left open.
_MOST_TRIED: Final = 200
_MOST_CELLS: Final = 2_000

#: A member and what it sees of a cell.
Sight: TypeAlias = tuple[str, Cell]


class Labelling(Protocol):
    """What the search asks of those who label formulae."""

    space: Space
    layers: dict[tuple[Formula, Step], list[Layer]]

    def label(self, formula: Formula) -> Label:
        """Return the label of a formula."""

    def brought_about(self, formula: Enforces) -> Diagram:
        """Return where the members can bring a formula about, as they are bound now."""


class LocalStrategy(Record):
    """What members do by what they see, and the cells that it wins from."""

    choices: tuple[tuple[Sight, str], ...]
    start: Diagram


class _Conflict(Exception):
    """One member would have to do different things in cells that look alike to it."""

    def __init__(self, sight: Sight) -> None:
        super().__init__()
        self.sight = sight


class _GivenUp(Exception):
    """It takes too long."""


def find_strategy(labels: Labelling, formula: Enforces, start: Diagram) -> LocalStrategy | None:
    """Return a strategy by local cells that wins from all cells of a set; None where none was found."""
    search = _Search(labels, formula, start)
    try:
        found = search.run({})
    except _GivenUp:
        return None
    finally:
        labels.space.bound_to = {}
    return None if found is None else LocalStrategy(tuple(found.items()), start)


class _Search:
    def __init__(self, labels: Labelling, formula: Enforces, start: Diagram) -> None:
        self._labels = labels
        self._space = labels.space
        self._d = labels.space.diagrams
        self._formula = formula
        self._start = start
        self._tried = 0
        self._bound: dict[Sight, str] = {}

    def run(self, bound: dict[Sight, str]) -> dict[Sight, str] | None:
        """Return a strategy that does what agents are bound to, and decides the rest."""
        self._tried += 1
        if self._tried > _MOST_TRIED:
            raise _GivenUp
        self._bound = bound
        self._bind(bound)
        region = self._labels.brought_about(self._formula)
        if self._d.minus(self._start, region) != self._d.false:
            return None
        try:
            return self._play(region, bound)
        except _Conflict as conflict:
            sight = conflict.sight
        for action in self._space.system.agent(sight[0]).actions:
            found = self.run({**bound, sight: action})
            if found is not None:
                return found
        return None

    def _bind(self, bound: dict[Sight, str]) -> None:
        d, space = self._d, self._space
        limits: dict[str, Diagram] = {}
        for (name, seen), action in bound.items():
            elsewhere = d.opposite(diagram_of(space, seen))
            allowed = d.either(elsewhere, space.cells.does(name, action))
            limits[name] = d.both(limits.get(name, d.true), allowed)
        space.bound_to = limits

    def _play(self, region: Diagram, bound: dict[Sight, str]) -> dict[Sight, str]:
        """Follow all outcomes, and return what was done in which view."""
        d, space = self._d, self._space
        done: dict[Sight, str] = dict(bound)
        waiting, seen = self._start, d.false
        for _ in range(_MOST_CELLS):
            waiting = d.minus(d.minus(waiting, seen), self._over())
            if waiting == d.false:
                return done
            cell = pick_cell(space, waiting)
            here = diagram_of(space, cell)
            seen = d.either(seen, here)
            actions = self._choose(here, region, cell, done)
            if not isinstance(self._formula.path, Next):
                waiting = d.either(waiting, space.successors(here, actions))
        raise _GivenUp

    def _choose(
        self, here: Diagram, region: Diagram, cell: Cell, done: dict[Sight, str]
    ) -> dict[str, str]:
        """Return what the members do in a cell: if possible what they did where it looked the same."""
        space, members = self._space, self._formula.group.members
        sights = {name: (name, local_part(space, cell, (name,))) for name in members}
        forbidden = self._forbidden(here, region)
        known = {sight: done[sight] for sight in sights.values() if sight in done}
        self._bind({**self._bound, **known})
        actions = space.forced(here, members, forbidden)
        self._bind(self._bound)
        if actions is None:
            clash = next((sight for sight in known if sight not in self._bound), None)
            if clash is None:
                raise _GivenUp
            raise _Conflict(clash)
        for name, action in actions.items():
            done[sights[name]] = action
        return actions

    def _forbidden(self, here: Diagram, region: Diagram) -> Diagram:
        d, space = self._d, self._space
        match self._formula.path:
            case Next(body):
                return space.after(d.minus(space.reachable, self._labels.label(body).true))
            case Finally() | Until():
                step: Step = ("surely", self._formula.group.members)
                for layer in self._labels.layers[self._formula, step]:
                    if d.both(here, layer.cells) != d.false:
                        return d.minus(space.reachable_after, layer.moves)
                raise _GivenUp
            case _:
                return space.after(d.minus(space.reachable, region))

    def _over(self) -> Diagram:
        match self._formula.path:
            case Finally(goal) | Until(_, goal):
                return self._labels.label(goal).true
            case _:
                return self._d.false
