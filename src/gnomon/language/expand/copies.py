"""Expressions and formulae with numbers in the place of indices, and quantifiers over ranges written out."""

from gnomon.language import syntax
from gnomon.language.expand.computed import ComputedIndices
from gnomon.language.expand.ranges import LONG_NAME, Bindings, IndexReader
from gnomon.text.numbers import show_integer
from gnomon.text.record import replace, walk


class Copier:
    """Copies expressions and formulae, counting what it makes."""

    def __init__(self, indices: IndexReader, program: syntax.Program) -> None:
        """Copy with these constants, for a program that declares these variables."""
        self.indices = indices
        self.computed = ComputedIndices(indices, program)
        self.constants = indices.constants
        self.name = indices.name
        self.write = indices.size.write

    # Expressions

    def expression(self, expression: syntax.Expression, bound: Bindings) -> syntax.Expression:
        """Return an expression with numbers in the place of indices."""
        self.write(expression.span)
        match expression:
            case syntax.Number() | syntax.Truth():
                return expression
            case syntax.Reference(None, syntax.Name(text, ()), span) if text in bound:
                return syntax.Number(bound[text], span)
            case syntax.Reference(None, syntax.Name(text, ()), span) if text in self.constants:
                return syntax.Number(self.constants[text], span)
            case syntax.Reference(owner, name, span):
                self.write(span, len(name.text) // LONG_NAME)
                return syntax.Reference(
                    owner and self.member(owner, bound), self.member(name, bound), span
                )
            case syntax.ActionOf(owner, span):
                return syntax.ActionOf(owner and self.name(owner, bound), span)
            case syntax.IfThenElse():
                return self._conditional(expression, bound)
            case syntax.Membership(value, members, span):
                inner = self.expression(value, bound)
                listed = tuple(self._listed(member, bound) for member in members)
                return syntax.Membership(inner, listed, span)
            case syntax.ActionIs(owner, action, equal, span):
                return syntax.ActionIs(
                    owner and self.name(owner, bound),
                    self.name(action, bound),
                    equal,
                    span,
                )
            case syntax.Unary(operator, operand, span):
                return syntax.Unary(operator, self.expression(operand, bound), span)
            case syntax.Binary(operator, left, right, span):
                return syntax.Binary(
                    operator, self.expression(left, bound), self.expression(right, bound), span
                )
            case syntax.Chain(operator, operands, span):
                parts = tuple(self.expression(operand, bound) for operand in operands)
                return syntax.Chain(operator, parts, span)
            case syntax.Application(relation, arguments, span):
                parts = tuple(self.expression(argument, bound) for argument in arguments)
                return syntax.Application(self.name(relation, bound), parts, span)
            case syntax.Quantified():
                return self._quantified(expression, bound)

    def _conditional(self, chosen: syntax.IfThenElse, bound: Bindings) -> syntax.Expression:
        """Return a conditional, or the one branch that constants and indices leave.

        The other one may speak of what is not there, as `x[i - 1]` does where `i` is 1.
        """
        if self.indices.is_constant(chosen.condition, bound):
            holds = self.indices.condition(chosen.condition, bound)
            return self.expression(chosen.then if holds else chosen.otherwise, bound)
        return syntax.IfThenElse(
            self.expression(chosen.condition, bound),
            self.expression(chosen.then, bound),
            self.expression(chosen.otherwise, bound),
            chosen.span,
        )

    def _listed(
        self, member: syntax.Expression | syntax.RangeType, bound: Bindings
    ) -> syntax.Expression | syntax.RangeType:
        if not isinstance(member, syntax.RangeType):
            return self.expression(member, bound)
        low, high = self.expression(member.low, bound), self.expression(member.high, bound)
        return syntax.RangeType(low, high, member.span)

    def member(self, name: syntax.Name, bound: Bindings) -> syntax.Name:
        """Return the name of a member of a family; indices stay where they are only known in a state."""
        if not self.computed.stand_in(name, bound):
            return self.name(name, bound)
        self.write(name.span, 1 + len(name.text) // LONG_NAME)
        written = tuple(
            self.expression(index, bound)
            for index in name.indices
            if not isinstance(index, syntax.Binder)
        )
        return syntax.Name(name.text, written, name.span)

    def _quantified(self, quantified: syntax.Quantified, bound: Bindings) -> syntax.Expression:
        if not _run_through_ranges(quantified.binders):
            return replace(quantified, body=self.expression(quantified.body, bound))
        parts = tuple(
            self.expression(quantified.body, inner)
            for inner in self.indices.bindings(quantified.binders, bound)
        )
        if quantified.quantifier == "count":
            parts = tuple(_counted(part) for part in parts)
        if len(parts) == 1:
            return parts[0]
        if quantified.quantifier in ("sum", "count"):
            if parts:
                return syntax.Chain("+", parts, quantified.span)
            settings = self._settings(quantified.binders, bound)
            return syntax.EmptySum(0, quantified.span, settings, quantified.quantifier)
        conjunction = quantified.quantifier == "forall"
        if not parts:
            return syntax.Truth(conjunction, quantified.span)
        return syntax.Chain("and" if conjunction else "or", parts, quantified.span)

    def _settings(self, binders: tuple[syntax.Binder, ...], bound: Bindings) -> str:
        """Return the constants and indices that binders speak of with their values, as in `n = 1`."""
        read: dict[str, int] = {}
        for part in walk(binders):
            match part:
                case syntax.Reference(None, syntax.Name(text, ())):
                    value = bound.get(text, self.constants.get(text))
                    if value is not None:
                        read[text] = value
                case _:
                    pass
        return " and ".join(f"{name} = {show_integer(value)}" for name, value in read.items())

    # Formulae

    def formula(self, formula: syntax.Formula, bound: Bindings) -> syntax.Formula:
        """Return a formula with numbers in the place of indices."""
        self.write(formula.span)
        match formula:
            case syntax.Truth():
                return formula
            case syntax.Atom(name, span):
                self.write(span, len(name.text) // LONG_NAME)
                member = self.member(name, bound)
                if member.indices:
                    # One of several definitions; propositions have no indices that change.
                    return syntax.StateCondition(syntax.Reference(None, member, span), span)
                return syntax.Atom(member, span)
            case syntax.Norm(agent, colour, span):
                return syntax.Norm(self.name(agent, bound), colour, span)
            case syntax.StateCondition(condition, span):
                return syntax.StateCondition(self.expression(condition, bound), span)
            case syntax.Negation(body) | syntax.Temporal(_, body) | syntax.PathQuantifier(_, body):
                return replace(formula, body=self.formula(body, bound))
            case syntax.Connective(operator, operands, span):
                inner = tuple(self.formula(operand, bound) for operand in operands)
                return syntax.Connective(operator, inner, span)
            case (
                syntax.Implication(left, right, span)
                | syntax.Equivalence(left, right, span)
                | syntax.UntilFormula(left, right, span)
            ):
                first, second = self.formula(left, bound), self.formula(right, bound)
                return type(formula)(first, second, span)
            case syntax.WeakFormula(operator, left, right, span):
                first, second = self.formula(left, bound), self.formula(right, bound)
                return syntax.WeakFormula(operator, first, second, span)
            case syntax.BoundedFormula(path, bounds):
                bounded = self._bounds(bounds, bound)
                return replace(formula, path=self.formula(path, bound), bounds=bounded)
            case syntax.Modality(operator, who, body, span):
                return syntax.Modality(
                    operator, self._who(operator, who, bound), self.formula(body, bound), span
                )
            case syntax.Coalition(members, body, span) | syntax.CannotAvoid(members, body, span):
                found = self.indices.members(members, bound)
                return type(formula)(found, self.formula(body, bound), span)
            case syntax.IndexedFormula():
                return self._indexed(formula, bound)

    def _bounds(self, bounds: syntax.Bounds, bound: Bindings) -> syntax.Bounds:
        low = syntax.Number(self.indices.integer(bounds.low, bound), bounds.low.span)
        high = syntax.Number(self.indices.integer(bounds.high, bound), bounds.high.span)
        return syntax.Bounds(low, high, bounds.span)

    def _who(
        self, operator: str, who: syntax.Members | syntax.GroupList, bound: Bindings
    ) -> syntax.Members | syntax.GroupList:
        """Return who knows: of groups, a name with a range may stand for several."""
        match who:
            case syntax.GroupList(members, span):
                return syntax.GroupList(self.indices.members(members, bound), span)
            case syntax.Name(_, indices, span) if operator in ("GK", "GCK", "DK"):
                if any(isinstance(index, syntax.Binder) for index in indices):
                    return syntax.GroupList(self.indices.members((who,), bound), span)
                return self.name(who, bound)
            case syntax.Name():
                return self.name(who, bound)
            case syntax.GroupDifference():
                [found] = self.indices.members((who,), bound)
                return found

    def _indexed(self, indexed: syntax.IndexedFormula, bound: Bindings) -> syntax.Formula:
        if not _run_through_ranges(indexed.binders):
            return replace(indexed, body=self.formula(indexed.body, bound))
        parts = tuple(
            self.formula(indexed.body, inner)
            for inner in self.indices.bindings(indexed.binders, bound)
        )
        if len(parts) == 1:
            return parts[0]
        conjunction = indexed.quantifier == "forall"
        if not parts:
            return syntax.Truth(conjunction, indexed.span)
        return syntax.Connective("and" if conjunction else "or", parts, indexed.span)


def reads_otherwise(formula: syntax.Formula, bound: Bindings) -> bool:
    """Return whether a formula reads indices around it, so that each of their values makes another one.

    Indices of its own say the same in all of them, and are shorter as they are written.
    """
    names = (part for part in walk(formula) if isinstance(part, syntax.Reference))
    return any(name.owner is None and name.name.text in bound for name in names)


def _counted(condition: syntax.Expression) -> syntax.Expression:
    """Return 1 where a condition holds, and 0 elsewhere."""
    one, zero = syntax.Number(1, condition.span), syntax.Number(0, condition.span)
    return syntax.IfThenElse(condition, one, zero, condition.span)


def _run_through_ranges(binders: tuple[syntax.Binder, ...]) -> bool:
    """Return whether all indices run through ranges of numbers, not through types and templates."""
    return all(isinstance(binder.domain, syntax.RangeType) for binder in binders)
