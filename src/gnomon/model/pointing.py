"""Variables whose numbers are only names: they are compared with numbers and set to them, and that is all.

`sel : 0..4` may say who is called. If nothing is calculated with it, its numbers may change places as agents
do who are told apart by them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gnomon.model import node
from gnomon.model.domain import IntegerRange
from gnomon.model.node import Expression, parts
from gnomon.model.system import System

_DIGIT: Final = re.compile(r"\d")
#: Nobody has names for more values than that.
_MOST_VALUES: Final = 1_000


def pointing_variables(system: System) -> dict[node.Read, IntegerRange]:
    """Return the variables whose numbers may be names of somebody, with these numbers.

    Not those that are told apart by numbers themselves: they would say something about two.
    """
    left = {
        node.Read(variable.agent, variable.name): variable.domain
        for variable in system.variables
        if isinstance(variable.domain, IntegerRange)
        and 1 < variable.domain.high - variable.domain.low + 1 <= _MOST_VALUES
        and not _DIGIT.search(variable.agent + variable.name)
    }
    seen: set[Expression] = set()
    for expression in _expressions(system, left):
        if not left:
            break
        _strike(expression, left, seen)
    return left


def _expressions(system: System, left: dict[node.Read, IntegerRange]) -> Iterator[Expression]:
    """Yield all there is in a system but formulae; variables that are set to no number are taken out."""
    for agent in system.agents:
        for line in agent.evolution:
            for each in line.assignments:
                if not isinstance(each.value, node.Literal):
                    left.pop(node.Read(agent.name, each.variable), None)
                yield each.value
            yield line.guard
        yield from (line.condition for line in agent.protocol)
        if agent.red is not None:
            yield agent.red
    yield system.initial
    if system.terminal is not None:
        yield system.terminal


def _strike(
    expression: Expression, left: dict[node.Read, IntegerRange], seen: set[Expression]
) -> None:
    """Take out the variables with which an expression does more than to compare them with a number."""
    waiting = [expression]
    while waiting and left:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, node.Read):
            left.pop(part, None)
        elif named(part) is None:
            waiting += parts(part)


def named(part: Expression) -> tuple[str, node.Read, int] | None:
    """Return `=` or `<>`, and a variable and the number that it is compared with so; else None."""
    match part:
        case node.Compare("=" | "<>" as operator, node.Read() as read, node.Literal(value)):
            pass
        case node.Compare("=" | "<>" as operator, node.Literal(value), node.Read() as read):
            pass
        case _:
            return None
    return (operator, read, value) if type(value) is int else None


def number_names(read: node.Read, numbers: Iterable[int]) -> Iterator[str]:
    """Yield what numbers are called as names that a variable has for somebody."""
    for number in numbers:
        yield f"{read.agent}.{read.variable}[{number}]"
