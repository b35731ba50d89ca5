"""What a system with a given population does, word for word as it is defined; nothing here is fast.

A configuration is the environment's local state and one local state for each agent. In a step either some
agents, or the environment, or both do local actions; or the environment and some agents do one synchronised
action together, and where another one follows it, all other agents do that who can. All guards are read
before anything changes. Who does nothing keeps its state.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol, TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum, Domain, Integers, OpenEnumeration, contains, values_of
from gnomon.model.evaluation import every, some, value_by
from gnomon.model.expression import Does, Expression, Read
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Enough,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Same,
    Term,
)
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.errors import Senseless
from gnomon.text.record import Record

Local: TypeAlias = tuple[Datum, ...]
#: A relation and its arguments.
Place: TypeAlias = tuple[str, tuple[Datum, ...]]


class Facts(Protocol):
    """What is known about the relations; a dictionary by place will do."""

    def get(self, place: Place, /) -> Datum | None:
        """Return the fact at a place, None where it is open."""


class Configuration(Record):
    """The local states of the environment and of all agents."""

    environment: Local
    agents: tuple[Local, ...]


class Event(Record):
    """Who does what in a step; None for those who do nothing."""

    environment: str | None
    agents: tuple[str | None, ...]


class ConflictingLines(Senseless):
    """Two lines give one variable different values: the model is not deterministic."""


@dataclass(frozen=True)
class World:
    """A system, a population (the template of each agent) and an interpretation of the relations."""

    system: OpenSystem
    members: tuple[str, ...]
    facts: Facts

    # Conditions: None where it depends on a fact that is open

    def holds(
        self, condition: Condition, now: Configuration, who: Mapping[str, int | None]
    ) -> bool | None:
        """Return whether a condition holds; `who` says which agent each index is, None the environment."""
        match condition:
            case Holds(expression):
                found = self._evaluate(expression, now, who)
                return None if found is None else bool(found)
            case Related(relation, arguments):
                value = self._term(Lookup(relation, arguments), now, who)
                return None if value is None else bool(value)
            case Equal(left, right):
                values = self._term(left, now, who), self._term(right, now, who)
                return None if None in values else values[0] == values[1]
            case Same(left, right):
                return who[left] == who[right]
            case Not(operand):
                inner = self.holds(operand, now, who)
                return None if inner is None else not inner
            case And(operands):
                return every(self.holds(operand, now, who) for operand in operands)
            case Or(operands):
                return some(self.holds(operand, now, who) for operand in operands)
            case Exists(index, template, body):
                agents = self._agents(template)
                return some(self.holds(body, now, {**who, index: agent}) for agent in agents)
            case Forall(index, template, body):
                agents = self._agents(template)
                return every(self.holds(body, now, {**who, index: agent}) for agent in agents)
            case Enough():
                return self._enough(condition, now, who)
            case ForValues():
                msg = "types without a list of values are not run through"
                raise ValueError(msg)

    def _enough(
        self, condition: Enough, now: Configuration, who: Mapping[str, int | None]
    ) -> bool | None:
        """Return whether counts reach a number, parameters having been replaced by theirs."""
        total = condition.rest.value({})
        for factor, tally in condition.counts:
            for agent in self._agents(tally.template):
                counted = self.holds(tally.body, now, {**who, tally.index: agent})
                if counted is None:
                    return None
                total += factor * counted
        return total >= 0

    def _agents(self, template: str) -> Iterator[int]:
        return (number for number, name in enumerate(self.members) if name == template)

    def _term(self, term: Term, now: Configuration, who: Mapping[str, int | None]) -> object:
        if not isinstance(term, Lookup):
            return self._evaluate(term, now, who)
        arguments = tuple(self._term(argument, now, who) for argument in term.arguments)
        if None in arguments:
            return None
        return self.facts.get((term.relation, arguments))  # type: ignore[arg-type]

    def _evaluate(
        self, expression: Expression, now: Configuration, who: Mapping[str, int | None]
    ) -> object:
        def look(part: Read | Does) -> object:
            if isinstance(part, Read):
                return self._read(part.agent, part.variable, now, who)
            msg = "an action was asked for in a condition on a state"
            raise ValueError(msg)

        return value_by(expression, look)

    def _read(
        self, index: str, variable: str, now: Configuration, who: Mapping[str, int | None]
    ) -> Datum:
        number = None if index == ENVIRONMENT else who[index]
        part = ENVIRONMENT if number is None else self.members[number]
        local = now.environment if number is None else now.agents[number]
        return local[self.system.position[part, variable]]

    # Steps

    def can(self, number: int | None, action: str, now: Configuration) -> bool | None:
        """Return whether an agent (None: the environment) may do an action."""
        part = self._part(number)
        guard = part.guards.get(action)
        if guard is None:
            return False
        allowed = self.holds(guard, now, {SELF: number, ENVIRONMENT: None})
        if allowed is False:
            return False
        after = self.after(number, action, now)
        if after is None:
            return False
        return None if after is OPEN or allowed is None else True

    def after(self, number: int | None, action: str | None, now: Configuration) -> Local | None:
        """Return an agent's next local state; None where a value would leave its range."""
        part = self._part(number)
        local = now.environment if number is None else now.agents[number]
        if action is None:
            return local
        who: dict[str, int | None] = {SELF: number, ENVIRONMENT: None}
        values: dict[str, object] = {}
        for guard, change in self.system.effects[part.name, action]:
            if not self._evaluate(guard, now, who):
                continue
            for item in change.line.assignments:
                _assign(values, item.variable, self._evaluate(item.value, now, who))
            for looked in change.looked:
                value = self._term(looked.value, now, who)
                if value is None:
                    return OPEN
                _assign(values, looked.variable, value)
        for variable in part.variables:
            if variable.name in values and not fits(variable.domain, values[variable.name]):
                return None
        return tuple(
            values.get(variable.name, old)  # type: ignore[misc]
            for variable, old in zip(part.variables, local, strict=True)
        )

    def lines(self, number: int | None, action: str | None, now: Configuration) -> tuple[int, ...]:
        """Return the lines of the program that say what an action does."""
        if action is None:
            return ()
        who: dict[str, int | None] = {SELF: number, ENVIRONMENT: None}
        return tuple(
            change.line.line
            for guard, change in self.system.effects[self._part(number).name, action]
            if self._evaluate(guard, now, who)
        )

    def _part(self, number: int | None) -> Part:
        name = ENVIRONMENT if number is None else self.members[number]
        return self.system.part[name]

    def step(self, event: Event, now: Configuration) -> Configuration | None:
        """Return what an event leads to, or None where it cannot happen (or not for sure)."""
        if not self._allowed(event, now):
            return None
        environment = self.after(None, event.environment, now)
        agents = [self.after(number, action, now) for number, action in enumerate(event.agents)]
        if environment is None or None in agents:
            return None
        return Configuration(environment, tuple(agents))  # type: ignore[arg-type]

    def _allowed(self, event: Event, now: Configuration) -> bool:
        system = self.system
        doing = {n: action for n, action in enumerate(event.agents) if action is not None}
        if len(event.agents) != len(self.members):
            return False
        if event.environment is not None and self.can(None, event.environment, now) is not True:
            return False
        if any(self.can(number, action, now) is not True for number, action in doing.items()):
            return False
        shared = event.environment
        if shared is None or shared not in system.sync:
            local = not any(action in system.shared for action in doing.values())
            return local and (bool(doing) or event.environment is not None)
        follower = system.followed_by.get(shared)
        leading = {n for n, action in doing.items() if action == shared}
        following = {n for n, action in doing.items() if action == follower}
        if doing.keys() - leading - following:
            return False
        others = set(range(len(self.members))) - leading
        if follower is not None and any(
            self.can(n, follower, now) is not False for n in others - following
        ):
            return False
        match system.sync[shared]:
            case "some":
                return bool(leading)
            case "one":
                return len(leading) == 1
            case "all":
                return all(self.can(n, shared, now) is False for n in others)

    def able(self, number: int | None, now: Configuration) -> bool:
        """Return whether an agent (None: the environment) can act: alone, or in an action with others.

        An action with others takes the environment, and somebody beside it unless all take part who can.
        Who can follow an action is able where others can do it.
        """
        part = self._part(number)
        if any(self.can(number, action, now) for action in part.local):
            return True
        return any(
            self._takes_part(number, action, now)
            for action in self.system.sync
            if self.can(None, action, now)
        )

    def _takes_part(self, number: int | None, action: str, now: Configuration) -> bool:
        """Return whether somebody can take part in an action that the environment can do."""
        if number is not None and self.can(number, action, now):
            return True
        follower = self.system.followed_by.get(action)
        if number is not None and (follower is None or not self.can(number, follower, now)):
            return False
        return self.system.sync[action] == "all" or any(
            self.can(each, action, now) for each in range(len(self.members))
        )

    def events(self, now: Configuration) -> Iterator[Event]:
        """Yield all that can happen."""
        yield from self._local_events(now)
        agents = range(len(self.members))
        for action, multiplicity in self.system.sync.items():
            if not self.can(None, action, now):
                continue
            able = [bool(self.can(number, action, now)) for number in agents]
            match multiplicity:
                case "all":
                    yield self.led(action, able, now)
                case "one":
                    for chosen in agents:
                        if able[chosen]:
                            yield self.led(action, [n == chosen for n in agents], now)
                case "some":
                    for leading in product(*((False, True) if each else (False,) for each in able)):
                        if any(leading):
                            yield self.led(action, leading, now)

    def led(self, action: str, leading: Sequence[bool], now: Configuration) -> Event:
        """Return the event in which some agents do an action, and all others follow who can."""
        follower = self.system.followed_by.get(action)

        def does(number: int) -> str | None:
            if leading[number]:
                return action
            follows = follower is not None and self.can(number, follower, now)
            return follower if follows else None

        return Event(action, tuple(map(does, range(len(self.members)))))

    def _local_events(self, now: Configuration) -> Iterator[Event]:
        choices: list[list[str | None]] = []
        for number in (None, *range(len(self.members))):
            local = self._part(number).local
            choices.append([None, *(action for action in local if self.can(number, action, now))])
        for own, *others in product(*choices):
            if own is not None or any(others):
                yield Event(own, tuple(others))

    def initial(self) -> Iterator[Configuration]:
        """Yield all initial configurations."""
        choices = [list(self.initial_of(name)) for name in (ENVIRONMENT, *self.members)]
        for environment, *agents in product(*choices):
            yield Configuration(environment, tuple(agents))

    def initial_of(self, name: str) -> Iterator[Local]:
        """Yield the local states in which the environment, or an agent of a template, may start."""
        part = self.system.part[name]
        for values in product(*(values_of(variable.domain) for variable in part.variables)):
            if is_initial(self.system, name, values):
                yield values


