"""Formulae that say `AG f` or `EF f` in other words, and why others are not asked of any number of agents."""

from collections.abc import Callable
from typing import Final, TypeAlias

from gnomon.language import syntax
from gnomon.model.elaborate.templates.temporal import speaks_of_time
from gnomon.text.record import replace, walk
from gnomon.text.source import Span

_COALITION: Final = (
    "what a coalition enforces is asked by itself, of all initial states: inside other operators it would "
    "depend on how many agents are where by then"
)
_KNOWN: Final = (
    "what agents know about the future, or for how long, is not decided of any number of agents"
)
_KNOWN_NOW: Final = (
    "what agents know is asked of configurations that are reached: with `AG` or `EF` in front, and with no "
    "other operator of time"
)
_OBLIGED: Final = "templates have no red states, so nothing is permitted or forbidden there"
_FOLLOWED: Final = (
    "over time, one agent is followed, by an index in front of the whole formula; others are looked for in "
    "each state by itself"
)
_START: Final = "a condition by itself is asked of initial states alone"
_SEVERAL: Final = "this puts several questions together, and each has an answer of its own"

#: What helps with all that is not decided of any number of agents.
FIX: Final = (
    "for three agents: leave the formula out, `gnomon export --agents 3`, and "
    "ask it of that program"
)

#: What a path formula says of all states of a path, or of one; None where it says something else.
_StateBody: TypeAlias = syntax.Formula | None


def normal(formula: syntax.Formula) -> syntax.Formula:
    """Return a formula that says the same as `AG f` or `EF f`, where it does; others stay as they are.

    `A(f W false)` and `A(false R f)`, `!E(true U !f)` and `<>G f` are `AG f`, and so is `LTL G f`, which is
    read as `A G f`. From every state that is reached the same can be said: `AG AG f` is `AG f`.
    """
    match formula:
        case syntax.IndexedFormula(_, _, body):
            return replace(formula, body=normal(body))
        case syntax.Negation(body, span):
            return _opposite(normal(body), span)
        case syntax.PathQuantifier("A", path, span) | syntax.Coalition((), path, span):
            return _joined(formula, _everywhere(path), _always, span)
        case syntax.PathQuantifier("E", path, span) | syntax.CannotAvoid((), path, span):
            return _joined(formula, _somewhere(path), _possibly, span)
        case _:
            return formula


def _always(body: syntax.Formula, span: Span) -> syntax.PathQuantifier:
    return syntax.PathQuantifier("A", syntax.Temporal("G", body, span), span)


def _possibly(body: syntax.Formula, span: Span) -> syntax.PathQuantifier:
    return syntax.PathQuantifier("E", syntax.Temporal("F", body, span), span)


def _joined(
    formula: syntax.Formula,
    body: _StateBody,
    form: Callable[[syntax.Formula, Span], syntax.PathQuantifier],
    span: Span,
) -> syntax.Formula:
    """Return a formula in its normal form, twice of which is once."""
    if body is None:
        return formula
    inner = normal(body)
    match inner, form(inner, span):
        case (
            syntax.PathQuantifier(one, syntax.Temporal(first)),
            syntax.PathQuantifier(other, syntax.Temporal(second)),
        ) if (one, first) == (other, second):
            return inner
        case _, found:
            return found


def _opposite(formula: syntax.Formula, span: Span) -> syntax.Formula:
    match formula:
        case syntax.PathQuantifier("A", syntax.Temporal("G", body)):
            return _possibly(_negated(body), span)
        case syntax.PathQuantifier("E", syntax.Temporal("F", body)):
            return _always(_negated(body), span)
        case _:
            return _negated(formula)


def _negated(formula: syntax.Formula) -> syntax.Formula:
    match formula:
        case syntax.Negation(body):
            return body
        case _:
            return syntax.Negation(formula, formula.span)


def _everywhere(path: syntax.Formula) -> _StateBody:
    """Return what a path formula asks of every state of a path, if that is all it asks."""
    match path:
        case syntax.Temporal("G", body):
            return body
        case syntax.WeakFormula("W", body, syntax.Truth(False)):
            return body
        case syntax.WeakFormula("R", syntax.Truth(False), body):
            return body
        case syntax.Negation(inner):
            found = _somewhere(inner)
            return None if found is None else _negated(found)
        case _:
            return None


def _somewhere(path: syntax.Formula) -> _StateBody:
    """Return what a path formula asks of some state of a path, if that is all it asks."""
    match path:
        case syntax.Temporal("F", body) | syntax.UntilFormula(syntax.Truth(True), body):
            return body
        case syntax.Negation(inner):
            found = _everywhere(inner)
            return None if found is None else _negated(found)
        case _:
            return None


def reason(formula: syntax.Formula) -> str:
    """Return why a formula is not asked of any number of agents."""
    parts = list(walk(formula))
    if any(isinstance(part, (syntax.Coalition, syntax.CannotAvoid)) for part in parts):
        return _COALITION
    match formula:
        case syntax.Modality("O"):
            return _OBLIGED
        case syntax.Modality(_, _, body) if not speaks_of_time(body):
            return _KNOWN_NOW
        case syntax.IndexedFormula():
            return _FOLLOWED
        case _:
            pass
    if not any(isinstance(part, (syntax.PathQuantifier, syntax.Modality)) for part in parts):
        return _START
    if isinstance(formula, (syntax.Connective, syntax.Implication, syntax.Equivalence)):
        return _SEVERAL
    return _KNOWN
