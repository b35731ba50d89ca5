"""What counts in a report: the newest text of a model, and the newest answers on it."""

from dataclasses import replace

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.report.measured import measured
from gnomon.campaign.report.newest import newest
from gnomon.campaign.report.tables import contradictions
from gnomon.campaign.stored import StoredAnswer
from gnomon.campaign.worker import answer
from gnomon.checking.options import Options
from tests.unit.campaign.jobs import small

JOB = small()
ANSWER = answer(JOB)


def stored(text: str = "", verdict: str = "true", **options: object) -> StoredAnswer:
    """Return an answer on the model, with something added to its text, that says so of the first formula."""
    asked = replace(JOB.question, text=JOB.question.text + text, options=Options(**options))  # type: ignore[arg-type]
    first, *rest = ANSWER.formulae
    result = {**ANSWER.result, "formulae": [{**first, "verdict": verdict}, *rest]}
    given: JobAnswer = replace(ANSWER, key=CampaignJob(asked).key, result=result)
    return StoredAnswer(asked, given, None, 0.0)


def verdicts(*answers: StoredAnswer) -> list[str]:
    """Return what counts of the first formula."""
    return [row.verdict for row in newest(answers) if row.index == 1]


def test_a_model_that_was_changed_does_not_contradict_itself() -> None:
    edited = [stored(verdict="false"), stored(engine="explicit"), stored("-- better")]

    assert ["true"] == verdicts(*edited)
    assert [] == list(contradictions(measured(newest(edited))))


def test_a_higher_limit_is_what_counts() -> None:
    assert ["true"] == verdicts(stored(verdict="unknown", timeout=1.0), stored(timeout=9.0))


def test_two_engines_that_contradict_each_other_both_count() -> None:
    both = [stored(verdict="false"), stored(engine="explicit")]

    assert ["false", "true"] == verdicts(*both)
    assert 1 == len(list(contradictions(measured(newest(both)))))
