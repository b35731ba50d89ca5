"""Flows that are balanced at every node of a graph: a small linear programme, exactly."""

from collections.abc import Iterable, Sequence
from math import lcm
from typing import NamedTuple

from gnomon.engines.solvers.smt import Context, Satisfiable, check
from gnomon.model.budget import Budget
from gnomon.model.patience import patience

#: So many milliseconds may one question take.
_PATIENCE = 2_000


class Flow(NamedTuple):
    """A quantity, by its name, that is a multiple of a rate: exactly or at least."""

    name: int
    rate: int
    factor: int
    exact: bool


class Circulation(NamedTuple):
    """Balances (quantities with signs that add up to nothing), and flows. No quantity is negative."""

    balances: Sequence[Sequence[tuple[int, int]]]
    flows: Sequence[Flow]

    def used(self, rates: Iterable[int], budget: Budget) -> set[int]:
        """Return the rates that are positive in some solution; all of them where that is not found out."""
        import z3

        context = Context()
        of = context.of_solver
        solver = z3.SolverFor("QF_LRA", ctx=of)
        names = {name for balance in self.balances for name, _ in balance}
        real = {name: z3.Real(f"x{name}", of) for name in names}
        for quantity in real.values():
            solver.add(quantity >= 0)
        for balance in self.balances:
            solver.add(z3.Sum([sign * real[name] for name, sign in balance]) == 0)
        for name, rate, factor, exact in self.flows:
            least = factor * real[rate]
            solver.add(real[name] == least if exact else real[name] >= least)
        open_ = set(rates)
        used: set[int] = set()
        # Solutions can be added up: what some of them use, one of them uses.
        while open_:
            budget.check()
            solver.set("timeout", patience(_PATIENCE, budget))
            solver.push()
            solver.add(z3.Sum([real[name] for name in sorted(open_)]) >= 1)
            answer = check(solver)
            if answer is Satisfiable.NO:
                return used
            if answer is not Satisfiable.YES:
                return used | open_
            model = solver.model()
            zero = z3.RealVal(0, of)
            new = {n for n in open_ if not z3.eq(model.eval(real[n], model_completion=True), zero)}
            solver.pop()
            used |= new
            open_ -= new
        return used

    def lowered(self, rates: set[int], budget: Budget) -> list[int] | None:
        """Return a weight for each balance, such that some rates lower the sum, and nothing raises it.

        These rates are zero in all solutions, and this is why. None where no such weights are found in time.
        """
        import z3

        context = Context()
        of = context.of_solver
        solver = z3.SolverFor("QF_LRA", ctx=of)
        solver.set("timeout", patience(_PATIENCE, budget))
        weights = [z3.Real(f"y{place}", of) for place in range(len(self.balances))]
        effect: dict[int, list[z3.ArithRef]] = {}
        for weight, balance in zip(weights, self.balances, strict=True):
            for name, sign in balance:
                effect.setdefault(name, []).append(sign * weight)
        changed = {name: z3.Sum(terms) for name, terms in effect.items()}
        total = {name: [change] for name, change in changed.items()}
        for flow in self.flows:
            total[flow.rate].append(flow.factor * changed[flow.name])
            del total[flow.name]
            if not flow.exact:
                solver.add(changed[flow.name] <= 0)
        for name, terms in total.items():
            solver.add(z3.Sum(terms) <= (-1 if name in rates else 0))
        if check(solver) is not Satisfiable.YES:
            return None
        model = solver.model()
        found = [model.eval(weight, model_completion=True).as_fraction() for weight in weights]
        scale = lcm(*(each.denominator for each in found))
        return [int(scale * each) for each in found]
