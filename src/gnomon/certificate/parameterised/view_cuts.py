"""What agents always know: sets of views that no chain of configurations that look alike gets out of.

An agent does not know, or does not know that others know, where a chain begins at an agent in question, goes
on by what looks the same to one agent after the other, and ends where it is not so. A certificate has a set
of views for each level of the question, and an invariant that excludes all that a chain would need: an agent
in question with a view outside the first set; an agent with a view inside a set beside one with a view
outside that set, or outside the next; and an agent with a view inside the last set where it is not so.
"""

from collections.abc import Sequence
from typing import TypeAlias

from gnomon.certificate.parameterised.invariant_data import InvariantReader, Region, checked_value
from gnomon.certificate.rejection import require
from gnomon.certificate.shape import items, row
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised.condition import SELF, And, Condition, Exists, Holds, Not, Or
from gnomon.model.parameterised.query import Knowledge
from gnomon.model.parameterised.system import OpenSystem

#: Values of what agents of a template see of the environment, and in which states of their own.
SeenRegion: TypeAlias = tuple[tuple[Datum, ...], Region]

_OTHER = "other"


def broken_cut(system: OpenSystem, query: Knowledge, data: object) -> Condition:
    """Return what never is where views are cut off as a certificate says: some chain would need it."""
    levels = query.levels
    listed = items(data, "the views are no list")
    require(len(listed) == len(levels), "there is to be a set of views for each level")
    reader = InvariantReader(system)
    sets = [
        read_views(system, level.template, each, reader)
        for level, each in zip(levels, listed, strict=True)
    ]

    def inside(number: int, index: str) -> Condition:
        return view_in(system, levels[number].template, sets[number], index)

    first, last = levels[0].template, len(levels) - 1
    found: list[Condition] = [
        Exists(SELF, first, And((query.when, Not(inside(0, SELF))))),
        Exists(SELF, levels[last].template, And((query.doubt, inside(last, SELF)))),
    ]
    pairs = [(number, number) for number, level in enumerate(levels) if level.common]
    pairs += [(number, number + 1) for number in range(last)]
    for one, next_ in pairs:
        # Both may be the same agent, whose view then is in the one set and not in the other.
        beside = And((inside(one, SELF), Not(inside(next_, _OTHER))))
        either = Exists(_OTHER, levels[next_].template, beside)
        found.append(Exists(SELF, levels[one].template, either))
    return Or(tuple(found))


def read_views(
    system: OpenSystem, template: str, data: object, reader: InvariantReader
) -> list[SeenRegion]:
    """Return a set of views that a certificate gives."""
    names = system.part[template].sees
    domains = {variable.name: variable.domain for variable in system.environment.variables}
    found: list[SeenRegion] = []
    for each in items(data, "a set of views is no list"):
        values, boxes = row(each, 2)
        seen = tuple(
            checked_value(domains[name], value, name)
            for name, value in zip(names, row(values, len(names)), strict=True)
        )
        found.append((seen, reader.listed(template, boxes)))
    return found


def view_in(
    system: OpenSystem, template: str, views: Sequence[SeenRegion], index: str
) -> Condition:
    """Return that the view of an agent is in a set."""
    part = system.part[template]

    def one_of(owner: str, name: str, values: Sequence[Datum]) -> Condition:
        return Or(tuple(Holds(Compare("=", Read(owner, name), Literal(v))) for v in values))

    def own(region: Region) -> Condition:
        names = [variable.name for variable in part.variables]
        return Or(
            tuple(
                And(tuple(one_of(index, names[place], tuple(values)) for place, values in box))
                for box in region.boxes
            )
        )

    return Or(
        tuple(
            And(
                (
                    *(one_of(ENVIRONMENT, n, (v,)) for n, v in zip(part.sees, seen, strict=True)),
                    own(region),
                )
            )
            for seen, region in views
        )
    )
