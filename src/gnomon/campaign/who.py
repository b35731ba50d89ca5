"""Who can enforce a goal, who knows something: groups are asked about in rounds, each round in a few jobs.

All groups of a job share one exploration of the model, which is most of the work; what follows from an answer
is not asked. Whatever ends it early, what was found by then is kept.
"""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.border import BorderSearch, GroupSearch, WholeSearch
from gnomon.campaign.executor import FutureAnswer, JobExecutor, JobLost, JobUnderWay
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.who_asking import ReadWhoQuestion, WhoQuestion, read_inquiry
from gnomon.campaign.worker import answer as answer_job
from gnomon.checking.load import Loaded
from gnomon.checking.question import read
from gnomon.checking.verdict import Result, Value
from gnomon.model.budget import Report, no_details
from gnomon.results.groups import (
    GroupAnswer,
    GroupMask,
    GroupSurvey,
    SurveyKind,
    WhoReport,
    all_groups,
)
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.ending import Terminated

#: So many groups are asked about in one round, of each kind: more take fewer rounds, hardly more questions.
_AT_A_TIME: Final = 16
#: What takes so many seconds is no reason to ask less at a time.
_CHEAP: Final = 2.0
#: Nobody reads more strategies.
_MOST_EXPLAINED: Final = 20
#: How often somebody hears of progress, in seconds.
_BEAT: Final = 0.1
#: With less time than this nothing more is asked; no limit is shorter than an instant.
_LEAST: Final = 0.05
_INSTANT: Final = 0.001


@dataclass
class _Survey:
    """One kind of question about groups, on its way."""

    kind: SurveyKind
    search: GroupSearch
    answers: list[GroupAnswer] = field(default_factory=list)

    def tell(self, answer: GroupAnswer) -> None:
        self.search.tell(answer.group, holds=answer.holds)
        self.answers.append(answer)


