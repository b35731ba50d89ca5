"""A family at many sizes as a table: a row for each size, a column for each formula."""

from collections.abc import Mapping, Sequence

from gnomon.results.phrases import grouped
from gnomon.results.render.verdict_lines import duration
from gnomon.results.styled import Page, Styled, StyledText, pad, squeeze, width_of, wrap
from gnomon.results.sweep import FormulaColumn, SizeOutcome, SizeRow

_GAP = "  "
_WIDEST = 24
#: As wide as `✗ unknown`, and `undefined` with its mark.
_NARROWEST = 11
_STATES = 11


class SweepTable:
    """The columns of a table, and its rows one by one: each can be printed as soon as it is known."""

    def __init__(
        self,
        model: str,
        constants: Sequence[Mapping[str, int]],
        found: Sequence[FormulaColumn],
        page: Page,
    ) -> None:
        """Lay out a table for these sizes and formulae, on this page."""
        self._model = model
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

    def _full_width(self) -> int:
        widths = [*self._sizes, *self._widths, _STATES, len(duration(0.0))]
        return sum(widths) + len(_GAP) * len(widths)

    def head(self) -> StyledText:
        """Return the model, what the columns are, and their titles."""
        text = StyledText()
        text.add(Styled(self._model, "strong"))
        text.add()
        marks = [
            str(place) if self._numbered else title for place, title in enumerate(self._titles, 1)
        ]
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


def summary(rows: Sequence[SizeRow]) -> StyledText:
    """Return the last line: how many sizes there were, and how their formulae came out."""
    verdicts = [verdict for row in rows for verdict in row.result]
    good = sum(verdict.as_expected for verdict in verdicts)
    wrong = sum(verdict.standing == "unexpected" for verdict in verdicts)
    left = len(verdicts) - good - wrong
    text = StyledText()
    counts = [
        (good, "as expected", "true"),
        (wrong, "not as expected", "false"),
        (left, "open", "unknown"),
    ]
    parts: list[Styled | str] = []
    for number, words, style in counts:
        if number:
            parts += [", " if parts else "", Styled(f"{number:,} {words}", style)]
    sizes = f"{len(rows):,} size{'' if len(rows) == 1 else 's'}, {len(verdicts):,} verdicts"
    seconds = duration(sum(row.result.seconds for row in rows))
    text.add()
    text.add(f"{sizes}{': ' if parts else ''}", *parts, Styled(f" · {seconds}", "dim"))
    return text


def unexpected(row: SizeRow) -> StyledText:
    """Return one line for each formula that is not as expected at a size."""
    text = StyledText()
    size = ", ".join(f"{name} = {value}" for name, value in row.constants.items())
    for verdict in row.result:
        if not verdict.as_expected:
            mark, style = mark_of(SizeOutcome((verdict,)))
            said = f"{verdict.value}, {verdict.expected} was expected: {squeeze(verdict.formula)}"
            text.add(
                Styled(f"{mark} ", style), f"{row.result.model}: {size}: {verdict.label}: {said}"
            )
    return text


def _described(column: FormulaColumn, mark: str) -> str:
    """Return what a column is about, with what the mark above it does not tell."""
    formula = squeeze(column.text) + (" …" if column.several else "")
    title = "" if column.title == mark or _cut(column.title) == mark else f"{column.title}: "
    expected = "" if column.expected in {None, "true"} else f" ({column.expected} is expected)"
    return f"{title}{formula}{expected}"


def _cut(title: str) -> str:
    return title if width_of(title) <= _WIDEST else f"{title[: _WIDEST - 1]}…"
