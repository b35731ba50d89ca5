"""Formulae: names to propositions, agents and groups; LTL and CTL* to quantified paths."""

from collections.abc import Callable
from typing import TypeVar

from gnomon.language import syntax
from gnomon.model import formula as logic
from gnomon.model.elaborate.expressions import Elaborator, TypeProblem
from gnomon.model.elaborate.scope import Names
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span

Who = TypeVar("Who")

_GROUP_KINDS = {"GK": "everybody", "GCK": "common", "DK": "distributed"}

_TEMPORAL: dict[str, type[logic.Next] | type[logic.Finally] | type[logic.Globally]] = {
    "X": logic.Next,
    "F": logic.Finally,
    "G": logic.Globally,
}


class FormulaElaborator:
    """Turns the formulae of one program, or one formula a user typed, into their meaning."""

    def __init__(self, names: Names, diagnostics: Diagnostics) -> None:
        """Read with the program's names."""
        self.names = names
        self.diagnostics = diagnostics
        self.logic: syntax.Logic = "CTL"

    def line(self, line: syntax.FormulaLine) -> logic.Formula | None:
        """Return the formula of a line, or None where it was reported."""
        self.logic = line.logic
        try:
            formula = self.read(line.formula)
        except TypeProblem:
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
            self._warn_of_precedence(line.formula)
        return formula

    def read(self, formula: syntax.Formula) -> logic.Formula:
        """Return the meaning of a formula."""
        self.names.count()
        match formula:
            case syntax.Truth(value):
                return logic.Constant(value)
            case syntax.Atom(name, span):
                return self._proposition(name.text, span)
            case syntax.Norm(agent, colour):
                return logic.Norm(self._agent(agent), colour == "RedStates")
            case syntax.StateCondition(condition):
                reader = Elaborator(self.names, None, self.diagnostics)
                return logic.Condition(reader.condition(condition))
            case syntax.Negation(body):
                return logic.Not(self.read(body))
            case syntax.Connective("and", operands):
                return logic.And(self._all(operands))
            case syntax.Connective(_, operands):
                return logic.Or(self._all(operands))
            case syntax.Implication(left, right):
                return logic.Implies(*self._all((left, right)))
            case syntax.Temporal(operator, body):
                return _TEMPORAL[operator](self.read(body))
            case syntax.UntilFormula(left, right):
                return logic.Until(*self._all((left, right)))
            case syntax.PathQuantifier("A", body):
                return logic.All(self.read(body))
            case syntax.PathQuantifier(_, body):
                return logic.Exists(self.read(body))
            case syntax.Modality():
                return self._modality(formula)
            case syntax.Coalition(members, body):
                try:
                    group = self._coalition(members)
                except TypeProblem:
                    self.read(body)
                    raise
                return logic.Enforces(group, self.read(body))
            case syntax.IndexedFormula(quantifier, binders, _, span):
                self.diagnostics.add(
                    "G0504",
                    f"`{quantifier}` runs through a range, as in `{quantifier} "
                    f"{binders[0].variable} : 1..n`",
                    span,
                )
                raise TypeProblem

    def _all(self, formulae: tuple[syntax.Formula, ...]) -> tuple[logic.Formula, ...]:
        """Read several formulae, so that each can report its own mistakes."""
        results: list[logic.Formula] = []
        problem: TypeProblem | None = None
        for formula in formulae:
            try:
                results.append(self.read(formula))
            except TypeProblem as caught:
                problem = caught
        if problem is not None:
            raise problem
        return tuple(results)

    def _modality(self, modality: syntax.Modality) -> logic.Formula:
        match modality.operator:
            case "K":
                return logic.Knows(*self._both(lambda: self._agent(modality.who), modality))
            case "O":
                return logic.Obliged(*self._both(lambda: self._agent(modality.who), modality))
            case "GK" | "GCK" | "DK" as operator:
                kind = _GROUP_KINDS[operator]
                group, body = self._both(lambda: self._group(modality.who), modality)
                return logic.GroupKnows(kind, group, body)  # type: ignore[arg-type]

    def _both(
        self, read_who: Callable[[], Who], modality: syntax.Modality
    ) -> tuple[Who, logic.Formula]:
        """Read who knows and what is known, so that each can report its own mistakes."""
        try:
            who = read_who()
        except TypeProblem:
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
        self.diagnostics.add(
            "G0602",
            f"what `{modality.operator}` speaks of is a path, but no `A` or `E` says of which",
            modality.body.span,
            help="put `A` or `E` in front of it",
        )
        raise TypeProblem

    # Names

    def _proposition(self, name: str, span: Span) -> logic.Formula:
        if name in self.names.propositions:
            return logic.Proposition(name)
        known = self.names.propositions
        hint = self.diagnostics.did_you_mean(name, known)
        if not self.diagnostics.full and (owners := self.names.owners_of(name)):
            hint = hint or f"a variable is compared: `{owners[0]}.{name} = …`"
        self.diagnostics.add(
            "G0601",
            f"there is no proposition `{name}`",
            span,
            label="not defined in `Evaluation`",
            notes=self.diagnostics.listing("the propositions", known) if len(known) <= 20 else (),
            help=hint,
        )
        raise TypeProblem

    def _agent(self, name: syntax.Name) -> str:
        if name.text in self.names.agents:
            return name.text
        known = self.names.agents
        hint = self.diagnostics.did_you_mean(name.text, known)
        if name.text in self.names.groups:
            hint = "this is a group: its knowledge is `GK`, `GCK` or `DK`"
        self.diagnostics.add(
            "G0203",
            f"there is no agent `{name.text}`",
            name.span,
            label="unknown agent",
            notes=self.diagnostics.listing("the agents", known),
            help=hint,
        )
        raise TypeProblem

    def _group(self, name: syntax.Name) -> logic.Group:
        if name.text in self.names.groups:
            return logic.Group(self.names.groups[name.text], name.text)
        if name.text in self.names.agents:
            return logic.Group((name.text,), name.text)
        known = {**self.names.groups, **self.names.agents} if not self.diagnostics.full else ()
        self.diagnostics.add(
            "G0603",
            f"there is no group `{name.text}`",
            name.span,
            label="not defined in `Groups`",
            notes=self.diagnostics.listing("the groups", self.names.groups, none="none"),
            help=self.diagnostics.did_you_mean(name.text, known),
        )
        raise TypeProblem

    def _coalition(self, members: tuple[syntax.Name, ...]) -> logic.Group:
        if len(members) == 1:
            return self._group(members[0])
        agents = [agent for member in members for agent in self._group(member).members]
        return logic.Group(tuple(dict.fromkeys(agents)))

    # Where MCMAS reads CTL* differently

    def _warn_of_precedence(self, formula: syntax.Formula) -> None:
        """MCMAS lets a temporal operator reach as far to the right as it can, in CTL* only."""
        match formula:
            case syntax.Connective(_, operands, span):
                doubtful = any(self._open_ended(item, span) for item in operands[:-1])
                inner = operands
            case syntax.Implication(left, right, span):
                doubtful = self._open_ended(left, span)
                inner = (left, right)
            case syntax.UntilFormula(left, right, span):
                doubtful, inner = False, (left, right)
            case (
                syntax.Negation(body)
                | syntax.Temporal(_, body)
                | syntax.PathQuantifier(_, body)
                | syntax.Modality(_, _, body)
                | syntax.Coalition(_, body)
            ):
                self._warn_of_precedence(body)
                return
            case _:
                return
        if doubtful:
            self.diagnostics.add(
                "G0604",
                "MCMAS may bracket this CTL* formula differently",
                span,
                notes=(
                    "here every temporal operator binds more tightly than `and`, `or` and `->`",
                ),
                help="write the brackets you mean",
            )
        for part in inner:
            self._warn_of_precedence(part)

    def _open_ended(self, operand: syntax.Formula, outer: Span) -> bool:
        if not isinstance(operand, (syntax.Temporal, syntax.UntilFormula, syntax.PathQuantifier)):
            return False
        text = self.diagnostics.source.text
        start, end = operand.span
        while start > outer.start and text[start - 1].isspace():
            start -= 1
        bracketed = start > outer.start and text[start - 1] == "("
        return not bracketed and text[end - 1 : end] != ")"
