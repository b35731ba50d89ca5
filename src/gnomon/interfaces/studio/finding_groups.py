"""Who can, and who knows, for a page: groups are asked about in rounds, in a thread that can be stopped."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, TypeVar, get_args

from gnomon.campaign.executor import FutureAnswer, JobUnderWay
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.campaign.who import investigate
from gnomon.campaign.who_asking import WhoQuestion
from gnomon.checking.load import Loaded, load_source
from gnomon.checking.options import Options
from gnomon.checking.populating import populate
from gnomon.checking.question import Question
from gnomon.interfaces.studio.calls import CallProgress
from gnomon.interfaces.studio.checks import CheckLimits, options_of
from gnomon.interfaces.studio.models import KnownModel
from gnomon.model.budget import Budget, Details, LimitReached
from gnomon.model.translation import CannotExport
from gnomon.results.drawing.lattice import lattices, shown_groups
from gnomon.results.export.ispl import render
from gnomon.results.groups import GroupMask, GroupSurvey, KnownWhen, WhoReport
from gnomon.results.render.who.json import of_report
from gnomon.text.diagnostic import InputError
from gnomon.text.ending import Terminated
from gnomon.text.limits import watch
from gnomon.text.source import Source
from gnomon.workbench.drawing_data import PICTURE_FORMATS, drawing_data, picture_text
from gnomon.workbench.failure import RequestFailed, bad_input, bad_request
from gnomon.workbench.parameters import Parameters, exact

T = TypeVar("T")

#: Deep formulae are read by recursion.
_STACK: Final = 64 * 2**20
#: A picture may take so many seconds.
_DRAWING: Final = 10.0
#: Texts are read here, one after the other: all of them at once would take all memory.
_READING: Final = threading.Lock()
_MOMENT: Final = 0.1


class StoppableJobs:
    """Has jobs done by a pool that others use, too; all of them can be ended at any time."""

    def __init__(self, pool: LocalPool) -> None:
        """Hand jobs on to a pool."""
        self._pool = pool
        self._jobs: set[FutureAnswer] = set()
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def at_once(self) -> int:
        """How many jobs can be under way at once."""
        return self._pool.at_once

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done; raise `Terminated` where nothing more is wanted."""
        with self._lock:
            if self._stopped:
                raise Terminated
            future = self._pool.submit(job)
            self._jobs.add(future)
        future.add_done_callback(self._jobs.discard)
        return future

    def check(self) -> None:
        """Raise `Terminated` where nothing more is wanted."""
        if self._stopped:
            raise Terminated

    def under_way(self) -> list[JobUnderWay]:
        """Return nothing: nobody asks."""
        return []

    def close(self) -> None:
        """End all that is under way, and take no more."""
        with self._lock:
            self._stopped = True
            jobs = list(self._jobs)
        for job in jobs:
            job.cancel()


async def who(
    pool: LocalPool,
    model: KnownModel,
    params: Parameters,
    limits: CheckLimits,
    progress: CallProgress,
) -> WhoReport:
    """Find out who can enforce a goal, or who knows something."""
    jobs = StoppableJobs(pool)
    loop = asyncio.get_running_loop()

    def report(task: str, phase: str, amount: int, details: Details) -> None:
        del task, details
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(lambda: progress.tell(words=f"{phase}: {amount:,}"))

    def work() -> WhoReport:
        inquiry, loaded = _read(model, params, options_of(params, limits), jobs)
        return investigate(inquiry, jobs, loaded=loaded, report=report)

    try:
        return await _in_a_thread(work)
    except asyncio.CancelledError:
        threading.Thread(target=jobs.close, name="gnomon ending groups", daemon=True).start()
        raise
    except InputError as error:
        raise bad_input([item for item in error.diagnostics if item.is_error]) from None
    except LimitReached as limit:
        raise RequestFailed("limit", str(limit)) from None


