from itertools import product
from random import Random

import pytest
from hypothesis import given

from gnomon.engines.abstraction.linear import Form, form_of, scaled
from gnomon.engines.abstraction.partition import (
    OpaqueComparison,
    Origin,
    Partition,
    Predicate,
    ResidueQuantity,
    coarse_variables,
    first_partition,
    predicates_of,
)
from gnomon.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import Boolean, IntegerRange, Integers
from gnomon.model.evaluation import holds
from gnomon.model.expression import TRUE, Arithmetic, Compare, Expression, Literal, Read, Sum
from gnomon.model.formula import StateCondition
from gnomon.model.step import State
from gnomon.model.system import System
from tests.systems import Relation, examples, seeds

HERE = Origin("here")
VARIABLES = (
    Variable("P", "x", IntegerRange(-4, 5)),
    Variable("P", "y", IntegerRange(-3, 3)),
    Variable("P", "few", IntegerRange(0, 2)),
)
X, Y, FEW = (Read(v.agent, v.name) for v in VARIABLES)
NUMBERS = System("numbers", (Agent("Environment", (), ()), Agent("P", VARIABLES, ())), TRUE)
NOTHING = Partition(NUMBERS, frozenset({X, Y}), ())
OPERATORS: tuple[Relation, ...] = ("=", "<>", "<", "<=", ">", ">=")


def linear(rng: Random) -> Expression:
    chosen = rng.sample((X, Y, FEW), rng.randint(1, 3))
    terms = [Arithmetic("*", Literal(rng.randint(-3, 3)), read) for read in chosen]
    return Sum((*terms, Literal(rng.randint(-3, 3))))


def comparison(rng: Random) -> Compare:
    match rng.randrange(3):
        case 0:
            left: Expression = linear(rng)
            right: Expression = linear(rng)
        case kind:
            divisor = Literal(rng.randint(1, 4))
            left = Arithmetic("mod" if kind == 1 else "div", linear(rng), divisor)
            right = Literal(rng.randint(-2, 3))
    sides = [left, right] if rng.random() < 0.7 else [right, left]
    return Compare(rng.choice(OPERATORS), *sides)


def cell(partition: Partition, state: State) -> tuple[object, ...]:
    """Return what tells the cell of a state from others."""
    values = dict(zip((X, Y, FEW), map(int, state), strict=True))

    def number(form: Form) -> int:
        return sum(weight * values[read] for read, weight in form.terms)

    places = [
        [piece.low is None or piece.low <= number(form) for piece in pieces]
        for form, pieces in partition.pieces.items()
    ]
    left = [number(residue.form) % residue.modulus for residue in partition.residues]
    return values[FEW], str(places), *left


def states() -> list[State]:
    return list(product(range(-4, 6), range(-3, 4), range(3)))


@given(seed=seeds)
@examples(60)
def test_the_predicates_of_a_comparison_tell_in_every_cell_whether_it_holds(seed: int) -> None:
    atom = comparison(Random(seed))
    partition = NOTHING.refined(predicates_of(NOTHING, atom, HERE))
    answers: dict[tuple[object, ...], set[bool]] = {}
    for state in states():
        answers.setdefault(cell(partition, state), set()).add(holds(atom, NUMBERS, state))

    assert all(len(found) == 1 for found in answers.values())


def test_predicates_that_say_the_same_count_once() -> None:
    found = [
        predicate
        for text in (Compare("<=", X, Literal(2)), Compare("<", X, Literal(3)))
        for predicate in predicates_of(NOTHING, text, HERE)
    ]

    assert 2 == len(found)
    assert 1 == len(NOTHING.refined(found).predicates)


def test_a_relation_and_its_multiple_are_one_quantity() -> None:
    one = Compare("<=", X, Sum((Y, Literal(1))))
    two = Compare(">=", Arithmetic("*", Literal(2), Y), Arithmetic("*", Literal(2), X))
    found = [p.quantity for atom in (one, two) for p in predicates_of(NOTHING, atom, HERE)]

    assert 1 == len(set(found))


