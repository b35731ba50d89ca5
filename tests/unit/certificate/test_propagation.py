"""Proofs of unsatisfiability are followed, and only proofs."""

from itertools import product
from random import Random

from hypothesis import given
from pysat.solvers import Glucose4

from gnomon.certificate.propagation import Propagation, is_refuted
from tests.systems import examples, seeds

PAIRS = [[1, 2], [1, -2], [-1, 2], [-1, -2]]


def test_units_lead_to_a_contradiction() -> None:
    assert is_refuted([[1], [-1, 2], [-2]], [])


def test_four_clauses_need_a_lemma() -> None:
    assert not is_refuted(PAIRS, [])
    assert is_refuted(PAIRS, [[1]])


def test_a_lemma_that_does_not_follow_is_refused() -> None:
    assert not is_refuted([[1, 2]], [[1], [-1]])


def test_the_empty_clause_refutes_everything() -> None:
    assert is_refuted([[]], [])
    assert Propagation([[]]).follows([5])


def test_what_can_be_satisfied_is_never_refuted() -> None:
    assert not is_refuted([[1, 2], [-1, 3]], [[2, 3]])


def random_clauses(rng: Random) -> list[list[int]]:
    variables = rng.randint(1, 6)
    return [
        [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(rng.randint(1, 3))]
        for _ in range(rng.randint(1, 30))
    ]


def satisfiable(clauses: list[list[int]]) -> bool:
    return any(
        all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=6)
    )


@given(seeds)
@examples(300)
def test_the_proofs_of_a_solver_are_accepted(seed: int) -> None:
    clauses = random_clauses(Random(seed))
    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        solved = solver.solve()
        lines = [line.split() for line in (solver.get_proof() or ())]
    lemmas = [[int(word) for word in line[:-1]] for line in lines if line[0] != "d"]
    assert solved == satisfiable(clauses)
    assert is_refuted(clauses, [lemma for lemma in lemmas if lemma]) == (not solved)


@given(seeds)
@examples(300)
def test_no_lemmas_refute_what_can_be_satisfied(seed: int) -> None:
    rng = Random(seed)
    clauses = random_clauses(rng)
    if satisfiable(clauses):
        assert not is_refuted(clauses, random_clauses(rng))
