"""What actions do to agents, as conditions and new values, for the search with a solver."""

from collections.abc import Iterator, Mapping, Sequence

from gnomon.model import expression as plain
from gnomon.model.domain import Enumeration, IntegerRange, OpenEnumeration, values_of
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Equal,
    Holds,
    Lookup,
    Not,
    Or,
    Term,
    positive,
    renamed,
)
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.record import Record, replace


class ConditionalEffect(Record):
    """What an action does to an agent where some conditions hold: its new values."""

    agent: str
    when: tuple[Condition, ...] = ()
    values: tuple[tuple[str, Term], ...] = ()


def effects_of(system: OpenSystem, part: Part, name: str, action: str) -> list[ConditionalEffect]:
    """Return what an action does to an agent, by which of its lines apply."""
    return list(_effects(system, part, name, action))


def broadcast_effects(
    system: OpenSystem, part: Part, name: str, actions: tuple[str, ...]
) -> list[ConditionalEffect]:
    """Return what becomes of an agent that takes part in the first of some actions that it can do, if any."""
    if not actions:
        return [ConditionalEffect(name)]
    action, *others = actions
    rest = broadcast_effects(system, part, name, tuple(others))
    guard = part.guards.get(action)
    if guard is None:
        return rest
    mine = renamed(guard, {SELF: name})
    able = [
        replace(effect, when=(mine, *effect.when))
        for effect in _effects(system, part, name, action)
    ]
    # It cannot either where its guard does not hold, or where a value would leave its range.
    within = Or(tuple(And(effect.when) for effect in able))
    cannot = positive(Not(within))
    return [*able, *(replace(effect, when=(cannot, *effect.when)) for effect in rest)]


def _effects(system: OpenSystem, part: Part, name: str, action: str) -> Iterator[ConditionalEffect]:
    lines = system.effects[part.name, action]
    uncertain = [guard for guard, _ in lines if guard != plain.TRUE]
    for truth in _truths(uncertain):
        known = dict(zip(map(id, uncertain), truth, strict=True))
        when: list[Condition] = []
        values: dict[str, Term] = {}
        for guard, change in lines:
            holds = known.get(id(guard), True)
            if guard != plain.TRUE:
                mine = renamed(Holds(guard), {SELF: name})
                when.append(mine if holds else Not(mine))
            if holds:
                values.update({i.variable: _mine(i.value, name) for i in change.line.assignments})
                values.update({i.variable: _mine(i.value, name) for i in change.looked})
        yield ConditionalEffect(name, (*when, *_in_range(part, values)), tuple(values.items()))


def _truths(guards: Sequence[plain.Expression]) -> Iterator[tuple[bool, ...]]:
    """Yield which guards may hold together, and not the others.

    Those of `x[k] = v` exclude each other, one for each value of `k`: only one of them is taken at a time.
    """
    needed = [_needed_values(guard) for guard in guards]

    def truths(
        place: int, given: Mapping[plain.Expression, plain.Literal]
    ) -> Iterator[tuple[bool, ...]]:
        if place == len(guards):
            yield ()
            return
        mine = needed[place]
        if all(given.get(value, wanted) == wanted for value, wanted in mine.items()):
            yield from ((True, *rest) for rest in truths(place + 1, {**given, **mine}))
        yield from ((False, *rest) for rest in truths(place + 1, given))

    return truths(0, {})


def _needed_values(guard: plain.Expression) -> dict[plain.Expression, plain.Literal]:
    """Return values that something has wherever a guard holds."""
    found: dict[plain.Expression, plain.Literal] = {}
    waiting = [guard]
    while waiting:
        match waiting.pop():
            case plain.And(operands):
                waiting.extend(operands)
            case plain.Compare("=", value, plain.Literal() as wanted):
                found[value] = wanted
            case _:
                pass
    return found


def _in_range(part: Part, values: Mapping[str, Term]) -> Iterator[Condition]:
    for variable in part.variables:
        value = values.get(variable.name)
        if value is None or isinstance(value, plain.Literal):
            continue
        domain = variable.domain
        if isinstance(domain, IntegerRange) and not isinstance(value, Lookup):
            yield Holds(plain.Compare("<=", plain.Literal(domain.low), value))
            yield Holds(plain.Compare("<=", value, plain.Literal(domain.high)))
        elif isinstance(domain, (Enumeration, IntegerRange)) and not isinstance(
            domain, OpenEnumeration
        ):
            yield Or(tuple(_is(value, plain.Literal(each)) for each in values_of(domain)))


def _is(value: Term, wanted: plain.Literal) -> Condition:
    if isinstance(value, Lookup):
        return Equal(value, wanted)
    return Holds(plain.Compare("=", value, wanted))


def _mine(term: Term, name: str) -> Term:
    if isinstance(term, Lookup):
        return Lookup(term.relation, tuple(_mine(argument, name) for argument in term.arguments))
    found: dict[plain.Read, plain.Expression] = {
        read: plain.Read(name, read.variable) for read in plain.reads(term) if read.agent == SELF
    }
    return plain.substituted(term, found) if found else term
