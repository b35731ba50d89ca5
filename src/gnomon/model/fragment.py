"""Which fragment a formula is in: all who treat some formulae differently ask here.

CTL* has state formulae and path formulae (Emerson and Halpern 1986). CTL and ATL are what is left where every
quantifier has just one temporal operator, over state formulae; knowledge and norms may occur anywhere.
"""

from collections.abc import Iterable
from typing import Final

from gnomon.model.formula import (
    All,
    And,
    Constant,
    Enforces,
    Exists,
    Formula,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Norm,
    Not,
    Obliged,
    Or,
    PathOperator,
    Proposition,
    StateCondition,
    is_path_formula,
    parts,
    walk,
)

__all__ = [
    "coalition_members",
    "has_coalition",
    "is_atlk",
    "is_ctl_path",
    "is_path_formula",
    "is_propositional",
    "says_of_all",
    "says_of_some",
    "state_subformulae",
]

_PROPOSITIONAL: Final = (Constant, Proposition, StateCondition, Norm, Not, And, Or, Implies, Iff)


def is_propositional(formula: Formula) -> bool:
    """Return whether a formula only looks at the state: it has no operators of time or knowledge."""
    return all(isinstance(part, _PROPOSITIONAL) for part in walk(formula))


def has_coalition(formula: Formula) -> bool:
    """Return whether a coalition operator occurs."""
    return any(isinstance(part, Enforces) for part in walk(formula))


def coalition_members(formulae: Iterable[Formula]) -> frozenset[str]:
    """Return all agents that are in some coalition of some formulae."""
    every = (part for formula in formulae for part in walk(formula))
    return frozenset(
        name for part in every if isinstance(part, Enforces) for name in part.group.members
    )


def is_ctl_path(path: Formula) -> bool:
    """Return whether a path formula is one of CTL: a temporal operator over state formulae."""
    return isinstance(path, PathOperator) and not any(map(is_path_formula, parts(path)))


def is_atlk(formula: Formula) -> bool:
    """Return whether a formula is one of CTL, ATL and knowledge, and not of LTL or CTL*."""
    quantified = [part.path for part in walk(formula) if isinstance(part, (All, Exists, Enforces))]
    return not is_path_formula(formula) and all(
        is_ctl_path(path) or not is_path_formula(path) for path in quantified
    )


def says_of_some(formula: Formula) -> bool:
    """Return whether a formula of CTL and knowledge only says that some paths, or some states, are there.

    It stays true where there are more states and steps.
    """
    return _quantifies(formula, some=True)


def says_of_all(formula: Formula) -> bool:
    """Return whether a formula only says something of all paths, or states that look the same."""
    return _quantifies(formula, some=False)


def _quantifies(formula: Formula, *, some: bool) -> bool:
    if is_propositional(formula):
        return True
    match formula:
        case Not(body):
            return _quantifies(body, some=not some)
        case And() | Or():
            return all(_quantifies(part, some=some) for part in parts(formula))
        case Implies(left, right):
            return _quantifies(left, some=not some) and _quantifies(right, some=some)
        case Exists(path) | All(path) if is_ctl_path(path):
            return some == isinstance(formula, Exists) and all(
                _quantifies(part, some=some) for part in parts(path)
            )
        case Knows(_, body) | GroupKnows(_, _, body) | Obliged(_, body):
            return not some and _quantifies(body, some=False)
        case _:
            return False


def state_subformulae(formula: Formula) -> list[Formula]:
    """Return the largest proper subformulae that are state formulae, from left to right."""
    found: list[Formula] = []
    for part in parts(formula):
        found += state_subformulae(part) if is_path_formula(part) else [part]
    return found
