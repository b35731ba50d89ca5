"""Deadlocks, overflows and fair paths on cells of states: surely none, surely one, or undefined."""

from dataclasses import replace

from gnomon.checking.decider import Decision
from gnomon.checking.exploring import shown_state
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.refusals import NO_FAIR_START
from gnomon.checking.supported import mishap
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.overflows import overflow_condition
from gnomon.model.budget import Budget
from gnomon.model.evidence import Evidence, Run
from gnomon.model.formula import (
    All,
    Constant,
    Exists,
    Formula,
    Globally,
    Next,
    Not,
    Or,
    StateCondition,
)
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source

_SOMETHING: Formula = Exists(Next(Constant(value=True)))


def sane(
    system: System,
    abstraction: PredicateAbstraction,
    check: str,
    budget: Budget,
    refine: int | None = None,
) -> Decision:
    """Decide whether there is no deadlock, or no overflow: that is a formula of CTL, without fairness.

    What is found is shown as a run of the system, of which the abstraction may know another form.
    """
    sure = abstraction.surely_lively if check == "deadlock" else abstraction.surely_within_ranges
    if sure():
        return Decision(Value.TRUE)
    formula = _never(abstraction, check)
    if formula is None:
        reason = (
            "the abstraction cannot tell: there are quotients, or too many actions to tell apart"
        )
        return Decision(Value.UNDEFINED, reason)
    asked = Specification(formula, check)
    alone = replace(abstraction.system, fairness=(), specifications=(asked,))
    decided = PredicateAbstraction(alone, (asked,), budget, refine).decide(asked, evidence=True)
    if decided.value is not Value.FALSE:
        return Decision(decided.value, decided.reason)
    shown = _run_of(decided.evidence)
    if shown is None or not _is_whole(decided.evidence):
        return Decision(Value.FALSE)
    path = [step.state for step in shown.steps]
    return Decision(Value.FALSE, evidence=mishap(system, path, check))


def surely_never_fair(abstraction: PredicateAbstraction, budget: Budget, refine: int) -> bool:
    """Return whether no initial state starts a fair path: then, and only then, what never holds is true."""
    asked = Specification(Constant(value=False), "no initial state counts")
    alone = replace(abstraction.system, specifications=(asked,))
    decided = PredicateAbstraction(alone, (asked,), budget, refine).decide(asked)
    return decided.vacuous == NO_FAIR_START


def _run_of(evidence: Evidence | None) -> Run | None:
    shown = None if evidence is None else evidence.explanation
    return None if shown is None else shown.run


def _is_whole(evidence: Evidence | None) -> bool:
    """Return whether a run is shown to its end, where something is said of it, and not how it begins."""
    shown = None if evidence is None else evidence.explanation
    return shown is not None and bool(shown.branches)


def _never(abstraction: PredicateAbstraction, check: str) -> Formula | None:
    """Return the formula that says so; None where there is none."""
    system = abstraction.system
    if check == "deadlock":
        ends = () if system.terminal is None else (StateCondition(system.terminal),)
        return All(Globally(Or((_SOMETHING, *ends))))
    condition = overflow_condition(abstraction.decider.space.moves)
    return None if condition is None else All(Globally(Not(StateCondition(condition))))


def reachable_mishap(
    system: System, source: Source, check: str, evidence: Evidence | None
) -> Diagnostic:
    """Return that a deadlock, or an overflow, is reachable, with a state where one is known."""
    shown = _run_of(evidence)
    where = f": {shown_state(system, shown.steps[-1].state)}" if shown else ""
    if check == "overflow":
        note = f"a reachable state{where}"
        return Diagnostic("G0802", "a value can leave its range", source, notes=(note,))
    but = ", which is not terminal" if system.terminal is not None else ""
    note = f"a reachable deadlock{but}{where}"
    return Diagnostic("G0801", "the model can get stuck", source, notes=(note,))
