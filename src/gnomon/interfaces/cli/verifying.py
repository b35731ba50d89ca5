"""The work behind `gnomon verify-certificate`."""

from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import NamedTuple

import click

from gnomon.certificate.document import Certificate
from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.load import Loaded, limited, load_source, read_source
from gnomon.checking.policy import judged
from gnomon.checking.proof_check import (
    NoCertificate,
    certificates_in,
    check_certificate,
    own_formulae,
)
from gnomon.checking.proofs import digest
from gnomon.checking.refusals import nothing_starts
from gnomon.checking.supervise import INTERRUPTED as BY_HAND
from gnomon.checking.supervise import TERMINATED as FROM_OUTSIDE
from gnomon.interfaces.cli.models import in_time, not_read, show_diagnostics
from gnomon.interfaces.cli.screen import Screen, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import Budget, LimitReached
from gnomon.results.render.json import dumps
from gnomon.results.styled import Styled, StyledText, wrap
from gnomon.text.diagnostic import InputError
from gnomon.text.numbers import show_integer
from gnomon.text.source import Source

#: A certificate larger than this is not one of ours: they list at most some ten thousand states.
_MOST_BYTES = 64 << 20
#: It is read in pieces, and the first one shows whether it can be JSON at all.
_PIECE = 1 << 20
#: What is wrong is said in few words.
_LONGEST = 1000

_MARKS = {
    True: ("✓", "true", "proved"),
    False: ("✗", "false", "rejected"),
    None: ("–", "dim", "open"),
}
#: Of several certificates, the first of these that comes up is the status.
_WORST_FIRST = (
    Status.INTERRUPTED,
    Status.TERMINATED,
    Status.BAD_INPUT,
    Status.REFUTED,
    Status.OPEN,
    Status.DONE,
)


class VerifyRequest(NamedTuple):
    """All that was asked on the command line."""

    model: str
    certificate: str
    timeout: float | None
    allow: tuple[str, ...]
    as_json: bool


def run(order: VerifyRequest, screen: Screen, *, no_color: bool) -> int:
    """Check all proofs, say what came of it, and return the exit status."""
    budget = Budget(order.timeout)
    try:
        with in_time(budget):
            certificates = _read(order.certificate, budget)
    except LimitReached as limit:
        errors = standard_error(no_color=no_color)
        errors.write(f"`{order.certificate}` was not read to its end: {limit}\n")
        return Status.OPEN
    try:
        with in_time(budget):
            source = read_source(order.model)
    except InputError as error:
        show_diagnostics(standard_error(no_color=no_color), error.diagnostics)
        return Status.BAD_INPUT
    except LimitReached as limit:
        show_diagnostics(standard_error(no_color=no_color), [not_read(order.model, limit)])
        return Status.OPEN
    checks = _Checks(order, source, budget, screen, standard_error(no_color=no_color))
    return checks.all(_fitting(certificates, source, order.model))


class _Checks:
    """Checks certificates of one text: of a family, there is one for each size."""

    def __init__(
        self, order: VerifyRequest, source: Source, budget: Budget, screen: Screen, errors: Screen
    ) -> None:
        self._order = order
        self._source = source
        self._budget = budget
        self._screen = screen
        self._errors = errors
        self._data: list[dict[str, object]] = []

    def all(self, certificates: Sequence[Certificate]) -> int:
        """Check all of them, and return the status that says most."""
        found: set[int] = set()
        for number, certificate in enumerate(certificates):
            found.add(self._one(certificate, first=number == 0))
            if found & {Status.INTERRUPTED, Status.TERMINATED}:
                break
        if self._data:
            self._screen.put(dumps(self._data[0] if len(certificates) == 1 else self._data))
        return next(status for status in _WORST_FIRST if status in found)

    def _one(self, certificate: Certificate, *, first: bool) -> int:
        order = self._order
        try:
            loaded = _load(self._source, certificate, order.allow, self._errors, self._budget)
        except (LimitReached, MemoryError) as limit:
            show_diagnostics(self._errors, [not_read(order.model, limit)])
            return Status.OPEN
        if loaded is None:
            return Status.BAD_INPUT
        outcomes, reason = check_certificate(loaded, certificate, self._budget)
        if order.as_json:
            self._data.append(_data(certificate, outcomes))
        else:
            page = StyledText()
            if not first:
                page.add()
            page.extend(_page(certificate, outcomes, self._screen.width, len(own_formulae(loaded))))
            self._screen.write(page)
        if reason in {BY_HAND, FROM_OUTSIDE}:
            return Status.INTERRUPTED if reason == BY_HAND else Status.TERMINATED
        return _status(outcomes)


def _read(path: str, budget: Budget) -> list[Certificate]:
    """Return the certificates in a file."""
    try:
        text = _text(path, budget)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.ClickException(f"cannot read `{path}`: {reason}") from error
    except ValueError as error:
        raise click.ClickException(f"`{path}` is no certificate: {_short(str(error))}") from error
    try:
        return certificates_in(text)
    except NoCertificate as error:
        raise click.ClickException(f"`{path}` {_short(str(error))}") from error


