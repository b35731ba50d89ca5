"""What formulae about knowledge are worth, by what there may be at most and what there surely is.

Something is known where it is so at all points that look the same, of all there may be; and it is not known
where it is not so at one that looks the same and is surely there. Points of the one sort stand for
configurations that are counted up to a cap; points of the other are configurations of a population.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum
from gnomon.model.evaluation import every, some
from gnomon.model.parameterised import condition as c
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.knowing import (
    AgentKnows,
    AllOf,
    AnyOf,
    Common,
    EpistemicFormula,
    EveryAgent,
    Here,
    JointlyKnown,
    OppositeOf,
    SomeAgent,
    within,
)
from gnomon.model.parameterised.step import Configuration, Local, World

#: Which agent each index stands for.
IndexedAgents: TypeAlias = Mapping[str, int]
_NOBODY: Final[IndexedAgents] = {}
_NO_SETS: Final[Mapping[AgentKnows, Callable[[Hashable], bool]]] = {}


class ViewOfAgent(NamedTuple):
    """What an agent sees: its own state, and values of the environment's variables."""

    template: str
    local: Local
    seen: tuple[Datum, ...]


#: What one agent sees, or what all of a template see together.
WhatIsSeen: TypeAlias = Hashable


class KnowledgePoint(NamedTuple):
    """A configuration; with a `cap` as many agents in one local state stand for any number from it on."""

    world: World
    now: Configuration
    cap: int | None = None

    def agents(self, template: str) -> Iterator[int]:
        """Yield the agents of a template."""
        return (n for n, name in enumerate(self.world.members) if name == template)

    def view(self, agent: int) -> ViewOfAgent:
        """Return what an agent sees."""
        template = self.world.members[agent]
        return ViewOfAgent(template, self.now.agents[agent], self._shown(template))

    def views(self, template: str) -> dict[ViewOfAgent, int]:
        """Return the views that agents of a template have, each with one of those who have it."""
        return {self.view(agent): agent for agent in self.agents(template)}

    def _shown(self, template: str) -> tuple[Datum, ...]:
        system = self.world.system
        names = system.part[template].sees
        return tuple(self.now.environment[system.position[ENVIRONMENT, name]] for name in names)

    def numbers(self, template: str) -> dict[Local, int]:
        """Return how many agents of a template are in which local state."""
        found: dict[Local, int] = {}
        for agent in self.agents(template):
            local = self.now.agents[agent]
            found[local] = found.get(local, 0) + 1
        return found

    def together(self, template: str, cap: int | None) -> WhatIsSeen:
        """Return what all agents of a template see together, counted up to a cap if there is one."""
        numbers = self.numbers(template)
        counted = {at: n if cap is None else min(n, cap) for at, n in numbers.items()}
        return frozenset(counted.items()), self._shown(template) if counted else ()

    def is_exact(self, template: str) -> bool:
        """Return whether it says how many agents of a template there are in each local state."""
        cap = self.cap
        return cap is None or all(n < cap for n in self.numbers(template).values())


class _Doubts(NamedTuple):
    """By what is seen: where something may be unknown, and where it surely is."""

    possible: Callable[[WhatIsSeen], bool]
    certain: frozenset[WhatIsSeen]

    def known(self, seen: WhatIsSeen) -> bool | None:
        """Return whether it is known by those who see this."""
        if seen in self.certain:
            return False
        return None if self.possible(seen) else True


