"""A system says the same in every way: drawn, built in Python, exported and read again; and can prove it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Value
from gnomon.model import formula as f
from gnomon.model.observers import with_observers
from gnomon.model.system import Specification, System
from tests.certificates import verified
from tests.contract.compare import ENGINES
from tests.contract.ways import WAYS, CannotBuild, text_of, ways, writable
from tests.fairness import any_fairness
from tests.oracle import Oracle, TooMany
from tests.support import VACUOUS
from tests.systems import (
    examples,
    random_formula,
    random_path,
    random_system,
    seeds,
)


def questions(rng: Random, system: System) -> Iterator[Specification]:
    """Yield a question in each logic, and three of the branching one."""
    for _ in range(3):
        yield Specification(random_formula(rng, system, 3), "")
    yield Specification(random_formula(rng, system, 2, "bool star know"), "", 0, "CTL*")
    yield Specification(f.All(random_path(rng, system, 2, "bool know")), "", 0, "LTL")


def asking(rng: Random, largest: int = 48, *, interleaved: bool = False) -> System:
    """Return a random system with questions, all of which can be written down."""
    system = random_system(rng, largest=largest, interleaved=interleaved)
    if rng.random() < 0.3:
        system = replace(system, fairness=any_fairness(rng, system))
    found = writable(replace(system, specifications=tuple(questions(rng, system))))
    asked = tuple(replace(item, text=text_of(item)) for item in found.specifications)
    return replace(found, specifications=asked)


def truth(system: System) -> list[Value | None]:
    """Return what the oracle says of each question, None where that would take too long."""
    oracle = Oracle(with_observers(system))
    found: list[Value | None] = []
    for item in system.specifications:
        try:
            found.append(Value.TRUE if oracle.holds(item.formula, item.logic) else Value.FALSE)
        except TooMany:
            found.append(None)
    return found


def assert_proved(system: System, expected: list[Value | None], engine: Engine) -> None:
    """Let an engine give the values expected, and proofs that the checker accepts for what has any."""
    result = check(system, None, Options(allow=VACUOUS, engine=engine, certificate=True))
    values = [verdict.value for verdict in result]
    assert all(want in (None, value) for want, value in zip(expected, values, strict=True)), values
    assert result.certificate is not None
    asked = system.specifications
    entries = result.certificate["verdicts"]
    outcomes = verified(system, result.certificate, asked)
    for outcome, entry in zip(outcomes, entries, strict=True):
        assert (entry["proof"] is not None or None) == outcome.accepted, outcome


@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(100)
def test_every_way_gives_the_verdicts_of_the_oracle(engine: Engine, seed: int) -> None:
    system = asking(Random(seed))
    expected, reached = truth(system), len(Oracle(with_observers(system)).reachable)
    for name, other in (("drawn", with_observers(system)), *ways(system)):
        result = check(other, None, Options(allow=VACUOUS, engine=engine))
        values = [verdict.value for verdict in result]
        pairs = zip(expected, values, strict=True)
        assert all(want in (None, value) for want, value in pairs), (name, values)
        assert reached == result.states, name


@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(40)
def test_what_is_built_or_exported_is_proved_as_well(engine: Engine, seed: int) -> None:
    system = asking(Random(seed), 12)
    expected = truth(system)
    for _, other in ways(system):
        assert_proved(other, expected, engine)


@given(seed=seeds)
@examples(100)
def test_what_is_built_in_python_is_what_it_was_built_after(seed: int) -> None:
    """But for sums and negations, which Python writes in its own way, questions are the same."""
    system = asking(Random(seed))
    try:
        other = WAYS["built"](system)
    except CannotBuild:
        return

    assert [text_of(item) for item in system.specifications] == [
        text_of(item) for item in other.specifications
    ]
    assert [item.logic for item in system.specifications] == [
        item.logic for item in other.specifications
    ]
    expected = with_observers(system)
    assert [agent.name for agent in expected.agents] == [agent.name for agent in other.agents]
    assert expected.variables == other.variables
    assert system.groups == other.groups


def test_most_systems_have_every_way_and_every_verdict_occurs() -> None:
    found: Counter[object] = Counter()
    for seed in range(60):
        system = asking(Random(seed))
        found.update(name for name, _ in ways(system))
        found.update(truth(system))

    assert found["exported"] > 55
    assert found["built"] > 20
    assert min(found[Value.TRUE], found[Value.FALSE]) > 40
