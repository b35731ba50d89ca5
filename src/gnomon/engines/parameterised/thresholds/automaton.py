"""What agents of a program with parameters can do: local states, and rules between them.

Agents do local actions only, one by one or several at once. A rule takes an agent from one local state to
another where its guard holds, which is a condition on how many agents are where. The environment stays as it
is. Whose program is not like that is told the line.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from gnomon.engines.parameterised.thresholds.counted import (
    AgentLocation,
    AgentRule,
    CannotCount,
    Counter,
    atoms,
    never_falls,
)
from gnomon.engines.solvers.whole_numbers import NEVER, NumberCondition, at_least, either, every
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Integers, OpenEnumeration, size_of
from gnomon.model.parameterised.condition import Condition, Or, show
from gnomon.model.parameterised.query import FairCondition
from gnomon.model.parameterised.step import Configuration, ConflictingLines, Local, World
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.errors import Senseless

#: More local states, or more rules, are not listed.
_MOST_LOCATIONS: Final = 2_000
_MOST_RULES: Final = 10_000


class OutsideFragment(Senseless):
    """The program is none of those that are decided: a line of it, and why."""

    def __init__(self, line: int, message: str, help: str = "") -> None:
        """Say where, by the number of the line (0 where there is none), why, and what to do about it."""
        super().__init__(message)
        self.line = line
        self.message = message
        self.help = help


class ThresholdAutomaton:
    """The locations and rules of a program whose environment is in one of its states.

    With `own`, one agent of that template is told apart. `rules` are in an order in which nobody comes to
    where an earlier one begins.
    """

    def __init__(
        self, system: OpenSystem, environment: Local, budget: Budget, own: str = ""
    ) -> None:
        """List them; raises `OutsideFragment` where agents come back, or guards may fail again."""
        self.system = system
        self.environment = environment
        self.own = own
        self._budget = budget
        self.locations: list[AgentLocation] = []
        self._number: dict[AgentLocation, int] = {}
        #: What each line asks, and of which action.
        self._asked: dict[tuple[int, NumberCondition], tuple[Part, str]] = {}
        for part in system.templates:
            self._list(part, own=False)
            if part.name == own:
                self._list(part, own=True)
        self.counter = Counter(system, environment, tuple(self.locations))
        found = list(self._rules())
        self._order = self._ranks(found)
        self.rules = tuple(sorted(found, key=lambda rule: self._order[rule.source]))
        self._check_guards()

    # Locations

    def initial(self, template: str, *, own: bool = False) -> tuple[int, ...]:
        """Return where an agent may start."""
        world = World(self.system, (template,), {})
        return tuple(
            self._number[AgentLocation(template, own, local)]
            for local in world.initial_of(template)
        )

    def of(self, template: str, *, own: bool) -> tuple[int, ...]:
        """Return all locations of the agents of a template, or of the one that is told apart."""
        return tuple(
            number
            for number, place in enumerate(self.locations)
            if (place.template, place.own) == (template, own)
        )

    def fair(self, each: FairCondition) -> NumberCondition:
        """Return where a condition that recurs holds: of the whole, or of each agent of a template."""
        if not each.template:
            return self.counter.condition(each.condition)
        found = (
            either(at_least({number: -1}, 0), self.counter.condition(each.condition, place))
            for number, place in enumerate(self.locations)
            if place.template == each.template
        )
        return every(*found)

    def _list(self, part: Part, *, own: bool) -> None:
        world = World(self.system, (part.name,), {})
        waiting = list(world.initial_of(part.name))
        seen = set(waiting)
        while waiting:
            local = waiting.pop()
            self._add(AgentLocation(part.name, own, local))
            for _, after in self._moves(part, local):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def _add(self, place: AgentLocation) -> None:
        self._number[place] = len(self.locations)
        self.locations.append(place)
        self._budget.check("local states", len(self.locations))
        if len(self.locations) > _MOST_LOCATIONS:
            msg = f"agents have more than {_MOST_LOCATIONS:,} local states"
            raise OutOfReach(msg)

    def _moves(self, part: Part, local: Local) -> Iterator[tuple[str, Local]]:
        """Yield what an agent may do, and what it is then, whatever guards ask of others."""
        world = World(self.system, (part.name,), {})
        now = Configuration(self.environment, (local,))
        for action in part.local:
            if action not in part.guards:
                continue
            try:
                after = world.after(0, action, now)
            except ConflictingLines as clash:
                line = next(iter(part.lines.get(action, ())), 0)
                raise OutsideFragment(
                    line, f"`{action}` can give `{clash}` two values at once"
                ) from None
            if after is not None:
                yield action, after

    # Rules

    def _rules(self) -> Iterator[AgentRule]:
        total = 0
        for source, place in enumerate(self.locations):
            part = self.system.part[place.template]
            for action, after in self._moves(part, place.local):
                lines = list(self._guards(part, action, place))
                self._asked.update(dict.fromkeys(lines, (part, action)))
                guard = either(*(shape for _, shape in lines))
                if guard == NEVER:
                    continue
                total += 1
                self._budget.check("rules", total)
                if total > _MOST_RULES:
                    msg = f"agents have more than {_MOST_RULES:,} rules"
                    raise OutOfReach(msg)
                target = self._number[AgentLocation(place.template, place.own, after)]
                yield AgentRule(source, target, action, guard)

    def _guards(
        self, part: Part, action: str, place: AgentLocation
    ) -> Iterator[tuple[int, NumberCondition]]:
        """Yield the guards of an action, line by line, for an agent at a location."""
        for line, condition in guarded_lines(part, action):
            try:
                yield line, self.counter.condition(condition, place)
            except CannotCount as reason:
                raise OutsideFragment(line, str(reason), reason.help) from None

    def _ranks(self, rules: list[AgentRule]) -> dict[int, int]:
        """Return an order of the locations in which rules lead forward."""
        leaving: dict[int, list[AgentRule]] = {number: [] for number in range(len(self.locations))}
        for rule in rules:
            if not rule.stays:
                leaving[rule.source].append(rule)
        done: dict[int, int] = {}
        for start in leaving:
            if start not in done:
                self._visit(start, leaving, done)
        return {number: -rank for number, rank in done.items()}

    def _visit(self, start: int, leaving: dict[int, list[AgentRule]], done: dict[int, int]) -> None:
        open_: dict[int, Iterator[AgentRule]] = {start: iter(leaving[start])}
        while open_:
            here = next(reversed(open_))
            rule = next(open_[here], None)
            if rule is None:
                del open_[here]
                done[here] = len(done)
            elif rule.target in open_:
                raise self._goes_back(rule)
            elif rule.target not in done:
                open_[rule.target] = iter(leaving[rule.target])

    def _goes_back(self, rule: AgentRule) -> OutsideFragment:
        part = self.system.part[self.locations[rule.source].template]
        return OutsideFragment(
            part.lines[rule.action][0],
            f"by `{rule.action}`, an agent of `{part.name}` can come back to a local state that it left",
            "with `Parameters`, agents only go forward: note what was done in a variable that stays",
        )

    # What guards ask

    def _check_guards(self) -> None:
        """Fail where something that a guard asks may become false again."""
        for (line, shape), (part, action) in self._asked.items():
            self._check_guard(part, action, line, shape)

    def _check_guard(self, part: Part, action: str, line: int, shape: NumberCondition) -> None:
        for atom in atoms(shape):
            falls = next((r for r in self.rules if not never_falls(atom, [r])), None)
            if falls is None:
                continue
            what = "; ".join(show(c) for at, c in guarded_lines(part, action) if at == line)
            raise OutsideFragment(
                line,
                f"what this line asks may become false again, when `{falls.action}` is done",
                f"with `Parameters`, guards ask what stays true: here it is {what}",
            )


def guarded_lines(part: Part, action: str) -> Iterable[tuple[int, Condition]]:
    """Return the conditions under which an action may be done, with the lines that say so."""
    guard = part.guards[action]
    lines = part.lines.get(action, ())
    if len(lines) > 1 and isinstance(guard, Or) and len(guard.operands) == len(lines):
        return zip(lines, guard.operands, strict=True)
    return [(lines[0] if lines else 0, guard)]


def environments(system: OpenSystem) -> tuple[Local, ...]:
    """Return the states in which the environment may be, and stays; raises `OutsideFragment`."""
    _check_parts(system)
    return tuple(World(system, (), {}).initial_of(ENVIRONMENT))


def _check_parts(system: OpenSystem) -> None:
    """Fail where there is more than agents that do local actions."""
    for part in system.part.values():
        own = part is system.environment
        who = "the environment" if own else f"`{part.name}`"
        actions = (*part.local, *part.synchronised) if own else part.synchronised
        if actions:
            raise OutsideFragment(
                next((line for action in actions for line in part.lines.get(action, ())), 0),
                f"{who} does `{actions[0]}`"
                if own
                else f"{who} does `{actions[0]}` together with the environment",
                "with `Parameters`, agents act alone, by local actions, and the environment does nothing",
            )
        for variable in part.variables:
            _check_domain(f"`{variable.name}` of {who}", variable.domain)
    if system.used_relations or system.axioms:
        raise OutsideFragment(0, "relations do not go with `Parameters`")


def _check_domain(what: str, domain: object) -> None:
    unbounded = isinstance(domain, Integers | OpenEnumeration)
    if unbounded or (size_of(domain) or 0) > _MOST_LOCATIONS:  # type: ignore[arg-type]
        raise OutsideFragment(
            0,
            f"{what} has too many values to be listed"
            if not unbounded
            else f"{what} has no bounds",
            "with `Parameters`, local states are listed: give variables small ranges",
        )
