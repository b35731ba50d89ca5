"""Formulae in MCMAS's words, which are about propositions and groups that have names."""

from dataclasses import replace as changed
from itertools import islice
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.expression import Expression, Literal
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula, Group, show_formula, without_quantifiers
from gnomon.model.system import Specification, System
from gnomon.results.export.identifiers import Identifiers
from gnomon.results.export.mcmas_paths import in_mcmas_operators
from gnomon.text.record import replace

#: The most parts of an equivalence that is written as two implications, which say each of them twice.
_MOST_PARTS: Final = 500


def with_names(system: System) -> System:
    """Return the system with names for all conditions and groups that formulae mention without one."""
    naming = _Naming(system)
    specifications = tuple(map(naming.formula, system.specifications))
    fairness = tuple(map(naming.formula, system.fairness))
    return changed(
        system,
        specifications=specifications,
        fairness=fairness,
        propositions=naming.propositions,
        groups=naming.groups,
    )


class _Naming:
    """Propositions and groups, which get more while formulae are gone through."""

    def __init__(self, system: System) -> None:
        self.propositions = dict(system.propositions)
        self.groups = dict(system.groups)
        #: Groups that got a name, by their members.
        self._made: dict[tuple[str, ...], Group] = {}
        #: Conditions that got a name.
        self.named: dict[Expression, str] = {}

    def formula(self, item: Specification) -> Specification:
        """Return a formula with names for all that has none."""

        def inner(formula: Formula) -> Formula:
            match formula:
                case logic.StateCondition(expression):
                    return logic.Proposition(self._proposition(expression))
                case logic.Constant(value):
                    return logic.Proposition(self._proposition(Literal(value)))
                case logic.Enforces(group, path):
                    return logic.Enforces(self._group(group), inner(path))
                case logic.GroupKnows(kind, group, body):
                    return logic.GroupKnows(kind, self._group(group), inner(body))
                case _:
                    return mapped(formula, inner)

        return changed(item, formula=inner(in_mcmas_operators(item.formula, item.logic)))

    def _proposition(self, condition: Expression) -> str:
        if condition not in self.named:
            number = 1
            while f"condition{number}" in self.propositions:
                number += 1
            self.named[condition] = f"condition{number}"
            self.propositions[f"condition{number}"] = condition
        return self.named[condition]

    def _group(self, group: Group) -> Group:
        if group.name in self.groups:
            return group
        if group.members in self._made:
            return self._made[group.members]
        number = 1
        while f"group{number}" in self.groups:
            number += 1
        named = self._made[group.members] = Group(group.members, f"group{number}")
        self.groups[named.name] = named
        return named


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
