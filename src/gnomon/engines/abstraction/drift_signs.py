"""Where what is added to a number changes its sign: there it begins to fall, or to grow.

A number that falls only once another has become negative runs out in phases, one after the other (multi-phase
rankings, Ben-Amram and Genaim 2017).
"""

from collections.abc import Iterator
from typing import Final

from gnomon.engines.abstraction.linear import Affine, affine, scaled, solve
from gnomon.engines.abstraction.partition import Origin, Partition, Predicate, instances
from gnomon.model.expression import Read

_ORIGIN: Final = Origin("the sign of what is added")


def drift_signs(partition: Partition) -> Iterator[Predicate]:
    """Yield what tells where steps make a number smaller, larger, or neither, if that is not always so."""
    for agent in partition.system.agents:
        for line in agent.evolution:
            for item in line.assignments:
                read, value = Read(agent.name, item.variable), affine(item.value)
                if read in partition.coarse and value is not None and read in value.terms:
                    yield from _signs(partition, value.plus(Affine({read: 1}), -1))


def _signs(partition: Partition, added: Affine) -> Iterator[Predicate]:
    for instance in instances(partition, added):
        found = scaled(instance.terms)
        if found is not None:
            for bound in (-1, 0):
                for cut in solve("<=", found.factor, instance.constant - bound).cuts:
                    yield Predicate(found.form, cut, _ORIGIN)
