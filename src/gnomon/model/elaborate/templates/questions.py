"""Formulae about any number of agents: `AG`, `EF`, and knowledge one level deep."""

from typing import Final

from gnomon.language import syntax
from gnomon.model.elaborate.problems import unknown_agent, unknown_proposition
from gnomon.model.elaborate.templates.forms import normal, reason
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.elaborate.templates.quantifiers import ConditionReader
from gnomon.model.parameterised.condition import (
    FALSE,
    SELF,
    TRUE,
    And,
    Condition,
    Exists,
    Forall,
    Not,
    Or,
    positive,
    renamed,
    show,
    walk,
)
from gnomon.model.parameterised.system import Knowledge, PopulationQuestion, Query, Safety
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import Record
from gnomon.text.record import walk as parts_of
from gnomon.text.source import Span

_FORMS: Final = (
    "of any number of agents, `AG !bad`, `EF bad` and `AG (a -> K(Template, b))` can be asked",
)
_FIX: Final = (
    "for three agents: leave the formula out, `gnomon export --agents 3`, and "
    "ask it of that program"
)


class BoundIndex(Record):
    """An index in front of a formula, the template whose agents it runs through, and where."""

    name: str
    template: str
    span: Span


class QuestionReader:
    """Turns the formulae of a program, or one that a user typed, into questions."""

    def __init__(self, names: PopulationNames, diagnostics: Diagnostics) -> None:
        """Read with the program's names."""
        self.names = names
        self.diagnostics = diagnostics

    def question(
        self, line: syntax.FormulaLine, text: str, place: int = 0
    ) -> PopulationQuestion | None:
        """Return what a formula asks, or None where it was reported."""
        try:
            formula = line.formula
            if line.logic == "LTL":
                formula = syntax.PathQuantifier("A", formula, formula.span)
            query = self._query(normal(formula), (), existential=False)
        except Reported:
            return None
        name = line.annotation.name
        return PopulationQuestion(
            query,
            text,
            show_query(query),
            place,
            "" if name is None else name.text,
            line.annotation.expected,
            line.span,
        )

    def _refuse(self, formula: syntax.Formula, help: str = "", *, inside: bool = False) -> Reported:
        message = "this cannot be decided for any number of agents"
        notes = (reason(formula, inside=inside), *_FORMS) if not help else _FORMS
        return self.diagnostics.fail("G0711", message, formula.span, notes=notes, help=help or _FIX)

    def _query(
        self, formula: syntax.Formula, bound: tuple[BoundIndex, ...], *, existential: bool
    ) -> Query:
        """Read a formula; `bound` are indices in front of it, quantified as `existential` says."""
        match formula:
            case syntax.IndexedFormula(quantifier, binders, body):
                some = quantifier == "exists"
                if bound and some != existential:
                    raise self._refuse(formula)
                return self._query(body, (*bound, *self._agents(binders)), existential=some)
            case syntax.PathQuantifier("A", syntax.Temporal("G", body)):
                return self._always(body, bound, formula, existential=existential)
            case syntax.PathQuantifier("E", syntax.Temporal("F", body)):
                if bound and not existential:
                    raise self._refuse(formula, "write `EF exists …`")
                bad = self._over(bound, self._plain(body, bound), some=True)
                return Safety(self._existential(bad, formula.span), reach=True)
            case syntax.Connective("and"):
                raise self._refuse(formula, "write two formulae")
            case _:
                raise self._refuse(formula)

    def _agents(self, binders: tuple[syntax.Binder, ...]) -> list[BoundIndex]:
        found: list[BoundIndex] = []
        for binder in binders:
            name = binder.domain.text if isinstance(binder.domain, syntax.Name) else ""
            if name not in self.names.templates or binder.where is not None:
                raise self.diagnostics.fail(
                    "G0702",
                    f"`{binder.variable}` does not run through a template here",
                    binder.span,
                    notes=self.diagnostics.listing("the templates", self.names.templates),
                    help=self.diagnostics.did_you_mean(name, self.names.templates),
                )
            found.append(BoundIndex(binder.variable, name, binder.span))
        return found

    def _always(
        self,
        body: syntax.Formula,
        bound: tuple[BoundIndex, ...],
        whole: syntax.Formula,
        *,
        existential: bool,
    ) -> Query:
        span = whole.span
        if bound and existential:
            raise self._refuse(whole, "write `AG forall …`, or `AG exists …`")
        if isinstance(body, syntax.IndexedFormula) and body.quantifier == "forall":
            agents = self._agents(body.binders)
            return self._always(body.body, (*bound, *agents), whole, existential=False)
        if _asks_knowledge(body):
            return self._knowledge(body, bound, span)
        good = self._over(bound, self._plain(body, bound), some=False)
        return Safety(self._existential(Not(good), span))

    def _over(self, bound: tuple[BoundIndex, ...], body: Condition, *, some: bool) -> Condition:
        kind = Exists if some else Forall
        for index in reversed(bound):
            body = kind(index.name, index.template, body, index.span)
        return body

    def _existential(self, condition: Condition, span: Span) -> Condition:
        """Return the condition without negations around quantifiers; it must only look for some agents."""
        result = positive(condition)
        if any(isinstance(part, Forall) for part in walk(result)):
            raise self.diagnostics.fail(
                "G0721",
                "what is looked for here is that something holds of every agent",
                span,
                notes=(
                    "one can ask whether some agents ever satisfy a condition: `AG !exists …`, `EF exists …`",
                ),
                help=_FIX,
            )
        return result

    # Knowledge

    def _knowledge(self, body: syntax.Formula, bound: tuple[BoundIndex, ...], span: Span) -> Query:
        when, modality = self._implication(body, span)
        everybody = modality.operator == "GK" and not bound
        if not (modality.operator == "K" or everybody) or len(bound) > 1:
            raise self._not_one_level(modality.span)
        if _asks_knowledge(modality.body) or _asks_knowledge(when):
            raise self._not_one_level(modality.span)
        if not isinstance(modality.who, syntax.Name):
            raise self._not_one_level(modality.who.span)
        who = modality.who.text
        if bound:
            index, template = bound[0].name, bound[0].template
            if who != index:
                raise self._not_one_level(modality.who.span)
        else:
            index, template = who, who
        if template not in self.names.templates:
            templates, span = self.names.templates, modality.who.span
            raise unknown_agent(self.diagnostics, who, span, templates, what="template")
        # What everybody knows is about nobody's own variables.
        owner = None if bound or everybody else template
        named = {index: SELF}
        known = self._plain(modality.body, bound, owner)
        first = self._existential(self._plain(when, bound, owner), when.span)
        doubt = self._existential(Not(known), modality.span)
        return Knowledge(template, renamed(first, named), renamed(doubt, named))

    def _implication(
        self, body: syntax.Formula, span: Span
    ) -> tuple[syntax.Formula, syntax.Modality]:
        match body:
            case syntax.Implication(left, syntax.Modality() as modality):
                return left, modality
            case syntax.Modality():
                return syntax.Truth(True, body.span), body
            case _:
                raise self._not_one_level(span)

    def _not_one_level(self, span: Span) -> Reported:
        return self.diagnostics.fail(
            "G0715",
            "of any number of agents, knowledge can be asked as `AG (a -> K(i, b))` only",
            span,
            notes=("i is a template or an index: `forall i : Robot (AG (i.room = C -> K(i, b)))`",),
            help=_FIX,
        )

    # Conditions on a configuration

    def _plain(
        self,
        formula: syntax.Formula,
        bound: tuple[BoundIndex, ...],
        template: str | None = None,
    ) -> Condition:
        """Return a formula without operators of time; `template` is whose variables need no index."""
        every = template is not None
        scope = IndexScope(self.names, None, self.diagnostics, every=every, template=template)
        for index in bound:
            if index.name in scope.indices:
                message = f"index `{index.name}` is bound twice"
                raise self.diagnostics.fail("G0705", message, index.span)
            scope.indices[index.name] = index.template
        if template is not None:
            scope.indices[SELF] = template
        return self._state(formula, ConditionReader(scope))

    def _state(self, formula: syntax.Formula, reader: ConditionReader) -> Condition:
        match formula:
            case syntax.Truth(value):
                return TRUE if value else FALSE
            case syntax.Atom(name, span):
                return self._proposition(name.text, span)
            case syntax.StateCondition(condition):
                return reader.read(condition)
            case syntax.Negation(body):
                return Not(self._state(body, reader))
            case syntax.Connective(operator, operands):
                inner = tuple(self._state(operand, reader) for operand in operands)
                return And(inner) if operator == "and" else Or(inner)
            case syntax.Implication(left, right):
                return Or((Not(self._state(left, reader)), self._state(right, reader)))
            case syntax.Equivalence(left, right, span):
                return reader.equivalent(
                    self._state(left, reader), self._state(right, reader), span
                )
            case syntax.IndexedFormula(quantifier, binders, body):
                return self._indexed(quantifier, binders, body, reader)
            case _:
                raise self._refuse(formula, inside=True)

    def _indexed(
        self,
        quantifier: str,
        binders: tuple[syntax.Binder, ...],
        body: syntax.Formula,
        reader: ConditionReader,
    ) -> Condition:
        found = self._agents(binders)
        indices = reader.scope.indices
        for index in found:
            if index.name in indices:
                raise self.diagnostics.fail(
                    "G0705",
                    f"`{index.name}` stands for an agent of `{indices[index.name]}` already",
                    index.span,
                    help="choose another name",
                )
            indices[index.name] = index.template
        result = self._state(body, reader)
        for index in found:
            del indices[index.name]
        return self._over(tuple(found), result, some=quantifier == "exists")

    def _proposition(self, name: str, span: Span) -> Condition:
        if name in self.names.meanings:
            return self.names.meanings[name]
        raise unknown_proposition(self.diagnostics, name, span, self.names.meanings)


def show_query(query: Query) -> str:
    """Return a question as it was read."""
    match query:
        case Safety(bad, reach):
            return f"EF ({show(bad)})" if reach else f"AG !({show(bad)})"
        case Knowledge(template, when, doubt):
            inner = f"({show(when)}) -> K(self, !({show(doubt)}))"
            return f"forall self : {template} (AG ({inner}))"


def _asks_knowledge(formula: syntax.Formula) -> bool:
    return any(isinstance(part, syntax.Modality) for part in parts_of(formula))
