"""What some states that are reached soon show, where cells of states take many rounds to tell.

Whatever is there among some of the states and steps is there: a formula that only says that there are paths,
or states that look the same, is true if it is true of these. One that says something of all of them is false
if it is false of these. Nothing else follows.
"""

from typing import Any, Final

from gnomon.checking.attempts import at_once
from gnomon.checking.decider import Decision
from gnomon.checking.options import Options
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.supported import supported
from gnomon.checking.verdict import Value
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.fragment import says_of_all, says_of_some
from gnomon.model.system import Specification, System

#: So many moves are made.
_MOVES: Final = 10_000


class FirstStatesShow:
    """Decides formulae by the states that are reached soon, as far as these tell."""

    def __init__(self, shared: SharedWork) -> None:
        """Look at no state yet."""
        self._shared = shared
        self._truth: Satisfaction[Any] | None = None
        self._explored = False

    def decide(self, formula: Specification) -> Decision | None:
        """Return the verdict with what supports it; None where these states do not tell."""
        truth = self._explore()
        if truth is None or truth.algebra.is_empty(truth.initial):
            return None
        holds = truth.holds(formula.formula)
        told = says_of_some if holds else says_of_all
        if not told(formula.formula):
            return None
        value = Value.TRUE if holds else Value.FALSE
        return Decision(value, evidence=self._shown(truth, formula), engine="explicit")

    def _shown(self, truth: Satisfaction[Any], formula: Specification) -> Evidence | None:
        options = self._shared.task.options
        if not (options.evidence or options.certificate):
            return None
        try:
            return supported(truth, formula)
        except LimitReached:
            return None  # the verdict stands

    def _explore(self) -> Satisfaction[Any] | None:
        """Return where formulae hold in these states, None where there are too many to begin with."""
        if not self._explored:
            from gnomon.engines.explicit.first_states import explore_first  # few need it

            budget = self._shared.budget
            try:
                algebra = explore_first(self._shared.system, _MOVES, budget)
            except LimitReached:
                budget.check()  # if the time is over, that is the reason
                algebra = None
            self._truth = None if algebra is None else Satisfaction(algebra)
            self._explored = True
        return self._truth


def may_be_shown(system: System, formula: Specification, options: Options) -> bool:
    """Return whether a few states may show what a formula is worth, and nobody wants another way."""
    if options.engine != "auto" or options.refine is not None or system.fairness:
        return False
    if formula.logic != "CTL" or at_once(system) is None:
        return False
    return says_of_some(formula.formula) or says_of_all(formula.formula)
