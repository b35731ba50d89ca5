"""A run as lanes: one column an agent, the first state in full, then only what changed.

Where the lanes are wider than the page, the same is said as a list of `Agent.variable = value`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.evidence import Run, Step
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.projection import (
    NewValue,
    ShownAgents,
    changes,
    is_shown,
    places,
    rule_lines,
    taken,
)
from gnomon.results.styled import Styled, StyledText, fill, pad, width_of

_GAP = "  "
_DOWN = "↓"


class _Lanes(NamedTuple):
    """The run of some system, whom of it we show, and the places of those that have a lane."""

    system: System
    run: Run
    agents: ShownAgents
    shown: list[int]

    def new(self, before: State | None, after: State) -> list[NewValue]:
        """Return what is new in a state for those we show."""
        return changes(self.system, before, after, self.agents)

    def lines(self, step: Step) -> str:
        """Return the source lines of the rules that a step used."""
        return rule_lines(step, places(self.system, self.agents))


class _LaneRow(NamedTuple):
    """One line of the table: its mark at the left, a cell an agent, and a remark at the right."""

    mark: str
    cells: tuple[str, ...]
    remark: str
    style: str
    gutter: str


def render(system: System, run: Run, width: int = 80, agents: ShownAgents = None) -> StyledText:
    """Return the run of some agents drawn within `width` columns where that can be done."""
    lanes = _Lanes(system, run, agents, visible_agents(system, run, agents))
    rows = _rows(lanes)
    names = tuple(system.agents[index].name for index in lanes.shown)
    sizes = [
        max(width_of(name), *(width_of(row.cells[place]) for row in rows))
        for place, name in enumerate(names)
    ]
    margin = _margin(run)
    remark = max(len(row.remark) for row in rows)
    if margin + sum(sizes) + len(_GAP) * len(sizes) + remark > width:
        return _as_list(lanes, width)
    return _as_table(rows, names, sizes, margin)


def visible_agents(system: System, run: Run, agents: ShownAgents = None) -> list[int]:
    """Return the places of the agents that have something to show: a variable or an action."""
    acted = [step.actions for step in (*run.steps, run.back) if step and step.actions]
    shown = [
        index
        for index, agent in enumerate(system.agents)
        if is_shown(agent.name, agents)
        and (agent.variables or any(actions[index] != IDLE for actions in acted))
    ]
    return shown or places(system, agents)


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


def _rows(lanes: _Lanes) -> list[_LaneRow]:
    rows: list[_LaneRow] = []
    before: State | None = None
    run = lanes.run
    for position, step in enumerate(run.steps):
        if step.actions is not None:
            rows.append(_action_row(lanes, step, _gutter(run, position, arriving=True)))
        rows += _state_rows(lanes, before, step.state, position)
        before = step.state
    if run.loop is not None:
        back = run.back or Step(run.steps[run.loop].state)
        if back.actions is not None:
            rows.append(_action_row(lanes, back, "│  "))
        blank = ("",) * len(lanes.shown)
        rows.append(_LaneRow("", blank, f"back to {run.loop}", "dim", "╰─ "))
    return rows


def _action_row(lanes: _Lanes, step: Step, gutter: str) -> _LaneRow:
    actions = step.actions
    assert actions is not None
    cells = tuple("" if actions[index] == IDLE else actions[index] for index in lanes.shown)
    return _LaneRow(_DOWN, cells, lanes.lines(step), "agent", gutter)


def _state_rows(lanes: _Lanes, before: State | None, state: State, position: int) -> list[_LaneRow]:
    new = lanes.new(before, state)
    columns = [
        [f"{name} = {value}" for agent, name, value in new if agent == lane.name]
        for lane in (lanes.system.agents[index] for index in lanes.shown)
    ]
    height = max([1, *map(len, columns)])
    rows = []
    for level in range(height):
        cells = tuple(column[level] if level < len(column) else "" for column in columns)
        mark = str(position) if level == 0 else ""
        remark = "no change" if level == 0 and not new else ""
        gutter = _gutter(lanes.run, position, arriving=False)
        rows.append(
            _LaneRow(mark, cells, remark, "", gutter.replace("╭▸", "│ ") if level else gutter)
        )
    return rows


def _as_table(
    rows: Sequence[_LaneRow], names: tuple[str, ...], sizes: list[int], margin: int
) -> StyledText:
    text = StyledText()
    header = _GAP.join(pad(name, size) for name, size in zip(names, sizes, strict=True))
    text.add(" " * margin, Styled(header, "strong"))
    for row in rows:
        mark = row.mark.rjust(margin - len(_GAP) - len(row.gutter))
        if row.gutter.startswith("╰"):
            text.add(Styled(row.gutter + row.remark, "dim"))
            continue
        cells = _GAP.join(pad(cell, size) for cell, size in zip(row.cells, sizes, strict=True))
        text.add(
            Styled(row.gutter + mark, "dim" if row.mark in {_DOWN, ""} else "strong"),
            _GAP,
            Styled(cells, row.style),
            Styled(_GAP + row.remark if row.remark else "", "dim"),
        )
    return text


def _as_list(lanes: _Lanes, width: int) -> StyledText:
    text = StyledText()
    run = lanes.run
    margin = _margin(run)
    before: State | None = None
    for position, step in enumerate(run.steps):
        if step.actions is not None:
            gutter = _gutter(run, position, arriving=True)
            _list_action(text, lanes, step, (gutter, margin, width))
        gutter = _gutter(run, position, arriving=False)
        new = [*map(str, lanes.new(before, step.state))]
        _list_row(text, str(position), new or ["no change"], "", (gutter, margin, width))
        before = step.state
    if run.loop is not None:
        if run.back and run.back.actions is not None:
            _list_action(text, lanes, run.back, ("│  ", margin, width))
        text.add(Styled(f"╰─ back to {run.loop}", "dim"))
    return text


def _list_action(text: StyledText, lanes: _Lanes, step: Step, page: tuple[str, int, int]) -> None:
    acted = [f"{agent}: {action}" for agent, action in taken(lanes.system, step, lanes.agents)]
    _list_row(text, _DOWN, acted, "agent", page)
    if lines := lanes.lines(step):
        _list_row(text, "", [lines], "dim", page)


def _list_row(
    text: StyledText, mark: str, items: list[str], style: str, page: tuple[str, int, int]
) -> None:
    gutter, margin, width = page
    for index, part in enumerate(fill(items, max(24, width - margin), joint=", ")):
        side = gutter if index == 0 else gutter.replace("╭▸", "│ ")
        left = side + (mark if index == 0 else "").rjust(margin - len(_GAP) - len(side))
        head = Styled(left, "strong" if index == 0 and mark not in {_DOWN, ""} else "dim")
        text.add(head, _GAP, Styled(part, style))
