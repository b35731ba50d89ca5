"""Formulae in few operators, so that few rules are needed to check them."""

from gnomon.certificate.refusal import Unproved
from gnomon.model.formula import (
    All,
    And,
    Condition,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Group,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Until,
    is_path_formula,
    show_formula,
)

TRUE = Constant(True)
#: Where a path starts that counts.
FAIR = Exists(Globally(TRUE))


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
        case Next(body) | Finally(body) | Globally(body) | All(body) | Exists(body):
            return type(formula)(with_members(body))
        case Until(left, right):
            return Until(with_members(left), with_members(right))
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
    """Return the same in ¬, ∧, EX, EU, EG, K, D, C, O and ⟨Γ⟩X, ⟨Γ⟩U, ⟨Γ⟩G.

    A path formula inside a Boolean one is not the same as one that every path is said to satisfy.
    """
    if isinstance(formula, Not | And | Or | Implies) and is_path_formula(formula):
        raise Unproved(show_formula(formula))
    match formula:
        case Constant() | Proposition() | Condition() | Norm():
            return formula
        case Not(body):
            return Not(core(body))
        case And(operands):
            return And(tuple(map(core, operands)))
        case Or(operands):
            return Not(And(tuple(Not(core(operand)) for operand in operands)))
        case Implies(left, right):
            return Not(And((core(left), Not(core(right)))))
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
        case Exists(path):
            return _exists(path)
        case All(path):
            return _all(path)
        case Enforces(group, path):
            return _enforces(formula) if group.members else _all(path)
        case Next() | Finally() | Globally() | Until():
            return _all(formula)  # LTL says it of every path


def _plain(*operands: Formula) -> None:
    """Refuse path formulae inside path formulae: those are LTL's and CTL*'s own."""
    for operand in operands:
        if is_path_formula(operand):
            raise Unproved(show_formula(operand))


def _exists(path: Formula) -> Formula:
    match path:
        case Next(body):
            _plain(body)
            return Exists(Next(core(body)))
        case Finally(body):
            _plain(body)
            return Exists(Until(TRUE, core(body)))
        case Globally(body):
            _plain(body)
            return Exists(Globally(core(body)))
        case Until(left, right):
            _plain(left, right)
            return Exists(Until(core(left), core(right)))
        case _:
            raise Unproved(show_formula(path))


def _all(path: Formula) -> Formula:
    """By duality; on paths that end, too: there AX holds of everything."""
    match path:
        case Next(body):
            return Not(_exists(Next(Not(body))))
        case Finally(body):
            return Not(_exists(Globally(Not(body))))
        case Globally(body):
            return Not(_exists(Finally(Not(body))))
        case Until(left, right):
            broken = _exists(Until(Not(right), And((Not(left), Not(right)))))
            return And((Not(broken), Not(_exists(Globally(Not(right))))))
        case _:
            raise Unproved(show_formula(path))


def _enforces(formula: Enforces) -> Formula:
    match formula.path:
        case Next(body):
            _plain(body)
            return Enforces(formula.group, Next(core(body)))
        case Finally(body):
            _plain(body)
            return Enforces(formula.group, Until(TRUE, core(body)))
        case Globally(body):
            _plain(body)
            return Enforces(formula.group, Globally(core(body)))
        case Until(left, right):
            _plain(left, right)
            return Enforces(formula.group, Until(core(left), core(right)))
        case path:
            raise Unproved(show_formula(path))
