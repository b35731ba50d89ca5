"""Who can, and who knows, as people read it."""

from collections.abc import Iterator, Sequence

from gnomon.results import phrases
from gnomon.results.group_words import HAS, MARKS, TITLES, left_out, named, question
from gnomon.results.groups import GroupMask, GroupSurvey, WhoReport
from gnomon.results.styled import Page, Styled, StyledText, flow, line, wrap

#: More groups of one kind are counted and not listed, unless more is wanted.
_MOST = 20
_STYLES: dict[bool | None, str] = {True: "true", False: "false", None: "unknown"}


def render(report: WhoReport, page: Page = Page()) -> StyledText:
    """Return the groups at the border, of each kind that was asked for, and what it took."""
    text = StyledText()
    text.add_heading(report.model, facts(report), page.width)
    text.add()
    for part in wrap(question(report), page.width, "  "):
        text.add(Styled(part, "strong"))
    if report.strategies is not None:
        for part in wrap(phrases.reading(report.strategies), page.width - 2, "  "):
            text.add("  ", Styled(part, "dim"))
    if report.asked_for == "knows":
        _add_one_by_one(text, report.surveys[0], page)
    for survey in report.surveys:
        _add_survey(text, report, survey, page)
    _add_evidence(text, report, page)
    text.add()
    for part in wrap(account(report), page.width, "  "):
        text.add(Styled(part, "dim"))
    return text


def facts(report: WhoReport) -> list[str]:
    """Return what is known of the model."""
    known: list[str] = [report.kind, *phrases.constants(report.constants)]
    if report.states is not None:
        known.append(f"{phrases.grouped(report.states)} state{'' if report.states == 1 else 's'}")
    return known


def account(report: WhoReport) -> str:
    """Return what it took."""
    groups = sum(len(survey.groups) for survey in report.surveys)
    formulae = f"{report.checks:,} formula{'' if report.checks == 1 else 'e'} checked"
    rounds = f"{report.rounds} round{'' if report.rounds == 1 else 's'}"
    ended = "terminated, " if report.terminated else "interrupted, " if report.interrupted else ""
    return f"{ended}{formulae} for {groups:,} groups, in {rounds} · {report.seconds:.3f} s"


def _add_one_by_one(text: StyledText, survey: GroupSurvey, page: Page) -> None:
    """Add what each agent knows by itself, on as few lines as that takes."""
    text.add()
    text.add("Who knows it by itself")
    pieces = []
    for place, name in enumerate(survey.agents):
        standing = survey.standing(1 << place)
        pieces.append(line(Styled(MARKS[standing], _STYLES[standing]), f" {name}   "))
    for spans in flow(pieces, page.width - 4):
        text.add("    ", *spans)


def _add_survey(text: StyledText, report: WhoReport, survey: GroupSurvey, page: Page) -> None:
    text.add()
    if report.asked_for == "knows":
        text.add(phrases.capitalised(TITLES[survey.kind]))
    text.add("  ", Styled(f"asked: {survey.formula}", "dim"))
    for remark in remarks(survey):
        for part in wrap(remark, page.width - 2, "  "):
            text.add("  ", Styled(part, "dim"))
    if survey.nobody is not None and survey.nobody.holds:
        mark = Styled("✓", "true")
        text.add("  ", mark, " nobody is needed: it comes about whatever anybody does")
        _add_vacuous(text, survey.nobody.vacuous, page)
    for title, groups, standing in sides(survey):
        if groups:
            text.add("  ", title)
            _add_groups(text, survey, groups, standing, page)
    if who := left_out(report, survey):
        for part in wrap(who, page.width - 2, "  "):
            text.add("  ", Styled(part, "dim"))
    _add_open(text, survey, page)


