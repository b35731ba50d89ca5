"""What is used of a model is what some reachable state, looked at by itself, uses."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given

from gnomon.checking.coverage import coverage, parts_of
from gnomon.model.agent import Agent, EvolutionLine, ProtocolLine
from gnomon.model.domain import show_value
from gnomon.model.step import JointAction, State, enabled_actions, holds, joint_actions
from gnomon.model.system import System
from gnomon.text.source import Source
from tests.fairness import fairly
from tests.oracle import Oracle
from tests.systems import examples, named, random_system, seeds


def used_parts(system: System) -> Counter[tuple[str, str, str]]:
    """Return what is used, by the definition: each part of each agent in each state and joint action."""
    found: set[tuple[str, str, int, str]] = set()
    for state in Oracle(replace(system, fairness=())).reachable:
        joint = list(joint_actions(system, state))
        for agent in named(system):
            found |= _of_agent(system, agent, state, joint)
        for name, meaning in system.propositions.items():
            said = "true" if holds(meaning, system, state) else "false"
            found.add(("proposition", "", 0, f"{name} is {said}"))
    return Counter((kind, agent, text) for kind, agent, _, text in found)


def _of_agent(
    system: System, agent: Agent, state: State, joint: list[JointAction]
) -> set[tuple[str, str, int, str]]:
    found = set()
    listed = [part for part in parts_of(system) if part.agent == agent.name]
    protocol = [part.text for part in listed if part.kind == "protocol line"]
    evolution = [part.text for part in listed if part.kind == "evolution line"]
    lines: tuple[ProtocolLine, ...] = agent.protocol
    held = [holds(line.condition, system, state) for line in lines]
    if agent.other is not None and lines:
        held.append(not any(held))
    for number, (text, used) in enumerate(zip(protocol, held, strict=True)):
        if used:
            found.add(("protocol line", agent.name, number, text))
    steps: tuple[EvolutionLine, ...] = agent.evolution
    place = system.agent_index[agent.name]
    for actions in joint:
        if actions[place] in agent.actions:
            assert actions[place] in enabled_actions(system, agent, state)
            found.add(("action", agent.name, 0, actions[place]))
        if system.interleaved and actions[place] not in agent.actions:
            continue
        for number, (text, line) in enumerate(zip(evolution, steps, strict=True)):
            if holds(line.guard, system, state, actions):
                found.add(("evolution line", agent.name, number, text))
    return found


@given(seed=seeds)
@examples(24)
def test_what_is_used_is_what_some_reachable_state_uses(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, stuck=0.3, interleaved=rng.random() < 0.3)
    system = fairly(rng, system)
    found = coverage(system, Source("random", ""))
    expected = used_parts(system)
    values = {
        (agent.name, f"{v.name} = {show_value(value)}")
        for state in Oracle(replace(system, fairness=())).reachable
        for agent in named(system)
        for v in agent.variables
        for value in [state[system.position[agent.name, v.name]]]
    }

    assert all(part.unknown == 0 for part in found.parts)
    # Lines with the same words are apart by their numbers.
    used: Counter[tuple[str, str, str]] = Counter()
    for part in found.parts:
        used[part.kind, part.agent, part.text] += part.used
    for (kind, agent, text), number in used.items():
        if kind == "value":
            assert number == ((agent, text) in values), text
        else:
            assert number == expected[kind, agent, text], text
