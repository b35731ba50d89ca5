"""Formulae in few operators, so that few rules are needed to check them."""

from collections.abc import Callable
from typing import Final

from gnomon.certificate.rejection import Unproved
from gnomon.model.formula import (
    All,
    And,
    Bounded,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Group,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
)
from gnomon.model.windows import at_step, dual

TRUE = Constant(True)
FALSE = Constant(False)
#: Where a path starts that counts.
FAIR = Exists(Globally(TRUE))
#: So many steps are written one inside the other.
MOST_NESTED: Final = 50


def spelled(formula: Formula) -> str:
    """Return the text of a formula with the members of every group: names of groups may mislead."""
    return show_formula(with_members(formula))


def with_members(formula: Formula) -> Formula:
    """Return the formula with every group called by its members."""
    match formula:
        case Not(body):
            return Not(with_members(body))
        case And(operands):
            return And(tuple(map(with_members, operands)))
        case Or(operands):
            return Or(tuple(map(with_members, operands)))
        case Implies(left, right):
            return Implies(with_members(left), with_members(right))
        case Iff(left, right):
            return Iff(with_members(left), with_members(right))
        case Next(body) | Finally(body) | Globally(body) | All(body) | Exists(body):
            return type(formula)(with_members(body))
        case Until(left, right) | WeakUntil(left, right) | Release(left, right):
            return type(formula)(with_members(left), with_members(right))
        case Bounded(path, low, high):
            return Bounded(with_members(path), low, high)  # type: ignore[arg-type]
        case Knows(agent, body) | Obliged(agent, body):
            return type(formula)(agent, with_members(body))
        case Enforces(group, path):
            return Enforces(_spelled_group(group), with_members(path))
        case GroupKnows(kind, group, body):
            return GroupKnows(kind, _spelled_group(group), with_members(body))
        case _:
            return formula


def _spelled_group(group: Group) -> Group:
    return Group(group.members, "{" + ", ".join(group.members) + "}")


def core(formula: Formula) -> Formula:
    """Return the same in ¬, ∧, ↔, EX, EU, EG, K, D, C, O and ⟨Γ⟩X, ⟨Γ⟩U, ⟨Γ⟩G, ⟨Γ⟩W, ⟨Γ⟩R.

    A path formula inside a Boolean one is not the same as one that every path is said to satisfy.
    """
    if isinstance(formula, Not | And | Or | Implies | Iff) and is_path_formula(formula):
        raise Unproved(show_formula(formula))
    match formula:
        case Constant() | Proposition() | StateCondition() | Norm():
            return formula
        case Not(body):
            return Not(core(body))
        case And(operands):
            return And(tuple(map(core, operands)))
        case Or(operands):
            return Not(And(tuple(Not(core(operand)) for operand in operands)))
        case Implies(left, right):
            return Not(And((core(left), Not(core(right)))))
        case Iff(left, right):
            return Iff(core(left), core(right))  # in ¬ and ∧ it would double both sides
        case Knows(agent, body):
            return Knows(agent, core(body))
        case GroupKnows("everybody", group, body):
            return And(tuple(Knows(member, core(body)) for member in group.members))
        case GroupKnows("common", group) if not group.members:
            return TRUE  # nobody there to confuse this state with any
        case GroupKnows(kind, group, body):
            return GroupKnows(kind, group, core(body))
        case Obliged(agent, body):
            return Obliged(agent, core(body))
        case Exists(Release(left, right)):
            comes = Exists(Until(right, And((left, right))))
            return core(Or((comes, Exists(Globally(right)))))
        case Exists(WeakUntil(left, right)):
            return core(Or((Exists(Until(left, right)), Exists(Globally(left)))))
        case Exists(Bounded() as path):
            return _nested(path, Exists)
        case Exists(path):
            return Exists(_core_path(path))
        case All(path):
            return _all(path)
        case Enforces(group, Bounded() as path) if group.members:
            return _nested(path, lambda later: Enforces(group, later))
        case Enforces(group, path):
            return Enforces(group, _core_path(path)) if group.members else _all(path)
        case Next() | Finally() | Globally() | Until() | WeakUntil() | Release() | Bounded():
            return _all(formula)  # LTL says it of every path


def unrolled(formula: Formula, *, endless: bool) -> Formula | None:
    """Return a formula on paths with bounds, step by step; None where it is none, or speaks of nobody.

    `endless`: only endless paths count, so where none starts there is none that comes to anything at once.
    """
    match formula:
        case Exists(Bounded() as path):
            found = _nested(path, Exists)
            return And((found, FAIR)) if endless else found
        case Enforces(group, Bounded() as path) if group.members:
            return _nested(path, lambda later: Enforces(group, later))
        case All(Bounded() as path) | Enforces(_, Bounded() as path):
            against = Exists(dual(path))
            return Not(unrolled(against, endless=endless))  # type: ignore[arg-type]
        case Bounded():
            return unrolled(All(formula), endless=endless)
        case _:
            return None


def _nested(path: Bounded, quantify: Callable[[Formula], Formula]) -> Formula:
    """Return a path formula with bounds, one step inside the other.

    That is right for those who see everything: they can count.
    """
    if path.high > MOST_NESTED:
        raise Unproved(show_formula(path))
    pairs: dict[tuple[Formula, Formula], tuple[Formula, Formula]] = {}
    found: Formula = FALSE
    for step in reversed(range(path.high + 1)):
        pair = at_step(path, step)
        if pair not in pairs:
            pairs[pair] = (_core_state(pair[0]), _core_state(pair[1]))
        won, kept = pairs[pair]
        goes_on = And((kept, quantify(Next(found))))
        found = won if step == path.high else Not(And((Not(won), Not(goes_on))))
    return found


def _core_path(path: Formula) -> Formula:
    """Return a path formula in X, U and G; path formulae inside path formulae are LTL's and CTL*'s own."""
    match path:
        case Next(body):
            return Next(_core_state(body))
        case Finally(body):
            return Until(TRUE, _core_state(body))
        case Globally(body):
            return Globally(_core_state(body))
        case Until(left, right) | WeakUntil(left, right) | Release(left, right):
            return type(path)(_core_state(left), _core_state(right))
        case _:
            raise Unproved(show_formula(path))


def _core_state(formula: Formula) -> Formula:
    if is_path_formula(formula):
        raise Unproved(show_formula(formula))
    return core(formula)


def _all(path: Formula) -> Formula:
    """By duality; on paths that end, too: there AX holds of everything."""

    def never(broken: Formula) -> Formula:
        return Not(Exists(_core_path(broken)))

    match path:
        case Next(body):
            return never(Next(Not(body)))
        case Finally(body):
            return never(Globally(Not(body)))
        case Globally(body):
            return never(Finally(Not(body)))
        case Until(left, right):
            broken = Until(Not(right), And((Not(left), Not(right))))
            return And((never(broken), never(Globally(Not(right)))))
        case WeakUntil() | Release():
            return never(dual(path))
        case Bounded():
            return Not(_nested(dual(path), Exists))  # type: ignore[arg-type]
        case _:
            raise Unproved(show_formula(path))
