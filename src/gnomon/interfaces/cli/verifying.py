"""The work behind `gnomon verify-certificate`."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import click

from gnomon.certificate import document
from gnomon.certificate.space import Rejected
from gnomon.certificate.verify import Outcome
from gnomon.checking.choose import verifier
from gnomon.checking.load import (
    Loaded,
    limited,
    load_source,
    read_source,
    read_specification,
)
from gnomon.checking.process.child import Tell
from gnomon.checking.proofs import digest
from gnomon.checking.supervise import INTERRUPTED as BY_HAND
from gnomon.checking.supervise import TERMINATED as FROM_OUTSIDE
from gnomon.checking.supervise import supervise
from gnomon.checking.told import Limits
from gnomon.interfaces.cli.models import not_read, show_diagnostics
from gnomon.interfaces.cli.screen import Screen, standard_error
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.results.render.json import dumps
from gnomon.results.styled import Span, Text, wrap
from gnomon.text.diagnostic import InputError
from gnomon.text.limits import paused_collection
from gnomon.text.numbers import read_integer, show_integer
from gnomon.text.source import Source

BAD_INPUT = 2
INTERRUPTED = 130
TERMINATED = 143
_OPEN = 3
#: A certificate larger than this is not one of ours: they list at most some ten thousand states.
_MOST_BYTES = 64 << 20
#: It is read in pieces, and the first one shows whether it can be JSON at all.
_PIECE = 1 << 20
#: Integers of more digits take long to read.
_MOST_DIGITS = 400_000
#: An index is a small number, and what is wrong is said in few words.
_MOST_FORMULAE = 10**9
_LONGEST = 1000

_MARKS = {
    True: ("✓", "true", "proved"),
    False: ("✗", "false", "rejected"),
    None: ("–", "dim", "open"),
}


class Order(NamedTuple):
    """All that was asked on the command line."""

    model: str
    certificate: str
    timeout: float | None
    as_json: bool


def run(order: Order, screen: Screen, *, no_color: bool) -> int:
    """Check all proofs, say what came of it, and return the exit status."""
    budget = Budget(order.timeout)
    try:
        certificates = _read(order.certificate, budget)
    except LimitReached as limit:
        errors = standard_error(no_color=no_color)
        errors.write(f"`{order.certificate}` was not read to its end: {limit}\n")
        return _OPEN
    try:
        source = read_source(order.model)
    except InputError as error:
        show_diagnostics(standard_error(no_color=no_color), error.diagnostics)
        return BAD_INPUT
    certificate = _fitting(certificates, source, order.model)
    try:
        loaded = _load(source, certificate, standard_error(no_color=no_color), budget)
    except (LimitReached, MemoryError) as limit:
        show_diagnostics(standard_error(no_color=no_color), [not_read(order.model, limit)])
        return _OPEN
    if loaded is None or loaded.model is None:
        return BAD_INPUT
    outcomes: list[Outcome] = []
    job = partial(_verify_all, loaded, certificate, Limits.of(budget))
    reason = supervise(job, budget, outcomes.append).reason
    left = certificate["verdicts"][len(outcomes) :]
    outcomes += [_open(entry, reason) for entry in left]
    if order.as_json:
        screen.put(_data(certificate, outcomes))
    else:
        screen.write(_page(certificate, outcomes, screen.width, _formulae(loaded)))
    if reason in {BY_HAND, FROM_OUTSIDE}:
        return INTERRUPTED if reason == BY_HAND else TERMINATED
    return _status(outcomes)


def _verify_all(loaded: Loaded, certificate: Any, limits: Limits, tell: Tell) -> None:
    """Check one proof after the other, in a process of its own, and tell what each is worth."""
    for outcome in _verified(loaded, certificate, limits.budget(tell)):
        tell(outcome)


def _verified(loaded: Loaded, certificate: Any, budget: Budget) -> Iterable[Outcome]:
    """Return what the proofs are worth."""
    assert loaded.model is not None
    return verifier(loaded.model)(
        loaded.model, certificate, lambda entry: _asked(loaded, entry), budget
    )


def _formulae(loaded: Loaded) -> int:
    return 0 if loaded.model is None else len(loaded.model.specifications)


def _read(path: str, budget: Budget) -> list[Any]:
    """Return the certificates in a file; each has all that the checker looks at first."""
    try:
        found = _parsed(_text(path, budget))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.ClickException(f"cannot read `{path}`: {reason}") from error
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"`{path}` is no certificate: {_short(str(error))}") from error
    certificates = found if isinstance(found, list) else [found]
    if not certificates:
        raise click.ClickException(f"`{path}` is empty")
    for one in certificates:
        if not isinstance(one, dict) or one.get("format") != document.FORMAT:
            raise click.ClickException(f"`{path}` is no certificate of gnomon's")
        if one.get("version") != document.VERSION:
            raise click.ClickException(f"`{path}` is a certificate of another version of gnomon")
        if not _is_complete(one):
            raise click.ClickException(f"`{path}` is no complete certificate")
    return certificates


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


def _parsed(text: str) -> Any:
    if document.FORMAT not in text:
        msg = "it does not say that it is one of gnomon's"
        raise ValueError(msg)
    try:
        with paused_collection():
            return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses integers of more than some thousand digits, which states may have.
        return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        msg = f"it has a number of {len(digits):,} digits"
        raise ValueError(msg)
    return read_integer(digits)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _is_complete(certificate: dict[str, Any]) -> bool:
    """Return whether everything is there, and is what it should be on the outside."""
    verdicts, constants = certificate.get("verdicts"), certificate.get("constants")
    return (
        isinstance(verdicts, list)
        and bool(verdicts)
        and all(isinstance(entry, dict) and _is_entry(entry) for entry in verdicts)
        and isinstance(constants, dict)
        and all(type(value) is int for value in constants.values())
        and isinstance(certificate.get("space", 0), dict | None)
        and isinstance(certificate.get("labels"), list)
    )


def _is_entry(entry: dict[str, Any]) -> bool:
    texts = ("formula", "parsed", "logic", "verdict", "reason")
    return (
        type(entry.get("index")) is int
        and 0 <= entry["index"] <= _MOST_FORMULAE
        and all(isinstance(entry.get(key), str) for key in texts)
        and isinstance(entry.get("strategies", 0), str | None)
        and isinstance(entry.get("proof", 0), dict | None)
        and isinstance(entry.get("typed"), bool)
    )


def _fitting(certificates: list[Any], source: Source, path: str) -> Any:
    """Return the certificate for this very text."""
    wanted = digest(source)
    for one in certificates:
        if one.get("digest") == wanted:
            return one
    raise click.ClickException(
        f"the certificate is for another text than `{path}`: "
        "check the model again with --certificate, or get the text that was checked"
    )


def _load(source: Source, certificate: Any, errors: Screen, budget: Budget) -> Loaded | None:
    """Return the model with the constants that the certificate is about."""
    try:
        with limited(budget):
            loaded = load_source(source, certificate["constants"])
    except InputError as error:
        show_diagnostics(errors, error.diagnostics)
        return None
    bad = [item for item in loaded.diagnostics if item.is_error]
    show_diagnostics(errors, bad)
    return None if bad else loaded


def _open(entry: dict[str, Any], why: str) -> Outcome:
    return Outcome(
        entry["index"], entry["formula"], entry["verdict"], None, why, entry["strategies"]
    )


def _asked(loaded: Loaded, entry: Any) -> AnySpecification:
    """Return the formula that an entry is about: one of the file's, or one that somebody typed."""
    assert loaded.model is not None
    listed = loaded.model.specifications
    if entry["typed"]:
        try:
            return read_specification(loaded, entry["formula"])
        except InputError as error:
            msg = f"its formula cannot be read: {error.diagnostics[0].message}"
            raise Rejected(msg) from error
    index = entry["index"]
    if not isinstance(index, int) or not 1 <= index <= len(listed):
        msg = f"the model has no formula {index}"
        raise Rejected(msg)
    return listed[index - 1]


