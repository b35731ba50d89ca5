"""A run from what the backward search found: from an initial configuration to a goal."""

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.demands import Demand
from gnomon.engines.parameterised.ground_facts import Literals
from gnomon.engines.parameterised.local_sets import first
from gnomon.engines.parameterised.run import OpenRun, joint_event, with_least
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.step import Completed, Configuration, Event, World


def witness(search: BackwardSearch, demand: Demand) -> OpenRun:
    """Return a run from an initial demand to a goal."""
    program = search.program
    initial, spaces = program.initial, program.spaces
    facts = program.facts.interpretation(_facts_on_the_way(search, demand))
    members = tuple(name for name, _ in demand.agents)
    wanted = ((ENVIRONMENT, demand.environment), *demand.agents)
    environment, *agents = (
        spaces[name].state(first(mask & initial[name])) for name, mask in wanted
    )
    start = now = Configuration(environment, tuple(agents))
    world = World(program.system, members, Completed(program.system, facts))
    events: list[Event] = []
    current: Demand | None = demand
    while current is not None:
        steps = _approach(search, current, now)
        if current.leads_to is not None:
            steps = [*steps, None]
        for step in steps:
            event = step or joint_event(world, now, current.own, current.actions)
            after = world.step(event, now)
            if after is None:
                current = None  # only an over-approximation comes to this
                break
            now = after
            events.append(event)
        current = current and current.leads_to
    known = tuple(sorted(facts.items(), key=repr))
    return OpenRun(members, known, start, tuple(events))


def smallest_run(search: BackwardSearch) -> OpenRun:
    """Return a run with as few agents as any that a search found, and as many as there are at least."""
    _, demand = min(search.hits, key=lambda hit: (sum(hit[0]), hit[1].depth))
    return with_least(search.program.system, witness(search, demand))


def _approach(search: BackwardSearch, demand: Demand, now: Configuration) -> list[Event | None]:
    """Return what the agents of a demand do by themselves to get where they have to be."""
    found: list[Event | None] = []
    program, solitary = search.program, search.solitary
    for agent, (name, core) in enumerate(demand.core):
        start = program.spaces[name].number(now.agents[agent])
        moves = solitary.applying(name, demand.environment, demand.facts)
        for act in solitary.way(name, start, core, moves):
            shared = act.name if act.name in program.system.shared else None
            joint = tuple(act.name if n == agent else None for n in range(len(now.agents)))
            found.append(Event(shared, joint))
    return found


def _facts_on_the_way(search: BackwardSearch, demand: Demand) -> Literals:
    """Return all facts on the way, those that nothing stands against included."""
    program = search.program
    if not program.facts.is_free:
        return demand.facts
    return demand.facts | (program.asked_facts(search.goals) - search.contested)
