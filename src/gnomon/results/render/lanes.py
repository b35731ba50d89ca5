"""A run as lanes: one column an agent, the first state in full, then only what changed.

Where the lanes are wider than the page, the same is said as a list of `Agent.variable = value`. Of a run that
takes too many lines, the steps in its middle are left out, and counted.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.evidence import Run, Step
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.extent import HOW
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
    most: int | None = None
    #: A state that was shown before: of a long first state, only what is different there is told.
    like: State | None = None

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


def render(
    system: System,
    run: Run,
    width: int = 80,
    agents: ShownAgents = None,
    *,
    most: int | None = None,
    like: State | None = None,
) -> StyledText:
    """Return the run of some agents drawn within `width` columns where that can be done.

    It has at most about `most` lines; `like` is the first state of a run that was shown before.
    """
    lanes = _Lanes(system, run, agents, visible_agents(system, run, agents), most, like)
    return _as_table(lanes, width) or _as_list(lanes, width)


def is_table(system: System, run: Run, width: int, agents: ShownAgents = None) -> bool:
    """Return whether there is room for the lanes."""
    lanes = _Lanes(system, run, agents, visible_agents(system, run, agents))
    return _as_table(lanes, width) is not None


def _joined(lanes: _Lanes, blocks: Sequence[StyledText], header: StyledText) -> StyledText:
    """Return a header and blocks of lines, one a state, without those in the middle that are too many."""
    text = header
    heights = [len(block.lines) for block in blocks]
    most = None if lanes.most is None else lanes.most - len(header.lines)
    first, last = _ends(heights, most, lanes.run.loop)
    for number, block in enumerate(blocks):
        if first <= number < last:
            if number == first:
                side = _gutter(lanes.run, number, arriving=True)
                mark = "⋮".rjust(_margin(lanes.run) - len(_GAP) - len(side))
                left = last - first
                words = f"{left} more step{'' if left == 1 else 's'} ({HOW})"
                text.add(Styled(f"{side}{mark}{_GAP}{words}", "dim"))
            continue
        text.extend(block)
    return text


def _ends(heights: Sequence[int], most: int | None, loop: int | None) -> tuple[int, int]:
    """Return which blocks to leave out, from and to, so that the others have about `most` lines.

    Those are at both ends; where there is a loop, the whole of it comes first.
    """
    if most is None or sum(heights) <= most:
        return len(heights), len(heights)
    first, last = 1, len(heights) - 1
    left = most - 1 - heights[0] - heights[-1]
    while first < last:
        front = first <= len(heights) - last and not (loop is not None and last > loop)
        left -= heights[first if front else last - 1]
        if left < 0:
            break
        first, last = (first + 1, last) if front else (first, last - 1)
    return first, last


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


def _as_table(lanes: _Lanes, width: int) -> StyledText | None:
    """Return the lanes, None where they are wider than that."""
    rows = _rows(lanes)
    names = tuple(lanes.system.agents[index].name for index in lanes.shown)
    sizes = [
        max(width_of(name), *(width_of(row.cells[place]) for row in rows))
        for place, name in enumerate(names)
    ]
    margin = _margin(lanes.run)
    remark = max(len(row.remark) for row in rows)
    if margin + sum(sizes) + len(_GAP) * len(sizes) + remark > width:
        return None
    header = StyledText()
    title = _GAP.join(pad(name, size) for name, size in zip(names, sizes, strict=True))
    header.add(" " * margin, Styled(title, "strong"))
    blocks: list[StyledText] = []
    for row in rows:
        closing = row.gutter.startswith("╰")
        if not blocks or row.mark == _DOWN:
            blocks.append(StyledText())
        if closing:
            blocks[-1].add(Styled(row.gutter + row.remark, "dim"))
            continue
        mark = row.mark.rjust(margin - len(_GAP) - len(row.gutter))
        cells = _GAP.join(pad(cell, size) for cell, size in zip(row.cells, sizes, strict=True))
        blocks[-1].add(
            Styled(row.gutter + mark, "dim" if row.mark in {_DOWN, ""} else "strong"),
            _GAP,
            Styled(cells, row.style),
            Styled(_GAP + row.remark if row.remark else "", "dim"),
        )
    return _joined(lanes, blocks, header)


def _as_list(lanes: _Lanes, width: int) -> StyledText:
    run = lanes.run
    margin = _margin(run)
    before: State | None = None
    blocks: list[StyledText] = []
    for position, step in enumerate(run.steps):
        text = StyledText()
        blocks.append(text)
        if step.actions is not None:
            gutter = _gutter(run, position, arriving=True)
            _list_action(text, lanes, step, (gutter, margin, width))
        gutter = _gutter(run, position, arriving=False)
        new = _list_start(lanes) if before is None else [*map(str, lanes.new(before, step.state))]
        _list_row(text, str(position), new or ["no change"], "", (gutter, margin, width))
        before = step.state
    if run.loop is not None:
        text = StyledText()
        blocks.append(text)
        if run.back and run.back.actions is not None:
            _list_action(text, lanes, run.back, ("│  ", margin, width))
        text.add(Styled(f"╰─ back to {run.loop}", "dim"))
    return _joined(lanes, blocks, StyledText())


def _list_start(lanes: _Lanes) -> list[str]:
    """Return the first state: what is different from one that was shown before, if that is less."""
    state = lanes.run.steps[0].state
    whole = [*map(str, lanes.new(None, state))]
    if lanes.like is None:
        return whole
    new = [*map(str, lanes.new(lanes.like, state))]
    if 2 * len(new) > len(whole):
        return whole
    if not new:
        return ["as in the first run"]
    return [f"as in the first run, but {new[0]}", *new[1:]]


def _list_action(text: StyledText, lanes: _Lanes, step: Step, page: tuple[str, int, int]) -> None:
    doers: dict[str, list[str]] = {}
    for agent, action in taken(lanes.system, step, lanes.agents):
        doers.setdefault(action, []).append(agent)
    acted = [f"{', '.join(who)}: {action}" for action, who in doers.items()]
    joint = "; " if any(len(who) > 1 for who in doers.values()) else ", "
    lines, room = lanes.lines(step), max(24, page[2] - page[1])
    if acted and lines:
        beside = [*acted[:-1], f"{acted[-1]}  {lines}"]
        if len(fill(beside, room, joint=joint)) == len(fill(acted, room, joint=joint)):
            acted, lines = beside, ""
    _list_row(text, _DOWN, acted, "agent", page, joint)
    if lines:
        _list_row(text, "", [lines], "dim", page)


def _list_row(
    text: StyledText,
    mark: str,
    items: list[str],
    style: str,
    page: tuple[str, int, int],
    joint: str = ", ",
) -> None:
    gutter, margin, width = page
    for index, part in enumerate(fill(items, max(24, width - margin), joint=joint)):
        side = gutter if index == 0 else gutter.replace("╭▸", "│ ")
        left = side + (mark if index == 0 else "").rjust(margin - len(_GAP) - len(side))
        head = Styled(left, "strong" if index == 0 and mark not in {_DOWN, ""} else "dim")
        text.add(head, _GAP, Styled(part, style))
