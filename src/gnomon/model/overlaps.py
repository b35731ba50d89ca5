"""Pairs of evolution lines that can hold at once although only one of them is taken.

Under `MultiAssignment` and `Interleaved` one enabled line is taken, and what only the others would have
changed is lost. Under `SingleAssignment` one enabled line is taken for each variable, so two lines of one
variable are a choice.

Two lines with the same condition that assign a common variable are the way to write a choice, so nothing is
said of them: see docs/decisions/0023-lost-updates.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, combinations, combinations_with_replacement, islice, product
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from gnomon.model import expression as typed
from gnomon.model.agent import Agent, EvolutionLine, Semantics
from gnomon.model.choices import Choices, Key, choices_left
from gnomon.model.domain import (
    Datum,
    Domain,
    IntegerRange,
    contains,
    is_number,
    is_within,
    size_of,
    values_of,
)
from gnomon.model.expression import Compare, Expression, Literal, Read
from gnomon.model.system import System
from gnomon.text.limits import room_to_recurse

if TYPE_CHECKING:
    from gnomon.model.occasions import Occasion, OccasionSearch

#: So many parts of conditions are looked at, for all pairs and for one; every family has so many at least.
_WORK: Final = 30_000
_WORK_A_PAIR: Final = 5_000
_WORK_A_FAMILY: Final = 1_000
#: The most families of pairs that are looked at, the most pairs of one, and the most of them that are kept.
_MOST_FAMILIES: Final = 100
_MOST_PAIRS: Final = 2_000
_MOST_COPIES: Final = 256
#: A quotient is compared with each of the values that it may have, up to so many.
_MOST_VALUES: Final = 64


class LineOverlap(NamedTuple):
    """Two lines of an agent, the condition under which taking both is not the same, and where that is so."""

    agent: Agent
    first: EvolutionLine
    second: EvolutionLine
    condition: Expression
    occasion: "Occasion"


class _Line(NamedTuple):
    """A line with what is asked of it again and again."""

    number: int
    line: EvolutionLine
    values: Mapping[str, Expression]
    choices: Choices


#: An agent and two of its lines, in their order.
_Pair: TypeAlias = tuple[Agent, _Line, _Line]


def overlaps(system: System) -> list[list[LineOverlap]]:
    """Return the pairs of lines that overlap in some possible occasion, those of one family together.

    What is looked at goes by what is written, and not by how many copies of it there are: every family of
    pairs has its share of the work, until one pair is found; what is left is for more pairs of those.
    """
    with room_to_recurse():
        families = dict(islice(_families(system).items(), _MOST_FAMILIES))
        if not families:
            return []
        search = _new_search(system)
        share = max(_WORK_A_FAMILY, _WORK // len(families))
        found: dict[object, list[LineOverlap]] = {}
        for place, pairs in families.items():
            end = search.work + share
            for overlap in _found(system, search, pairs, end):
                found[place] = [overlap]
                break
        for number, (place, copies) in enumerate(found.items()):
            end = search.work + (_WORK - search.work) // (len(found) - number)
            more = _found(system, search, families[place], end)
            copies.extend(islice(more, _MOST_COPIES - 1))
    return list(found.values())


def _found(
    system: System, search: "OccasionSearch", pairs: "Iterator[_Pair]", end: int
) -> Iterator[LineOverlap]:
    """Yield the pairs that overlap, until so much work has been done."""
    while search.work < end and (pair := next(pairs, None)) is not None:
        overlap = _overlap(system, search, *pair)
        if overlap is not None:
            yield overlap


def _families(system: System) -> "dict[object, Iterator[_Pair]]":
    """Return the pairs that come into question, by where they are written."""
    found: dict[object, list[Iterator[_Pair]]] = {}
    for agent in system.agents:
        for group in _groups(agent, system.semantics):
            written: dict[int, list[_Line]] = {}
            for number, line in group:
                choices = choices_left(line.guard)
                if choices is not None:
                    values = {each.variable: each.value for each in line.assignments}
                    made = _Line(number, line, values, choices)
                    # A line that is written nowhere stands for itself.
                    written.setdefault(line.line or -number - 1, []).append(made)
            for one, other in combinations_with_replacement(written, 2):
                lines, others = written[one], written[other]
                pairs = _pairs(lines) if one == other else _cross(lines, others)
                both = frozenset((one, other))
                key = both if min(both) > 0 else (agent.name, both)
                found.setdefault(key, []).append(_ordered(agent, islice(pairs, _MOST_PAIRS)))
    kept = ((key, chain.from_iterable(iterators)) for key, iterators in found.items())
    first = ((key, next(pairs, None), pairs) for key, pairs in kept)
    return {key: chain((one,), pairs) for key, one, pairs in first if one is not None}


def _ordered(agent: Agent, pairs: "Iterator[tuple[_Line, _Line]]") -> "Iterator[_Pair]":
    """Yield pairs in the order of their lines, but for those that plainly do not matter."""
    for pair in pairs:
        first, second = sorted(pair, key=lambda each: each.number)
        if not _excluded(first, second):
            yield agent, first, second


def _new_search(system: System) -> "OccasionSearch":
    from gnomon.model.occasions import (
        OccasionSearch,  # the lines of most systems exclude each other
    )

    return OccasionSearch(system, _WORK + _MOST_FAMILIES * _WORK_A_FAMILY, _WORK_A_PAIR)


# Which pairs come into question


def _groups(agent: Agent, semantics: Semantics) -> Iterator[list[tuple[int, EvolutionLine]]]:
    """Yield the lines of which one is taken, where there are several: all of them, or those of a variable."""
    by_variable: dict[str, list[tuple[int, EvolutionLine]]] = {}
    for number, line in enumerate(agent.evolution):
        for each in line.assignments:
            by_variable.setdefault(each.variable, []).append((number, line))
    if semantics == "SingleAssignment":
        yield from (lines for lines in by_variable.values() if len(lines) > 1)
    elif len(agent.evolution) > 1:
        yield list(enumerate(agent.evolution))


def _pairs(lines: list[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """Yield all pairs but those that ask one variable, or one agent, for different values."""
    if len(lines) < 2:
        return
    chosen = _telling(lines)
    if chosen is None:
        yield from combinations(lines, 2)
        return
    apart: dict[Datum, list[_Line]] = {}
    rest: list[_Line] = []
    for line in lines:
        of = line.choices.get(chosen, ())
        (apart.setdefault(next(iter(of)), []) if len(of) == 1 else rest).append(line)
    for together in (*apart.values(), rest):
        yield from _pairs(together)
    yield from product(rest, (line for together in apart.values() for line in together))


def _cross(lines: list[_Line], others: list[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """Yield all pairs of one of each, but those that ask one variable, or one agent, for different values."""
    chosen = _telling([*lines, *others])
    if chosen is None or not lines or not others:
        yield from product(lines, others)
        return
    apart: dict[Datum, tuple[list[_Line], list[_Line]]] = {}
    rest: tuple[list[_Line], list[_Line]] = ([], [])
    for side, each in enumerate((lines, others)):
        for line in each:
            of = line.choices.get(chosen, ())
            both = apart.setdefault(next(iter(of)), ([], [])) if len(of) == 1 else rest
            both[side].append(line)
    for one, other in apart.values():
        yield from _cross(one, other)
        yield from product(one, rest[1])
    yield from product(rest[0], others)


def _telling(lines: list[_Line]) -> Key | None:
    """Return the variable or agent that most lines ask for one value, but not all of them for the same."""
    asked: dict[Key, Counter[Datum]] = {}
    for line in lines:
        for key, of in line.choices.items():
            if len(of) == 1:
                asked.setdefault(key, Counter()).update(of)
    several = [key for key, values in asked.items() if len(values) > 1]
    return max(several, key=lambda key: asked[key].total(), default=None)


def _excluded(first: _Line, second: _Line) -> bool:
    """Return whether the two plainly never hold at once, or are a choice that was meant."""
    other = second.choices
    if any(key in other and of.isdisjoint(other[key]) for key, of in first.choices.items()):
        return True
    common = first.values.keys() & second.values.keys()
    return bool(common) and conjuncts(first.line.guard) == conjuncts(second.line.guard)


def conjuncts(condition: Expression) -> frozenset[Expression]:
    """Return the parts of a condition that have to hold, all of them: in another order it is the same one."""
    found: set[Expression] = set()
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, typed.And):
            waiting.extend(part.operands)
        else:
            found.add(part)
    return frozenset(found)


# Whether a pair overlaps


def _overlap(
    system: System, search: "OccasionSearch", agent: Agent, first: _Line, second: _Line
) -> LineOverlap | None:
    differs = (_torn if system.semantics == "SingleAssignment" else _lost)(agent, first, second)
    if not differs:
        return None
    fits = [
        _fits(system, Read(agent.name, variable), value)
        for line in (first, second)
        for variable, value in line.values.items()
    ]
    condition = typed.And((first.line.guard, second.line.guard, typed.Or(differs), *fits))
    if system.interleaved:
        occasion = search.first_event(condition, agent)
    else:
        occasion = search.first(condition, _both(first.choices, second.choices))
    if occasion is None:
        return None
    return LineOverlap(agent, first.line, second.line, condition, occasion)


def _both(one: Choices, two: Choices) -> Choices:
    return {**one, **{key: one.get(key, of) & of for key, of in two.items()}}


def _lost(agent: Agent, first: _Line, second: _Line) -> tuple[Expression, ...]:
    """Return the conditions under which it matters which line is taken.

    One changes what the other does not assign, or they give a variable different values.
    """
    alone = tuple(
        Compare("<>", value, Read(agent.name, variable))
        for line, other in ((first, second), (second, first))
        for variable, value in line.values.items()
        if variable not in other.values and value != Read(agent.name, variable)
    )
    return alone + _torn(agent, first, second)


def _torn(_agent: Agent, first: _Line, second: _Line) -> tuple[Expression, ...]:
    """Return the conditions that the lines give a variable different values."""
    return tuple(
        Compare("<>", value, second.values[variable])
        for variable, value in first.values.items()
        if variable in second.values and value != second.values[variable]
    )


def _fits(system: System, target: Read, value: Expression) -> Expression:
    """Return the condition that a variable can have a value: otherwise the line has no result."""
    domain = _domain(system, target)
    match value:
        case Literal(constant):
            return typed.TRUE if contains(domain, constant) else typed.FALSE
        case Read() if is_within(_domain(system, value), domain):
            return typed.TRUE
    if is_number(domain) and not _has_quotient(value):
        if not isinstance(domain, IntegerRange):
            return typed.TRUE
        low, high = Literal(domain.low), Literal(domain.high)
        return typed.And((Compare(">=", value, low), Compare("<=", value, high)))
    size = size_of(domain)
    if size is None or size > _MOST_VALUES:
        return typed.FALSE  # it would take long to tell, so nothing is said
    return typed.Or(tuple(Compare("=", value, Literal(each)) for each in values_of(domain)))


def _domain(system: System, read: Read) -> Domain:
    return system.variables[system.position[read.agent, read.variable]].domain


def _has_quotient(value: Expression) -> bool:
    parts = (part for part in typed.walk(value) if isinstance(part, typed.Arithmetic))
    return any(part.operator == "/" for part in parts)
