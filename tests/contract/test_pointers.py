"""Pointers to agents: what programs with them mean, and what is decided, beside agents who are somebody."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.population_paths import decide_paths
from gnomon.language.format import format_text
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.elaborate.templates import pointers
from gnomon.model.parameterised.condition import Or
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Configuration, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.source import Source
from tests import comparing
from tests.comparing import Wrong, compare_safety, compare_solver, populations
from tests.contract.test_open_certificates import check_all_proved
from tests.instances import is_broken
from tests.pointer_programs import Agent, Now, PointerProgram
from tests.populations import members, read
from tests.systems import examples, seeds


def told(system: OpenSystem, world: World, now: Configuration) -> Now:
    """Return a configuration with numbers of agents in the place of flags."""
    names = [variable.name for variable in system.environment.variables]
    environment: dict[str, Any] = dict(zip(names, now.environment, strict=True))
    agents: list[Agent] = []
    flagged: dict[str, list[int]] = {name: [] for name in system.pointers}
    for number, (template, local) in enumerate(zip(world.members, now.agents, strict=True)):
        own = [variable.name for variable in system.part[template].variables]
        values: dict[str, Any] = dict(zip(own, local, strict=True))
        agents.append(Agent(template, values["x"], values["w"]))
        for name, pointer in system.pointers.items():
            if pointer.template == template and values[pointer.flag]:
                flagged[name].append(number)
    for name, having in flagged.items():
        if [environment[name]] * len(having) != ["some"] * (environment[name] != "none"):
            raise Wrong(f"{name} = {environment[name]}, and the flag is with {having}")
    whom = tuple(having[0] if having else None for having in flagged.values())
    return Now(environment["k"], whom, tuple(agents))


def reached(system: OpenSystem, counts: tuple[int, ...]) -> Iterator[Now]:
    """Yield all that a population reaches, step by step by the reference semantics."""
    world = World(system, members(system, counts), {})
    waiting = list(world.initial())
    seen = set(waiting)
    for now in waiting:
        yield told(system, world, now)
        for event in world.events(now):
            after = world.step(event, now)
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append(after)


def compare_steps(seed: int) -> PointerProgram:
    """See to it that populations reach what the oracle says."""
    program = PointerProgram(seed)
    system = read(program.text())
    for counts in populations(system):
        if set(reached(system, counts)) != program.reachable(members(system, counts)):
            raise Wrong(f"{counts} agents reach something else")
    return program


def compare_verdict(seed: int) -> str:
    """See to it that what is decided, and how many agents it takes, is what the oracle says."""
    program = PointerProgram(seed)
    text = program.text()

    def can_reach(system: OpenSystem, counts: tuple[int, ...], _: object) -> bool:
        found = program.reachable(members(system, counts))
        return any(program.met(program.bad, now) for now in found)

    with patch.object(comparing, "can_reach", can_reach):
        return str(compare_safety(text).reached)


def compare_time(seed: int) -> str:
    """See to it that runs that avoid something are there as the oracle says."""
    program = PointerProgram(seed)
    if seed % 3:  # there are agents, and one of them takes a pointer
        program.bounds = dict.fromkeys(program.bounds, "[1..*]")
        program.bad = ("none", "p", "<>")
    system = read(program.text("AF bad"))
    query = system.questions[0].query
    assert isinstance(query, OverTime)
    try:
        decision = decide_paths(system, query, Budget(seconds=20))
    except LimitReached:
        return "too much"
    broken = [
        counts
        for counts in populations(system)
        if program.avoids(members(system, counts), program.bad)
    ]
    if decision.reached is False and broken:
        raise Wrong(f"true for all, and {broken[0]} agents avoid it")
    if decision.reached and decision.smallest[0] in populations(system):
        least = min(map(sum, broken), default=None)
        if least != sum(decision.smallest[0]):
            raise Wrong(f"{decision.smallest} agents, where it takes {least}")
    return str(decision.reached)


@given(seeds)
@examples(60)
def test_agents_get_and_lose_flags_as_pointers_move(seed: int) -> None:
    compare_steps(seed)


@given(seeds)
@examples(80)
def test_what_is_reached_and_by_how_many(seed: int) -> None:
    compare_verdict(seed)


@given(seeds)
@examples(10)
def test_the_solver_agrees(seed: int) -> None:
    with suppress(LimitReached):
        compare_solver(PointerProgram(seed).text(), 2)


@given(seeds)
@examples(15)
def test_what_has_to_happen(seed: int) -> None:
    compare_time(seed)


@given(seeds)
@examples(10)
def test_verdicts_are_proved(seed: int) -> None:
    check_all_proved(PointerProgram(seed).text(), seed)


@given(seeds)
@examples(15)
def test_programs_of_so_many_agents_say_the_same(seed: int) -> None:
    program = PointerProgram(seed)
    system = read(program.text())
    for counts in populations(system):
        named = {part.name: number for part, number in zip(system.templates, counts, strict=True)}
        found = program.reachable(members(system, counts))
        expected = any(program.met(program.bad, now) for now in found)
        assert is_broken(system, 1, named) == expected, program.text()


@given(seeds)
@examples(20)
def test_the_formatter_keeps_the_meaning(seed: int) -> None:
    text = PointerProgram(seed).text()
    formatted = format_text(Source("p", text))

    assert read(formatted).pointers == read(text).pointers
    assert format_text(Source("p", formatted)) == formatted


def test_random_programs_have_what_is_treated_specially() -> None:
    census: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for seed in range(60):
        census += PointerProgram(seed).census
        verdicts[compare_verdict(seed)] += 1

    assert min(census.values()) > 5
    assert {"doer", "none", "two pointers", "two lines", "a follower"} <= census.keys()
    assert min(verdicts["True"], verdicts["False"]) > 5


# Planted mistakes

moving = pointers._FlagMoves
of_others, nobody_else = moving._of_others, moving._nobody_else_has_it
of_those_who_act, limited = moving._of_those_who_act, moving._only_where_allowed


def who_had_it_keeps_it(self: Any, move: Any) -> bool:
    return True


def who_acts_does_not_get_it(self: Any, move: Any) -> None:
    pass


def who_follows_does_more(self: Any, part: Any, follower: str, move: Any) -> Any:
    return part


def says_something(condition: Any, wanted: Any) -> bool:
    return isinstance(condition, Or) or says(condition, wanted)


says = pointers._says


@pytest.mark.parametrize(
    ("owner", "name", "mutant"),
    [
        (moving, "_nobody_else_has_it", who_had_it_keeps_it),
        (moving, "_of_those_who_act", who_acts_does_not_get_it),
        (moving, "_only_where_allowed", who_follows_does_more),
        (pointers, "_says", says_something),
    ],
)
def test_a_planted_mistake_is_found_out(owner: Any, name: str, mutant: Any) -> None:
    with patch.object(owner, name, mutant), pytest.raises((Wrong, AssertionError)):
        list(map(compare_steps, range(150)))
