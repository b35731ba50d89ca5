"""The frame around everything in a notebook, and the small pieces that all parts are made of.

Where a notebook is not trusted the style is dropped, and pictures with it: headings of tables, signs beside
colours, and alignment and fonts as attributes keep it readable then.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from gnomon.checking.verdict import Standing
from gnomon.results import phrases
from gnomon.results.render.notebook.sheet import MONO, STYLE
from gnomon.results.styled import StyledText, squeeze, visible

#: Where styles are dropped, attributes are kept.
_LEFT: Final = ' style="text-align:left"'
_PRE: Final = f"font-family:{MONO};line-height:1.35;white-space:pre".replace('"', "'")

#: Longer texts are cut, with a sign that they are.
_MOST_LETTERS: Final = 2_000


def framed(*parts: str, style: str = "") -> str:
    """Return one output: some parts in their frame, with their style."""
    inner = "\n".join(part for part in parts if part)
    more = f"\n{style}" if style else ""
    return f'<div class="gnomon">\n<style>\n{STYLE}{more}\n</style>\n{inner}\n</div>'


def shown(text: str) -> str:
    """Return text for a page, on one line: nothing in it acts or hides, and a very long one is cut."""
    kept = text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"
    return escape(visible(squeeze(kept), ""))


def code(text: str) -> str:
    """Return text as it stands in a program."""
    return f"<code>{shown(text)}</code>"


def quoted(text: str) -> str:
    """Return a sentence in which what stands between backquotes is of a program."""
    pieces = shown(text).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(
        f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces)
    )


def paragraph(inner: str, kinds: str = "") -> str:
    """Return a paragraph of HTML, or nothing where there is nothing to say."""
    return f"<p{_classes(kinds)}>{inner}</p>" if inner else ""


def heading(text: str) -> str:
    """Return the heading of a part."""
    return paragraph(f"<strong>{quoted(phrases.capitalised(text))}</strong>", "g-head")


def mark(standing: Standing) -> str:
    """Return the sign for how something came out, in its colour."""
    return f'<span class="g-mark g-{phrases.STYLE_OF[standing]}">{phrases.MARKS[standing]}</span>'


def fixed(text: StyledText | str) -> str:
    """Return text whose columns matter."""
    plain = text if isinstance(text, str) else text.plain()
    kept = escape(visible(plain.strip("\n")))
    return f'<pre style="{_PRE}">{kept}</pre>' if kept else ""


def row(cells: Iterable[str], kinds: str = "", *, tag: str = "td", of: Sequence[str] = ()) -> str:
    """Return a row of a table; `of` are the classes of its cells, as many as are not empty."""
    pieces = []
    for place, cell in enumerate(cells):
        kind = of[place] if place < len(of) else ""
        left = "" if kind == "g-number" else _LEFT
        pieces.append(f"<{tag}{_classes(kind)}{left}>{cell}</{tag}>")
    return f"<tr{_classes(kinds)}>{''.join(pieces)}</tr>"


def table(header: Sequence[str], rows: Iterable[str], of: Sequence[str] = ()) -> str:
    """Return a table with headings, which scrolls where it is wider than the cell."""
    head = f"<thead>{row(header, tag='th', of=of)}</thead>" if any(header) else ""
    body = "\n".join(rows)
    return f'<div class="g-wide"><table>{head}<tbody>\n{body}\n</tbody></table></div>'


def folded(summary: str, *inner: str) -> str:
    """Return what is seen once somebody asks for it."""
    return f"<details><summary>{quoted(summary)}</summary>{''.join(inner)}</details>"


def beside(words: str, picture: str) -> str:
    """Return words with a picture beside them, or below where there is no room."""
    if not picture or not words:
        return words or picture
    # A wide picture wants a line of its own; a small one leaves room for the words.
    found = re.search(r'<svg [^>]*?width="(\d+)"', picture)
    wanted = f' style="flex-basis:min(100%,{0.85 * int(found[1]):.0f}px)"' if found else ""
    return f'<div class="g-beside"><div>{words}</div><div{wanted}>{picture}</div></div>'


def _classes(kinds: str) -> str:
    return f' class="{kinds}"' if kinds else ""
