"""What is there twice: one of the two is taken out, or both are joined."""

import itertools
import re
from collections.abc import Iterable, Iterator

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    item_removed,
    items_added,
    line_start,
    line_stop,
    removed,
    token_at,
    with_semicolon,
)
from gnomon.language import syntax
from gnomon.text.record import walk
from gnomon.text.source import Span


def remove_duplicate(mistake: Mistake) -> Iterator[Fix]:
    """Take out the declaration that does not count."""
    message, span = mistake.message, mistake.span
    name = mistake.quoted[0] if mistake.quoted else ""
    if "[" in name:
        return  # the rest of its family is declared in the same place
    if message.startswith("action `"):
        changes = item_removed(mistake.analysis, span)
        yield Fix(f"Remove the second `{name}`", changes, preferred=True)
    elif message.endswith("lists the same value twice"):
        yield from _repeated_values(mistake)
    elif message.startswith("a second `Other`"):
        yield from _join_others(mistake)
    elif message.endswith("it is left out"):
        agents = [each for each in mistake.analysis.sections if each.head.start <= span.start]
        change = removed(mistake.text, agents[-1].span)
        yield Fix(f"Remove the second `{name}`", (change,))
    elif message.endswith("the last definition counts"):
        earlier = _defined_before(mistake, name)
        if earlier is not None:
            change = removed(mistake.text, with_semicolon(mistake.analysis, earlier))
            title = f"Remove the first definition of `{name}`, which does not count"
            yield Fix(title, (change,), preferred=True)
    else:
        change = removed(mistake.text, with_semicolon(mistake.analysis, span))
        title = f"Remove the second declaration of `{name}`, which does not count"
        yield Fix(title, (change,), preferred=True)


def _defined_before(mistake: Mistake, name: str) -> Span | None:
    program = mistake.analysis.program
    lines: Iterable[syntax.Proposition | syntax.Group] = (
        *_plain_lines(program.evaluation or ()),
        *_plain_lines(program.groups),
    )
    kind = syntax.Group if mistake.message.startswith("group") else syntax.Proposition
    for line in lines:
        same = isinstance(line, kind) and line.name.text == name and not line.name.indices
        if same and line.span.start < mistake.span.start:
            return line.span
    return None


def _plain_lines(lines: Iterable[object]) -> Iterator[syntax.Proposition | syntax.Group]:
    for line in lines:
        if isinstance(line, (syntax.Proposition, syntax.Group)):
            yield line


def _repeated_values(mistake: Mistake) -> Iterator[Fix]:
    for part in walk(mistake.analysis.program):
        if isinstance(part, syntax.EnumerationType) and part.span == mistake.span:
            seen: set[str] = set()
            changes: list[TextChange] = []
            for value in part.values:
                if value.text in seen and not value.indices:
                    changes += item_removed(mistake.analysis, value.span)
                seen.add(value.text)
            if changes and _apart(changes):
                yield Fix("Remove what is listed again", tuple(changes), preferred=True)
            return


def _apart(changes: list[TextChange]) -> bool:
    """Return whether changes do not overlap."""
    ordered = sorted(changes)
    pairs = itertools.pairwise(ordered)
    return all(first.span.end <= second.span.start for first, second in pairs)


def _join_others(mistake: Mistake) -> Iterator[Fix]:
    agent = mistake.agent()
    lines = syntax.each_line(() if agent is None else agent.protocol or ())
    others = [line for line in lines if line.condition is None]
    second = [line for line in others if line.span == mistake.span]
    if len(others) < 2 or not second or second[0] is others[0]:
        return
    known = {each.text for each in others[0].actions}
    new = [
        mistake.analysis.source.on_one_line(each.span)
        for each in second[0].actions
        if each.text not in known or each.indices
    ]
    out = removed(mistake.text, with_semicolon(mistake.analysis, mistake.span))
    added = items_added(mistake.analysis, others[0].span, new) if new else None
    changes = (out,) if added is None else (added, out)
    yield Fix("Join the two `Other` lines", changes, preferred=True)


