"""A walk for people: the state we are in, the ways on, and where we have been."""

from collections.abc import Iterable
from itertools import islice
from typing import Protocol

from gnomon.model.agent import IDLE
from gnomon.model.budget import LimitReached
from gnomon.model.domain import show_value
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.graph import action_label
from gnomon.results.model_walk import ModelWalk, MoveList, NumberedMove, Visit
from gnomon.results.projection import changes, propositions_in
from gnomon.results.render import table
from gnomon.results.styled import Styled, StyledText, wrap


class AcceptsMoves(Protocol):
    """What can tell whether a move is wanted."""

    def accepts(self, option: NumberedMove, system: System) -> bool:
        """Return whether it is."""


def render_state(walk: ModelWalk, width: int = 80) -> StyledText:
    """Return the state we are in, one line an agent, and what holds in it."""
    system, here = walk.system, walk.here
    text = StyledText()
    depth = len(walk.path()) - 1
    steps = "an initial state" if depth == 0 else f"{depth} step{'' if depth == 1 else 's'} in"
    text.add(Styled(f"state {here.number}", "strong"), Styled(f" · {steps}", "dim"))
    rows = []
    for agent in system.agents:
        values = [
            f"{variable.name} = {show_value(value)}"
            for variable, value in zip(system.variables, here.state, strict=True)
            if variable.agent == agent.name
        ]
        if values:
            rows.append([agent.name, ", ".join(values)])
    if true := propositions_in(system, here.state):
        rows.append(["holds", ", ".join(true)])
    text.extend(table.render(["", ""], rows, width - 2), "  ")
    return text


def render_options(
    walk: ModelWalk, options: MoveList, wanted: AcceptsMoves, skip: int, most: int, width: int = 80
) -> StyledText:
    """Return one page of the ways on; moves of one joint action stand together."""
    text = StyledText()
    chosen = [option for option in options.items if wanted.accepts(option, walk.system)]
    shown = chosen[skip : skip + most]
    if options.is_deadlock:
        end = Styled("no way on: this is a deadlock", "warning")
        if walk.may_end:
            end = Styled("no way on: this is a terminal state, where a run may end", "dim")
        text.add(end)
    elif not options.items:
        text.add(Styled("no way on was found, but not every move was looked at", "warning"))
    elif not chosen:
        text.add(Styled(f"none of {len(options.items)} moves is like that", "warning"))
    elif not shown:
        text.add("there are no more")
    else:
        text.extend(_option_table(walk, shown, width), "  ")
    left = len(chosen) - skip - len(shown)
    if left > 0:
        text.add(Styled(f"  … {left:,} more: `more` lists them, `where` narrows them down", "dim"))
    if options.cut:
        text.add(Styled(f"  (there may be more moves than these: {options.cut})", "dim"))
    if options.overflows:
        count = f"{'at least ' if options.cut else ''}{options.overflows:,}"
        text.add(Styled(f"  ({count} moves have no result: a value would leave its range)", "dim"))
    return text


def _option_table(walk: ModelWalk, shown: list[NumberedMove], width: int) -> StyledText:
    """Return a column for each agent that acts, or one for all where that is too wide."""
    system = walk.system
    acting = [
        index
        for index, agent in enumerate(system.agents)
        if any(option.step.actions and option.step.actions[index] != IDLE for option in shown)
        and agent.actions
    ]
    header = ["", *(system.agents[index].name for index in acting), "what changes"]
    rows: list[list[str]] = []
    before: tuple[str, ...] | None = None
    for option in shown:
        actions = option.step.actions
        assert actions is not None
        same = actions == before
        cells = ["″" if same else actions[index] for index in acting]
        rows.append([str(option.number), *cells, _new(walk, option)])
        before = actions
    narrow = sum(
        max(len(row[place]) for row in [header, *rows]) + 2 for place in range(len(acting) + 1)
    )
    if narrow + 24 > width:
        header = ["", "joint action", "what changes"]
        rows = [
            [row[0], action_label(option.step.actions or ()), row[-1]]
            for row, option in zip(rows, shown, strict=True)
        ]
    return table.render(header, rows, width - 2)


