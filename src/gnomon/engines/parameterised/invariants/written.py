"""Invariants that were guessed, as a certificate has them: short, and the same each time."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

from gnomon.certificate.parameterised.condition_data import of_condition
from gnomon.engines.parameterised.search_invariant import Invariant
from gnomon.engines.parameterised.solver_cubes import ConditionCube, index
from gnomon.engines.solvers.conditions_read import MIRRORED
from gnomon.engines.solvers.population_counts import AgentClass
from gnomon.engines.solvers.population_horn import AgentShape
from gnomon.engines.solvers.population_steps import name_of
from gnomon.model import expression as plain
from gnomon.model.parameterised.condition import Condition, Holds, renamed


def written(
    classes: Sequence[AgentClass], always: Sequence[Condition], cubes: Sequence[ConditionCube]
) -> Invariant:
    """Return an invariant: what holds always of the environment and numbers of agents, and what never is."""
    listed = [
        {"agents": list(cube.agents), "conditions": list(map(of_condition, cube.body))}
        for cube in cubes
    ]
    counted = {
        "kind": "numbers",
        "classes": [[each.template, [list(pair) for pair in each.values]] for each in classes],
        "always": list(map(of_condition, always)),
        "cubes": listed,
    }
    return without_idle_classes(counted)


def without_idle_classes(invariant: Invariant) -> Invariant:
    """Return an invariant with those classes only of which it speaks."""
    if invariant["kind"] != "numbers":
        return invariant
    said = [invariant["always"], invariant["cubes"]]
    used = sorted(_counted(said))
    if not used and not invariant["always"]:
        return {"kind": "never", "cubes": invariant["cubes"]}
    place = {old: new for new, old in enumerate(used)}
    return {
        "kind": "numbers",
        "classes": [invariant["classes"][old] for old in used],
        "always": _renumbered(invariant["always"], place),
        "cubes": _renumbered(invariant["cubes"], place),
    }


def numbered(shape: AgentShape, body: Sequence[plain.Expression], *, whole: bool) -> ConditionCube:
    """Return a cube of the agents of whom conditions speak, the first of all ways to number them.

    With the `whole` shape the others are there as well.
    """
    said = {read.agent for part in body for read in plain.reads(part)}
    kept = [n for n in range(len(shape)) if whole or name_of(n) in said]
    found = []
    for order in permutations(kept):
        names = {name_of(old): index(new) for new, old in enumerate(order)}
        conditions = [_oriented(renamed(Holds(part), names)) for part in body]
        ordered = tuple(sorted(conditions, key=lambda part: repr(of_condition(part))))
        found.append(ConditionCube(tuple(shape[old] for old in order), ordered))
    return min(found, key=lambda cube: (cube.agents, repr(list(map(of_condition, cube.body)))))


def _oriented(condition: Condition) -> Condition:
    """Return a comparison of two sums the one way round of both."""
    match condition:
        case Holds(plain.Compare(operator, left, right)) if not isinstance(right, plain.Literal):
            one, other = (plain.show(side) for side in (left, right))
            if operator in MIRRORED and other < one:
                return Holds(plain.Compare(MIRRORED[operator], right, left))
    return condition


def distinct(cubes: Iterable[ConditionCube]) -> list[ConditionCube]:
    """Return each cube once, without those that others contain word for word."""
    listed = list(dict.fromkeys(cubes))
    return [
        cube
        for cube in listed
        if not any(
            other is not cube
            and other.agents == cube.agents[: len(other.agents)]
            and set(other.body) < set(cube.body)
            for other in listed
        )
    ]


def _counted(data: object) -> set[int]:
    """Return the classes that conditions speak of."""
    match data:
        case ["count", int(place)]:
            return {place}
        case list() | tuple():
            return set().union(*map(_counted, data))
        case dict():
            return set().union(*map(_counted, data.values()))
        case _:
            return set()


def _renumbered(data: Any, place: Mapping[int, int]) -> Any:
    """Return conditions in which the classes have other places."""
    match data:
        case ["count", int(old)]:
            return ["count", place[old]]
        case list() | tuple():
            return [_renumbered(each, place) for each in data]
        case dict():
            return {key: _renumbered(each, place) for key, each in data.items()}
        case _:
            return data
