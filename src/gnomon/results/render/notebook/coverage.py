"""What of a model can be used, in a notebook."""

from collections.abc import Iterable
from typing import Final

from gnomon.checking.coverage import KINDS, Coverage, CoveredPart
from gnomon.results.phrases import grouped
from gnomon.results.render.coverage import summary_row
from gnomon.results.render.notebook.frame import (
    framed,
    heading,
    paragraph,
    quoted,
    row,
    shown,
    table,
)

_MOST_ROWS: Final = 60


def render(found: Coverage) -> str:
    """Return how much of each kind is used, and what is not."""
    facts = "coverage"
    if found.states is not None:
        facts += f" · {grouped(found.states)} reachable state{'' if found.states == 1 else 's'}"
    of = ["", "g-number", "g-number", "g-number", "g-number"]
    rows = [
        row(
            [_mark(found.of_kind(kind)), *map(shown, summary_row(kind, found.of_kind(kind)))],
            of=["", *of],
        )
        for kind in KINDS
        if found.of_kind(kind)
    ]
    never = [part for part in found.parts if part.never]
    unknown = [part for part in found.parts if part.unknown]
    left_out = ", ".join(found.left_out[:_MOST_ROWS])
    return framed(
        paragraph(f'<strong>{shown(found.model)}</strong> <span class="g-soft">{facts}</span>'),
        table(["", "kind", "used", "of", "share", "not decided"], rows, ["", *of]),
        _list("never used", never, "never"),
        _list("not decided", unknown, "unknown"),
        paragraph(quoted(f"Not looked at value by value: {left_out}."), "g-soft")
        if left_out
        else "",
    )


def _mark(parts: Iterable[CoveredPart]) -> str:
    listed = list(parts)
    if any(part.never for part in listed):
        return '<span class="g-mark g-false">✗</span>'
    if any(part.unknown for part in listed):
        return '<span class="g-mark g-unknown">?</span>'
    return '<span class="g-mark g-true">✓</span>'


def _list(title: str, parts: list[CoveredPart], which: str) -> str:
    if not parts:
        return ""
    rows = []
    for part in parts[:_MOST_ROWS]:
        count = part.never if which == "never" else part.unknown
        many = "" if count == part.of == 1 else f" ({count} of {part.of})"
        why = (
            f"<br><small>{quoted(part.reason)}</small>"
            if part.reason and which == "unknown"
            else ""
        )
        cells = [str(part.line or ""), shown(part.agent), shown(part.kind + many)]
        rows.append(row([*cells, f"<code>{shown(part.text)}</code>{why}"]))
    left = len(parts) - len(rows)
    more = paragraph(quoted(f"… and {left:,} more; `.parts` has all"), "g-soft") if left else ""
    return heading(title) + table(["line", "agent", "what", ""], rows) + more
