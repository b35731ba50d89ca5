"""The work behind `gnomon campaign run`: a plan, its jobs, an executor, and what is told of them."""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shlex import join
from typing import Any, Final

import click

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import JobExecutor
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.labels import label_of
from gnomon.campaign.local import LocalPool
from gnomon.campaign.plan import ClusterAddress, ClusterSecurity, Plan
from gnomon.campaign.plan_jobs import PlannedJobs, planned_jobs
from gnomon.campaign.plan_reading import plan_of, read_plan
from gnomon.campaign.runner import RunProgress, new_run, run_jobs
from gnomon.campaign.schedule import scheduled
from gnomon.campaign.store import Store
from gnomon.campaign.summary import summarised
from gnomon.campaign.view import view_of_run
from gnomon.interfaces.cli import campaign_options, campaign_screen
from gnomon.interfaces.cli.checking import progress_on
from gnomon.interfaces.cli.models import show_diagnostics
from gnomon.interfaces.cli.screen import standard_error, standard_output
from gnomon.interfaces.cli.status import Status
from gnomon.results.styled import Styled, StyledText
from gnomon.text.diagnostic import InputError
from gnomon.text.ending import Terminated

#: Where nobody watches, a line tells how far it is once in so many seconds.
_PAUSE: Final = 30.0
#: What fails in the first seconds is told at the end, later ones at once; nobody reads more of them.
_SOON: Final = 10.0
_MOST_ALARMS: Final = 20


def run_campaign(context: click.Context, given: Mapping[str, Any], *, begun: bool = False) -> int:
    """Run a campaign, or go on with one that was begun, and return the status."""
    if given["verbose"] and given["quiet"]:
        raise click.UsageError("--quiet and --verbose contradict each other")
    errors = standard_error(no_color=given["no_color"])
    try:
        plan = planned(context, given["paths"])
        found = planned_jobs(plan, given["shard"])
        # No store is made where nobody could have the jobs done.
        with closing(executor_of(plan)) as executor, Store(plan.store, must_exist=begun) as store:
            ordered = replace(found, jobs=scheduled(found.jobs, plan.schedule, store.taken()))
            return _CampaignOnScreen(context, plan, ordered, store, given).run(executor)
    except InputError as error:
        show_diagnostics(errors, error.diagnostics)
        return Status.BAD_INPUT


def planned(context: click.Context, paths: Sequence[str]) -> Plan:
    """Return the plan that is named, or that options stand for, with what is said of the run."""
    params = context.params
    if is_plan(paths):
        wrong = campaign_options.spoken(context)
        if wrong:
            raise click.UsageError(f"{', '.join(wrong)}: the plan says what is checked")
        plan = read_plan(paths[0])
    else:
        of_checks = campaign_options.said(context)
        name = params["name"] or (Path(paths[0]).stem if len(paths) == 1 else "campaign")
        plan = plan_of({"models": list(paths), "name": name, **of_checks})
    of_run = {
        name: params[name]
        for name in ("name", "jobs", "schedule", "seed")
        if params[name] is not None
    }
    if params["store"]:
        of_run["store"] = Path(params["store"])
    return replace(plan, cluster=_cluster(params) or plan.cluster, **of_run)


def is_plan(paths: Sequence[str]) -> bool:
    """Return whether a plan is named, and not models; raise click's exception where it is both."""
    plans = [path for path in paths if path.endswith(".toml")]
    if plans and len(paths) > 1:
        raise click.UsageError(f"`{plans[0]}` is a plan: it goes with no other plans and models")
    return bool(plans)


def _cluster(params: Mapping[str, Any]) -> ClusterAddress | None:
    """Return the cluster that is said on the command line."""
    files = {
        name: Path(params[f"tls_{name}"]) if params[f"tls_{name}"] else None
        for name in ("ca_file", "cert", "key")
    }
    if params["cluster"]:
        return ClusterAddress(params["cluster"], ClusterSecurity(**files))
    if any(files.values()):
        raise click.UsageError("--tls-ca-file, --tls-cert and --tls-key go with --cluster")
    return None


def executor_of(plan: Plan) -> JobExecutor:
    """Return what has the jobs done: a cluster where one is named, and else processes of this machine."""
    if plan.cluster is None:
        if plan.seed is not None:
            # The process from which all others are forked has it from here.
            os.environ["PYTHONHASHSEED"] = str(plan.seed)
        return LocalPool(plan.jobs)
    from gnomon.campaign.cluster import connect  # few need it

    given = plan.cluster
    return connect(given.address, given.security, jobs=plan.jobs, seed=plan.seed or 0)


