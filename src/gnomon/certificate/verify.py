"""`verify` takes a certificate and a model, and nothing else, and says which verdicts it proves.

It is the only place that knows that there are different rules for different kinds of models.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from gnomon.certificate.document import (
    AskedFormula,
    Certificate,
    ClaimedVerdict,
    ProofGrounds,
)
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import System
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import Record, replace

#: Returns the formula that a verdict is about; raises `Rejected` where there is no such formula.
FindFormula: TypeAlias = Callable[[ClaimedVerdict], AskedFormula]


class ProofOutcome(Record):
    """What was found out about one verdict: accepted, rejected, or without anything to check."""

    index: int
    formula: str
    verdict: str
    accepted: bool | None
    why: str = ""
    strategies: str | None = None
    name: str = ""
    #: Who has the last word on what was asked of solvers, where that was needed.
    solver: str = ""
    #: What was proved beside it of other numbers of agents, in words.
    beyond: str = ""


class ProofRules(Protocol):
    """How proofs about one kind of model are checked."""

    def check(self, claim: ClaimedVerdict, asked: AskedFormula) -> ProofGrounds:
        """Raise `Rejected` where a proof does not prove a verdict, `TooMuch` where that stays open."""


def verify(
    model: System | OpenSystem,
    certificate: Certificate,
    find: FindFormula,
    budget: Budget | None = None,
) -> Iterator[ProofOutcome]:
    """Yield what each verdict of a certificate is worth."""
    return judge(certificate.verdicts, find, _rules(model, certificate, budget or Budget()))


def _rules(model: System | OpenSystem, certificate: Certificate, budget: Budget) -> ProofRules:
    if isinstance(model, System):
        from gnomon.certificate.system_rules import SystemRules

        return SystemRules(model, certificate, budget)
    from gnomon.certificate.parameterised.population_rules import PopulationRules

    return PopulationRules(model, budget)


def judge(
    claims: Iterable[ClaimedVerdict], find: FindFormula, rules: ProofRules
) -> Iterator[ProofOutcome]:
    """Yield what each verdict is worth by some rules."""
    for claim in claims:
        accepted, why, grounds = _judged(claim, find, rules)
        outcome = outcome_of(claim, accepted, why)
        yield replace(outcome, solver=grounds.solver, beyond=grounds.beyond)


def outcome_of(claim: ClaimedVerdict, accepted: bool | None, why: str) -> ProofOutcome:  # noqa: FBT001
    """Return what was found out about a verdict."""
    return ProofOutcome(
        claim.index, claim.formula, claim.verdict, accepted, why, claim.strategies, claim.name
    )


def _judged(
    claim: ClaimedVerdict, find: FindFormula, rules: ProofRules
) -> tuple[bool | None, str, ProofGrounds]:
    if claim.proof is None:
        return None, claim.reason, ProofGrounds()
    try:
        with room_to_recurse():
            grounds = rules.check(claim, find(claim))
    except Rejected as error:
        return False, str(error), ProofGrounds()
    except (TooMuch, LimitReached) as limit:
        return None, str(limit), ProofGrounds()
    return True, "", grounds