def _read(
    model: KnownModel, params: Parameters, options: Options, jobs: StoppableJobs
) -> tuple[WhoQuestion, Loaded]:
    """Read the model within the limits, as long as somebody wants to know."""
    budget = Budget(options.timeout, options.memory)

    def look() -> None:
        jobs.check()
        budget.check("reading")

    while not _READING.acquire(timeout=_MOMENT):
        look()
    token = watch.set(look)
    try:
        text, constants = model.asked, model.constants
        if model.population is not None:
            text, constants = _written_out(model), ()
        question = Question(text, model.name, constants, options=options)
        return _inquiry(question, params), load_source(Source(model.name, text), dict(constants))
    finally:
        watch.reset(token)
        _READING.release()


def _inquiry(question: Question, params: Parameters) -> WhoQuestion:
    when: Any = params.text("when", "ever")
    if when not in get_args(KnownWhen):
        raise bad_request(f"`when` is one of {', '.join(get_args(KnownWhen))}")
    return WhoQuestion(
        question,
        params.text("goal"),
        params.flag("knows"),
        when,
        params.texts("among"),
        params.flag("environment"),
        params.number("at_most", 0) or None,
    )


def _written_out(model: KnownModel) -> str:
    """Return the program of a model with so many agents of each template: groups are made of agents."""
    loaded = load_source(Source(model.name, model.asked), dict(model.constants))
    try:
        return render(populate(loaded, dict(model.population or {})).system)
    except CannotExport as reason:
        raise RequestFailed("unable", str(reason)) from None


def groups_picture(report: WhoReport, kind: str, format_: str) -> dict[str, Any]:
    """Return the picture of one sort of groups as a file."""
    for survey, diagram in zip(report.surveys, lattices(report), strict=True):
        if survey.kind == kind:
            text = picture_text(diagram, format_, Budget(_DRAWING))
            return {"text": text, "name": f"who-{kind}.{PICTURE_FORMATS[format_]}"}
    raise bad_request(f"there are no groups of the sort {kind!r}")


def groups_data(report: WhoReport) -> dict[str, Any]:
    """Return what was found, with pictures, as it is sent."""
    surveys = [
        {
            "kind": survey.kind,
            "title": diagram.title,
            "drawing": drawing_data(diagram, Budget(_DRAWING)),
            "groups": _groups(survey),
        }
        for survey, diagram in zip(report.surveys, lattices(report), strict=True)
    ]
    found: dict[str, Any] = exact({"report": of_report(report), "surveys": surveys})
    return found


def _groups(survey: GroupSurvey) -> dict[str, Any]:
    """Return what the boxes of a picture stand for, by their numbers."""
    shown = shown_groups(survey)
    found = {str(number): _group(survey, group) for number, group in enumerate(shown)}
    if survey.nobody is not None and len(shown) == len(survey.groups):
        nobody = survey.nobody
        found[str(len(shown))] = {
            "members": [],
            "standing": nobody.holds,
            "formula": nobody.formula,
        }
    return found


def _group(survey: GroupSurvey, group: GroupMask) -> dict[str, Any]:
    members = list(survey.members(group))
    asked = survey.by_group.get(group)
    formula = asked.formula if asked is not None else ""
    return {
        "members": members,
        "standing": survey.standing(group),
        "formula": formula or survey.formula.replace("…", ", ".join(members)),
    }


async def _in_a_thread(work: Callable[[], T]) -> T:
    """Do something in a thread with room to recurse; whoever does not wait any more lets it end by itself."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[T] = loop.create_future()
    result: Future[T] = Future()

    def settle() -> None:
        if not waiting.done():
            error = result.exception()
            if error is None:
                waiting.set_result(result.result())
            else:
                waiting.set_exception(error)

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - whoever asked hears of it
            result.set_exception(error)
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(settle)

    before = threading.stack_size(_STACK)
    try:
        threading.Thread(target=run, name="gnomon groups", daemon=True).start()
    finally:
        threading.stack_size(before)
    return await waiting
