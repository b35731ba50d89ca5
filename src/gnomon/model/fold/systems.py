"""Systems worked out: without what never applies, and with no condition that says less than it could.

What is left has no constants inside conditions, compares no variable with a value that it cannot have, and
assigns only what every tool can assign.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace as changed
from itertools import product

from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Assignment, EvolutionLine
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, contains
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Compare,
    Expression,
    Literal,
    Not,
    Read,
    Sum,
)
from gnomon.model.fold.expressions import Folder, is_constant
from gnomon.model.formula import Formula
from gnomon.model.system import Specification, System
from gnomon.text.record import replace


def folded(system: System) -> System:
    """Return the system without what never applies, all conditions worked out as far as they go."""
    domains = {(v.agent, v.name): v.domain for v in system.variables}
    agents = [_allowed(agent, Folder(domains)) for agent in system.agents]
    if system.interleaved:
        # Who has an action takes part in it: one that never does it keeps all others from it.
        pairs = zip(agents, system.agents, strict=True)
        agents = [replace(agent, actions=before.actions) for agent, before in pairs]
    # What is never allowed need not be asked for.
    fold = Folder(domains, {(agent.name, action) for agent in agents for action in agent.actions})
    return changed(
        system,
        agents=tuple(_evolving(agent, fold) for agent in agents),
        initial=fold(system.initial),
        terminal=None if system.terminal is None else fold(system.terminal),
        propositions={name: fold(condition) for name, condition in system.propositions.items()},
        specifications=tuple(_folded_formula(item, fold) for item in system.specifications),
        fairness=tuple(_folded_formula(item, fold) for item in system.fairness),
    )


def _allowed(agent: Agent, fold: Folder) -> Agent:
    """Return an agent with its protocol worked out, and the actions that it allows."""
    lines = [replace(line, condition=fold(line.condition)) for line in agent.protocol]
    protocol = [line for line in lines if not is_constant(line.condition, FALSE)]
    if not protocol and agent.other is None:
        # An environment without any line may do everything: one that never applies has to stay.
        protocol = lines[:1]
    other = None if any(is_constant(line.condition, TRUE) for line in protocol) else agent.other
    listed = {action for line in protocol for action in line.actions} | set(other or ())
    actions = tuple(action for action in agent.actions if action in listed or not listed)
    return replace(agent, protocol=tuple(protocol), other=other, actions=actions)


def _evolving(agent: Agent, fold: Folder) -> Agent:
    evolution = (line for old in agent.evolution for line in _lines(agent, old, fold))
    red = None if agent.red is None else fold(agent.red)
    return replace(
        agent,
        evolution=tuple(line for line in evolution if not is_constant(line.guard, FALSE)),
        red=None if red is None or is_constant(red, FALSE) else red,
    )


def _lines(agent: Agent, line: EvolutionLine, fold: Folder) -> Iterator[EvolutionLine]:
    """Yield a line by cases of the values that MCMAS could not assign as they are."""
    domains = {variable.name: variable.domain for variable in agent.variables}
    choices = [
        [
            (item.variable, value, when)
            for value, when in _cases(agent.name, item, domains[item.variable], fold)
        ]
        for item in line.assignments
    ]
    for combination in product(*choices):
        assigned = tuple(Assignment(name, value) for name, value, _ in combination)
        guard = fold(And((line.guard, *(when for _, _, when in combination))))
        yield replace(line, assignments=assigned, guard=guard)


def _cases(
    agent: str, item: Assignment, target: Domain, fold: Folder
) -> Iterator[tuple[Expression, Expression]]:
    value = fold(item.value)
    if isinstance(target, Boolean) and not isinstance(value, (Literal, Read)):
        yield TRUE, value
        yield FALSE, Not(value)
        return
    source = fold.domains[value.agent, value.variable] if isinstance(value, Read) else target
    match target, source:
        case Enumeration(names), Enumeration(others) if set(names) != set(others):
            for name in names:
                yield Literal(name), Compare("=", value, Literal(name))
        case IntegerRange(low, high), _ if _never_fits(target, source, value):
            # No program may say so; that it becomes something out of its range, whatever it is, it may.
            yield Sum((Read(agent, item.variable), Literal(high - low + 1))), TRUE
        case _:
            yield value, TRUE


def _never_fits(target: Domain, source: Domain, value: Expression) -> bool:
    """Return whether a value is plainly none that a number can have."""
    if isinstance(value, Literal):
        return not contains(target, value.value)
    match target, source:
        case IntegerRange(low, high), IntegerRange(least, most):
            return most < low or high < least
        case _:
            return False


def _folded_formula(item: Specification, fold: Folder) -> Specification:
    def inner(formula: Formula) -> Formula:
        match mapped(formula, inner):
            case logic.StateCondition(expression):
                result = fold(expression)
                known = isinstance(result, Literal)
                return (
                    logic.Constant(is_constant(result, TRUE))
                    if known
                    else logic.StateCondition(result)
                )
            case logic.Implies(logic.Constant(True), right):
                return right
            case logic.Not(logic.Constant(value)):
                return logic.Constant(not value)
            case other:
                return other

    return changed(item, formula=inner(item.formula))


def mapped(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the formula with its direct parts changed."""
    match formula:
        case logic.Constant() | logic.Proposition() | logic.StateCondition() | logic.Norm():
            return formula
        case logic.And(operands) | logic.Or(operands):
            return type(formula)(tuple(map(change, operands)))
        case logic.Implies(left, right) | logic.Iff(left, right) | logic.Until(left, right):
            return type(formula)(change(left), change(right))
        case logic.WeakUntil(left, right) | logic.Release(left, right):
            return type(formula)(change(left), change(right))
        case logic.Bounded(path, low, high):
            return logic.Bounded(mapped(path, change), low, high)  # type: ignore[arg-type]
        case logic.Not(body) | logic.Next(body) | logic.Finally(body) | logic.Globally(body):
            return type(formula)(change(body))
        case logic.Knows(agent, body) | logic.Obliged(agent, body):
            return type(formula)(agent, change(body))
        case logic.GroupKnows(kind, group, body):
            return logic.GroupKnows(kind, group, change(body))
        case logic.All(path) | logic.Exists(path):
            return type(formula)(change(path))
        case logic.Enforces(group, path):
            return logic.Enforces(group, change(path))
