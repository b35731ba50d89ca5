"""Formulae: names to propositions, agents and groups; LTL and CTL* to quantified paths."""

from collections.abc import Callable
from typing import TypeVar

from gnomon.language import syntax
from gnomon.model import formula as logic
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.members import GroupReader
from gnomon.model.elaborate.names import Names
from gnomon.model.elaborate.problems import each, unknown_agent, unknown_proposition
from gnomon.model.elaborate.scope import Scope
from gnomon.model.elaborate.step_bounds import checked_bounds
from gnomon.model.expression import Expression
from gnomon.model.windows import dual
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

Who = TypeVar("Who")

_GROUP_KINDS = {"GK": "everybody", "GCK": "common", "DK": "distributed"}

_TEMPORAL: dict[str, type[logic.Next] | type[logic.Finally] | type[logic.Globally]] = {
    "X": logic.Next,
    "F": logic.Finally,
    "G": logic.Globally,
}


class FormulaReader:
    """Turns the formulae of one program, or one formula a user typed, into their meaning."""

    def __init__(self, names: Names, diagnostics: Diagnostics, *, of_steps: bool = False) -> None:
        """Read with the program's names; formulae `of_steps` may look at actions, as fairness does."""
        self.names = names
        self.diagnostics = diagnostics
        self.of_steps = of_steps
        self.logic: syntax.Logic = "CTL"
        self._groups = GroupReader(names, diagnostics)

    def line(self, line: syntax.FormulaLine) -> logic.Formula | None:
        """Return the formula of a line, or None where it was reported."""
        self.logic = line.logic
        try:
            formula = self.read(line.formula)
        except Reported:
            return None
        if line.logic == "LTL":
            return logic.All(formula)
        if logic.is_path_formula(formula):
            self.diagnostics.add(
                "G0602",
                "the formula speaks of a path, but no `A` or `E` says of which",
                line.span,
                help="put `A` or `E` and brackets around it: `A (a U b)`",
            )
            return None
        if line.logic == "CTL*":
            from gnomon.model.elaborate.precedence import warn_of_precedence  # rarely used

            warn_of_precedence(line.formula, self.diagnostics)
        return formula

    def read(self, formula: syntax.Formula) -> logic.Formula:
        """Return the meaning of a formula."""
        self.names.count()
        match formula:
            case syntax.Truth(value):
                return logic.Constant(value)
            case syntax.Atom(name, span):
                return self.proposition(name.text, span)
            case syntax.Norm(agent, colour):
                return logic.Norm(self._agent(agent), colour == "RedStates")
            case syntax.StateCondition(condition):
                return logic.StateCondition(self.condition(condition))
            case syntax.Negation(body):
                return logic.Not(self.read(body))
            case syntax.Connective("and", operands):
                return logic.And(each(self.read, operands))
            case syntax.Connective(_, operands):
                return logic.Or(each(self.read, operands))
            case syntax.Implication(left, right):
                return logic.Implies(*each(self.read, (left, right)))
            case syntax.Equivalence(left, right):
                return logic.Iff(*each(self.read, (left, right)))
            case syntax.Temporal(operator, body):
                return _TEMPORAL[operator](self.read(body))
            case syntax.UntilFormula(left, right):
                return logic.Until(*each(self.read, (left, right)))
            case syntax.WeakFormula("W", left, right):
                return logic.WeakUntil(*each(self.read, (left, right)))
            case syntax.WeakFormula(_, left, right):
                return logic.Release(*each(self.read, (left, right)))
            case syntax.BoundedFormula(path, bounds):
                return self._bounded(self.read(path), bounds)
            case syntax.PathQuantifier("A", body):
                return logic.All(self.read(body))
            case syntax.PathQuantifier(_, body):
                return logic.Exists(self.read(body))
            case syntax.Modality():
                return self._modality(formula)
            case syntax.Coalition(members, body):
                return logic.Enforces(*self._coalition(members, body))
            case syntax.CannotAvoid(members, body):
                group, wanted = self._coalition(members, body)
                assert isinstance(wanted, logic.PathOperator)
                return logic.Not(logic.Enforces(group, dual(wanted)))
            case syntax.IndexedFormula(quantifier, binders, _, span):
                raise self.diagnostics.fail(
                    "G0504",
                    f"`{quantifier}` runs through a range, as in `{quantifier} "
                    f"{binders[0].variable} : 1..n`",
                    span,
                )

    def condition(self, condition: syntax.Expression) -> Expression:
        """Return the meaning of a condition inside a formula."""
        scope = Scope(self.names, None, self.diagnostics, actions=self.of_steps)
        return ExpressionReader(scope).condition(condition)

    def _modality(self, modality: syntax.Modality) -> logic.Formula:
        match modality.operator:
            case "K":
                return logic.Knows(*self._both(lambda: self._agent(modality.who), modality))
            case "O":
                return logic.Obliged(*self._both(lambda: self._agent(modality.who), modality))
            case "GK" | "GCK" | "DK" as operator:
                kind = _GROUP_KINDS[operator]
                group, body = self._both(lambda: self._whose(modality.who), modality)
                return logic.GroupKnows(kind, group, body)  # type: ignore[arg-type]

    def _both(
        self, read_who: Callable[[], Who], modality: syntax.Modality
    ) -> tuple[Who, logic.Formula]:
        """Read who knows and what is known, so that each can report its own mistakes."""
        try:
            who = read_who()
        except Reported:
            self._inside(modality)
            raise
        return who, self._inside(modality)

    def _inside(self, modality: syntax.Modality) -> logic.Formula:
        """Return what is known: in LTL it holds on every path, in CTL* it must be a state formula."""
        body = self.read(modality.body)
        if not logic.is_path_formula(body):
            return body
        if self.logic == "LTL":
            return logic.All(body)
        raise self.diagnostics.fail(
            "G0602",
            f"what `{modality.operator}` speaks of is a path, but no `A` or `E` says of which",
            modality.body.span,
            help="put `A` or `E` in front of it",
        )

    # Names

    def proposition(self, name: str, span: Span) -> logic.Formula:
        """Return what a name alone stands for."""
        if name in self.names.propositions:
            return logic.Proposition(name)
        if name in self.names.defined_at:
            defined = syntax.Reference(None, syntax.Name(name, (), span), span)
            return logic.StateCondition(self.condition(defined))
        owners = [] if self.diagnostics.full else self.names.owners_of(name)
        hint = f"a variable is compared: `{owners[0]}.{name} = …`" if owners else ""
        raise unknown_proposition(self.diagnostics, name, span, self.names.propositions, hint)

    def _bounded(self, path: logic.Formula, bounds: syntax.Bounds) -> logic.Formula:
        """Return a path operator with its bounds, which are numbers by now."""
        low, high = checked_bounds(bounds, self.diagnostics)
        return logic.Bounded(path, low, high)  # type: ignore[arg-type]

    def _coalition(
        self, members: tuple[syntax.Members, ...], body: syntax.Formula
    ) -> tuple[logic.Group, logic.Formula]:
        try:
            group = self._groups.groups(members)
        except Reported:
            self.read(body)
            raise
        return group, self.read(body)

    def _whose(self, who: syntax.Members | syntax.GroupList) -> logic.Group:
        return self._groups.groups(who.members if isinstance(who, syntax.GroupList) else (who,))

    def _agent(self, name: syntax.Members | syntax.GroupList) -> str:
        assert isinstance(name, syntax.Name)
        if name.text in self.names.agents:
            return name.text
        group = name.text in self.names.groups
        hint = "this is a group: its knowledge is `GK`, `GCK` or `DK`" if group else ""
        raise unknown_agent(self.diagnostics, name.text, name.span, self.names.agents, hint)
