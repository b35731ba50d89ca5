"""Saturation: which local states can be occupied, together with which states of the environment.

Where any number of agents may take part in every action and templates have no upper bound, a further agent
can do all that another one does: the system is monotone. So what matters is the environment's state, the
*set* of occupied local states of each template, which only grows, and the facts assumed so far. Environments
with the same occupied states and facts are looked at together, as a layer. What agents can do is done; only
changes of the environment, and facts that matter both ways, make branches.
"""

from typing import Final

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube
from gnomon.engines.parameterised.ground_facts import NOTHING, Literals
from gnomon.engines.parameterised.layers import Occupied, Reached, SaturationLayer
from gnomon.engines.parameterised.local_sets import LocalSet, first
from gnomon.engines.parameterised.spreading import Children, Transitions
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget

_OFTEN: Final = 64


def is_for(program: CompiledPopulation) -> bool:
    """Return whether saturation is exact for a system."""
    system = program.system
    return (
        program.is_exact
        and all(kind == "some" for kind in system.sync.values())
        and not system.followed_by
        and all(part.high is None for part in system.templates)
    )


class Saturation:
    """The search; `goals` are the cubes to look for."""

    def __init__(
        self,
        program: CompiledPopulation,
        goals: tuple[AgentCube, ...],
        budget: Budget | None = None,
    ) -> None:
        """Search a program within a budget."""
        self.program = program
        self.goals = goals
        self.budget = budget or Budget()
        self.number = {name: n for n, name in enumerate(program.names)}
        self.count = 0
        #: The states of the environment that have been seen, by occupied local states and facts.
        self.seen: dict[tuple[Occupied, Literals], LocalSet] = {}
        self.layers: list[SaturationLayer] = []
        self.hit: tuple[Reached, AgentCube] | None = None
        self._waiting: list[SaturationLayer] = []
        self._transitions = Transitions(program, program.contested_facts(goals))

    def holds(self, cube: AgentCube, layer: SaturationLayer) -> bool:
        """Return whether what a cube says of others and of facts holds in a layer."""
        return self._transitions.allowed(cube, layer.occupied, layer.facts) == 0

    def run(self, *, everything: bool = False) -> bool:
        """Search for a goal; return whether there is one. With `everything` go on until all is seen."""
        program = self.program
        occupied = tuple(program.initial[name] for name in program.names)
        self._waiting = [SaturationLayer(program.initial[ENVIRONMENT], occupied, NOTHING)]
        while self._waiting:
            layer = self._waiting.pop()
            layer.states &= ~self._dominated(layer.occupied, layer.facts)
            if not layer.states:
                continue
            self.count += 1
            if self.count % _OFTEN == 0:
                self.budget.check("saturation", self.count)
            self._look(layer)
            if self.hit is not None and not everything:
                return True
        return self.hit is not None

    def _look(self, layer: SaturationLayer) -> None:
        """Do all that agents can do in a layer, look for a goal, and follow the environment."""
        undecided = self._saturate(layer)
        layer.states &= ~self._dominated(layer.occupied, layer.facts)
        if not layer.states:
            return
        undecided = self._find(layer) or undecided
        if self.hit is not None and self.hit[0].layer is layer:
            self.layers.append(layer)
        if not undecided:
            children: Children = {}
            undecided = self._transitions.follow(layer, children)
            if not undecided:
                key = (layer.occupied, layer.facts)
                self.seen[key] = self.seen.get(key, 0) | layer.states
                self.layers.append(layer)
                self._enter(layer, children)
                return
        for fact in (-undecided, undecided):
            facts = layer.facts | {fact}
            if self.program.facts.possible(facts):
                self._waiting.append(SaturationLayer(layer.states, layer.occupied, facts, layer))

    def _saturate(self, layer: SaturationLayer) -> int:
        """Let agents get everywhere they can; return a fact on which more depends, or 0."""
        changed, undecided = True, 0
        while changed and layer.states:
            self.budget.check("saturation", self.count)
            changed, undecided = self._transitions.spread(layer, self._waiting.append)
        return undecided

    def _dominated(self, occupied: Occupied, facts: Literals) -> LocalSet:
        """Return the states of the environment that have been seen with at least as much occupied."""
        found: LocalSet = 0
        for (more, fewer_facts), states in self.seen.items():
            if fewer_facts <= facts and not any(
                a & ~b for a, b in zip(occupied, more, strict=True)
            ):
                found |= states
        return found

    def _find(self, layer: SaturationLayer) -> int:
        """Look for a goal; return a fact on which one depends, or 0."""
        undecided = 0
        for cube in self.goals:
            there = layer.states & cube.environment
            if not there:
                continue
            allowed = self._transitions.allowed(cube, layer.occupied, layer.facts)
            if allowed == 0 and self.hit is None:
                self.hit = (Reached(layer, first(there)), cube)
            # Whether other goals hold as well matters where everything is looked for.
            undecided = undecided or allowed or 0
        return undecided

    def _enter(self, layer: SaturationLayer, children: Children) -> None:
        """Wait for the layers that follow; those with most occupied are looked at first."""
        for grown, arrivals in sorted(children.items(), key=lambda item: _size(item[0])):
            states: LocalSet = 0
            for arrival in arrivals:
                states |= arrival.after
            self._waiting.append(
                SaturationLayer(states, grown, layer.facts, layer, tuple(arrivals))
            )


def _size(occupied: Occupied) -> int:
    return sum(mask.bit_count() for mask in occupied)
