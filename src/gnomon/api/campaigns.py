"""Many checks from Python, several at once: an executor in the manner of `concurrent.futures`."""

import asyncio
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import suppress
from dataclasses import fields
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, NoReturn, Self, cast

from gnomon.api.asking import OptionValue, QuestionOptions, must_be_number
from gnomon.api.campaign_results import CampaignCounts, CampaignResult
from gnomon.api.models import Model, load
from gnomon.api.progress import CheckWatch
from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobExecutor
from gnomon.campaign.futures import EndedWhenCancelled, give_up, settle
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.campaign.plan_jobs import planned_jobs
from gnomon.campaign.plan_reading import read_plan
from gnomon.campaign.retries import Retrying
from gnomon.campaign.store import Store
from gnomon.checking.options import Options
from gnomon.text.diagnostic import Diagnostic, InputError, closest
from gnomon.text.source import Source

if TYPE_CHECKING:
    from gnomon.campaign.cluster import TlsFiles

#: What can be asked by its name; other names are constants of the model.
_ASKED: Final = frozenset(field.name for field in fields(Options)) | {"only"}

#: So many results are kept for whoever looks at them later.
_MOST_KEPT: Final = 10_000
#: So often it is told how far a plan is.
_LOOK: Final = 0.2


class Campaign:
    """Checks that are done side by side, each in a process of its own, and kept in a store.

    What the store has is not asked again. Leaving the `with` block waits for what is under way; where it is
    left by an exception, Ctrl-C included, that is ended instead.

    >>> import gnomon
    >>> with gnomon.Campaign(jobs=2) as campaign:
    ...     future = campaign.submit("examples/muddy_children.ispl", only=1, n=2)
    ...     other = list(campaign.map(["examples/tickets.ispl"], "EF full"))
    ...     future.result().value
    <Value.TRUE: 'true'>
    >>> campaign
    <campaign: 2 of 2 checks: 2 expected>
    >>> len(campaign.results)
    2
    """

    def __init__(
        self,
        store: str | Path | None = None,
        *,
        jobs: int | None = None,
        cluster: object = None,
        security: "TlsFiles | None" = None,
    ) -> None:
        """Keep answers in a file, or nowhere; have so many jobs done at once, here or by a cluster.

        A cluster is the address of a Dask scheduler, the name of its file, "local", or a client or cluster
        of Dask's; `security` has the files for TLS.
        """
        self._lock = RLock()
        self._under_way: set[Future[CampaignResult]] = set()
        self._counts = CampaignCounts()
        self._results: deque[CampaignResult] = deque(maxlen=_MOST_KEPT)
        self._executor: Final[JobExecutor] = Retrying(_executor(jobs, cluster, security))
        # A store is used by one thread.
        self._keeper = ThreadPoolExecutor(1, thread_name_prefix="gnomon store")
        self._store: Store | None = None
        try:
            if store is not None:
                self._store = self._keeper.submit(Store, store).result()
        except BaseException:
            self.close(wait=False)
            raise

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Wait for what is under way, or end it where something went wrong."""
        self.close(wait=kind is None)

    def submit(
        self,
        model: Model | str | Path,
        *formulae: str,
        constants: Mapping[str, int] | None = None,
        repetition: int = 1,
        **asked: OptionValue,
    ) -> "Future[CampaignResult]":
        """Ask something of a model, or of the file of one; to cancel the future ends the check.

        All else is as for `check`; other names are constants of the model, as `n=3`. Raises `InputError`
        where the model cannot be read.

        >>> import gnomon
        >>> with gnomon.Campaign(jobs=1) as campaign:
        ...     campaign.submit("examples/muddy_children.ispl", only=1, constants={"n": 3}).result().value
        <Value.TRUE: 'true'>
        """
        return self._answered(_job(model, formulae, constants or {}, repetition, asked))

    def map(
        self,
        models: Iterable[Model | str | Path],
        *formulae: str,
        constants: Mapping[str, int] | None = None,
        repetition: int = 1,
        **asked: OptionValue,
    ) -> Iterator[CampaignResult]:
        """Ask the same of several models, and yield what comes of each, in their order."""
        sizes = constants or {}
        jobs = [_job(model, formulae, sizes, repetition, asked) for model in models]
        return self._in_order([self._answered(job) for job in jobs])

    async def check(
        self,
        model: Model | str | Path,
        *formulae: str,
        constants: Mapping[str, int] | None = None,
        repetition: int = 1,
        **asked: OptionValue,
    ) -> CampaignResult:
        """Ask something of a model and await the answer; to cancel that ends the check.

        >>> import asyncio, gnomon
        >>> async def ask():
        ...     with gnomon.Campaign(jobs=1) as campaign:
        ...         return await campaign.check("examples/tickets.ispl", "EF full")
        >>> asyncio.run(ask()).value
        <Value.TRUE: 'true'>
        """
        job = _job(model, formulae, constants or {}, repetition, asked)
        return await asyncio.wrap_future(self._answered(job))

    def run(self, plan: str | Path, *, progress: bool | None = None) -> list[CampaignResult]:
        r"""Do what a plan says, and return what comes of each of its jobs, in the plan's order.

        Progress is shown on terminals and in notebooks, unless that is said. Where it is interrupted, what
        has come so far is in `results`.

        >>> import gnomon, pathlib, tempfile
        >>> plan = 'models = ["tickets.ispl"]\nformulae = ["EF full"]'
        >>> with tempfile.TemporaryDirectory() as folder, gnomon.Campaign(jobs=1) as campaign:
        ...     text = pathlib.Path("examples/tickets.ispl").read_text()
        ...     _ = pathlib.Path(folder, "tickets.ispl").write_text(text)
        ...     _ = pathlib.Path(folder, "plan.toml").write_text(plan)
        ...     [result.standing for result in campaign.run(f"{folder}/plan.toml")]
        ['expected']
        """
        futures = [self._answered(job) for job in planned_jobs(read_plan(plan)).jobs]
        wanted = True if progress is None and sys.stderr.isatty() else progress
        with CheckWatch(str(plan), len(futures), "checks", wanted=wanted) as watch:
            waiting: set[Future[CampaignResult]] = set(futures)
            try:
                while waiting:
                    over, waiting = wait(waiting, _LOOK, return_when=FIRST_COMPLETED)
                    watch.done += len(over)
                    watch.look()
            except BaseException:
                for future in waiting:
                    future.cancel()
                raise
        return list(self._in_order(futures))

    @property
    def results(self) -> tuple[CampaignResult, ...]:
        """Return what has come so far, in the order in which it came; of very many the last."""
        with self._lock:
            return tuple(self._results)

    def close(self, *, wait: bool = True) -> None:
        """Take no more; wait for what is under way, or end it.

        >>> import gnomon
        >>> campaign = gnomon.Campaign(jobs=1)
        >>> future = campaign.submit("examples/tickets.ispl", "EF full")
        >>> campaign.close()
        >>> future.done()
        True
        """
        while wait and (left := self._left()):
            for future in left:
                with suppress(CancelledError):
                    future.exception()
        self._executor.close()
        if self._store is not None:
            self._keeper.submit(self._store.close).result()
            self._store = None
        self._keeper.shutdown()

    def __reduce__(self) -> NoReturn:
        """Refuse: there are processes under way."""
        msg = "a campaign has processes of its own and cannot be copied or sent elsewhere"
        raise TypeError(msg)

    def __str__(self) -> str:
        """Show how far it is."""
        return str(self._counts)

    def __repr__(self) -> str:
        """Show what it is, and how far."""
        return f"<campaign: {self._counts}>"

    def _repr_html_(self) -> str:
        return self._counts.html(self.results)

    def _left(self) -> list[Future[CampaignResult]]:
        with self._lock:
            return list(self._under_way)

    def _in_order(self, futures: list[Future[CampaignResult]]) -> Iterator[CampaignResult]:
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()

    def _answered(self, job: CampaignJob) -> "Future[CampaignResult]":
        """Return the future of a job, which is over already where the store knows its answer."""
        known = self._known(job)
        if known is not None:
            done: Future[CampaignResult] = Future()
            found = CampaignResult(job, known, stored=True)
            self._counts.add(known.standing, stored=True)
            self._results.append(found)
            done.set_result(found)
            return done
        inner = self._executor.submit(job)
        future: EndedWhenCancelled[CampaignResult] = EndedWhenCancelled(lambda _: inner.cancel())
        with self._lock:
            self._under_way.add(future)
            self._counts.asked += 1
        future.add_done_callback(self._forget)
        inner.add_done_callback(partial(self._arrived, job, future))
        return future

    def _known(self, job: CampaignJob) -> JobAnswer | None:
        if self._store is None:
            return None
        found = self._keeper.submit(self._store.get, job.key).result()
        return found if found is not None and found.decided else None

    def _arrived(
        self, job: CampaignJob, future: "Future[CampaignResult]", inner: FutureAnswer
    ) -> None:
        """Keep an answer before anybody hears of it; called in a thread of the executor's."""
        if inner.cancelled():
            give_up(future)
            return
        error = inner.exception()
        if error is not None:
            settle(future, error=error)
            return
        answer = inner.result()
        if self._store is None:
            self._hand_over(job, future, answer)
        else:
            self._keeper.submit(self._keep, job, future, answer)

    def _keep(self, job: CampaignJob, future: "Future[CampaignResult]", answer: JobAnswer) -> None:
        assert self._store is not None
        try:
            # What stands there, if anything, is open or lost: only what is certain is better.
            self._store.add(job, answer)
        except InputError as error:
            settle(future, error=error)
        else:
            self._hand_over(job, future, answer)

    def _hand_over(
        self, job: CampaignJob, future: "Future[CampaignResult]", answer: JobAnswer
    ) -> None:
        found = CampaignResult(job, answer)
        self._counts.add(answer.standing)
        self._results.append(found)
        settle(future, found)

    def _forget(self, future: "Future[CampaignResult]") -> None:
        with self._lock:
            self._under_way.discard(future)


