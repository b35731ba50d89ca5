"""What comes of a check of a campaign, and how far one is; both show themselves."""

from collections import Counter
from collections.abc import Sequence
from threading import Lock
from typing import cast

from gnomon.api.published import CertificateData, CheckData
from gnomon.campaign.answer import AnswerStanding, JobAnswer, Provenance
from gnomon.campaign.job import CampaignJob
from gnomon.checking.question import Question
from gnomon.checking.verdict import Value
from gnomon.text.brief import brief


class CampaignResult:
    """What came of one question: verdicts as published, and where they come from.

    >>> import gnomon
    >>> with gnomon.Campaign(jobs=1) as campaign:
    ...     result = campaign.submit("examples/muddy_children.ispl", only=1, n=2).result()
    >>> result
    <expected examples/muddy_children.ispl>
    >>> result.name, result.constants, result.standing, result.as_expected
    ('examples/muddy_children.ispl', {'n': 2}, 'expected', True)
    >>> result.value, len(result.values), result.problems, result.stored
    (<Value.TRUE: 'true'>, 1, [], False)
    >>> result.data["states"], result.certificate, result.provenance.version == gnomon.__version__
    (12, None, True)
    """

    def __init__(self, job: CampaignJob, answer: JobAnswer, *, stored: bool = False) -> None:
        """Show this answer, which was `stored` before it was asked or is new."""
        self.question: Question = job.question
        self.answer = answer
        self.stored = stored

    @property
    def name(self) -> str:
        """Where the model came from."""
        return self.question.name

    @property
    def constants(self) -> dict[str, int]:
        """The constants that were set."""
        return dict(self.question.constants)

    @property
    def standing(self) -> AnswerStanding:
        """Whether all was as expected, some otherwise or open, or there is no answer, and why not."""
        return self.answer.standing

    @property
    def as_expected(self) -> bool:
        """Return whether every formula and every sanity check came out as it should."""
        return self.standing == "expected"

    @property
    def values(self) -> dict[str, Value]:
        """The verdicts, by the formulae."""
        return {each["text"]: Value(each["verdict"]) for each in self.answer.formulae}

    @property
    def value(self) -> Value:
        """The verdict, where one formula was asked."""
        (found,) = self.values.values()
        return found

    @property
    def data(self) -> CheckData:
        """All of it, in the shape that `gnomon check --json` prints of a model."""
        return cast("CheckData", self.answer.result)

    @property
    def certificate(self) -> CertificateData | None:
        """The certificate, where one was asked for."""
        return cast("CertificateData | None", self.answer.certificate)

    @property
    def provenance(self) -> Provenance:
        """Which version answered, where and when, and what it took."""
        return self.answer.provenance

    @property
    def problems(self) -> list[str]:
        """What there is to say of the model, and why there is no answer, if so."""
        said = [str(each["message"]) for each in self.data["diagnostics"]]
        return said or ([self.answer.reason] if self.answer.reason else [])

    def __str__(self) -> str:
        """Show the verdicts, a line each."""
        sizes = ", ".join(f"{name} = {value}" for name, value in self.constants.items())
        head = f"{self.name}{f' ({sizes})' if sizes else ''}: {self.standing}"
        lines = [f"  {value!s:7} {formula}" for formula, value in self.values.items()]
        return "\n".join([head, *lines, *(f"  {each}" for each in self.problems)])

    def __repr__(self) -> str:
        """Show what it is."""
        return brief(f"<{self.standing} {self.name}>")

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import campaign  # only notebooks want it

        return campaign.render(self.name, self.constants, self.standing, self.data, self.problems)


class CampaignCounts:
    """How many checks were asked, and what came of them; several threads may count."""

    def __init__(self) -> None:
        """Begin with none."""
        self.asked: int = 0
        self._stored = 0
        self._standings: Counter[str] = Counter()
        self._lock = Lock()

    def add(self, standing: AnswerStanding, *, stored: bool = False) -> None:
        """Count an answer; one that was `stored` was not asked."""
        with self._lock:
            self._standings[standing] += 1
            if stored:
                self._stored += 1
                self.asked += 1

    def __str__(self) -> str:
        """Show them on one line."""
        found = ", ".join(f"{number} {standing}" for standing, number in self._parts())
        done = self._standings.total()
        stored = f" ({self._stored} from the store)" if self._stored else ""
        return f"{done} of {self.asked} checks{stored}{': ' + found if found else ''}"

    def html(self, results: Sequence[CampaignResult] = ()) -> str:
        """Return a bar and the same line, for notebooks, and what came of the last checks."""
        from gnomon.results.render.notebook import campaign  # only notebooks want it

        rows = [(each.name, each.constants, each.standing) for each in results]
        return campaign.counts(str(self), self._standings.total(), self.asked, rows)

    def _parts(self) -> list[tuple[str, int]]:
        return sorted(self._standings.items())
