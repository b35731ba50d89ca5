"""Circuits mean what truth tables say, whatever is folded, shared, substituted or copied into a solver."""

from itertools import product
from random import Random
from typing import TypeAlias

import pytest

from gnomon.engines.sat.and_inverter import FALSE, TRUE, AndInverterGraph
from gnomon.engines.sat.bounded import finished
from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.model.budget import Unsuited

VARIABLES = 4
#: The value of a circuit for every assignment to the variables.
Table: TypeAlias = tuple[bool, ...]
ASSIGNMENTS = list(product((False, True), repeat=VARIABLES))


def table(graph: AndInverterGraph, circuit: int) -> Table:
    return tuple(graph.evaluate(circuit, list(enumerate(values))) for values in ASSIGNMENTS)


def drawn(rng: Random, graph: AndInverterGraph, size: int) -> list[tuple[int, Table]]:
    """Return circuits with what they should be, by operations on both."""
    found: list[tuple[int, Table]] = [
        (TRUE, (True,) * len(ASSIGNMENTS)),
        (FALSE, (False,) * len(ASSIGNMENTS)),
    ]
    found += [
        (graph.variable(number), tuple(each[number] for each in ASSIGNMENTS))
        for number in range(VARIABLES)
    ]
    for _ in range(size):
        (a, x), (b, y), (c, z) = (rng.choice(found) for _ in range(3))
        rows = list(zip(x, y, z, strict=True))
        made = (
            (graph.both(a, b), tuple(p and q for p, q, _ in rows)),
            (graph.either(a, b), tuple(p or q for p, q, _ in rows)),
            (graph.minus(a, b), tuple(p and not q for p, q, _ in rows)),
            (graph.differ(a, b), tuple(p != q for p, q, _ in rows)),
            (graph.opposite(a), tuple(not p for p, _, _ in rows)),
            (graph.choose(a, b, c), tuple(q if p else r for p, q, r in rows)),
        )
        found.append(rng.choice(made))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_circuits_are_what_their_tables_say(seed: int) -> None:
    graph = AndInverterGraph()
    for circuit, expected in drawn(Random(seed), graph, 12):
        assert expected == table(graph, circuit)


@pytest.mark.parametrize("seed", range(20))
def test_quantifiers_put_in_all_values(seed: int) -> None:
    rng, graph = Random(seed), AndInverterGraph()
    circuit, values = drawn(rng, graph, 12)[-1]
    cube = [number for number in range(VARIABLES) if rng.random() < 0.5]
    by = dict(zip(ASSIGNMENTS, values, strict=True))
    expected = tuple(
        any(
            value
            for other, value in by.items()
            if all(number in cube or other[number] == each[number] for number in range(VARIABLES))
        )
        for each in ASSIGNMENTS
    )

    assert expected == table(graph, graph.exists(circuit, graph.cube(cube)))


@pytest.mark.parametrize("seed", range(20))
def test_a_copy_in_a_solver_has_the_same_solutions(seed: int) -> None:
    graph = AndInverterGraph()
    circuit, expected = drawn(Random(seed), graph, 20)[-1]
    gates = Gates()
    copy = CircuitCopy(gates, graph, {})
    inputs = [copy.variable(number) for number in range(VARIABLES)]
    wanted = copy.literal(circuit)
    found = tuple(
        finished(
            gates.solving([wanted, *(i if v else -i for i, v in zip(inputs, each, strict=True))])
        )
        for each in ASSIGNMENTS
    )

    assert expected == found


def test_what_is_the_same_is_one_node() -> None:
    graph = AndInverterGraph()
    one, two = graph.variable(0), graph.variable(1)

    assert graph.both(one, two) == graph.both(two, one)
    assert graph.either(one, two) == graph.opposite(
        graph.both(graph.opposite(one), graph.opposite(two))
    )
    assert graph.both(one, graph.opposite(one)) == FALSE
    assert graph.total_size() == 5


def test_exchanged_variables_change_places() -> None:
    graph = AndInverterGraph()
    one, two = graph.variable(0), graph.variable(1)

    assert graph.minus(two, one) == graph.rename(graph.minus(one, two), graph.renaming([(0, 1)]))


def test_large_quantifiers_are_refused_with_a_reason() -> None:
    graph = AndInverterGraph()
    circuit = TRUE
    for number in range(12):
        circuit = graph.both(circuit, graph.variable(number))

    with pytest.raises(Unsuited, match="more than 8 bits"):
        graph.exists(circuit, graph.cube(range(12)))
