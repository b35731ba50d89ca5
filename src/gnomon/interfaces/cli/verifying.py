"""The work behind `gnomon verify-certificate`."""

import json
from typing import Any, NamedTuple

import click

from gnomon.certificate import document
from gnomon.certificate.space import Rejected
from gnomon.certificate.verify import Outcome, verify
from gnomon.checking.certify import digest
from gnomon.checking.load import Loaded, read_formula
from gnomon.checking.supervise import supervise
from gnomon.interfaces.cli.models import show_diagnostics, try_to_load
from gnomon.interfaces.cli.screen import Screen, standard_error
from gnomon.model.budget import Budget
from gnomon.model.system import Specification
from gnomon.results.styled import Span, Text, wrap
from gnomon.text.diagnostic import InputError

BAD_INPUT = 2
INTERRUPTED = 130
_OPEN = 3
#: A certificate larger than this is not one of ours.
_MOST_BYTES = 1 << 30

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
    certificate = _read(order.certificate)
    loaded = _load(order.model, certificate, standard_error(no_color=no_color))
    if loaded is None:
        return BAD_INPUT
    fitting = _fitting(certificate, loaded, order.model)
    outcomes: list[Outcome] = []
    budget = Budget(order.timeout)
    assert loaded.system is not None
    system = loaded.system

    def work() -> None:
        try:
            outcomes.extend(verify(system, fitting, lambda e: _asked(loaded, e), budget))
        except Rejected as error:
            outcomes.extend(_all_rejected(fitting, str(error)))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            outcomes.extend(_all_rejected(fitting, f"it is not well formed: {error}"))

    reason = supervise(work, budget)
    known = {outcome.index for outcome in outcomes}
    left = [entry for entry in _entries(fitting) if entry["index"] not in known]
    outcomes += [_outcome(entry, None, reason) for entry in left]
    screen.write(_data(outcomes) if order.as_json else _page(outcomes, screen.width))
    if reason == "interrupted":
        return INTERRUPTED
    return _status(outcomes)


def _read(path: str) -> Any:
    """Return what is in the file, a certificate or several."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_MOST_BYTES)
        found = json.loads(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.ClickException(f"cannot read `{path}`: {reason}") from error
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"`{path}` is no certificate: {error}") from error
    if not found:
        raise click.ClickException(f"`{path}` is empty")
    for one in found if isinstance(found, list) else [found]:
        if not isinstance(one, dict) or one.get("format") != document.FORMAT:
            raise click.ClickException(f"`{path}` is no certificate of gnomon's")
        if one.get("version") != document.VERSION:
            raise click.ClickException(f"`{path}` is a certificate of another version of gnomon")
        if not isinstance(one.get("verdicts"), list) or not isinstance(one.get("constants"), dict):
            raise click.ClickException(f"`{path}` is no complete certificate")
    return found


def _load(path: str, certificate: Any, errors: Screen) -> Loaded | None:
    """Return the model with the constants that the certificate is about."""
    first = certificate[0] if isinstance(certificate, list) else certificate
    try:
        constants = {str(name): int(value) for name, value in first["constants"].items()}
    except (TypeError, ValueError) as error:
        raise click.ClickException(f"the certificate's constants make no sense: {error}") from error
    loaded, diagnostics = try_to_load(path, constants)
    show_diagnostics(errors, [item for item in diagnostics if item.is_error])
    if loaded is None or loaded.system is None:
        return None
    return loaded


def _fitting(certificate: Any, loaded: Loaded, path: str) -> Any:
    """Return the certificate for this very text."""
    wanted = digest(loaded.source)
    for one in certificate if isinstance(certificate, list) else [certificate]:
        if one.get("digest") == wanted:
            return one
    raise click.ClickException(
        f"the certificate is for another text than `{path}`: "
        "check the model again with --certificate, or get the text that was checked"
    )


def _entries(certificate: Any) -> list[dict[str, Any]]:
    return [
        entry
        for entry in certificate["verdicts"]
        if isinstance(entry, dict) and {"index", "formula", "verdict"} <= entry.keys()
    ]


def _outcome(entry: dict[str, Any], accepted: bool | None, why: str) -> Outcome:  # noqa: FBT001
    return Outcome(entry["index"], entry["formula"], entry["verdict"], accepted, why)


def _all_rejected(certificate: Any, why: str) -> list[Outcome]:
    return [_outcome(entry, False, why) for entry in _entries(certificate)]


def _asked(loaded: Loaded, entry: Any) -> Specification:
    """Return the formula that an entry is about: one of the file's, or one that somebody typed."""
    assert loaded.system is not None
    if entry["typed"]:
        try:
            return read_formula(loaded, entry["formula"])
        except InputError as error:
            msg = f"its formula cannot be read: {error.diagnostics[0].message}"
            raise Rejected(msg) from error
    index = entry["index"]
    if not isinstance(index, int) or not 1 <= index <= len(loaded.system.specifications):
        msg = f"the model has no formula {index}"
        raise Rejected(msg)
    return loaded.system.specifications[index - 1]


def _page(outcomes: list[Outcome], width: int) -> Text:
    text = Text()
    for outcome in outcomes:
        mark, style, _ = _MARKS[outcome.accepted]
        formula = " ".join(str(outcome.formula).split())
        text.add(f"{mark} {outcome.index}  ", formula)
        said = {
            True: f"{outcome.verdict}, proved",
            False: f"{outcome.verdict}, but the proof is rejected: {outcome.why}",
            None: f"{outcome.verdict}, without a proof to check: {outcome.why}",
        }[outcome.accepted]
        for line in wrap(said, width - 5):
            text.add("     ", Span(line, style))
    text.add("")
    text.add(_summary(outcomes))
    return text


def _summary(outcomes: list[Outcome]) -> str:
    counts = {
        word: sum(outcome.accepted is key for outcome in outcomes)
        for key, word in ((True, "proved"), (False, "rejected"), (None, "without a proof"))
    }
    parts = [f"{number} {word}" for word, number in counts.items() if number]
    word = "verdict" if len(outcomes) == 1 else "verdicts"
    return f"{len(outcomes)} {word}: {', '.join(parts) or 'nothing to check'}"


def _data(outcomes: list[Outcome]) -> str:
    found = [
        {
            "index": outcome.index,
            "formula": outcome.formula,
            "verdict": outcome.verdict,
            "proof": _MARKS[outcome.accepted][2],
            "why": outcome.why or None,
        }
        for outcome in outcomes
    ]
    return json.dumps({"verdicts": found}, indent=2, ensure_ascii=False) + "\n"


def _status(outcomes: list[Outcome]) -> int:
    values = {outcome.accepted for outcome in outcomes}
    if False in values:
        return 1
    return _OPEN if None in values else 0
