"""Formulae of time about any number of agents: automata for their paths, and lassos as evidence."""

from typing import Final

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_lassos import branches, check_lasso
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.written_runs import lasso_data
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.lookalikes.deciding import decide_knowing
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.engines.parameterised.recurrence.ladder import Ladder
from gnomon.engines.parameterised.recurrence.tracker import Tracker
from gnomon.logic.automaton import automaton
from gnomon.logic.path import normal_form
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula
from gnomon.model.parameterised.query import Epistemic, OverTime
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

_NOT_LISTED: Final = (
    "what agents know of each other is not decided where their values are not listed"
)
_UNLISTED: Final = "over time, agents with values that are not listed are not followed"


def decide_known(system: OpenSystem, query: Epistemic, budget: Budget) -> PopulationDecision:
    """Return whether some population has a configuration that is excluded, or asked for, by what is known."""
    if not system.is_finite:
        return PopulationDecision(None, "", reason=_NOT_LISTED)
    return decide_knowing(system, query, tracker, budget)


def decide_paths(system: OpenSystem, query: OverTime, budget: Budget) -> PopulationDecision:
    """Return whether some population has a run that the question is about, or excludes."""
    if not system.is_finite:
        return PopulationDecision(None, "", reason=_UNLISTED)
    ways = list(interpretations(system))
    decisions = [
        Ladder(system, query, tracker, budget, facts, counting=len(ways) == 1).decide()
        for facts in ways
    ]
    found = [each for each in decisions if each.reached]
    if found:
        least = min(found, key=lambda each: sum(each.smallest[0]))
        confirm(system, query, least, budget)
        settled = all(each.reached is not None for each in decisions)
        return replace(least, exact=least.exact and settled)
    open_ = next((each for each in decisions if each.reached is None), None)
    return open_ or next(iter(decisions), PopulationDecision(False, ""))


def confirm(
    system: OpenSystem, query: OverTime, decision: PopulationDecision, budget: Budget
) -> None:
    """Replay a run as the checker of certificates does, which knows nothing of how it was found."""
    if not branches(query):
        check_lasso(system, lasso_data(decision), query, ObligationProver(budget, SOLVERS))


def tracker(path: Formula) -> Tracker:
    """Return an automaton that accepts the paths on which a formula holds."""
    found = automaton(normal_form(path))
    number = {until: place for place, until in enumerate(found.untils)}
    return Tracker(
        tuple(tuple(sorted(node.now, key=repr)) for node in found.nodes),
        found.initial,
        found.successors,
        tuple(frozenset(number[until] for until in node.late) for node in found.nodes),
        len(found.untils),
    )
