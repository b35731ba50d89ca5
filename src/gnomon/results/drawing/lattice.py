"""Groups of agents as a diagram: larger ones above, an arrow from each to those that lack one member.

Where there are many, only those at the border are drawn, with arrows to those of them that they contain.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.results.drawing.diagram import WIDE, BoxDiagram, BoxKind, DiagramEdge, DiagramNode
from gnomon.results.group_words import MARKS, TITLES, border_word, named, question, word
from gnomon.results.groups import GroupMask, GroupSurvey, WhoReport, maximal
from gnomon.results.styled import wrap

#: More groups than these are no picture that anybody could read.
_MOST_GROUPS: Final = 32
_MOST_AT_BORDER: Final = 60

_KINDS: Final[dict[bool | None, BoxKind]] = {True: "goal", False: "lost", None: "stuck"}


def lattices(report: WhoReport) -> list[BoxDiagram]:
    """Return a diagram for each kind of group that was looked at."""
    return [_lattice(report, survey) for survey in report.surveys]


def shown_groups(survey: GroupSurvey) -> tuple[GroupMask, ...]:
    """Return the groups that are drawn, by the numbers of their boxes; `nobody` comes after them."""
    return survey.groups if len(survey.groups) <= _MOST_GROUPS else _border(survey)


def _lattice(report: WhoReport, survey: GroupSurvey) -> BoxDiagram:
    whole = len(survey.groups) <= _MOST_GROUPS
    shown = shown_groups(survey)
    numbers = {group: number for number, group in enumerate(shown)}
    tops = set(maximal(shown))
    nodes = [_node(survey, group, numbers[group], initial=group in tops) for group in shown]
    edges = [DiagramEdge(numbers[one], numbers[other]) for one, other in _covers(shown)]
    if survey.nobody is not None and whole:
        nodes.append(_nobody(survey, len(nodes)))
        below = [number for group, number in numbers.items() if group.bit_count() == 1]
        edges += [DiagramEdge(number, len(shown)) for number in below]
    notes = tuple(_notes(survey))
    return BoxDiagram(_title(report, survey), tuple(nodes), tuple(edges), notes, layered=whole)


def _title(report: WhoReport, survey: GroupSurvey) -> str:
    title = f"{report.model}: {question(report)}"
    return title if report.asked_for == "enforces" else f"{title}: {TITLES[survey.kind]}"


def _border(survey: GroupSurvey) -> tuple[GroupMask, ...]:
    """Return the groups at the border, and as many of those that are open as there is room for."""
    found = [*survey.holding, *survey.failing, *survey.open]
    return tuple(dict.fromkeys(found))[:_MOST_AT_BORDER]


def _notes(survey: GroupSurvey) -> Iterator[str]:
    yield f"asked: {survey.formula}"
    signs = ", ".join(f"{MARKS[value]} {word(survey, value)}" for value in (True, False))
    more = f", {MARKS[None]} not known" if survey.open else ""
    yield f"{signs}{more}; an arrow leads to a group that has fewer members"
    if len(survey.groups) > _MOST_GROUPS:
        border = len(survey.holding) + len(survey.failing)
        yield f"only the border of {len(survey.groups):,} groups: {border} of them"
        if (left_out := border + len(survey.open) - _MOST_AT_BORDER) > 0:
            yield f"{left_out:,} more are left out"
    if survey.largest < len(survey.agents):
        yield f"only groups of at most {survey.largest} of {len(survey.agents)} agents"


def _node(
    survey: GroupSurvey, group: GroupMask, number: int, *, initial: bool = False
) -> DiagramNode:
    standing = survey.standing(group)
    why = border_word(survey, group)
    found = f"{MARKS[standing]} {word(survey, standing)}{f', {why}' if why else ''}"
    title, *rest = wrap(named(survey, group), WIDE)
    return DiagramNode(number, title, (*rest, found), initial=initial, kind=_KINDS[standing])


def _nobody(survey: GroupSurvey, number: int) -> DiagramNode:
    assert survey.nobody is not None
    standing = survey.nobody.holds
    said = {True: "whatever anybody does", False: "not by itself", None: "open"}[standing]
    return DiagramNode(number, "nobody", (f"{MARKS[standing]} {said}",), kind=_KINDS[standing])


def _covers(shown: Sequence[GroupMask]) -> Iterator[tuple[GroupMask, GroupMask]]:
    """Yield each group with those in it that are in no other one between, of those that are shown."""
    for group in shown:
        inside = [each for each in shown if each != group and each & group == each]
        yield from ((group, each) for each in maximal(inside))
