"""What a job is called where people read of it: the model, and whatever is not as usual."""

from gnomon.campaign.job import CampaignJob
from gnomon.checking.options import Options
from gnomon.checking.question import Question

_USUAL = Options()


def label_of(job: CampaignJob) -> str:
    """Return what a job is called: `ring.ispl n=3 bdd uniform safe #2`."""
    again = f" #{job.repetition}" if job.repetition > 1 else ""
    return question_label(job.question) + again


def question_label(question: Question) -> str:
    """Return the same for a question: model, constants, engine, reading, and the formula if it is one."""
    constants = [f"{name}={value}" for name, value in question.constants]
    asked = question.formulae or question.only
    one = [" ".join(str(asked[0]).split())] if len(asked) == 1 else []
    return " ".join([question.name, *constants, *_choices(question.options), *one])


def family_label(question: Question) -> str:
    """Return what all sizes and formulae of a model have in common: `ring.ispl bdd uniform`."""
    return " ".join([question.name, *_choices(question.options)])


def _choices(options: Options) -> list[str]:
    """Return what is chosen otherwise than usual."""
    return [
        str(value)
        for value, usual in (
            (options.engine, _USUAL.engine),
            (options.strategies, _USUAL.strategies),
            (options.order, _USUAL.order),
            (options.diagrams, _USUAL.diagrams),
        )
        if value != usual
    ]
