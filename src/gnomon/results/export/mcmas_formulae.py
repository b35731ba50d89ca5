"""Formulae in MCMAS's words, which are about propositions and groups that have names."""

from collections.abc import Collection, Mapping
from dataclasses import replace as changed
from itertools import count, islice
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.expression import Expression, Literal
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula, Group, show_formula, without_quantifiers
from gnomon.model.system import Specification, System
from gnomon.results.export.identifiers import Identifiers
from gnomon.results.export.mcmas_paths import McmasOperators
from gnomon.text.record import replace

#: The most parts of an equivalence that is written as two implications, which say each of them twice.
_MOST_PARTS: Final = 500


def with_names(system: System) -> System:
    """Return the system with names for all conditions and groups that formulae mention without one."""
    naming = Naming(system.propositions, system.groups)

    def named(item: Specification, *, fair: bool) -> Specification:
        said = McmasOperators(item.logic, fair).formula(item.formula)
        return changed(item, formula=naming.formula(said))

    fair = bool(system.fairness)
    specifications = tuple(named(item, fair=fair) for item in system.specifications)
    # Constraints are read without fairness themselves.
    fairness = tuple(named(item, fair=False) for item in system.fairness)
    return changed(
        system,
        specifications=specifications,
        fairness=fairness,
        propositions=naming.propositions,
        groups=naming.groups,
    )


class Naming:
    """Propositions and groups, which get more while formulae are gone through."""

    def __init__(
        self,
        propositions: Mapping[str, Expression],
        groups: Mapping[str, Group],
        taken: Collection[str] = (),
    ) -> None:
        """Begin with those that there are; others get no name that is taken."""
        self.propositions = dict(propositions)
        self.groups = dict(groups)
        self._taken = taken
        #: The first group of each that have the same members, and the first name of each condition.
        self._made = {group.members: group for group in reversed(self.groups.values())}
        self._named = {condition: name for name, condition in reversed(self.propositions.items())}

    def formula(self, formula: Formula) -> Formula:
        """Return a formula with names for all that has none."""
        match formula:
            case logic.StateCondition(expression):
                return logic.Proposition(self._proposition(expression))
            case logic.Constant(value):
                return logic.Proposition(self._proposition(Literal(value)))
            case logic.Enforces(group, path):
                return logic.Enforces(self._group(group), self.formula(path))
            case logic.GroupKnows(kind, group, body):
                return logic.GroupKnows(kind, self._group(group), self.formula(body))
            case _:
                return mapped(formula, self.formula)

    def _proposition(self, condition: Expression) -> str:
        if condition not in self._named:
            name = self._named[condition] = self._unused("condition", self.propositions)
            self.propositions[name] = condition
        return self._named[condition]

    def _group(self, group: Group) -> Group:
        if group.name in self.groups:
            return group
        if group.members not in self._made:
            named = Group(group.members, self._unused("group", self.groups))
            self._made[group.members] = self.groups[named.name] = named
        return self._made[group.members]

    def _unused(self, stem: str, used: Collection[str]) -> str:
        names = (f"{stem}{number}" for number in count(1))
        return next(name for name in names if name not in used and name not in self._taken)


def spelled(item: Specification, names: Identifiers) -> str:
    """Return a formula as it is written, with the names that programs have."""

    def inner(formula: Formula) -> Formula:
        match formula:
            case logic.Proposition(name):
                return logic.Proposition(names.propositions[name])
            case logic.Norm(agent, red):
                return logic.Norm(names.agents[agent], red)
            case logic.Enforces(group, path):
                return logic.Enforces(_spelled_group(group, names), inner(path))
            case logic.GroupKnows(kind, group, body):
                return logic.GroupKnows(kind, _spelled_group(group, names), inner(body))
            case logic.Knows(agent, body) | logic.Obliged(agent, body):
                return type(formula)(names.agents[agent], inner(body))
            case logic.Iff(left, right):
                return _implied_both(inner(left), inner(right))
            case _:
                return mapped(formula, inner)

    formula = inner(item.formula)
    if item.logic == "LTL":
        return f"LTL {show_formula(without_quantifiers(formula))}"
    return ("CTL* " if item.logic == "CTL*" else "") + show_formula(formula)


def _implied_both(left: Formula, right: Formula) -> Formula:
    """Return an equivalence as two implications, unless that makes it too large."""
    size = sum(1 for side in (left, right) for _ in islice(logic.walk(side), _MOST_PARTS))
    if size >= _MOST_PARTS:
        return logic.Iff(left, right)
    return logic.And((logic.Implies(left, right), logic.Implies(right, left)))


def _spelled_group(group: Group, names: Identifiers) -> Group:
    return replace(group, name=names.groups[group.name])
