"""Groups of agents in words: what is found of them, and why they are at the border."""

from gnomon.results.groups import GroupMask, GroupSurvey, KnownWhen, SurveyKind, WhoReport

#: What those have who have it, and the others.
HAS: dict[SurveyKind, tuple[str, str]] = {
    "enforces": ("can", "cannot"),
    "distributed": ("know together", "do not know together"),
    "everybody": ("each know", "do not each know"),
    "common": ("know commonly", "do not know commonly"),
}
#: What each survey is about.
TITLES: dict[SurveyKind, str] = {
    "enforces": "who can enforce it",
    "distributed": "who knows it, putting together what they see (distributed knowledge)",
    "everybody": "in which groups everybody knows it at once",
    "common": "in which groups it is common knowledge",
}
WHEN: dict[KnownWhen, str] = {
    "ever": "in some state that can be reached",
    "always": "whenever it holds",
    "initially": "in every initial state where it holds",
}
#: A mark for each standing.
MARKS: dict[bool | None, str] = {True: "✓", False: "✗", None: "?"}


def question(report: WhoReport) -> str:
    """Return what was asked, as a question."""
    if report.asked_for == "enforces":
        return f"who can enforce {report.goal}"
    assert report.when is not None
    return f"who knows {report.goal}, {WHEN[report.when]}"


def left_out(report: WhoReport, survey: GroupSurvey) -> str:
    """Return who could do more than those who were asked about, where none of them can; "" elsewhere."""
    nobody_can = survey.kind == "enforces" and not survey.holding and not survey.open
    if not nobody_can or not report.without_environment or (survey.nobody and survey.nobody.holds):
        return ""
    return "the environment is not counted, and may be able to; --environment counts it"


def named(survey: GroupSurvey, group: GroupMask) -> str:
    """Return the members of a group."""
    return ", ".join(survey.members(group))


def word(survey: GroupSurvey, standing: bool | None) -> str:  # noqa: FBT001 - it is what was found
    """Return what is found of a group, in a word or two."""
    if standing is None:
        return "open"
    if survey.kind == "enforces":
        return "can" if standing else "cannot"
    return "known" if standing else "not known"


def border_word(survey: GroupSurvey, group: GroupMask) -> str:
    """Return why a group is at the border: "minimal" or "maximal", where that is certain; "" elsewhere."""
    standing = survey.standing(group)
    at_border = group in (survey.holding if standing else survey.failing)
    needless = standing and survey.nobody is not None and survey.nobody.holds
    if standing is None or not at_border or needless:
        return ""
    name = "minimal" if standing == (survey.direction != "down") else "maximal"
    return name if survey.is_certain(group) else f"perhaps {name}"