def _text(path: str, budget: Budget) -> str:
    """Return the text of a file, if it can be JSON and is not too large."""
    pieces: list[bytes] = []
    size = 0
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            if pieces:
                budget.check("certificate", size)
            elif piece.removeprefix(BOM_UTF8).lstrip()[:1] not in {b"{", b"["}:
                msg = "it does not begin like JSON, with { or ["
                raise ValueError(msg)
            pieces.append(piece)
            size += len(piece)
            if size > _MOST_BYTES:
                msg = f"it is larger than {_MOST_BYTES >> 20} MB"
                raise ValueError(msg)
    return b"".join(pieces).decode("utf-8-sig")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _fitting(
    certificates: Sequence[Certificate], source: Source, path: str
) -> Sequence[Certificate]:
    """Return the certificates for this very text."""
    wanted = digest(source)
    found = [one for one in certificates if one.digest == wanted]
    if found:
        return found
    raise click.ClickException(
        f"the certificate is for another text than `{path}`: "
        "check the model again with --certificate, or get the text that was checked"
    )


def _load(
    source: Source,
    certificate: Certificate,
    allow: Sequence[str],
    errors: Screen,
    budget: Budget,
) -> Loaded | None:
    """Return the model with the constants that the certificate is about, unless all would be true of it."""
    try:
        with limited(budget):
            loaded = load_source(source, certificate.constants)
    except InputError as error:
        show_diagnostics(errors, error.diagnostics)
        return None
    bad = [item for item in loaded.diagnostics if item.is_error]
    if loaded.model is not None:
        bad += judged(nothing_starts(loaded.model, source), loaded.policy_with(allow))
    show_diagnostics(errors, bad)
    return None if bad else loaded


def _page(
    certificate: Certificate, outcomes: list[ProofOutcome], width: int, formulae: int
) -> StyledText:
    text = StyledText()
    if certificate.constants:
        pairs = [f"{name} = {show_integer(value)}" for name, value in certificate.constants.items()]
        text.add(Styled(f"with {_plain(', '.join(pairs))}", "dim"))
    for outcome in outcomes:
        mark, style, _ = _MARKS[outcome.accepted]
        label = _plain(_short(outcome.name)) or str(outcome.index)
        first, *rest = wrap(_plain(outcome.formula), max(20, width - len(label) - 4), "  ")
        text.add(f"{mark} {label}  ", first)
        for line in rest:
            text.add("     ", line)
        said = {
            True: f"{_verdict(outcome)}, proved{_asked_of(outcome)}{_beyond(outcome)}",
            False: f"{_verdict(outcome)}, but the proof is rejected: {_short(outcome.why)}",
            None: f"{_verdict(outcome)}, without a proof to check: {_short(outcome.why)}",
        }[outcome.accepted]
        for line in wrap(_plain(said), width - 5):
            text.add("     ", Styled(line, style))
    text.add("")
    text.add(_summary(outcomes) + _left_out(certificate, formulae))
    return text


def _asked_of(outcome: ProofOutcome) -> str:
    return f", each step by {outcome.solver}" if outcome.solver else ""


def _beyond(outcome: ProofOutcome) -> str:
    return f"; and {_short(outcome.beyond)}" if outcome.beyond else ""


def _verdict(outcome: ProofOutcome) -> str:
    reading = f" with {outcome.strategies} strategies" if outcome.strategies else ""
    return f"{outcome.verdict}{reading}"


def _plain(text: str) -> str:
    """Return one line without anything that a terminal might obey."""
    return "".join(sign if sign.isprintable() else " " for sign in " ".join(text.split()))


def _left_out(certificate: Certificate, formulae: int) -> str:
    """Say that the model has formulae that the certificate does not speak of."""
    told = {claim.index for claim in certificate.verdicts if not claim.typed}
    if not told or len(told) >= formulae:
        return ""
    return f" (the model has {formulae} formulae)"


def _summary(outcomes: list[ProofOutcome]) -> str:
    counts = {
        word: sum(outcome.accepted is key for outcome in outcomes)
        for key, word in ((True, "proved"), (False, "rejected"), (None, "without a proof"))
    }
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    word = "verdict" if len(outcomes) == 1 else "verdicts"
    return f"{len(outcomes)} {word}: {', '.join(parts) or 'nothing to check'}"


def _data(certificate: Certificate, outcomes: list[ProofOutcome]) -> dict[str, object]:
    found = [
        {
            "index": outcome.index,
            "name": outcome.name or None,
            "formula": outcome.formula,
            "verdict": outcome.verdict,
            "strategies": outcome.strategies,
            "proof": _MARKS[outcome.accepted][2],
            "why": _short(outcome.why) or None,
        }
        for outcome in outcomes
    ]
    return {"constants": dict(certificate.constants), "verdicts": found}


def _status(outcomes: list[ProofOutcome]) -> int:
    values = {outcome.accepted for outcome in outcomes}
    if False in values:
        return Status.REFUTED
    return Status.OPEN if None in values else Status.DONE
