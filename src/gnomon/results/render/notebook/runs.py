"""Runs in a notebook: a column an agent, the first state in full, then what changed, and the loop."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.evidence import Run, Step
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.projection import ShownAgents, changes, places, rule_lines, taken
from gnomon.results.render.lanes import visible_agents
from gnomon.results.render.notebook.frame import row, shown, table

#: Of a longer run the middle is left out.
_MOST_STATES: Final = 24
#: More agents than these have no columns of their own.
_MOST_LANES: Final = 8
#: More values than these in one cell are not read.
_MOST_VALUES: Final = 40


class _RunColumns(NamedTuple):
    """A run, whom of its system we show, and who has a column: nobody where there are too many."""

    system: System
    run: Run
    agents: ShownAgents
    columns: tuple[int, ...]


def lanes(system: System, run: Run, agents: ShownAgents = None) -> str:
    """Return a run as a table; of a long one both ends, with a word about the rest."""
    seen = visible_agents(system, run, agents)
    columns = tuple(seen) if len(seen) <= _MOST_LANES else ()
    given = _RunColumns(system, run, agents, columns)
    names = [shown(system.agents[index].name) for index in columns] or ["all agents"]
    lined = any(step.lines for step in run.steps)
    return table(["", *names, "rules" if lined else ""], _rows(given))


def _rows(given: _RunColumns) -> Iterator[str]:
    run = given.run
    count = len(run.steps)
    first, last = (count, count) if count <= _MOST_STATES else (_MOST_STATES - 8, count - 8)
    for position, step in enumerate(run.steps):
        if first <= position < last:
            if position == first:
                yield _note(
                    given,
                    "⋮",
                    f"{last - first:,} more steps; .story() and .evidence.data have them",
                )
            continue
        if step.actions is not None:
            yield _act(given, step)
        before = run.steps[position - 1].state if position else None
        yield _state(given, position, before, step.state)
    if run.loop is not None:
        if run.back is not None and run.back.actions is not None:
            yield _act(given, run.back)
        yield _note(given, "↺", f"back to {run.loop}, and round for ever")


def _note(given: _RunColumns, mark: str, words: str) -> str:
    span = max(1, len(given.columns)) + 1
    return f'<tr><td>{mark}</td><td colspan="{span}" style="text-align:left"><em>{words}</em></td></tr>'


def _act(given: _RunColumns, step: Step) -> str:
    assert step.actions is not None
    lines = shown(rule_lines(step, places(given.system, given.agents)))
    done = step.actions
    if given.columns:
        cells = ["" if done[index] == IDLE else shown(done[index]) for index in given.columns]
    else:
        acted = taken(given.system, step, given.agents)
        cells = [_listed([f"{agent}: {action}" for agent, action in acted], ", ")]
    return row(["↓", *cells, f"<small>{lines}</small>"], "g-act")


def _state(given: _RunColumns, position: int, before: State | None, state: State) -> str:
    new = changes(given.system, before, state, given.agents)
    if given.columns:
        names = [given.system.agents[index].name for index in given.columns]
        cells = [
            _listed([f"{name} = {value}" for agent, name, value in new if agent == lane], "<br>")
            for lane in names
        ]
    else:
        cells = [_listed([str(each) for each in new], ", ")]
    loop = given.run.loop
    mark = f"↻&nbsp;{position}" if loop is not None and position >= loop else str(position)
    remark = "" if new else "<small>no change</small>"
    return row([f"<strong>{mark}</strong>", *cells, remark], "g-state")


def _listed(items: list[str], joint: str) -> str:
    kept = [shown(each) for each in items[:_MOST_VALUES]]
    more = len(items) - len(kept)
    return joint.join([*kept, f"… {more} more"] if more else kept)