class HereExecutor:
    """Has jobs done one after the other, at once: for models that have no text that could be sent."""

    at_once: Final = 1

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done, and come back with it."""
        future: FutureAnswer = Future()
        future.set_result(answer_job(job))
        return future

    def under_way(self) -> list[JobUnderWay]:
        """Return nothing: whoever could ask waits for what is under way."""
        return []

    def close(self) -> None:
        """Do nothing: nothing is left."""


def investigate(
    inquiry: WhoQuestion,
    executor: JobExecutor,
    *,
    loaded: Loaded | None = None,
    evidence: bool = False,
    report: Report | None = None,
    already: float = 0.0,
) -> WhoReport:
    """Find out who can, or who knows; raise `InputError` where that cannot be asked.

    With `evidence`, strategies (or runs) of those at the border are built as well. What was spent `already`
    on the model, in seconds, counts.
    """
    started = time.monotonic() - already
    return _Investigation(read_inquiry(inquiry, loaded), executor, started, report).run(
        evidence=evidence
    )


class _Investigation:
    """An inquiry under way."""

    def __init__(
        self, given: ReadWhoQuestion, executor: JobExecutor, started: float, report: Report | None
    ) -> None:
        self._given = given
        self._executor = executor
        self._started = started
        self._report = report
        self._known: dict[str, GroupAnswer] = {}
        self._said: dict[tuple[str, str], Diagnostic] = {}
        self._states: int | None = None
        self._rounds = 0
        self._ended: BaseException | None = None
        self._surveys: dict[SurveyKind, _Survey] = {}
        self._nobody: GroupAnswer | None = None
        self._at_a_time = _AT_A_TIME

    def run(self, *, evidence: bool) -> WhoReport:
        """Ask all there is to ask, and return what was found."""
        explained = None
        try:
            if self._given.inquiry.knows:
                self._ask_who_knows()
            else:
                self._ask_who_can()
            if evidence and not self._is_over():
                explained = self._explain()
        except (KeyboardInterrupt, Terminated) as ended:
            self._ended = ended
        return self._found(explained)

    def _ask_who_can(self) -> None:
        # With `uniform-model`, the empty coalition would still have a profile chosen for everybody.
        reading = self._given.inquiry.question.options.strategies
        formula = "" if reading == "uniform-model" else self._given.formula("enforces", 0)
        try:
            self._survey("enforces", also=formula)
        finally:
            self._nobody = self._answer(formula, 0)

    def _ask_who_knows(self) -> None:
        self._survey("distributed", "everybody")
        not_even = [each for each in self._surveys["everybody"].answers if each.holds is False]
        common = self._begin("common")
        for each in not_even:  # what not everybody knows is not common knowledge
            follows = "" if each.group.bit_count() > 1 else each.formula
            common.tell(replace(each, formula=follows))
        self._survey("common")

    def _begin(self, kind: SurveyKind) -> _Survey:
        if kind not in self._surveys:
            groups = all_groups(len(self._given.agents), self._given.largest)
            direction = self._given.direction(kind)
            search = WholeSearch(groups) if direction is None else BorderSearch(groups, direction)
            self._surveys[kind] = _Survey(kind, search)
        return self._surveys[kind]

    def _survey(self, *kinds: SurveyKind, also: str = "") -> None:
        """Ask round after round until nothing is open, or no time is left; `also` a formula, in the first."""
        surveys = [self._begin(kind) for kind in kinds]
        while not self._is_over():
            wanted = [
                (survey, group, self._given.formula(survey.kind, group))
                for survey in surveys
                for group in survey.search.ask(self._at_a_time)
            ]
            if not wanted:
                return
            try:
                self._decide([*filter(None, [also]), *(formula for _, _, formula in wanted)])
            finally:  # what was decided before an interruption counts
                for survey, group, formula in wanted:
                    if (found := self._answer(formula, group)) is not None:
                        survey.tell(found)

    def _answer(self, formula: str, group: GroupMask) -> GroupAnswer | None:
        found = self._known.get(formula)
        return None if found is None else replace(found, group=group)

    def _is_over(self) -> bool:
        left = self._left()
        return left is not None and left <= _LEAST

    def _left(self) -> float | None:
        limit = self._given.inquiry.question.options.timeout
        if limit is None:
            return None
        return max(limit - (time.monotonic() - self._started), _INSTANT)

    # Jobs

    def _decide(self, formulae: Iterable[str]) -> None:
        """Have formulae decided that were not yet, in as many jobs as can be done at once."""
        wanted = [each for each in dict.fromkeys(formulae) if each not in self._known]
        if not wanted:
            return
        self._rounds += 1
        count = min(self._executor.at_once, len(wanted))
        parts = [wanted[place::count] for place in range(count)]
        futures = {self._executor.submit(self._job(part)): part for part in parts}
        try:
            self._wait(futures)
        finally:
            for future, part in futures.items():
                if future.done() and not future.cancelled():
                    self._keep(future, part)
                else:
                    future.cancel()

    def _job(self, formulae: Sequence[str]) -> CampaignJob:
        question = self._given.inquiry.question
        options = replace(question.options, evidence=False, certificate=False, timeout=self._left())
        return CampaignJob(replace(question, formulae=tuple(formulae), only=(), options=options))

    def _wait(self, futures: Iterable[FutureAnswer]) -> None:
        waiting = set(futures)
        while waiting:
            _, waiting = wait(waiting, _BEAT)
            if self._report is not None:
                self._report(
                    "", f"round {self._rounds}: groups decided", len(self._known), no_details
                )

    def _keep(self, future: FutureAnswer, part: Sequence[str]) -> None:
        try:
            answer = future.result()
        except (JobLost, CancelledError) as lost:
            for formula in part:
                self._known[formula] = GroupAnswer(0, Value.UNKNOWN, None, formula, str(lost))
            return
        self._note(answer)
        by_text = {each["text"]: each for each in answer.formulae}
        for formula in part:
            found = by_text.get(" ".join(formula.split()))
            self._known[formula] = self._group_answer(formula, found)

    def _group_answer(self, formula: str, found: dict[str, Any] | None) -> GroupAnswer:
        if found is None:  # the job ended before it came to it
            return GroupAnswer(0, Value.UNKNOWN, None, formula, "it was not decided")
        value = Value(found["verdict"])
        reason, vacuous = found["reason"] or "", found["vacuous"] or ""
        return GroupAnswer(0, value, self._given.holds(value), formula, reason, vacuous)

    def _note(self, answer: JobAnswer) -> None:
        """Keep what is said about the model; raise `InputError` where it was refused while it was checked."""
        if answer.result["states"] is not None:
            self._states = answer.result["states"]
        self._at_a_time = _AT_A_TIME if _is_cheap(answer) else self._executor.at_once
        for item in answer.diagnostics(self._source):
            self._said.setdefault((item.code, item.message), item)
        if answer.standing == "refused":
            raise InputError(tuple(item for item in self._said.values() if item.is_error))

    @property
    def _source(self) -> Any:
        loaded = self._given.asked.loaded
        assert loaded is not None
        return loaded.source

    # The end

    def _explain(self) -> Result | None:
        """Return the verdicts on those at the border that have it, with what supports them."""
        formulae = [
            survey.by_group[group].formula
            for survey in self._surveyed()
            for group in survey.holding
        ]
        if self._nobody is not None and self._nobody.holds:
            formulae = [self._nobody.formula]
        wanted = [each for each in dict.fromkeys(formulae) if each][:_MOST_EXPLAINED]
        if not wanted:
            return None
        question = self._given.inquiry.question
        options = replace(question.options, evidence=True, timeout=self._left())
        asked = read(
            replace(question, formulae=tuple(wanted), only=(), options=options),
            self._given.asked.loaded,
        )
        return asked.check(self._report)

    def _surveyed(self) -> tuple[GroupSurvey, ...]:
        given = self._given
        kinds: tuple[SurveyKind, ...] = ("enforces",)
        if given.inquiry.knows:
            kinds = ("distributed", "everybody", "common")
        return tuple(
            GroupSurvey(
                kind,
                given.pattern(kind),
                given.agents,
                given.largest,
                given.direction(kind),
                tuple(self._surveys[kind].answers) if kind in self._surveys else (),
                self._nobody if kind == "enforces" else None,
            )
            for kind in kinds
        )

    def _found(self, explained: Result | None) -> WhoReport:
        asked, inquiry = self._given.asked, self._given.inquiry
        assert asked.loaded is not None and asked.loaded.model is not None
        before = {(item.code, item.message) for item in asked.diagnostics}
        said = [item for key, item in self._said.items() if key not in before]
        return WhoReport(
            model=inquiry.question.name,
            kind=asked.loaded.kind,
            asked_for="knows" if inquiry.knows else "enforces",
            goal=" ".join(inquiry.goal.split()),
            surveys=self._surveyed(),
            when=inquiry.when if inquiry.knows else None,
            strategies=None if inquiry.knows else inquiry.question.options.strategies,
            states=self._states,
            constants=asked.constants,
            without_environment=self._given.without_environment,
            checks=len(self._known),
            rounds=self._rounds,
            seconds=time.monotonic() - self._started,
            interrupted=self._ended is not None,
            terminated=isinstance(self._ended, Terminated),
            diagnostics=(*asked.diagnostics, *said),
            evidence=explained,
        )


def _is_cheap(answer: JobAnswer) -> bool:
    """Return whether a formula took less than all that had to be done for it once."""
    deciding = [each["seconds"] for each in answer.formulae]
    once = answer.result["seconds"] - sum(deciding)
    return not deciding or sum(deciding) / len(deciding) < max(once, _CHEAP)
