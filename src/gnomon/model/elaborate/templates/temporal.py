"""Formulae of time about any number of agents: paths, with conditions on configurations in them."""

from collections.abc import Callable
from typing import Final, TypeAlias

from gnomon.language import syntax
from gnomon.model import formula as f
from gnomon.model.elaborate.step_bounds import checked_bounds
from gnomon.model.fold.systems import mapped
from gnomon.model.parameterised.condition import SELF, Condition, renamed, show
from gnomon.model.parameterised.query import OverTime
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import Record, walk
from gnomon.text.source import Span

#: What speaks of a path or quantifies over paths.
_OF_TIME: Final = (
    syntax.PathQuantifier,
    syntax.Temporal,
    syntax.UntilFormula,
    syntax.WeakFormula,
    syntax.BoundedFormula,
    syntax.Coalition,
    syntax.CannotAvoid,
)

_PREFIX: Final[dict[str, type[f.Next] | type[f.Finally] | type[f.Globally]]] = {
    "X": f.Next,
    "F": f.Finally,
    "G": f.Globally,
}

#: Reads what a formula says of a configuration.
ReadCondition: TypeAlias = Callable[[syntax.Formula], Condition]
#: Reports a formula that cannot be asked.
Refuse: TypeAlias = Callable[[syntax.Formula], Reported]


class BoundIndex(Record):
    """An index in front of a formula, the template whose agents it runs through, and where."""

    name: str
    template: str
    span: Span


def speaks_of_time(formula: syntax.Formula) -> bool:
    """Return whether there is an operator of time, or a quantifier over paths, in a formula."""
    return any(isinstance(part, _OF_TIME) for part in walk(formula))


class TemporalReader:
    """Reads one formula; what it says of single configurations is collected and numbered."""

    def __init__(self, read: ReadCondition, refuse: Refuse, diagnostics: Diagnostics) -> None:
        """Have what reads conditions, and what says that something cannot be asked."""
        self._read = read
        self._refuse = refuse
        self._diagnostics = diagnostics
        self._conditions: list[Condition] = []

    def question(self, formula: syntax.Formula, index: BoundIndex | None) -> OverTime:
        """Return what a formula asks, perhaps of each agent (or some agent) that an index names."""
        found = self._state(formula)
        if isinstance(found, f.Not):
            found = _opposite(found.body)
        if not isinstance(found, (f.All, f.Exists)):
            raise self._refuse(formula)
        if index is None:
            return OverTime(found, tuple(self._conditions))
        conditions = tuple(renamed(each, {index.name: SELF}) for each in self._conditions)
        return OverTime(found, conditions, index.template)

    def _state(self, formula: syntax.Formula) -> f.Formula:
        """Return a formula about configurations, in which no path is spoken of without a quantifier."""
        found = self._formula(formula)
        if f.is_path_formula(found):
            raise self._diagnostics.fail(
                "G0602",
                "the formula speaks of a path, but no `A` or `E` says of which",
                formula.span,
                help="put `A` or `E` and brackets around it: `A (a U b)`",
            )
        return found

    def _formula(self, formula: syntax.Formula) -> f.Formula:
        if not speaks_of_time(formula):
            return self._condition(self._read(formula))
        match formula:
            case syntax.Negation(body):
                return f.Not(self._formula(body))
            case syntax.Connective(operator, operands):
                parts = tuple(self._formula(each) for each in operands)
                return f.And(parts) if operator == "and" else f.Or(parts)
            case syntax.Implication(left, right):
                return f.Implies(self._formula(left), self._formula(right))
            case syntax.Equivalence(left, right):
                return f.Iff(self._formula(left), self._formula(right))
            case syntax.PathQuantifier("A", body) | syntax.Coalition((), body):
                return f.All(self._formula(body))
            case syntax.PathQuantifier(_, body) | syntax.CannotAvoid((), body):
                return f.Exists(self._formula(body))
            case syntax.Temporal(operator, body):
                return _PREFIX[operator](self._formula(body))
            case syntax.UntilFormula(left, right):
                return f.Until(self._formula(left), self._formula(right))
            case syntax.WeakFormula("W", left, right):
                return f.WeakUntil(self._formula(left), self._formula(right))
            case syntax.WeakFormula(_, left, right):
                return f.Release(self._formula(left), self._formula(right))
            case syntax.BoundedFormula(path, bounds):
                low, high = checked_bounds(bounds, self._diagnostics)
                return f.Bounded(self._formula(path), low, high)  # type: ignore[arg-type]
            case _:
                raise self._refuse(formula)

    def _condition(self, condition: Condition) -> f.Formula:
        if condition not in self._conditions:
            self._conditions.append(condition)
        return f.Proposition(str(self._conditions.index(condition)))


def _opposite(formula: f.Formula) -> f.Formula:
    match formula:
        case f.All(path):
            return f.Exists(f.Not(path))
        case f.Exists(path):
            return f.All(f.Not(path))
        case _:
            return formula


def show_temporal(query: OverTime) -> str:
    """Return a question as it was read."""
    text = f.show_formula(_shown(query, query.formula))
    if not query.template:
        return text
    word = "forall" if isinstance(query.formula, f.All) else "exists"
    return f"{word} self : {query.template} ({text})"


def _shown(query: OverTime, formula: f.Formula) -> f.Formula:
    match formula:
        case f.Proposition(name):
            text = show(query.conditions[int(name)])
            return f.Proposition(text if text.isidentifier() else f"({text})")
        case _:
            return mapped(formula, lambda part: _shown(query, part))
