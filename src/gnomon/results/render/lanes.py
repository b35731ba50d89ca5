"""A run as lanes: one column an agent, the first state in full, then only what changed.

Where the lanes are wider than the page, the same is said as a list of `Agent.variable = value`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gnomon.logic.evidence import Run, Step
from gnomon.model.agent import IDLE
from gnomon.model.domain import show_value
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.styled import Span, Text, fill, pad, width_of

_GAP = "  "
_DOWN = "↓"


class _Row(NamedTuple):
    """One line of the table: its mark at the left, a cell an agent, and a remark at the right."""

    mark: str
    cells: tuple[str, ...]
    remark: str
    style: str
    gutter: str


def render(system: System, run: Run, width: int = 80) -> Text:
    """Return the run drawn within `width` columns where that can be done."""
    agents = visible_agents(system, run)
    rows = _rows(system, run, agents)
    names = tuple(system.agents[index].name for index in agents)
    sizes = [
        max(width_of(name), *(width_of(row.cells[place]) for row in rows))
        for place, name in enumerate(names)
    ]
    margin = _margin(run)
    remark = max(len(row.remark) for row in rows)
    if margin + sum(sizes) + len(_GAP) * len(sizes) + remark > width:
        return _as_list(system, run, agents, width)
    return _as_table(rows, names, sizes, margin)


def visible_agents(system: System, run: Run) -> list[int]:
    """Return the places of the agents that have something to show: a variable or an action."""
    taken = [step.actions for step in (*run.steps, run.back) if step and step.actions]
    shown = [
        index
        for index, agent in enumerate(system.agents)
        if agent.variables or any(actions[index] != IDLE for actions in taken)
    ]
    return shown or list(range(len(system.agents)))


def changes(system: System, before: State | None, after: State) -> list[tuple[str, str, str]]:
    """Return (agent, variable, value) for all that is new in `after`; all of it after nothing."""
    return [
        (variable.agent, variable.name, show_value(value))
        for index, (variable, value) in enumerate(zip(system.variables, after, strict=True))
        if before is None or before[index] != value
    ]


def _margin(run: Run) -> int:
    loop = 3 if run.loop is not None else 0
    return loop + len(str(len(run.steps) - 1)) + len(_GAP)


def _gutter(run: Run, position: int, *, arriving: bool) -> str:
    """Return the piece of the loop's bracket beside a row; `arriving` is the row of an action."""
    if run.loop is None:
        return ""
    if position < run.loop or (arriving and position == run.loop):
        return "   "
    return "╭▸ " if not arriving and position == run.loop else "│  "


def _rows(system: System, run: Run, agents: list[int]) -> list[_Row]:
    rows: list[_Row] = []
    before: State | None = None
    for position, step in enumerate(run.steps):
        if step.actions is not None:
            rows.append(_action_row(step, agents, _gutter(run, position, arriving=True)))
        rows += _state_rows(system, before, step.state, position, run, agents)
        before = step.state
    if run.loop is not None:
        back = run.back or Step(run.steps[run.loop].state)
        if back.actions is not None:
            rows.append(_action_row(back, agents, "│  "))
        blank = ("",) * len(agents)
        rows.append(_Row("", blank, f"back to {run.loop}", "dim", "╰─ "))
    return rows


def _action_row(step: Step, agents: list[int], gutter: str) -> _Row:
    assert step.actions is not None
    cells = tuple("" if step.actions[index] == IDLE else step.actions[index] for index in agents)
    return _Row(_DOWN, cells, rule_lines(step), "agent", gutter)


def rule_lines(step: Step) -> str:
    """Return the source lines of the evolution rules of a step, as `line 12, 40`."""
    numbers = sorted({number for lines in step.lines for number in lines if number})
    return f"line {', '.join(map(str, numbers))}" if numbers else ""


def _state_rows(
    system: System,
    before: State | None,
    state: State,
    position: int,
    run: Run,
    agents: list[int],
) -> list[_Row]:
    new = changes(system, before, state)
    columns = [
        [f"{name} = {value}" for agent, name, value in new if agent == system.agents[index].name]
        for index in agents
    ]
    height = max(1, *(len(column) for column in columns))
    rows = []
    for level in range(height):
        cells = tuple(column[level] if level < len(column) else "" for column in columns)
        mark = str(position) if level == 0 else ""
        remark = "no change" if level == 0 and not new else ""
        gutter = _gutter(run, position, arriving=False)
        rows.append(_Row(mark, cells, remark, "", gutter.replace("╭▸", "│ ") if level else gutter))
    return rows


def _as_table(rows: Sequence[_Row], names: tuple[str, ...], sizes: list[int], margin: int) -> Text:
    text = Text()
    header = _GAP.join(pad(name, size) for name, size in zip(names, sizes, strict=True))
    text.add(" " * margin, Span(header, "strong"))
    for row in rows:
        mark = row.mark.rjust(margin - len(_GAP) - len(row.gutter))
        if row.gutter.startswith("╰"):
            text.add(Span(row.gutter + row.remark, "dim"))
            continue
        cells = _GAP.join(pad(cell, size) for cell, size in zip(row.cells, sizes, strict=True))
        text.add(
            Span(row.gutter + mark, "dim" if row.mark in {_DOWN, ""} else "strong"),
            _GAP,
            Span(cells, row.style),
            Span(_GAP + row.remark if row.remark else "", "dim"),
        )
    return text


def _as_list(system: System, run: Run, agents: list[int], width: int) -> Text:
    text = Text()
    margin = _margin(run)
    before: State | None = None
    for position, step in enumerate(run.steps):
        if step.actions is not None:
            gutter = _gutter(run, position, arriving=True)
            _list_action(text, system, step, agents, (gutter, margin, width))
        gutter = _gutter(run, position, arriving=False)
        new = [f"{a}.{n} = {v}" for a, n, v in changes(system, before, step.state)]
        _list_row(text, str(position), new or ["no change"], "", (gutter, margin, width))
        before = step.state
    if run.loop is not None:
        if run.back and run.back.actions is not None:
            _list_action(text, system, run.back, agents, ("│  ", margin, width))
        text.add(Span(f"╰─ back to {run.loop}", "dim"))
    return text


def _list_action(
    text: Text, system: System, step: Step, agents: list[int], page: tuple[str, int, int]
) -> None:
    assert step.actions is not None
    taken = [
        f"{system.agents[index].name}: {step.actions[index]}"
        for index in agents
        if step.actions[index] != IDLE
    ]
    _list_row(text, _DOWN, taken, "agent", page)
    if lines := rule_lines(step):
        _list_row(text, "", [lines], "dim", page)


def _list_row(
    text: Text, mark: str, items: list[str], style: str, page: tuple[str, int, int]
) -> None:
    gutter, margin, width = page
    for index, part in enumerate(fill(items, max(24, width - margin), joint=", ")):
        side = gutter if index == 0 else gutter.replace("╭▸", "│ ")
        left = side + (mark if index == 0 else "").rjust(margin - len(_GAP) - len(side))
        head = Span(left, "strong" if index == 0 and mark not in {_DOWN, ""} else "dim")
        text.add(head, _GAP, Span(part, style))
