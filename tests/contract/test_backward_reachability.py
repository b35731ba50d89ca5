"""What is shown to be reachable by an induction backwards is reached; each part of the rule is needed."""

from random import Random
from typing import Any

import pytest

from gnomon.engines.abstraction import backward_moves, backward_reachability
from gnomon.engines.abstraction.backward_moves import BackwardMoves
from gnomon.engines.abstraction.inverses import Inverses
from gnomon.engines.abstraction.linear import Form, form_of
from gnomon.engines.abstraction.must_reachability import MustReachability
from gnomon.engines.abstraction.partition import Partition, Predicate, coarse_variables
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, Variable
from gnomon.model.domain import Boolean, Domain, IntegerRange, Integers
from gnomon.model.expression import (
    TRUE,
    And,
    Arithmetic,
    Compare,
    Expression,
    Literal,
    Negative,
    Or,
    Read,
    Sum,
)
from gnomon.model.system import System
from tests.abstraction import Counted, Wrong, hiding, hiding_without_bounds, knowing
from tests.counting import HERE

X, Y, M = (Read(ENVIRONMENT, name) for name in "xym")
ZERO = Literal(0)


def program(
    *lines: tuple[Expression, dict[str, Expression]],
    cuts: dict[Form, tuple[int, ...]],
    kept: Domain | None = None,
    begin: str = "xym",
) -> Counted:
    """Return one or two numbers, and perhaps something else; some of them begin at zero."""
    names = sorted({name for _, changes in lines for name in changes} | {"x"})
    variables = tuple(
        Variable(ENVIRONMENT, name, (kept or Boolean()) if name == "m" else Integers())
        for name in names
    )
    evolution = tuple(
        EvolutionLine(tuple(Assignment(*each) for each in changes.items()), guard, number + 1)
        for number, (guard, changes) in enumerate(lines)
    )
    first = {name: ZERO if name != "m" or kept else Literal(value=False) for name in names}
    begins = And(
        tuple(
            Compare("=", Read(ENVIRONMENT, name), value)
            for name, value in first.items()
            if name in begin
        )
    )
    world = Agent(ENVIRONMENT, variables, (), evolution=evolution)
    system = System("program", (world,), begins, "MultiAssignment", {}, {})
    predicates = [Predicate(form, bound, HERE) for form, bounds in cuts.items() for bound in bounds]
    return Counted(Partition(system, coarse_variables(system), predicates), [])


def plus(read: Read, number: int) -> Expression:
    return Sum((read, Literal(number)))


ABOUT_ZERO = (-1, 0)
DIFFERENCE = Form(((X, 1), (Y, -1)))
#: It does not hold, but cells do not tell.
NEVER = And((Compare("=", X, Literal(5)), Compare("=", X, Literal(7))))
UP = program((TRUE, {"x": plus(X, 1)}), (NEVER, {"x": Literal(-1)}), cuts={form_of(X): ABOUT_ZERO})
#: It goes on only from some numbers, which cells do not tell from others.
UP_TO_TWO = program((Compare("<", X, Literal(2)), {"x": plus(X, 1)}), cuts={form_of(X): ABOUT_ZERO})
RESET = program(
    (TRUE, {"x": plus(X, 1), "y": ZERO}),
    (NEVER, {"y": Literal(1)}),
    cuts={form_of(X): ABOUT_ZERO, form_of(Y): ABOUT_ZERO},
)
DOUBLED = program(
    (TRUE, {"x": Arithmetic("*", Literal(2), X)}),
    (TRUE, {"x": plus(X, 2)}),
    cuts={form_of(X): ABOUT_ZERO},
)
#: However it begins, the difference is even after one step.
ENTANGLED = program(
    (TRUE, {"x": Sum((X, Y)), "y": Sum((Y, Negative(X))), "m": Literal(value=True)}),
    cuts={},
    begin="m",
)
#: The other number moves on while it is copied.
COPIED = program(
    (TRUE, {"x": Y, "y": plus(Y, 1)}),
    (NEVER, {"x": Literal(1), "y": Literal(1)}),
    cuts={form_of(X): ABOUT_ZERO, form_of(Y): (*ABOUT_ZERO, 1), DIFFERENCE: (-2, -1, 0)},
)
#: What is kept exactly is told by a number in between two cuts.
TOLD = program(
    (TRUE, {"x": plus(X, 1), "m": Or((Compare("=", X, ZERO), Compare(">", X, Literal(2))))}),
    cuts={form_of(X): ABOUT_ZERO},
    begin="x",
)
#: The only value there is does not fit later on, so that there is no step.
FITTING = program(
    (TRUE, {"x": plus(X, 1), "m": Arithmetic("div", X, Literal(2))}),
    cuts={form_of(X): ABOUT_ZERO},
    kept=IntegerRange(0, 0),
)
#: How far it goes depends on what is kept, and that on how far it goes.
GUESSED = program(
    (TRUE, {"x": Sum((X, M)), "m": Literal(1)}),
    (Compare("=", M, Literal(1)), {"x": plus(X, 1), "m": Literal(2)}),
    cuts={form_of(X): ABOUT_ZERO},
    kept=IntegerRange(0, 2),
)
PROGRAMS = {
    "guessed": GUESSED,
    "up": UP,
    "up to two": UP_TO_TWO,
    "reset": RESET,
    "doubled": DOUBLED,
    "entangled": ENTANGLED,
    "copied": COPIED,
    "told": TOLD,
    "fitting": FITTING,
}


