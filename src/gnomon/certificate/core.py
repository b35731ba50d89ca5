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
from gnomon.model.fragment import is_ctl_path
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
        case All(body) | Exists(body) if not is_path_formula(body):
            return core(body)
        case Exists(Release(left, right)):
            comes = Exists(Until(right, And((left, right))))
            return core(Or((comes, Exists(Globally(right)))))
        case Exists(WeakUntil(left, right)):
            return core(Or((Exists(Until(left, right)), Exists(Globally(left)))))
        case Exists(Bounded() as path):
            return _nested(path, Exists, _core_state)
        case Exists(path):
            return Exists(_core_path(path))
        case All(path):
            return _all(path)
        case Enforces(group, Bounded() as path) if group.members:
            return _nested(path, lambda later: Enforces(group, later), _core_state)
        case Enforces(group, path):
            return Enforces(group, _core_path(path)) if group.members else _all(path)
        case Next() | Finally() | Globally() | Until() | WeakUntil() | Release() | Bounded():
            return _all(formula)  # LTL says it of every path


def let_off(group: Group) -> Formula:
    """Return that some members can see to it that no outcome is fair: they enforce whatever is asked then."""
    return Enforces(group, Finally(FALSE))


def unrolled(formula: Formula, *, endless: bool, fairly: bool = False) -> Formula | None:
    """Return a formula on paths with bounds, step by step; None where it is none, or no states are in it.

    `endless`: only endless paths count, so where none starts there is none that comes to anything at once.
    `fairly`: only fair ones do, and what is broken at first may not count.
    """
    match formula:
        case Exists(Bounded() as path) | All(Bounded() as path) | (Bounded() as path) if not (
            is_ctl_path(path)
        ):
            return None
        case Exists(Bounded() as path):
            found = _nested(path, Exists, _of_states)
            return And((found, FAIR)) if endless else found
        case Enforces(group, Bounded() as path) if group.members:
            found = _nested(path, lambda later: Enforces(group, later), _of_states)
            return Or((let_off(group), found)) if fairly else found
        case All(Bounded() as path) | Enforces(_, Bounded() as path):
            against = Exists(dual(path))
            return Not(unrolled(against, endless=endless))  # type: ignore[arg-type]
        case Bounded():
            return unrolled(All(formula), endless=endless)
        case _:
            return None


def is_unrolled(formula: Formula, *, informed: bool, holds: bool) -> bool:
    """Return whether bounds of a formula may be unrolled, if it has any.

    Who goes by what they see cannot count. But where not even those win who can, they do not win either.
    """
    return informed or not holds or not isinstance(formula, Enforces) or not formula.group.members


def _nested(
    path: Bounded, quantify: Callable[[Formula], Formula], inner: Callable[[Formula], Formula]
) -> Formula:
    """Return a path formula with bounds, one step inside the other; `inner` changes what is said of states.

    That is right for those who see everything: they can count.
    """
    if path.high > MOST_NESTED:
        raise Unproved(show_formula(path))
    pairs: dict[tuple[Formula, Formula], tuple[Formula, Formula]] = {}
    found: Formula = FALSE
    for step in reversed(range(path.high + 1)):
        pair = at_step(path, step)
        if pair not in pairs:
            pairs[pair] = (inner(pair[0]), inner(pair[1]))
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
    return core(_of_states(formula))


def _of_states(formula: Formula) -> Formula:
    """Return a formula about the state as it is: who goes by what they see inside it cannot count there."""
    if is_path_formula(formula):
        raise Unproved(show_formula(formula))
    return formula


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
            return Not(_nested(dual(path), Exists, _core_state))  # type: ignore[arg-type]
        case _:
            raise Unproved(show_formula(path))
