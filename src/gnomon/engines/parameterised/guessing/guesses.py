"""Guesses that few conditions of a demand are enough for it never to be met.

S. Conchon, A. Goel, S. Krstić, A. Mebsout, F. Zaïdi. Invariants for finite instances and beyond. FMCAD 2013.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube, AgentSets
from gnomon.engines.parameterised.demands import Demand
from gnomon.engines.parameterised.guessing.few_agents import FewAgents
from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.engines.parameterised.local_space import BitSpace
from gnomon.model.agent import ENVIRONMENT

#: A guess is about so many variables, of the environment and so many agents.
_VARIABLES: Final = 3
_AGENTS: Final = 2
#: So many guesses at most are held against what few agents do, for one demand.
_TRIED: Final = 2_000
#: The place of the environment among those of whom something is demanded.
_ENVIRONMENT: Final = -1


class _Aspect(NamedTuple):
    """A variable of somebody of whom something is demanded, by both places."""

    who: int
    variable: int


class CubeGuesser:
    """Guesses for the demands of one search."""

    def __init__(
        self, program: CompiledPopulation, few: FewAgents, rejected: set[AgentCube]
    ) -> None:
        """Guess what few agents do not refute, and what was not rejected."""
        self._program = program
        self._few = few
        self._rejected = rejected
        #: What was guessed, and from which demands.
        self._made: set[AgentCube] = set()
        self._asked: set[Demand] = set()

    def guess(self, demand: Demand) -> AgentCube | None:
        """Return a wider cube that was not seen; None if there is none, or at the second time."""
        if demand in self._asked:
            return None
        self._asked.add(demand)
        for tried, cube in enumerate(self._wider(demand)):
            if tried >= _TRIED:
                break
            if cube in self._rejected or self._few.occurs(cube.environment, cube.others):
                continue
            if cube in self._made:
                return None  # it was not wide enough to contain this
            self._made.add(cube)
            return cube
        return None

    def _wider(self, demand: Demand) -> Iterator[AgentCube]:
        """Yield what is left of a demand if it is seen in few ways: in one way first."""
        sets = {_ENVIRONMENT: demand.environment, **dict(enumerate(m for _, m in demand.agents))}
        aspects = [
            _Aspect(who, variable)
            for who, states in sets.items()
            for variable in self._seen(self._space(demand, who), states)
        ]
        for size in range(1, _VARIABLES + 1):
            for chosen in combinations(aspects, size):
                agents = sorted({aspect.who for aspect in chosen} - {_ENVIRONMENT})
                if len(agents) <= _AGENTS:
                    own = self._within(demand, _ENVIRONMENT, sets, chosen)
                    others: AgentSets = tuple(
                        (demand.agents[who][0], self._within(demand, who, sets, chosen))
                        for who in agents
                    )
                    yield AgentCube(own, -1, others)

    def _space(self, demand: Demand, who: int) -> BitSpace:
        name = ENVIRONMENT if who == _ENVIRONMENT else demand.agents[who][0]
        space = self._program.spaces[name]
        assert isinstance(space, BitSpace)
        return space

    def _seen(self, space: BitSpace, states: LocalSet) -> list[int]:
        """Return the variables that make a difference to a set."""
        states &= space.full
        assert isinstance(states, int)
        return [v for v in range(len(space.sizes)) if space.regardless(states, v) != states]

    def _within(
        self,
        demand: Demand,
        who: int,
        sets: dict[int, LocalSet],
        chosen: tuple[_Aspect, ...],
    ) -> int:
        """Return the states that agree with one of a set in the chosen variables."""
        space = self._space(demand, who)
        states = sets[who] & space.full
        assert isinstance(states, int)
        kept = {aspect.variable for aspect in chosen if aspect.who == who}
        for variable in range(len(space.sizes)):
            if variable not in kept:
                states = space.regardless(states, variable)
        return states
