"""A plot in the words of pgfplots, for papers."""

from collections.abc import Iterator
from typing import Final

from gnomon.campaign.report.plot import Axis, Plot, PlotPoint, PlotSeries
from gnomon.results.render.markup import in_tex

#: What tells series apart besides their colour.
_MARKS: Final = ("*", "square*", "triangle*", "diamond*", "x", "+")


def draw_tikz(plot: Plot) -> str:
    """Return a `tikzpicture` with one axis environment; bounds that were not reached are hollow marks."""
    kind = {
        ("linear", "linear"): "axis",
        ("log", "linear"): "semilogxaxis",
        ("linear", "log"): "semilogyaxis",
        ("log", "log"): "loglogaxis",
    }[plot.x.scale, plot.y.scale]
    lines = [
        f"% {in_tex(plot.title)}",
        r"% needs \usepackage{pgfplots}",
        r"\begin{tikzpicture}",
        f"\\begin{{{kind}}}[xlabel={{{_title(plot.x)}}}, ylabel={{{_title(plot.y)}}},",
        "  legend pos=outer north east, legend cell align=left]",
        *(line for place, series in enumerate(plot.series) for line in _series(series, place)),
    ]
    if plot.diagonal:
        lines.append(r"\addplot[gray, dashed, forget plot, domain=\pgfkeysvalueof{/pgfplots/xmin}:")
        lines.append(r"  \pgfkeysvalueof{/pgfplots/xmax}] {x};")
    return "\n".join([*lines, f"\\end{{{kind}}}", r"\end{tikzpicture}", ""])


def _title(axis: Axis) -> str:
    return in_tex(axis.title)


def _series(series: PlotSeries, place: int) -> Iterator[str]:
    mark = _MARKS[place % len(_MARKS)]
    drawn = "" if series.line else "only marks, "
    yield f"\\addplot+[{drawn}mark={mark}] coordinates {{{_places(series.points)}}};"
    yield f"\\addlegendentry{{{in_tex(series.name)}}}"
    open_ = tuple(point for point in series.points if point.open)
    if open_:
        yield (
            "\\addplot[only marks, mark=o, mark size=4pt, forget plot] "
            f"coordinates {{{_places(open_)}}};"
        )


def _places(points: tuple[PlotPoint, ...]) -> str:
    return " ".join(f"({point.x:.17g},{point.y:.17g})" for point in points)
