"""Prints a family at many sizes: a table, row by row as sizes are done."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from gnomon.checking.question import Asked
from gnomon.checking.verdict import Result, Verdict
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.printer import page_for, put
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen
from gnomon.results.render import sweep as sweep_page
from gnomon.results.render.sweep import SweepTable
from gnomon.results.styled import StyledText
from gnomon.results.sweep import SizeRow, SweptFormula, columns, said_once, steady


class SweepPrinter:
    """Prints one table a model; every row as soon as its size is done, unless all goes into a file."""

    def __init__(
        self, request: Request, screen: Screen, file: OutputFile | None, questions: Sequence[Asked]
    ) -> None:
        """Lay out the tables for all that is asked."""
        self._screen = screen
        self._file = file
        self._page = page_for(request, screen, file)
        self._checks = [
            name
            for name, wanted in (
                ("deadlock", request.check_deadlock),
                ("overflow", request.check_overflow),
            )
            if wanted
        ]
        swept = [name for name, values in request.sweep.items() if len(values) > 1]
        self._left = [
            (table, size)
            for name, asked in groupby(questions, lambda each: each.question.name)
            for table, size in self._tables(name, list(asked), swept)
        ]
        self._text = StyledText()
        self._rows: list[SizeRow] = []
        self._before: SweepTable | None = None

    def _tables(
        self, name: str, asked: list[Asked], swept: list[str]
    ) -> list[tuple[SweepTable, Mapping[str, int]]]:
        constants = [dict(each.question.constants) for each in asked]
        sizes = [{name: given[name] for name in swept} for given in constants]
        formulae = [
            [
                SweptFormula(number, item.name, item.line, item.text, item.expected)
                for number, item in each.items
            ]
            for each in asked
        ]
        fixed = steady([dict(each.constants) for each in asked], swept)
        table = SweepTable(
            name, sizes, columns(formulae), self._page, fixed=fixed, checks=self._checks
        )
        return [(table, size) for size in sizes]

    def start(self, begun: Result) -> None:
        """Wait for the whole row."""

    def verdict(self, verdict: Verdict) -> None:
        """Wait for the whole row."""

    def has_due(self) -> bool:
        """Return False: no row is whole before its size is done."""
        return False

    def print_due(self) -> None:
        """Print nothing: no row is whole before its size is done."""

    def model(self, result: Result) -> None:
        """Print the row of one size."""
        table, size = self._left[len(self._rows)]
        row = SizeRow(size, result)
        self._rows.append(row)
        text = StyledText()
        if self._page.quiet:
            text.extend(sweep_page.unexpected(row))
        else:
            if table is not self._before:
                if self._before is not None:
                    text.add()
                text.extend(table.head())
                self._before = table
            text.extend(table.row(row))
        self._put(text)

    def finish(self, results: list[Result], status: int) -> None:
        """Print the summary, or all of it into the file."""
        del results, status  # it was told of each
        if not self._page.quiet:
            self._put(sweep_page.summary(self._rows))
        if self._file is not None:
            self._text.extend(self._notices())
            put(self._text, self._screen, self._file)

    def _notices(self) -> StyledText:
        """Return the warnings, which whoever reads a file does not see elsewhere."""
        from gnomon.results.render import notices

        said, text = said_once(self._rows), StyledText()
        if said and not self._page.quiet:
            text.add()
        text.extend(notices.as_text(said, self._page))
        return text

    def _put(self, text: StyledText) -> None:
        if self._file is None:
            put(text, self._screen)
        else:
            self._text.extend(text)
