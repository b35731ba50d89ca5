"""Positive conditions on agents in disjunctive form: which agents are looked for, and what holds of them."""

from collections.abc import Iterable, Iterator, Mapping

from gnomon.model import expression as plain
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Exists,
    Forall,
    Holds,
    Lookup,
    Not,
    Or,
    Same,
    Term,
    terms,
    walk,
)
from gnomon.text.record import Record


class Disjunct(Record):
    """What must hold together: agents that are looked for, conditions without parts, and universal ones."""

    binders: tuple[tuple[str, str], ...] = ()
    literals: tuple[Condition, ...] = ()
    universal: tuple[Forall, ...] = ()


def both(one: Disjunct, other: Disjunct) -> Disjunct:
    """Return the conjunction of two."""
    return Disjunct(
        one.binders + other.binders,
        one.literals + other.literals,
        one.universal + other.universal,
    )


def is_not_same(literal: Condition) -> bool:
    """Return whether a literal says that two indices are different agents."""
    return isinstance(literal, Not) and isinstance(literal.operand, Same)


def local_expression(condition: Condition) -> plain.Expression | None:
    """Return a condition as one on the variables of a single agent, if it is that."""
    expression = _plain(condition)
    if expression is None or len({read.agent for read in plain.reads(expression)}) > 1:
        return None
    return expression


def _plain(condition: Condition) -> plain.Expression | None:
    """Return a condition without quantifiers, relations and indices as an expression."""
    match condition:
        case Holds(expression):
            return expression
        case Not(operand):
            inner = _plain(operand)
            return None if inner is None else plain.Not(inner)
        case And(operands) | Or(operands):
            found = [_plain(operand) for operand in operands]
            if any(part is None for part in found):
                return None
            kind = plain.And if isinstance(condition, And) else plain.Or
            return kind(tuple(part for part in found if part is not None))
        case _:
            return None


def patterns(disjunct: Disjunct, me: str | None) -> Iterator[dict[str, str]]:
    """Yield all ways in which indices may stand for one agent: the block of each index."""
    by_template: dict[str, list[str]] = {me: [SELF]} if me is not None else {}
    for name, template in disjunct.binders:
        by_template.setdefault(template, []).append(name)
    apart = {
        frozenset((literal.operand.left, literal.operand.right))
        for literal in disjunct.literals
        if isinstance(literal, Not) and isinstance(literal.operand, Same)
    }
    for choice in _choices(list(by_template.values()), apart):
        blocks = {name: block[0] for partition in choice for block in partition for name in block}
        if all(_agrees(literal, blocks) for literal in disjunct.literals):
            yield blocks


def _agrees(literal: Condition, blocks: Mapping[str, str]) -> bool:
    match literal:
        case Same(left, right):
            return blocks.get(left, left) == blocks.get(right, right)
        case Not(Same(left, right)):
            return blocks.get(left, left) != blocks.get(right, right)
        case _:
            return True


def _choices(
    templates: list[list[str]], apart: set[frozenset[str]]
) -> Iterator[list[list[list[str]]]]:
    """Yield a partition for each template, one combination after the other."""
    if not templates:
        yield []
        return
    for partition in _partitions(templates[0], apart):
        for rest in _choices(templates[1:], apart):
            yield [partition, *rest]


def _partitions(items: list[str], apart: set[frozenset[str]]) -> Iterator[list[list[str]]]:
    """Yield the ways to put indices into blocks, such that none are together that must be apart."""
    if not items:
        yield []
        return
    *before, last = items
    for partition in _partitions(before, apart):
        for index, block in enumerate(partition):
            if not any(frozenset((other, last)) in apart for other in block):
                yield [*partition[:index], [*block, last], *partition[index + 1 :]]
        yield [*partition, [last]]


def compared(crossing: Iterable[Condition], universal: Iterable[Condition]) -> set[tuple[str, str]]:
    """Return the variables whose values have to be known one by one."""
    found: set[tuple[str, str]] = set()
    for literal in crossing:
        for part in walk(literal):
            for expression in _expressions(terms(part)):
                found |= {(read.agent, read.variable) for read in plain.reads(expression)}
    for condition in universal:
        bound = {part.index for part in walk(condition) if isinstance(part, (Exists, Forall))}
        for part in walk(condition):
            for expression in _expressions(terms(part)):
                found |= {
                    (read.agent, read.variable)
                    for read in plain.reads(expression)
                    if read.agent not in bound
                }
    return found


def _expressions(values: Iterable[Term]) -> Iterator[plain.Expression]:
    for value in values:
        if isinstance(value, Lookup):
            yield from _expressions(value.arguments)
        else:
            yield value


def alone(body: Condition, index: str, *, myself: bool) -> plain.Expression:
    """Return what a universal condition asks of one agent: of another one, or of oneself."""
    match body:
        case Holds(expression):
            return expression
        case Same(left, right) if {left, right} <= {index, SELF}:
            return plain.Literal(left == right or myself)
        case Not(operand):
            return plain.Not(alone(operand, index, myself=myself))
        case And(operands) | Or(operands):
            kind = plain.And if isinstance(body, And) else plain.Or
            return kind(tuple(alone(operand, index, myself=myself) for operand in operands))
        case _:
            msg = "a condition on every agent that asks relations or looks at third agents is not decided"
            raise LimitReached(msg)
