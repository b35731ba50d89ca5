"""Runs of a population replayed step by step with the reference semantics."""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from gnomon.certificate.parameterised.axioms import interpretation
from gnomon.certificate.parameterised.data import checked_local
from gnomon.certificate.parameterised.obligations import Prover
from gnomon.certificate.space import Rejected, TooMuch, require, shown
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain, Value
from gnomon.model.parameterised.condition import (
    SELF,
    Condition,
    Exists,
    Forall,
    parts,
)
from gnomon.model.parameterised.step import (
    Configuration,
    ConflictingLines,
    Event,
    Place,
    World,
    fits,
    is_initial,
)
from gnomon.model.parameterised.system import Knowledge, OpenSystem, Query, Safety

Json: TypeAlias = Any

#: The most agents, and the most work: events times the ways to choose the agents that a guard speaks of.
_MOST_AGENTS: Final = 10_000
_MOST_WORK: Final = 20_000_000


def check_runs(system: OpenSystem, data: Json, query: Query, prover: Prover) -> None:
    """Fail unless runs end where a query asks for, or, for knowledge, where somebody cannot know."""
    members = _members(system, data["members"])
    runs = data["runs"]
    require(isinstance(runs, list), "the runs are no list")
    match query:
        case Safety(bad):
            require(len(runs) == 1 and data["agent"] is None, "there is to be one run")
            _End(system, members, runs[0], prover).must(bad, None)
        case Knowledge(template, when, doubt):
            require(len(runs) == 2, "there are to be two runs")
            who = data["agent"]
            require(type(who) is int and 0 <= who < len(members), f"no such agent: {shown(who)}")
            require(members[who] == template, f"the agent is not one of `{template}`")
            first, second = (_End(system, members, run, prover) for run in runs)
            first.must(when, who)
            second.must(doubt, who)
            _must_look_alike(system, template, who, (first.last, second.last))


def _members(system: OpenSystem, data: Json) -> tuple[str, ...]:
    """Return the template of each agent, as many as there may be."""
    require(isinstance(data, list), "the members are no list")
    if len(data) > _MOST_AGENTS:
        raise TooMuch(f"there are more than {_MOST_AGENTS:,} agents")
    names = {part.name for part in system.templates}
    for name in data:
        require(isinstance(name, str) and name in names, f"no such template: {name!r}")
    for part in system.templates:
        count = data.count(part.name)
        within = part.low <= count and (part.high is None or count <= part.high)
        require(within, f"there cannot be {count} agents of `{part.name}`")
    return tuple(data)


def _must_look_alike(
    system: OpenSystem, template: str, who: int, ends: tuple[Configuration, Configuration]
) -> None:
    one, other = ends
    require(one.agents[who] == other.agents[who], "the agent is in different states")
    for name in system.part[template].sees:
        place = system.position[ENVIRONMENT, name]
        seen = one.environment[place] == other.environment[place]
        require(seen, f"the agent sees a difference in `{name}`")


class _End:
    """Where a run ends."""

    def __init__(
        self, system: OpenSystem, members: tuple[str, ...], data: Json, prover: Prover
    ) -> None:
        self.last = _start(system, members, data["start"])
        values = _values(system, members, self.last)
        facts = interpretation(system, _facts(system, data["facts"]), values, prover)
        if facts is None:
            raise Rejected("the facts contradict the axioms")
        events = data["events"]
        require(isinstance(events, list), "the events are no list")
        _bound_work(system, len(members), len(events))
        self._world = World(system, members, facts)
        for number, each in enumerate(events, 1):
            prover.count()
            self.last = self._after(_event(each, len(members)), number)

    def _after(self, event: Event, number: int) -> Configuration:
        try:
            found = self._world.step(event, self.last)
        except ConflictingLines as clash:
            raise Rejected(f"event {number} gives `{clash}` two values") from clash
        if found is None:
            raise Rejected(f"event {number} cannot happen")
        return found

    def must(self, condition: Condition, who: int | None) -> None:
        """Fail unless a condition holds in the end; `who` is `self` in it."""
        named: dict[str, int | None] = {ENVIRONMENT: None}
        if who is not None:
            named[SELF] = who
        found = self._world.holds(condition, self.last, named)
        require(found is True, "the run does not end where it should")


def _start(system: OpenSystem, members: tuple[str, ...], data: Json) -> Configuration:
    own, agents = data
    require(isinstance(agents, list) and len(agents) == len(members), "not a state for each agent")
    environment = checked_local(system.environment, own)
    locals_ = tuple(
        checked_local(system.part[name], each) for name, each in zip(members, agents, strict=True)
    )
    require(is_initial(system, ENVIRONMENT, environment), "the environment does not start so")
    for name, local in zip(members, locals_, strict=True):
        require(is_initial(system, name, local), f"no agent of `{name}` starts so")
    return Configuration(environment, locals_)


def _values(
    system: OpenSystem, members: tuple[str, ...], now: Configuration
) -> Iterator[tuple[Domain, Value]]:
    """Yield the values that variables have, with their types."""
    for name, local in ((ENVIRONMENT, now.environment), *zip(members, now.agents, strict=True)):
        for variable, value in zip(system.part[name].variables, local, strict=True):
            yield variable.domain, value


def _event(data: Json, agents: int) -> Event:
    own, actions = data
    require(isinstance(actions, list) and len(actions) == agents, "not an action for each agent")
    for action in (own, *actions):
        require(action is None or isinstance(action, str), f"not an action: {action!r}")
    return Event(own, tuple(actions))


def _bound_work(system: OpenSystem, agents: int, events: int) -> None:
    conditions = [guard for part in system.part.values() for guard in part.guards.values()]
    deepest = max(map(_depth, conditions), default=0)
    if (events + 1) * max(agents, 1) ** (deepest + 1) > _MOST_WORK:
        raise TooMuch("the run is too long, for so many agents, to be replayed")


def _depth(condition: Condition) -> int:
    """Return how many agents a condition speaks of at once."""
    inner = max(map(_depth, parts(condition)), default=0)
    return inner + isinstance(condition, Exists | Forall)


# Relations


def _facts(system: OpenSystem, data: Json) -> dict[Place, Value]:
    require(isinstance(data, list), "the facts are no list")
    found: dict[Place, Value] = {}
    for name, arguments, value in data:
        relation = system.relations.get(name)
        if relation is None:
            raise Rejected(f"no such relation: {name!r}")
        require(
            isinstance(arguments, list)
            and len(arguments) == len(relation.columns)
            and all(map(fits, relation.columns, arguments)),
            f"not values for `{name}`: {shown(arguments)}",
        )
        good = isinstance(value, bool) if relation.result is None else fits(relation.result, value)
        require(good, f"not a value of `{name}`: {shown(value)}")
        place = (str(name), tuple(arguments))
        require(place not in found, f"`{name}` is filled twice for {shown(arguments)}")
        found[place] = value
    return found
