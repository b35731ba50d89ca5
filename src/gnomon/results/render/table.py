"""Rows and columns within a page; where there is no room for columns, what would stand in them."""

from collections.abc import Sequence

from gnomon.results.styled import Styled, StyledText, pad, width_of, wrap

_GAP = "  "
#: A column of words is worth having with so much room.
_NARROWEST = 16


def render(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int = 80,
    flexible: Sequence[int] = (-1,),
    titles: int = 1,
) -> StyledText:
    """Return a table; cells of the `flexible` columns are wrapped on a page too narrow for all.

    Where not even that is enough, every row becomes a paragraph below its first cell; the `titles` are cells
    that need no header there, because they say which row it is.
    """
    sizes = [
        max([width_of(header[place]), *(width_of(row[place]) for row in rows)])
        for place in range(len(header))
    ]
    giving = [place % len(header) for place in flexible]
    _shrink(sizes, giving, [_least(header, rows, place) for place in giving], width)
    if _total(sizes) > width:
        return _stacked(header, rows, width, titles)
    text = StyledText()
    if any(header):
        text.add(Styled(_joined(header, sizes), "dim"))
    for row in rows:
        cells = [
            wrap(cell, sizes[place]) if place in giving else [cell]
            for place, cell in enumerate(row)
        ]
        for index in range(max(map(len, cells))):
            parts = [lines[index] if index < len(lines) else "" for lines in cells]
            first, rest = _joined(parts[:1], sizes), _joined(parts[1:], sizes[1:])
            text.add(Styled(first, "strong"), _GAP if rest else "", rest)
    return text


def _total(sizes: Sequence[int]) -> int:
    return sum(sizes) + len(_GAP) * (len(sizes) - 1)


def _least(header: Sequence[str], rows: Sequence[Sequence[str]], place: int) -> int:
    """Return how narrow a column may get: its longest word has room, and no letters stand alone."""
    words = [header[place], *(word for row in rows for word in row[place].split())]
    return max(_NARROWEST, *map(width_of, words))


def _shrink(sizes: list[int], giving: Sequence[int], least: Sequence[int], width: int) -> None:
    """Take room away from the widest of the columns that give way, until the table fits or none can."""
    while _total(sizes) > width:
        wide = [place for place, most in zip(giving, least, strict=True) if sizes[place] > most]
        if not wide:
            return
        sizes[max(wide, key=lambda place: sizes[place])] -= 1


def _stacked(
    header: Sequence[str], rows: Sequence[Sequence[str]], width: int, titles: int
) -> StyledText:
    """Return rows as paragraphs, each under the first cell where that is not empty."""
    text = StyledText()
    for row in rows:
        if row[0]:
            text.add(Styled(row[0], "strong"))
        named = "".join(f"{cell}: " for cell in row[1:titles])
        facts = [
            f"{name} {cell}".strip()
            for name, cell in zip(header[titles:], row[titles:], strict=True)
            if cell
        ]
        for part in wrap(named + " · ".join(facts), width - 2, "  "):
            text.add("  ", part)
    return text


def _joined(cells: Sequence[str], sizes: Sequence[int]) -> str:
    return _GAP.join(pad(cell, size) for cell, size in zip(cells, sizes, strict=False))
