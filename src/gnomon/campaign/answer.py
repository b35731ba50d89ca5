"""What a job has come to: the published result, the certificate beside it, and where it comes from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from gnomon.campaign.job import JobKey
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

FORMAT: Final = "gnomon answer"
VERSION: Final = 1

#: Whether all formulae were decided as expected, some otherwise, some not at all; whether the question could
#: not be asked, or no process came to its end with it.
AnswerStanding: TypeAlias = Literal["expected", "unexpected", "open", "refused", "lost"]


@dataclass(frozen=True)
class Provenance:
    """Where an answer comes from: which version, which machine, when, and what it took there.

    >>> import gnomon
    >>> with gnomon.Campaign(jobs=1) as campaign:
    ...     found = campaign.submit("examples/tickets.ispl", "EF full").result().provenance
    >>> found.version == gnomon.__version__, found.machine != ""
    (True, True)
    """

    version: str
    #: The name of the machine, its system and processor, and the Python that ran.
    machine: str
    system: str
    processor: str
    python: str
    #: When work on it began, in UTC (ISO 8601).
    started: str
    #: Seconds that passed, and seconds of processor time.
    seconds: float
    cpu: float
    #: The most memory that its process had, in megabytes.
    memory: float
    #: The seed of Python's hashes, by which ties are broken; None where it was left to chance.
    seed: int | None

    def to_data(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, repr=False)
class JobAnswer:
    """The answer to one job; `result` is the shape that `schema/check.json` publishes."""

    __repr__ = brief_fields

    key: JobKey
    standing: AnswerStanding
    result: Mapping[str, Any]
    provenance: Provenance
    certificate: Mapping[str, Any] | None = None
    #: Why it is lost.
    reason: str = ""

    @property
    def formulae(self) -> list[dict[str, Any]]:
        """Return what the result says of each formula."""
        found: list[dict[str, Any]] = self.result["formulae"]
        return found

    @property
    def decided(self) -> bool:
        """Return whether asking again could tell nothing new: all is certain, or nothing can be asked."""
        return self.standing in {"expected", "unexpected", "refused"}

    def without_evidence(self) -> "JobAnswer":
        """Return the answer without what explains it, which may be long."""
        bare = [{**each, "evidence": None} for each in self.formulae]
        return replace(self, result={**self.result, "formulae": bare})

    def evidence(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield what explains the verdicts, by the place of the formula in the result."""
        for place, each in enumerate(self.formulae):
            if each["evidence"] is not None:
                yield place, each["evidence"]

    def diagnostics(self, source: Source) -> Iterator[Diagnostic]:
        """Yield what the result says about a model, whose text is at hand again."""
        for each in self.result["diagnostics"]:
            yield Diagnostic(
                each["code"],
                each["message"],
                source,
                notes=tuple(each["notes"]),
                help=each["help"] or "",
                denied=each["severity"] == "error",
            )

    def to_data(self) -> dict[str, Any]:
        """Return it ready for JSON, in the shape that `schema/answer.json` publishes."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "digest": self.key.digest,
            "repetition": self.key.repetition,
            "standing": self.standing,
            "result": self.result,
            "provenance": self.provenance.to_data(),
            "certificate": self.certificate,
            "reason": self.reason or None,
        }

    @staticmethod
    def from_data(data: Any) -> "JobAnswer":
        """Return the answer that data stands for; raise `InputError` where it is none of ours."""
        if not isinstance(data, Mapping) or (data.get("format"), data.get("version")) != (
            FORMAT,
            VERSION,
        ):
            message = "this answer cannot be read: it is none of this version of gnomon's"
            raise InputError((Diagnostic("G0816", message, Source("<answer>", "")),))
        return JobAnswer(
            JobKey(data["digest"], data["repetition"]),
            data["standing"],
            data["result"],
            Provenance(**data["provenance"]),
            data["certificate"],
            data["reason"] or "",
        )
