"""Guesses that something is never reached change no verdict, and prove what takes too long without them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.solvers import SOLVERS
from gnomon.engines.parameterised import safety
from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.demands import Demand
from gnomon.engines.parameterised.guessing import few_agents
from gnomon.engines.parameterised.guessing.few_agents import FewAgents
from gnomon.engines.parameterised.guessing.prove import proved_with_guesses
from gnomon.engines.parameterised.local_space import BitSpace
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.parameterised.step import World
from tests.comparing import Wrong, bad_of, compare_safety
from tests.populations import KINDS, chain_program, number_program, random_program, reachable, read
from tests.populations import members as members_of
from tests.systems import examples, seeds

GERMAN = Path(__file__).parents[2] / "examples" / "parameterised" / "caches" / "german.ispl"


@contextmanager
def guessing_at_once(agents: int = 3) -> Iterator[None]:
    """Guess before anything else, by what so many agents do: few of them, and many guesses are wrong."""
    with (
        patch.object(safety, "_BEFORE_GUESSES", 0),
        patch.object(safety, "is_for", lambda _: False),
        patch.object(few_agents, "_AGENTS", agents),
    ):
        yield


def compare(text: str, agents: int) -> None:
    """Decide with guesses; raise `Wrong` where the oracle or the checker disagrees."""
    with guessing_at_once(agents):
        found = compare_safety(text)
    if found.method == "backward search with guesses":
        system = read(text)
        prover = ObligationProver(Budget(), SOLVERS)
        check_invariant(system, found.invariant, bad_of(system), prover)


@given(seeds)
@examples(60)
def test_guesses_change_no_verdict(seed: int) -> None:
    compare(chain_program(seed, KINDS), 3)


@given(seeds)
@examples(60)
def test_wrong_guesses_change_no_verdict(seed: int) -> None:
    compare(chain_program(seed, KINDS), 1)


@given(seeds)
@examples(40)
def test_guesses_about_numbers_change_no_verdict(seed: int) -> None:
    compare(number_program(seed, KINDS), 1)


@given(seeds)
@examples(40)
def test_guesses_change_no_verdict_where_guards_speak_of_every_agent(seed: int) -> None:
    compare(random_program(seed, KINDS, forall=True), 2)


def test_the_protocol_with_all_channels_is_proved_by_few_cubes() -> None:
    system = read(GERMAN.read_text())
    bad = bad_of(system)
    program = CompiledPopulation(system)
    search = proved_with_guesses(program, program.goal(bad), Budget())
    assert search is not None

    assert search.count < 100


def test_a_guess_that_many_agents_refute_is_dropped() -> None:
    """Four have to come for the gate to open, and no more than three are looked at."""
    text = """
        Environment
          Vars: come : 0..4; open : boolean; end Vars
          Actions = {unlock};
          Sync = {enter : one};
          Protocol: come < 4 : {enter}; come = 4 : {unlock}; end Protocol
          Evolution:
            come = come + 1 if Action = enter;
            open = true if Action = unlock;
          end Evolution
        end Environment
        Template T
          Vars: here : boolean; end Vars
          Sync = {enter};
          Protocol: here = false : {enter}; end Protocol
          Evolution: here = true if Action = enter; end Evolution
        end Template
        Evaluation bad if Environment.open = true and exists i : T (i.here = true); end Evaluation
        InitStates T.here = false and Environment.come = 0 and Environment.open = false; end InitStates
        Formulae AG !bad; end Formulae
    """
    with guessing_at_once():
        found = compare_safety(text)

    assert (found.reached, found.smallest) == (True, ((4,),))


@given(seeds)
@examples(40)
def test_what_few_agents_do_is_what_they_do(seed: int) -> None:
    """What is said to occur is reached by three agents, and what they reach occurs."""
    system = read(number_program(seed, KINDS))
    program = CompiledPopulation(system)
    few = FewAgents(program, Budget())
    [name] = program.names
    spaces = program.spaces
    seen: set[tuple[int, int, int]] = set()
    for number in range(4):
        if system.part[name].allows(number):
            world = World(system, members_of(system, (number,)), {})
            for now in reachable(world):
                own = spaces[ENVIRONMENT].number(now.environment)
                states = [spaces[name].number(local) for local in now.agents]
                seen |= {
                    (own, a, b)
                    for n, a in enumerate(states)
                    for m, b in enumerate(states)
                    if n != m
                }
    known = range(spaces[name].total)

    assert few.count >= 1_500 or seen == {
        (own, a, b)
        for own in range(spaces[ENVIRONMENT].total)
        for a in known
        for b in known
        if few.occurs(1 << own, ((name, 1 << a), (name, 1 << b)))
    }


@given(seeds)
@examples(20)
def test_sets_regardless_of_a_variable(seed: int) -> None:
    program = CompiledPopulation(read(number_program(seed, KINDS)))
    for space in program.spaces.values():
        assert isinstance(space, BitSpace)
        assert isinstance(program.within[space.part.name], int)
        states = [n for n in range(space.total) if (seed >> n % 16) & 1]
        mask = sum(1 << n for n in states)
        for variable, (stride, size) in enumerate(zip(space.strides, space.sizes, strict=True)):
            wide = {
                n + (value - n // stride % size) * stride for n in states for value in range(size)
            }
            assert space.regardless(mask, variable) == sum(1 << n for n in wide)


# Planted mistakes


is_initial = BackwardSearch._is_initial
waits = BackwardSearch._waits_for_guess


def guesses_are_believed(self: BackwardSearch, demand: Demand) -> bool:
    return self.guess_behind(demand) is None and is_initial(self, demand)


def guesses_are_not_looked_at(self: BackwardSearch, demand: Demand) -> bool:
    with patch.object(self, "_push"):
        return waits(self, demand)


def whole_is_never_seen(*_: Any) -> bool:
    return False


def mistakes(make: Callable[[int], str], agents: int) -> bool:
    """Return whether a comparison finds something wrong with some of the first programs."""
    for seed in range(150):
        try:
            compare(make(seed), agents)
        except (Wrong, AssertionError, Rejected):
            return True
    return False


@pytest.mark.parametrize(
    ("name", "mutant"),
    [
        ("_is_initial", guesses_are_believed),
        ("_waits_for_guess", guesses_are_not_looked_at),
    ],
)
def test_a_planted_mistake_is_found_out(name: str, mutant: Any) -> None:
    with patch.object(BackwardSearch, name, mutant):
        assert mistakes(lambda seed: chain_program(seed, KINDS), 1)


def test_what_is_guessed_at_random_changes_no_verdict() -> None:
    """Few agents are there to guess well: nothing depends on what they are said to do."""
    with patch.object(FewAgents, "occurs", whole_is_never_seen):
        assert not mistakes(lambda seed: chain_program(seed, KINDS), 2)
