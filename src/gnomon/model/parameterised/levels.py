"""Knowledge in levels: `AG (a -> ...)` of what some know that others know, and the same as any other formula.

Levels can be searched without a graph of all configurations, so what is of that form is recognised.
"""

from gnomon.model.parameterised import knowing as k
from gnomon.model.parameterised.condition import (
    SELF,
    TRUE,
    Condition,
    Forall,
    Not,
    Or,
    positive,
    renamed,
    walk,
)
from gnomon.model.parameterised.query import Epistemic, Knowledge, KnownBy


def in_levels(query: Epistemic) -> Knowledge | None:
    """Return a question as one about levels; None where it has another form."""
    if query.reach:
        return None
    match query.formula:
        case k.EveryAgent(index, template, body):
            found = _implication(body)
            return None if found is None else _of_each(index, template, *found)
        case formula:
            found = _implication(formula)
            return None if found is None else _of_all(*found)


def _implication(formula: k.EpistemicFormula) -> tuple[Condition, k.EpistemicFormula] | None:
    """Return when something is known, and that; None where a formula does not say so."""
    match formula:
        case k.AnyOf((*premises, known)) if premises:
            if not all(isinstance(each, k.Here) for each in premises):
                return None
            excluded = [each.condition for each in premises if isinstance(each, k.Here)]
            return positive(Not(Or(tuple(excluded)))), known
        case k.AgentKnows() | k.Common() | k.EveryAgent(_, _, k.AgentKnows()):
            return TRUE, formula
        case _:
            return None


def _of_each(
    index: str, template: str, when: Condition, known: k.EpistemicFormula
) -> Knowledge | None:
    match known:
        case k.AgentKnows(who, _, body) if who == index:
            while isinstance(body, k.AgentKnows) and body.index == index:
                body = body.body  # that one knows what one knows says nothing more
            further, what = _further(body)
            if what is None or (further and k.named_in(what)):
                return None
            return _levels(index, template, when, what, further=further)
        case _:
            return None


def _of_all(when: Condition, known: k.EpistemicFormula) -> Knowledge | None:
    (first, *further), what = _further(known, least=1)
    if what is None or k.named_in(what) or k.named_in(when) or first.template == "":
        return None
    return _levels(SELF, first.template, when, what, common=first.common, further=tuple(further))


def _further(
    body: k.EpistemicFormula, least: int = 0
) -> tuple[tuple[KnownBy, ...], Condition | None]:
    """Return who else knows, from outside to inside, and what it is; None where that is no condition."""
    found: list[KnownBy] = []
    while True:
        match body:
            case k.EveryAgent(index, template, k.AgentKnows(who, _, known)) if who == index:
                found.append(KnownBy(template))
                body = known
            case k.Common(template, known):
                found.append(KnownBy(template, common=True))
                body = known
            case k.Here(condition) if len(found) >= least:
                return tuple(found), condition
            case _:
                return (*found, KnownBy("")), None


def _levels(
    index: str,
    template: str,
    when: Condition,
    what: Condition,
    *,
    common: bool = False,
    further: tuple[KnownBy, ...] = (),
) -> Knowledge | None:
    """Return the question, if both conditions look for some agents only."""
    first, doubt = positive(when), positive(Not(what))
    if any(isinstance(part, Forall) for each in (first, doubt) for part in walk(each)):
        return None
    names = {index: SELF}
    return Knowledge(
        template, renamed(first, names), renamed(doubt, names), common=common, further=further
    )


def as_formula(query: Knowledge) -> Epistemic:
    """Return a question about levels as any other."""
    formula: k.EpistemicFormula = k.Here(positive(Not(query.doubt)))
    for number, level in reversed(list(enumerate(query.further))):
        formula = _known_by(level, formula, f"{k.EACH}{number}")
    owner = query.template
    formula = k.Common(owner, formula) if query.common else k.AgentKnows(SELF, owner, formula)
    if query.when != TRUE:
        formula = k.AnyOf((k.Here(positive(Not(query.when))), formula))
    if not query.common or k.named(formula):
        formula = k.EveryAgent(SELF, owner, formula)
    return Epistemic(formula)


def _known_by(level: KnownBy, known: k.EpistemicFormula, index: str) -> k.EpistemicFormula:
    if level.common:
        return k.Common(level.template, known)
    return k.EveryAgent(index, level.template, k.AgentKnows(index, level.template, known))