def test_what_is_cut_is_known_and_so_is_what_is_out_of_range() -> None:
    partition = NOTHING.refined([Predicate(form_of(X), 2, HERE)])

    assert [False, True, False, True, True] == [
        partition.knows(Predicate(form_of(X), bound, HERE)) for bound in (1, 2, 3, 5, -5)
    ]
    assert not partition.knows(Predicate(ResidueQuantity(form_of(X), 2), 0, HERE))


def test_finer_cells_are_inside_coarser_ones() -> None:
    coarse = NOTHING.refined([Predicate(form_of(X), 2, HERE)])
    fine = coarse.refined([Predicate(form_of(X), bound, HERE) for bound in (-1, 2, 3)])

    for piece in fine.pieces[form_of(X)]:
        assert any(piece.inside(larger) for larger in coarse.pieces[form_of(X)])
    assert coarse.size(form_of(X)) < fine.size(form_of(X))


def test_only_wide_ranges_are_cut() -> None:
    variables = (
        Variable("P", "any", Integers()),
        Variable("P", "wide", IntegerRange(0, 64)),
        Variable("P", "narrow", IntegerRange(0, 63)),
        Variable("P", "on", Boolean()),
    )
    system = System("ranges", (Agent("Environment", (), ()), Agent("P", variables, ())), TRUE)

    assert {"any", "wide"} == {read.variable for read in coarse_variables(system)}
    assert {"any", "wide", "narrow"} == {read.variable for read in coarse_variables(system, 0)}


def test_values_that_are_kept_are_listed_unless_there_are_too_many() -> None:
    wide = (Variable("P", "x", IntegerRange(0, 999)), Variable("P", "y", IntegerRange(0, 999)))
    system = System("wide", (Agent("Environment", (), ()), Agent("P", wide, ())), TRUE)
    kept = NOTHING.exactly([FEW, X])

    assert kept is not None
    assert [{FEW: 0}, {FEW: 1}, {FEW: 2}] == list(kept)
    assert Partition(system, frozenset(), ()).exactly([X, Y]) is None


def test_the_first_cuts_are_those_of_the_model_and_of_what_is_asked() -> None:
    number = Variable("P", "x", Integers())
    guard, allowed = Compare(">", X, Literal(7)), Compare("<=", X, Literal(3))
    agent = Agent(
        "P",
        (number,),
        ("go",),
        (ProtocolLine(allowed, ("go",), 4),),
        ("go",),
        (EvolutionLine((Assignment("x", Literal(0)),), guard, 5),),
        red=Compare("=", X, Literal(10)),
    )
    initial = Compare("=", X, Literal(100))
    system = System(
        "counter",
        (Agent("Environment", (), ()), agent),
        initial,
        propositions={"p": Compare("<", X, Literal(0))},
    )
    asked = StateCondition(Compare("<=", X, Literal(20)))
    found = first_partition(system, [(asked, HERE)], [(Compare("<=", X, Literal(30)), HERE)])

    assert {3, 7, 9, 10, -1, 20, 30} == {predicate.bound for predicate in found.predicates}
    assert "protocol of P, line 4" in {str(predicate.origin) for predicate in found.predicates}


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("P.x <= 3", Predicate(form_of(X), 3, HERE)),
        ("P.x mod 4", Predicate(ResidueQuantity(form_of(X), 4), 0, HERE)),
        (
            "P.x * P.x = 2",
            Predicate(OpaqueComparison(Compare("=", Arithmetic("*", X, X), Literal(2))), 0, HERE),
        ),
    ],
)
def test_a_predicate_is_shown_as_a_condition(text: str, predicate: Predicate) -> None:
    assert text == str(predicate)


def test_the_remainder_of_a_sum_is_shown_in_brackets() -> None:
    found = scaled({X: 1, Y: 1})
    assert found is not None

    assert "(P.x + P.y) mod 2" == str(ResidueQuantity(found.form, 2))
