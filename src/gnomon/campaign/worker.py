"""What a process of a campaign does: one job in, as JSON, one answer out, as JSON.

`python -m gnomon.campaign.worker` does the same between its standard streams. The work itself is done by a
child that this process supervises, so that limits hold whatever the work is doing, and what was decided
before one is reached is kept.
"""

import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Final

from gnomon.campaign.answer import AnswerStanding, JobAnswer, Provenance
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import packed, unpacked
from gnomon.checking.process.child import Job, Tell
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.supervise import fork_from_here, machine_memory
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.budget import LimitReached, Report
from gnomon.results import data as published
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source
from gnomon.version import __version__

#: A process keeps to its limits by itself, and may say what it found; after so many more seconds it is ended.
_GRACE: Final = 0.9
#: However many are under way at once, each may have so many megabytes.
_LEAST_MEMORY: Final = 500.0


def answer_here(job: str, tell: Tell | None = None) -> str:
    """Answer a job in this very process, which is there for nothing else and may be forked."""
    del tell
    fork_from_here()
    return packed(answer(CampaignJob.from_data(unpacked(job))).to_data())


def in_a_process(job: CampaignJob, room: float | None) -> tuple[Job, float | None]:
    """Return what a process does for a job, and after how many seconds it is ended.

    There is `room` for so many megabytes, unless the job says how many.
    """
    data = packed(replace(job, room=job.room or room).to_data())
    limit = job.question.options.timeout
    return partial(answer_here, data), None if limit is None else limit + _GRACE


def room_for_each(at_once: int, megabytes: float | None = None) -> float | None:
    """Return how many megabytes each of so many jobs may have, of these or of all that there are."""
    memory = machine_memory() if megabytes is None else megabytes
    return None if memory is None else max(memory / at_once, _LEAST_MEMORY)


def answer(job: CampaignJob) -> JobAnswer:
    """Return what a job comes to; whatever the question is, there is an answer."""
    return answer_with(job)[0]


def answer_with(
    job: CampaignJob,
    report: Report | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> tuple[JobAnswer, Result]:
    """Return the answer with the result that it is made of; somebody may hear how far it is."""
    clock = _Clock()
    result = _result(_within(job), report, on_verdict)
    # As it would arrive anywhere else: with lists and texts, whatever they are here.
    certificate = unpacked(packed(result.certificate))
    found = JobAnswer(
        job.key,
        _standing(result),
        published.of_result(result),
        clock.provenance(),
        certificate,
    )
    return found, result


def lost(job: CampaignJob, reason: str) -> JobAnswer:
    """Return the answer to a job that no process came to the end with."""
    said = f"`{job.question.name}` was not checked to its end: {reason}"
    result = _unread(job.question, (Diagnostic("G0004", said, Source(job.question.name, "")),))
    return JobAnswer(
        job.key, "lost", published.of_result(result), _Clock().provenance(), reason=reason
    )


def _within(job: CampaignJob) -> Question:
    """Return the question with no more memory than there is room for, and a race only where one is wanted."""
    options = job.question.options
    if options.race is None:
        options = replace(options, race=False)  # other jobs have the processors
    if job.room is not None and (options.memory is None or options.memory > job.room):
        options = replace(options, memory=job.room)
    return replace(job.question, options=options)


def _result(
    question: Question,
    report: Report | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> Result:
    try:
        asked = read(question)
        return asked.refused() if asked.has_errors else _checked(asked, report, on_verdict)
    except (LimitReached, MemoryError) as limit:
        said = (
            f"`{question.name}` was not read to its end: {str(limit) or 'there is no more memory'}"
        )
        return _unread(question, (Diagnostic("G0004", said, Source(question.name, "")),))
    except InputError as error:
        return _unread(question, error.diagnostics)


def _checked(
    asked: Asked, report: Report | None, on_verdict: Callable[[Verdict], None] | None
) -> Result:
    try:
        return asked.check(report, on_verdict)
    except InputError as error:
        more = tuple(item for item in error.diagnostics if item not in asked.diagnostics)
        return asked.refused(more)


def _unread(question: Question, said: tuple[Diagnostic, ...]) -> Result:
    return Result(question.name, "finite", "", None, 0.0, (), diagnostics=said)


def _standing(result: Result) -> AnswerStanding:
    errors = {item.code for item in result.diagnostics if item.is_error}
    if errors:
        return "open" if errors == {"G0004"} else "refused"
    if result.as_expected:
        return "expected"
    standings = {verdict.standing for verdict in result.verdicts}
    checked = {
        "unexpected" if check.found else "open" for check in result.checks if not check.as_expected
    }
    return "unexpected" if "unexpected" in standings | checked else "open"


class _Clock:
    """What is spent from now on, by this process and by its children."""

    def __init__(self) -> None:
        self._began = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._started = time.monotonic()
        self._cpu = _cpu()

    def provenance(self) -> Provenance:
        """Return what was spent by now, and where."""
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return Provenance(
            version=__version__,
            **_machine(),
            started=self._began,
            seconds=published.seconds(time.monotonic() - self._started),
            cpu=published.seconds(_cpu() - self._cpu),
            memory=round(max(children, own) / _RSS_UNITS, 1),
            seed=_seed(),
        )


#: How many of what the system counts memory in are a megabyte: bytes with Apple, kilobytes elsewhere.
_RSS_UNITS = 2**20 if sys.platform == "darwin" else 2**10


def _cpu() -> float:
    """Return the processor time of this process, and of its children that have ended."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in found)


@cache
def _machine() -> dict[str, Any]:
    return {
        "machine": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
    }


def _seed() -> int | None:
    given = os.environ.get("PYTHONHASHSEED", "")
    return int(given) if given.isdigit() else None


if __name__ == "__main__":
    sys.stdout.write(answer_here(sys.stdin.read()))