class KnownAt:
    """What formulae are worth at points."""

    def __init__(
        self,
        possible: Iterable[KnowledgePoint] | None,
        certain: Iterable[KnowledgePoint],
        budget: Budget,
        doubtful: Mapping[AgentKnows, Callable[[WhatIsSeen], bool]] = _NO_SETS,
    ) -> None:
        """Judge by all points that there may be, if they are known, and by some that surely are.

        Where points are not known, it may still be with which views something may be `doubtful`.
        """
        self._possible = None if possible is None else list(possible)
        self._doubtful = doubtful
        self._certain = list(certain)
        self._budget = budget
        self._cap = next((point.cap for point in self._possible or ()), None)
        self._doubts: dict[EpistemicFormula, _Doubts] = {}
        self._looks = 0

    def value(
        self, formula: EpistemicFormula, point: KnowledgePoint, who: IndexedAgents = _NOBODY
    ) -> bool | None:
        """Return what a formula is worth at a point; None where that is open."""
        match formula:
            case Here(condition):
                return point.world.holds(condition, point.now, {ENVIRONMENT: None, **who})
            case OppositeOf(body):
                found = self.value(body, point, who)
                return None if found is None else not found
            case AllOf(operands):
                return every(self.value(each, point, who) for each in operands)
            case AnyOf(operands):
                return some(self.value(each, point, who) for each in operands)
            case SomeAgent(index, template, body):
                agents = point.agents(template)
                return some(self.value(body, point, {**who, index: n}) for n in agents)
            case EveryAgent(index, template, body):
                agents = point.agents(template)
                return every(self.value(body, point, {**who, index: n}) for n in agents)
            case AgentKnows(index):
                return self._doubt(formula).known(point.view(who[index]))
            case Common(template):
                doubts = self._doubt(formula)
                return every(doubts.known(view) for view in point.views(template))
            case JointlyKnown(template, body):
                return self._known_together(formula, template, body, point)

    def _known_together(
        self, formula: JointlyKnown, template: str, body: EpistemicFormula, point: KnowledgePoint
    ) -> bool | None:
        doubts = self._doubt(formula)
        if point.is_exact(template) and point.together(template, None) in doubts.certain:
            return False
        if not doubts.possible(point.together(template, self._cap)):
            return True
        # What is not so is not known.
        return False if self.value(body, point) is False else None

    def _doubt(self, formula: AgentKnows | Common | JointlyKnown) -> _Doubts:
        found = self._doubts.get(formula)
        if found is None:
            certain = frozenset(self._doubted(formula, self._certain, {False}, None))
            found = self._doubts[formula] = _Doubts(self._maybe(formula), certain)
        return found

    def _maybe(self, formula: AgentKnows | Common | JointlyKnown) -> Callable[[WhatIsSeen], bool]:
        """Return a test of what is seen where something may be unknown."""
        if self._possible is not None:
            doubtful: set[bool | None] = {False, None}
            found = frozenset(self._doubted(formula, self._possible, doubtful, self._cap))
            return found.__contains__
        if isinstance(formula, AgentKnows) and formula in self._doubtful:
            return self._doubtful[formula]
        return _anywhere

    def unknown(self, formula: AgentKnows) -> frozenset[ViewOfAgent]:
        """Return views with which something surely is not known."""
        found = self._doubt(formula).certain
        return frozenset(view for view in found if isinstance(view, ViewOfAgent))

    def _doubted(
        self,
        formula: AgentKnows | Common | JointlyKnown,
        points: list[KnowledgePoint],
        doubtful: set[bool | None],
        cap: int | None,
    ) -> Iterator[WhatIsSeen]:
        """Yield what is seen where something may not be known, as far as these points say."""
        match formula:
            case AgentKnows():
                return self._of_one(formula, points, doubtful)
            case Common():
                return self._in_common(formula, points, doubtful)
            case JointlyKnown():
                return self._of_all(formula, points, doubtful, cap)

    def _of_one(
        self, formula: AgentKnows, points: list[KnowledgePoint], doubtful: set[bool | None]
    ) -> Iterator[WhatIsSeen]:
        """Yield the views of agents at points where what one is to know is doubtful."""
        for point in points:
            self._look()
            for view, agent in point.views(formula.template).items():
                if self.value(formula.body, point, {formula.index: agent}) in doubtful:
                    yield view

    def _in_common(
        self, formula: Common, points: list[KnowledgePoint], doubtful: set[bool | None]
    ) -> Iterator[WhatIsSeen]:
        """Yield the views from which a chain of what looks the same leads to where it is doubtful."""
        chains = _ViewChains()
        for point in points:
            self._look()
            views = list(point.views(formula.template))
            if views:
                chains.join(views, broken=self.value(formula.body, point) in doubtful)
        return chains.broken()

    def _of_all(
        self,
        formula: JointlyKnown,
        points: list[KnowledgePoint],
        doubtful: set[bool | None],
        cap: int | None,
    ) -> Iterator[WhatIsSeen]:
        """Yield what all see together at points where what they are to know is doubtful."""
        for point in points:
            self._look()
            if self.value(formula.body, point) in doubtful:
                yield point.together(formula.template, cap)

    def _look(self) -> None:
        self._looks += 1
        self._budget.check("views", self._looks)


class _ViewChains:
    """Views that are together somewhere belong to the same chains."""

    def __init__(self) -> None:
        self._above: dict[ViewOfAgent, ViewOfAgent] = {}
        self._broken: list[ViewOfAgent] = []

    def join(self, views: list[ViewOfAgent], *, broken: bool) -> None:
        """Take note of views that are together, and of whether it is doubtful there."""
        first = self._root(views[0])
        for view in views[1:]:
            self._above[self._root(view)] = first
        if broken:
            self._broken.append(first)

    def _root(self, view: ViewOfAgent) -> ViewOfAgent:
        self._above.setdefault(view, view)
        while self._above[view] != view:
            self._above[view] = view = self._above[self._above[view]]
        return view

    def broken(self) -> Iterator[ViewOfAgent]:
        """Yield the views that a chain leads from to where it is doubtful."""
        bad = {self._root(view) for view in self._broken}
        return (view for view in list(self._above) if self._root(view) in bad)


def _anywhere(_seen: WhatIsSeen) -> bool:
    return True


def segments(formula: EpistemicFormula) -> Iterator[Condition]:
    """Yield what is said of one point at a time: by the whole, and by all that somebody is to know."""
    yield _without_knowledge(formula)
    for part in within(formula):
        match part:
            case AgentKnows(_, _, body) | Common(_, body) | JointlyKnown(_, body):
                yield _without_knowledge(body)
            case _:
                pass


def _without_knowledge(formula: EpistemicFormula) -> Condition:
    """Return a condition that compares agents, and binds them, as a formula does."""
    match formula:
        case Here(condition):
            return condition
        case OppositeOf(body):
            return c.Not(_without_knowledge(body))
        case AllOf(operands):
            return c.And(tuple(map(_without_knowledge, operands)))
        case AnyOf(operands):
            return c.Or(tuple(map(_without_knowledge, operands)))
        case SomeAgent(index, template, body):
            return c.Exists(index, template, _without_knowledge(body))
        case EveryAgent(index, template, body):
            return c.Forall(index, template, _without_knowledge(body))
        case AgentKnows() | Common() | JointlyKnown():
            return c.TRUE
