"""Runs that show that some fair path gets somewhere from a counted state, whatever population it is of.

As few agents as are counted get there; and more agents keep nobody from doing what was done.
"""

from gnomon.certificate.parameterised.counted_steps import CountedPopulations, CountedState
from gnomon.certificate.parameterised.population_runs import read_event
from gnomon.certificate.rejection import Rejected, require
from gnomon.certificate.shape import items
from gnomon.model import formula as f
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import (
    FALSE,
    SELF,
    TRUE,
    And,
    Condition,
    Enough,
    Exists,
    Forall,
    Not,
    Or,
    positive,
    walk,
)
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Configuration, Facts, World
from gnomon.model.parameterised.system import OpenSystem


class Arrivals:
    """Where a path formula says that some path gets, and nothing else."""

    def __init__(
        self, populations: CountedPopulations, query: OverTime, path: f.Formula, facts: Facts
    ) -> None:
        """Fail where more agents, or fairness, might be in the way, or the formula says anything else."""
        system = populations.system
        require(more_is_no_less(system), "more agents may be in the way")
        require(not system.fairness, "it is not known which of these runs are fair")
        self._populations = populations
        self._own = bool(query.template)
        self._facts = facts
        self._goal = _goal(query, path)

    def check(self, state: CountedState, events: object) -> None:
        """Fail unless just so many agents as are counted get there by some events."""
        populations = self._populations
        own = () if state.own is None else (state.own,)
        crowd = (*own, *(place for place, number in state.others for _ in range(number)))
        listed = [populations.places[place] for place in crowd]
        world = World(populations.system, tuple(name for name, _ in listed), self._facts)
        now = Configuration(state.environment, tuple(local for _, local in listed))
        for each in items(events):
            after = world.step(read_event(each, len(listed)), now)
            if after is None:
                raise Rejected("what is said to happen cannot happen")
            now = after
        who = {ENVIRONMENT: None, SELF: 0 if self._own else None}
        require(world.holds(self._goal, now, who) is True, "a run does not get where it should")


def more_is_no_less(system: OpenSystem) -> bool:
    """Return whether more agents never keep the others from doing what they did.

    They do nothing, or are taken along by an action for all who can: so whether somebody takes part in that
    may not depend on who else is there.
    """
    for part in system.part.values():
        for action, guard in part.guards.items():
            inside = list(walk(positive(guard)))
            if any(isinstance(each, Forall | Enough) for each in inside):
                return False
            taken_along = action in system.broadcast and part is not system.environment
            if taken_along and any(isinstance(each, Exists) for each in inside):
                return False
    return True


def _goal(query: OverTime, path: f.Formula) -> Condition:
    """Return where a path formula says that a path gets; more agents cannot make that false."""
    match path:
        case f.Finally(body) | f.Until(f.Constant(True), body):
            goal = positive(_plain(query, body))
        case f.Not(f.Globally(body)):
            goal = positive(Not(_plain(query, body)))
        case _:
            raise Rejected("a path is asked for that does more than get somewhere")
    require(
        not any(isinstance(part, Forall | Enough) for part in walk(goal)),
        "more agents may make false what is to be reached",
    )
    return goal


def _plain(query: OverTime, body: f.Formula) -> Condition:
    match body:
        case f.Constant(value):
            return TRUE if value else FALSE
        case f.Proposition(name):
            return query.conditions[int(name)]
        case f.Not(inner):
            return Not(_plain(query, inner))
        case f.And(operands):
            return And(tuple(_plain(query, each) for each in operands))
        case f.Or(operands):
            return Or(tuple(_plain(query, each) for each in operands))
        case _:
            raise Rejected("what is to be reached says more than how things are")
