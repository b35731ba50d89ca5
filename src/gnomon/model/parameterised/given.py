"""A system with parameters where these have values: an ordinary system of templates."""

from collections.abc import Mapping
from dataclasses import replace as changed

from gnomon.model.parameterised.condition import Condition, Enough, with_parts
from gnomon.model.parameterised.linear import LinearTerm
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    FairCondition,
    Knowledge,
    OverTime,
    Query,
    Safety,
)
from gnomon.model.parameterised.step import Configuration, World
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.errors import Unable
from gnomon.text.record import replace


class NoSuchParameters(Unable):
    """These values are none of those that are asked about: the message says why."""


def given(system: OpenSystem, values: Mapping[str, int]) -> OpenSystem:
    """Return the system for these values of its parameters.

    Raises `NoSuchParameters` where one is missing or below 0, where they are not as assumed, or where a
    template would have fewer agents than none.
    """
    for name in system.parameters:
        if values.get(name, -1) < 0:
            raise NoSuchParameters(f"`{name}` needs a value, from 0 on")
    unknown = [name for name in values if name not in system.parameters]
    if unknown:
        raise NoSuchParameters(f"there is no parameter `{unknown[0]}`")

    def here(condition: Condition) -> Condition:
        return with_values(condition, values)

    found = changed(
        system,
        templates=tuple(_part(part, values) for part in system.templates),
        propositions={name: here(what) for name, what in system.propositions.items()},
        terminal=None if system.terminal is None else here(system.terminal),
        questions=tuple(
            changed(each, query=query_with_values(each.query, values)) for each in system.questions
        ),
        fairness=tuple(
            FairCondition(here(each.condition), each.template, each.span)
            for each in system.fairness
        ),
        parameters=(),
        assumptions=(),
    )
    for each in system.assumptions:
        if World(found, (), {}).holds(here(each), Configuration((), ()), {}) is not True:
            raise NoSuchParameters("the parameters are not as `Assume` has them")
    return found


def _part(part: Part, values: Mapping[str, int]) -> Part:
    guards = {name: with_values(guard, values) for name, guard in part.guards.items()}
    if part.size is None:
        return replace(part, guards=guards)
    least, most = part.size
    low, high = least.value(values), None if most is None else most.value(values)
    if high is not None and high < max(low, 0):
        raise NoSuchParameters(f"`{part.name}` would have {high} agents")
    return replace(part, guards=guards, low=max(low, 0), high=high, size=None)


def with_values(condition: Condition, values: Mapping[str, int]) -> Condition:
    """Return a condition with numbers in the place of parameters."""
    match condition:
        case Enough(counts, rest):
            fixed = tuple(
                (k, replace(tally, body=with_values(tally.body, values))) for k, tally in counts
            )
            return Enough(fixed, LinearTerm((), rest.value(values)))
        case _:
            return with_parts(condition, lambda part: with_values(part, values))


def query_with_values(query: Query, values: Mapping[str, int]) -> Query:
    """Return a question with numbers in the place of parameters."""
    match query:
        case Safety(bad):
            return replace(query, bad=with_values(bad, values))
        case OverTime(_, conditions):
            return replace(query, conditions=tuple(with_values(c, values) for c in conditions))
        case Knowledge(_, when, doubt):
            return replace(query, when=with_values(when, values), doubt=with_values(doubt, values))
        case Epistemic():
            return query  # it is not asked with parameters
        case Ability(stay, goal):
            return replace(query, stay=with_values(stay, values), goal=with_values(goal, values))
