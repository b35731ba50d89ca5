"""The algebra of three-valued sets of cells: Kleene's laws, and operators that respect both sides."""

from random import Random

import pytest

from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.algebra import Graph, ModalAlgebra
from tests.abstraction import playing

SEEDS = range(12)


def opposite(algebra: CellAlgebra, states: ThreeValued) -> ThreeValued:
    return algebra.difference(algebra.reachable, states)


def some_sets(seed: int) -> tuple[CellAlgebra, list[ThreeValued]]:
    compared = playing(Random(seed))
    algebra = CellAlgebra(compared.space)
    return algebra, [compared.label(formula, 0) for formula in compared.formulae]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_complement_exchanges_the_sides(seed: int) -> None:
    algebra, sets = some_sets(seed)
    for one in sets:
        assert opposite(algebra, opposite(algebra, one)) == one
        for two in sets:
            joined = opposite(algebra, algebra.union(one, two))
            assert joined == algebra.difference(opposite(algebra, one), two)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_path_is_the_dual_of_some_path(seed: int) -> None:
    algebra, sets = some_sets(seed)
    for one in sets:
        after = algebra.before(opposite(algebra, one), algebra.reachable)
        assert algebra.inevitable(one, algebra.reachable) == opposite(algebra, after)


@pytest.mark.parametrize("seed", SEEDS)
def test_fixpoints_know_at_least_what_their_bodies_know(seed: int) -> None:
    """Rankings and mixed ends add to what the two sides tell one by one."""
    algebra, sets = some_sets(seed)
    d = algebra.space.diagrams
    players = [name for name in algebra.space.moves.enabled if name != "Environment"]
    for one in sets:
        pairs = [
            (algebra.leads_to(one, algebra.reachable), Graph.leads_to, (one, algebra.reachable)),
            (
                algebra.attractor(players, one, algebra.reachable),
                ModalAlgebra.attractor,
                (players, one, algebra.reachable),
            ),
            (algebra.trap(players, one), ModalAlgebra.trap, (players, one)),
        ]
        for found, body, arguments in pairs:
            plain = body(algebra, *arguments)  # type: ignore[operator]
            assert d.minus(plain.true, found.true) == d.false
            assert d.minus(plain.false, found.false) == d.false
