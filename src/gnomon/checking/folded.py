"""Reachable states folded by what is shown of them, without listing them: exact however many there are.

States that agree on something, look the same to an agent, or are bisimilar are one class. Classes and the
steps between them are found on the sets of an engine: a few operations a class, one a step between classes.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

from gnomon.checking.reachable_work import on_reachable_states
from gnomon.engines.algebra import Algebra
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.expression import And, Compare, Expression, Literal, Not, Read
from gnomon.model.step import State, holds, view
from gnomon.model.system import System

_PHASE: Final = "folding"
#: What tells classes apart: variables of some agents, some propositions, or the view of an agent.
FoldKey: TypeAlias = "ByVariables | ByPropositions | ByView | ByBisimulation"


@dataclass(frozen=True)
class ByVariables:
    """States that agree on all variables of these agents are one class."""

    agents: tuple[str, ...]


@dataclass(frozen=True)
class ByPropositions:
    """States that agree on these propositions are one class."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class ByView:
    """States that look the same to this agent are one class."""

    agent: str


@dataclass(frozen=True)
class ByBisimulation:
    """States that no formula of CTL* over these propositions tells apart are one class.

    That is the coarsest partition whose classes agree on the propositions and have steps to the same classes.
    """

    names: tuple[str, ...]


@dataclass(frozen=True)
class StateClass:
    """A class: one of its states, how many there are, and what holds in all of them or in some."""

    state: State
    states: int
    initial: bool
    #: Whether no step leads on from any of its states.
    stuck: bool
    always: tuple[str, ...]
    sometimes: tuple[str, ...]


@dataclass(frozen=True)
class FoldedStates:
    """Classes and the steps between them, by their places; where `cut`, there are more classes."""

    classes: tuple[StateClass, ...]
    steps: tuple[tuple[int, int], ...]
    states: int
    cut: bool = False


def fold_states(system: System, key: FoldKey, most: int, budget: Budget) -> FoldedStates:
    """Return up to `most` classes of the reachable states; raise `LimitReached` at a limit."""
    return on_reachable_states(system, partial(_folded, system, key, most), budget)


def fold_value(
    system: System, key: ByVariables | ByPropositions | ByView, state: State
) -> tuple[object, ...]:
    """Return what a state has in common with all others of its class, and with no other state."""
    match key:
        case ByVariables(agents):
            pairs = zip(system.variables, state, strict=True)
            return tuple(value for variable, value in pairs if variable.agent in agents)
        case ByPropositions(names):
            return tuple(holds(system.propositions[name], system, state) for name in names)
        case ByView(agent):
            return view(system, system.agent(agent), state)


def _folded(
    system: System, key: FoldKey, most: int, algebra: Algebra[Any], budget: Budget
) -> FoldedStates:
    parts = []
    if isinstance(key, ByBisimulation):
        parts = _bisimilar(system, key, most, algebra, budget)
    search = _ClassSearch(system, key, most, algebra, budget, parts)
    search.run()
    propositions = {name: algebra.where(what) for name, what in system.propositions.items()}
    classes = tuple(
        search.described(place, propositions)
        for place in budget.watching(range(len(search.sets)), _PHASE)
    )
    return FoldedStates(classes, tuple(search.steps), algebra.count(algebra.reachable), search.cut)


