"""A table of a report in the formats of papers and spreadsheets."""

import csv
from io import StringIO

from gnomon.campaign.report.tables import ReportTable
from gnomon.results.render.markup import in_tex
from gnomon.results.styled import visible


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
    environment = "longtable" if len(table.rows) > 40 else "tabular"
    lines = [
        f"% {in_tex(table.title)}",
        "% needs \\usepackage{booktabs}{\\usepackage{longtable}}"
        if environment == "longtable"
        else r"% needs \usepackage{booktabs}",
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
