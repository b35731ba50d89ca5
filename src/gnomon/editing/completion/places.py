"""A place in a text to what is known about it: its word, its sections, its statement."""

import re
from typing import Final

from gnomon.editing.analysis import Analysis
from gnomon.editing.completion.names import KnownAgent, known_names
from gnomon.editing.completion.reading import read_block, read_statement
from gnomon.editing.completion.site import Site
from gnomon.editing.completion.surroundings import Surroundings, surroundings
from gnomon.editing.sections import AGENT_SECTIONS, AGENT_WORDS
from gnomon.model.agent import ENVIRONMENT
from gnomon.text.source import Span

_BEFORE: Final = re.compile(r"\w*\Z")
_WORD: Final = re.compile(r"\w*")
#: No word is longer; more of a line is not looked at.
_LONGEST: Final = 400
#: A longer statement is not read as a whole.
_LONG: Final = 20_000
#: What joins the parts of a statement that can be long.
_JOINT: Final = re.compile(r",|\s(?:and|or|\+)\s")
#: So much of the head of an agent, or of a `for`, is looked at.
_HEAD: Final = 2000
_NAME: Final = re.compile(r"\s*([A-Za-z]\w*)")
_DEFINED: Final = re.compile(r"\b([A-Za-z]\w*)\s*(?:\[[^\]]*\]\s*)?:=")
_PARTS: Final = re.compile(rf"\b(?:{'|'.join(AGENT_SECTIONS)}|end)\b")
_INDEXED: Final = re.compile(r"\s*[A-Za-z]\w*\s*\[")


def word_at(text: str, offset: int) -> Span:
    """Return the word that a place is in or behind; behind nothing of a word it is empty."""
    first = max(offset - _LONGEST, 0)
    match = _BEFORE.search(text, first, offset)
    start = offset if match is None else match.start()
    if start == offset:
        return Span(offset, offset)
    behind = _WORD.match(text, offset)
    return Span(start, offset if behind is None else behind.end())


def site_at(text: str, offset: int, known: Analysis, following: str = "") -> Site:
    """Return what is known about a place; what stands behind it does not count."""
    inside = surroundings(text, offset)
    names = known_names(known)
    bound = _bound(text, inside)
    fresh = inside.start == inside.head_end and not inside.fors
    head = inside.section if fresh else ""
    statement = _shortened(text, inside.start, offset)
    reading = read_statement(statement, inside.section, head=head, bound=bound)
    own = None
    if inside.top in AGENT_WORDS:
        name = _agent_name(text, inside, offset)
        # One that is not known yet sees nothing, and not all.
        own = names.agents.get(name) or KnownAgent(name, inside.top.lower())
    defined = None
    if inside.section == "Definitions":
        defined = frozenset(_DEFINED.findall(text, inside.head_end, inside.start))
    return Site(names, inside, reading, own, following, defined)


def _shortened(text: str, start: int, end: int) -> str:
    """Return a statement up to a place; of a very long one what it begins with, and what is near the place.

    Both pieces end and begin where something is joined to the rest in the same way.
    """
    if end - start <= _LONG:
        return text[start:end]
    joints = [match.span() for match in _JOINT.finditer(text, start, start + _LONG // 4)]
    if not joints:
        return text[end - _LONG // 2 : end]
    place, beginning = joints[-1]
    joint = text[place:beginning]
    rest = text.find(joint, end - _LONG // 2, end)
    return text[start:beginning] + ("" if rest < 0 else text[rest + len(joint) : end])


def _agent_name(text: str, inside: Surroundings, offset: int) -> str:
    if inside.top == ENVIRONMENT:
        return ENVIRONMENT
    match = _NAME.match(text, inside.top_end, offset)
    return match[1] if match else ""


def _bound(text: str, inside: Surroundings) -> dict[str, str]:
    """Return the indices of the agent and of the `for` around a place, those being read not included."""
    bound: dict[str, str] = {}
    if inside.top == "Agent" and inside.start > inside.top_end:
        head = text[inside.top_end : min(inside.start, inside.top_end + _HEAD)]
        if _INDEXED.match(head):
            head = _PARTS.split(head, 1)[0]
            bound |= read_statement(head, "Agent", head="Agent").line.bound
    for start in inside.fors:
        if start < inside.start:
            end = min(inside.start, start + _HEAD)
            bound |= read_block(text[start:end], inside.section, bound)
    return bound
