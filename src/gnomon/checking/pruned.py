"""The reading `uniform-model`: a formula holds if it does in the model pruned to some uniform profile."""

from typing import Any

from gnomon.checking.decider import Decision
from gnomon.checking.options import Options
from gnomon.checking.supported import profile
from gnomon.checking.verdict import Value
from gnomon.engines.game import ViewChoices
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.system import Specification, System


def in_some_pruned_model(
    truth: Satisfaction[Any], formula: Specification, options: Options, budget: Budget
) -> Decision:
    """Look for a profile of uniform strategies in whose model a formula holds."""
    system = truth.algebra.system
    agents = profiled(system, options.uniform_group)
    for choices, algebra in truth.algebra.pruned(agents):
        pruned = Satisfaction(algebra, system.fairness)
        if pruned.holds(formula.formula, formula.logic):
            shown = _shown(system, formula, agents, choices, budget) if options.evidence else None
            return Decision(Value.TRUE, evidence=shown)
    return Decision(Value.FALSE)


def _shown(
    system: System,
    formula: Specification,
    agents: tuple[str, ...],
    choices: ViewChoices,
    budget: Budget,
) -> Evidence | None:
    try:
        return profile(system, formula, agents, choices, budget)
    except LimitReached:
        return None


def profiled(system: System, name: str | None) -> tuple[str, ...]:
    """Return the agents whose choices are fixed: those of a group, one, or all."""
    if name is None:
        return tuple(agent.name for agent in system.agents if not agent.observer)
    if name in system.groups:
        return system.groups[name].members
    return (system.agent(name).name,)
