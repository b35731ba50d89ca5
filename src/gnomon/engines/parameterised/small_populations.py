"""Populations of few agents, one after the other."""

from collections.abc import Iterator
from itertools import product

from gnomon.engines.parameterised.demands import Population
from gnomon.model.parameterised.system import OpenSystem


def small_populations(system: OpenSystem, most: int, template: str = "") -> Iterator[Population]:
    """Yield all that are allowed, of at most so many agents, smaller ones first.

    Where something is asked of each agent of a template there has to be one.
    """
    names = [part.name for part in system.templates]
    allowed = (
        each
        for each in product(range(most + 1), repeat=len(names))
        if sum(each) <= most
        and all(part.allows(n) for part, n in zip(system.templates, each, strict=True))
        and (not template or each[names.index(template)])
    )
    yield from sorted(allowed, key=lambda each: (sum(each), each))
