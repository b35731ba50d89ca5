"""A table of a report in the formats of papers and spreadsheets."""

import csv
from io import StringIO
from typing import Final

from gnomon.campaign.report.tables import ReportTable
from gnomon.results.render.markup import in_tex
from gnomon.results.styled import visible

#: More rows than that need more than a page.
_PAGE: Final = 40


def as_csv(table: ReportTable) -> str:
    """Return a table with a row of titles (RFC 4180)."""
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(table.columns)
    writer.writerows([visible(cell.text, "") for cell in row] for row in table.rows)
    return written.getvalue()


def as_latex(table: ReportTable) -> str:
    """Return a table for LaTeX; it needs the package `booktabs`, and `longtable` where it is long."""
    # What can be compared stands to the right, what can be read to the left.
    numeric = [
        bool(table.rows) and all(isinstance(row[place].value, float | int) for row in table.rows)
        for place in range(len(table.columns))
    ]
    kinds = "".join("r" if each else "l" for each in numeric)
    long = len(table.rows) > _PAGE
    environment = "longtable" if long else "tabular"
    lines = [
        f"% {in_tex(table.title)}",
        r"% needs \usepackage{booktabs}" + (r" and \usepackage{longtable}" if long else ""),
        f"\\begin{{{environment}}}{{{kinds}}}",
        r"\toprule",
        _row(table.columns),
        r"\midrule",
        *(_row([cell.text for cell in row]) for row in table.rows),
        r"\bottomrule",
        f"\\end{{{environment}}}",
    ]
    return "\n".join(lines) + "\n"


def _row(cells: "list[str] | tuple[str, ...]") -> str:
    return " & ".join(map(in_tex, cells)) + r" \\"
