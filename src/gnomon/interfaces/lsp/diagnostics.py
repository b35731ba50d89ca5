"""What is wrong, as the protocol says it: mistakes in the text, and verdicts that nobody expected."""

from collections.abc import Iterator
from typing import Final

from lsprotocol import types

from gnomon.editing.fingerprint import ModelPlaces
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.evidence import run_lines
from gnomon.interfaces.lsp.pages import PageFiles
from gnomon.interfaces.lsp.verdicts import FoundRemark, FoundVerdict, ShownFormula
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Span

#: What our diagnostics are signed with.
SOURCE: Final = "gnomon"


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


def of_verdicts(
    document: OpenDocument, found: list[ShownFormula], remarks: tuple[FoundRemark, ...]
) -> list[types.Diagnostic]:
    """Return the verdicts that are not what the text expects, and what else checks have said of the model.

    Only what is fresh counts.
    """
    surprising = [
        status for status in found if status.state == "fresh" and status.standing != "expected"
    ]
    if not surprising and not remarks:
        return []
    places = document.places
    return [
        *(_unexpected(document, status, places) for status in surprising),
        *(_remark(document, remark, places) for remark in remarks),
    ]


def _unexpected(
    document: OpenDocument, status: ShownFormula, places: ModelPlaces
) -> types.Diagnostic:
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
        related_information=list(_steps(document, found, places)) or None,
        data={"number": status.number, "value": found.value},
    )


def _steps(
    document: OpenDocument, found: FoundVerdict, places: ModelPlaces
) -> Iterator[types.DiagnosticRelatedInformation]:
    """Yield the lines of the text that the steps of the main run took, in their order."""
    for each in run_lines(found.data.get("evidence")):
        span = places.span(found.places.get(each.line, -1))
        if span is not None:
            does = f"{each.agent} does {each.action}" if each.action else each.agent
            place = types.Location(document.uri, _statement(document, span))
            yield types.DiagnosticRelatedInformation(place, f"step {each.step}: {does}")


def _remark(document: OpenDocument, remark: FoundRemark, places: ModelPlaces) -> types.Diagnostic:
    data = remark.data
    span = None if remark.place is None else places.span(remark.place)
    lines = [str(data["message"]), *map(str, data["notes"])]
    if data.get("help"):
        lines.append(f"help: {data['help']}")
    error, warning = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning
    return types.Diagnostic(
        range=_statement(document, span) if span else document.lines.range(Span(0, 0)),
        message="\n".join(lines),
        severity=error if data["severity"] == "error" else warning,
        code=data["code"],
        source=SOURCE,
    )


def _statement(document: OpenDocument, span: Span) -> types.Range:
    """Return what stands from a place to the end of its line, without a comment."""
    end = document.text.find("\n", span.start)
    line = document.text[span.start : None if end < 0 else end].split("--")[0].rstrip()
    return document.lines.range(Span(span.start, max(span.end, span.start + len(line))))
