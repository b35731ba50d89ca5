"""Who can enforce a goal and who knows something, from Python."""

from collections.abc import Sequence
from typing import Unpack, cast, get_args

from gnomon.api.asking import HowToCheck, must_be_number, must_be_one_of, options_of
from gnomon.api.pictures import names_of
from gnomon.api.progress import CheckWatch
from gnomon.api.published import WhoData
from gnomon.campaign.executor import JobExecutor
from gnomon.campaign.local import LocalPool
from gnomon.campaign.who import HereExecutor, investigate
from gnomon.campaign.who_asking import WhoQuestion
from gnomon.checking.load import Loaded
from gnomon.checking.question import Question
from gnomon.model.budget import Report
from gnomon.results.groups import GroupMask, GroupSurvey, KnownWhen, SurveyKind, WhoReport
from gnomon.results.render.who import dot, json, mermaid, svg, text, tikz


class Who:
    """Which groups can or know something; it shows itself, in a notebook with a picture.

    For knowledge, groups are those of one kind: "distributed" unless "everybody" or "common" is named.

    >>> import gnomon
    >>> found = gnomon.load("examples/strongroom.ispl").who("F open")
    >>> found.holding()
    (('Clerk[1]', 'Clerk[2]'), ('Director', 'Auditor'))
    >>> found.failing()
    (('Clerk[1]', 'Director'), ('Clerk[1]', 'Auditor'), ('Clerk[2]', 'Director'), ('Clerk[2]', 'Auditor'))
    >>> found.open(), found.holds("Clerk[1]", "Director")
    ((), False)
    >>> found.survey().formula, found.to_dict()["goal"]
    ('<…>F open', 'F open')
    >>> found.svg()[:4], found.dot()[:7], found.mermaid()[:9], "tikzpicture" in found.tikz()
    ('<svg', 'digraph', 'flowchart', True)
    """

    def __init__(self, report: WhoReport) -> None:
        """Show this report."""
        self.report = report

    def survey(self, kind: SurveyKind | None = None) -> GroupSurvey:
        """Return all that was found about groups of one kind; the first one unless it is named."""
        found = [each for each in self.report.surveys if kind in (None, each.kind)]
        if not found:
            known = ", ".join(each.kind for each in self.report.surveys)
            msg = f"nothing was asked about {kind!r}: there are {known}"
            raise ValueError(msg)
        return found[0]

    def holding(self, kind: SurveyKind | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the groups at the border that can or know: the smallest, for GK and GCK the largest."""
        survey = self.survey(kind)
        return _named(survey, survey.holding)

    def failing(self, kind: SurveyKind | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the groups at the border that cannot, or do not know."""
        survey = self.survey(kind)
        return _named(survey, survey.failing)

    def open(self, kind: SurveyKind | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the groups of which nobody knows."""
        survey = self.survey(kind)
        return _named(survey, survey.open)

    def holds(self, *members: str, kind: SurveyKind | None = None) -> bool | None:
        """Return whether a group can or knows, asked about or not; None where that is open."""
        survey = self.survey(kind)
        group = 0
        for name in members:
            if name not in survey.agents:
                msg = f"{name!r} is not among the agents: {', '.join(survey.agents)}"
                raise ValueError(msg)
            group |= 1 << survey.agents.index(name)
        if not group:
            return None if survey.nobody is None else survey.nobody.holds
        return survey.standing(group)

    def to_dict(self) -> WhoData:
        """Return what `gnomon who --format json` prints."""
        return cast("WhoData", json.of_report(self.report))

    def svg(self) -> str:
        """Return the groups as a picture in SVG."""
        return svg.render(self.report)

    def dot(self) -> str:
        """Return the picture for Graphviz."""
        return dot.render(self.report)

    def mermaid(self) -> str:
        """Return the picture for Mermaid."""
        return mermaid.render(self.report)

    def tikz(self) -> str:
        """Return the picture as a `tikzpicture`, for papers."""
        return tikz.render(self.report)

    def __str__(self) -> str:
        """Show it as the command line does."""
        return text.render(self.report).plain().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import who as page  # only notebooks want it

        return page.render(self.report)


def who(
    loaded: Loaded,
    goal: str,
    *,
    knows: bool = False,
    when: KnownWhen = "ever",
    among: Sequence[str] = (),
    environment: bool = False,
    at_most: int | None = None,
    evidence: bool = False,
    jobs: int | None = None,
    predicates: Sequence[str] = (),
    report: Report | None = None,
    progress: bool | None = None,
    **how: Unpack[HowToCheck],
) -> Who:
    """Ask about groups of a model; `how` are options of `check`."""
    must_be_one_of("when", when, get_args(KnownWhen))
    for name, switch in (("environment", environment), ("evidence", evidence)):
        must_be_one_of(name, switch, (True, False))
    for name, number in (("at_most", at_most), ("jobs", jobs)):
        if number is not None:
            must_be_number(name, number, 1)
    built = loaded.program is None
    question = Question(
        loaded.source.text,
        loaded.source.name,
        tuple(sorted(loaded.constants.items())),
        predicates=names_of(predicates),
        options=options_of(how),
        system=loaded.system if built else None,
    )
    inquiry = WhoQuestion(question, goal, knows, when, names_of(among), environment, at_most)
    # What was built has no text that could be sent to other processes.
    executor: JobExecutor = HereExecutor() if built else LocalPool(jobs)
    try:
        with CheckWatch(loaded.source.name, wanted=progress) as watch:
            hears = watch.hears(report)
            found = investigate(inquiry, executor, loaded=loaded, evidence=evidence, report=hears)
    finally:
        executor.close()
    return Who(found)


def _named(survey: GroupSurvey, groups: Sequence[GroupMask]) -> tuple[tuple[str, ...], ...]:
    return tuple(survey.members(group) for group in groups)
