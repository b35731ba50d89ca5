"""Conditions that rules speak of: the model's own, those that a proof writes down, and what both make."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.written_conditions import ConditionRef, WrittenConditions
from gnomon.certificate.rejection import require
from gnomon.certificate.smt_terms import FALSE, TRUE, SmtText, conj, disj, neg
from gnomon.model.expression import Expression, Read, reads
from gnomon.model.step import State, holds
from gnomon.model.system import System


class Assertion(NamedTuple):
    """What a condition looks at, its text at some moment, and its value in a state."""

    reads: frozenset[Read]
    text: Callable[[SymbolicMoment], SmtText]
    value: Callable[[State], bool]


ALWAYS = Assertion(frozenset(), lambda _: TRUE, lambda _: True)
NEVER = Assertion(frozenset(), lambda _: FALSE, lambda _: False)


def condition_of(assertions: WrittenConditions, ref: ConditionRef) -> Assertion:
    """Return a condition on states that a proof writes down; raises `Rejected` where it is none."""
    if isinstance(ref, bool):
        return ALWAYS if ref else NEVER
    require(not assertions.agents(ref), "a condition on states looks at what is done")
    return Assertion(
        assertions.reads(ref),
        lambda moment: assertions.text(ref, moment),
        lambda state: assertions.value(ref, state),
    )


def of_the_model(system: System, expression: Expression) -> Assertion:
    """Return a condition of the model."""
    return Assertion(
        reads(expression),
        lambda moment: moment.condition(expression),
        lambda state: holds(expression, system, state),
    )


def opposite(condition: Assertion) -> Assertion:
    """Return that a condition fails."""
    if condition is ALWAYS or condition is NEVER:
        return NEVER if condition is ALWAYS else ALWAYS
    return Assertion(
        condition.reads,
        lambda moment: neg(condition.text(moment)),
        lambda state: not condition.value(state),
    )


def every(parts: Iterable[Assertion]) -> Assertion:
    """Return that all of some conditions hold."""
    known = [part for part in parts if part is not ALWAYS]
    if any(part is NEVER for part in known):
        return NEVER
    if len(known) == 1:
        return known[0]
    if not known:
        return ALWAYS
    return Assertion(
        frozenset().union(*(part.reads for part in known)),
        lambda moment: conj(part.text(moment) for part in known),
        lambda state: all(part.value(state) for part in known),
    )


def some(parts: Iterable[Assertion]) -> Assertion:
    """Return that one of some conditions holds."""
    known = [part for part in parts if part is not NEVER]
    if any(part is ALWAYS for part in known):
        return ALWAYS
    if len(known) == 1:
        return known[0]
    if not known:
        return NEVER
    return Assertion(
        frozenset().union(*(part.reads for part in known)),
        lambda moment: disj(part.text(moment) for part in known),
        lambda state: any(part.value(state) for part in known),
    )
