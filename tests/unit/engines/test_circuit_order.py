"""Orders for circuits: what looks like one, what is looked at first, and that nothing is lost."""

from random import Random

from hypothesis import given

from gnomon.checking.load import load_text
from gnomon.engines.bdd.setup import setups
from gnomon.engines.diagrams.bit_layout import structure_of
from gnomon.engines.diagrams.circuit_order import (
    CIRCUIT_ORDERS,
    first_appearance,
    is_circuit,
    placed_gates,
)
from gnomon.model.system import System
from tests.systems import examples, random_formula, random_system, seeds

#: A shift register that is turned round while `turn` is on, by latches in an order that says nothing.
SHIFTER = """
Semantics = SingleAssignment;
Agent Environment
  Vars: {variables} end Vars
  Actions = {{ tick }};
  Protocol: Other : {{ tick }}; end Protocol
  Evolution: {lines} end Evolution
end Agent
Agent Turn
  Actions = {{ on, off }};
  Protocol: Other : {{ on, off }}; end Protocol
end Agent
Evaluation last if Environment.l0 = true; end Evaluation
Formulae EF last; end Formulae
"""


def shifter(size: int, lines: str = "") -> System:
    """Return a register of so many bits."""
    order = [(3 * number) % size for number in range(size)]
    variables = " ".join(f"l{number} : boolean = false;" for number in order)
    for number in range(size):
        before = f"(Turn.Action = on and l{(number + 1) % size} = true)"
        lines += f" l{number} = true if {before}; l{number} = false if !{before};"
    system = load_text(SHIFTER.format(variables=variables, lines=lines)).system
    assert system is not None
    return system


def asked(system: System) -> list[object]:
    """Return what is asked of a system."""
    return [each.formula for each in system.specifications]


def test_bits_that_are_set_and_cleared_by_opposites_are_a_circuit() -> None:
    assert is_circuit(shifter(8))


def test_few_bits_are_none_and_neither_are_lines_that_only_set() -> None:
    assert not is_circuit(shifter(5))  # with one input
    # Without its opposite, a guard leaves the bit as it is.
    assert not is_circuit(load_without_opposite(8))


def load_without_opposite(size: int) -> System:
    """Return bits that are set, and never cleared."""
    variables = " ".join(f"l{number} : boolean = false;" for number in range(size))
    lines = " ".join(f"l{number} = true if Turn.Action = on;" for number in range(size))
    system = load_text(SHIFTER.format(variables=variables, lines=lines)).system
    assert system is not None
    return system


def test_what_is_asked_comes_first_and_what_decides_it_next() -> None:
    system = shifter(8)
    order = first_appearance(system, asked(system))  # type: ignore[arg-type]

    shown = [item if isinstance(item, str) else item[1] for item in order]
    assert shown == ["l0", "Turn", *(f"l{number}" for number in range(1, 8))]


def test_neighbours_in_the_circuit_stand_together() -> None:
    system = chain(16)
    order = [item for item in placed_gates(system, asked(system)) if not isinstance(item, str)]  # type: ignore[arg-type]
    places = {item[1]: place for place, item in enumerate(order)}

    written = [variable.name for variable in system.variables]
    assert length(places) < length({name: place for place, name in enumerate(written)})


def chain(size: int) -> System:
    """Return bits that each follow their two neighbours, written even ones first."""
    order = [*range(0, size, 2), *range(1, size, 2)]
    variables = " ".join(f"l{number} : boolean = false;" for number in order)
    lines = ""
    for number in range(size):
        near = [n for n in (number - 1, number + 1) if 0 <= n < size]
        guard = f"({' and '.join(f'l{n} = true' for n in near)})"
        lines += f" l{number} = true if {guard}; l{number} = false if !{guard};"
    system = load_text(SHIFTER.format(variables=variables, lines=lines)).system
    assert system is not None
    return system


def length(places: dict[str, int]) -> int:
    """Return how far neighbours stand from each other, in all."""
    return sum(abs(places[f"l{n}"] - places[f"l{n + 1}"]) for n in range(len(places) - 1))


@given(seed=seeds)
@examples(100)
def test_nothing_is_lost_and_nothing_comes_twice(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    formulae = [random_formula(rng, system, 2)]

    items = sorted(map(str, structure_of(system, formulae).items))
    partners = structure_of(system, formulae).partners
    for kind in (first_appearance, placed_gates):
        found = [item for item in kind(system, formulae) if item not in partners.values()]
        assert sorted(map(str, found)) == items


def test_they_are_tried_where_there_is_a_circuit_and_nowhere_else() -> None:
    def orders(system: System) -> set[str]:
        return {each.order for each in setups(system, ())}

    assert set(CIRCUIT_ORDERS) <= orders(shifter(8))
    assert not set(CIRCUIT_ORDERS) & orders(load_without_opposite(8))
