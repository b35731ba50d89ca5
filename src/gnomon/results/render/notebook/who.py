"""Who can, and who knows, in a notebook: the groups at the border, with the picture beside them."""

from collections.abc import Iterator
from typing import Final

from gnomon.model.budget import Budget, LimitReached
from gnomon.results import phrases
from gnomon.results.drawing.lattice import lattices
from gnomon.results.group_words import MARKS, TITLES, left_out, named, question
from gnomon.results.groups import GroupMask, GroupSurvey, WhoReport
from gnomon.results.render.diagram_svg import draw
from gnomon.results.render.notebook.drawing import SECONDS, element
from gnomon.results.render.notebook.evidence import sentences, shown_evidence
from gnomon.results.render.notebook.frame import (
    beside,
    folded,
    framed,
    heading,
    paragraph,
    quoted,
    row,
    shown,
    table,
)
from gnomon.results.render.svg_pieces import document
from gnomon.results.render.who.text import account, facts, remarks, sides

_MOST_GROUPS: Final = 30
_STYLES: Final[dict[bool | None, str]] = {True: "true", False: "false", None: "unknown"}


def render(report: WhoReport) -> str:
    """Return one output about groups of agents."""
    known = shown(" · ".join(facts(report)))
    parts = [
        paragraph(f'<strong>{shown(report.model)}</strong> <span class="g-soft">{known}</span>'),
        paragraph(f"<strong>{quoted(phrases.capitalised(question(report)))}</strong>"),
    ]
    if report.strategies is not None:
        parts.append(
            paragraph(f"<small>{quoted(phrases.reading(report.strategies))}</small>", "g-soft")
        )
    words = [part for survey in report.surveys for part in _survey(report, survey)]
    words += _evidence(report)
    return framed(
        *parts,
        beside("\n".join(words), _picture(report)),
        paragraph(f"<small>{shown(account(report))}</small>", "g-soft"),
    )


def _survey(report: WhoReport, survey: GroupSurvey) -> Iterator[str]:
    if report.asked_for == "knows":
        yield heading(TITLES[survey.kind])
    for remark in remarks(survey):
        yield paragraph(quoted(remark), "g-soft")
    if survey.nobody is not None and survey.nobody.holds:
        yield paragraph(f"{_mark(True)} nobody is needed: it comes about whatever anybody does")
    rows = []
    for title, groups, standing in sides(survey):
        for place, group in enumerate(groups[:_MOST_GROUPS]):
            rows.append(_row(survey, group, standing, title.rstrip(":") if not place else ""))
        if left := max(0, len(groups) - _MOST_GROUPS):
            rows.append(row(["", f"… and {left:,} more", ""]))
    for place, group in enumerate(survey.open[:5]):
        rows.append(_row(survey, group, None, "not known" if not place else ""))
    if left := max(0, len(survey.open) - 5):
        rows.append(row(["", f"… and {left:,} more; <code>.open()</code> has all", ""]))
    if rows:
        yield table(["", "group", "which"], rows)
    if who := left_out(report, survey):
        yield paragraph(quoted(who), "g-soft")


def _row(survey: GroupSurvey, group: GroupMask, standing: bool | None, title: str) -> str:  # noqa: FBT001
    own = survey.by_group.get(group)
    notes = [] if own is None else [own.vacuous and f"vacuous: {own.vacuous}", own.reason]
    below = "".join(f"<br><small>{quoted(note)}</small>" for note in notes if note)
    return row([_mark(standing), shown(named(survey, group)) + below, shown(title)])


def _mark(standing: bool | None) -> str:  # noqa: FBT001 - it is what was found
    return f'<span class="g-mark g-{_STYLES[standing]}">{MARKS[standing]}</span>'


def _picture(report: WhoReport) -> str:
    budget = Budget(SECONDS)
    try:
        drawn = [draw(each, budget, titled=True) for each in lattices(report)]
    except LimitReached:
        return paragraph(quoted("The picture takes longer; `.svg()` draws it."), "g-soft")
    return element(document(question(report), drawn, "notebook"))


def _evidence(report: WhoReport) -> Iterator[str]:
    """Yield what those at the border do, or how they come to know."""
    for verdict in list(report.evidence or ())[:_MOST_GROUPS]:
        system = verdict.system or (report.evidence.system if report.evidence else None)
        if verdict.evidence is None or system is None:
            continue
        inner = sentences(system, verdict.evidence, brief=True)
        yield folded(
            verdict.formula, inner, shown_evidence(system, verdict.evidence, picture=False)
        )
