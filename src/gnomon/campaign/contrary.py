"""Where two ways to one answer contradict each other, which is a fault of ours and never passed over."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob, JobKey
from gnomon.campaign.labels import label_of
from gnomon.checking.options import Options
from gnomon.checking.question import Question

_CERTAIN: Final = frozenset(("true", "false"))

#: What tells formulae of all models apart: the digest of what the model is asked as, and the formula.
_FormulaAsked: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class ContraryAnswers:
    """A formula that is true by some jobs, and false by others."""

    formula: str
    true: tuple[str, ...]
    false: tuple[str, ...]


def contrary(
    jobs: Iterable[CampaignJob], answers: Mapping[JobKey, JobAnswer]
) -> Iterator[ContraryAnswers]:
    """Yield the formulae on which answers to jobs contradict each other."""
    found: dict[_FormulaAsked, dict[str, list[str]]] = {}
    for job in jobs:
        answer = answers.get(job.key)
        if answer is None or not answer.formulae:
            continue
        digest = _whatever_the_way(job.question).digest
        for each in answer.formulae:
            if each["verdict"] in _CERTAIN:
                by = found.setdefault((digest, each["parsed"]), {})
                by.setdefault(each["verdict"], []).append(label_of(job))
    for (_, formula), by in found.items():
        if len(by) > 1:
            yield ContraryAnswers(formula, tuple(by["true"]), tuple(by["false"]))


def _whatever_the_way(question: Question) -> Question:
    """Return a question without how it is answered, and without which of its formulae are asked."""
    options = question.options
    meaning = Options(
        strategies=options.strategies,
        uniform_group=options.uniform_group,
        starts=options.starts,
    )
    return replace(question, formulae=(), only=(), predicates=(), options=meaning)