def _executor(jobs: int | None, cluster: object, security: "TlsFiles | None") -> JobExecutor:
    if jobs is not None:
        must_be_number("jobs", jobs, 1)
    if cluster is None:
        return LocalPool(jobs)
    from gnomon.campaign.cluster import connect  # few need it

    return connect(cluster, security, jobs=jobs)


def _job(
    model: Model | str | Path,
    formulae: tuple[str, ...],
    constants: Mapping[str, int],
    repetition: int,
    given: Mapping[str, OptionValue],
) -> CampaignJob:
    # What they are is looked at where they are read.
    asked = cast(
        "QuestionOptions", {name: value for name, value in given.items() if name in _ASKED}
    )
    others = {name: value for name, value in given.items() if name not in _ASKED}
    for name, value in others.items():
        near = None if isinstance(value, int) else closest(name, [*_ASKED])
        if near:
            msg = (
                f"there is no option `{name}`, and {value!r} is no constant: did you mean `{near}`?"
            )
            raise TypeError(msg)
    sizes = cast("dict[str, int]", {**others, **constants})
    if not isinstance(model, Model):
        model = load(str(model), **sizes)
    elif sizes:
        model = model.resized(**sizes)
    question = model.question(*formulae, **asked)
    if question.system is not None:
        message = "a campaign asks something of a text, and a model that was built has none"
        help_ = "load its program: gnomon.load_text(model.to_ispl())"
        raise InputError((Diagnostic("G0817", message, Source(question.name, ""), help=help_),))
    return CampaignJob(question, repetition)
