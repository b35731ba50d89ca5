"""Backward search with counted agents: exact for `some`, `one` and `all`, and for bounded templates.

A demand is for some different agents, each in a set of local states, a state of the environment in a set, and
facts. From the goals it goes back step by step; a step back never needs fewer agents, so that taking the
demands with the fewest agents first finds the smallest populations first. It ends, because no sequence of
demands goes on for ever without one that contains a later one (they are well-quasi-ordered).

Guards that speak of every agent are taken to hold of those that a demand speaks of: then more may seem
reachable than is, and what is found has to be confirmed.
"""

import heapq
from itertools import count
from typing import Final

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube, matches
from gnomon.engines.parameterised.demands import Demand, Population, at_least, fewer
from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.engines.parameterised.predecessors import Predecessors
from gnomon.engines.parameterised.solitary import SolitaryMoves
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached

_OFTEN: Final = 32
#: Where the demands are limited, so are their comparisons: so many for each.
_WORK: Final = 400


class BackwardSearch:
    """The search backwards from some cubes."""

    def __init__(
        self,
        program: CompiledPopulation,
        goals: tuple[AgentCube, ...],
        budget: Budget | None = None,
        most: int | None = None,
        own: tuple[str, LocalSet] | None = None,
    ) -> None:
        """Search from goals, through no more than `most` demands.

        `own` is an agent that the goals call `self`, by its template and states: it comes first.
        """
        self.program = program
        self.goals = goals
        self.budget = budget or Budget()
        self.most = most
        self.count = 0
        self.work = 0
        self._steps = 0
        self.visited: list[Demand] = []
        self.hits: list[tuple[Population, Demand]] = []
        #: Whether all the smallest populations are among the hits.
        self.complete = False
        self._own = own
        self._lows = [part.low for part in program.system.templates]
        self.contested = program.contested_facts(goals)
        self.solitary = SolitaryMoves(program, self.contested)
        self._predecessors = Predecessors(program, self.solitary, self.contested, self._check)

    def _check(self) -> None:
        """See to the limits now and then: one demand may have very many steps back."""
        self._steps += 1
        if self._steps % _OFTEN == 0:
            self.budget.check("backward search", self.count)

    def run(self, *, spare: int = 0) -> bool:
        """Search; return whether an initial configuration was found.

        Then go on through `spare` more demands at most, until all the smallest populations are known:
        `complete` says whether they are.
        """
        waiting: list[tuple[int, int, int, Demand]] = []
        number = count()

        def push(demand: Demand) -> None:
            heapq.heappush(waiting, (len(demand.agents), demand.depth, next(number), demand))

        for cube in self.goals:
            own = () if self._own is None else ((self._own[0], self._own[1] & cube.own),)
            if all(mask for _, mask in own):
                agents = (*own, *cube.others)
                self._predecessors.push(push, cube.environment, agents, cube.facts)
        last: int | None = None
        most_work = 0
        while waiting:
            if last is not None and (self.count >= last or self.work >= most_work):
                return True
            *_, demand = heapq.heappop(waiting)
            population = self.population(demand)
            if any(at_least(population, known) for known, _ in self.hits):
                continue
            if self._is_covered(demand):
                continue
            if self._is_initial(demand):
                self.hits = [hit for hit in self.hits if not at_least(hit[0], population)]
                self.hits.append((population, demand))
                if last is None:
                    last, most_work = self.count + spare, self.work + _WORK * spare
                continue
            self._visit(demand)
            self._predecessors.go_back(demand, push)
        self.complete = True
        return bool(self.hits)

    def population(self, demand: Demand) -> Population:
        """Return how many agents of each template are demanded, or there are at least."""
        return tuple(
            max(low, sum(1 for name, _ in demand.agents if name == template))
            for low, template in zip(self._lows, self.program.names, strict=True)
        )

    def _visit(self, demand: Demand) -> None:
        self.count += 1
        if self.most is not None and self.count > self.most:
            msg = f"more than {self.most:,} cubes in the backward search"
            raise LimitReached(msg)
        if self.count % _OFTEN == 0:
            self.budget.check("backward search", self.count)
            self.visited = [old for old in self.visited if old.used]
        for old in self.visited:
            if (
                old.used
                and not old.environment & ~demand.environment
                and demand.facts <= old.facts
                and fewer(demand.counts, old.counts)
                and matches(demand.agents, old.agents)
            ):
                old.used = False
        self.visited.append(demand)

    def _is_covered(self, demand: Demand) -> bool:
        """Take away what has been seen; return whether nothing is left."""
        self.work += len(self.visited)
        if self.most is not None and self.work > _WORK * self.most:
            msg = "too many comparisons in the backward search"
            raise LimitReached(msg)
        for old in self.visited:
            if not demand.environment & old.environment or not old.used:
                continue
            if (
                old.facts <= demand.facts
                and fewer(old.counts, demand.counts)
                and matches(old.agents, demand.agents)
            ):
                demand.environment &= ~old.environment
                if not demand.environment:
                    return True
        return False

    def _is_initial(self, demand: Demand) -> bool:
        initial = self.program.initial
        return bool(demand.environment & initial[ENVIRONMENT]) and all(
            mask & initial[name] for name, mask in demand.agents
        )