def sides(survey: GroupSurvey) -> Iterator[tuple[str, Sequence[GroupMask], bool]]:
    """Yield what is listed: the groups at the border that have it, then those that do not."""
    has, lacks = HAS[survey.kind]
    down = survey.direction == "down"
    some, most = ("largest", "smallest") if down else ("smallest", "largest")
    word = "coalitions" if survey.kind == "enforces" else "groups"
    if survey.nobody is not None and survey.nobody.holds:
        # All others do no worse, but for those who are caught in a deadlock.
        yield f"all the same, in a deadlock, {word} that {lacks}:", survey.failing, False
        return
    if not survey.holding and not survey.open:
        who = "nobody can, not even all together" if survey.kind == "enforces" else "no group does"
        yield f"{who}:", survey.failing, False
        return
    if survey.direction is None:
        others = ", and no others" if not survey.open else ""
        yield f"{word} that {has}{others}:", survey.able, True
        return
    yield f"{some} {word} that {has}:", survey.holding, True
    yield f"{most} {word} that {lacks}:", survey.failing, False


def remarks(survey: GroupSurvey) -> Iterator[str]:
    """Yield what has to be known of a survey to read it."""
    if survey.largest < len(survey.agents):
        yield f"only groups of at most {survey.largest} of {len(survey.agents)} agents"
    if survey.direction is None:
        yield "in this reading a larger coalition may be able to do less, so each was asked about"
    if survey.exceptions:
        some = phrases.few([f"({named(survey, each)})" for each in survey.exceptions], 4)
        yield f"able although a larger coalition is not: {phrases.enumerated(some)}"


def _add_groups(
    text: StyledText,
    survey: GroupSurvey,
    groups: Sequence[GroupMask],
    standing: bool,  # noqa: FBT001
    page: Page,
) -> None:
    most = None if page.verbose else _MOST
    for group in groups[:most]:
        certain = survey.direction is None or survey.is_certain(group)
        doubt = "" if certain else "  (perhaps not at the border: others are open)"
        lines = wrap(named(survey, group), page.width - 8, "  ")
        text.add("    ", Styled(MARKS[standing], _STYLES[standing]), f" {lines[0]}", doubt)
        for part in lines[1:]:
            text.add("      ", part)
        if (own := survey.by_group.get(group)) is not None:
            _add_vacuous(text, own.vacuous, page)
    if most is not None and len(groups) > most:
        text.add("      ", Styled(f"and {len(groups) - most:,} more (--verbose)", "dim"))


def _add_vacuous(text: StyledText, vacuous: str, page: Page) -> None:
    if vacuous:
        for part in wrap(f"vacuous: {vacuous}", page.width - 8, "  "):
            text.add("      ", Styled(part, "warning"))


def _add_open(text: StyledText, survey: GroupSurvey, page: Page) -> None:
    """Add what nobody knows, and why."""
    if not survey.open:
        return
    text.add("  ", f"not known of {len(survey.open):,} of {len(survey.groups):,}:")
    most = len(survey.open) if page.verbose else 5
    for group in survey.open[:most]:
        own = survey.by_group.get(group)
        why = f": {own.reason}" if own is not None and own.reason else ""
        lines = wrap(f"{named(survey, group)}{why}", page.width - 8, "  ")
        text.add("    ", Styled("?", "unknown"), f" {lines[0]}")
        for part in lines[1:]:
            text.add("      ", part)
    if len(survey.open) > most:
        text.add("      ", Styled(f"and {len(survey.open) - most:,} more (--verbose)", "dim"))


def _add_evidence(text: StyledText, report: WhoReport, page: Page) -> None:
    """Add what those at the border do, or how they come to know."""
    if report.evidence is None:
        return
    from gnomon.results.render.evidence_below import add_evidence

    for verdict in report.evidence:
        system = verdict.system or report.evidence.system
        text.add()
        text.add(Styled(verdict.formula, "strong"))
        if verdict.evidence is None or system is None:
            why = verdict.reason or "there is nothing to show: no single run or table supports it"
            text.add("  ", Styled(why, "dim"))
        else:
            add_evidence(text, verdict.evidence, system, "  ", page)
