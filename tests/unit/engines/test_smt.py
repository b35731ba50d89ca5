"""The solver is asked what we mean: models agree with the reference, and cvc5 agrees with z3."""

from random import Random

import cvc5
import pytest
import z3
from hypothesis import given

from gnomon.engines.abstraction.concretise import Concretiser
from gnomon.engines.solvers.horn import invariant_atoms
from gnomon.engines.solvers.smt import Context, NotExpressible, Satisfiable
from gnomon.engines.solvers.system_terms import IncrementalSolver, SystemTerms
from gnomon.model.agent import Agent, Variable
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Boolean, Enumeration, IntegerRange, Integers
from gnomon.model.expression import (
    TRUE,
    And,
    Arithmetic,
    Compare,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    show,
)
from gnomon.model.step import holds
from gnomon.model.system import System
from tests.systems import Relation, examples, seeds

VARIABLES = (
    Variable("P", "x", Integers()),
    Variable("P", "y", Integers()),
    Variable("P", "small", IntegerRange(-2, 3)),
    Variable("P", "on", Boolean()),
    Variable("P", "colour", Enumeration(("red", "green", "blue"))),
    Variable("P", "other", Enumeration(("blue", "red"))),
)
SYSTEM = System("numbers", (Agent("Environment", (), ()), Agent("P", VARIABLES, ())), TRUE)
X, Y, SMALL, ON, COLOUR, OTHER = (Read(v.agent, v.name) for v in VARIABLES)


def term(rng: Random, depth: int = 2) -> Expression:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice((X, Y, SMALL, Literal(rng.randint(-5, 5))))
    match rng.randrange(5):
        case 0:
            return Negative(term(rng, depth - 1))
        case 1:
            return Arithmetic("*", Literal(rng.randint(-3, 3)), term(rng, depth - 1))
        case 2:
            divisor = Literal(rng.choice((-3, -2, 0, 2, 3)))
            return Arithmetic(rng.choice(("div", "mod")), term(rng, depth - 1), divisor)
        case _:
            return Sum((term(rng, depth - 1), term(rng, depth - 1)))


def condition(rng: Random, depth: int = 3) -> Expression:
    if depth == 0 or rng.random() < 0.3:
        match rng.randrange(6):
            case 0:
                return ON
            case 1:
                return Compare(rng.choice(("=", "<>")), COLOUR, Literal("green"))
            case 2:
                return Compare(rng.choice(("=", "<>")), OTHER, COLOUR)
            case _:
                operator: Relation = rng.choice(("=", "<>", "<", "<=", ">", ">="))
                return Compare(operator, term(rng), term(rng))
    inner = tuple(condition(rng, depth - 1) for _ in range(rng.choice((1, 2, 2, 3))))
    return rng.choice((And(inner), And(inner), Or(inner), Not(inner[0])))


def solver_of() -> IncrementalSolver:
    return IncrementalSolver(SYSTEM, Context(), Budget())


def by_cvc5(text: str) -> str:
    """Return the answer of the other solver to a script in SMT-LIB."""
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", "2000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{text}", "asked")
    symbols, answer = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, symbols).strip() or answer
    return answer


@examples(150)
@given(seed=seeds)
def test_both_solvers_answer_alike(seed: int) -> None:
    asked = condition(Random(seed))
    solver = solver_of()
    answer = solver.ask([asked])
    terms = SystemTerms(SYSTEM, Context())
    plain = z3.Solver(ctx=terms.context)
    plain.add(*(part for v in VARIABLES for part in terms.domain(Read(v.agent, v.name))))
    plain.add(terms.condition(asked))
    second = by_cvc5(plain.to_smt2())

    assert (answer, second) in {("yes", "sat"), ("no", "unsat")} or "unknown" in (answer, second)


@examples(150)
@given(seed=seeds)
def test_a_state_that_the_solver_finds_is_one(seed: int) -> None:
    asked = condition(Random(seed))
    answer, state = Concretiser(SYSTEM, Context(), Budget()).solve([asked])

    if answer is Satisfiable.YES:
        assert state is not None and holds(asked, SYSTEM, state)
    if answer is Satisfiable.NO:
        rng = Random(seed)
        for _ in range(200):
            guess = (
                *(rng.randint(-9, 9) for _ in range(2)),
                rng.randint(-2, 3),
                rng.random() < 0.5,
                rng.choice(("red", "green", "blue")),
                rng.choice(("blue", "red")),
            )
            assert not holds(asked, SYSTEM, guess)


def test_a_conflict_names_what_cannot_hold_together() -> None:
    solver = solver_of()
    low, high, beside = (
        Compare("<", X, Y),
        Compare(">", X, Sum((Y, Literal(1)))),
        Compare("=", SMALL, Literal(1)),
    )

    assert solver.ask([low, high, beside]) is Satisfiable.NO
    assert solver.conflict() == {low, high}
    assert solver.ask([low, beside]) is Satisfiable.YES


@pytest.mark.parametrize(
    "value", [Arithmetic("/", X, Literal(2)), Arithmetic("&", X, Y)], ids=["/", "&"]
)
def test_fractions_and_bits_are_not_asked_about(value: Expression) -> None:
    with pytest.raises(NotExpressible, match=r"\S"):
        solver_of().ask([Compare("=", value, Literal(1))])


def test_an_invariant_is_found_for_what_never_happens() -> None:
    from gnomon.checking.load import load
    from tests.support import EXAMPLES

    system = load(str(EXAMPLES / "unbounded" / "ticket_lock.ispl")).system
    assert system is not None
    inside = [Compare("=", Read(f"Process[{i}]", "at"), Literal("inside")) for i in (1, 2)]

    def atoms(bad: Expression) -> list[str]:
        return [show(atom) for atom in invariant_atoms(system, bad, Context(), Budget())]

    assert [] == atoms(inside[0])
    assert any("ticket" in atom for atom in atoms(And(tuple(inside))))


LONG = 7**6_000


@pytest.mark.parametrize("number", [LONG, -LONG], ids=["positive", "negative"])
def test_numbers_have_any_number_of_digits(number: int) -> None:
    asked = Compare("=", X, Sum((Y, Literal(number))))
    answer, state = Concretiser(SYSTEM, Context(), Budget()).solve(
        [asked, Compare("=", Y, Literal(1))]
    )

    assert (number + 1, 1) == (state or ())[:2]
    assert answer is Satisfiable.YES


def test_no_two_checks_share_what_a_solver_knows() -> None:
    one, other = solver_of(), solver_of()

    assert one.terms.context is not other.terms.context
    assert z3.main_ctx() not in (one.terms.context, other.terms.context)


def test_a_question_is_not_asked_when_the_time_is_over() -> None:
    solver = IncrementalSolver(SYSTEM, Context(), Budget(seconds=0))

    with pytest.raises(LimitReached, match="time limit"):
        solver.ask([TRUE])
    with pytest.raises(LimitReached, match="time limit"):
        solver.covers(TRUE, TRUE, ())
