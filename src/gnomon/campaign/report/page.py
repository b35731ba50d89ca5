"""A report as one page of HTML that needs nothing else: tables that sort and filter, and plots."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from gnomon.campaign.report.files import as_csv, as_latex
from gnomon.campaign.report.page_parts import POLICY, SCRIPT, STYLE
from gnomon.campaign.report.plot import Plot, draw
from gnomon.campaign.report.tables import ContraryVerdicts, ReportCell, ReportTable
from gnomon.results.styled import visible

#: A table of so many rows stands in the page as text, too.
_FEW: Final = 500


def render(
    title: str,
    facts: Sequence[str],
    tables: Iterable[ReportTable],
    plots: Iterable[Plot],
    contradictions: Sequence[ContraryVerdicts] = (),
) -> str:
    """Return the page; `facts` are words about where it comes from for the line below the title."""
    shown = [table for table in tables if table.rows or table.nothing]
    drawn = [(plot, draw(plot)) for plot in plots]
    pictures = [(plot, picture) for plot, picture in drawn if picture]
    links = "".join(f'<a href="#{_id(each.name)}">{_text(each.title)}</a>' for each in shown)
    body = [
        f"<h1>{_text(title)}</h1>",
        f'<p class="facts">{" · ".join(map(_text, facts))}</p>',
        f"<nav>{links}{'<a href=#plots>Plots</a>' if pictures else ''}</nav>",
        *map(_contradiction, contradictions),
        *map(_table, shown),
    ]
    if pictures:
        body.append('<section id="plots"><h2>Plots</h2>')
        body += [_figure(plot, picture) for plot, picture in pictures]
        body.append("</section>")
    inner = "\n".join(body)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{inner}\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _table(table: ReportTable) -> str:
    name = _id(table.name)
    heading = f'<section id="{name}"><h2>{_text(table.title)}</h2>'
    if not table.rows:
        return f'{heading}<p class="facts">{_text(table.nothing)}</p></section>'
    head = "".join(
        f'<th scope="col" aria-sort="none"{" class=number" * _is_number(table.rows[0][place])}>'
        f'<button type="button">{_text(column)}</button></th>'
        for place, column in enumerate(table.columns)
    )
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    total = f"{len(table.rows):,} row{'' if len(table.rows) == 1 else 's'}"
    # Long tables would stand here three times; the command writes them as files.
    few = len(table.rows) <= _FEW
    files = _source("CSV", as_csv(table)) + _source("LaTeX", as_latex(table)) if few else ""
    return (
        f'{heading}\n<p class="tools"><input type="search" placeholder="filter rows" '
        f'aria-label="filter rows of {_text(table.title)}"> <span class="facts count">{total}</span></p>\n'
        f'<div class="wide"><table data-name="{name}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>\n{files}</section>"
    )


def _source(name: str, text: str) -> str:
    shown = _text(text, "\n")
    return f'<details><summary>{name}</summary><pre class="source">{shown}</pre></details>'


def _cell(cell: ReportCell) -> str:
    style = f' class="{cell.style}"' if cell.style else ""
    if not _is_number(cell):
        return f"<td{style}>{_text(cell.text)}</td>"
    return f'<td{style or " class=number"} data-value="{cell.value!r}">{_text(cell.text)}</td>'


def _is_number(cell: ReportCell) -> bool:
    return not isinstance(cell.value, str)


def _figure(plot: Plot, picture: str) -> str:
    return f'<figure id="{_id(plot.name)}"><figcaption>{_text(plot.title)}</figcaption>{picture}</figure>'


def _contradiction(found: ContraryVerdicts) -> str:
    given = "; ".join(f"{value} by {how.label}" for how, value in found.verdicts)
    where = f"{found.sized.model} {found.sized.label}".strip()
    said = f"{where}: `{found.formula}` is {given}. This is a bug in gnomon: please report it."
    return f'<p class="bug">{_text(said)}</p>'


def _id(name: str) -> str:
    """Return a name for links: letters, digits and dashes."""
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name)


def _text(text: str, kept: str = "") -> str:
    """Return text that a page shows as it is, with nothing in it that is hidden."""
    return escape(visible(text, kept))