def _new(walk: ModelWalk, option: NumberedMove) -> str:
    new = changes(walk.system, walk.here.state, option.step.state)
    return ", ".join(map(str, new)) or "nothing"


def render_initial(
    system: System, states: Iterable[State], most: int, width: int = 80
) -> StyledText:
    """Return the first initial states, numbered from 1; all but the first as what differs."""
    found: list[State] = []
    cut = ""
    try:
        for state in islice(states, most + 1):
            found.append(state)  # noqa: PERF402 - what was found before a limit counts
    except LimitReached as limit:
        cut = str(limit)
    rows = []
    for index, state in enumerate(found[:most], 1):
        new = changes(system, found[0] if index > 1 else None, state)
        rows.append([str(index), ", ".join(map(str, new))])
    text = table.render(["", ""], rows, width)
    if len(found) > most:
        text.add(Styled("… and more", "dim"))
    if cut:
        text.add(Styled(f"(there may be more: {cut})", "dim"))
    return text


def render_alike(
    walk: ModelWalk,
    agent: str,
    states: list[State],
    total: int,
    width: int = 80,
    *,
    complete: bool,
) -> StyledText:
    """Return some of the states that look the same to an agent, each as what differs from here."""
    text = StyledText()
    within = "reachable" if complete else "of those looked at"
    if not states:
        text.add(f"to {agent}, no other state {within} looks like this one")
        return text
    word, look, differ = ("state", "looks", "it differs")
    if total > 1:
        word, look, differ = ("states", "look", "they differ")
    text.add(f"to {agent}, {total:,} other {word} {within} {look} like this one; {differ} in:")
    visited = {visit.state: visit.number for visit in walk.visits}
    rows = []
    for state in states:
        new = changes(walk.system, walk.here.state, state)
        number = f"state {visited[state]}" if state in visited else ""
        rows.append([number, ", ".join(map(str, new))])
    text.extend(table.render(["", ""], rows, width - 2), "  ")
    if total > len(rows):
        text.add(Styled(f"  … and {total - len(rows):,} more", "dim"))
    return text


def render_tree(walk: ModelWalk, width: int = 80) -> StyledText:
    """Return all states visited; a run without forks stays in one column."""
    text = StyledText()
    children: dict[int | None, list[Visit]] = {}
    for visit in walk.visits:
        children.setdefault(visit.parent, []).append(visit)
    waiting = [(visit, 0) for visit in reversed(children.get(None, []))]
    above: int | None = None
    while waiting:
        visit, depth = waiting.pop()
        _tree_line(text, walk, visit, depth, width, forked=visit.parent not in {above, None})
        above = visit.number
        below = children.get(visit.number, [])
        deeper = depth + 1 if len(below) > 1 else depth
        waiting += [(child, deeper) for child in reversed(below)]
    return text


def _tree_line(
    text: StyledText, walk: ModelWalk, visit: Visit, depth: int, width: int, *, forked: bool
) -> None:
    before = None if visit.parent is None else walk.visits[visit.parent].state
    new = changes(walk.system, before, visit.state)
    label = action_label(visit.step.actions) if visit.step and visit.step.actions else "initial"
    origin = f"from {visit.parent}, " if forked else ""
    mark = "▸ " if visit.number == walk.at else "  "
    left = f"{mark}{'  ' * depth}{visit.number:>3}  "
    words = f"{origin}{label}: {', '.join(map(str, new)) or 'no change'}"
    first, *rest = wrap(words, width - len(left), "    ")
    text.add(Styled(left, "strong" if visit.number == walk.at else "dim"), first)
    for part in rest:
        text.add(" " * len(left), part)
