"""Stored answers for other programs: whole as JSON lines, or as rows of a table in CSV and Parquet."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO, StringIO
from typing import Any, Final

from gnomon.campaign.rows import COLUMNS, VerdictRow, rows
from gnomon.campaign.store import Store
from gnomon.campaign.stored import StoredAnswer
from gnomon.campaign.wire import packed
from gnomon.results.styled import visible
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.numbers import show_integer
from gnomon.text.source import Source

#: What makes a document of answers that are meant; evidence and certificates only go into whole answers.
Exporter = Callable[[Store, Iterable[StoredAnswer]], bytes]


def as_json_lines(store: Store, answers: Iterable[StoredAnswer]) -> bytes:
    """Return one line an answer: the question, the answer with evidence and certificate, and the run."""
    return b"".join(map(_line, _whole(store, answers)))


def _whole(store: Store, answers: Iterable[StoredAnswer]) -> Iterator[dict[str, Any]]:
    for each in answers:
        run = each.run
        yield {
            "question": each.question.to_data(),
            "answer": store.complete(each).to_data(),
            "run": None if run is None else {"command": run.command, "campaign": run.name},
        }


def _line(data: Mapping[str, Any]) -> bytes:
    return packed(data).encode() + b"\n"


def as_rows(store: Store, answers: Iterable[StoredAnswer]) -> bytes:
    """Return one line a verdict, in JSON."""
    del store
    return b"".join(_line(row.to_data()) for row in rows(answers))


def as_csv(store: Store, answers: Iterable[StoredAnswer]) -> bytes:
    """Return a table with a row of titles, one column a constant (RFC 4180)."""
    del store
    table = list(rows(answers))
    titles, records = _table(table)
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(titles)
    for record in records:
        writer.writerow([_cell(value) for value in record.values()])
    return written.getvalue().encode()


def as_parquet(store: Store, answers: Iterable[StoredAnswer]) -> bytes:
    """Return the same table in Parquet; raise `InputError` where there is no pyarrow to write it."""
    del store
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        message = "Parquet is written by pyarrow, which is not installed"
        help_ = "pip install pyarrow, or choose --format csv"
        raise InputError((Diagnostic("G0904", message, Source("", ""), help=help_),)) from None
    titles, records = _table(list(rows(answers)))
    listed = list(records)
    columns = {title: [record[title] for record in listed] for title in titles}
    # Numbers of states know no bounds, and integers of tables do.
    columns["states"] = [None if each is None else show_integer(each) for each in columns["states"]]
    file = BytesIO()
    parquet.write_table(pa.table(columns), file)
    return file.getvalue()


#: `gnomon store export --format`.
EXPORTERS: Final[dict[str, Exporter]] = {
    "jsonl": as_json_lines,
    "rows": as_rows,
    "csv": as_csv,
    "parquet": as_parquet,
}


def _table(found: list[VerdictRow]) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """Return titles and records, with a column for each constant in the place of all of them."""
    constants = list(dict.fromkeys(name for row in found for name in row.constants))
    named = {name: f"constants.{name}" if name in COLUMNS else name for name in constants}
    place = COLUMNS.index("constants")
    titles = [*COLUMNS[:place], *named.values(), *COLUMNS[place + 1 :]]

    def records() -> Iterator[dict[str, Any]]:
        for row in found:
            data = row.to_data()
            worth = data.pop("constants")
            data.update({title: worth.get(name) for name, title in named.items()})
            yield {title: data[title] for title in titles}

    return titles, records()


def _cell(value: object) -> str:
    """Return a value as it stands in a table for people and spreadsheets."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return show_integer(value)
        case _:
            return visible(" ".join(str(value).split()), "")