def _page(certificate: Any, outcomes: list[Outcome], width: int, formulae: int) -> Text:
    text = Text()
    if certificate["constants"]:
        pairs = [
            f"{name} = {show_integer(value)}" for name, value in certificate["constants"].items()
        ]
        text.add(Span(f"with {_plain(', '.join(pairs))}", "dim"))
    for outcome in outcomes:
        mark, style, _ = _MARKS[outcome.accepted]
        text.add(f"{mark} {outcome.index}  ", _plain(outcome.formula))
        said = {
            True: f"{_verdict(outcome)}, proved",
            False: f"{_verdict(outcome)}, but the proof is rejected: {_short(outcome.why)}",
            None: f"{_verdict(outcome)}, without a proof to check: {_short(outcome.why)}",
        }[outcome.accepted]
        for line in wrap(_plain(said), width - 5):
            text.add("     ", Span(line, style))
    text.add("")
    text.add(_summary(outcomes) + _left_out(certificate, formulae))
    return text


def _verdict(outcome: Outcome) -> str:
    reading = f" with {outcome.strategies} strategies" if outcome.strategies else ""
    return f"{outcome.verdict}{reading}"


def _plain(text: str) -> str:
    """Return one line without anything that a terminal might obey."""
    return "".join(sign if sign.isprintable() else " " for sign in " ".join(text.split()))


def _left_out(certificate: Any, formulae: int) -> str:
    """Say that the model has formulae that the certificate does not speak of."""
    told = {entry["index"] for entry in certificate["verdicts"] if not entry["typed"]}
    if not told or len(told) >= formulae:
        return ""
    return f" (the model has {formulae} formulae)"


def _summary(outcomes: list[Outcome]) -> str:
    counts = {
        word: sum(outcome.accepted is key for outcome in outcomes)
        for key, word in ((True, "proved"), (False, "rejected"), (None, "without a proof"))
    }
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    word = "verdict" if len(outcomes) == 1 else "verdicts"
    return f"{len(outcomes)} {word}: {', '.join(parts) or 'nothing to check'}"


def _data(certificate: Any, outcomes: list[Outcome]) -> str:
    found = [
        {
            "index": outcome.index,
            "formula": outcome.formula,
            "verdict": outcome.verdict,
            "strategies": outcome.strategies,
            "proof": _MARKS[outcome.accepted][2],
            "why": _short(outcome.why) or None,
        }
        for outcome in outcomes
    ]
    whole = {"constants": certificate["constants"], "verdicts": found}
    return dumps(whole)


def _status(outcomes: list[Outcome]) -> int:
    values = {outcome.accepted for outcome in outcomes}
    if False in values:
        return 1
    return _OPEN if None in values else 0
