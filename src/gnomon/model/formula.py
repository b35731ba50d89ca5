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
    | All
    | Exists
    | Enforces
    | Knows
    | GroupKnows
    | Obliged
)

PathOperator: TypeAlias = Next | Finally | Globally | Until

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
        case Next(body) | Finally(body) | Globally(body):
            return f"{_LETTERS[type(formula)]} {show_formula(body)}"
        case Until(left, right):
            return f"({_show_operand(left, ends=True)} U {_show_operand(right)})"
        case All(path):
            return _show_quantified("A", path)
        case Exists(path):
            return _show_quantified("E", path)
        case Enforces(group, path):
            return f"<{group}>{show_formula(path)}"
        case Knows(agent, body):
            return f"K({agent}, {show_formula(body)})"
        case GroupKnows(kind, group, body):
            return f"{GROUP_OPERATORS[kind]}({group}, {show_formula(body)})"
        case Obliged(agent, body):
            return f"O({agent}, {show_formula(body)})"


_LETTERS: dict[type, str] = {Next: "X", Finally: "F", Globally: "G"}


def _show_operand(formula: Formula, *, ends: bool = False) -> str:
    """Return a side of `U`; a negation needs brackets there, since in LTL it would reach over the `U`.

    It would reach over a `U` behind it, too, from the end of what stands before: `F !p U q` is `F !(p U q)`.
    """
    text = show_formula(formula)
    while ends and isinstance(formula, (Next, Finally, Globally)):
        formula = formula.body
    return f"({text})" if isinstance(formula, Not) else text


def _show_quantified(letter: str, path: Formula) -> str:
    match path:
        case Next(body) | Finally(body) | Globally(body) if not is_path_formula(body):
            return f"{letter}{_LETTERS[type(path)]} {show_formula(body)}"
        case Until():
            return f"{letter}{show_formula(path)}"
        case _:
            text = show_formula(path)
            return f"{letter}{text}" if text.startswith("(") else f"{letter}({text})"


def is_path_formula(formula: Formula) -> bool:
    """Return whether a formula speaks of a path and not of a state.

    Then a temporal operator occurs outside any path quantifier of its own.
    """
    if isinstance(formula, (Next, Finally, Globally, Until)):
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
        case Knows(agent, body) | Obliged(agent, body):
            return type(formula)(agent, without_quantifiers(body))
        case GroupKnows(kind, group, body):
            return GroupKnows(kind, group, without_quantifiers(body))
        case Constant() | Proposition() | StateCondition() | Norm() | Exists() | Enforces():
            return formula
