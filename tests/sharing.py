"""Random systems with definitions and values that are one of two; and circuits, in which much is shared."""

import dataclasses
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, Variable
from gnomon.model.domain import Boolean, Domain, Enumeration, values_of
from gnomon.model.expression import (
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    body_of,
    example_of,
    with_parts,
)
from gnomon.model.system import System
from gnomon.text.record import replace

Conditions = Callable[[Random], Expression]


class _Place(NamedTuple):
    """Where expressions stand: what they may look at, and the definitions that are there already."""

    seen: Sequence[Variable]
    condition: Conditions
    definitions: list[Defined]


def with_sharing(
    rng: Random,
    system: System,
    condition: Callable[[Random, Sequence[Variable]], Expression],
) -> System:
    """Return a system like this one with choices and definitions in all kinds of places.

    `condition` draws a condition on some variables.
    """
    domains = {(v.agent, v.name): v.domain for v in system.variables}

    def place(seen: Sequence[Variable], *, acting: bool = False) -> _Place:
        def drawn(rng: Random) -> Expression:
            actors = [agent for agent in system.agents if agent.actions]
            if acting and actors and rng.random() < 0.4:
                agent = rng.choice(actors)
                return Does(agent.name, rng.choice(agent.actions))
            return condition(rng, seen)

        return _Place(seen, drawn, [])

    def changed(expression: Expression, where: _Place) -> Expression:
        return _shared(rng, expression, where, domains)

    def agent_with(agent: Agent) -> Agent:
        world = [v for v in system.environment.variables if v.name in agent.sees]
        seen = [*agent.variables, *(world if agent.name != ENVIRONMENT else ())]
        still, moving = place(seen), place(seen, acting=True)
        return replace(
            agent,
            protocol=tuple(
                replace(line, condition=changed(line.condition, still)) for line in agent.protocol
            ),
            evolution=tuple(
                EvolutionLine(
                    tuple(
                        Assignment(item.variable, changed(item.value, moving))
                        for item in line.assignments
                    ),
                    changed(line.guard, moving),
                    line.line,
                )
                for line in agent.evolution
            ),
            red=None if agent.red is None else changed(agent.red, place(agent.variables)),
        )

    everything = place(system.variables)
    return dataclasses.replace(
        system,
        agents=tuple(map(agent_with, system.agents)),
        initial=changed(system.initial, everything) if rng.random() < 0.5 else system.initial,
        propositions={n: changed(c, everything) for n, c in system.propositions.items()},
    )


def _shared(
    rng: Random, expression: Expression, where: _Place, domains: dict[tuple[str, str], Domain]
) -> Expression:
    """Return an expression with something shared in it, here and there."""
    found = with_parts(expression, lambda part: _shared(rng, part, where, domains))
    kind = _kind(found, domains)
    if kind != "condition" and rng.random() < 0.25:
        other = _another(rng, found, where, domains)
        either = (found, other) if rng.random() < 0.5 else (other, found)
        condition = where.condition(rng)
        used = [each for each in where.definitions if _kind(each, domains) == "condition"]
        if used and rng.random() < 0.4:
            condition = rng.choice(used)
        found = Conditional(condition, *either)
    if rng.random() < 0.2:
        same = [each for each in where.definitions if _kind(each, domains) == kind]
        if kind == "condition" and same and rng.random() < 0.4:
            return rng.choice((And, Or))((found, rng.choice(same)))
        found = Defined(f"d{len(where.definitions)}", found)
        where.definitions.append(found)
    return found


def _another(
    rng: Random, value: Expression, where: _Place, domains: dict[tuple[str, str], Domain]
) -> Expression:
    """Return another value of the same type; numbers are integers, which may stand everywhere."""
    example = example_of(value)
    if _kind(value, domains) == "number":
        numbers = [v for v in where.seen if _is_number(v.domain)]
        if numbers and rng.random() < 0.5:
            chosen = rng.choice(numbers)
            return Read(chosen.agent, chosen.name)
        return Literal(rng.randint(-1, 2))
    if isinstance(example, Read):
        return Literal(rng.choice(tuple(values_of(domains[example.agent, example.variable]))))
    alike = [v for v in where.seen if isinstance(v.domain, Enumeration)]
    fitting = [
        v for v in alike if isinstance(example, Literal) and example.value in values_of(v.domain)
    ]
    if not fitting:
        return value
    chosen = rng.choice(fitting)
    if rng.random() < 0.5:
        return Read(chosen.agent, chosen.name)
    return Literal(rng.choice(tuple(values_of(chosen.domain))))


def _is_number(domain: Domain) -> bool:
    return not isinstance(domain, (Boolean, Enumeration))


def _kind(expression: Expression, domains: dict[tuple[str, str], Domain]) -> str:
    match example_of(expression):
        case Literal(value):
            return {bool: "condition", str: "name"}.get(type(value), "number")
        case Read(agent, variable):
            domain = domains[agent, variable]
            if isinstance(domain, Boolean):
                return "condition"
            return "name" if isinstance(domain, Enumeration) else "number"
        case Sum() | Negative() | Arithmetic() | BitComplement():
            return "number"
        case _:
            return "condition"


# Circuits


def doubling(inputs: Sequence[Expression], gates: int) -> list[Defined]:
    """Return gates of which each uses two of those before it, one of them twice.

    Written out, the last of them has more parts than there are atoms.
    """
    found: list[Defined] = []
    for number in range(gates):
        before = [*inputs, *found][-len(inputs) :]
        one, two = before[-1], before[0]
        if number % 3:
            body: Expression = Compare("<>", one, And((two, Not(one))))
        else:
            body = Or((And((one, two)), And((Not(one), Not(two)))))
        found.append(Defined(f"g{number}", body))
    return found


def counting_up(first: Expression, gates: int) -> list[Defined]:
    """Return numbers of which each is one of two, and both are made of the one before."""
    found: list[Defined] = []
    number: Expression = first
    for place in range(gates):
        limited = Compare("<", number, Literal(3))
        step = Conditional(
            limited, Sum((number, Literal(1))), Arithmetic("mod", number, Literal(3))
        )
        number = Defined(f"n{place}", step)
        found.append(number)
    return found


def is_shared(expression: Expression) -> bool:
    """Return whether an expression is a definition or one of two values."""
    return isinstance(expression, Defined) or isinstance(body_of(expression), Conditional)
