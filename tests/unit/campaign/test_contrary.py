"""Two ways to one answer that contradict each other are found, whatever else differs."""

from dataclasses import replace

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.contrary import ContraryAnswers, contrary
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.worker import answer
from gnomon.checking.options import Options
from tests.unit.campaign.jobs import small

JOB = small()
ANSWER = answer(JOB)


def asked(repetition: int = 1, formulae: tuple[str, ...] = (), **options: object) -> CampaignJob:
    """Return the job, asked otherwise."""
    question = replace(JOB.question, options=Options(**options))  # type: ignore[arg-type]
    if formulae:
        question = replace(question, formulae=formulae)
    return CampaignJob(question, repetition)


def said(job: CampaignJob, verdict: str) -> JobAnswer:
    """Return an answer that says so of the first formula."""
    first, *rest = ANSWER.formulae
    formulae = [{**first, "verdict": verdict}, *rest]
    return replace(ANSWER, key=job.key, result={**ANSWER.result, "formulae": formulae})


def found(*given: tuple[CampaignJob, str]) -> list[ContraryAnswers]:
    return list(contrary([job for job, _ in given], {job.key: said(job, it) for job, it in given}))


def test_engines_that_contradict_each_other_are_found() -> None:
    assert [ContraryAnswers("AF lit", ("light 1",), ("light 1 explicit",))] == found(
        (asked(), "true"), (asked(engine="explicit"), "false")
    )


def test_limits_repetitions_and_other_formulae_beside_it_do_not_matter() -> None:
    assert found((asked(timeout=5), "true"), (asked(timeout=6), "false"))
    assert found((asked(), "true"), (asked(2), "false"))
    assert found((asked(), "true"), (asked(formulae=("AF lit",)), "false"))


def test_what_is_not_certain_contradicts_nothing() -> None:
    assert [] == found((asked(), "true"), (asked(engine="explicit"), "unknown"))
    assert [] == found((asked(), "true"), (asked(engine="abstraction"), "undefined"))
    assert [] == found((asked(), "true"), (asked(engine="explicit"), "true"))


def test_another_reading_or_another_size_is_another_question() -> None:
    other = CampaignJob(replace(JOB.question, constants=(("n", 2),)))

    assert [] == found((asked(), "true"), (asked(strategies="uniform"), "false"))
    assert [] == found((asked(), "true"), (other, "false"))
