"""Which jobs begin first: by what they are expected to take."""

from collections.abc import Iterable, Mapping
from math import log2
from statistics import median
from typing import Final

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.plan import Schedule
from gnomon.checking.question import Question

#: How much longer a reading takes than another, about.
_READINGS: Final = {"perfect": 1, "uniform-model": 4, "uniform-subjective": 8, "uniform": 8}
#: Less cannot be told from nothing.
_MOMENT: Final = 0.001


def scheduled(
    jobs: Iterable[CampaignJob], schedule: Schedule, taken: Mapping[str, float]
) -> list[CampaignJob]:
    """Return jobs in the order in which they are to begin.

    `taken` has the seconds that questions took before, by their digests. A repetition begins when everything
    has been asked once less often.
    """
    listed = list(jobs)
    if schedule == "written":
        return listed
    costs = _costs({job.question.digest: job.question for job in listed}, taken)
    sign = 1 if schedule == "cheap-first" else -1
    return sorted(listed, key=lambda job: (job.repetition, sign * costs[job.question.digest]))


def _costs(questions: Mapping[str, Question], taken: Mapping[str, float]) -> dict[str, float]:
    """Return what questions cost, on a scale of powers of two: what they took, or else a guess.

    Guesses are only good beside each other; so they are moved to where those are that are known.
    """
    guesses = {digest: _guess(question) for digest, question in questions.items()}
    known = {digest: log2(max(taken[digest], _MOMENT)) for digest in guesses if digest in taken}
    off = median(known[digest] - guesses[digest] for digest in known) if known else 0.0
    return {digest: known.get(digest, guess + off) for digest, guess in guesses.items()}


def _guess(question: Question) -> float:
    """Return about how much a question costs, by what is quickly seen.

    The text of the model, how large the constants make it, and what the reading of strategies asks for.
    """
    grown = sum(log2(1 + abs(value)) for _, value in question.constants)
    formulae = max(1, len(question.formulae) or len(question.only))
    reading = _READINGS[question.options.strategies]
    return log2(1 + len(question.text)) + 4 * grown + log2(formulae) + log2(reading)
