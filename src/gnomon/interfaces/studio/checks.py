"""Formulae decided for a page: by the store where they were before, else in a process of their own."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from gnomon.campaign.explained import ExplainedAnswer, Underway
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.checking.options import Options
from gnomon.checking.question import Question
from gnomon.interfaces.studio.calls import CallProgress, settled
from gnomon.interfaces.studio.keeping import AnswerKeeper
from gnomon.interfaces.studio.models import KnownModel, KnownModels
from gnomon.text.diagnostic import InputError
from gnomon.workbench.failure import RequestFailed, bad_input, bad_request
from gnomon.workbench.parameters import Parameters, exact


class CheckLimits(NamedTuple):
    """What a check may take, unless it says less."""

    seconds: float
    megabytes: float

    def at_most(self, params: Parameters) -> "CheckLimits":
        """Return the limits of a request, which may be lower."""
        return CheckLimits(
            _amount(params, "timeout", self.seconds), _amount(params, "memory", self.megabytes)
        )


def _amount(params: Parameters, name: str, most: float) -> float:
    given = params.raw(name)
    if given is None:
        return most
    if type(given) not in (int, float) or not given > 0:
        raise bad_request(f"`{name}` is a number above 0")
    return float(min(given, most))


def options_of(params: Parameters, limits: CheckLimits, **more: Any) -> Options:
    """Return how to check what a request asks; raise `RequestFailed` where it names what does not exist."""
    seconds, megabytes = limits.at_most(params)
    chosen = {
        name: params.text(name) for name in ("strategies", "engine") if params.has(name)
    } | more
    try:
        return Options(timeout=seconds, memory=megabytes, race=False, **chosen)
    except InputError as error:
        raise bad_input(error.diagnostics) from None


def known_model(models: KnownModels, params: Parameters) -> KnownModel:
    """Return the model that a request is about."""
    found = models.get(params.text("model"))
    if found is None:
        raise RequestFailed("unknown-model", "this model is not open: open its text again")
    return found


class CheckDesk:
    """Where questions are handed in."""

    def __init__(self, pool: LocalPool, keeper: AnswerKeeper, limits: CheckLimits) -> None:
        """Have them answered by a pool, and keep the answers."""
        self.pool = pool
        self.keeper = keeper
        self.limits = limits

    async def check(
        self, model: KnownModel, params: Parameters, progress: CallProgress
    ) -> dict[str, Any]:
        """Decide formulae of a model: of one with a number of agents, for any number."""
        job = CampaignJob(self._question(model, params))
        kept = await self.keeper.get(job)
        if kept is not None:
            return _answer(kept.answer.result, kept.stories, from_store=True)
        chosen = job.question.formulae or job.question.only
        of = len(chosen) if chosen else model.formulae
        loop = asyncio.get_running_loop()

        def told(said: Any) -> None:  # in the thread of the pool
            if isinstance(said, Underway):
                with suppress(RuntimeError):  # the loop may be closed by now
                    loop.call_soon_threadsafe(_tell, progress, said, of)

        progress.tell(words="", decided=0, of=of, found={})
        explained = await settled(self.pool.explain(job, told))
        stories = _stories(explained)
        await self.keeper.add(job, explained.answer, stories)
        return await asyncio.to_thread(_answer, explained.answer.result, stories, from_store=False)

    def _question(self, model: KnownModel, params: Parameters) -> Question:
        numbers, formulae = params.numbers("numbers"), params.texts("formulae")
        options = options_of(
            params,
            self.limits,
            evidence=params.flag("evidence", default=True),
            check_deadlock=params.flag("check_deadlock"),
            check_overflow=params.flag("check_overflow"),
            account=True,
        )
        try:
            return Question(
                model.asked,
                model.name,
                model.constants,
                formulae=formulae,
                only=numbers,
                options=options,
            )
        except InputError as error:
            raise bad_input(error.diagnostics) from None


def _tell(progress: CallProgress, said: Underway, of: int) -> None:
    found = {}
    if said.found is not None:
        number, value, seconds = said.found
        found[str(number)] = {"verdict": value, "seconds": round(seconds, 6)}
    progress.tell(words=said.words, decided=said.decided, of=of, found=found)


def _stories(explained: ExplainedAnswer) -> dict[str, Any]:
    return {
        str(number): {"title": page.title, "text": page.text}
        for number, page in explained.pages.items()
    }


def _answer(
    result: Mapping[str, Any], stories: Mapping[str, Any], *, from_store: bool
) -> dict[str, Any]:
    return {"result": exact(dict(result)), "stories": dict(stories), "from_store": from_store}
