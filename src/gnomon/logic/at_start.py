"""Where a formula holds when sets are right in the reachable states, and elsewhere are whatever they are."""

from functools import cached_property

from gnomon.engines.algebra import Set
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.formula import Formula, GroupKnows, Knows, Obliged, walk
from gnomon.model.fragment import has_coalition, is_atlk
from gnomon.model.system import Logic, Specification

#: These compare a state with others that it does not lead to.
_COMPARING = (Knows, GroupKnows, Obliged)


def speaks_of_steps(specification: Specification) -> bool:
    """Return whether a formula of CTL or ATL depends in each state on what that leads to, and on no more."""
    formula = specification.formula
    comparing = any(isinstance(part, _COMPARING) for part in walk(formula))
    return specification.logic == "CTL" and is_atlk(formula) and not comparing


class SatisfactionAtStart(Satisfaction[Set]):
    """The satisfaction relation over states of which nobody knows which are reachable, without fairness.

    Strategies see everything; a formula has to be one that `speaks_of_steps`.
    """

    def holds(self, formula: Formula, logic: Logic = "CTL") -> bool:
        """Return whether a formula holds in all initial states; what it is worth elsewhere says nothing."""
        assert self.strategies == "perfect" or not has_coalition(formula)
        initial = self.initial
        return self.algebra.is_subset(initial, self.states_within(formula, initial, logic))

    @cached_property
    def may_overflow(self) -> bool:
        """Whether a value can leave its range in a state that is reached."""
        algebra, everything = self.algebra, self.algebra.reachable
        if algebra.is_empty(algebra.overflows):
            return False
        sources = algebra.leads_to(algebra.overflows, everything)
        return not algebra.is_empty(algebra.intersection(sources, algebra.initial))
