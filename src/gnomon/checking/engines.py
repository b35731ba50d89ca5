"""Which engine answers: the only module that knows concrete ones. They are loaded when they are used."""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from gnomon.engines.algebra import Algebra
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.system import Specification, System

Engine: TypeAlias = Literal["auto", "bdd", "explicit"]
EngineName: TypeAlias = Literal["bdd", "explicit"]


def choose_engine(wanted: Engine) -> EngineName:
    """Return the engine for a model. The symbolic one is for those who ask, until it adapts by itself."""
    return "explicit" if wanted == "auto" else wanted


def explore(
    engine: EngineName, system: System, specifications: Iterable[Specification], budget: Budget
) -> Algebra[Any]:
    """Return the reachable states of a system, as sets of the engine."""
    if engine == "explicit":
        from gnomon.engines.explicit.engine import explore as explore_explicitly

        return explore_explicitly(system, budget)
    if system.kind == "unbounded":
        msg = "the symbolic engine needs finite ranges: use --engine explicit"
        raise LimitReached(msg)
    from gnomon.engines.bdd.algebra import BddAlgebra

    asked = (*system.fairness, *specifications)
    return BddAlgebra(system, [item.formula for item in asked], budget)
