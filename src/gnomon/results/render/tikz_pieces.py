"""What pictures in TikZ are made of; they need the package `tikz` and none of its libraries.

A unit is so small that our letters, which are measured for a screen, are those of a footnote in print.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from gnomon.results.render.markup import in_tex

#: Points for each of our units: a letter of 7 points in a fixed-width font is 3.7 of them wide.
_POINTS: Final = 0.56

_STYLES: Final = (
    r"gnomon box/.style={draw=black!65, rounded corners=3pt, fill=black!3, align=left, inner sep=2pt,",
    r"  font=\fontsize{7}{8.4}\selectfont\ttfamily\frenchspacing},",
    r"gnomon initial/.style={line width=1.1pt},",
    r"gnomon goal/.style={draw=green!45!black, fill=green!45!black!10},",
    r"gnomon lost/.style={draw=red!70!black, fill=red!70!black!10},",
    r"gnomon stuck/.style={dashed},",
    r"gnomon line/.style={draw=black!65, line width=0.5pt},",
    r"gnomon step/.style={gnomon line, ->, >=latex},",
    r"gnomon back/.style={gnomon step, draw=blue!60!black},",
    r"gnomon knowledge/.style={draw=red!75!black, dashed},",
    r"gnomon norm/.style={draw=violet, dotted},",
    r"gnomon said/.style={fill=white, fill opacity=0.85, text opacity=1, inner sep=0.5pt, align=left,",
    r"  font=\fontsize{6}{6.7}\selectfont\ttfamily\frenchspacing}",
)


def picture(body: Iterable[str], title: str = "") -> str:
    """Return a whole picture; the first unit of the second coordinate goes down."""
    said = f"% {in_tex(title)}\n" if title else ""
    styles = "\n".join(f"  {line}" for line in _STYLES)
    start = f"\\begin{{tikzpicture}}[x={_POINTS}pt, y=-{_POINTS}pt,\n{styles}]"
    return (
        "\n".join([f"{said}% needs \\usepackage{{tikz}}", start, *(f"  {line}" for line in body)])
        + "\n\\end{tikzpicture}\n"
    )


def lines_of(texts: Sequence[str]) -> str:
    """Return lines below each other; none of them is taken for an argument of the line break."""
    escaped = [in_tex(text) for text in texts]
    return r"\\".join(f"{{}}{text}" if text[:1] in {"[", "*", ""} else text for text in escaped)


def at(x: float, y: float) -> str:
    """Return a coordinate."""
    return f"({x:.1f},{y:.1f})"


def box(name: str, place: tuple[float, float, float, float], kinds: str, text: str) -> str:
    """Return a box with a name, at (x, y) and of a size; `text` is TeX."""
    x, y, width, height = place
    size = f"minimum width={width * _POINTS:.1f}pt, minimum height={height * _POINTS:.1f}pt"
    centre = at(x + width / 2, y + height / 2)
    return f"\\node[gnomon box{kinds}, {size}] ({name}) at {centre} {{{text}}};"


def said(texts: Sequence[str], x: float, y: float, more: str = "") -> str:
    """Return small words whose upper left corner is at a place."""
    return f"\\node[gnomon said, anchor=north west{more}] at {at(x, y)} {{{lines_of(texts)}}};"
