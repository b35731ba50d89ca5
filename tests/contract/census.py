"""What occurs in random systems: whatever some part of the code treats in a way of its own.

A comparison is blind to what its random systems never have. A variable of one value had no place in them, and
the symbolic engine was wrong about it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from gnomon.model import formula as f
from gnomon.model.agent import ENVIRONMENT, Agent, EvolutionLine, Variable
from gnomon.model.domain import Domain, Enumeration, IntegerRange, contains, size_of
from gnomon.model.expression import (
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Expression,
    Literal,
    Negative,
    Read,
    Sum,
    actors,
    parts,
    reads,
    walk,
)
from gnomon.model.observers import is_about_steps
from gnomon.model.system import System
from tests.oracle import Oracle
from tests.systems import is_wide

Class: TypeAlias = Callable[[System], bool]


def expressions(system: System) -> Iterator[Expression]:
    """Yield every condition and value of a system, with all their parts."""
    for whole in _whole(system):
        yield from walk(whole)


def _whole(system: System) -> Iterator[Expression]:
    yield from (system.initial, *system.propositions.values())
    for agent in system.agents:
        yield from (line.condition for line in agent.protocol)
        if agent.red is not None:
            yield agent.red
        for rule in agent.evolution:
            yield from (rule.guard, *(item.value for item in rule.assignments))


def assigned(system: System) -> Iterator[tuple[Variable, Expression, EvolutionLine]]:
    """Yield every assignment: its variable, the value and the line."""
    for agent in system.agents:
        variables = {variable.name: variable for variable in agent.variables}
        for line in agent.evolution:
            for item in line.assignments:
                yield variables[item.variable], item.value, line


def _domain(system: System, read: Read) -> Domain:
    return system.variables[system.position[read.agent, read.variable]].domain


def _is_one(variable: Variable) -> bool:
    return size_of(variable.domain) == 1


def _depth(expression: Expression) -> int:
    return 1 + max(map(_depth, parts(expression)), default=0)


def _operators(system: System) -> set[str]:
    return {part.operator for part in expressions(system) if isinstance(part, Arithmetic)}


def _can_leave(variable: Variable, value: Expression) -> bool:
    """Return whether an assignment looks as if it could leave the range of its variable."""
    return isinstance(variable.domain, IntegerRange) and not isinstance(value, Literal)


def _assigns_outside(system: System) -> bool:
    return any(
        isinstance(value, Literal) and not contains(variable.domain, value.value)
        for variable, value, _ in assigned(system)
    )


def _compares_outside(system: System) -> bool:
    return any(
        isinstance(part, Compare)
        and isinstance(part.left, Read)
        and isinstance(part.right, Literal)
        and not contains(_domain(system, part.left), part.right.value)
        for part in expressions(system)
    )


def _joins_enumerations(system: System) -> bool:
    """Return whether values of two enumerations meet that are not the same."""
    pairs = [(v.domain, _domain(system, e)) for v, e, _ in assigned(system) if isinstance(e, Read)]
    pairs += [
        (_domain(system, part.left), _domain(system, part.right))
        for part in expressions(system)
        if isinstance(part, Compare)
        and isinstance(part.left, Read)
        and isinstance(part.right, Read)
    ]
    return any(isinstance(one, Enumeration) and one != two for one, two in pairs)


def _several_at_once(system: System) -> bool:
    return any(len(agent.evolution) > 1 for agent in system.agents)


def _overflows_without_bits(system: System) -> bool:
    """Return whether a reachable step would change a variable of one value."""
    if not any(
        _is_one(variable) and _can_leave(variable, e) for variable, e, _ in assigned(system)
    ):
        return False
    from gnomon.model.step import moves

    ones = {(v.agent, v.name) for v in system.variables if _is_one(v)}
    return any(
        (agent.name, name) in ones
        for state in Oracle(system).reachable
        for move in moves(system, state)
        for agent, local in zip(system.agents, move.alternatives, strict=True)
        for name in local.overflow
    )


def _names(system: System) -> dict[str, set[str]]:
    """Return the names of each role."""
    values = {
        name
        for variable in system.variables
        if isinstance(variable.domain, Enumeration)
        for name in variable.domain.names
    }
    return {
        "agent": {agent.name for agent in system.agents},
        "variable": {variable.name for variable in system.variables},
        "action": {action for agent in system.agents for action in agent.actions},
        "value": values,
        "proposition": set(system.propositions),
        "group": set(system.groups),
    }


def _in_both(one: str, two: str) -> Class:
    return lambda system: bool(_names(system)[one] & _names(system)[two])


def _protocol_of(agent: Agent) -> int:
    return len(agent.protocol) + (agent.other is not None)


def _partners(system: System) -> bool:
    """Return whether two wide numbers are compared, or one becomes the other."""
    wide = {(v.agent, v.name) for v in system.variables if is_wide(v)}

    def several(expression: Expression) -> bool:
        return len({(r.agent, r.variable) for r in reads(expression)} & wide) > 1

    return any(several(part) for part in expressions(system) if isinstance(part, Compare)) or any(
        is_wide(variable) and any((r.agent, r.variable) in wide for r in reads(value))
        for variable, value, _ in assigned(system)
    )


def _chooses(system: System, kind: type[Domain]) -> bool:
    """Return whether something is one of two values, of which one is a variable of that kind."""
    return any(
        isinstance(part, Conditional)
        and any(isinstance(_domain(system, e), kind) for e in parts(part) if isinstance(e, Read))
        for part in expressions(system)
    )


def _uses_twice(system: System) -> bool:
    used = Counter(each for part in expressions(system) for each in parts(part))
    return any(isinstance(each, Defined) and times > 1 for each, times in used.items())


#: What has to occur, and in how many of a thousand systems at least.
CLASSES: dict[str, tuple[int, Class]] = {
    # Domains
    "a variable of one value": (150, lambda s: any(map(_is_one, s.variables))),
    "a number of one value": (
        100,
        lambda s: any(_is_one(v) and isinstance(v.domain, IntegerRange) for v in s.variables),
    ),
    "an enumeration of one value": (
        30,
        lambda s: any(_is_one(v) and isinstance(v.domain, Enumeration) for v in s.variables),
    ),
    "one value in the environment": (40, lambda s: any(map(_is_one, s.environment.variables))),
    "one value that is seen": (
        20,
        lambda s: any(
            _is_one(v) and any(v.name in agent.sees for agent in s.agents)
            for v in s.environment.variables
        ),
    ),
    "nothing but one value": (
        10,
        lambda s: bool(s.variables) and all(map(_is_one, s.variables)),
    ),
    "a size that is no power of two": (
        300,
        lambda s: any((size_of(v.domain) or 0).bit_count() > 1 for v in s.variables),
    ),
    "negative numbers alone": (
        30,
        lambda s: any(
            isinstance(v.domain, IntegerRange) and v.domain.high < 0 for v in s.variables
        ),
    ),
    "a wide range": (40, lambda s: any(map(is_wide, s.variables))),
    "wide numbers that meet": (5, _partners),
    "no variable at all": (5, lambda s: not s.variables),
    # Assignments
    "an assignment to one value": (60, lambda s: any(_is_one(v) for v, _, _ in assigned(s))),
    "one value that may be left": (
        40,
        lambda s: any(_is_one(v) and _can_leave(v, e) for v, e, _ in assigned(s)),
    ),
    "one value that is left": (20, _overflows_without_bits),
    "one value beside a change": (
        10,
        lambda s: any(_is_one(v) and len(line.assignments) > 1 for v, _, line in assigned(s)),
    ),
    "one value, each variable by itself": (
        15,
        lambda s: s.semantics == "SingleAssignment" and any(_is_one(v) for v, _, _ in assigned(s)),
    ),
    "a literal outside its range is assigned": (20, _assigns_outside),
    "a literal outside its range is compared": (80, _compares_outside),
    "different enumerations meet": (15, _joins_enumerations),
    "several lines": (500, _several_at_once),
    # Arithmetic
    "products": (30, lambda s: "*" in _operators(s)),
    "quotients": (30, lambda s: "/" in _operators(s)),
    "div and mod": (40, lambda s: bool({"div", "mod"} & _operators(s))),
    "bits": (
        30,
        lambda s: (
            bool({"&", "|", "^"} & _operators(s))
            or any(isinstance(part, BitComplement) for part in expressions(s))
        ),
    ),
    "arithmetic four deep": (
        15,
        lambda s: any(
            isinstance(part, Sum | Arithmetic | Negative | BitComplement) and _depth(part) >= 4
            for part in expressions(s)
        ),
    ),
    "constants inside conditions": (
        100,
        lambda s: any(isinstance(p, Literal) and isinstance(p.value, bool) for p in expressions(s)),
    ),
    # What is shared
    "a definition": (80, lambda s: any(isinstance(p, Defined) for p in expressions(s))),
    "a definition that is used twice": (30, _uses_twice),
    "a number that is one of two": (40, lambda s: _chooses(s, IntegerRange)),
    "a name that is one of two": (20, lambda s: _chooses(s, Enumeration)),
    "a value that depends on an action": (
        20,
        lambda s: any(actors(value) for _, value, _ in assigned(s)),
    ),
    # Agents
    "an agent without variables": (200, lambda s: any(not a.variables for a in s.agents[1:])),
    "an environment without variables": (100, lambda s: not s.environment.variables),
    "an agent without actions": (150, lambda s: any(not a.actions for a in s.agents[1:])),
    "an agent without choice": (200, lambda s: any(len(a.actions) == 1 for a in s.agents)),
    "an agent without anything": (
        10,
        lambda s: any(not a.variables and not a.actions for a in s.agents[1:]),
    ),
    "an agent without a protocol": (
        10,
        lambda s: any(a.actions and not _protocol_of(a) for a in s.agents[1:]),
    ),
    "an environment that may do everything": (
        5,
        lambda s: bool(s.environment.actions) and not _protocol_of(s.environment),
    ),
    "an agent without evolution": (200, lambda s: any(not a.evolution for a in s.agents)),
    "red states": (300, lambda s: any(a.red is not None for a in s.agents)),
    # Groups and names
    "a group of nobody": (50, lambda s: any(not g.members for g in s.groups.values())),
    "a group with the environment": (
        300,
        lambda s: any(ENVIRONMENT in g.members for g in s.groups.values()),
    ),
    "a variable called like a value": (20, _in_both("variable", "value")),
    "a variable called like a proposition": (50, _in_both("variable", "proposition")),
    "a variable called like an agent": (20, _in_both("variable", "agent")),
    "an action called like a value": (20, _in_both("action", "value")),
    "an action called like a variable": (20, _in_both("action", "variable")),
    "an agent called like a group": (50, _in_both("agent", "group")),
    "an agent called like a proposition": (20, _in_both("agent", "proposition")),
    # States
    "no initial state": (10, lambda s: not Oracle(s).initial),
    "several initial states": (150, lambda s: len(Oracle(s).initial) > 1),
    "a deadlock": (60, lambda s: any(not targets for targets in Oracle(s).graph.values())),
}


def _about_steps(system: System) -> list[bool]:
    """Return, of each fairness constraint, whether it looks at actions."""
    return [is_about_steps(system, each) for each in system.fairness]


def _has_fair_paths(system: System) -> bool:
    return bool(Oracle(system).universe)


#: The same, of a thousand systems with fairness constraints.
FAIRNESS: dict[str, tuple[int, Class]] = {
    "fairness on states alone": (400, lambda s: not any(_about_steps(s))),
    "fairness on actions": (200, lambda s: any(_about_steps(s))),
    "fairness on actions alone": (100, lambda s: all(_about_steps(s))),
    "fairness on actions and on states": (50, lambda s: len(set(_about_steps(s))) == 2),
    "several constraints on actions": (50, lambda s: sum(_about_steps(s)) > 1),
    "actions that are done again and again": (
        100,
        lambda s: any(_about_steps(s)) and _has_fair_paths(s),
    ),
    "actions that cannot be": (20, lambda s: any(_about_steps(s)) and not _has_fair_paths(s)),
}


def census(
    systems: list[System], classes: Mapping[str, tuple[int, Class]] = CLASSES
) -> dict[str, int]:
    """Return how many of some systems are of each class."""
    return {name: sum(map(occurs, systems)) for name, (_, occurs) in classes.items()}


def asked_of_nobody(formula: f.Formula) -> bool:
    """Return whether a formula asks about a group without members."""
    groups = [p.group for p in f.walk(formula) if isinstance(p, f.Enforces | f.GroupKnows)]
    return any(not group.members for group in groups)
