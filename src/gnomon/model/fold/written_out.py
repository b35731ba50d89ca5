"""Systems without definitions and without values that are one of two, for tools that know neither.

A definition becomes its body. A comparison with a value that is one of two becomes two comparisons, and a
line that assigns one becomes two, with guards that exclude each other: one of them applies where it did.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace as changed
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Assignment, EvolutionLine
from gnomon.model.expression import (
    And,
    Compare,
    Conditional,
    Defined,
    Expression,
    Not,
    Or,
    Sharing,
    parts,
    shared,
    value_parts,
    walk,
    with_parts,
    written_size,
)
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula
from gnomon.model.system import Specification, System
from gnomon.model.translation import CannotExport
from gnomon.text.record import replace

#: A system that has more parts than that, written out, is not translated.
_MOST_PARTS: Final = 500_000
#: The most cases of one comparison or one line.
_MOST_CASES: Final = 4_096
#: Deeper than that no program is nested.
_DEEPEST: Final = 200


def written_out(system: System) -> System:
    """Return the same system without definitions and choices of values; `CannotExport` if it is too large."""
    everything = walk(*_expressions(system))
    if not any(isinstance(part, (Conditional, Defined)) for part in everything):
        return system
    write = _PlainWriter()
    named = system.propositions.items()
    return changed(
        system,
        agents=tuple(write.agent(agent) for agent in system.agents),
        initial=write.said("`InitStates`", system.initial),
        propositions={name: write.said(f"the proposition `{name}`", part) for name, part in named},
        specifications=tuple(
            write.specification("formula", item) for item in system.specifications
        ),
        fairness=tuple(
            write.specification("fairness constraint", item) for item in system.fairness
        ),
    )


def _expressions(system: System) -> Iterator[Expression]:
    yield from (system.initial, *system.propositions.values())
    for agent in system.agents:
        yield from (line.condition for line in agent.protocol)
        if agent.red is not None:
            yield agent.red
        for line in agent.evolution:
            yield from (line.guard, *(item.value for item in line.assignments))
    for item in (*system.specifications, *system.fairness):
        for part in logic.walk(item.formula):
            if isinstance(part, logic.StateCondition):
                yield part.expression


class _PlainWriter:
    """Writes out the expressions of one system, and counts what becomes of them."""

    def __init__(self) -> None:
        self._left = _MOST_PARTS
        self._sizes: dict[Sharing, int] = {}
        self._depths: dict[Sharing, int] = {}
        self._known: dict[Expression, Expression] = {}
        #: What is being written, for advice.
        self._place = ""

    def agent(self, agent: Agent) -> Agent:
        """Return an agent without definitions and choices of values."""
        self._place = f"agent `{agent.name}`"
        return replace(
            agent,
            protocol=tuple(
                replace(line, condition=self.condition(line.condition)) for line in agent.protocol
            ),
            evolution=tuple(line for old in agent.evolution for line in self._lines(old)),
            red=None if agent.red is None else self.condition(agent.red),
        )

    def specification(self, kind: str, item: Specification) -> Specification:
        """Return a formula whose conditions are written out."""
        place = f"on line {item.line}" if item.line and not item.name else ""
        self._place = f"the {kind} {place or f'`{item.name or item.text}`'}"

        def inner(formula: Formula) -> Formula:
            if isinstance(formula, logic.StateCondition):
                return logic.StateCondition(self.condition(formula.expression))
            return mapped(formula, inner)

        return changed(item, formula=inner(item.formula))

    def said(self, place: str, condition: Expression) -> Expression:
        """Return the condition of a place, written out."""
        self._place = place
        return self.condition(condition)

    def condition(self, condition: Expression) -> Expression:
        """Return a condition written out."""
        known = self._known.get(condition)
        if known is None:
            # The plain size first: what is shared could be larger than any memory.
            self._measure(condition)
            known = self._known[condition] = self._condition(condition)
        return known

    def _condition(self, condition: Expression) -> Expression:
        match condition:
            case Defined(_, body):
                return self._condition(body)
            case Compare(operator, left, right):
                cases = [
                    And((*when, Compare(operator, *sides)))
                    for when, sides in self._cases((left, right))
                ]
                return Or(tuple(cases)) if len(cases) > 1 else cases[0].operands[-1]
            case _:
                return with_parts(condition, self._condition)

    def _lines(self, line: EvolutionLine) -> Iterator[EvolutionLine]:
        """Yield one line for each way in which conditions may decide what is assigned."""
        values = [item.value for item in line.assignments]
        for value in values:
            self._measure(value)
        guard = self.condition(line.guard)
        for when, chosen in self._cases(values):
            assigned = tuple(
                Assignment(item.variable, value)
                for item, value in zip(line.assignments, chosen, strict=True)
            )
            yield replace(line, assignments=assigned, guard=And((guard, *when)) if when else guard)

    def _cases(
        self, values: Iterable[Expression]
    ) -> list[tuple[tuple[Expression, ...], tuple[Expression, ...]]]:
        """Return what values are, case by case, and what has to hold for that."""
        waiting: list[tuple[dict[Expression, bool], tuple[Expression, ...]]] = [({}, tuple(values))]
        done: list[tuple[tuple[Expression, ...], tuple[Expression, ...]]] = []
        while waiting:
            known, chosen = waiting.pop()
            chosen = tuple(_decided(value, known) for value in chosen)
            found = (_open_condition(value) for value in chosen)
            condition = next((each for each in found if each is not None), None)
            if condition is None:
                when = tuple(
                    self.condition(part) if holds else Not(self.condition(part))
                    for part, holds in known.items()
                )
                # Values may be conditions, and those may compare what is one of two.
                done.append((when, tuple(self._value(value) for value in chosen)))
            else:
                waiting += [({**known, condition: holds}, chosen) for holds in (False, True)]
            self._count(1)
            if len(waiting) + len(done) > _MOST_CASES:
                raise CannotExport(
                    f"in {self._place}, a value falls into more than {_MOST_CASES:,} cases, and MCMAS has "
                    "no `if … then … else …`: keep parts of it in variables of their own"
                )
        return done

    def _value(self, value: Expression) -> Expression:
        return self._condition(value) if isinstance(value, _CONDITIONS) else value

    def _measure(self, expression: Expression) -> None:
        if _depth(expression, self._depths) > _DEEPEST:
            raise CannotExport(
                f"without definitions and conditional values, which MCMAS does not have, something in "
                f"{self._place} is nested more than {_DEEPEST:,} deep: keep parts of it in variables"
            )
        self._count(written_size(expression, self._sizes))

    def _count(self, more: int) -> None:
        self._left -= more
        if self._left < 0:
            raise CannotExport(
                f"without definitions and conditional values, which MCMAS does not have, the program has "
                f"more than {_MOST_PARTS:,} parts: keep what is used often in variables"
            )


_CONDITIONS: Final = (Not, And, Or, Compare)


def _depth(expression: Expression, known: dict[Sharing, int]) -> int:
    """Return how deep an expression is nested."""

    def depth(part: Expression) -> int:
        if isinstance(part, (Conditional, Defined)):
            return shared(part, known, inside)
        return inside(part)

    def inside(part: Expression) -> int:
        return 1 + max(map(depth, parts(part)), default=0)

    return depth(expression)


def _decided(value: Expression, known: dict[Expression, bool]) -> Expression:
    """Return a value in which known conditions have decided, and definitions are their bodies.

    Conditions that values consist of are not gone into.
    """
    match value:
        case Defined(_, body):
            return _decided(body, known)
        case Conditional(condition, then, otherwise):
            if condition in known:
                return _decided(then if known[condition] else otherwise, known)
            return value
        case Not() | And() | Or() | Compare():
            return value
        case _:
            return with_parts(value, lambda part: _decided(part, known))


def _open_condition(value: Expression) -> Expression | None:
    """Return the condition that decides first what a value is; None where nothing is open."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        match part:
            case Conditional(condition):
                return condition
            case Not() | And() | Or() | Compare():
                continue
            case Defined():
                waiting.extend(value_parts(part))
            case _:
                waiting.extend(parts(part))
    return None