def check(name: str) -> None:
    """Compare what is said of a program, worked out anew, with runs."""
    found = PROGRAMS[name]
    Counted(found.partition, []).compare_must_reach()


def everywhere(self: Any, *_: object) -> Any:
    return self._d.true


def may_be_made(self: BackwardMoves, unit: Any) -> Any:
    for number, choice in enumerate(unit.choices):
        yield self.diagrams.both(self._mark(unit, number), choice.when.may)


def as_it_is_now(self: Inverses, read: Read) -> Any:
    term = next(self._terms(read))[1]
    yield self._d.true, term


#: By name: the program that finds it out, and the mistake.
MUTANTS: dict[str, tuple[str, list[tuple[Any, str, Any]]]] = {
    "everything is a result": ("reset", [(Inverses, "exists", everywhere)]),
    "a constant may be any number": ("reset", [(Inverses, "_where_equal", everywhere)]),
    "odd numbers are doubles": ("doubled", [(Inverses, "_where_divisible", everywhere)]),
    "sums of each other can be undone": (
        "entangled",
        [(Inverses, "_in_circles", lambda _: frozenset())],
    ),
    "what is copied stays": ("copied", [(Inverses, "_own_before", as_it_is_now)]),
    "what has no bound runs out": (
        "up",
        [(backward_reachability, "bounded", lambda space, *_: space.diagrams.true)],
    ),
    "what may be made is made": ("up to two", [(BackwardMoves, "_enabled", may_be_made)]),
    "what may become of it does": (
        "told",
        [(backward_moves, "certain", lambda _, part: part.diagram)],
    ),
    "all new values fit": (
        "fitting",
        [(BackwardMoves, "_fitting_result", lambda self, _: self.diagrams.true)],
    ),
    "nothing has to be so before": (
        "up to two",
        [(BackwardMoves, "_requirements", lambda _: iter(()))],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_of_a_program_is_so(name: str) -> None:
    check(name)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program_name, mutant = MUTANTS[name]
    for owner, attribute, instead in mutant:
        monkeypatch.setattr(owner, attribute, instead)

    with pytest.raises(Wrong):
        check(program_name)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_said_of_hidden_counters_is_so(seed: int) -> None:
    found = hiding(Random(seed))

    found.compare_must_reach()
    found.compare_labels()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_of_hidden_counters_without_bounds_is_so(seed: int) -> None:
    hiding_without_bounds(Random(seed)).compare_must_reach()


def test_what_is_kept_exactly_is_not_taken_for_granted() -> None:
    """A comparison of a number with something kept would have ruled out what has no such result."""
    knowing(Random(213)).compare_must_reach()


def test_some_of_it_needs_the_induction() -> None:
    def gained(seed: int) -> bool:
        must: MustReachability = hiding(Random(seed)).must_reach
        return bool(must.inductively != must.everywhere)

    assert sum(map(gained, range(40))) >= 3


def test_views_have_to_be_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MustReachability, "_covers", lambda *_: True)

    with pytest.raises(Wrong):
        hiding(Random(170)).compare_labels()


def test_these_views_are_not() -> None:
    hiding(Random(170)).compare_labels()
