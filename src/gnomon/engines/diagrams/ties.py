"""What belongs together: variables and actions that should be near each other in the order of a diagram."""

from collections.abc import Iterable
from string import digits
from typing import TypeAlias

from gnomon.engines.diagrams.order import Tie
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent
from gnomon.model.expression import And, Expression, Or, actors, reads
from gnomon.model.system import System

#: So many agents with a variable of one name are two sides of something, and not a crowd.
_SIDES = 3
_NAMESAKES = 0.5
#: So many variables called alike but for a number are a row.
_ROW = 4
#: What is sent in a place and what is received there belong together more than the places of a row.
_MATES = 4.0

#: A variable by agent and name, or the action of an agent.
LayoutItem: TypeAlias = tuple[str, str] | str


def ties(system: System, formulae: Iterable[logic.Formula]) -> Iterable[Tie]:
    """Yield what a system and some formulae tie together."""
    for agent in system.agents:
        yield from _agent_ties(system, agent)
    if system.interleaved:
        yield from _event_ties(system)
    for conjunct in _conjuncts(system.initial):
        yield Tie(_named(system, conjunct))
    yield from _namesakes(system)
    yield from _rowmates(system)
    yield from _set_apart(system)
    named: dict[str, frozenset[LayoutItem]] = {}
    for formula in formulae:
        yield from _formula_ties(system, formula, named)


def _namesakes(system: System) -> Iterable[Tie]:
    """Tie variables of the same name in different agents: the same card in two hands, say."""
    called: dict[str, set[LayoutItem]] = {}
    for variable in system.variables:
        called.setdefault(variable.name, set()).add((variable.agent, variable.name))
    for items in called.values():
        if 1 < len(items) <= _SIDES:
            yield Tie(frozenset(items), _NAMESAKES)


def _set_apart(system: System) -> Iterable[Tie]:
    """Tie what one agent alone sees, or all but one, to that agent: it is what sets the agent apart."""
    agents = [agent for agent in system.agents if not agent.is_environment and agent.variables]
    if len(agents) < _SIDES:
        return
    seeing: dict[str, list[str]] = {}
    for agent in agents:
        for name in agent.sees:
            seeing.setdefault(name, []).append(agent.name)
    for name, those in seeing.items():
        if len(those) == 1:
            [one] = those
        elif len(those) == len(agents) - 1:
            [one] = {agent.name for agent in agents}.difference(those)
        else:
            continue
        yield Tie(_own(system, one) | {(ENVIRONMENT, name)})


def _rowmates(system: System) -> Iterable[Tie]:
    """Tie what has the same place in rows of one length: the third value sent and the third received."""
    rows: dict[tuple[str, str], dict[str, LayoutItem]] = {}
    for variable in system.variables:
        stem = variable.name.rstrip(digits)
        place = variable.name[len(stem) :]
        if place:
            rows.setdefault((variable.agent, stem), {})[place] = (variable.agent, variable.name)
    alike: dict[tuple[str, ...], list[dict[str, LayoutItem]]] = {}
    for row in rows.values():
        if len(row) >= _ROW:
            alike.setdefault(tuple(row), []).append(row)
    for places, mates in alike.items():
        if 1 < len(mates) <= _SIDES:
            for place in places:
                yield Tie(frozenset(row[place] for row in mates), _MATES)


def _agent_ties(system: System, agent: Agent) -> Iterable[Tie]:
    own: frozenset[LayoutItem] = frozenset([agent.name] if len(agent.actions) > 1 else [])
    for line in agent.protocol:
        yield Tie(_named(system, line.condition) | own)
    for rule in agent.evolution:
        for assignment in rule.assignments:
            target: frozenset[LayoutItem] = frozenset([(agent.name, assignment.variable)])
            yield Tie(_named(system, rule.guard) | _named(system, assignment.value) | target)


def _event_ties(system: System) -> Iterable[Tie]:
    """Tie what decides whether those who share an action can do it."""
    for event in system.events:
        sharing = [agent for agent in system.agents if event in agent.actions]
        if len(sharing) > 1:
            lines = [line for agent in sharing for line in agent.protocol if event in line.actions]
            things = frozenset().union(*(_named(system, line.condition) for line in lines))
            yield Tie(things, _MATES)


def _named(system: System, expression: Expression) -> frozenset[LayoutItem]:
    """Return the variables and actions that an expression looks at."""
    acting = (name for name in actors(expression) if len(system.agent(name).actions) > 1)
    return frozenset([*((read.agent, read.variable) for read in reads(expression)), *acting])


def _conjuncts(condition: Expression) -> Iterable[Expression]:
    """Return the parts of an initial condition that hold together, those of alternatives as well."""
    if isinstance(condition, And):
        for operand in condition.operands:
            yield from _conjuncts(operand)
    elif isinstance(condition, Or) and len(condition.operands) > 8:
        # A long list of alternatives names everything everywhere: that ties nothing to nothing.
        return
    else:
        yield condition


def _formula_ties(
    system: System, formula: logic.Formula, named: dict[str, frozenset[LayoutItem]]
) -> Iterable[Tie]:
    """Tie an agent's own variables to what it is asked to know, and what a condition looks at.

    What propositions look at is `named` once for all formulae.
    """
    for part in logic.walk(formula):
        match part:
            case logic.Proposition(name):
                yield Tie(_proposed(system, name, named))
            case logic.StateCondition(expression):
                yield Tie(_named(system, expression))
            case logic.Knows(name, body):
                yield Tie(_own(system, name) | _about(system, body, named))
            case logic.GroupKnows(_, group, body):
                about = _about(system, body, named)
                for member in group.members:
                    yield Tie(_own(system, member) | about, 1 / len(group.members))
            case _:
                continue


def _own(system: System, name: str) -> frozenset[LayoutItem]:
    return frozenset((name, variable.name) for variable in system.agent(name).variables)


def _about(
    system: System, formula: logic.Formula, named: dict[str, frozenset[LayoutItem]]
) -> frozenset[LayoutItem]:
    found = (part.name for part in logic.walk(formula) if isinstance(part, logic.Proposition))
    return frozenset().union(*(_proposed(system, name, named) for name in dict.fromkeys(found)))


def _proposed(
    system: System, name: str, named: dict[str, frozenset[LayoutItem]]
) -> frozenset[LayoutItem]:
    if name not in named:
        named[name] = _named(system, system.propositions[name])
    return named[name]
