"""All ways to fill the relations that matter to a question, where there are few of them."""

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Final, TypeAlias

from gnomon.certificate.rejection import TooMuch
from gnomon.model.domain import Datum, size_of, values_of
from gnomon.model.parameterised.condition import Condition, relations
from gnomon.model.parameterised.step import Completed, Configuration, Place, World
from gnomon.model.parameterised.system import OpenSystem

#: What relations say, place by place.
Filling: TypeAlias = tuple[tuple[Place, Datum], ...]

#: More are not gone through.
_MOST: Final = 1_000


def fillings(system: OpenSystem, conditions: Iterable[Condition]) -> Iterator[Filling]:
    """Yield all ways to fill the relations that steps, conditions or axioms ask; the axioms hold.

    Every interpretation does with its steps, and says of the conditions, what one of these does.
    """
    asked = system.used_relations.union(*map(relations, conditions))
    names = sorted(asked.union(*map(relations, system.axioms)))
    choices: dict[Place, tuple[Datum, ...]] = {}
    for name in names if asked else ():
        relation = system.relations[name]
        if prod(size_of(column) or _MOST + 1 for column in relation.columns) > _MOST:
            raise _too_many()
        result = relation.result
        if result is not None and (size_of(result) or _MOST + 1) > _MOST:
            raise _too_many()
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
            yield tuple(sorted(facts.items(), key=repr))


def _too_many() -> TooMuch:
    return TooMuch(f"there are more than {_MOST:,} ways to fill the relations")
