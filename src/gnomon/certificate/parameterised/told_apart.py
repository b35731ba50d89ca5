"""How many agents in one local state guards and conditions can tell apart."""

from collections.abc import Iterable

from gnomon.certificate.rejection import Rejected
from gnomon.model.parameterised.condition import (
    And,
    Condition,
    Enough,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Not,
    Or,
    Related,
    Same,
    parts,
    walk,
)
from gnomon.model.parameterised.system import OpenSystem


def distinguished(system: OpenSystem, conditions: Iterable[Condition]) -> int:
    """Return how many agents of a place guards, what is fair, and some conditions can tell apart.

    Agents in one local state differ only in who they are. A condition that does not compare agents sees
    whether there is one. One that does can speak of as many as it binds, one inside the other, and of
    `self`: where there are that many or more, here and there, whoever is chosen here has a counterpart there
    that is the same as, or different from, each that was chosen before.
    """
    guards = [guard for part in system.part.values() for guard in part.guards.values()]
    fair = [each.condition for each in system.fairness]
    asked = (*guards, *fair, *conditions)
    if any(isinstance(part, Enough) for condition in asked for part in walk(condition)):
        raise Rejected("a count is compared, and no cap is known that it does not see beyond")
    return max((1, *map(_told_apart, asked)))


def _told_apart(condition: Condition) -> int:
    if not any(isinstance(part, Same) for part in walk(condition)):
        return 1
    return 1 + _bound(condition)


def _bound(condition: Condition) -> int:
    """Return how many agents are bound, one inside the other."""
    match condition:
        case Holds() | Related() | Equal() | Same():
            return 0
        case Not() | And() | Or() | ForValues() | Enough():
            return max(map(_bound, parts(condition)), default=0)
        case Exists(_, _, body) | Forall(_, _, body):
            return 1 + _bound(body)
