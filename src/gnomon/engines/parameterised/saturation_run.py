"""A run from what saturation found: who is needed, and from where each came."""

from collections.abc import Iterable
from typing import TypeAlias

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube, AgentSets
from gnomon.engines.parameterised.layers import JoinedAction, Occupied, PathStage, Reached, path
from gnomon.engines.parameterised.local_sets import LocalSet, first
from gnomon.engines.parameterised.run import OpenRun
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.step import Configuration, Event

#: Where an agent was before a stage, what allowed its action, and the action's name.
_TracedMove: TypeAlias = tuple[int, AgentCube, str]


def from_saturation(
    program: CompiledPopulation, end: Reached, goal: AgentCube, own: tuple[str, int] | None = None
) -> OpenRun:
    """Return a run to a goal, found backwards.

    `own` is an agent that the goal calls `self`, by its template and state; it is the first agent then.
    """
    stages = path(program.spaces[ENVIRONMENT], end)
    trace = _Backtrace(program, end.layer.facts | goal.facts)
    if own is not None:
        trace.agents.append(_TracedAgent(trace.number[own[0]], own[1]))
    trace.demand(goal.others, end.layer.occupied, range(1) if own else ())
    for number in range(len(stages) - 1, -1, -1):
        trace.go_back(number, stages[number])
    environment = stages[0].before if stages else end.environment
    return trace.run(environment, stages)


class _TracedAgent:
    """An agent: where it is, and what it does at which stage."""

    __slots__ = ("actions", "state", "template")

    def __init__(self, template: int, state: int) -> None:
        self.template = template
        self.state = state
        self.actions: dict[int, str] = {}


class _Backtrace:
    """The agents that are needed, as they are found going back stage by stage."""

    def __init__(self, program: CompiledPopulation, facts: frozenset[int]) -> None:
        self._program = program
        self._spaces = [program.spaces[name] for name in program.names]
        self.number = {name: n for n, name in enumerate(program.names)}
        self.agents: list[_TracedAgent] = []
        self._facts = set(facts)

    def demand(self, wanted: AgentSets, occupied: Occupied, taken: Iterable[int]) -> None:
        """See to it that there are different agents for all that is wanted."""
        used = set(taken)
        for name, mask in wanted:
            template = self.number[name]
            there = mask & occupied[template]
            for index, agent in enumerate(self.agents):
                if index not in used and agent.template == template and there >> agent.state & 1:
                    used.add(index)
                    break
            else:
                used.add(len(self.agents))
                self.agents.append(_TracedAgent(template, first(there)))

    def go_back(self, number: int, stage: PathStage) -> None:
        """Go back over one stage: move those who were not there before, and demand who was looked for."""
        moving = self._moving(stage)
        own = stage.environment
        shared = own is not None and own.name in self._program.system.sync
        if not moving and stage.before == stage.after:
            return
        if not moving and shared:
            index, move = self._joining(stage.doings)
            moving[index] = move
        for index, (state, _, name) in moving.items():
            self.agents[index].state = state
            self.agents[index].actions[number] = name
        if stage.cube is not None:
            self._facts |= stage.cube.facts
            self.demand(stage.cube.others, stage.occupied, ())
        for index, (_, cube, _) in moving.items():
            self._facts |= cube.facts
            self.demand(cube.others, stage.occupied, (index,))

    def _moving(self, stage: PathStage) -> dict[int, _TracedMove]:
        """Return the agents that cannot have been where they are before a stage, and how each got there."""
        found: dict[int, _TracedMove] = {}
        for index, agent in enumerate(self.agents):
            if not stage.occupied[agent.template] >> agent.state & 1:
                for doing in stage.doings:
                    source = self._source(doing, agent)
                    if source:
                        found[index] = (first(source), doing.cube, doing.act.name)
                        break
        return found

    def _source(self, doing: JoinedAction, agent: _TracedAgent) -> LocalSet:
        """Return from where an action leads to an agent's state."""
        if doing.template != agent.template:
            return 0
        space = self._spaces[doing.template]
        return space.preimage(doing.act.updates, space.only(agent.state)) & doing.source

    def _joining(self, doings: tuple[JoinedAction, ...]) -> tuple[int, _TracedMove]:
        """Return an agent that takes part in a synchronised action, one that is there already if possible."""
        for doing in doings:
            for index, agent in enumerate(self.agents):
                source = self._source(doing, agent)
                if source:
                    return index, (first(source), doing.cube, doing.act.name)
        doing = doings[0]
        space = self._spaces[doing.template]
        start = first(doing.source)
        after = space.image(doing.act.updates, space.only(start))
        self.agents.append(_TracedAgent(doing.template, first(after)))
        return len(self.agents) - 1, (start, doing.cube, doing.act.name)

    def run(self, environment: int, stages: list[PathStage]) -> OpenRun:
        """Return the run in which the agents do what they were found to do."""
        program = self._program
        start = Configuration(
            program.spaces[ENVIRONMENT].state(environment),
            tuple(self._spaces[agent.template].state(agent.state) for agent in self.agents),
        )
        events: list[Event] = []
        for number, stage in enumerate(stages):
            own = None if stage.environment is None else stage.environment.name
            joint = tuple(agent.actions.get(number) for agent in self.agents)
            if any(joint) or (stage.before != stage.after and own is not None):
                events.append(Event(own, joint))
        members = tuple(program.names[agent.template] for agent in self.agents)
        facts = program.facts.interpretation(frozenset(self._facts))
        return OpenRun(members, tuple(sorted(facts.items(), key=repr)), start, tuple(events))
