from random import Random
from unittest.mock import patch

from hypothesis import given

from gnomon.engines.abstraction import clusters
from gnomon.engines.abstraction.linear import Form, form_of, scaled
from gnomon.engines.abstraction.partition import (
    OpaqueComparison,
    Origin,
    Partition,
    Predicate,
    ResidueQuantity,
)
from gnomon.model.agent import Agent, Variable
from gnomon.model.domain import IntegerRange, Integers
from gnomon.model.evaluation import holds
from gnomon.model.expression import TRUE, Arithmetic, Compare, Literal, Read
from gnomon.model.system import System
from tests.abstraction import States, finite
from tests.systems import examples, seeds

HERE = Origin("here")
VARIABLES = tuple(Variable("P", name, Integers()) for name in "uvxyz")
U, V, X, Y, Z = (Read("P", v.name) for v in VARIABLES)
SYSTEM = System("numbers", (Agent("Environment", (), ()), Agent("P", VARIABLES, ())), TRUE)


def difference(one: Read, two: Read) -> Form:
    found = scaled({one: 1, two: -1})
    assert found is not None
    return found.form


def partition(*quantities: Form | ResidueQuantity | OpaqueComparison) -> Partition:
    predicates = [Predicate(quantity, 0, HERE) for quantity in quantities]
    return Partition(SYSTEM, frozenset({U, V, X, Y, Z}), predicates)


def test_quantities_that_share_a_variable_are_in_one_cluster() -> None:
    found = clusters.clusters(partition(difference(X, Y), difference(U, V), difference(Y, Z)))

    assert [
        {form_of(U), form_of(V), difference(U, V)},
        {form_of(X), form_of(Y), form_of(Z), difference(X, Y), difference(Y, Z)},
    ] == sorted(map(set, found), key=len)


def test_what_is_not_related_is_in_no_cluster() -> None:
    assert [] == clusters.clusters(partition(form_of(X), form_of(Y)))


def test_a_remainder_goes_with_its_variable() -> None:
    residue = ResidueQuantity(form_of(X), 2)

    assert [[form_of(X), residue]] == clusters.clusters(partition(residue))


@given(seed=seeds)
@examples(60)
def test_the_cells_there_are_have_states(seed: int) -> None:
    finite(Random(seed), "bool", related=1.0).compare_cells()


@given(seed=seeds)
@examples(30)
def test_without_an_answer_nothing_is_ruled_out(seed: int) -> None:
    with patch.object(clusters, "MOST_QUESTIONS", Random(seed).randint(0, 3)):
        finite(Random(seed), "bool know", related=1.0).compare()


def test_each_piece_of_a_quantity_has_its_condition() -> None:
    atom = Compare("=", Arithmetic("*", X, X), Literal(2))
    quantities = (
        form_of(X),
        difference(X, Y),
        ResidueQuantity(form_of(X), 3),
        OpaqueComparison(atom),
    )
    cut = partition(*quantities)
    for state in ((0, 0, x, y, 0) for x in range(-3, 4) for y in range(-3, 4)):
        for quantity in quantities:
            conditions = [
                clusters.piece_condition(cut, quantity, number)
                for number in range(cut.size(quantity))
            ]
            assert 1 == sum(holds(condition, SYSTEM, state) for condition in conditions)


def test_a_cell_of_a_value_that_is_kept_is_only_there_if_it_has_a_state() -> None:
    variables = (Variable("P", "x", IntegerRange(-3, 3)), Variable("P", "b", IntegerRange(0, 3)))
    system = System("kept", (Agent("Environment", (), ()), Agent("P", variables, ())), TRUE)
    b = Read("P", "b")
    atom = Compare("=", Arithmetic("*", X, X), b)
    cut = Partition(system, frozenset({X}), [Predicate(OpaqueComparison(atom), 0, HERE)])

    States(cut, []).compare_cells()
