"""A plan to its jobs: every combination of what varies, each question once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple

from gnomon.campaign.job import CampaignJob, JobKey
from gnomon.campaign.plan import MOST_JOBS, Plan, PlannedCheck
from gnomon.campaign.shards import Shard
from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.sweep import sizes
from gnomon.model.budget import LimitReached
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source


class SameQuestion(NamedTuple):
    """A model that asks what another one asks, in all of its jobs or in some: they are done once."""

    name: str
    first: str
    wholly: bool

    def __str__(self) -> str:
        """Return it in words."""
        return (
            f"{self.name} is {'' if self.wholly else 'in part '}the same question as {self.first}"
        )


@dataclass(frozen=True)
class PlannedJobs:
    """The jobs of a plan as they are written, each once, and the models that lack some for that reason."""

    jobs: list[CampaignJob]
    same: tuple[SameQuestion, ...]


def planned_jobs(plan: Plan, shard: Shard | None = None) -> PlannedJobs:
    """Return the jobs of a plan, or of a part of it.

    Raises `InputError` where there are more than anybody can mean.
    """
    _refuse_too_many(plan)
    first: dict[JobKey, CampaignJob] = {}
    again: dict[tuple[str, str], None] = {}
    for job in _written(plan):
        if shard is None or shard.has(job.key):
            known = first.setdefault(job.key, job).question.name
            if known != job.question.name:
                again[job.question.name, known] = None
    jobs = list(first.values())
    asked = {job.question.name for job in jobs}
    same = tuple(SameQuestion(name, known, name not in asked) for name, known in again)
    return PlannedJobs(jobs, same)


def _written(plan: Plan) -> Iterator[CampaignJob]:
    for check in plan.checks:
        for question in _questions(check):
            for repetition in range(1, check.repetitions + 1):
                yield CampaignJob(question, repetition)


def _questions(check: PlannedCheck) -> Iterator[Question]:
    for model in check.models:
        for size in sizes(check.constants):
            constants = tuple(sorted(size.items()))
            whole = Question(
                model.text, model.name, constants, check.formulae, check.only, check.predicates
            )
            for part in _split(whole) if check.split == "formulae" else (whole,):
                for options in _options(check):
                    yield replace(part, options=options)


def _options(check: PlannedCheck) -> Iterator[Options]:
    axes = product(check.engines, check.strategies, check.orders, check.diagrams)
    for engine, strategies, order, diagrams in axes:
        group = check.uniform_group if strategies == "uniform-model" else None
        yield replace(
            check.options,
            engine=engine,
            strategies=strategies,
            order=order,
            diagrams=diagrams,
            uniform_group=group,
        )


def _split(whole: Question) -> Iterator[Question]:
    """Yield a question for each formula; where the model cannot be read, the whole, which will say why."""
    if whole.formulae:
        for formula in whole.formulae:
            yield replace(whole, formulae=(formula,))
        return
    try:
        asked = read(whole)
    except (LimitReached, InputError):
        yield whole
        return
    if asked.has_errors or not asked.items:
        yield whole
        return
    for number, item in asked.items:
        yield replace(whole, only=(item.name or number,))


def _refuse_too_many(plan: Plan) -> None:
    """Refuse what would never end; formulae that are split are not counted, and few."""
    count = sum(
        len(check.models)
        * prod(map(len, check.constants.values()))
        * len(check.engines)
        * len(check.strategies)
        * len(check.orders)
        * len(check.diagrams)
        * check.repetitions
        for check in plan.checks
    )
    if count > MOST_JOBS:
        message = f"this plan has {count:,} jobs, and {MOST_JOBS:,} are the most"
        help_ = "make several plans of it, or leave out combinations"
        raise InputError((Diagnostic("G0902", message, Source(plan.name, ""), help=help_),))
