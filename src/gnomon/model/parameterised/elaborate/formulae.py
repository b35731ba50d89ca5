"""Formulae about any number of agents: `AG`, `EF`, and knowledge one level deep."""

from gnomon.language import syntax
from gnomon.model.elaborate.expressions import TypeProblem
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
from gnomon.model.parameterised.elaborate.conditions import ConditionReader
from gnomon.model.parameterised.elaborate.scope import OpenNames
from gnomon.model.parameterised.system import Knowledge, Query, Question, Safety
from gnomon.text.diagnostic import Diagnostics, closest
from gnomon.text.source import Span

_FORMS = (
    "of any number of agents, `AG !bad`, `EF bad` and `AG (a -> K(Template, b))` can be asked",
)


_FIX = "for three agents: leave the formula out, `gnomon export --agents 3`, and ask it of that program"


class QueryReader:
    """Turns the formulae of a program, or one that a user typed, into questions."""

    def __init__(self, names: OpenNames, diagnostics: Diagnostics) -> None:
        """Read with the program's names."""
        self.names = names
        self.diagnostics = diagnostics

    def question(self, line: syntax.FormulaLine, text: str, place: int = 0) -> Question | None:
        """Return what a formula asks, or None where it was reported."""
        try:
            if line.logic != "CTL":
                raise self._refuse(line.formula.span)
            query = self._query(line.formula, (), existential=False)
        except TypeProblem:
            return None
        return Question(query, text, show_query(query), place)

    def _refuse(self, span: Span, help: str = "") -> TypeProblem:
        self.diagnostics.add(
            "G0711",
            "this cannot be decided for any number of agents",
            span,
            notes=_FORMS,
            help=help or _FIX,
        )
        return TypeProblem()

    def _query(
        self,
        formula: syntax.Formula,
        bound: tuple[tuple[str, str, Span], ...],
        *,
        existential: bool,
    ) -> Query:
        """Read a formula; `bound` are indices in front of it, quantified as `existential` says."""
        match formula:
            case syntax.IndexedFormula(quantifier, binders, body):
                some = quantifier == "exists"
                if bound and some != existential:
                    raise self._refuse(formula.span)
                return self._query(body, (*bound, *self._agents(binders)), existential=some)
            case syntax.PathQuantifier("A", syntax.Temporal("G", body)):
                return self._always(body, bound, existential, formula.span)
            case syntax.PathQuantifier("E", syntax.Temporal("F", body)):
                if bound and not existential:
                    raise self._refuse(formula.span, "write `EF exists …`")
                bad = self._over(bound, self._plain(body, bound), some=True)
                return Safety(self._existential(bad, formula.span), reach=True)
            case syntax.Negation(syntax.PathQuantifier("E", syntax.Temporal("F", body), span)):
                inside = syntax.Negation(body, body.span)
                whole = syntax.PathQuantifier("A", syntax.Temporal("G", inside, span), span)
                return self._query(whole, bound, existential=existential)
            case syntax.Negation(syntax.PathQuantifier("A", syntax.Temporal("G", body), span)):
                inside = syntax.Negation(body, body.span)
                whole = syntax.PathQuantifier("E", syntax.Temporal("F", inside, span), span)
                return self._query(whole, bound, existential=existential)
            case syntax.Connective("and"):
                raise self._refuse(formula.span, "write two formulae")
            case _:
                raise self._refuse(formula.span)

    def _agents(self, binders: tuple[syntax.Binder, ...]) -> list[tuple[str, str, Span]]:
        found: list[tuple[str, str, Span]] = []
        for binder in binders:
            name = binder.domain.text if isinstance(binder.domain, syntax.Name) else ""
            if name not in self.names.templates or binder.where is not None:
                guess = closest(name, list(self.names.templates))
                self.diagnostics.add(
                    "G0702",
                    f"`{binder.variable}` does not run through a template here",
                    binder.span,
                    notes=(f"the templates: {', '.join(self.names.templates)}",),
                    help=f"did you mean `{guess}`?" if guess else "",
                )
                raise TypeProblem
            found.append((binder.variable, name, binder.span))
        return found

    def _always(
        self,
        body: syntax.Formula,
        bound: tuple[tuple[str, str, Span], ...],
        existential: bool,  # noqa: FBT001
        span: Span,
    ) -> Query:
        if bound and existential:
            raise self._refuse(span, "write `AG forall …`, or `AG exists …`")
        if isinstance(body, syntax.IndexedFormula) and body.quantifier == "forall":
            agents = self._agents(body.binders)
            return self._always(body.body, (*bound, *agents), False, span)
        if any(isinstance(part, syntax.Modality) for part in _walk(body)):
            return self._knowledge(body, bound, span)
        good = self._over(bound, self._plain(body, bound), some=False)
        return Safety(self._existential(Not(good), span))

    def _over(
        self, bound: tuple[tuple[str, str, Span], ...], body: Condition, *, some: bool
    ) -> Condition:
        for index, template, span in reversed(bound):
            body = (Exists if some else Forall)(index, template, body, span)
        return body

    def _existential(self, condition: Condition, span: Span) -> Condition:
        """Return the condition without negations around quantifiers; it must only look for some agents."""
        result = positive(condition)
        if any(isinstance(part, Forall) for part in walk(result)):
            self.diagnostics.add(
                "G0721",
                "what is looked for here is that something holds of every agent",
                span,
                notes=(
                    "one can ask whether some agents ever satisfy a condition: `AG !exists …`, `EF exists …`",
                ),
                help=_FIX,
            )
            raise TypeProblem
        return result

    # Knowledge

    def _knowledge(
        self, body: syntax.Formula, bound: tuple[tuple[str, str, Span], ...], span: Span
    ) -> Query:
        when, modality = self._implication(body, span)
        if modality.operator != "K" or len(bound) > 1:
            raise self._not_one_level(modality.span)
        if any(isinstance(part, syntax.Modality) for part in (*_walk(modality.body), *_walk(when))):
            raise self._not_one_level(modality.span)
        who = modality.who.text
        if bound:
            index, template, _ = bound[0]
            if who != index:
                raise self._not_one_level(modality.who.span)
        else:
            index, template = who, who
        if template not in self.names.templates:
            guess = closest(who, list(self.names.templates))
            self.diagnostics.add(
                "G0203",
                f"there is no template `{who}`",
                modality.who.span,
                label="unknown template",
                notes=(f"the templates: {', '.join(self.names.templates)}",),
                help=f"did you mean `{guess}`?" if guess else "",
            )
            raise TypeProblem
        owner = None if bound else template
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

    def _not_one_level(self, span: Span) -> TypeProblem:
        self.diagnostics.add(
            "G0715",
            "of any number of agents, knowledge can be asked as `AG (a -> K(i, b))` only",
            span,
            notes=("i is a template or an index: `forall i : Robot (AG (i.room = C -> K(i, b)))`",),
            help=_FIX,
        )
        return TypeProblem()

    # Conditions on a configuration

    def _plain(
        self,
        formula: syntax.Formula,
        bound: tuple[tuple[str, str, Span], ...],
        template: str | None = None,
    ) -> Condition:
        """Return a formula without operators of time; `template` is whose variables need no index."""
        reader = ConditionReader(self.names, None, self.diagnostics, every=template is not None)
        reader.template = template
        for index, name, span in bound:
            if index in reader.indices:
                self.diagnostics.add("G0705", f"index `{index}` is bound twice", span)
                raise TypeProblem
            reader.indices[index] = name
        if template is not None:
            reader.indices[SELF] = template
        return self._state(formula, reader)

    def _state(self, formula: syntax.Formula, reader: ConditionReader) -> Condition:
        match formula:
            case syntax.Truth(value):
                return TRUE if value else FALSE
            case syntax.Atom(name, span):
                return self._proposition(name.text, span)
            case syntax.StateCondition(condition):
                return reader.read_condition(condition)
            case syntax.Negation(body):
                return Not(self._state(body, reader))
            case syntax.Connective(operator, operands):
                inner = tuple(self._state(operand, reader) for operand in operands)
                return And(inner) if operator == "and" else Or(inner)
            case syntax.Implication(left, right):
                return Or((Not(self._state(left, reader)), self._state(right, reader)))
            case syntax.IndexedFormula(quantifier, binders, body):
                return self._indexed(quantifier, binders, body, reader)
            case _:
                raise self._refuse(formula.span)

    def _indexed(
        self,
        quantifier: str,
        binders: tuple[syntax.Binder, ...],
        body: syntax.Formula,
        reader: ConditionReader,
    ) -> Condition:
        found = self._agents(binders)
        for index, template, span in found:
            if index in reader.indices:
                self.diagnostics.add(
                    "G0705",
                    f"`{index}` stands for an agent of `{reader.indices[index]}` already",
                    span,
                    help="choose another name",
                )
                raise TypeProblem
            reader.indices[index] = template
        result = self._state(body, reader)
        for index, template, span in reversed(found):
            del reader.indices[index]
            result = (Exists if quantifier == "exists" else Forall)(index, template, result, span)
        return result

    def _proposition(self, name: str, span: Span) -> Condition:
        if name in self.names.propositions:
            return self.names.propositions[name]
        known = list(self.names.propositions)
        guess = closest(name, known)
        self.diagnostics.add(
            "G0601",
            f"there is no proposition `{name}`",
            span,
            label="not defined in `Evaluation`",
            notes=(f"the propositions: {', '.join(known)}",) if 0 < len(known) <= 20 else (),
            help=f"did you mean `{guess}`?" if guess else "",
        )
        raise TypeProblem


def show_query(query: Query) -> str:
    """Return a question as it was read."""
    match query:
        case Safety(bad, reach):
            return f"EF ({show(bad)})" if reach else f"AG !({show(bad)})"
        case Knowledge(template, when, doubt):
            inner = f"({show(when)}) -> K(self, !({show(doubt)}))"
            return f"forall self : {template} (AG ({inner}))"


def _walk(formula: syntax.Formula) -> list[syntax.Formula]:
    found: list[syntax.Formula] = []
    waiting = [formula]
    while waiting:
        current = waiting.pop()
        found.append(current)
        match current:
            case syntax.Connective(_, operands):
                waiting.extend(operands)
            case syntax.Implication(left, right) | syntax.UntilFormula(left, right):
                waiting += [left, right]
            case (
                syntax.Negation(body)
                | syntax.Temporal(_, body)
                | syntax.PathQuantifier(_, body)
                | syntax.Modality(_, _, body)
                | syntax.Coalition(_, body)
                | syntax.IndexedFormula(_, _, body)
            ):
                waiting.append(body)
            case _:
                pass
    return found
