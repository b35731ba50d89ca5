"""A family at many sizes as a table: a row for each size, a column for each formula."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gnomon.checking.verdict import Result, Standing
from gnomon.results import phrases
from gnomon.results.phrases import grouped
from gnomon.results.render.verdict_lines import duration
from gnomon.results.styled import Page, Styled, StyledText, pad, squeeze, width_of, wrap
from gnomon.results.sweep import FormulaColumn, SizeOutcome, SizeRow

_GAP = "  "
_WIDEST = 24
#: As wide as `✗ unknown`, and `undefined` with its mark.
_NARROWEST = 11
_STATES = 11
_WORDS: Final[Mapping[Standing, str]] = {
    "expected": "as expected",
    "unexpected": "not as expected",
    "open": "open",
}


class SweepTable:
    """The columns of a table, and its rows one by one: each can be printed as soon as it is known."""

    def __init__(
        self,
        model: str,
        constants: Sequence[Mapping[str, int]],
        found: Sequence[FormulaColumn],
        page: Page,
        *,
        fixed: Iterable[tuple[str, int]] = (),
        checks: Sequence[str] = (),
    ) -> None:
        """Lay out a table for these sizes, formulae and sanity checks, on this page.

        `fixed` are the constants that are the same at every size.
        """
        self._model = model
        self._fixed = phrases.constants(fixed)
        self._checks = checks
        self._page = page
        self._columns = found
        self._names = list(constants[0]) if constants else []
        self._sizes = [
            max(width_of(name), *(len(str(each[name])) for each in constants))
            for name in self._names
        ]
        self._titles = [_cut(column.title) for column in found]
        self._widths = [max(_NARROWEST, width_of(title)) for title in self._titles]
        self._numbered = self._full_width() > page.width
        if self._numbered:  # the legend says what the numbers are
            self._titles = [str(place) for place, _ in enumerate(found, 1)]
            self._widths = [len("✗ 10/10") if column.several else 2 for column in found]
        self._titles += [_title(name) for name in checks]
        self._widths += [width_of(_title(name)) for name in checks]

    def _full_width(self) -> int:
        checks = [width_of(_title(name)) for name in self._checks]
        widths = [*self._sizes, *self._widths, *checks, _STATES, len(duration(0.0))]
        return sum(widths) + len(_GAP) * len(widths)

    def head(self) -> StyledText:
        """Return the model, what the columns are, and their titles."""
        text = StyledText()
        text.add_heading(self._model, self._fixed, self._page.width)
        text.add()
        marks = self._titles[: len(self._columns)]
        size = max(map(width_of, marks), default=0)
        for mark, column in zip(marks, self._columns, strict=True):
            first, *rest = wrap(
                _described(column, mark), max(20, self._page.width - size - 4), "  "
            )
            text.add("  ", Styled(pad(mark, size), "dim"), _GAP, first)
            for part in rest:
                text.add(" " * (size + 4), part)
        text.add()
        titles = [*self._names, *self._titles, "states", "time"]
        text.add(*self._laid_out([Styled(title, "dim") for title in titles]))
        return text

    def row(self, row: SizeRow) -> StyledText:
        """Return the row of one size."""
        text = StyledText()
        states = row.result.states
        cells = [Styled(str(row.constants[name]), "strong") for name in self._names]
        cells += [self._cell(row.outcome(column), column) for column in self._columns]
        cells += [check_cell(row.result, name) for name in self._checks]
        if row.result.refused:  # what is wrong was told before
            cells.append(Styled("error", "error"))
        else:
            cells.append(Styled("–" if states is None else grouped(states)))
        cells.append(Styled(duration(row.result.seconds), "dim"))
        text.add(*self._laid_out(cells))
        return text

    def _laid_out(self, cells: Sequence[Styled]) -> list[Styled]:
        widths = [*self._sizes, *self._widths, _STATES]
        line = [Styled(_GAP)]
        for cell, width in zip(cells[:-1], widths, strict=True):
            line += [Styled(pad(cell.text, width), cell.style), Styled(_GAP)]
        return [*line, cells[-1]]

    def _cell(self, outcome: SizeOutcome, column: FormulaColumn) -> Styled:
        verdicts = outcome.verdicts
        if not verdicts:
            return Styled("–", "dim")
        mark, style = mark_of(outcome)
        if column.several:
            good = sum(verdict.as_expected for verdict in verdicts)
            return Styled(f"{mark} {good}/{len(verdicts)}", style)
        return Styled(mark if self._numbered else f"{mark} {verdicts[0].value}", style)


def mark_of(outcome: SizeOutcome) -> tuple[str, str]:
    """Return the sign and the style of an outcome."""
    if outcome.as_expected:
        return "✓", "true"
    return ("?", "unknown") if outcome.is_open else ("✗", "false")


def _title(check: str) -> str:
    return f"no {check}"


def check_cell(result: Result, name: str) -> Styled:
    """Return the sign for how a sanity check came out."""
    for check in result.checks:
        if check.name == name:
            return _marked(phrases.check_standing(check))
    return Styled("–", "dim")


def _marked(standing: Standing) -> Styled:
    return Styled(phrases.MARKS[standing], phrases.STYLE_OF[standing])


def summary(rows: Sequence[SizeRow]) -> StyledText:
    """Return the last line: how many sizes there were, and how their formulae and checks came out."""
    verdicts = [verdict for row in rows for verdict in row.result]
    standings = Counter(verdict.standing for verdict in verdicts)
    text = StyledText()
    parts: list[Styled | str] = []
    for standing, words in _WORDS.items():
        if number := standings[standing]:
            said = Styled(f"{number:,} {words}", phrases.STYLE_OF[standing])
            parts += [", " if parts else "", said]
    sizes = f"{len(rows):,} size{'' if len(rows) == 1 else 's'}, {len(verdicts):,} verdicts"
    seconds = duration(sum(row.result.seconds for row in rows))
    text.add()
    text.add(
        f"{sizes}{': ' if parts else ''}",
        *parts,
        *(part for more in _remarks(rows) for part in (" · ", more)),
        Styled(f" · {seconds}", "dim"),
    )
    return text


def _remarks(rows: Sequence[SizeRow]) -> Iterator[Styled]:
    """Yield what the table does not tell, or only here and there."""
    if vacuous := sum(bool(verdict.vacuous) for row in rows for verdict in row.result):
        yield Styled(f"{vacuous:,} vacuous", "warning")
    failed = sum(not check.as_expected for row in rows for check in row.result.checks)
    if failed:
        yield Styled(f"{failed:,} check{'' if failed == 1 else 's'} not passed", "false")
    if refused := sum(row.result.refused for row in rows):
        yield Styled(f"{refused:,} size{'' if refused == 1 else 's'} not checked", "error")


def unexpected(row: SizeRow) -> StyledText:
    """Return one line for each formula and check that is not as expected at a size."""
    text = StyledText()
    size = ", ".join(f"{name} = {value}" for name, value in row.constants.items())
    where = f"{row.result.model}: {size}"
    for verdict in row.result:
        if not verdict.as_expected:
            said = f" {where}: {verdict.label}: {phrases.judged_outcome(verdict)}"
            text.add(_marked(verdict.standing), said)
    for check in row.result.checks:
        if not check.as_expected:
            said = f" {where}: {phrases.check_sentence(check)}"
            text.add(_marked(phrases.check_standing(check)), said)
    return text


def _described(column: FormulaColumn, mark: str) -> str:
    """Return what a column is about, with what the mark above it does not tell."""
    formula = squeeze(column.text) + (" …" if column.several else "")
    title = "" if column.title == mark or _cut(column.title) == mark else f"{column.title}: "
    expected = "" if column.expected in {None, "true"} else f" ({column.expected} is expected)"
    return f"{title}{formula}{expected}"


def _cut(title: str) -> str:
    return title if width_of(title) <= _WIDEST else f"{title[: _WIDEST - 1]}…"
