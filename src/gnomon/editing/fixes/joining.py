"""Sections that stand in the wrong place: one is made of two, or one is left out."""

from collections.abc import Iterator

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    body_end,
    braces,
    child,
    indent_at,
    items_added,
    line_end,
    line_start,
    removed,
    token_at,
    token_span,
)
from gnomon.editing.sections import Section
from gnomon.text.source import Span


def join_sections(mistake: Mistake) -> Iterator[Fix]:
    """Make one section of two."""
    found = _twice(mistake)
    if found is None:
        return
    first, second = found
    changes = joined(mistake, first, second)
    if changes is not None:
        yield Fix(f"Join the two `{first.word}` sections", changes, preferred=True)


def _twice(mistake: Mistake) -> tuple[Section, Section] | None:
    """Return the two sections of one word, the second of which begins at the place."""
    agents = [each.children for each in mistake.analysis.sections]
    for group in (mistake.analysis.sections, *agents):
        for second in group:
            if second.head.start == mistake.span.start:
                first = next(each for each in group if each.word == second.word)
                return None if first is second else (first, second)
    return None


def joined(mistake: Mistake, first: Section, second: Section) -> tuple[TextChange, ...] | None:
    """Return the changes that put the lines of a section behind those of another; None of conditions."""
    analysis, text = mistake.analysis, mistake.text
    if first.word in ("InitStates", "TerminalStates", "RedStates", "Semantics"):
        return None  # `and` or `or`?
    if not (first.closed and second.closed):
        return None
    out = removed(text, second.span)
    if first.word in ("Actions", "Lobsvars", "Sync"):
        found = braces(analysis, second.span)
        if found is None or "--" in text[second.span.start : second.span.end]:
            return None
        inside = Span(analysis.tokens.ends[found[0]], analysis.tokens.starts[found[1]])
        items = analysis.source.on_one_line(inside)
        added = items_added(analysis, first.span, [items]) if items else None
        return (out,) if added is None else (added, out)
    start = second.head.end
    following = token_at(analysis, start)
    if analysis.tokens.texts[following] == ":":
        start = analysis.tokens.ends[following]
    moved = _moved(mistake, first, Span(start, body_end(analysis, second)))
    return None if moved is None else (moved, out)


def _moved(mistake: Mistake, first: Section, lines: Span) -> TextChange | None:
    """Return the change that repeats lines of the text, with their comments, at the end of a section."""
    text, end = mistake.text, body_end(mistake.analysis, first)
    body, place = text[lines.start : lines.end], line_start(text, end)
    if not text[place:end].strip() and "\n" in body:
        head, _, rest = body.partition("\n")
        # What stands on the line of the head gets a line of its own.
        added = f"{indent_at(rest, 0)}{head.strip()}{line_end(text)}" if head.strip() else ""
        return TextChange(Span(place, place), added + rest[: line_start(rest, len(rest))])
    if "--" in body:
        return None
    return TextChange(Span(end, end), f"{body.strip()} " if body.strip() else "")


def local_variables(mistake: Mistake) -> Iterator[Fix]:
    """Declare variables of an agent in `Vars`, where only the environment has `Obsvars`."""
    for agent in mistake.analysis.sections:
        if not agent.span.start <= mistake.span.start < agent.span.end:
            continue
        observed, own = child(agent, "Obsvars"), child(agent, "Vars")
        if observed is None:
            return
        title = "Declare them in `Vars`"
        if own is not None:
            changes = joined(mistake, own, observed)
        else:
            last = token_at(mistake.analysis, observed.span.end) - 1
            places = (observed.head, token_span(mistake.analysis, last))
            changes = tuple(TextChange(place, "Vars") for place in places)
        if changes is not None:
            yield Fix(title, changes, preferred=True)


def remove_section(mistake: Mistake) -> Iterator[Fix]:
    """Leave out a section that says nothing, or that cannot stand here."""
    for section in mistake.sections[-1:]:
        change = removed(mistake.text, section.span)
        yield Fix(f"Remove the section `{section.word}`", (change,))
