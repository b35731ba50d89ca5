"""One question at many sizes for a page: a row as soon as it is there, and plots at the end."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob
from gnomon.checking.question import Question
from gnomon.checking.sweep import family, read_values, sizes
from gnomon.interfaces.studio.calls import CallProgress, settled
from gnomon.interfaces.studio.checks import CheckDesk, options_of
from gnomon.interfaces.studio.models import without_mark
from gnomon.interfaces.studio.sweep_plots import plots
from gnomon.results.sweep import FormulaColumn, SweptFormula, columns, key_of
from gnomon.text.diagnostic import InputError
from gnomon.workbench.failure import RequestFailed, bad_input
from gnomon.workbench.parameters import Parameters, exact

#: More sizes are a campaign, and there is a command for that.
_MOST_SIZES: Final = 400
#: Of several verdicts in one place, that of the first of these is told.
_WORST: Final = ("unknown", "undefined", "false", "true")


class SweepDesk:
    """Where sweeps are handed in."""

    def __init__(self, desk: CheckDesk) -> None:
        """Have the checks done as others are."""
        self._desk = desk

    async def sweep(self, params: Parameters, progress: CallProgress) -> dict[str, Any]:
        """Check a family at all sizes."""
        swept, questions = self._questions(params)
        at_once = asyncio.Semaphore(self._desk.pool.at_once)
        answers: dict[int, JobAnswer] = {}

        async def one(place: int, question: Question) -> None:
            async with at_once:
                answers[place] = await self._answer(CampaignJob(question))
            row = _row(swept[place], answers[place], _columns([answers[place]]))
            progress.tell(
                words=f"{len(answers)} of {len(questions)}", decided=len(answers), of=len(questions)
            )
            progress.tell(rows=[exact(row)])

        try:
            async with asyncio.TaskGroup() as group:
                for place, question in enumerate(questions):
                    group.create_task(one(place, question))
        except ExceptionGroup as failed:
            raise _first(failed) from None
        ordered = [answers[place] for place in range(len(questions))]
        found = _columns(ordered)
        rows = [_row(size, answer, found) for size, answer in zip(swept, ordered, strict=True)]
        drawn = list(plots(rows))
        return {
            "columns": [column.title for column in found],
            "rows": exact(rows),
            "plots": drawn,
        }

    def _questions(self, params: Parameters) -> tuple[list[dict[str, int]], Sequence[Question]]:
        options = options_of(params, self._desk.limits)
        values: dict[str, tuple[int, ...]] = {}
        for name, text in params.words("constants").items():
            try:
                values[name] = read_values(text)
            except ValueError as error:
                raise RequestFailed("bad-input", f"{name}: {error}") from None
        try:
            swept = list(sizes(values))
            if len(swept) > _MOST_SIZES:
                why = f"these are {len(swept):,} sizes, and {_MOST_SIZES} are the most here"
                raise RequestFailed("unable", f"{why}: `gnomon check --set` does more")
            question = Question(
                without_mark(params.text("text")),
                params.text("name"),
                only=params.numbers("numbers"),
                options=options,
            )
            return swept, family(question, values)
        except InputError as error:
            raise bad_input(error.diagnostics) from None

    async def _answer(self, job: CampaignJob) -> JobAnswer:
        kept = await self._desk.keeper.get(job)
        if kept is not None:
            return kept.answer
        answer = await settled(self._desk.pool.submit(job))
        await self._desk.keeper.add(job, answer, {})
        return answer


def _first(failed: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the reason of it all; the others ended because of it."""
    for each in failed.exceptions:
        return _first(each) if isinstance(each, BaseExceptionGroup) else each
    return failed


def _columns(answers: Sequence[JobAnswer]) -> tuple[FormulaColumn, ...]:
    return columns([[_swept(each) for each in answer.formulae] for answer in answers])


def _swept(formula: Mapping[str, Any]) -> SweptFormula:
    return SweptFormula(
        formula["index"], formula["name"] or "", formula["line"] or 0, formula["text"]
    )


def _row(
    size: Mapping[str, int], answer: JobAnswer, found: Sequence[FormulaColumn]
) -> dict[str, Any]:
    result = answer.result
    verdicts = {}
    for column in found:
        here = [each for each in answer.formulae if key_of(_swept(each)) == column.key]
        if here:
            verdicts[column.title] = {
                "verdict": min((each["verdict"] for each in here), key=_WORST.index),
                "as_expected": all(each["as_expected"] for each in here),
                "seconds": round(sum(each["seconds"] for each in here), 6),
            }
    return {
        "constants": dict(size),
        "states": result["states"],
        "seconds": result["seconds"],
        "verdicts": verdicts,
        "reason": _reason(answer),
    }


def _reason(answer: JobAnswer) -> str | None:
    """Return why something is missing in a row."""
    errors = [
        each["message"] for each in answer.result["diagnostics"] if each["severity"] == "error"
    ]
    reasons = [each["reason"] for each in answer.formulae if each["verdict"] == "unknown"]
    return next((each for each in (*errors, *reasons) if each), None) or answer.reason or None
