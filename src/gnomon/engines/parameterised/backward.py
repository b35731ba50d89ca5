"""Backward search with counted agents: exact for `some`, `one` and `all`, and for bounded templates.

A demand is for some different agents, each in a set of local states, a state of the environment in a set, and
facts. From the goals it goes back step by step; a step back never needs fewer agents, so that taking the
demands with the fewest agents first finds the smallest populations first. It ends, because no sequence of
demands goes on for ever without one that contains a later one (they are well-quasi-ordered).

Guards that speak of every agent are taken to hold of those that a demand speaks of: then more may seem
reachable than is, and what is found has to be confirmed.
"""

import heapq
from collections.abc import Callable
from itertools import count
from math import inf
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
        guess: Callable[[Demand], AgentCube | None] | None = None,
    ) -> None:
        """Search from goals, through no more than `most` demands.

        `own` is an agent that the goals call `self`, by its template and states: it comes first. What is
        guessed of a demand becomes a goal, and the demand waits until that has been seen to.
        """
        self.program = program
        self.goals = goals
        self.budget = budget or Budget()
        self.most = most
        self.count = 0
        self.work = 0
        self._steps = 0
        self._waiting: list[tuple[int, int, int, Demand]] | None = None
        self._number = count()
        self.visited: list[Demand] = []
        self.hits: list[tuple[Population, Demand]] = []
        #: Whether all the smallest populations are among the hits.
        self.complete = False
        self._own = own
        self._guess = guess
        self._guessed: dict[Demand, AgentCube] = {}
        self._lows = [part.low for part in program.system.templates]
        self.contested = program.contested_facts(goals)
        self.solitary = SolitaryMoves(program, self.contested)
        self._predecessors = Predecessors(program, self.solitary, self.contested, self._check)

    def _check(self) -> None:
        """See to the limits now and then: one demand may have very many steps back."""
        self._steps += 1
        if self._steps % _OFTEN == 0:
            self.budget.check("backward search", self.count)

    def begin(self, demands: int) -> bool:
        """Search through so many demands; return whether that was all, or something was found."""
        self._search(demands)
        return bool(self.hits) or not self._waiting

    def run(self, *, spare: int = 0) -> bool:
        """Search; return whether an initial configuration was found.

        Then go on through `spare` more demands at most, until all the smallest populations are known:
        `complete` says whether they are.
        """
        if not self.hits:
            self._search()
        if self.hits:
            self._search(self.count + spare, self.work + _WORK * spare, further=True)
        self.complete = not self._waiting
        return bool(self.hits)

    def _search(self, last: float = inf, work: float = inf, *, further: bool = False) -> None:
        """Search up to a number of demands and comparisons, and to the first hit or `further`."""
        if self._waiting is None:
            self._waiting = []
            self._push_goals()
        while self._waiting and self.count < last and self.work < work:
            *_, demand = heapq.heappop(self._waiting)
            population = self.population(demand)
            if any(at_least(population, known) for known, _ in self.hits):
                continue
            if self._is_covered(demand):
                continue
            if self._is_initial(demand):
                self.hits = [hit for hit in self.hits if not at_least(hit[0], population)]
                self.hits.append((population, demand))
                if not further:
                    return
            elif not self._waits_for_guess(demand):
                self._visit(demand)
                self._predecessors.go_back(demand, self._push)

    def _push_goals(self) -> None:
        for cube in self.goals:
            own = () if self._own is None else ((self._own[0], self._own[1] & cube.own),)
            if all(mask for _, mask in own):
                agents = (*own, *cube.others)
                self._predecessors.push(self._push, cube.environment, agents, cube.facts)

    def _push(self, demand: Demand) -> None:
        assert self._waiting is not None
        key = (len(demand.agents), demand.depth, next(self._number))
        heapq.heappush(self._waiting, (*key, demand))

    def _waits_for_guess(self, demand: Demand) -> bool:
        """Push what is guessed of a demand, and the demand once more after it, if something is."""
        cube = None if self._guess is None else self._guess(demand)
        if cube is None:
            return False

        def taken(root: Demand) -> None:
            self._guessed[root] = cube
            self._push(root)

        self._predecessors.push(taken, cube.environment, cube.others, cube.facts)
        self._push(demand)
        return True

    def guess_behind(self, demand: Demand) -> AgentCube | None:
        """Return the guess that a demand leads to, None where it leads to a goal."""
        while demand.leads_to is not None:
            demand = demand.leads_to
        return self._guessed.get(demand)

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
