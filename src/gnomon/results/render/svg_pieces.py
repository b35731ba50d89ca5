"""What pictures in SVG are made of: boxes with lines in them, words beside arrows, and the page around."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gnomon.results.drawing.measure import PAD, ROW, SMALL, text_width
from gnomon.results.render.markup import in_xml
from gnomon.results.render.svg_theme import PictureLook, style_sheet

MARGIN = 28.0
#: In a notebook there is room around already.
_NARROW = 6.0
#: Between two pictures of one document.
_BETWEEN = 36.0


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A picture that may stand beside others: what is drawn, from (0, 0) on, and how large it is."""

    drawn: str
    width: float
    height: float


def words(text: str, x: float, y: float, style: str) -> str:
    """Return words that start at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{in_xml(text)}</text>\n'


def patched(text: str, x: float, y: float, style: str) -> str:
    """Return small words on a piece of the page, so that no line goes through them."""
    patch = (
        f'<rect class="patch" x="{x - 2:.1f}" y="{y - 9:.1f}" '
        f'width="{text_width(text, SMALL) + 4:.1f}" height="12" rx="3"/>\n'
    )
    return patch + words(text, x, y, style)


def drawn_box(
    place: tuple[float, float, float, float],
    lines: Sequence[str],
    style_of: Callable[[str], str],
    kinds: str,
    more: str = "",
) -> str:
    """Return a box at (x, y) and of a size, a number as its first line; `style_of` is for the others."""
    x, y, width, height = place
    rows = []
    for index, line in enumerate(lines):
        style = style_of(line) if index else "number"
        rows.append(words(line, x + PAD, y + PAD + ROW * index + 9, style))
    return (
        f'<g class="{kinds}"><rect class="box" x="{x:.1f}" '
        f'y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6"/>\n{"".join(rows)}{more}</g>\n'
    )


def document(title: str, parts: Sequence[DrawnPart], look: PictureLook = "paper") -> str:
    """Return a whole SVG document with some pictures below each other, or an element for a page of HTML."""
    margin = _NARROW if look == "notebook" else MARGIN
    width = max((part.width for part in parts), default=0.0) + 2 * margin
    height = sum(part.height for part in parts) + _BETWEEN * (len(parts) - 1) + 2 * margin
    groups, top = [], margin
    for part in parts:
        move = f'transform="translate({margin:.0f} {top:.1f})"'
        groups.append(f'<g xml:space="preserve" {move}>\n{part.drawn}</g>\n')
        top += part.height + _BETWEEN
    namespace = "" if look != "paper" else 'xmlns="http://www.w3.org/2000/svg" '
    return (
        f'<svg {namespace}class="gnomon-picture" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n'
        f"<title>{in_xml(title)}</title>\n<style>\n{style_sheet(look)}\n</style>\n"
        '<defs><marker id="gnomon-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>\n'
        f'<rect class="page" width="{width:.0f}" height="{height:.0f}"/>\n{"".join(groups)}</svg>\n'
    )