# Lines


def remove_assignment(mistake: Mistake) -> Iterator[Fix]:
    """Take out one of two assignments to one variable."""
    analysis = mistake.analysis
    place = token_at(analysis, mistake.span.start) - 1
    if analysis.tokens.texts[place] == "and":
        change = TextChange(Span(analysis.tokens.ends[place - 1], mistake.span.end), "")
        yield Fix(f"Remove `{mistake.written}`", (change,))


def remove_from_list(mistake: Mistake) -> Iterator[Fix]:
    """Take a name out of the list that it stands in."""
    where = mistake.sections[-1].word if mistake.sections else ""
    if where not in ("Lobsvars", "Actions", "Sync"):
        return
    # What everybody sees need not be listed.
    preferred = mistake.diagnostic.code == "G0409"
    title = f"Remove `{mistake.written}` from `{where}`"
    yield Fix(title, item_removed(mistake.analysis, mistake.span), preferred)


def name_with_indices(mistake: Mistake) -> Iterator[Fix]:
    """Name formulae that `for` repeats with its indices; another one of a name gets another name."""
    name, analysis = mistake.quoted[0].partition("[")[0], mistake.analysis
    if mistake.help.startswith("inside `for`"):
        indices = _indices(mistake)
        if indices and "[" not in mistake.written:
            new = f"{name}[{', '.join(indices)}]"
            yield mistake.replace(new, preferred=True)
        return
    known = {
        line.annotation.name.text.partition("[")[0]
        for line in syntax.each_line(analysis.program.formulae or ())
        if line.annotation.name is not None
    }
    number = 2
    while f"{name}_{number}" in known:
        number += 1
    place = Span(mistake.span.start, mistake.span.start + len(name))
    yield Fix(f"Call it `{name}_{number}`", (TextChange(place, f"{name}_{number}"),))


def _indices(mistake: Mistake) -> list[str]:
    """Return the indices of the blocks `for` around a place, from the outermost on."""
    found: list[str] = []
    for part in walk(mistake.analysis.program.formulae or ()):
        if isinstance(part, syntax.Repeat) and (
            part.span.start <= mistake.span.start < part.span.end
        ):
            found += [binder.variable for binder in part.binders]
    return found


def say_once(mistake: Mistake) -> Iterator[Fix]:
    """Leave out the comment that says something else about a formula."""
    for label in mistake.diagnostic.related:
        yield Fix("Remove the comment", (removed(mistake.text, label.span),))


def remove_definition(mistake: Mistake) -> Iterator[Fix]:
    """Take out a definition of a name that another one has; the first one counts."""
    definitions = mistake.analysis.program.definitions
    if definitions is None or not mistake.message.endswith("the name of a definition"):
        return
    for line in definitions.lines:
        alone = isinstance(line, syntax.Definition) and not line.name.indices
        if alone and line.span.start == mistake.span.start:
            change = removed(mistake.text, with_semicolon(mistake.analysis, line.span))
            yield Fix(f"Remove the second definition of `{mistake.written}`", (change,))


def move_definition(mistake: Mistake) -> Iterator[Fix]:
    """Move a definition in front of the one that uses it."""
    definitions = mistake.analysis.program.definitions
    if definitions is None or not mistake.diagnostic.related:
        return
    used = [
        line.span
        for line in definitions.lines
        if isinstance(line, syntax.Definition)
        and line.span.start <= mistake.span.start < line.span.end
    ]
    later = with_semicolon(mistake.analysis, mistake.diagnostic.related[0].span)
    text = mistake.text
    if not used or text[line_start(text, later.start) : later.start].strip():
        return
    place = line_start(text, used[0].start)
    if text[place : used[0].start].strip():
        return
    whole = Span(line_start(text, later.start), line_stop(text, later.end))
    moved = text[whole.start : whole.end]
    changes = (TextChange(Span(place, place), moved), TextChange(whole, ""))
    name = re.match(r"\w+", mistake.written)
    yield Fix(f"Move `{name[0] if name else ''}` up", changes, preferred=True)
