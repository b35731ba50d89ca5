"""Protocols with gaps, actions that nobody can do, and lines that never apply."""

import re
from collections.abc import Iterable, Iterator

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    agent_section,
    child,
    item_removed,
    items_added,
    line_added,
    line_end,
    line_start,
    listed,
    part_added,
    removed,
    step,
    with_semicolon,
)
from gnomon.editing.sections import Section
from gnomon.language import syntax
from gnomon.text.source import Span


def add_protocol(mistake: Mistake) -> Iterator[Fix]:
    """Say of all actions that they are possible everywhere."""
    own = mistake.agent()
    agent = None if own is None else agent_section(mistake.analysis, own.name.text)
    if own is None or agent is None:
        return
    names = _all_actions(mistake, agent)
    if names is None:
        return
    condition = "true" if "true : " in mistake.help else "Other"
    lines = ("Protocol:", f"{step(mistake.analysis)}{condition} : {names};", "end Protocol")
    behind = "Sync" if child(agent, "Sync") is not None else "Actions"
    change = part_added(mistake.analysis, agent, behind, lines)
    yield Fix(f"Add a `Protocol` that allows all actions of `{agent.name}`", (change,))


def _all_actions(mistake: Mistake, agent: Section) -> str | None:
    """Return all actions of an agent as a list, as they are declared."""
    actions, synchronised = child(agent, "Actions"), child(agent, "Sync")
    parts = []
    if actions is not None:
        parts.append((listed(mistake.analysis, actions.span) or "").strip("{} "))
    if synchronised is not None:
        written = (listed(mistake.analysis, synchronised.span) or "").strip("{} ")
        parts.append(re.sub(r"\s*:\s*(?:some|one|all)\b", "", written))
    names = ", ".join(filter(None, parts))
    return f"{{ {names} }}" if names else None


def fill_gap(mistake: Mistake) -> Iterator[Fix]:
    """Let an agent act where it has no action."""
    name = mistake.quoted[0] if mistake.quoted else ""
    agent, own = agent_section(mistake.analysis, name), mistake.agent(name)
    protocol = None if agent is None else child(agent, "Protocol")
    if agent is None or own is None or protocol is None:
        return
    names = _all_actions(mistake, agent)
    if names is None:
        return
    line = f"Other : {names};"
    yield Fix(f"Add `{line}`", (line_added(mistake.analysis, protocol, line),))
    where = re.search(r"has no action where (.+)", mistake.message)
    condition = None if where is None else _condition(mistake, own, where[1])
    if condition is not None:
        line = f"{condition} : {names};"
        title = f"Add a protocol line for `{condition}`"
        yield Fix(title, (line_added(mistake.analysis, protocol, line),))


def _condition(mistake: Mistake, own: syntax.Agent, where: str) -> str | None:
    """Return a state as a condition on it, with the environment in front of its variables."""
    parts = []
    for part in where.split(" and "):
        name, equals, _ = part.partition(" = ")
        if not equals or "[" in name:
            return None
        mine = _declares(own, name)
        environment = mistake.agent("Environment")
        if not mine and (environment is None or not _declares(environment, name)):
            return None
        parts.append(part if mine else f"Environment.{part}")
    return " and ".join(parts)


def _declares(agent: syntax.Agent, name: str) -> bool:
    lines = syntax.each_line((*(agent.observed or ()), *(agent.variables or ())))
    return any(line.name.text == name for line in lines)


def enable_action(mistake: Mistake) -> Iterator[Fix]:
    """Let a protocol list an action, or leave the action out."""
    own, action = mistake.agent(), mistake.written
    agent = None if own is None else agent_section(mistake.analysis, own.name.text)
    protocol = None if agent is None else child(agent, "Protocol")
    if own is None or protocol is None or "[" in action:
        return
    # Whatever a new line allows everywhere would take away all places where `Other` applies.
    other = [line for line in syntax.each_line(own.protocol or ()) if line.condition is None]
    if other:
        change = items_added(mistake.analysis, other[0].span, [action])
        if change is not None:
            yield Fix(f"Add `{action}` to the line `Other`", (change,))
    else:
        line = f"true : {{ {action} }};  -- TODO: say where `{action}` is possible"
        title = f"Add a protocol line for `{action}`"
        yield Fix(title, (line_added(mistake.analysis, protocol, line),))
    yield Fix(f"Remove the action `{action}`", item_removed(mistake.analysis, mistake.span))


def remove_idle_line(mistake: Mistake) -> Iterator[Fix]:
    """Take out a line that never applies, where it stands for itself alone."""
    agent = mistake.agent()
    if agent is None or agent.name.indices or "never changes" in mistake.message:
        return
    written = agent.protocol if mistake.diagnostic.code == "G0405" else agent.evolution
    number = mistake.analysis.source.line_of
    # Of a line in `for`, other copies may well apply.
    here = [
        line.span for line in _plain(written or ()) if number(line.span) == number(mistake.span)
    ]
    if len(here) == 1:
        whole = with_semicolon(mistake.analysis, here[0])
        change = removed(mistake.text, whole)
        yield Fix("Remove the line, which has no effect", (change,), preferred=True)


def _plain(
    lines: Iterable[object],
) -> Iterator[syntax.ProtocolLine | syntax.EvolutionLine]:
    for line in lines:
        if isinstance(line, (syntax.ProtocolLine, syntax.EvolutionLine)):
            yield line


def split_assignments(mistake: Mistake) -> Iterator[Fix]:
    """Write a line for each variable, or let a line assign several."""
    agent = mistake.agent()
    for line in syntax.each_line(() if agent is None else agent.evolution or ()):
        if len(line.assignments) > 1 and line.assignments[1].span == mistake.span:
            yield from _one_line_each(mistake, line)
            break
    word = mistake.analysis.program.semantics_word
    if word is not None:
        change = TextChange(word.span, "MultiAssignment")
        yield Fix("Use `Semantics = MultiAssignment`", (change,))


def _one_line_each(mistake: Mistake, line: syntax.EvolutionLine) -> Iterator[Fix]:
    text, source = mistake.text, mistake.analysis.source
    start, end = line.span
    if "--" in text[start:end] or "(" in text[start : line.assignments[0].span.start]:
        return
    guard = source.on_one_line(line.guard.span)
    before = text[line_start(text, start) : start]
    between = line_end(text) + (before if not before.strip() else " " * len(before))
    lines = [f"{source.on_one_line(each.span)} if {guard};" for each in line.assignments]
    change = TextChange(with_semicolon(mistake.analysis, line.span), between.join(lines))
    yield Fix("Write a line for each variable", (change,), preferred=True)


def single_assignment(mistake: Mistake) -> Iterator[Fix]:
    """Let every variable follow its own lines, where all lines assign one."""
    if "Semantics = SingleAssignment" not in mistake.help:
        return
    word = mistake.analysis.program.semantics_word
    title = "Use `Semantics = SingleAssignment`"
    if word is not None:
        yield Fix(title, (TextChange(word.span, "SingleAssignment"),))
        return
    first = mistake.analysis.sections[0].head.start if mistake.analysis.sections else 0
    line = f"Semantics = SingleAssignment;{line_end(mistake.text)}"
    change = TextChange(Span(first, first), line)
    yield Fix(title, (change,))
