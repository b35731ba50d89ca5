"""Formulae decided by satisfiability, without the processes around it."""

from gnomon.checking.circuit_work import CircuitWork
from gnomon.checking.decider import Decision, Task
from gnomon.checking.options import Options
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.solved_formulae import SolvedFormula, SolvedFormulae
from gnomon.checking.told import Limits
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula, show_formula
from gnomon.model.system import Logic, Specification, System
from gnomon.text.source import Source


def formulae_of(system: System, budget: Budget | None = None) -> SolvedFormulae:
    """Return what decides formulae of a system."""
    budget = budget or Budget()
    task = Task(system, (), Options(engine="sat"), Limits.of(budget), Source("", ""))
    return SolvedFormulae(CircuitWork(SharedWork(task, system, budget)))


def solved(formulae: SolvedFormulae, formula: Formula, logic: Logic = "CTL") -> SolvedFormula:
    """Return a formula that is not decided yet; the same one each time that it is asked for."""
    asked = Specification(formula, show_formula(formula), 0, logic)
    return formulae.of(hash((formula, logic)), asked)


def decided(formulae: SolvedFormulae, formula: Formula, logic: Logic = "CTL") -> Decision:
    """Decide a formula, with evidence, which is replayed; raises `Refused` where that cannot be done."""
    return solved(formulae, formula, logic).decision(evidence=True)
