"""Lines that hold at once are told of exactly where the definition, tried out on every state, says so."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count, product
from random import Random

import pytest
from hypothesis import given

from gnomon.checking.overlapping import Overlapping
from gnomon.model.agent import Agent, EvolutionLine
from gnomon.model.domain import contains, values_of
from gnomon.model.expression import And, Expression, actors
from gnomon.model.overlaps import overlaps
from gnomon.model.step import (
    JointAction,
    State,
    enabled_actions,
    evaluate,
    holds,
    joint_actions,
)
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source
from tests.contract.compare import ENGINES
from tests.oracle import Oracle
from tests.systems import examples, random_system, seeds

Pair = frozenset[int]


def numbered(system: System) -> System:
    """Return the system with a line number of its own for every evolution line."""
    numbers = count(1)
    agents = []
    for agent in system.agents:
        lines = tuple(
            EvolutionLine(line.assignments, line.guard, next(numbers)) for line in agent.evolution
        )
        fields = agent.name, agent.variables, agent.actions, agent.protocol, agent.other
        agents.append(Agent(*fields, lines, agent.sees, agent.red))
    return System(system.name, tuple(agents), system.initial, system.semantics)


def text_of(system: System) -> Source:
    return Source("random", "line\n" * sum(len(agent.evolution) for agent in system.agents))


# The definition, tried out


def differ(
    system: System,
    agent: Agent,
    lines: tuple[EvolutionLine, EvolutionLine],
    state: State,
    actions: JointAction,
) -> bool:
    """Return whether only one of the lines can be taken, and what the other would change is lost."""
    one, two = (
        {item.variable: evaluate(item.value, system, state, actions) for item in line.assignments}
        for line in lines
    )
    domains = {variable.name: variable.domain for variable in agent.variables}
    if not all(contains(domains[name], value) for new in (one, two) for name, value in new.items()):
        return False
    common = one.keys() & two.keys()
    if common and parts_of(lines[0].guard) == parts_of(lines[1].guard):
        return False
    if system.semantics == "SingleAssignment":
        return any(one[name] != two[name] for name in common)
    if any(one[name] != two[name] for name in common):
        return True
    before = {name: state[system.position[agent.name, name]] for name in domains}
    return any(
        value != before[name]
        for new, other in ((one, two), (two, one))
        for name, value in new.items()
        if name not in other
    )


def parts_of(condition: Expression) -> set[Expression]:
    if not isinstance(condition, And):
        return {condition}
    return set().union(*map(parts_of, condition.operands))


def overlapping(
    system: System, situations: Iterable[tuple[State, JointAction]]
) -> Iterator[tuple[Agent, EvolutionLine, EvolutionLine, State, JointAction]]:
    for state, actions in situations:
        for agent in system.agents:
            enabled = [it for it in agent.evolution if holds(it.guard, system, state, actions)]
            for lines in product(enabled, enabled):
                if lines[0].line < lines[1].line and differ(system, agent, lines, state, actions):
                    yield agent, *lines, state, actions


def reachable_pairs(system: System) -> set[Pair]:
    states = Oracle(system).reachable
    situations = ((state, actions) for state in states for actions in joint_actions(system, state))
    return {frozenset((a.line, b.line)) for _, a, b, _, _ in overlapping(system, situations)}


def possible_pairs(system: System) -> set[Pair]:
    """Return the pairs that overlap for any values, where those may act whom the lines look at."""
    everything = product(*(values_of(variable.domain) for variable in system.variables))
    anything = [agent.actions or ("-",) for agent in system.agents]
    situations = ((state, actions) for state in everything for actions in product(*anything))
    return {
        frozenset((one.line, two.line))
        for _, one, two, state, actions in overlapping(system, situations)
        if all(
            actions[system.agent_index[name]] in enabled_actions(system, system.agent(name), state)
            for line in (one, two)
            for name in actors(line.guard).union(*(actors(it.value) for it in line.assignments))
        )
    }


# What is told


def pairs_in(diagnostics: tuple[Diagnostic, ...]) -> set[Pair]:
    return {
        frozenset((it.line, *(it.source.location(label.span.start).line for label in it.related)))
        for it in diagnostics
        if it.code != "G0415"
    }


def is_exact(told: set[Pair], expected: set[Pair]) -> bool:
    """Return whether all that is told is so, and every line that it is so of is mentioned."""
    return told <= expected and frozenset().union(*told) == frozenset().union(*expected)


@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(100)
def test_lines_are_told_of_where_a_reachable_state_has_them_hold_at_once(
    engine: str, seed: int
) -> None:
    system = numbered(random_system(Random(seed), stuck=0.2, prying=0.1))
    asked = Overlapping(system, text_of(system), overlaps(system))
    told = pairs_in(asked.reachable(ENGINES[engine](system)))

    assert is_exact(told, reachable_pairs(system))


@given(seeds)
@examples(100)
def test_without_reachable_states_it_is_where_any_state_has_them_hold_at_once(seed: int) -> None:
    system = numbered(random_system(Random(seed), wide=0, stuck=0.2, prying=0.1))
    told = pairs_in(Overlapping(system, text_of(system), overlaps(system)).possible())

    assert is_exact(told, possible_pairs(system))


@given(seeds)
@examples(12)
def test_wide_ranges_may_keep_it_silent_but_never_wrong(seed: int) -> None:
    system = numbered(random_system(Random(seed), wide=0.5))
    told = pairs_in(Overlapping(system, text_of(system), overlaps(system)).possible())

    assert told <= possible_pairs(system)


def test_the_random_systems_have_what_the_laws_are_about() -> None:
    found: Counter[str] = Counter()
    for seed in range(150):
        system = numbered(random_system(Random(seed), wide=0, stuck=0.2))
        possible, reachable = possible_pairs(system), reachable_pairs(system)
        found[f"{system.semantics} reachable"] += bool(reachable)
        found[f"{system.semantics} only possible"] += bool(possible - reachable)
        found["none"] += not possible

    assert len(found) == 5 and min(found.values()) >= 3, found
