"""Which engine answers: the only module that knows concrete ones. They are loaded when they are used."""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from gnomon.engines.algebra import Algebra
from gnomon.model.budget import Budget
from gnomon.model.system import Specification, System

Engine: TypeAlias = Literal["auto", "bdd", "explicit"]
EngineName: TypeAlias = Literal["bdd", "explicit"]
READY = False


def choose_engine(wanted: Engine, system: System, strategies: str) -> EngineName:
    """Return the engine for a model: symbolic, but for what only the explicit one can do."""
    if wanted != "auto":
        return wanted
    symbolic = system.kind == "finite" and strategies == "perfect" and READY
    return "bdd" if symbolic else "explicit"


def explore(
    engine: EngineName, system: System, specifications: Iterable[Specification], budget: Budget
) -> Algebra[Any]:
    """Return the reachable states of a system, as sets of the engine."""
    if engine == "explicit":
        from gnomon.engines.explicit.engine import explore as explore_explicitly

        return explore_explicitly(system, budget)
    from gnomon.engines.bdd.algebra import BddAlgebra

    asked = (*system.fairness, *specifications)
    return BddAlgebra(system, [item.formula for item in asked], budget)
