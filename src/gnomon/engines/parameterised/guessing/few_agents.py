"""What populations of few agents reach: what they do reach need not be guessed to be out of reach."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product
from typing import Final

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentSets
from gnomon.engines.parameterised.demands import Population
from gnomon.engines.parameterised.local_sets import LocalSet, bits
from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, CrowdState
from gnomon.engines.parameterised.recurrence.situations import Situations
from gnomon.engines.parameterised.small_populations import small_populations
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget

#: So many agents, so many configurations whoever the agents are, and so many steps are looked at.
_AGENTS: Final = 3
_CONFIGURATIONS: Final = 1_500
_STEPS: Final = 6_000


class FewAgents:
    """Which states of the environment and of one or two agents occur together, as far as was looked.

    The program asks for no facts, and its sets of local states are integers.
    """

    def __init__(self, program: CompiledPopulation, budget: Budget) -> None:
        """Go through populations, smaller ones first."""
        self._program = program
        self._budget = budget
        self._situations = Situations(program.system, _AGENTS, {})
        self._steps = 0
        #: How many configurations were looked at.
        self.count = 0
        #: The environment's states, those beside an agent's state, and other agents' states beside both.
        self._alone = 0
        self._beside: dict[str, dict[int, int]] = {name: {} for name in program.names}
        self._others: dict[tuple[str, int, int], dict[str, int]] = {}
        for population in small_populations(program.system, _AGENTS):
            self._go_through(population)

    def occurs(self, environment: LocalSet, agents: AgentSets) -> bool:
        """Return whether the environment and at most two agents were seen in these states together."""
        assert isinstance(environment, int)
        if not agents:
            return bool(self._alone & environment)
        (name, mask), *rest = agents
        for state, there in self._beside[name].items():
            if not mask >> state & 1 or not there & environment:
                continue
            if not rest:
                return True
            other, wanted = rest[0]
            for own in bits(there & environment):
                if self._others.get((name, state, own), {}).get(other, 0) & wanted:
                    return True
        return False

    def _go_through(self, population: Population) -> None:
        """Go through the configurations of a population, each once, whoever the agents are."""
        names = self._program.names
        numbered = list(zip(names, population, strict=True))
        members = tuple(name for name, number in numbered for _ in range(number))
        graph = CrowdGraph(self._situations, members)
        seen: set[CrowdState] = set()
        waiting: list[CrowdState] = []

        def add(now: CrowdState) -> bool:
            """Wait with a configuration that is new; return whether there is room for more."""
            order = sorted(zip(members, now.agents, strict=True))
            same = CrowdState(now.environment, tuple(place for _, place in order))
            if same not in seen and self.count < _CONFIGURATIONS:
                self.count += 1
                seen.add(same)
                waiting.append(same)
            return self.count < _CONFIGURATIONS

        if not all(map(add, self._starts(numbered))):
            return
        for now in waiting:
            self._budget.check("few agents", self.count)
            self._take_note(now)
            for after, _ in graph.steps(now) if self._steps < _STEPS else ():
                self._steps += 1
                add(after)

    def _starts(self, numbered: list[tuple[str, int]]) -> Iterator[CrowdState]:
        """Yield the initial configurations of a population, whoever the agents are."""
        program = self._program
        starts = program.initial[ENVIRONMENT]
        assert isinstance(starts, int)
        for own in bits(starts):
            environment = program.spaces[ENVIRONMENT].state(own)
            kinds = (
                combinations_with_replacement(self._first_places(name), number)
                for name, number in numbered
            )
            for agents in product(*kinds):
                yield CrowdState(environment, tuple(place for kind in agents for place in kind))

    def _first_places(self, name: str) -> Iterator[int]:
        """Yield where agents of a template may start."""
        starts = self._program.initial[name]
        assert isinstance(starts, int)
        for state in bits(starts):
            yield self._situations.place(name, self._program.spaces[name].state(state))

    def _take_note(self, now: CrowdState) -> None:
        spaces, places = self._program.spaces, self._situations.places
        own = spaces[ENVIRONMENT].number(now.environment)
        agents = [
            (name, spaces[name].number(local)) for name, local in (places[p] for p in now.agents)
        ]
        self._alone |= 1 << own
        for name, state in agents:
            beside = self._beside[name]
            beside[state] = beside.get(state, 0) | 1 << own
        for (name, state), (other, there) in permutations(agents, 2):
            others = self._others.setdefault((name, state, own), {})
            others[other] = others.get(other, 0) | 1 << there
