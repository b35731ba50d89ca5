"""Which facts about the relations a run depends on."""

from collections.abc import Callable

from gnomon.engines.parameterised.run import OpenRun, reaches
from gnomon.engines.parameterised.shortening import MOST_REPLAYED
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import Completed, Facts, Place, World
from gnomon.model.parameterised.system import OpenSystem


class _AskedFacts:
    """Facts that remember which places were asked for."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.asked: set[Place] = set()

    def get(self, place: Place, /) -> Datum | None:
        self.asked.add(place)
        return self._facts.get(place)


def needed_facts(
    system: OpenSystem, run: OpenRun, goal: Condition, who: int | None = None
) -> tuple[tuple[Place, Datum], ...]:
    """Return facts with which the run is one whatever else holds, as far as each condition tells by itself.

    None of them can be left out, unless a condition holds both with and without one. Where the run is long,
    each is needed at some step, given those before it.
    """
    everything = Completed(system, dict(run.facts))
    world = World(system, run.members, everything)
    needed: dict[Place, Datum] = {}
    now = run.start
    for event in run.events:
        _need(system, run.members, needed, everything, lambda w, n=now, e=event: w.step(e, n))  # type: ignore[misc]
        after = world.step(event, now)
        assert after is not None
        now = after
    named = {ENVIRONMENT: None, SELF: who}
    _need(system, run.members, needed, everything, lambda w: w.holds(goal, now, named) or None)
    if len(needed) * len(run.events) <= MOST_REPLAYED:
        for place in sorted(needed, key=repr):
            fewer = {key: value for key, value in needed.items() if key != place}
            if reaches(system, run, goal, who, fewer):
                needed = fewer
    return tuple(sorted(needed.items(), key=repr))


def _need(
    system: OpenSystem,
    members: tuple[str, ...],
    needed: dict[Place, Datum],
    everything: Facts,
    happens: Callable[[World], object],
) -> None:
    """Add the facts without which something does not happen."""
    if happens(World(system, members, needed)) is not None:
        return
    known = dict(needed)
    while True:
        # What is asked for may depend on what was answered.
        told = _AskedFacts(known)
        if happens(World(system, members, told)) is not None or told.asked <= known.keys():
            break
        known.update({place: everything.get(place) for place in told.asked})  # type: ignore[misc]
    for place in sorted(set(known) - set(needed), key=repr):
        fewer = {key: value for key, value in known.items() if key != place}
        if happens(World(system, members, fewer)) is not None:
            known = fewer
    needed.update(known)
