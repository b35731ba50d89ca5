"""`x[k] = v if g;` is one line for each value of the index, each with its value in the guard."""

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.elaborate.arrays import IndexedName, equals, refuse_too_many
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.elaborate.problems import each

#: A line whose targets are plain variables, and what its guard says beside the guard that is written.
PlainLine: TypeAlias = tuple[syntax.EvolutionLine, tuple[typed.Expression, ...]]


def plain_lines(
    line: syntax.EvolutionLine, own: AgentNames, reader: ExpressionReader
) -> Iterator[PlainLine]:
    """Yield the lines that a line with computed targets stands for; not more than one of them holds."""
    targets = each(lambda item: IndexedName((item.target,), reader), line.assignments)
    # One index may stand in several targets, and has one value for all of them.
    ranges = {
        index: values
        for target in targets
        for index, values in zip(target.indices, target.ranges, strict=True)
    }
    refuse_too_many(ranges.values(), "lines", line.span, reader)
    for values in product(*ranges.values()):
        chosen = dict(zip(ranges, values, strict=True))
        assignments = tuple(
            syntax.Assignment(_target(target, chosen, own), item.value, item.span)
            for item, target in zip(line.assignments, targets, strict=True)
        )
        when = (equals(index, value) for index, value in chosen.items() if len(ranges[index]) > 1)
        yield syntax.EvolutionLine(assignments, line.guard, line.span), tuple(when)


def _target(
    target: IndexedName, chosen: dict[typed.Expression, int], own: AgentNames
) -> syntax.Name:
    values = tuple(chosen[index] for index in target.indices)
    [name] = target.written(values)
    if values and name not in own.variables:
        raise target.missing(name, values)
    return syntax.Name(name, (), target.names[0].span)
