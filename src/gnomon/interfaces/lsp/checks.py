"""Checks that an editor has asked for: in processes that can be ended at any time, with progress."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Any, TypeAlias

from gnomon.campaign.explained import ExplainedAnswer, Underway
from gnomon.campaign.futures import EndedWhenCancelled
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.checking.options import Options
from gnomon.checking.question import Question
from gnomon.editing.analysis import Analysis
from gnomon.editing.fingerprint import ModelPlaces, VerdictKey
from gnomon.interfaces.lsp.evidence import evidence_lines
from gnomon.interfaces.lsp.verdicts import FoundRemark, FoundVerdict, VerdictBook
from gnomon.text.errors import Unable

#: Hears how far a check is, in the thread of the protocol.
OnProgress: TypeAlias = Callable[[Underway], None]


class CannotCheck(Unable):
    """A check cannot begin, or came to no end; the message says why."""


class CheckEnded(Unable):
    """Somebody has ended a check."""


@dataclass
class RunningCheck:
    """Formulae that are being decided."""

    uri: str
    keys: dict[int, VerdictKey]
    future: "EndedWhenCancelled[ExplainedAnswer]"
    cancelled: bool = field(default=False)

    def cancel(self) -> None:
        """End it, whatever it is doing; nobody waits until its process is gone."""
        if not self.cancelled:
            self.cancelled = True
            Thread(target=self.future.cancel, name="gnomon ending a check", daemon=True).start()


class Checker:
    """Has questions about texts answered, and keeps what comes of it."""

    def __init__(self) -> None:
        """Have nothing to do; the processes begin with the first question."""
        self._pool: LocalPool | None = None
        self.running: list[RunningCheck] = []

    def close(self) -> None:
        """End all that is under way; no process is left."""
        for check in list(self.running):
            check.cancelled = True
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def cancel(self, uri: str) -> int:
        """End the checks of a text, and return how many there were."""
        found = [check for check in self.running if check.uri == uri]
        for check in found:
            check.cancel()
        return len(found)

    async def check(
        self,
        uri: str,
        analysis: Analysis,
        book: VerdictBook,
        *,
        keys: Mapping[int, VerdictKey],
        numbers: Sequence[int] | None,
        options: Options,
        by_name: bool,
        on_progress: OnProgress,
        on_begin: Callable[[RunningCheck], None],
    ) -> None:
        """Decide formulae of a text, and note what comes of it.

        Raises `CannotCheck` where nothing comes of it, and `CheckEnded` where somebody has ended it.
        """
        wanted = {
            number: keys[number]._replace(strategies=options.strategies)
            for number in (keys if numbers is None else numbers)
            if number in keys
        }
        if analysis.loaded.has_errors or not wanted:
            raise CannotCheck(_why_not(analysis))
        self._end_older(uri, next(iter(wanted.values())).model)
        question = Question(
            analysis.text,
            analysis.source.name,
            tuple(sorted(analysis.loaded.constants.items())),
            only=() if len(wanted) == len(keys) else tuple(wanted),
            options=options,
        )
        check = RunningCheck(uri, wanted, self._submit(question, on_progress))
        self.running.append(check)
        for key in wanted.values():
            book.begin(key)
        on_begin(check)
        try:
            answer = await asyncio.wrap_future(check.future)
        except asyncio.CancelledError:
            if check.cancelled:
                raise CheckEnded("the check was ended") from None
            check.cancel()
            raise
        finally:
            self.running.remove(check)
            for key in wanted.values():
                book.end(key)
        loop = asyncio.get_running_loop()
        found, remarks = await loop.run_in_executor(
            None, partial(_read_answer, analysis, wanted, answer, by_name=by_name)
        )
        book.record(found)
        states = answer.answer.result["states"]
        book.remark(next(iter(wanted.values())).model, remarks, states)

    def _submit(
        self, question: Question, on_progress: OnProgress
    ) -> "EndedWhenCancelled[ExplainedAnswer]":
        loop = asyncio.get_running_loop()

        def told(said: Any) -> None:
            # The loop may be closed by now; the pool, whose thread this is, goes on.
            with suppress(RuntimeError):
                if isinstance(said, Underway):
                    loop.call_soon_threadsafe(on_progress, said)

        if self._pool is None:
            self._pool = LocalPool()
        return self._pool.explain(CampaignJob(question), told)

    def _end_older(self, uri: str, model: str) -> None:
        """End checks of a text that has become another since: nobody can use what they would find."""
        for check in self.running:
            if check.uri == uri and any(key.model != model for key in check.keys.values()):
                check.cancel()


def _read_answer(
    analysis: Analysis, keys: dict[int, VerdictKey], answer: ExplainedAnswer, *, by_name: bool
) -> tuple[list[tuple[VerdictKey, str, FoundVerdict]], tuple[FoundRemark, ...]]:
    """Return what a check has found, and what it says about the model; both with their places in the text.

    Raises `CannotCheck` where it says why it found nothing.
    """
    said = answer.answer.result["diagnostics"]
    refused = [item for item in said if item["severity"] == "error"]
    if refused and not answer.answer.formulae:
        raise CannotCheck("; ".join(str(item["message"]) for item in refused))
    places = ModelPlaces(analysis)
    found = []
    for data in answer.answer.formulae:
        key = keys.get(data["index"])
        if key is None:
            continue
        lines = {line: places.number_at(line) for line in evidence_lines(data["evidence"])}
        page = answer.pages.get(data["index"])
        label = data["name"] or str(data["index"])
        found.append((key, label, FoundVerdict(data, page, key.strategies, lines, by_name)))
    known = {(item.code, item.message) for item in analysis.diagnostics}
    new = [item for item in said if (item["code"], item["message"]) not in known]
    return found, tuple(FoundRemark(item, _place(places, item)) for item in new)


def _place(places: ModelPlaces, item: Mapping[str, Any]) -> int | None:
    if item["line"] is None:
        return None
    return places.number_at(int(item["line"]), int(item["column"]))


def _why_not(analysis: Analysis) -> str:
    errors = [item for item in analysis.loaded.diagnostics if item.is_error]
    if errors:
        first = errors[0]
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        return f"nothing can be checked: line {first.line}: {first.message}{more}"
    return "there is no such formula"
