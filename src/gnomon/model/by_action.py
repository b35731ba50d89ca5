"""Assigned values that look at actions: one line for each of the actions that they look at.

`last = Sender.Action if g` is `last = send if g and Sender.Action = send`, and so on for every action of
`Sender`: no two of these lines hold at once, so that the meaning is the same under every semantics.
Where one event happens at a time, the sender may do nothing, and that is one more case.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from math import prod
from typing import Final, TypeAlias

from gnomon.model import expression as typed
from gnomon.model.agent import Assignment, EvolutionLine
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import NOWHERE, Span

#: The most lines that one may become.
MAX_LINES: Final = 2_000

#: What each agent does, None where that is nothing.
_Doing: TypeAlias = Mapping[str, str | None]


def by_action(
    line: EvolutionLine,
    actions_of: Callable[[str], Iterable[str]],
    diagnostics: Diagnostics,
    span: Span = NOWHERE,
    *,
    alone: str | None = None,
) -> tuple[EvolutionLine, ...]:
    """Return lines whose values look at no action, and which together say the same as one whose values do.

    Where one event happens at a time, `alone` is the agent of the line: all others may do nothing in it.
    """
    agents = sorted({agent for item in line.assignments for agent in typed.actors(item.value)})
    idle = (None,) if alone is not None else ()
    actions = [(*actions_of(agent), *(() if agent == alone else idle)) for agent in agents]
    if prod(map(len, actions)) > MAX_LINES:
        raise diagnostics.fail(
            "G0323",
            f"written out for each action that it looks at, this line becomes more than {MAX_LINES:,}",
            span,
            label="too large",
            help="look at fewer agents in one line",
        )
    combinations = (dict(zip(agents, chosen, strict=True)) for chosen in product(*actions))
    lines = (_where(line, doing, actions_of) for doing in combinations)
    return tuple(found for found in lines if found.guard != typed.FALSE)


def _where(
    line: EvolutionLine, doing: _Doing, actions_of: Callable[[str], Iterable[str]]
) -> EvolutionLine:
    """Return what a line says where it is known what some agents do."""
    does = (
        part
        for agent, action in doing.items()
        for part in (
            (typed.Does(agent, action),)
            if action is not None
            else (typed.Not(typed.Does(agent, each)) for each in actions_of(agent))
        )
    )
    guard = _chained(typed.And, (*does, _known(line.guard, doing)))
    assignments = tuple(
        Assignment(item.variable, _known(item.value, doing)) for item in line.assignments
    )
    return EvolutionLine(assignments, guard, line.line, split=True)


def _known(expression: typed.Expression, doing: _Doing) -> typed.Expression:
    """Return what is left of an expression where it is known what some agents do."""
    found: dict[typed.Sharing, typed.Expression] = {}

    def inner(part: typed.Expression) -> typed.Expression:
        if isinstance(part, typed.Does) and part.agent in doing:
            return typed.Literal(doing[part.agent] == part.action)
        if isinstance(part, (typed.Conditional, typed.Defined)):
            return typed.shared(part, found, changed)
        return changed(part)

    def changed(part: typed.Expression) -> typed.Expression:
        if isinstance(part, typed.Defined):
            body = inner(part.body)
            return part if body == part.body else body
        return _simpler(typed.with_parts(part, inner))

    return inner(expression)


def _simpler(expression: typed.Expression) -> typed.Expression:
    """Return what constants leave of an expression whose parts are as simple as they get."""
    match expression:
        case typed.And(operands) | typed.Or(operands):
            return _chained(type(expression), operands)
        case typed.Not(typed.Literal(value)):
            return typed.Literal(not value)
        case typed.Conditional(typed.Literal(value), then, otherwise):
            return then if value else otherwise
        case typed.Compare("=" | "<>" as operator, typed.Literal(left), typed.Literal(right)):
            return typed.Literal((left == right) == (operator == "="))
        case _:
            return expression


def _chained(
    kind: type[typed.And] | type[typed.Or], operands: tuple[typed.Expression, ...]
) -> typed.Expression:
    """Return a chain without constants."""
    decides = typed.Literal(kind is typed.Or)
    if decides in operands:
        return decides
    left = tuple(operand for operand in operands if not isinstance(operand, typed.Literal))
    return left[0] if len(left) == 1 else kind(left) if left else typed.Literal(kind is typed.And)
