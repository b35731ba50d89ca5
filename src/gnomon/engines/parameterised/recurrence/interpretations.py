"""All ways to fill the relations of a system, as far as they matter; there must be few."""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from gnomon.model.budget import OutOfReach
from gnomon.model.domain import Datum, size_of, values_of
from gnomon.model.parameterised.condition import relations
from gnomon.model.parameterised.step import Completed, Configuration, Place, World
from gnomon.model.parameterised.system import OpenSystem

#: More are not gone through.
_MOST: Final = 256


def interpretations(system: OpenSystem) -> Iterator[dict[Place, Datum]]:
    """Yield all ways to fill the relations that are asked, such that the axioms hold."""
    names = sorted(system.used_relations.union(*map(relations, system.axioms)))
    choices: dict[Place, tuple[Datum, ...]] = {}
    for name in names if system.used_relations else ():
        relation = system.relations[name]
        if prod(size_of(column) or _MOST + 1 for column in relation.columns) > _MOST:
            raise _too_many()
        result = relation.result
        values = (False, True) if result is None else tuple(values_of(result))
        for arguments in product(*(values_of(column) for column in relation.columns)):
            choices[name, arguments] = values
        if prod(map(len, choices.values())) > _MOST:
            raise _too_many()
    nobody = Configuration((), ())
    for filled in product(*choices.values()):
        facts = dict(zip(choices, filled, strict=True))
        world = World(system, (), Completed(system, facts))
        if not choices or all(world.holds(axiom, nobody, {}) for axiom in system.axioms):
            yield facts


def _too_many() -> OutOfReach:
    msg = f"over time, no more than {_MOST} ways to fill the relations are gone through"
    return OutOfReach(msg)
