"""Certificates for verdicts about any number of agents: runs and invariants that the checker has accepted."""

from typing import Any, Final

from gnomon.checking.proofs import UNDECIDED, ProofAttempt, Proved, entry_of, first_accepted
from gnomon.checking.verdict import Value, Verdict
from gnomon.engines.parameterised.decision import PopulationDecision as Decision
from gnomon.engines.parameterised.run import OpenRun
from gnomon.model.budget import Budget
from gnomon.model.parameterised.system import Knowledge, OpenSystem, PopulationQuestion

#: So many seconds may it take to check one proof before it is written.
_PATIENCE: Final = 30.0
#: A proof with more cases, or more events, than this is not written.
_MOST_CASES: Final = 10_000


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
    proof, reason = _proof(question, decision)
    if proof is None:
        return {**entry, "reason": reason}
    left = _PATIENCE if budget.seconds is None else budget.seconds - budget.spent()
    own = Budget(seconds=max(0.0, min(_PATIENCE, left)), within=budget)
    accepted, why = first_accepted(system, question, entry, [ProofAttempt(proof)], own)
    return {**entry, "proof": proof} if accepted else {**entry, "reason": why}


def _proof(question: PopulationQuestion, decision: Decision) -> tuple[dict[str, Any] | None, str]:
    """Return a proof to try, or why there is none."""
    if decision.run is not None:
        runs = [run for run in (decision.run, decision.other) if run is not None]
        if max(len(run.events) for run in runs) > _MOST_CASES:
            return None, f"its run has more than {_MOST_CASES:,} steps"
        knowing = isinstance(question.query, Knowledge)
        return {
            "kind": "population-run",
            "members": list(decision.run.members),
            "agent": 0 if knowing else None,
            "runs": [_of_run(run) for run in runs],
        }, ""
    if decision.invariant is not None:
        cases = decision.invariant.get("cases") or decision.invariant.get("cubes") or ()
        if len(cases) > _MOST_CASES:
            return None, f"its proof is an invariant of more than {_MOST_CASES:,} cases"
        return {"kind": "invariant", "invariant": decision.invariant}, ""
    if isinstance(question.query, Knowledge):
        return None, "there is no rule for what agents always know, however many there are"
    return None, "its proof is an invariant that is too large to be written down"


def _of_run(run: OpenRun) -> dict[str, Any]:
    return {
        "facts": [[relation, list(arguments), value] for (relation, arguments), value in run.facts],
        "start": [list(run.start.environment), [list(local) for local in run.start.agents]],
        "events": [[event.environment, list(event.agents)] for event in run.events],
    }
