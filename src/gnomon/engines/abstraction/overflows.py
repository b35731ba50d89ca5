"""Where a value can leave its range, as a condition on states."""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from gnomon.engines.abstraction.cell_moves import CellMoves, LineChoice, Unit
from gnomon.model import expression as typed
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange
from gnomon.model.expression import Expression
from gnomon.model.scheduled import enabled_when
from gnomon.model.system import System

#: So many joint actions are told apart before this is too much to write down.
_MOST: Final = 500


def overflow_condition(moves: CellMoves) -> Expression | None:
    """Return when some joint action and some line give a variable a value outside its range.

    None where that cannot be written down: a quotient may be no integer, or too many actions matter.
    """
    parts: list[Expression] = []
    for unit in moves.units:
        for choice in unit.choices:
            if choice.fits.must != moves.diagrams.true:
                found = _lost_by(moves.system, unit, choice)
                if found is None or len(parts) + len(found) > _MOST:
                    return None
                parts.extend(found)
    return typed.Or(tuple(parts))


def _lost_by(system: System, unit: Unit, choice: LineChoice) -> list[Expression] | None:
    """Return when one way to change some variables has no result, one condition for each joint action."""
    outside: list[Expression] = []
    for item in choice.assignments:
        domain = system.variables[system.position[unit.agent.name, item.variable]].domain
        found = _outside(item.value, domain)
        if found is None:
            return None
        outside.append(found)
    lost = typed.And((typed.Or(choice.guards), typed.Or(tuple(outside))))
    names = sorted(typed.actors(lost))
    if prod(len(system.agent(name).actions) for name in names) > _MOST:
        return None
    return list(_by_actions(system, names, lost))


def _by_actions(system: System, names: list[str], lost: Expression) -> Iterator[Expression]:
    """Yield when something that looks at actions holds, for each choice of these, if all others can act."""
    others = [each for each in system.agents if each.actions and each.name not in names]
    able = [
        typed.Or(tuple(enabled_when(agent, action) for action in agent.actions)) for agent in others
    ]
    for actions in product(*(system.agent(name).actions for name in names)):
        doing = dict(zip(names, actions, strict=True))
        here = (enabled_when(system.agent(name), action) for name, action in doing.items())
        yield typed.And((*here, typed.decided(lost, doing), *able))


def _outside(value: Expression, domain: Domain) -> Expression | None:
    """Return when a value is outside a range; None where that cannot be said."""
    match domain:
        case Boolean():
            return typed.FALSE
        case Enumeration(names):
            same = tuple(typed.Compare("=", value, typed.Literal(name)) for name in names)
            return typed.Not(typed.Or(same))
        case _ if typed.may_be_fraction(value):
            return None
        case IntegerRange(low, high):
            below = typed.Compare("<", value, typed.Literal(low))
            return typed.Or((below, typed.Compare(">", value, typed.Literal(high))))
        case _:
            return typed.FALSE