def is_initial(system: OpenSystem, name: str, local: Local) -> bool:
    """Return whether the environment or an agent of a template may start in a local state."""
    if name == ENVIRONMENT:
        world, now = World(system, (), {}), Configuration(local, ())
        return world.holds(system.environment.initial, now, {ENVIRONMENT: None}) is True
    world, now = World(system, (name,), {}), Configuration((), (local,))
    return world.holds(system.part[name].initial, now, {SELF: 0}) is True


#: The next state of an agent where it depends on a fact that is open.
OPEN: Local = ("",)


def fits(domain: Domain, value: object) -> bool:
    """Return whether a variable can have a value; a type that is not listed has any name."""
    return (
        isinstance(value, str) if isinstance(domain, OpenEnumeration) else contains(domain, value)
    )


class Completed:
    """Facts, and for every other place one that does for all: what is not said does not hold."""

    def __init__(self, system: OpenSystem, facts: Facts) -> None:
        """Complete these facts about a system."""
        self._system = system
        self._facts = facts

    def get(self, place: Place, /) -> Datum:
        """Return the fact at a place."""
        found = self._facts.get(place)
        if found is not None:
            return found
        result = self._system.relations[place[0]].result
        if result is None:
            return False
        if isinstance(result, Integers):
            return 0
        named = values_of(result)
        return named[0] if named else f"{result}1"


def _assign(values: dict[str, object], variable: str, value: object) -> None:
    if values.setdefault(variable, value) != value:
        raise ConflictingLines(variable)
