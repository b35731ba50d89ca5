"""A strategy as a table: where, and what each member does there."""

from collections.abc import Iterable

from gnomon.logic.evidence import Choice, Strategy
from gnomon.results.styled import Span, Text, fill, pad, width_of

#: How many rows a terminal gets unless it asks for more.
ROWS = 30

_GAP = "  "


def render(strategy: Strategy, width: int = 80, most: int | None = ROWS) -> Text:
    """Return the rows of a strategy, at most `most` of them, with a word about the rest."""
    text = Text()
    if not strategy.choices:
        text.add(Span("nothing has to be done", "dim"))
        return text
    shown = strategy.choices[:most]
    where = _names(choice.where for choice in shown)
    members = _names(choice.actions for choice in shown)
    rows = [_row(choice, where, members) for choice in shown]
    header = [*where, *members]
    sizes = [
        max(width_of(name), *(width_of(row[place]) for row in rows))
        for place, name in enumerate(header)
    ]
    if sum(sizes) + len(_GAP) * len(sizes) + 2 <= width:
        _table(text, header, rows, sizes, len(where))
    else:
        for choice in shown:
            _item(text, choice, width)
    left = len(strategy.choices) - len(shown)
    if left:
        text.add(Span(f"… and {left} more (--verbose or --json shows all)", "dim"))
    return text


def _names(groups: Iterable[tuple[tuple[str, str], ...]]) -> list[str]:
    """Return the first halves of all pairs, each once, in their order."""
    names: dict[str, None] = {}
    for pairs in groups:
        names.update(dict.fromkeys(name for name, _ in pairs))
    return list(names)


def _row(choice: Choice, where: list[str], members: list[str]) -> list[str]:
    values, actions = dict(choice.where), dict(choice.actions)
    return [
        *(values.get(name, "any") for name in where),
        *(actions.get(name, "any") for name in members),
    ]


def _table(
    text: Text, header: list[str], rows: list[list[str]], sizes: list[int], split: int
) -> None:
    """Add the table; a bar stands between what is seen and what is done."""

    def halves(cells: list[str]) -> tuple[str, str]:
        padded = [pad(cell, size) for cell, size in zip(cells, sizes, strict=True)]
        return _GAP.join(padded[:split]), _GAP.join(padded[split:])

    left, right = halves(header)
    bar = " │ " if split else ""
    text.add(Span(left, "strong"), Span(bar, "dim"), Span(right, "strong"))
    for row in rows:
        left, right = halves(row)
        text.add(left, Span(bar, "dim"), Span(right, "agent"))


def _item(text: Text, choice: Choice, width: int) -> None:
    conditions = [f"{name} = {value}" for name, value in choice.where] or ["anywhere"]
    for part in fill(conditions, width, "  ", ", "):
        text.add(part)
    for part in fill([f"{who}: {what}" for who, what in choice.actions], width - 2, "  ", ", "):
        text.add(Span("→ ", "dim"), Span(part, "agent"))
