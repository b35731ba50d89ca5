"""A family at many sizes in a notebook: a row for each size, a column for each formula."""

from collections.abc import Sequence
from typing import Final

from gnomon.results import phrases
from gnomon.results.render.notebook.formulae import formula
from gnomon.results.render.notebook.frame import (
    folded,
    framed,
    paragraph,
    quoted,
    row,
    shown,
    table,
)
from gnomon.results.render.notebook.result import said
from gnomon.results.render.sweep import check_cell, mark_of, summary
from gnomon.results.render.verdict_lines import duration
from gnomon.results.sweep import FormulaColumn, SizeRow, said_once, steady

#: More sizes than these are counted.
_MOST_ROWS: Final = 200


def render(
    name: str, rows: Sequence[SizeRow], columns: Sequence[FormulaColumn], checks: Sequence[str]
) -> str:
    """Return one output about a family."""
    names = list(rows[0].constants) if rows else []
    fixed = steady([dict(each.result.constants) for each in rows], names)
    facts = shown(" · ".join(phrases.constants(fixed)))
    titles = [column.title for column in columns]
    header = [*names, *titles, *(f"no {each}" for each in checks), "states", "time"]
    of = [*["g-number"] * len(names), *[""] * (len(titles) + len(checks)), "g-number", "g-number"]
    body = [_row(each, names, columns, checks) for each in rows[:_MOST_ROWS]]
    left = len(rows) - len(body)
    more = (
        paragraph(quoted(f"… and {left:,} more sizes; `.rows()` has all"), "g-soft") if left else ""
    )
    listed = "".join(f"<li>{shown(each.title)}: {_asked(each)}</li>" for each in columns)
    return framed(
        paragraph(f'<strong>{shown(name)}</strong> <span class="g-soft">{facts}</span>'),
        folded("what the columns ask", f"<ul>{listed}</ul>") if listed else "",
        table([*map(shown, header)], body, of) if body else "",
        more,
        paragraph(f"<small>{shown(summary(rows).plain())}</small>", "g-soft"),
        said(said_once(rows)),
    )


def _asked(column: FormulaColumn) -> str:
    dots = " …" if column.several else ""
    expected = "" if column.expected in {None, "true"} else f" ({column.expected} is expected)"
    return f"{formula(column.text)}{dots}{shown(expected)}"


def _row(
    size: SizeRow, names: Sequence[str], columns: Sequence[FormulaColumn], checks: Sequence[str]
) -> str:
    cells = [f"<strong>{shown(str(size.constants[name]))}</strong>" for name in names]
    kinds = ["g-number"] * len(names)
    for column in columns:
        outcome = size.outcome(column)
        values = sorted({str(verdict.value) for verdict in outcome.verdicts})
        sign, style = mark_of(outcome) if values else ("–", "soft")
        good = sum(verdict.as_expected for verdict in outcome.verdicts)
        many = f" ({good}/{len(outcome.verdicts)})" if column.several and values else ""
        cells.append(f"{sign} {shown(' and '.join(values))}{many}")
        kinds.append(f"g-{style}")
    for name in checks:
        found = check_cell(size.result, name)
        cells.append(shown(found.text))
        kinds.append(f"g-{found.style}")
    states = size.result.states
    cells.append("error" if size.result.refused else "–" if states is None else f"{states:,}")
    cells.append(shown(duration(size.result.seconds)))
    return row(cells, of=[*kinds, "g-number", "g-number"])
