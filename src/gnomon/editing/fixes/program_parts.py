"""Sections that a program lacks, and the order of its agents."""

from collections.abc import Iterator

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    line_added,
    line_end,
    line_start,
    line_stop,
    program_section,
    section_added,
)
from gnomon.text.source import Span


def add_initial_states(mistake: Mistake) -> Iterator[Fix]:
    """Add the section of initial states, which are all states until it is filled in."""
    line = "true;  -- TODO: say where runs start"
    yield _added(mistake, "InitStates", line, "Add `InitStates`, to be filled in")


def add_formulae(mistake: Mistake) -> Iterator[Fix]:
    """Add the section of formulae, or a first formula."""
    line = "AG true;  -- TODO: ask something"
    yield _added(mistake, "Formulae", line, "Add a formula, to be filled in")


def _added(mistake: Mistake, word: str, line: str, title: str) -> Fix:
    section = program_section(mistake.analysis, word)
    if section is not None:
        return Fix(title, (line_added(mistake.analysis, section, line),))
    return Fix(title, (section_added(mistake.analysis, word, (line,)),))


def environment_first(mistake: Mistake) -> Iterator[Fix]:
    """Move the environment in front of the other agents."""
    text, agents = mistake.text, [each for each in mistake.analysis.sections if each.is_agent]
    found = [each for each in agents if each.span.start <= mistake.span.start < each.span.end]
    if not found or not found[0].closed or found[0] is agents[0]:
        return
    own, first = found[0].span, agents[0].span.start
    begin = line_start(text, own.start)
    whole = Span(_with_comments(text, begin), line_stop(text, own.end))
    alone = (
        not text[begin : own.start].strip()
        and not text[line_start(text, first) : first].strip()
        and not text[own.end : whole.end].split("--")[0].strip()
    )
    if not alone:
        return
    moved = text[whole.start : whole.end]
    if not moved.endswith("\n"):
        moved += line_end(text)
    # A blank line behind it goes with it, or there would be two in its old place.
    behind = text[whole.end : line_stop(text, whole.end)]
    if behind.endswith("\n") and not behind.strip():
        whole = Span(whole.start, whole.end + len(behind))
        moved += behind
    # What stands above all else is about the whole file.
    place = _with_comments(text, line_start(text, first)) or line_start(text, first)
    changes = (TextChange(Span(place, place), moved), TextChange(whole, ""))
    yield Fix("Move the environment to the front", changes, preferred=True)


def _with_comments(text: str, start: int) -> int:
    """Return where the comments begin that stand right above a line."""
    while start and text[line_start(text, start - 1) : start].lstrip().startswith("--"):
        start = line_start(text, start - 1)
    return start
