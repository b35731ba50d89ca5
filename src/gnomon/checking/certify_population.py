"""Certificates for verdicts about any number of agents: runs and invariants that the checker has accepted."""

from collections.abc import Iterable
from dataclasses import replace as with_fields
from typing import Any, Final

from gnomon.certificate.parameterised.population_lassos import branches
from gnomon.checking.proofs import UNDECIDED, ProofAttempt, Proved, entry_of, first_accepted
from gnomon.checking.verdict import Value, Verdict
from gnomon.checking.written_runs import chain_data, lasso_data, written_run
from gnomon.engines.parameterised.decision import NO_START
from gnomon.engines.parameterised.decision import PopulationDecision as Decision
from gnomon.engines.parameterised.search_invariant import ViewSets, written_views
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    Knowledge,
    OverTime,
    Query,
    Safety,
    over_time,
    reached_only,
)
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.text.record import replace

#: So many seconds may it take to check one proof before it is written.
_PATIENCE: Final = 30.0
#: A proof with more cases, or more events, than this is not written.
_MOST_CASES: Final = 10_000
_TOO_LARGE: Final = "its proof is an invariant that is too large to be written down"


def proved(
    system: OpenSystem,
    question: PopulationQuestion,
    verdict: Verdict,
    decision: Decision,
    budget: Budget,
) -> Proved:
    """Return the entry of a verdict, with a proof that the checker has accepted or why there is none."""
    return Proved(_entry(system, question, verdict, decision, budget))


def _entry(
    system: OpenSystem,
    question: PopulationQuestion,
    verdict: Verdict,
    decision: Decision,
    budget: Budget,
) -> dict[str, Any]:
    entry = entry_of(verdict, "CTL", "")
    if verdict.value not in {Value.TRUE, Value.FALSE}:
        return {**entry, "reason": UNDECIDED}
    left = _PATIENCE if budget.seconds is None else budget.seconds - budget.spent()
    own = Budget(seconds=max(0.0, min(_PATIENCE, left)), within=budget)
    try:
        attempts, reason = _attempts(system, question, decision, own)
        accepted, why = first_accepted(system, question, entry, attempts, own)
    except LimitReached as limit:
        budget.check()
        return {**entry, "reason": str(limit)}
    return {**entry, "proof": accepted.proof} if accepted else {**entry, "reason": reason or why}


def _attempts(
    system: OpenSystem, question: PopulationQuestion, decision: Decision, budget: Budget
) -> tuple[Iterable[ProofAttempt], str]:
    """Return proofs to try, and what to say if none does, unless it is what the checker says of the last."""
    query = question.query
    if _is_about_points(query, decision):
        from gnomon.checking.certify_knowledge import known_attempts, why_not

        known = _without_time(query)
        return known_attempts(system, known, decision, budget), why_not(known, system)
    if isinstance(query, OverTime) and decision.run is not None and branches(query):
        from gnomon.checking.certify_branching import branching_attempts

        beyond = _from_on(system, query, decision.from_on, budget)
        return branching_attempts(system, query, decision, beyond, budget), ""
    find = _with_parameters if system.parameters else _proof
    proof, reason = find(system, question, decision, budget)
    return ([] if proof is None else [ProofAttempt(proof)]), reason


def _is_about_points(query: Query, decision: Decision) -> bool:
    """Return whether it was decided by what agents know at all configurations."""
    if decision.method == NO_START or (decision.arrives and decision.run is not None):
        return False
    if decision.arrives:
        return True
    if isinstance(query, Knowledge) and decision.reached is False:
        return decision.cut is None
    return isinstance(query, Epistemic) or bool(decision.insights)


def _without_time(query: Query) -> Safety | Epistemic | Knowledge:
    """Return what is asked of configurations, where that is all."""
    if isinstance(query, OverTime):
        return reached_only(query)
    assert not isinstance(query, Ability)
    return query


