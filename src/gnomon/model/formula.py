"""Formulae as frozen records, names resolved, with their printed form.

One tree for every logic: CTL, LTL and CTL* are path quantifiers over path formulae, ATL is a coalition
over a path formula, so `AG f` is `All(Globally(f))` and `<g>F f` is `Enforces(g, Finally(f))`.
"""

from collections.abc import Iterator
from typing import Literal as Choice
from typing import TypeAlias

from gnomon.model.expression import Defined, Expression, show
from gnomon.text.record import Record


class Group(Record):
    """Some agents, under the name the program gives them (or none)."""

    members: tuple[str, ...]
    name: str = ""

    def __str__(self) -> str:
        """Show the name, or the members."""
        return self.name or ", ".join(self.members)


class Constant(Record):
    """`true` or `false`."""

    value: bool


class Proposition(Record):
    """A named condition of the `Evaluation` section."""

    name: str


class StateCondition(Record):
    """A condition on the state that the formula spells out itself."""

    expression: Expression


class Norm(Record):
    """Whether an agent is in one of its red (forbidden) states, or in a green one."""

    agent: str
    red: bool


class Not(Record):
    """The opposite."""

    body: "Formula"


class And(Record):
    """All operands."""

    operands: tuple["Formula", ...]


class Or(Record):
    """At least one operand."""

    operands: tuple["Formula", ...]


class Implies(Record):
    """The right side wherever the left side holds."""

    left: "Formula"
    right: "Formula"


class Iff(Record):
    """Both sides or neither."""

    left: "Formula"
    right: "Formula"


class Next(Record):
    """Path: at the next state."""

    body: "Formula"


class Finally(Record):
    """Path: now or later."""

    body: "Formula"


class Globally(Record):
    """Path: now and for ever."""

    body: "Formula"


class Until(Record):
    """Path: `right` now or later, and `left` at every state before."""

    left: "Formula"
    right: "Formula"


class WeakUntil(Record):
    """Path: `left` at every state before one where `right` holds, and for ever if there is none."""

    left: "Formula"
    right: "Formula"


class Release(Record):
    """Path: `right` up to and including the state where `left` holds, and for ever if it never does."""

    left: "Formula"
    right: "Formula"


class Bounded(Record):
    """Path: the operator, looking only at the steps from `low` to `high`, both included."""

    path: "Finally | Globally | Until | WeakUntil | Release"
    low: int
    high: int


class All(Record):
    """On every path."""

    path: "Formula"


class Exists(Record):
    """On some path."""

    path: "Formula"


class Enforces(Record):
    """The group has a strategy such that the path formula holds whatever the others do."""

    group: Group
    path: "Formula"


class Knows(Record):
    """The agent knows."""

    agent: str
    body: "Formula"


class GroupKnows(Record):
    """A group knows: "everybody" does, it is "common" knowledge, or it is "distributed"."""

    kind: Choice["everybody", "common", "distributed"]
    group: Group
    body: "Formula"


class Obliged(Record):
    """It holds wherever the agent functions correctly."""

    agent: str
    body: "Formula"


Formula: TypeAlias = (
    Constant
    | Proposition
    | StateCondition
    | Norm
    | Not
    | And
    | Or
    | Implies
    | Iff
    | Next
    | Finally
    | Globally
    | Until
    | WeakUntil
    | Release
    | Bounded
    | All
    | Exists
    | Enforces
    | Knows
    | GroupKnows
    | Obliged
)

PathOperator: TypeAlias = Next | Finally | Globally | Until | WeakUntil | Release | Bounded

GROUP_OPERATORS = {"everybody": "GK", "common": "GCK", "distributed": "DK"}


def parts(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulae."""
    match formula:
        case Constant() | Proposition() | StateCondition() | Norm():
            return ()
        case And(operands) | Or(operands):
            return operands
        case Implies(left, right) | Iff(left, right) | Until(left, right):
            return (left, right)
        case WeakUntil(left, right) | Release(left, right):
            return (left, right)
        case Bounded(path):
            return parts(path)
        case Not(body) | Next(body) | Finally(body) | Globally(body) | All(body) | Exists(body):
            return (body,)
        case Knows(_, body) | Obliged(_, body) | GroupKnows(_, _, body) | Enforces(_, body):
            return (body,)


def walk(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and all its subformulae."""
    waiting = [formula]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(parts(current)))


