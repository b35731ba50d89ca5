"""Classes of local states whose agents are counted: of each template, by the variables with few values."""

from math import prod
from typing import Final

from gnomon.engines.solvers.population_counts import AgentClass
from gnomon.model.domain import Datum, Integers, OpenEnumeration, size_of, values_of
from gnomon.model.parameterised.system import OpenSystem, Part

#: The most classes of one template, and of all.
_MOST_CLASSES: Final = 12
_MOST_OF_ALL: Final = 30


def classes_of(system: OpenSystem) -> tuple[AgentClass, ...]:
    """Return the classes of all templates, as far as they are not too many."""
    found: list[AgentClass] = []
    for part in system.templates:
        own = [AgentClass(part.name, values) for values in _values(part)]
        if len(found) + len(own) <= _MOST_OF_ALL:
            found += own
    return tuple(found)


def _values(part: Part) -> list[tuple[tuple[str, Datum], ...]]:
    """Return the values of as many variables as have few."""
    chosen: list[tuple[str, tuple[Datum, ...]]] = []
    for variable in part.variables:
        if isinstance(variable.domain, Integers | OpenEnumeration):
            continue
        sizes = [len(values) for _, values in chosen]
        size = size_of(variable.domain)
        if size is not None and prod(sizes) * size <= _MOST_CLASSES:
            chosen.append((variable.name, tuple(values_of(variable.domain))))
    rows: list[tuple[tuple[str, Datum], ...]] = [()]
    for name, values in chosen:
        rows = [(*row, (name, value)) for row in rows for value in values]
    return rows
