"""Runs of populations along ways through the graph that counts agents up to one, where that is exact.

Each local state that is occupied on the way is left by a strand and was entered by one. So agents can be sent
such that each strand is taken by one of them, and they do together what the graph does.
"""

from collections.abc import Iterable, Iterator

from gnomon.engines.parameterised.lookalikes.points import CountedPoints
from gnomon.engines.parameterised.recurrence.capped import Capped, CappedStep, Strand
from gnomon.engines.parameterised.recurrence.situations import (
    LocalPlace,
    PossibleMoves,
    Situations,
)
from gnomon.engines.parameterised.run import OpenRun, in_order, replayed
from gnomon.model.parameterised.step import Configuration, Event
from gnomon.model.parameterised.system import OpenSystem

#: For each moment the local state an agent is in, and before each but the first, the strand that it took.
_Walk = tuple[list[LocalPlace], list[Strand]]


def lifted(points: CountedPoints, way: int, end: Capped) -> OpenRun:
    """Return a run of some population to a configuration; it has been replayed."""
    nodes, steps = _way_to(points, way, end)
    situations = points.situations[way]
    walks = list(_walks(nodes, steps))
    walks.sort(key=lambda walk: walk[0])
    names = [part.name for part in points.system.templates]
    walks.sort(key=lambda walk: names.index(situations.places[walk[0][0]][0]))
    members = tuple(situations.places[places[0]][0] for places, _ in walks)
    configurations = [
        Configuration(
            node.environment,
            tuple(situations.places[places[number]][1] for places, _ in walks),
        )
        for number, node in enumerate(nodes)
    ]
    events = tuple(
        _event(situations, node, step, [taken[number] for _, taken in walks])
        for number, (node, step) in enumerate(zip(nodes, steps, strict=False))
    )
    facts = tuple(sorted(points.ways[way].items(), key=repr))
    run = OpenRun(members, facts, configurations[0], events)
    if replayed(points.system, run) != configurations:
        msg = "a way through counted configurations is not a run"
        raise AssertionError(msg)
    return _enough(points.system, run)


def _enough(system: OpenSystem, run: OpenRun) -> OpenRun:
    """Return a run with as many agents as there must be: those there are, more than once."""
    for part in system.templates:
        missing = part.low - run.members.count(part.name)
        if missing > 0:
            run = with_clones(run, run.members.index(part.name), missing)
    return in_order(system, run)


def _way_to(points: CountedPoints, way: int, end: Capped) -> tuple[list[Capped], list[CappedStep]]:
    """Return a way to a configuration: what is passed, and the steps between."""
    nodes: list[Capped] = [end]
    steps: list[CappedStep] = []
    while (before := points.parents[way][nodes[-1]]) is not None:
        nodes.append(before[0])
        steps.append(before[1])
    return nodes[::-1], steps[::-1]


def _walks(nodes: list[Capped], steps: list[CappedStep]) -> Iterator[_Walk]:
    """Yield walks of agents such that each strand is taken by one of them, and each place has somebody."""
    if not steps:
        yield from (([place], []) for place, _ in nodes[0].others)
        return
    left = [set(step.strands) for step in steps]
    for number, strands in enumerate(left):
        while strands:
            strand = min(strands)
            taken = [strand]
            for earlier in reversed(range(number)):
                taken.insert(0, _into(steps[earlier], left[earlier], taken[0].source))
            for later in range(number + 1, len(steps)):
                taken.append(_out_of(steps[later], left[later], taken[-1].target))
            for each, done in zip(taken, left, strict=True):
                done.discard(each)
            yield [taken[0].source, *(each.target for each in taken)], taken


def _into(step: CappedStep, left: set[Strand], place: LocalPlace) -> Strand:
    """Return a strand that leads to a place, one that nobody has taken if there is one."""
    found = [strand for strand in step.strands if strand.target == place]
    return min(found, key=lambda strand: (strand not in left, strand))


def _out_of(step: CappedStep, left: set[Strand], place: LocalPlace) -> Strand:
    found = [strand for strand in step.strands if strand.source == place]
    return min(found, key=lambda strand: (strand not in left, strand))


def _event(situations: Situations, now: Capped, step: CappedStep, taken: list[Strand]) -> Event:
    """Return what happens in a step: each agent does what its strand says."""
    moves = situations.moves(situations.situation(now.environment, now.others))
    joint = _joint_event(moves, step, taken)
    return joint or _local_event(moves, step, taken)


def _joint_event(moves: PossibleMoves, step: CappedStep, taken: list[Strand]) -> Event | None:
    """Return a synchronised action in which just those take part who move, if there is one."""
    if not step.environment_acts:
        return None
    for joint in moves.joint:
        moving = [strand for strand in taken if strand.moved]
        fits = all(joint.targets.get(strand.source) == strand.target for strand in moving)
        everybody = all(strand.moved for strand in taken if strand.source in joint.targets)
        if joint.environment != step.after.environment or not fits:
            continue
        if (joint.multiplicity == "all" and everybody) or (joint.multiplicity == "some" and moving):
            return Event(
                joint.action, tuple(joint.action if strand.moved else None for strand in taken)
            )
    return None


def _local_event(moves: PossibleMoves, step: CappedStep, taken: list[Strand]) -> Event:
    own = None
    if step.environment_acts:
        own = _action(moves.environment, step.after.environment)
    doing = tuple(
        _action(moves.local[strand.source], strand.target) if strand.moved else None
        for strand in taken
    )
    return Event(own, doing)


def _action(ways: Iterable[tuple[str, object]], target: object) -> str | None:
    """Return an action that leads somewhere; whether there is one, a replay finds out."""
    return next((action for action, leads_to in ways if leads_to == target), None)


def with_clones(run: OpenRun, agent: int, number: int) -> OpenRun:
    """Return a run with more agents who always do what a given one does."""
    start = Configuration(
        run.start.environment, (*run.start.agents, *[run.start.agents[agent]] * number)
    )
    events = tuple(
        Event(event.environment, (*event.agents, *[event.agents[agent]] * number))
        for event in run.events
    )
    return OpenRun((*run.members, *[run.members[agent]] * number), run.facts, start, events)
