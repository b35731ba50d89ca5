"""What of a model can ever be used: lines, actions, values and propositions, over all reachable states.

Each part of the program has a condition on states under which it is used, and the question is whether a
reachable state satisfies it: whether `AG !condition` is false. So whatever decides formulae decides this,
with its engines, its limits and its honesty where numbers have no bounds.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.checking.check import check
from gnomon.checking.options import Options
from gnomon.checking.verdict import Value, Verdict
from gnomon.model import expression as typed
from gnomon.model import formula as logic
from gnomon.model.agent import Agent, EvolutionLine
from gnomon.model.budget import Report
from gnomon.model.choices import choices_left
from gnomon.model.domain import Boolean, Enumeration, IntegerRange, show_value, values_of
from gnomon.model.expression import Expression
from gnomon.model.occasions import happening, may
from gnomon.model.system import Specification, System
from gnomon.text.brief import brief_fields
from gnomon.text.ending import Terminated
from gnomon.text.source import Source

PartKind: TypeAlias = Literal["protocol line", "evolution line", "action", "value", "proposition"]

#: The kinds in the order in which they are told.
KINDS: Final[tuple[PartKind, ...]] = (
    "protocol line", "evolution line", "action", "value", "proposition"
)  # fmt: skip

#: A variable with more values is not looked at value by value.
MOST_VALUES: Final = 64
#: The most joint actions with which one evolution line is tried.
_MOST_ACTIONS: Final = 256
#: The most questions that are asked of one model.
_MOST_PARTS: Final = 20_000
#: It does not matter here whether a state is initial, or fair.
_WELCOME: Final = ("G0803", "G0804")

_TOO_MANY: Final = "the line looks at too many joint actions"
_TOO_LARGE: Final = f"more than {_MOST_PARTS:,} parts"


class ModelPart(NamedTuple):
    """A part of one agent, and the condition on states under which it is used; None where there is none."""

    kind: PartKind
    agent: str
    text: str
    line: int
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class CoveredPart:
    """A part of the program: how many times it stands there (in a family), and how many of them are used.

    `reason` says why `unknown` of them are not decided.
    """

    kind: PartKind
    agent: str
    text: str
    line: int
    of: int
    used: int
    unknown: int = 0
    reason: str = ""

    @property
    def never(self) -> int:
        """Return how many are surely never used."""
        return self.of - self.used - self.unknown


@dataclass(frozen=True, slots=True, repr=False)
class Coverage:
    """What can be used of a model; `states` are those that were found reachable, where that is known."""

    __repr__ = brief_fields

    model: str
    states: int | None
    seconds: float
    parts: tuple[CoveredPart, ...]
    #: Variables whose values were not looked at one by one, since there are too many.
    left_out: tuple[str, ...] = ()

    def of_kind(self, kind: PartKind) -> tuple[CoveredPart, ...]:
        """Return the parts of a kind."""
        return tuple(part for part in self.parts if part.kind == kind)


def coverage(
    system: System,
    source: Source,
    *,
    timeout: float | None = None,
    memory: float | None = None,
    report: Report | None = None,
) -> Coverage:
    """Return which parts of a system can be used in a reachable state."""
    parts = tuple(islice(parts_of(system), _MOST_PARTS + 1))
    asked = [
        Specification(_never(part.condition), part.text)
        for part in parts[:_MOST_PARTS]
        if part.condition is not None
    ]
    # Fairness says which runs count, and not what can happen.
    plain = replace(system, fairness=(), specifications=(), terminal=None)
    options = Options(timeout=timeout, memory=memory, report=report, evidence=False, allow=_WELCOME)
    result = check(plain, asked, options)
    if result.interrupted:
        raise Terminated if result.terminated else KeyboardInterrupt
    found = _grouped(parts, iter(result.verdicts), source)
    left_out = (f"{v.agent}.{v.name}" for v in system.variables if not _is_listed(v.domain))
    states = result.states if result.engine in ("bdd", "explicit") else None
    return Coverage(system.name, states, result.seconds, tuple(found), tuple(left_out))


def _never(condition: Expression) -> logic.Formula:
    return logic.All(logic.Globally(logic.Not(logic.StateCondition(condition))))


# The parts of a system


def parts_of(system: System) -> Iterator[ModelPart]:
    """Yield all parts of a system, each with where it is used."""
    for agent in system.agents:
        if agent.observer:
            continue  # nobody wrote it
        yield from _protocol(agent)
        for line in agent.evolution:
            text = f"{_assigned(line)} if {typed.show(line.guard)}"
            yield ModelPart(
                "evolution line", agent.name, text, line.line, applies(system, agent, line)
            )
        for action in agent.actions:
            condition = _done(system, agent, action)
            yield ModelPart("action", agent.name, action, 0, condition)
        yield from _values(agent)
    for name, meaning in system.propositions.items():
        yield ModelPart("proposition", "", f"{name} is true", 0, meaning)
        yield ModelPart("proposition", "", f"{name} is false", 0, typed.Not(meaning))


def _protocol(agent: Agent) -> Iterator[ModelPart]:
    for line in agent.protocol:
        text = f"{typed.show(line.condition)} : {{ {', '.join(line.actions)} }}"
        yield ModelPart("protocol line", agent.name, text, line.line, line.condition)
    if agent.other is not None and agent.protocol:
        left = typed.And(tuple(typed.Not(line.condition) for line in agent.protocol))
        text = f"Other : {{ {', '.join(agent.other)} }}"
        yield ModelPart("protocol line", agent.name, text, 0, left)


def _assigned(line: EvolutionLine) -> str:
    return " and ".join(f"{each.variable} = {typed.show(each.value)}" for each in line.assignments)


def applies(system: System, agent: Agent, line: EvolutionLine) -> Expression | None:
    """Return where something can be done with which a line's guard holds; None where that is too long."""
    if system.interleaved:
        return typed.Or(
            tuple(
                happening(
                    system,
                    event,
                    typed.decided(line.guard, dict(zip(system.agent_index, done, strict=True))),
                )
                for event, done in system.events.items()
                if event in agent.actions
            )
        )
    acting = sorted(typed.actors(line.guard))
    left = choices_left(line.guard)
    if left is None:
        return typed.FALSE
    each = [[a for a in system.agent(name).actions if a in left.get(name, (a,))] for name in acting]
    ways = list(islice(product(*each), _MOST_ACTIONS + 1))
    if len(ways) > _MOST_ACTIONS:
        return None
    return typed.Or(
        tuple(
            typed.And((typed.decided(line.guard, doing), *_possible(system, doing)))
            for doing in (dict(zip(acting, way, strict=True)) for way in ways)
        )
    )


