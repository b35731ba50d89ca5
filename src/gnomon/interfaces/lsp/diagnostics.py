"""What is wrong, as the protocol says it: mistakes in the text, and verdicts that nobody expected."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from lsprotocol import types

from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.pages import PageFiles
from gnomon.interfaces.lsp.verdicts import FormulaStatus
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Span

#: What our diagnostics are signed with.
SOURCE: Final = "gnomon"
#: Steps of a counterexample that are shown as places.
_MOST_STEPS: Final = 30


def of_text(
    document: OpenDocument, said: tuple[Diagnostic, ...], pages: PageFiles
) -> list[types.Diagnostic]:
    """Return what is wrong with a text."""
    return [_diagnostic(document, each, pages) for each in said]


def _diagnostic(document: OpenDocument, each: Diagnostic, pages: PageFiles) -> types.Diagnostic:
    address = pages.address(each.code)
    related = [
        types.DiagnosticRelatedInformation(_location(document, label.span), label.text)
        for label in each.related
    ]
    error, warning = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning
    return types.Diagnostic(
        range=document.lines.range(visible_span(document, each.span)),
        message=message(each),
        severity=error if each.is_error else warning,
        code=each.code,
        code_description=None if address is None else types.CodeDescription(address),
        source=SOURCE,
        related_information=related or None,
    )


def message(each: Diagnostic) -> str:
    """Return all that a diagnostic says, as lines."""
    lines = [each.message, *each.notes]
    if each.help:
        lines.append(f"help: {each.help}")
    return "\n".join(lines)


def visible_span(document: OpenDocument, span: Span | None) -> Span:
    """Return a place that can be underlined: of nothing, the sign that stands there or before it."""
    if span is None:
        return Span(0, 0)
    length = len(document.text)
    start, end = min(span.start, length), min(span.end, length)
    if start < end:
        return Span(start, end)
    return Span(start, start + 1) if start < length else Span(max(start - 1, 0), start)


def _location(document: OpenDocument, span: Span) -> types.Location:
    return types.Location(document.uri, document.lines.range(visible_span(document, span)))


def of_verdicts(document: OpenDocument, found: list[FormulaStatus]) -> list[types.Diagnostic]:
    """Return the verdicts that are not what the text expects; only fresh ones count."""
    return [
        _unexpected(document, status)
        for status in found
        if status.state == "fresh" and status.standing != "expected"
    ]


def _unexpected(document: OpenDocument, status: FormulaStatus) -> types.Diagnostic:
    assert status.found is not None
    found = status.found
    expected = f", but {status.expected} was expected" if status.declared else ""
    lines = [f"{status.label} is {found.value}{expected}"]
    if found.data.get("reason"):
        lines.append(str(found.data["reason"]))
    severity = types.DiagnosticSeverity.Warning
    if not status.declared:
        severity = types.DiagnosticSeverity.Information
    return types.Diagnostic(
        range=document.lines.range(status.span),
        message="\n".join(lines),
        severity=severity,
        code="verdict",
        source=SOURCE,
        related_information=list(_steps(document, found.data.get("evidence"))) or None,
        data={"number": status.number, "value": found.value},
    )


def _steps(document: OpenDocument, evidence: Any) -> Iterator[types.DiagnosticRelatedInformation]:
    """Yield the lines of the text that the steps of the main run took, in their order."""
    run = main_run(evidence)
    if run is None:
        return
    steps = [*run["steps"], *([run["back"]] if run.get("back") else [])]
    places = (
        (number, agent, line, step)
        for number, step in enumerate(steps)
        for agent, lines in (step.get("lines") or {}).items()
        for line in lines
    )
    for number, agent, line, step in islice(places, _MOST_STEPS):
        action = (step.get("actions") or {}).get(agent)
        does = f"{agent} does {action}" if action else agent
        place = types.Location(document.uri, _line(document, line))
        yield types.DiagnosticRelatedInformation(place, f"step {number}: {does}")


def main_run(evidence: Any) -> Mapping[str, Any] | None:
    """Return the first run of some evidence, going into what explains it."""
    waiting = [evidence.get("explanation")] if isinstance(evidence, Mapping) else []
    while waiting:
        part = waiting.pop(0)
        if not isinstance(part, Mapping):
            continue
        run = part.get("run")
        if isinstance(run, Mapping) and len(run.get("steps", ())) > 1:
            return run
        waiting += [branch.get("because") for branch in part.get("branches", ())]
    return None


def _line(document: OpenDocument, line: int) -> types.Range:
    """Return the statement of a line, from 1, without the blanks before it."""
    whole = document.lines.line_range(line - 1)
    span = document.lines.span(whole)
    text = document.text[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    return document.lines.range(Span(start, span.start + len(text.rstrip())))
