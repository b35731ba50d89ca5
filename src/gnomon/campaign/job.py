"""One job of a campaign: a question, and which repetition of it this is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gnomon.checking.question import Question
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

FORMAT: Final = "gnomon job"
VERSION: Final = 1


class JobKey(NamedTuple):
    """What tells jobs apart: the digest of the question, and the number of the repetition, from 1."""

    digest: str
    repetition: int = 1


@dataclass(frozen=True, repr=False)
class CampaignJob:
    """A question to be answered once; repetitions of it are jobs of their own.

    `room` is what the machine can spare for it, in megabytes, where the question itself has no lower limit:
    it is no part of what is asked.
    """

    __repr__ = brief_fields

    question: Question
    repetition: int = 1
    room: float | None = None

    @property
    def key(self) -> JobKey:
        """What it is known by, in every store."""
        return JobKey(self.question.digest, self.repetition)

    def to_data(self) -> dict[str, Any]:
        """Return it ready for JSON, in the shape that `schema/job.json` publishes."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "question": self.question.to_data(),
            "repetition": self.repetition,
            "room": self.room,
        }

    @staticmethod
    def from_data(data: Any) -> "CampaignJob":
        """Return the job that data stands for; raise `InputError` where it is none of ours."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise _unreadable("it is no job of gnomon's")
        if data.get("version") != VERSION:
            raise _unreadable("it is a job of another version")
        repetition, room = data.get("repetition"), data.get("room")
        if type(repetition) is not int or repetition < 1:
            raise _unreadable("its repetition is no number from 1 on")
        if room is not None and not (type(room) in {int, float} and room > 0):
            raise _unreadable("its room is no number of megabytes")
        question: Any = data.get("question")
        return CampaignJob(Question.from_data(question), repetition, room)


def _unreadable(what: str) -> InputError:
    message = f"this job cannot be read: {what}"
    return InputError((Diagnostic("G0816", message, Source("<job>", "")),))
