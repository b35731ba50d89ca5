"""What only programs with an open number of agents have."""

import re
from collections.abc import Iterator

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    agent_section,
    child,
    item_removed,
    items_added,
    part_added,
    token_at,
    token_span,
    tokens_named,
)
from gnomon.editing.sections import Section
from gnomon.text.source import Span


def make_template(mistake: Mistake) -> Iterator[Fix]:
    """Write a single agent as a template of one."""
    agent = agent_section(mistake.analysis, mistake.written)
    if agent is None or agent.word != "Agent" or not agent.closed:
        return
    head = Span(agent.head.start, agent.head.start + len("Agent"))
    last = token_at(mistake.analysis, agent.span.end) - 1
    changes = (
        TextChange(head, "Template"),
        TextChange(Span(agent.head.end, agent.head.end), " [1..1]"),
        TextChange(token_span(mistake.analysis, last), "Template"),
    )
    yield Fix(f"Write `Template {mistake.written} [1..1]`", changes, preferred=True)


def synchronise(mistake: Mistake) -> Iterator[Fix]:
    """Let the environment have a synchronised action too, or make it a local one."""
    action, analysis = mistake.written, mistake.analysis
    environment = agent_section(analysis, "Environment")
    if environment is not None:
        title = f"Add `{action}` to the `Sync` of the environment"
        change = _listed(mistake, environment, "Sync", action)
        if change is not None:
            yield Fix(title, (change,))
    yield from _moved(mistake, "Sync", "Actions")


def to_synchronised(mistake: Mistake) -> Iterator[Fix]:
    """Declare an action that the environment synchronises in `Sync`; one that is there twice, once."""
    if "is local here" in mistake.message:
        yield from _moved(mistake, "Actions", "Sync")
    else:
        where = mistake.sections[-1].word if mistake.sections else ""
        changes = _item_removed(mistake)
        yield Fix(f"Remove `{mistake.written}` from `{where}`", changes)


def _moved(mistake: Mistake, old: str, new: str) -> Iterator[Fix]:
    """Move an action from one list of its agent to another one."""
    agent = mistake.sections[0] if mistake.sections else None
    if agent is None or mistake.sections[-1].word != old:
        return
    change = _listed(mistake, agent, new, mistake.written)
    if change is not None:
        changes = (change, *_item_removed(mistake))
        yield Fix(f"Move `{mistake.written}` to `{new}`", changes)


def _listed(mistake: Mistake, agent: Section, word: str, action: str) -> TextChange | None:
    section = child(agent, word)
    if section is not None:
        return items_added(mistake.analysis, section.span, [action])
    behind = "Actions" if word == "Sync" else "Vars"
    return part_added(mistake.analysis, agent, behind, (f"{word} = {{ {action} }};",))


def _item_removed(mistake: Mistake) -> tuple[TextChange, ...]:
    """Return the changes that take an action out of its list, with how many take part in it."""
    place = _declared(mistake, mistake.span)
    return item_removed(mistake.analysis, place)


def _declared(mistake: Mistake, name: Span) -> Span:
    """Return the place of an action in `Sync` with what stands behind its `:`."""
    tokens, following = mistake.analysis.tokens, token_at(mistake.analysis, name.end)
    if tokens.texts[following] == ":":
        return Span(name.start, tokens.ends[following + 1])
    return name


def say_number_once(mistake: Mistake) -> Iterator[Fix]:
    """Leave to the environment how many take part in an action."""
    name = re.match(r"\w+", mistake.written)
    if name is not None:
        start, end = mistake.span
        change = TextChange(Span(start + name.end(), end), "")
        yield Fix(f"Leave `{mistake.written[name.end() :].strip()}` out", (change,), preferred=True)


def opposite_quantifier(mistake: Mistake) -> Iterator[Fix]:
    """Write `forall j (!p)` for `!exists j (p)`, and the other way round."""
    word = re.match(r"exists|forall", mistake.written)
    texts, place = mistake.analysis.tokens.texts, token_at(mistake.analysis, mistake.span.start) - 1
    following = token_at(mistake.analysis, mistake.span.end)
    if place > 0 and texts[place] == "(" and texts[following] == ")":
        place -= 1
    if word is None or place < 0 or texts[place] != "!":
        return
    body = tokens_named(mistake.analysis, mistake.span, "(")
    if not body:
        return
    other = "forall" if word[0] == "exists" else "exists"
    start, end = mistake.span
    changes = (
        TextChange(token_span(mistake.analysis, place), ""),
        TextChange(Span(start, start + word.end()), other),
        TextChange(body[0], "(!("),
        TextChange(Span(end, end), ")"),
    )
    # What speaks of every agent is decided by an over-approximation.
    preferred = other == "exists"
    yield Fix(f"Say it with `{other}` and the opposite condition", changes, preferred)