@dataclass
class _ClassSearch:
    """Classes in the order in which they are met from the initial states, and the steps between them."""

    system: System
    key: FoldKey
    most: int
    algebra: Algebra[Any]
    budget: Budget
    #: The classes, where they were found beforehand.
    parts: list[Any]
    order: dict[tuple[object, ...], int] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    sets: list[Any] = field(default_factory=list)
    steps: dict[tuple[int, int], None] = field(default_factory=dict)
    cut: bool = False
    _known: Any = None

    def run(self) -> None:
        """Go from class to class, breadth first, until there are no more, or as many as may be."""
        self._known = self.algebra.empty
        self._meet(self.algebra.initial)
        for place, inside in enumerate(self.sets):  # it grows while we go
            after = self.algebra.after(inside)
            self._meet(after)
            for target in self._classes_in(self.algebra.intersection(after, self._known)):
                self.steps[place, target] = None

    def _meet(self, states: Any) -> None:
        """Take down the classes of some states, as long as there is room."""
        new = self.algebra.difference(states, self._known)
        while not self.algebra.is_empty(new):
            if len(self.sets) >= self.most:
                self.cut = True
                return
            self.budget.check(_PHASE, len(self.sets))
            state = self.algebra.pick(new)
            inside = self._class_of(state)
            self.order[self._value(state)] = len(self.sets)
            self.states.append(state)
            self.sets.append(inside)
            self._known = self.algebra.union(self._known, inside)
            new = self.algebra.difference(new, inside)

    def _classes_in(self, states: Any) -> list[int]:
        """Return the places of the classes that some states are in; all of these are known."""
        found = []
        while not self.algebra.is_empty(states):
            self.budget.check(_PHASE, len(self.steps))
            place = self.order[self._value(self.algebra.pick(states))]
            found.append(place)
            states = self.algebra.difference(states, self.sets[place])
        return sorted(found)

    def _value(self, state: State) -> tuple[object, ...]:
        """Return what a state has in common with all others of its class, and with no other state."""
        if isinstance(self.key, ByBisimulation):
            return (self._part(state),)
        return fold_value(self.system, self.key, state)

    def _part(self, state: State) -> int:
        alone = self.algebra.only(state)
        return next(n for n, part in enumerate(self.parts) if self.algebra.is_subset(alone, part))

    def _class_of(self, state: State) -> Any:
        match self.key:
            case ByVariables(agents):
                pairs = zip(self.system.variables, state, strict=True)
                return self.algebra.where(
                    _all(
                        Compare("=", Read(variable.agent, variable.name), Literal(value))
                        for variable, value in pairs
                        if variable.agent in agents
                    )
                )
            case ByPropositions(names):
                known = self.system.propositions
                return self.algebra.where(
                    _all(
                        known[name] if holds(known[name], self.system, state) else Not(known[name])
                        for name in names
                    )
                )
            case ByView(agent):
                return self.algebra.indistinguishable((agent,), self.algebra.only(state))
            case ByBisimulation():
                return self.parts[self._part(state)]

    def described(self, place: int, propositions: dict[str, Any]) -> StateClass:
        """Return what there is to say about a class."""
        algebra, inside = self.algebra, self.sets[place]
        always = [name for name, where in propositions.items() if algebra.is_subset(inside, where)]
        sometimes = [
            name
            for name, where in propositions.items()
            if name not in always and not algebra.is_empty(algebra.intersection(inside, where))
        ]
        return StateClass(
            self.states[place],
            algebra.count(inside),
            not algebra.is_empty(algebra.intersection(inside, algebra.initial)),
            algebra.is_subset(inside, algebra.deadlocks),
            tuple(always),
            tuple(sometimes),
        )


def _all(conditions: Iterable[Expression]) -> Expression:
    """Return that all conditions hold; nothing has to, where there are none."""
    return And(tuple(conditions))


def _bisimilar(
    system: System, key: ByBisimulation, most: int, algebra: Algebra[Any], budget: Budget
) -> list[Any]:
    """Return the classes of bisimilar states; raise `LimitReached` where there are more than `most`."""
    parts = [algebra.reachable]
    for name in key.names:
        parts = _split(algebra, parts, algebra.where(system.propositions[name]))
    waiting = list(parts)
    while waiting:
        # What a class that is split by now tells apart is told apart by its halves as well, which wait, too.
        before = algebra.before(waiting.pop(), algebra.reachable)
        finer = []
        for part in budget.watching(parts, _PHASE):
            halves = _split(algebra, [part], before)
            finer += halves
            if len(halves) > 1:
                waiting += halves
        if len(finer) > most:
            raise LimitReached(f"there are more than {most:,} classes of bisimilar states")
        parts = finer
    return parts


def _split(algebra: Algebra[Any], parts: list[Any], by: Any) -> list[Any]:
    """Return the parts, those that are partly in a set in two halves."""
    halves = [
        half
        for part in parts
        for half in (algebra.intersection(part, by), algebra.difference(part, by))
    ]
    return [half for half in halves if not algebra.is_empty(half)]
