"""What a store has, as data: answers, and the runs that asked for them."""

from dataclasses import dataclass
from typing import NamedTuple

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import JobKey
from gnomon.checking.question import Question


@dataclass(frozen=True)
class CampaignRun:
    """One run of a campaign: what was typed, where and when, and how far it is."""

    id: str
    command: str
    version: str
    machine: str
    process: int
    name: str
    jobs: int
    started: float
    seen: float
    ended: float | None = None


@dataclass(frozen=True)
class StoredJob:
    """A job that a run has under way, by what is told of it."""

    run: str
    key: JobKey
    name: str
    place: str
    started: float


@dataclass(frozen=True)
class StoredAnswer:
    """An answer with the question it belongs to, and the run that asked it (None where that was no run)."""

    question: Question
    answer: JobAnswer
    run: CampaignRun | None
    finished: float


class StoredKey(NamedTuple):
    """What tells an answer from all others, who asked it, and when it came."""

    key: JobKey
    version: str
    run: str | None
    finished: float


class MergeCount(NamedTuple):
    """How many answers were taken over from another store, and how many could not be read there."""

    taken: int
    unreadable: int
