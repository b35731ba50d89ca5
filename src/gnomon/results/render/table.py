"""Rows and columns within a page; one column gives way where there is no room for all."""

from collections.abc import Sequence

from gnomon.results.styled import Styled, StyledText, pad, width_of, wrap

_GAP = "  "
_NARROWEST = 16


def render(
    header: Sequence[str], rows: Sequence[Sequence[str]], width: int = 80, flexible: int = -1
) -> StyledText:
    """Return a table; cells of the `flexible` column are wrapped on a page too narrow for all."""
    text = StyledText()
    sizes = [
        max([width_of(header[place]), *(width_of(row[place]) for row in rows)])
        for place in range(len(header))
    ]
    flexible %= len(header)
    others = sum(sizes) - sizes[flexible] + len(_GAP) * (len(sizes) - 1)
    sizes[flexible] = min(sizes[flexible], max(_NARROWEST, width - others))
    if any(header):
        text.add(Styled(_joined(header, sizes), "dim"))
    for row in rows:
        lines = wrap(row[flexible], sizes[flexible])
        for index, part in enumerate(lines):
            cells = [cell if index == 0 else "" for cell in row]
            cells[flexible] = part
            first, rest = _joined(cells[:1], sizes), _joined(cells[1:], sizes[1:])
            text.add(Styled(first, "strong"), _GAP if rest else "", rest)
    return text


def _joined(cells: Sequence[str], sizes: Sequence[int]) -> str:
    return _GAP.join(pad(cell, size) for cell, size in zip(cells, sizes, strict=False))
