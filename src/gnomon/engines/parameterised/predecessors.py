"""One step back: the demands from which some step leads into a demand, its pre-image.

Guards that speak of every agent are taken to hold of those that a demand speaks of: then it is an
over-approximation.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from gnomon.engines.parameterised.compiled import CompiledAction, CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube, AgentSets, environment_classes
from gnomon.engines.parameterised.demands import Demand, Spoken, limited, placed
from gnomon.engines.parameterised.ground_facts import Literals
from gnomon.engines.parameterised.local_sets import LocalSet, first
from gnomon.engines.parameterised.solitary import SolitaryMoves
from gnomon.model.agent import ENVIRONMENT

Push: TypeAlias = Callable[[Demand], None]


class _StepBack:
    """One way in which an agent may have got to where it is wanted."""

    __slots__ = ("act", "cube", "source")

    def __init__(self, act: CompiledAction, cube: AgentCube, source: LocalSet) -> None:
        self.act = act
        self.cube = cube
        self.source = source


_ChosenSteps: TypeAlias = list[_StepBack | None]


class Predecessors:
    """Goes one step back from demands."""

    def __init__(
        self,
        program: CompiledPopulation,
        solitary: SolitaryMoves,
        contested: frozenset[int],
        check: Callable[[], None],
    ) -> None:
        """Go back in a program; only contested facts are demanded, and `check` is called for every step."""
        self._program = program
        self._solitary = solitary
        self._contested = contested
        self._check = check
        self._caps = {part.name: part.high for part in program.system.templates}
        names = (ENVIRONMENT, *program.names)
        self._local = {name: program.local(name) for name in names}
        self._shared = {name: program.shared(name) for name in names}
        self._together = self._moves_together()

    def _moves_together(self) -> bool:
        """Return whether local actions done at once can do more than one after the other.

        They can where a guard looks at other agents, who may move in the same step.
        """
        return any(
            cube.others or cube.every
            for acts in self._local.values()
            for act in acts
            for cube in act.cubes
        )

    def go_back(self, demand: Demand, push: Push) -> None:
        """Push all demands from which one step leads into a demand."""
        self._local_steps(demand, push)
        for name, kind in self._program.system.sync.items():
            own = [act for act in self._shared[ENVIRONMENT] if act.name == name]
            for environment in self._options(own, demand.environment):
                if kind == "all":
                    self._broadcast(demand, environment, push)
                else:
                    self._synchronised(demand, environment, push, alone=kind == "one")

    def push(
        self,
        push: Push,
        environment: LocalSet,
        agents: AgentSets,
        facts: Literals,
        leads_to: Demand | None = None,
        *,
        own: str | None = None,
        actions: tuple[tuple[int, str], ...] = (),
    ) -> None:
        """Push a demand, unless it is for more agents than there may be."""
        for name, cap in self._caps.items():
            if cap is not None and sum(1 for other, _ in agents if other == name) > cap:
                return
        kept = facts & self._contested
        demand = Demand(environment, agents, kept, leads_to, own, actions)
        demand.agents = tuple(
            (name, self._solitary.closed(name, mask, environment, kept)) for name, mask in agents
        )
        push(demand)

    def _options(
        self, acts: list[CompiledAction] | tuple[CompiledAction, ...], mask: LocalSet
    ) -> Iterator[_StepBack]:
        for act in acts:
            source = self._solitary.preimage(act, mask)
            for cube in act.cubes if source else ():
                own = cube.environment if act.part == ENVIRONMENT else cube.own
                if source & own:
                    yield _StepBack(act, cube, source & own)

    def _local_steps(self, demand: Demand, push: Push) -> None:
        choices: list[_ChosenSteps] = [
            [None, *self._options(self._local[name], mask)] for name, mask in demand.agents
        ]
        environments = [None, *self._options(self._local[ENVIRONMENT], demand.environment)]
        if self._together:
            for own in environments:
                for chosen in product(*choices):
                    if own is not None or any(chosen):
                        self._step(demand, own, list(chosen), push)
            return
        idle: _ChosenSteps = [None] * len(choices)
        for own in environments[1:]:
            self._step(demand, own, idle, push)
        for index, options in enumerate(choices):
            mask = demand.agents[index][1]
            for option in options[1:]:
                if option is not None and not option.source & ~mask:
                    continue  # it can get here by itself, which has been seen to
                self._step(demand, None, [*idle[:index], option, *idle[index + 1 :]], push)

    def _synchronised(self, demand: Demand, own: _StepBack, push: Push, *, alone: bool) -> None:
        choices: list[_ChosenSteps] = []
        for name, mask in demand.agents:
            acts = self._named(name, own.act.name)
            choices.append([None, *self._options(acts, mask)])
        idle: _ChosenSteps = [None] * len(choices)
        for name in self._program.names:
            for act in self._shared[name]:
                for cube in act.cubes if act.name == own.act.name else ():
                    # Somebody takes part of whom nothing is known afterwards.
                    extra = (name, _StepBack(act, cube, cube.own))
                    self._step(demand, own, idle, push, extra)
        if alone:
            for index, options in enumerate(choices):
                for option in options[1:]:
                    self._step(demand, own, [*idle[:index], option, *idle[index + 1 :]], push)
            return
        for chosen in product(*choices):
            if any(chosen):
                self._step(demand, own, list(chosen), push)

    def _step(
        self,
        demand: Demand,
        own: _StepBack | None,
        chosen: _ChosenSteps,
        push: Push,
        extra: tuple[str, _StepBack] | None = None,
    ) -> None:
        """Go back over a step in which agents did what is chosen."""
        self._check()
        environment = demand.environment if own is None else own.source
        facts = demand.facts
        agents = list(demand.agents)
        wanted: Spoken = []
        every: Spoken = []
        actions: list[tuple[int, str]] = []
        everyone = [*enumerate(chosen)]
        if extra is not None:
            everyone.append((len(agents), extra[1]))
            agents.append((extra[0], extra[1].source))
        for index, option in ((-1, own), *everyone):
            if option is None:
                continue
            if index >= 0:
                agents[index] = (agents[index][0], option.source)
                environment &= option.cube.environment
                actions.append((index, option.act.name))
            facts |= option.cube.facts
            if option.cube.others:
                wanted.append((index, option.cube.others))
            if option.cube.every:
                every.append((index, option.cube.every))
        if not environment or not self._program.facts.possible(facts):
            return
        name = None if own is None else own.act.name
        for there, standing in self._followed(name, environment, agents, chosen):
            for found in placed(standing, wanted):
                within = limited(found, every)
                if within is not None:
                    self.push(push, there, within, facts, demand, own=name, actions=tuple(actions))

    def _followed(
        self,
        name: str | None,
        environment: LocalSet,
        agents: Iterable[tuple[str, LocalSet]],
        chosen: _ChosenSteps,
    ) -> Iterator[tuple[LocalSet, AgentSets]]:
        """Yield where agents were if those of whom nothing is chosen do what follows an action, if they can.

        `agents` are already where they were, all others where they are wanted.
        """
        follower = self._program.system.followed_by.get(name or "")
        if follower is None:
            yield environment, tuple(agents)
            return
        acts = {part: self._named(part, follower) for part in self._program.names}
        for there in environment_classes(environment, _cubes_of(acts)):
            sample = first(there)
            before = tuple(
                (part, self._broadcast_preimage(acts[part], mask, sample))
                if number < len(chosen) and chosen[number] is None
                else (part, mask)
                for number, (part, mask) in enumerate(agents)
            )
            if all(mask for _, mask in before):
                yield there, before

    def _named(self, part: str, name: str) -> list[CompiledAction]:
        """Return the acts of a part by which a synchronised action is done."""
        return [act for act in self._shared[part] if act.name == name]

    def _broadcast(self, demand: Demand, own: _StepBack, push: Push) -> None:
        """Go back over a step in which all agents that can take part do."""
        name = own.act.name
        facts = demand.facts | own.cube.facts
        if not self._program.facts.possible(facts):
            return
        follower = self._program.system.followed_by.get(name, "")
        acts = {part: self._named(part, name) for part in self._program.names}
        following = {part: self._named(part, follower) for part in self._program.names}
        cubes = [*_cubes_of(acts), *_cubes_of(following)]
        for environment in environment_classes(own.source, cubes):
            sample = first(environment)
            agents = tuple(
                (part, self._broadcast_preimage(acts[part], mask, sample, following[part]))
                for part, mask in demand.agents
            )
            if not all(mask for _, mask in agents):
                continue
            wanted = [(-1, own.cube.others)] if own.cube.others else []
            every = [(-1, own.cube.every)] if own.cube.every else []
            for found in placed(agents, wanted):
                within = limited(found, every)
                if within is not None:
                    self.push(push, environment, within, facts, demand, own=name)

    def _broadcast_preimage(
        self,
        acts: list[CompiledAction],
        mask: LocalSet,
        sample: int,
        following: Sequence[CompiledAction] = (),
    ) -> LocalSet:
        """Return from where an agent gets into a set when all that can take part do, or stays in it.

        Who cannot take part follows, if it can.
        """
        moving: LocalSet = 0
        result: LocalSet = 0
        for choices in (acts, following):
            before = moving
            for act in choices:
                able: LocalSet = 0
                for cube in act.cubes:
                    if cube.environment >> sample & 1:
                        able |= cube.own
                able &= ~before
                moving |= able
                result |= self._solitary.preimage(act, mask) & able
        return result | (mask & ~moving)


def _cubes_of(acts: Mapping[str, list[CompiledAction]]) -> Iterator[AgentCube]:
    """Yield what some acts of several parts need."""
    return (cube for found in acts.values() for act in found for cube in act.cubes)