def show_formula(formula: Formula) -> str:
    """Return the formula fully bracketed, so that its parse can be seen."""
    match formula:
        case Constant(value):
            return "true" if value else "false"
        case Proposition(name):
            return name
        case StateCondition(Defined(name)):
            return name
        case StateCondition(expression):
            return f"({show(expression)})"
        case Norm(agent, red):
            return f"{agent}.{'RedStates' if red else 'GreenStates'}"
        case Not(body):
            return f"!{show_formula(body)}"
        case And(operands):
            return "(" + " and ".join(map(show_formula, operands)) + ")" if operands else "true"
        case Or(operands):
            return "(" + " or ".join(map(show_formula, operands)) + ")" if operands else "false"
        case Implies(left, right):
            return f"({show_formula(left)} -> {show_formula(right)})"
        case Iff(left, right):
            return f"({show_formula(left)} <-> {show_formula(right)})"
        case Next() | Finally() | Globally() | Until() | WeakUntil() | Release() | Bounded():
            return _show_path(formula)
        case All(path):
            return _show_quantified("A", path)
        case Exists(path):
            return _show_quantified("E", path)
        case Enforces(group, path):
            return f"<{group}>{show_formula(path)}"
        case Knows(agent, body):
            return f"K({agent}, {show_formula(body)})"
        case GroupKnows(kind, group, body):
            who = str(group) if group.name or len(group.members) == 1 else f"{{{group}}}"
            return f"{GROUP_OPERATORS[kind]}({who}, {show_formula(body)})"
        case Obliged(agent, body):
            return f"O({agent}, {show_formula(body)})"


_LETTERS: dict[type, str] = {
    Next: "X",
    Finally: "F",
    Globally: "G",
    Until: "U",
    WeakUntil: "W",
    Release: "R",
}


def _show_path(path: PathOperator, window: str = "") -> str:
    match path:
        case Bounded(inner, low, high):
            return _show_path(inner, f"[{low},{high}]" if low else f"<={high}")
        case Next(body) | Finally(body) | Globally(body):
            return f"{_LETTERS[type(path)]}{window} {show_formula(body)}"
        case Until(left, right) | WeakUntil(left, right) | Release(left, right):
            operator = _LETTERS[type(path)] + window
            return f"({_show_operand(left, ends=True)} {operator} {_show_operand(right)})"


def _show_operand(formula: Formula, *, ends: bool = False) -> str:
    """Return a side of `U`, `W` or `R`; a negation needs brackets there: in LTL it would reach over the `U`.

    It would reach over a `U` behind it, too, from the end of what stands before: `F !p U q` is `F !(p U q)`.
    """
    text = show_formula(formula)
    while ends and is_prefix(formula):
        [formula] = parts(formula)
    return f"({text})" if isinstance(formula, Not) else text


def _show_quantified(letter: str, path: Formula) -> str:
    text = show_formula(path)
    if text.startswith("(") or (is_prefix(path) and not any(map(is_path_formula, parts(path)))):
        return f"{letter}{text}"
    return f"{letter}({text})"


def is_prefix(path: Formula) -> bool:
    """Return whether a formula is `X`, `F` or `G` of something, with bounds or without."""
    inner = path.path if isinstance(path, Bounded) else path
    return isinstance(inner, (Next, Finally, Globally))


def is_path_formula(formula: Formula) -> bool:
    """Return whether a formula speaks of a path and not of a state.

    Then a temporal operator occurs outside any path quantifier of its own.
    """
    if isinstance(formula, PathOperator):
        return True
    if isinstance(formula, (All, Exists, Enforces, Knows, GroupKnows, Obliged)):
        return False
    return any(is_path_formula(part) for part in parts(formula))


def without_quantifiers(formula: Formula) -> Formula:
    """Return an LTL formula as it is written: `A` stands before it and inside K without being said."""
    match formula:
        case All(path):
            return without_quantifiers(path)
        case Not(body) | Next(body) | Finally(body) | Globally(body):
            return type(formula)(without_quantifiers(body))
        case And(operands) | Or(operands):
            return type(formula)(tuple(map(without_quantifiers, operands)))
        case Implies(left, right) | Iff(left, right) | Until(left, right):
            return type(formula)(without_quantifiers(left), without_quantifiers(right))
        case WeakUntil(left, right) | Release(left, right):
            return type(formula)(without_quantifiers(left), without_quantifiers(right))
        case Bounded(path, low, high):
            return Bounded(without_quantifiers(path), low, high)  # type: ignore[arg-type]
        case Knows(agent, body) | Obliged(agent, body):
            return type(formula)(agent, without_quantifiers(body))
        case GroupKnows(kind, group, body):
            return GroupKnows(kind, group, without_quantifiers(body))
        case Constant() | Proposition() | StateCondition() | Norm() | Exists() | Enforces():
            return formula
