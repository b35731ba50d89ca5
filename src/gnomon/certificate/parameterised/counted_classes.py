"""Classes of agents that an invariant counts, as a certificate names them.

A class is a template and values for some of its variables. No agent is in two of them, so that each pair of
classes of one template differs in the value of a variable; there may be agents in none.
"""

from itertools import combinations
from typing import Final

from gnomon.certificate.rejection import TooMuch, require, shown
from gnomon.certificate.shape import items, row, strings
from gnomon.model.domain import Datum, Integers
from gnomon.model.parameterised.step import fits
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

#: Whose "variables" the numbers of agents are, in conditions: by the places of the classes.
COUNT: Final = "#"
_MOST_CLASSES: Final = 60


class CountedClass(Record):
    """The agents of a template of which some variables, by their places, have these values."""

    template: str
    values: tuple[tuple[int, Datum], ...]

    def excludes(self, other: "CountedClass") -> bool:
        """Return whether no agent is in both."""
        theirs = dict(other.values)
        return self.template != other.template or any(
            place in theirs and theirs[place] != value for place, value in self.values
        )


def read_classes(system: OpenSystem, data: object) -> tuple[CountedClass, ...]:
    """Return the classes that a certificate counts."""
    listed = items(data, "no list of classes")
    if len(listed) > _MOST_CLASSES:
        raise TooMuch(f"more than {_MOST_CLASSES:,} classes of agents are counted")
    found = tuple(_read_class(system, each) for each in listed)
    for one, other in combinations(found, 2):
        require(one.excludes(other), "an agent may be in two of the classes")
    return found


def _read_class(system: OpenSystem, data: object) -> CountedClass:
    template, values = row(data, 2, "no class of agents")
    templates = {part.name: part for part in system.templates}
    require(isinstance(template, str) and template in templates, "no such template")
    assert isinstance(template, str)
    part = templates[template]
    places = {variable.name: place for place, variable in enumerate(part.variables)}
    found: dict[int, Datum] = {}
    for each in items(values, "no list of values"):
        name, value = row(each, 2, "no value of a variable")
        (variable,) = strings([name])
        require(variable in places, f"no such variable: {shown(name)}")
        place = places[variable]
        require(place not in found, "a variable has two values")
        domain = part.variables[place].domain
        proper = type(value) in (bool, int, str) and fits(domain, value)
        require(proper and not isinstance(domain, Integers), f"no value of a class: {shown(value)}")
        assert isinstance(value, bool | int | str)
        found[place] = value
    return CountedClass(template, tuple(sorted(found.items())))
