"""Verdicts in the editor: beside formulae, above them, and as data for those who show more."""

from collections.abc import Iterator
from typing import Any, Final

from lsprotocol import types

from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.verdicts import ShownFormula
from gnomon.results.phrases import MARKS
from gnomon.text.source import Span

_STALE: Final = "stale: the model has changed since"


def mark(status: ShownFormula) -> str:
    """Return the sign of a verdict that counts."""
    return MARKS[status.standing]  # type: ignore[index]  # it is one of those words


def shown_seconds(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.1f} s"


def verdict_words(status: ShownFormula, strategies: str) -> str:
    """Return a verdict in a few words; a stale one says so.

    How strategies were read is said where that, or what the user has chosen by now, is not the usual reading.
    """
    found = status.found
    if status.state == "running":
        return "… being checked"
    if found is None:
        return ""
    usual = found.strategies == strategies == "perfect"
    how = f", {found.strategies}" if status.has_coalition and not usual else ""
    if status.state == "stale":
        return f"◌ was {found.value}{how} (stale)"
    expected = ""
    if status.standing == "expected" and status.expected != "true":
        expected = ", as expected"
    elif status.standing != "expected" and status.declared:
        expected = f", {status.expected} was expected"
    return f"{mark(status)} {found.value}{expected}{how} · {shown_seconds(found.seconds)}"


def verdict_sentence(status: ShownFormula, strategies: str) -> str:
    """Return the last verdict on a formula, for a hover."""
    words = verdict_words(status, strategies)
    reason = status.found.data.get("reason") if status.found else None
    why = f"  \n{reason}" if reason and status.state == "fresh" else ""
    return f"`{status.label}` {words}{why}" if words else ""


def beside(
    document: OpenDocument, found: list[ShownFormula], part: Span, strategies: str
) -> list[types.InlayHint]:
    """Return the verdicts beside their formulae."""
    hints = []
    for span, group in _by_line(found):
        words = _together(group, strategies)
        if words and part.start <= span.end <= part.end:
            stale = any(each.state == "stale" for each in group)
            hints.append(
                types.InlayHint(
                    document.lines.position(_behind(document.text, span.end)),
                    words,
                    tooltip=_STALE if stale else None,
                    padding_left=True,
                )
            )
    return hints


def _behind(text: str, offset: int) -> int:
    """Return the place behind the `;` of a statement."""
    rest = text[offset : offset + 200]
    skipped = len(rest) - len(rest.lstrip())
    return offset + skipped + 1 if rest.lstrip().startswith(";") else offset


def _by_line(found: list[ShownFormula]) -> Iterator[tuple[Span, list[ShownFormula]]]:
    groups: dict[Span, list[ShownFormula]] = {}
    for status in found:
        groups.setdefault(status.span, []).append(status)
    yield from groups.items()


def _together(group: list[ShownFormula], strategies: str) -> str:
    """Return the verdicts of one line; of many, how many there are of each."""
    if len(group) == 1:
        return verdict_words(group[0], strategies)
    counts: dict[str, int] = {}
    for each in group:
        words = {"running": "being checked", "stale": "stale", "none": "not checked"}.get(
            each.state
        )
        key = words or (f"{mark(each)} {each.found.value}" if each.found else "not checked")
        counts[key] = counts.get(key, 0) + 1
    if set(counts) == {"not checked"}:
        return ""
    return ", ".join(f"{count} {words}" for words, count in counts.items())


def lenses(
    document: OpenDocument, found: list[ShownFormula], section: Span | None, verdicts: str | None
) -> list[dict[str, Any]]:
    """Return what can be done with formulae, above each of them and above the section.

    For clients that show nothing beside formulae they have the verdicts, too: `verdicts` is the reading of
    strategies that the user has chosen. There may be thousands, after every key: so they are plain data,
    which the library sends on as it is.
    """
    made: list[dict[str, Any]] = []
    if section is not None and found:
        what = f"▶ check all {len(found)}" if len(found) > 1 else "▶ check"
        made.append(_lens(document, section, what, "gnomon.check", {"numbers": None}))
        if any(each.state == "running" for each in found):
            made.append(_lens(document, section, "■ stop", "gnomon.cancel", {}))
    for span, group in _by_line(found):
        numbers = [each.number for each in group]
        first = group[0]
        words = "■ stop" if any(each.state == "running" for each in group) else "▶ check"
        if words == "■ stop":
            made.append(_lens(document, span, words, "gnomon.cancel", {}))
        else:
            told = "" if verdicts is None else _together(group, verdicts)
            again = (
                "▶ check again" if told or any(each.state == "stale" for each in group) else words
            )
            title = f"{told} · {again}" if told else again
            made.append(_lens(document, span, title, "gnomon.check", {"numbers": numbers}))
        one = {"number": first.number}
        made.append(_lens(document, span, "explain", "gnomon.explain", one))
        made.append(_lens(document, span, "simulate from here", "gnomon.simulate", one))
        if any(each.has_coalition for each in group):
            uniform = {"numbers": numbers, "strategies": "uniform"}
            made.append(_lens(document, span, "uniform", "gnomon.check", uniform))
    return made


def _lens(
    document: OpenDocument, span: Span, title: str, command: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    place = _position(document, span.start)
    return {
        "range": {"start": place, "end": place},
        "command": {
            "title": title,
            "command": command,
            "arguments": [{"uri": document.uri, **arguments}],
        },
    }


def _position(document: OpenDocument, offset: int) -> dict[str, int]:
    place = document.lines.position(offset)
    return {"line": place.line, "character": place.character}


def formula_data(document: OpenDocument, status: ShownFormula) -> dict[str, Any]:
    """Return a formula with its verdict, for clients that show more than the protocol has words for."""
    found = status.found
    verdict = None
    if found is not None:
        verdict = {
            "value": found.value,
            "asExpected": status.standing == "expected",
            "standing": status.standing,
            "seconds": found.seconds,
            "reason": found.data.get("reason") or "",
            "strategies": found.data.get("strategies"),
            "evidence": found.data.get("evidence") is not None,
        }
    return {
        "number": status.number,
        "label": status.label,
        "name": status.name,
        "text": status.text,
        "range": {
            "start": _position(document, status.span.start),
            "end": _position(document, status.span.end),
        },
        "expected": status.expected,
        "declared": status.declared,
        "state": status.state,
        "verdict": verdict,
    }
