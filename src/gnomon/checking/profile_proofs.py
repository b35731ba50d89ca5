"""Profiles that make a formula true, as data for a proof, with the proof of the system that they leave."""

from collections.abc import Iterator
from typing import Any, Final

from gnomon.certificate.arithmetic_data import of_comparison
from gnomon.checking.cell_profiles import PrunedSystem
from gnomon.checking.certify_cells import proved_on_cells
from gnomon.checking.proofs import Proved
from gnomon.model import expression as typed
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.expression import Expression
from gnomon.model.system import Specification, System

NO_PROFILE: Final = "there is no rule for what no profile of strategies makes true"
_OF_SOME: Final = "a proof is about a profile of all agents, and this is one of some of them"


def proved_by_profile(
    system: System,
    asked: Specification,
    entry: dict[str, Any],
    pruned: PrunedSystem,
    budget: Budget,
) -> Proved:
    """Return the entry of a formula that is true of some profile, with a proof, or why there is none."""
    choosing = {each.name for each in system.agents if each.actions and not each.observer}
    decision = pruned.abstraction.latest
    assert decision is not None
    if choosing != set(pruned.agents):
        return Proved({**entry, "reason": _OF_SOME})
    try:
        profile = {name: list(_rows(pruned, name)) for name in pruned.agents}
    except OutOfReach as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    return proved_on_cells(system, asked, entry, decision, budget, {"profile": profile})


def _rows(pruned: PrunedSystem, name: str) -> Iterator[list[Any]]:
    """Yield what an agent does in each view: conditions that hold there, and the action."""
    for choice in pruned.choices:
        if choice.agent == name and choice.action is not None:
            yield [list(_atoms(choice.view)), choice.action]


def _atoms(condition: Expression) -> Iterator[dict[str, Any]]:
    match condition:
        case typed.And(operands):
            for operand in operands:
                yield from _atoms(operand)
        case typed.Not(typed.Compare() as comparison):
            yield _compared(comparison, holds=False)
        case typed.Compare(_, typed.Read(agent, variable), typed.Literal(value)) if (
            type(value) is not int
        ):
            yield {"variable": [agent, variable], "value": value}
        case typed.Compare():
            yield _compared(condition, holds=True)
        case _:
            raise OutOfReach(f"a profile that goes by `{typed.show(condition)}`")


def _compared(comparison: typed.Compare, *, holds: bool) -> dict[str, Any]:
    data = of_comparison(comparison)
    if data is None:
        raise OutOfReach(f"a profile that goes by `{typed.show(comparison)}`")
    return {"comparison": data, "holds": holds}
