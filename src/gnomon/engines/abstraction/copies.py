"""Where one number is set to what others are: then they are equal, and only then it has a predecessor."""

from collections.abc import Iterator
from typing import Final

from gnomon.engines.abstraction.linear import Affine, affine, scaled, solve
from gnomon.engines.abstraction.partition import Origin, Partition, Predicate, instances
from gnomon.model.agent import Agent, EvolutionLine
from gnomon.model.expression import Read

_ORIGIN: Final = Origin("what is set to other numbers")


def copied(partition: Partition) -> Iterator[Predicate]:
    """Yield what tells whether numbers are equal that steps make equal."""
    for agent in partition.system.agents:
        for line in agent.evolution:
            for item in line.assignments:
                read, value = Read(agent.name, item.variable), affine(item.value)
                if read in partition.coarse and value is not None and read not in value.terms:
                    earlier = _before(agent, line, value)
                    yield from _equal(partition, Affine({read: 1}).plus(earlier, -1))


def _before(agent: Agent, line: EvolutionLine, value: Affine) -> Affine:
    """Return what a term was before a line, by what numbers are after it, if they are shifted by it."""
    found = value
    for item in line.assignments:
        other, shifted = Read(agent.name, item.variable), affine(item.value)
        if other in value.terms and shifted is not None and shifted.terms == {other: 1}:
            found = found.plus(Affine({}, shifted.constant), -value.terms[other])
    return found


def _equal(partition: Partition, difference: Affine) -> Iterator[Predicate]:
    for instance in instances(partition, difference):
        found = scaled(instance.terms)
        if found is not None and found.form.single is None:
            for bound in solve("=", found.factor, instance.constant).cuts:
                yield Predicate(found.form, bound, _ORIGIN)
