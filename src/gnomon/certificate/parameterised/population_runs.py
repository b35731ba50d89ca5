"""Runs of a population replayed step by step with the reference semantics."""

from collections.abc import Iterator
from typing import Final

from gnomon.certificate.parameterised.axioms import interpretation
from gnomon.certificate.parameterised.invariant_data import (
    checked_local,
    checked_value,
    known_relation,
)
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.rejection import Rejected, TooMuch, require, shown
from gnomon.certificate.shape import items, member, row
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean, Datum, Domain
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
    is_initial,
)
from gnomon.model.parameterised.system import Knowledge, OpenSystem, Query, Safety

#: The most agents, and the most work: events times the ways to choose the agents that a guard speaks of.
_MOST_AGENTS: Final = 10_000
_MOST_WORK: Final = 20_000_000


def check_runs(system: OpenSystem, data: object, query: Query, prover: ObligationProver) -> None:
    """Fail unless runs end where a query asks for, or, for knowledge, where somebody cannot know."""
    members = _members(system, member(data, "members"))
    runs = items(member(data, "runs"), "the runs are no list")
    who = member(data, "agent")
    match query:
        case Safety(bad):
            require(len(runs) == 1 and who is None, "there is to be one run")
            _ReplayedRun(system, members, runs[0], prover).must(bad, None)
        case Knowledge(template, when, doubt):
            require(len(runs) == 2, "there are to be two runs")
            if type(who) is not int or not 0 <= who < len(members):
                raise Rejected(f"no such agent: {shown(who)}")
            require(members[who] == template, f"the agent is not one of `{template}`")
            first, second = (_ReplayedRun(system, members, run, prover) for run in runs)
            first.must(when, who)
            second.must(doubt, who)
            _must_look_alike(system, template, who, (first.last, second.last))


def _members(system: OpenSystem, data: object) -> tuple[str, ...]:
    """Return the template of each agent, as many as there may be."""
    listed = items(data, "the members are no list")
    if len(listed) > _MOST_AGENTS:
        raise TooMuch(f"there are more than {_MOST_AGENTS:,} agents")
    names = {part.name for part in system.templates}
    found: list[str] = []
    for name in listed:
        if not isinstance(name, str) or name not in names:
            raise Rejected(f"no such template: {shown(name)}")
        found.append(name)
    for part in system.templates:
        count = found.count(part.name)
        within = part.low <= count and (part.high is None or count <= part.high)
        require(within, f"there cannot be {count} agents of `{part.name}`")
    return tuple(found)


def _must_look_alike(
    system: OpenSystem, template: str, who: int, ends: tuple[Configuration, Configuration]
) -> None:
    one, other = ends
    require(one.agents[who] == other.agents[who], "the agent is in different states")
    for name in system.part[template].sees:
        place = system.position[ENVIRONMENT, name]
        seen = one.environment[place] == other.environment[place]
        require(seen, f"the agent sees a difference in `{name}`")


class _ReplayedRun:
    """A run that is followed to its end."""

    def __init__(
        self, system: OpenSystem, members: tuple[str, ...], data: object, prover: ObligationProver
    ) -> None:
        self.last = _start(system, members, member(data, "start"))
        values = _values(system, members, self.last)
        facts = interpretation(system, _facts(system, member(data, "facts")), values, prover)
        if facts is None:
            raise Rejected("the facts contradict the axioms")
        events = items(member(data, "events"), "the events are no list")
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


def _start(system: OpenSystem, members: tuple[str, ...], data: object) -> Configuration:
    own, listed = row(data, 2)
    agents = row(listed, len(members), "not a state for each agent")
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
) -> Iterator[tuple[Domain, Datum]]:
    """Yield the values that variables have, with their types."""
    for name, local in ((ENVIRONMENT, now.environment), *zip(members, now.agents, strict=True)):
        for variable, value in zip(system.part[name].variables, local, strict=True):
            yield variable.domain, value


def _event(data: object, agents: int) -> Event:
    own, listed = row(data, 2)
    actions = row(listed, agents, "not an action for each agent")
    return Event(_action(own), tuple(map(_action, actions)))


def _action(data: object) -> str | None:
    if data is None or isinstance(data, str):
        return data
    raise Rejected(f"not an action: {shown(data)}")


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


def _facts(system: OpenSystem, data: object) -> dict[Place, Datum]:
    found: dict[Place, Datum] = {}
    for each in items(data, "the facts are no list"):
        name, arguments, value = row(each, 3)
        relation = known_relation(system, name)
        wrong = f"not values for `{name}`: {shown(arguments)}"
        listed = row(arguments, len(relation.columns), wrong)
        given = tuple(
            checked_value(column, argument, relation.name)
            for column, argument in zip(relation.columns, listed, strict=True)
        )
        place = (relation.name, given)
        require(place not in found, f"`{name}` is filled twice for {shown(arguments)}")
        found[place] = checked_value(relation.result or Boolean(), value, relation.name)
    return found