class _CampaignOnScreen:
    """A campaign under way, and what is told of it."""

    def __init__(
        self,
        context: click.Context,
        plan: Plan,
        planned: PlannedJobs,
        store: Store,
        given: Mapping[str, Any],
    ) -> None:
        self._command = join(["gnomon", *(context.obj or ())])
        self._plan, self._store = plan, store
        self._jobs, self._same = planned.jobs, planned.same
        shard = given["shard"]
        self._name = plan.name if shard is None else f"{plan.name} {shard}"
        self._verbose, self._quiet, self._retry = (
            given[name] for name in ("verbose", "quiet", "retry")
        )
        self._screen = standard_output(no_color=given["no_color"])
        errors = standard_error(no_color=given["no_color"])
        self._progress = progress_on(errors, wanted=given["progress"])
        self._log = errors if self._progress is None and given["progress"] is None else None
        self._told = time.monotonic()

    def run(self, executor: JobExecutor) -> int:
        """Do all of it, and return the status; whatever ends it, what has come of it is told."""
        run = new_run(self._command, self._name, len(self._jobs))
        self._begin(executor.at_once)
        try:
            progress = run_jobs(
                self._jobs, self._store, executor, run, self._listen, retry=self._retry
            )
        except KeyboardInterrupt:
            return self._early("interrupted", Status.INTERRUPTED)
        except Terminated:
            return self._early("terminated", Status.TERMINATED)
        except InputError:
            self._early("the run has ended", Status.BAD_INPUT)
            raise
        contradicted = self._end(progress)
        return Status.BUG if progress.faults or contradicted else status_of(progress.answered)

    def _begin(self, at_once: int) -> None:
        if self._progress is not None:
            self._progress.start(self._name)
        if not self._quiet:
            count = _count(len(self._jobs), "job")
            self._screen.write(
                f"{self._name}: {count}, {at_once} at once, answers in {self._plan.store}\n"
            )
            self._screen.write(campaign_screen.same_questions(self._same))

    def _listen(
        self, progress: RunProgress, answer: JobAnswer | None, job: CampaignJob | None
    ) -> None:
        if answer is not None and job is not None and self._is_told(progress, answer):
            self._tell(answer, job)
        if self._progress is not None:
            self._progress.bar(
                lambda width: campaign_screen.bar_line(view_of_run(self._name, progress), width)
            )
        elif self._log is not None and time.monotonic() - self._told > _PAUSE:
            self._told = time.monotonic()
            self._log.write(campaign_screen.bar_line(view_of_run(self._name, progress), 80) + "\n")

    def _is_told(self, progress: RunProgress, answer: JobAnswer) -> bool:
        """Return whether an answer is told at once: where all are wanted, or where the end is far away."""
        if self._verbose or self._quiet:
            return not self._quiet
        failed = progress.now.total() - progress.now["expected"] - progress.now["open"]
        alarming = answer.standing not in {"expected", "open"}
        return alarming and progress.seconds > _SOON and failed <= _MOST_ALARMS

    def _tell(self, answer: JobAnswer, job: CampaignJob) -> None:
        self._clear()
        words, style = campaign_screen.STANDINGS[answer.standing]
        text = StyledText()
        text.add(label_of(job), ": ", Styled(words, style), f" ({answer.provenance.seconds:.2f} s)")
        self._screen.write(text)

    def _clear(self) -> None:
        if self._progress is not None:
            self._progress.clear()

    def _early(self, why: str, status: Status) -> int:
        """Tell how far it came, and how to go on."""
        self._clear()
        standings = self._store.standings()
        done = sum(job.key in standings for job in self._jobs)
        self._screen.write(
            f"{why}: {done:,} of {_count(len(self._jobs), 'job')} have their answers in "
            f"{self._plan.store}\n{self._how_to_go_on()}"
        )
        return status

    def _how_to_go_on(self) -> str:
        return f"nothing of it is lost; to go on with the rest: {self._command}\n"

    def _end(self, progress: RunProgress) -> bool:
        """Tell what has come of all of it; return whether answers contradict each other."""
        seconds = progress.seconds
        self._clear()
        summary = summarised(self._jobs, self._store, self._same)
        if not self._quiet or summary.contrary:
            self._screen.write(campaign_screen.summary_page(summary, self._screen.width))
        told = ", ".join(campaign_screen.counted(progress.answered)) or "there was nothing to do"
        before = progress.before.total()
        had = f" ({before:,} answered before)" if before else ""
        self._screen.write(f"{_count(progress.jobs, 'job')} in {seconds:.2f} s{had}: {told}\n")
        return bool(summary.contrary)


def status_of(answered: Mapping[str, int]) -> Status:
    """Return the status of a campaign with these answers; where several apply, the first one counts."""
    if answered.get("unexpected"):
        return Status.REFUTED
    if answered.get("refused"):
        return Status.BAD_INPUT
    return Status.OPEN if answered.get("open") or answered.get("lost") else Status.DONE


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
