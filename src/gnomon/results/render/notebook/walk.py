"""A walk in a notebook: the state we are in, the ways on, where we have been, and runs."""

from collections.abc import Iterator
from typing import Final

from gnomon.model.agent import IDLE
from gnomon.model.domain import show_value
from gnomon.model.evidence import Run
from gnomon.model.system import System
from gnomon.results.graph import action_label
from gnomon.results.model_walk import ModelWalk, MoveList, NumberedMove
from gnomon.results.projection import changes, propositions_in
from gnomon.results.render.notebook.frame import (
    code,
    fixed,
    framed,
    heading,
    paragraph,
    quoted,
    row,
    shown,
    table,
)
from gnomon.results.render.notebook.runs import lanes

#: So many moves, agents and lines are listed.
_MOST_MOVES: Final = 40
_MOST_AGENTS: Final = 60
_MOST_COLUMNS: Final = 8
_MOST_LINES: Final = 200


def render(name: str, walk: ModelWalk, found: MoveList) -> str:
    """Return one output about where a walk stands, and the ways on."""
    depth = len(walk.path()) - 1
    steps = "an initial state" if depth == 0 else f"{depth} step{'' if depth == 1 else 's'} in"
    facts = f"{shown(name)} · {steps}"
    title = f'<strong>State {walk.here.number}</strong> <span class="g-soft">{facts}</span>'
    return framed(paragraph(title), _state(walk), heading("the ways on"), *_moves(walk, found))


def render_moves(walk: ModelWalk, found: MoveList) -> str:
    """Return one output about the ways on."""
    return framed(*_moves(walk, found))


def render_run(name: str, system: System, run: Run, stopped: str = "") -> str:
    """Return one output about a run."""
    steps = len(run.steps) - 1
    facts = f"{steps:,} step{'' if steps == 1 else 's'}"
    title = f'<strong>Run of {shown(name)}</strong> <span class="g-soft">{facts}</span>'
    return framed(paragraph(title), lanes(system, run), paragraph(quoted(stopped), "g-unknown"))


def render_text(text: str) -> str:
    """Return one output whose columns matter, of a long one the beginning."""
    lines = text.splitlines()
    left = len(lines) - _MOST_LINES
    more = paragraph(quoted(f"… and {left:,} more lines; `print` has all"), "g-soft")
    return framed(fixed("\n".join(lines[:_MOST_LINES])), more if left > 0 else "")


def _state(walk: ModelWalk) -> str:
    system, here = walk.system, walk.here
    values: dict[str, list[str]] = {}
    for variable, value in zip(system.variables, here.state, strict=True):
        said = f"{variable.name} = {show_value(value)}"
        values.setdefault(variable.agent, []).append(said)
    rows = [
        row([f"<strong>{shown(agent)}</strong>", code(", ".join(said))])
        for agent, said in list(values.items())[:_MOST_AGENTS]
    ]
    if left := max(0, len(values) - _MOST_AGENTS):
        rows.append(row(["", f"… and {left:,} more agents; <code>.state</code> has all"]))
    true = propositions_in(system, here.state)
    holds = paragraph(f'<span class="g-true">⊨</span> {code(", ".join(true))}' if true else "")
    return (table(["agent", "values"], rows) if rows else "") + holds


def _moves(walk: ModelWalk, found: MoveList) -> Iterator[str]:
    if found.is_deadlock:
        end = "a terminal state, where a run may end" if walk.may_end else "a deadlock"
        yield paragraph(f"✗ no way on: this is {end}", "" if walk.may_end else "g-false")
    elif not found.items:
        yield paragraph("? no way on was found, but not every move was looked at", "g-unknown")
    else:
        yield _move_table(walk, found.items[:_MOST_MOVES])
        yield paragraph("<small><code>.choose(number)</code> takes one of them</small>", "g-soft")
    if left := max(0, len(found.items) - _MOST_MOVES):
        yield paragraph(quoted(f"… and {left:,} more; `.moves` has all"), "g-soft")
    if found.cut:
        yield paragraph(quoted(f"? there may be more moves than these: {found.cut}"), "g-unknown")
    if found.overflows:
        count = f"{'at least ' if found.cut else ''}{found.overflows:,}"
        yield paragraph(f"{count} moves have no result: a value would leave its range", "g-soft")


def _move_table(walk: ModelWalk, moves: tuple[NumberedMove, ...]) -> str:
    system = walk.system
    acting = [
        index
        for index, agent in enumerate(system.agents)
        if agent.actions
        and any(move.step.actions and move.step.actions[index] != IDLE for move in moves)
    ]
    many = len(acting) > _MOST_COLUMNS
    names = ["joint action"] if many else [shown(system.agents[index].name) for index in acting]
    rows = []
    for move in moves:
        done = move.step.actions or ()
        cells = [shown(action_label(done))] if many else [shown(done[index]) for index in acting]
        new = changes(system, walk.here.state, move.step.state)
        what = code(", ".join(map(str, new))) if new else '<span class="g-soft">nothing</span>'
        rows.append(row([f"<strong>{move.number}</strong>", *cells, what]))
    return table(["", *names, "what changes"], rows)
