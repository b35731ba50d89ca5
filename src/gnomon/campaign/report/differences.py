"""What is otherwise than in an earlier campaign, and what of that is worse."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.campaign.report.measured import CERTAIN, CheckSetup, Measured, Subject
from gnomon.campaign.report.tables import ReportTable, seconds, verdict, words

#: What changed: another certain verdict; certain before and open now; the other way round; so much slower or
#: quicker; asked only then, or only now.
ReportedChange: TypeAlias = Literal["changed", "lost", "gained", "slower", "quicker", "gone", "new"]

#: These fail a nightly run.
REGRESSIONS: Final = frozenset({"changed", "lost", "slower"})
#: Times are worth a word if they differ by such a factor and by so many seconds: machines are noisy.
_FACTOR: Final = 2.0
_SECONDS: Final = 1.0


class Difference(NamedTuple):
    """Something that is otherwise than before."""

    change: ReportedChange
    subject: Subject
    configuration: CheckSetup
    before: tuple[str, float] | None
    now: tuple[str, float] | None

    @property
    def is_regression(self) -> bool:
        """Return whether it is worse than before."""
        return self.change in REGRESSIONS


def differences(before: Measured, now: Measured) -> Iterator[Difference]:
    """Yield what is otherwise; what both have and what is alike goes without saying."""
    old, new = _flat(before), _flat(now)
    for key in sorted({*old, *new}):
        was, is_ = old.get(key), new.get(key)
        change = _change(was, is_)
        if change is not None:
            yield Difference(change, *key, was, is_)


def _flat(found: Measured) -> dict[tuple[Subject, CheckSetup], tuple[str, float]]:
    return {
        (subject, configuration): (each.verdict, each.seconds)
        for subject, by in found.verdicts.items()
        for configuration, each in by.items()
    }


def _change(was: tuple[str, float] | None, is_: tuple[str, float] | None) -> ReportedChange | None:
    if was is None:
        return "new"
    if is_ is None:
        return "gone"
    if was[0] != is_[0]:
        return _other_verdict(was[0], is_[0])
    if is_[1] > was[1] * _FACTOR and is_[1] - was[1] > _SECONDS:
        return "slower"
    if was[1] > is_[1] * _FACTOR and was[1] - is_[1] > _SECONDS:
        return "quicker"
    return None


def _other_verdict(was: str, is_: str) -> ReportedChange | None:
    match was in CERTAIN, is_ in CERTAIN:
        case True, True:
            return "changed"
        case True, False:
            return "lost"
        case False, True:
            return "gained"
        case _:
            return None  # neither is certain: nothing was known, and nothing is


def as_table(found: list[Difference]) -> ReportTable:
    """Return differences as a table, the regressions first."""
    rows = tuple(
        (
            words(each.change, "unexpected" if each.is_regression else ""),
            words(each.subject.sized.model),
            words(each.subject.sized.label),
            words(each.subject.label),
            words(each.configuration.label),
            verdict(each.before[0]) if each.before else words("–"),
            verdict(each.now[0]) if each.now else words("–"),
            seconds(each.before[1] if each.before else None),
            seconds(each.now[1] if each.now else None),
        )
        for each in sorted(found, key=lambda each: (not each.is_regression, each.change))
    )
    columns = (
        "change",
        "model",
        "constants",
        "formula",
        "configuration",
        "before",
        "now",
        "before (s)",
        "now (s)",
    )
    title = "Differences to the earlier campaign"
    return ReportTable("differences", title, columns, rows, "nothing differs")
