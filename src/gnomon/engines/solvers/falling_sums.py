"""Weights under which a sum falls: a small linear programme over what steps do to each number."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from gnomon.engines.solvers.smt import Context, Satisfiable, check
from gnomon.model.budget import Budget
from gnomon.model.patience import patience

if TYPE_CHECKING:
    from z3 import RatNumRef

#: Sums with larger weights than this say little to anybody.
_LARGEST: Final = 1_000
#: So many milliseconds may one question take.
_PATIENCE: Final = 500


class NumberDrift(NamedTuple):
    """By how much one step may change a number (None: by any), and whether it is bounded before the step."""

    least: int | None
    most: int | None
    bounded_below: bool
    bounded_above: bool


def falling_sum(
    steps: Sequence[Sequence[NumberDrift]], falls: int, context: Context, budget: Budget
) -> list[int] | None:
    """Return small weights of numbers, such that their sum grows in no step and falls in a given one.

    There, all parts of the sum are bounded. None if there are no such weights, or none are found in time.
    """
    import z3

    of = context.of_solver
    solver = z3.Optimize(ctx=of)
    solver.set("timeout", patience(_PATIENCE, budget))
    count = len(steps[falls])
    plus = [z3.Real(f"plus_{number}", of) for number in range(count)]
    minus = [z3.Real(f"minus_{number}", of) for number in range(count)]
    for weight in (*plus, *minus):
        solver.add(weight >= 0)
    for place, step in enumerate(steps):
        terms = [z3.RealVal(0, of)]
        for drift, up, down in zip(step, plus, minus, strict=True):
            if drift.most is None or (place == falls and not drift.bounded_below):
                solver.add(up == 0)
            else:
                terms.append(up * drift.most)
            if drift.least is None or (place == falls and not drift.bounded_above):
                solver.add(down == 0)
            else:
                terms.append(down * -drift.least)
        solver.add(z3.Sum(terms) <= (-1 if place == falls else 0))
    solver.minimize(z3.Sum([*plus, *minus]))
    if check(solver) is not Satisfiable.YES:
        return None
    model = solver.model()
    found = [_fraction(model.eval(term, model_completion=True)) for term in (*plus, *minus)]
    scale = lcm(*(weight.denominator for weight in found))
    weights = [int(scale * (found[n] - found[count + n])) for n in range(count)]
    return weights if max(map(abs, weights)) <= _LARGEST else None


def _fraction(number: "RatNumRef") -> Fraction:
    return Fraction(number.numerator_as_long(), number.denominator_as_long())
