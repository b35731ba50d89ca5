"""Fairness on actions: what a step was is remembered by an agent of its own, whom nobody sees.

A fairness constraint says what happens again and again. Where it looks at actions it speaks of steps, and
sets of states cannot tell them. So an observer is added for it: an agent with nothing to choose and one
Boolean, `met`, which says whether the last step met the constraint. That `met` holds again and again is then
the same as that steps meet the constraint again and again.

Nothing else changes. The observer has no choice, and always exactly one way to evolve: there are no more and
no fewer runs, deadlocks or overflows. Nobody's view has `met` in it, and no group has the observer: views,
knowledge and uniform strategies are as before. Those who see everything see `met` too, but gain nothing: what
they play for, a path that is won or not fair, needs no memory.
"""

from dataclasses import replace
from typing import TypeAlias

from gnomon.model import expression as typed
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, Variable
from gnomon.model.domain import Boolean
from gnomon.model.system import Specification, System

#: What an observer remembers: whether the last step met its constraint.
MET = "met"

_Formulae: TypeAlias = tuple[logic.Formula, ...]


def looks_at_actions(formula: logic.Formula) -> bool:
    """Return whether a formula speaks of what is done in a step."""
    conditions = (part for part in logic.walk(formula) if isinstance(part, logic.StateCondition))
    return any(typed.actors(part.expression) for part in conditions)


def is_about_steps(system: System, constraint: Specification) -> bool:
    """Return whether a fairness constraint of a system with observers is one that looked at actions."""
    match constraint.formula:
        case logic.StateCondition(typed.Read(agent)):
            return system.agent(agent).observer
        case _:
            return False


def with_observers(system: System) -> System:
    """Return the system with an observer for every fairness constraint that looks at actions."""
    agents, started = list(system.agents), [system.initial]
    fairness: list[Specification] = []
    for number, constraint in enumerate(system.fairness, 1):
        if not looks_at_actions(constraint.formula):
            fairness.append(constraint)
            continue
        observer = _observer(system, _unused(system, f"Fairness{number}"), constraint)
        met = typed.Read(observer.name, MET)
        agents.append(observer)
        started.append(typed.Not(met))
        fairness.append(replace(constraint, formula=logic.StateCondition(met)))
    if len(agents) == len(system.agents):
        return system
    return replace(
        system, agents=tuple(agents), initial=typed.And(tuple(started)), fairness=tuple(fairness)
    )


def _unused(system: System, name: str) -> str:
    """Return a name that no agent has."""
    return _unused(system, name + "_") if name in system.agent_index else name


def _observer(system: System, name: str, constraint: Specification) -> Agent:
    condition = _condition(system, constraint.formula)
    lines = tuple(
        EvolutionLine((Assignment(MET, typed.Literal(value)),), guard, constraint.line)
        for value, guard in ((True, condition), (False, typed.Not(condition)))
    )
    seen = sorted(typed.reads(condition), key=lambda read: read.variable)
    return Agent(
        name,
        (Variable(name, MET, Boolean()),),
        (),
        evolution=lines,
        sees=tuple(read.variable for read in seen if read.agent == ENVIRONMENT),
        observer=True,
    )


def _condition(system: System, formula: logic.Formula) -> typed.Expression:
    """Return a formula without operators of time and knowledge as a condition on a step."""

    def each(operands: _Formulae) -> tuple[typed.Expression, ...]:
        return tuple(_condition(system, operand) for operand in operands)

    match formula:
        case logic.Constant(value):
            return typed.Literal(value)
        case logic.Proposition(name):
            return system.propositions[name]
        case logic.StateCondition(expression):
            return expression
        case logic.Norm(agent, red):
            marked = system.agent(agent).red or typed.FALSE
            return marked if red else typed.Not(marked)
        case logic.Not(body):
            return typed.Not(*each((body,)))
        case logic.And(operands):
            return typed.And(each(operands))
        case logic.Or(operands):
            return typed.Or(each(operands))
        case logic.Implies(left, right):
            premise, conclusion = each((left, right))
            return typed.Or((typed.Not(premise), conclusion))
        case logic.Iff(left, right):
            return typed.Compare("=", *each((left, right)))
        case _:
            msg = f"not a condition on a step: {logic.show_formula(formula)}"
            raise ValueError(msg)