def _possible(system: System, doing: dict[str, str]) -> Iterator[Expression]:
    """Yield what has to hold for some agents to do these actions, and the others anything at all."""
    for agent in system.agents:
        if agent.name in doing:
            yield may(agent, doing[agent.name])
        elif agent.actions and agent.other is None:
            yield typed.Or(tuple(may(agent, action) for action in agent.actions))


def _done(system: System, agent: Agent, action: str) -> Expression:
    """Return where an action can be done: its agent may, and all others have something to do."""
    if system.interleaved:
        return happening(system, action, typed.TRUE)
    return typed.And(tuple(_possible(system, {agent.name: action})))


def _is_listed(domain: object) -> bool:
    match domain:
        case Boolean():
            return True
        case Enumeration(names):
            return len(names) <= MOST_VALUES
        case IntegerRange(low, high):
            return high - low < MOST_VALUES
        case _:
            return False


def _values(agent: Agent) -> Iterator[ModelPart]:
    for variable in agent.variables:
        if not _is_listed(variable.domain):
            continue
        read = typed.Read(agent.name, variable.name)
        for value in values_of(variable.domain):
            match variable.domain:
                case Boolean():
                    condition: Expression = read if value else typed.Not(read)
                case _:
                    condition = typed.Compare("=", read, typed.Literal(value))
            text = f"{variable.name} = {show_value(value)}"
            yield ModelPart("value", agent.name, text, 0, condition)


# The same part of many agents


def _grouped(
    parts: Iterable[ModelPart], verdicts: Iterator[Verdict], source: Source
) -> Iterator[CoveredPart]:
    """Yield the parts with what was decided, those of a family together: by their line, or by their words."""
    groups: dict[object, list[tuple[ModelPart, Value, str]]] = defaultdict(list)
    for number, part in enumerate(parts):
        family = part.agent.partition("[")[0]
        key = (part.kind, family, part.line or part.text)
        if number >= _MOST_PARTS:
            groups[key].append((part, Value.UNKNOWN, _TOO_LARGE))
        elif part.condition is None:
            groups[key].append((part, Value.UNKNOWN, _TOO_MANY))
        else:
            verdict = next(verdicts)
            groups[key].append((part, verdict.value, verdict.reason))
    for members in groups.values():
        yield _together(members, source)


def _together(members: list[tuple[ModelPart, Value, str]], source: Source) -> CoveredPart:
    first = members[0][0]
    agents = dict.fromkeys(part.agent for part, _, _ in members)
    agent = first.agent if len(agents) == 1 else f"{first.agent.partition('[')[0]}[…]"
    text = first.text
    if first.line:
        text = " ".join(source.line(first.line).split()) or text
    decided = (Value.TRUE, Value.FALSE)
    return CoveredPart(
        first.kind,
        agent,
        text,
        first.line,
        len(members),
        sum(value is Value.FALSE for _, value, _ in members),
        sum(value not in decided for _, value, _ in members),
        next((reason for _, value, reason in members if value not in decided), ""),
    )
