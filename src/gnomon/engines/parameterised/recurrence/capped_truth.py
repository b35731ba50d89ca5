"""Formulae of time about all populations at once: what is certain on a counted graph is so in each."""

from collections.abc import Iterable, Iterator

from gnomon.engines.parameterised.recurrence.candidates import Candidates, CappedProduct
from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph, CappedStep
from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, CrowdState, CrowdStep
from gnomon.engines.parameterised.recurrence.flows import never_balanced
from gnomon.engines.parameterised.recurrence.product import WatchedNode
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.engines.parameterised.recurrence.truth import PathTruth, explored
from gnomon.model import formula as f
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.parameterised import condition as c
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.system import OpenSystem


class CappedTruth(PathTruth[Capped, CappedStep]):
    """What a question is worth in configurations that are counted up to a cap."""

    def __init__(
        self,
        graph: CappedGraph,
        query: OverTime,
        track: Track,
        budget: Budget,
        *,
        balanced: bool = False,
    ) -> None:
        """Look at a graph, and at how often steps can recur where they must be `balanced`."""
        super().__init__(track, budget)
        self._graph = graph
        self._query = query
        self._balance = (lambda edges: never_balanced(edges, budget)) if balanced else None
        self._grows = is_monotone(graph.situations.system)
        self._ways: dict[tuple[f.Formula, Capped], tuple[CrowdStep, ...] | None] = {}
        self._copies = has_copies(graph.situations.system) and graph.cap == 1

    def initial(self) -> Iterable[Capped]:
        """Return the initial configurations of all populations."""
        return self._graph.initial()

    def following(self, now: Capped) -> Iterable[tuple[Capped, CappedStep]]:
        """Return what can come next, and how."""
        return ((step.after, step) for step in self._graph.steps(now))

    def condition(self, number: int, now: Capped) -> bool:
        """Return whether a condition of the question holds."""
        situation = self._graph.situation(now)
        return self._graph.situations.holds(self._query.conditions[number], situation, now.own)

    def recurring(self, found: CappedProduct) -> Iterator[WatchedNode[Capped]]:
        """Yield nodes of all loops that may be ones of some population."""
        for part in self.candidates(found).all():
            yield from part.nodes

    def candidates(self, found: CappedProduct) -> Candidates:
        """Return what looks for these loops, and keeps why others are none."""
        return Candidates(self._graph, found, self.budget, self._balance)

    def certain(self, path: f.Formula, now: Capped) -> bool | None:
        """Return whether as few agents as possible can get somewhere: then more can, too."""
        return True if self.way(path, now) is not None else None

    def way(self, path: f.Formula, now: Capped) -> tuple[CrowdStep, ...] | None:
        """Return how as few agents as possible get to where a path formula says, and more could, too."""
        body = _arrival(path)
        if body is None or self._graph.situations.system.fairness:
            return None
        if (path, now) not in self._ways:
            wanted = self._plain(body)
            stays = wanted is not None and self._stays(c.positive(wanted))
            found = self._way(c.positive(wanted), now) if wanted is not None and stays else None
            self._ways[path, now] = found
        return self._ways[path, now]

    def _stays(self, wanted: c.Condition) -> bool:
        """Return whether more agents can get to where a condition holds if fewer in the same places can.

        They do nothing, and then it must be about some agents only; or they do what those do of whom they
        are copies, and then it must not count.
        """
        kinds = {type(part) for part in c.walk(wanted)}
        grows = self._grows and c.Forall not in kinds
        copied = self._copies and c.Same not in kinds
        return c.Enough not in kinds and (grows or copied)

    def _plain(self, body: f.Formula) -> c.Condition | None:
        match body:
            case f.Constant(value):
                return c.TRUE if value else c.FALSE
            case f.Proposition(name):
                return self._query.conditions[int(name)]
            case f.Not(inner):
                found = self._plain(inner)
                return None if found is None else c.Not(found)
            case f.And(operands) | f.Or(operands):
                parts = [self._plain(each) for each in operands]
                listed = tuple(part for part in parts if part is not None)
                kind = c.And if isinstance(body, f.And) else c.Or
                return kind(listed) if len(listed) == len(parts) else None
            case _:
                return None

    def _way(self, wanted: c.Condition, now: Capped) -> tuple[CrowdStep, ...] | None:
        """Return how just so many agents as are counted can get to where a condition holds."""
        situations = self._graph.situations
        own = () if now.own is None else (now.own,)
        agents = (*own, *(place for place, number in now.others for _ in range(number)))
        members = tuple(situations.places[place][0] for place in agents)
        crowd = CrowdGraph(situations, members)
        who = None if now.own is None else 0
        before: dict[CrowdState, tuple[CrowdState, CrowdStep]] = {}

        def following(each: CrowdState) -> Iterator[tuple[CrowdState, CrowdStep]]:
            for after, step in crowd.steps(each):
                before.setdefault(after, (each, step))
                yield after, step

        start = CrowdState(now.environment, agents)
        try:
            found = explored([start], following, self.budget)
            end = next((each for each in found if crowd.holds(wanted, each, who)), None)
        except OutOfReach:
            return None
        steps: list[CrowdStep] = []
        while end is not None and end != start:
            end, step = before[end]
            steps.append(step)
        return None if end is None else tuple(reversed(steps))


def _arrival(path: f.Formula) -> f.Formula | None:
    """Return what a path formula asks of some state, where that is all it asks."""
    match path:
        case f.Finally(body) | f.Until(f.Constant(True), body):
            return body
        case f.Not(f.Globally(body)):
            return f.Not(body)
        case _:
            return None


def is_monotone(system: OpenSystem) -> bool:
    """Return whether more agents never keep the others from doing what they did.

    They do nothing, or an action for `all` takes them along, whose guards look at nobody else.
    """
    guards = (guard for part in system.part.values() for guard in part.guards.values())
    return not any(isinstance(part, c.Forall) for g in guards for part in c.walk(c.positive(g)))


def has_copies(system: OpenSystem) -> bool:
    """Return whether a copy of an agent can do what the agent does, together with it, and nobody notices.

    Then only matters whether somebody is in a place, or nobody; each way through sets of places is a run.
    """
    guards = (guard for part in system.part.values() for guard in part.guards.values())
    counting = c.Same | c.Enough
    return (
        set(system.sync.values()) <= {"some", "all"}
        and not system.followed_by
        and not any(isinstance(part, counting) for guard in guards for part in c.walk(guard))
        and not any(part.high for part in system.templates)
    )
