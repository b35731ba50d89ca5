"""Formulae about any number of agents: `AG`, `EF`, paths, and what agents know."""

from typing import Final, Literal

from gnomon.language import syntax
from gnomon.model.elaborate.problems import unknown_proposition
from gnomon.model.elaborate.templates.abilities import AbilityReader, show_ability
from gnomon.model.elaborate.templates.forms import FIX, normal, reason
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.elaborate.templates.knowledge import KnowledgeReader, asks_knowledge, knowledge_in
from gnomon.model.elaborate.templates.quantifiers import ConditionReader
from gnomon.model.elaborate.templates.temporal import (
    BoundIndex,
    TemporalReader,
    show_temporal,
    speaks_of_time,
)
from gnomon.model.formula import Exists as Possibly
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
    show,
    walk,
)
from gnomon.model.parameterised.knowing import show as show_knowing
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    Knowledge,
    OverTime,
    Query,
    Safety,
    over_time,
)
from gnomon.model.parameterised.system import PopulationQuestion
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_FORMS: Final = (
    (
        "of any number of agents, formulae about all runs or some run can be asked, as `AG !bad` and "
        "`forall i : Robot (AG (i.waits = true -> AF i.served = true))`, and `AG (a -> K(Template, b))`"
    ),
)


_GIVEN: Final = (
    "for some values of them: leave it out, `gnomon export --agents n=4,t=1`, and ask it of that"
)


class QuestionReader:
    """Turns the formulae of a program, or one that a user typed, into questions."""

    def __init__(
        self, names: PopulationNames, diagnostics: Diagnostics, *, fair: bool = False
    ) -> None:
        """Read with the program's names; if only some runs are `fair`, it matters how they go on."""
        self.fair = fair
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

    def _refuse(self, formula: syntax.Formula, help: str = "") -> Reported:
        message = "this cannot be decided for any number of agents"
        notes = (reason(formula), *_FORMS) if not help else _FORMS
        return self.diagnostics.fail("G0711", message, formula.span, notes=notes, help=help or FIX)

    def _query(
        self, formula: syntax.Formula, bound: tuple[BoundIndex, ...], *, existential: bool
    ) -> Query:
        """Read a formula; `bound` are indices in front of it, quantified as `existential` says."""
        match formula:
            case syntax.IndexedFormula(quantifier, binders, body):
                some = quantifier == "exists"
                if bound and some != existential:
                    raise self._refuse(formula)
                return self._query(body, (*bound, *self.agents(binders)), existential=some)
            case syntax.PathQuantifier("A", syntax.Temporal("G", body)):
                return self._always(body, bound, formula, existential=existential)
            case syntax.PathQuantifier("E", syntax.Temporal("F", body)) if not speaks_of_time(body):
                if bound and not existential:
                    raise self._refuse(formula, "write `EF exists …`")
                if asks_knowledge(body):
                    return self._known(body, bound, formula, reach=True)
                found = positive(self._over(bound, self.plain(body, bound), some=True))
                return self._safety(found, reach=True)
            case syntax.Connective("and") if speaks_of_time(formula):
                raise self._refuse(formula, "write two formulae")
            case syntax.Coalition((_, *_)) | syntax.CannotAvoid((_, *_)):
                return self._coalition(formula, bound, existential=existential)
            case _:
                return self._temporal(formula, bound, existential=existential)

    def _coalition(
        self,
        formula: syntax.Coalition | syntax.CannotAvoid,
        bound: tuple[BoundIndex, ...],
        *,
        existential: bool,
    ) -> Query:
        """Read what a coalition enforces; what all there are can do together, some run shows."""
        reader = AbilityReader(self, formula)
        side = reader.side(bound, existential=existential)
        if not side.is_all_there_is:
            return reader.question(side, bound)
        quantifier: Literal["A", "E"] = "E" if isinstance(formula, syntax.Coalition) else "A"
        return self._query(
            normal(syntax.PathQuantifier(quantifier, formula.body, formula.span)),
            bound,
            existential=existential,
        )

    def _safety(self, bad: Condition, *, reach: bool) -> Query:
        """Return the question whether something is reached, which need not be about some agents only."""
        if self.names.parameters and not self.fair:
            return Safety(bad, reach)
        if not self.fair and not any(isinstance(part, Forall) for part in walk(bad)):
            return Safety(bad, reach)
        return over_time(Safety(bad, reach))

    def _temporal(
        self, formula: syntax.Formula, bound: tuple[BoundIndex, ...], *, existential: bool
    ) -> OverTime:
        """Read a formula of time; one index in front of it may name an agent."""
        if len(bound) > 1:
            raise self.diagnostics.fail(
                "G0711",
                "this is about several agents at once over time",
                bound[1].span,
                notes=("over time, one agent is followed; others can be looked for in each state",),
                help=FIX,
            )
        reader = TemporalReader(
            lambda body: self.plain(body, bound), self._refuse, self.diagnostics
        )
        found = reader.question(formula, bound[0] if bound else None)
        if bound and existential != isinstance(found.formula, Possibly):
            word = "E" if existential else "A"
            raise self._refuse(formula, f"write `{word} …` behind the quantifier")
        return found

    def agents(self, binders: tuple[syntax.Binder, ...]) -> list[BoundIndex]:
        """Return the indices that a quantifier binds; each runs through a template."""
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
            agents = self.agents(body.binders)
            return self._always(body.body, (*bound, *agents), whole, existential=False)
        if speaks_of_time(body):
            knowing = next(knowledge_in(body), None)
            if knowing is not None:
                raise self._refuse(knowing)
            return self._temporal(
                syntax.PathQuantifier("A", syntax.Temporal("G", body, span), span),
                bound,
                existential=False,
            )
        if asks_knowledge(body):
            return self._known(body, bound, whole, reach=False)
        good = self._over(bound, self.plain(body, bound), some=False)
        return self._safety(positive(Not(good)), reach=False)

    def _known(
        self,
        body: syntax.Formula,
        bound: tuple[BoundIndex, ...],
        whole: syntax.Formula,
        *,
        reach: bool,
    ) -> Query:
        if self.names.parameters:
            message = "what agents know is not decided with `Parameters`"
            raise self.diagnostics.fail("G0711", message, whole.span, help=_GIVEN)
        return KnowledgeReader(self).question(body, bound, reach=reach)

    def _over(self, bound: tuple[BoundIndex, ...], body: Condition, *, some: bool) -> Condition:
        kind = Exists if some else Forall
        for index in reversed(bound):
            body = kind(index.name, index.template, body, index.span)
        return body

    # Conditions on a configuration

    def plain(
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
        scope.follows = not bound and template is None
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
                raise self._refuse(formula)

    def _indexed(
        self,
        quantifier: str,
        binders: tuple[syntax.Binder, ...],
        body: syntax.Formula,
        reader: ConditionReader,
    ) -> Condition:
        found = self.agents(binders)
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
        case Knowledge(template, when, doubt, common, further):
            known = f"!({show(doubt)})"
            for level in reversed(further):
                known = f"{'GCK' if level.common else 'GK'}({level.template}, {known})"
            if common:
                return f"AG (({show(when)}) -> GCK({template}, {known}))"
            inner = f"({show(when)}) -> K(self, {known})"
            return f"forall self : {template} (AG ({inner}))"
        case Epistemic(formula, reach):
            return f"{'EF' if reach else 'AG'} ({show_knowing(formula)})"
        case OverTime():
            return show_temporal(query)
        case Ability():
            return show_ability(query)
