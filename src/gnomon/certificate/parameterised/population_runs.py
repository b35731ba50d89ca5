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
    Enough,
    Exists,
    Forall,
    parts,
)
from gnomon.model.parameterised.query import Knowledge, Safety
from gnomon.model.parameterised.step import (
    Completed,
    Configuration,
    ConflictingLines,
    Event,
    Place,
    World,
    is_initial,
)
from gnomon.model.parameterised.system import OpenSystem

#: The most agents, and the most work: events times the ways to choose the agents that a guard speaks of.
_MOST_AGENTS: Final = 10_000
_MOST_WORK: Final = 20_000_000


def check_runs(
    system: OpenSystem, data: object, query: Safety | Knowledge, prover: ObligationProver
) -> None:
    """Fail unless runs end where a query asks for, or, for knowledge, where somebody cannot know."""
    members = read_members(system, member(data, "members"))
    runs = items(member(data, "runs"), "the runs are no list")
    who = member(data, "agent")
    match query:
        case Safety(bad):
            require(len(runs) == 1 and who is None, "there is to be one run")
            ReplayedRun(system, members, runs[0], prover).must(bad, None)
        case Knowledge(template, when, doubt):
            require(not query.is_chain, "two runs do not show what others know")
            require(len(runs) == 2, "there are to be two runs")
            if type(who) is not int or not 0 <= who < len(members):
                raise Rejected(f"no such agent: {shown(who)}")
            require(members[who] == template, f"the agent is not one of `{template}`")
            first, second = (ReplayedRun(system, members, run, prover) for run in runs)
            first.must(when, who)
            second.must(doubt, who)
            must_look_alike(system, template, (first.last, who), (second.last, who))


def read_members(system: OpenSystem, data: object) -> tuple[str, ...]:
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


def must_look_alike(
    system: OpenSystem,
    template: str,
    one: tuple[Configuration, int],
    other: tuple[Configuration, int],
) -> None:
    """Fail unless two configurations look the same to an agent of each, by its number there."""
    (here, who), (there, whom) = one, other
    require(here.agents[who] == there.agents[whom], "the agent is in different states")
    for name in system.part[template].sees:
        place = system.position[ENVIRONMENT, name]
        seen = here.environment[place] == there.environment[place]
        require(seen, f"the agent sees a difference in `{name}`")


class FollowedRun:
    """What happens in a world from a configuration on, followed to its end."""

    def __init__(
        self, world: World, start: Configuration, data: object, prover: ObligationProver
    ) -> None:
        """Follow the events that a certificate gives."""
        listed = items(data, "the events are no list")
        _bound_work(world.system, len(world.members), len(listed))
        self.world = world
        self.last = start
        self.configurations = [start]
        self.events = [read_event(each, len(world.members)) for each in listed]
        for number, event in enumerate(self.events, 1):
            prover.count()
            self.last = self._after(event, number)
            self.configurations.append(self.last)

    def must_leave_nothing_open(self) -> None:
        """Fail where a relation may be filled in several ways: who *cannot* act would then be open.

        What is asked in axioms alone makes no difference to who can act, or to what is said of a run.
        """
        asked = self.world.system.used_relations
        whole = not asked or isinstance(self.world.facts, Completed)
        require(whole, "the facts leave open how the relations are filled")

    def _after(self, event: Event, number: int) -> Configuration:
        try:
            found = self.world.step(event, self.last)
        except ConflictingLines as clash:
            raise Rejected(f"event {number} gives `{clash}` two values") from clash
        if found is None:
            raise Rejected(f"event {number} cannot happen")
        return found


class ReplayedRun(FollowedRun):
    """A run that is followed from where it may start."""

    def __init__(
        self, system: OpenSystem, members: tuple[str, ...], data: object, prover: ObligationProver
    ) -> None:
        """Follow the run that a certificate gives."""
        start = _start(system, members, member(data, "start"))
        values = _values(system, members, start)
        facts = interpretation(system, read_facts(system, member(data, "facts")), values, prover)
        if facts is None:
            raise Rejected("the facts contradict the axioms")
        super().__init__(World(system, members, facts), start, member(data, "events"), prover)

    def must(self, condition: Condition, who: int | None) -> None:
        """Fail unless a condition holds in the end; `who` is `self` in it."""
        named: dict[str, int | None] = {ENVIRONMENT: None}
        if who is not None:
            named[SELF] = who
        found = self.world.holds(condition, self.last, named)
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


def read_event(data: object, agents: int) -> Event:
    """Return who does what in a step."""
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
    return inner + isinstance(condition, Exists | Forall | Enough)


# Relations


def read_facts(system: OpenSystem, data: object) -> dict[Place, Datum]:
    """Return what relations are filled with."""
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
