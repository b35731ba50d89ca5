"""What pictures in SVG are made of: boxes with lines in them, and words beside arrows."""

from collections.abc import Callable, Sequence

from gnomon.results.render.markup import in_xml
from gnomon.results.styled import width_of

#: The size of letters and rows, of small ones, and the room around what is in a box.
LETTER = 6.7
SMALL = 6.1
ROW = 15.0
SMALL_ROW = 12.0
PAD = 8.0


def box_size(lines: Sequence[str]) -> tuple[float, float]:
    """Return the width and the height of a box with these lines."""
    return max(map(width_of, lines)) * LETTER + 2 * PAD, len(lines) * ROW + 2 * PAD - 4


def words(text: str, x: float, y: float, style: str) -> str:
    """Return words that start at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{in_xml(text)}</text>\n'


def patched(text: str, x: float, y: float, style: str) -> str:
    """Return small words on a piece of the page, so that no line goes through them."""
    patch = (
        f'<rect class="patch" x="{x - 2:.1f}" y="{y - 9:.1f}" '
        f'width="{width_of(text) * SMALL + 4:.1f}" height="12" rx="3"/>\n'
    )
    return patch + words(text, x, y, style)


def drawn_box(
    place: tuple[float, float, float, float],
    lines: Sequence[str],
    style_of: Callable[[str], str],
    *,
    initial: bool,
) -> str:
    """Return a box at (x, y) and of a size, a number as its first line; `style_of` is for the others."""
    x, y, width, height = place
    rows = []
    for index, line in enumerate(lines):
        style = style_of(line) if index else "number"
        rows.append(words(line, x + PAD, y + PAD + ROW * index + 9, style))
    return (
        f'<g class="{"node initial" if initial else "node"}"><rect class="box" x="{x:.1f}" '
        f'y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6"/>\n{"".join(rows)}</g>\n'
    )


def arrow_head(name: str) -> str:
    """Return the definition of the head of arrows."""
    return (
        f'<defs><marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>\n'
    )