def _proof(
    system: OpenSystem, question: PopulationQuestion, decision: Decision, budget: Budget
) -> tuple[dict[str, Any] | None, str]:
    """Return a proof to try, or why there is none."""
    if decision.method == NO_START:
        return _without_start(question.query), ""
    match question.query:
        case Ability() as query:
            from gnomon.checking.population_games import game_proof

            return game_proof(system, query, decision, budget)
        case OverTime() if decision.arrives:
            pass
        case OverTime() as query if decision.run is None:
            return _of_all_runs(system, query, budget)
        case OverTime() as query:
            beyond = _from_on(system, query, decision.from_on, budget)
            return {**lasso_data(decision), "from_on": beyond}, ""
        case Safety() as query if decision.counted:
            return _of_all_runs(system, over_time(query), budget)
        case Knowledge() as query if decision.cut is not None:
            return _of_views(system, query, decision.cut, budget)
        case Safety(bad) if decision.reached is False and decision.invariant is None:
            return _of_large_sets(system, bad, budget)
        case _:
            pass
    if decision.chain:
        return chain_data(decision), ""
    if decision.run is not None:
        runs = [run for run in (decision.run, decision.other) if run is not None]
        if max(len(run.events) for run in runs) > _MOST_CASES:
            return None, f"its run has more than {_MOST_CASES:,} steps"
        knowing = isinstance(question.query, Knowledge)
        return {
            "kind": "population-run",
            "members": list(decision.run.members),
            "agent": 0 if knowing else None,
            "runs": [written_run(run) for run in runs],
        }, ""
    if decision.invariant is not None:
        cases = decision.invariant.get("cases") or decision.invariant.get("cubes") or ()
        if len(cases) > _MOST_CASES:
            return None, f"its proof is an invariant of more than {_MOST_CASES:,} cases"
        return {"kind": "invariant", "invariant": decision.invariant}, ""
    return None, _TOO_LARGE


def _with_parameters(
    system: OpenSystem, question: PopulationQuestion, decision: Decision, budget: Budget
) -> tuple[dict[str, Any] | None, str]:
    """Return a run and its parameters, or that the checker is to ask its own solver."""
    if decision.run is None:
        return {"kind": "thresholds"}, ""
    found, reason = _proof(system, question, decision, budget)
    return found and {**found, "parameters": dict(decision.parameters)}, reason


def _of_all_runs(
    system: OpenSystem, query: OverTime, budget: Budget, least: int = 0
) -> tuple[dict[str, Any] | None, str]:
    from gnomon.checking.certify_counted import Unwritten, counted_proof

    try:
        return counted_proof(system, query, least, budget), ""
    except Unwritten as reason:
        return None, str(reason)


def _from_on(
    system: OpenSystem, query: OverTime, least: int | None, budget: Budget
) -> dict[str, Any] | None:
    """Return the proof that no larger population has such a run from a number on, if there is one."""
    if least is None:
        return None
    [template] = system.templates
    larger = with_fields(system, templates=(replace(template, low=least),))
    proof, _ = _of_all_runs(larger, query, budget, least)
    return None if proof is None else {"least": least, "ways": proof["ways"]}


def _without_start(query: Query) -> dict[str, Any]:
    """Return the proof that nothing is ever so where nothing can start: an invariant without a case."""
    invariant = {"kind": "occupied", "cases": []}
    if isinstance(query, Epistemic):
        return {"kind": "look-alikes", "runs": [], "cap": 1, "ways": []}
    if isinstance(query, Knowledge):
        return {"kind": "views", "views": [[] for _ in query.levels], "invariant": invariant}
    return {"kind": "invariant", "invariant": invariant}


def _of_large_sets(
    system: OpenSystem, bad: Condition, budget: Budget
) -> tuple[dict[str, Any] | None, str]:
    """Return an invariant of more cases, or of larger sets, than are written out elsewhere."""
    from gnomon.engines.parameterised.compiled import CompiledPopulation
    from gnomon.engines.parameterised.safety import decide_safety

    found = decide_safety(CompiledPopulation(system, budget), bad, budget, large=True)
    if found.invariant is None:
        return None, _TOO_LARGE
    return {"kind": "invariant", "invariant": found.invariant}, ""


def _of_views(
    system: OpenSystem, query: Knowledge, cut: tuple[ViewSets, ...], budget: Budget
) -> tuple[dict[str, Any] | None, str]:
    """Return the views that chains do not get out of, with an invariant that says so."""
    from gnomon.certificate.parameterised.view_cuts import broken_cut
    from gnomon.engines.parameterised.compiled import CompiledPopulation
    from gnomon.engines.parameterised.safety import decide_safety

    program = CompiledPopulation(system, budget)
    levels = [
        written_views(program, level.template, views)
        for level, views in zip(query.levels, cut, strict=True)
    ]
    if None in levels:
        return None, _TOO_LARGE
    found = decide_safety(program, broken_cut(system, query, levels), budget, large=True)
    if found.invariant is None:
        return None, "no invariant was found that keeps apart what agents can see"
    return {"kind": "views", "views": levels, "invariant": found.invariant}, ""
