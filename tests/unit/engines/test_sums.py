"""Sums that no step changes, and remainders that are kept: of every reachable state."""

from random import Random

from hypothesis import given

from gnomon.checking.load import load_text
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.partition import first_partition
from gnomon.engines.abstraction.sums import Regular, regular, regular_predicates
from tests.counting import arena, counting_system, exact_partition
from tests.oracle import Oracle
from tests.systems import examples, seeds
from tests.unit.engines.test_lattice import has


def numbers(evolution: str, initial: str, names: str = "x, y") -> CellSpace:
    """Return the cells of numbers that change in some ways."""
    variables = " ".join(f"{name} : int;" for name in names.split(", "))
    loaded = load_text(
        f"""
        Agent P
          Vars: {variables} small : 0..3; colour : {{red, blue}}; end Vars
          Actions = {{a, b}};
          Protocol: Other : {{a, b}}; end Protocol
          Evolution: {evolution} end Evolution
        end Agent
        InitStates {initial}; end InitStates
        Formulae AG P.x = 0; end Formulae
        """,
    )
    assert loaded.system is not None, loaded.diagnostics
    return CellSpace(first_partition(loaded.system, []))


def told(evolution: str, initial: str, names: str = "x, y") -> set[str]:
    """Return what is told apart, as it is shown."""
    space = numbers(evolution, initial, names)
    found = regular(space)
    assert found is not None
    about = space.partition.coarse
    return {str(each) for each in regular_predicates(found, space.partition, about)}


BOTH = "x = x + 1 and y = y + 1 if Action = a; "


def test_a_difference_stays_the_same() -> None:
    expected = {"P.x - P.y <= -4", "P.x - P.y <= -3"}

    assert expected == told(BOTH + "x = x - 2 and y = y - 2 if Action = b;", "P.x = 0 and P.y = 3")


def test_a_relation_at_first_is_as_good_as_values() -> None:
    assert {"P.x - P.y <= -1", "P.x - P.y <= 0"} == told(BOTH, "P.x = P.y")


def test_what_is_set_anew_in_the_same_way_still_stays_the_same() -> None:
    expected = {"P.x - P.y <= -1", "P.x - P.y <= 0"}

    assert expected == told(BOTH + "x = 0 and y = 0 if Action = b;", "P.x = 0 and P.y = 0")


def test_numbers_keep_their_remainder() -> None:
    ways = "x = x + 6 if Action = a; x = x - 9 if Action = b;"

    assert {"P.x mod 3"} == told(ways, "P.x = 1", "x")
    assert {"P.x mod 3"} == told(ways, "P.x mod 3 = 1", "x")
    assert {"P.x mod 3"} == told(ways, "P.x = 1 or P.x = 4", "x")
    assert set() == told(ways, "P.x = 1 or P.x = 2", "x")
    assert set() == told(ways, "P.x > 1", "x")


def test_multiples_of_what_is_kept_exactly_are_still_multiples() -> None:
    assert {"P.x mod 4"} == told("x = x + 4 * small if Action = a;", "P.x = 0", "x")


def test_what_is_not_linear_may_become_anything() -> None:
    assert set() == told("x = x * x if Action = a; y = y + 1 if Action = b;", "P.x = 0 and P.y = 0")


def test_names_and_small_numbers_in_initial_states_say_nothing_about_large_ones() -> None:
    initial = "P.colour = red and P.small = 2 and P.x = 0 and P.y = 0"

    assert {"P.x - P.y <= -1", "P.x - P.y <= 0"} == told(BOTH, initial)


def every_state_is_regular(oracle: Oracle, found: Regular) -> None:
    places = [oracle.system.position[read.agent, read.variable] for read in found.numbers]
    for state in oracle.reachable:
        assert has(found.always, tuple(int(state[place]) for place in places))
    for state in oracle.initial:
        assert has(found.initial, tuple(int(state[place]) for place in places))


@given(seed=seeds)
@examples(80)
def test_every_reachable_state_is_at_the_distances_that_are_found(seed: int) -> None:
    rng = Random(seed)
    system = rng.choice((counting_system, counting_system, arena))(rng)
    found = regular(CellSpace(exact_partition(system)))

    if found is not None:
        every_state_is_regular(Oracle(system), found)
