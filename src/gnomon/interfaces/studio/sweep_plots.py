"""What a sweep took, drawn: seconds and states against the constant that changes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gnomon.campaign.report.plot import Axis, Plot, PlotPoint, PlotSeries, draw
from gnomon.campaign.report.plot_tikz import draw_tikz
from gnomon.results.sweep import changing_constants

#: What is drawn, and what to call it.
_DRAWN: Final = {"seconds": "seconds", "states": "reachable states"}
#: Larger numbers are no places on a picture.
_LARGEST: Final = 1e300


def plots(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Yield a title and a picture, in SVG and TikZ, of all that can be drawn; nothing if nothing changes."""
    changing = changing_constants(rows)
    if not changing:
        return
    for name, words in _DRAWN.items():
        series = tuple(_series(rows, name, changing))
        if sum(len(each.points) for each in series) < 2:
            continue
        title = f"{words} by {changing[0]}"
        plot = Plot(name, title, Axis(changing[0]), Axis(words, "log"), series)
        yield {"title": title, "svg": draw(plot), "tikz": draw_tikz(plot)}


def _series(
    rows: Sequence[Mapping[str, Any]], drawn: str, changing: Sequence[str]
) -> Iterator[PlotSeries]:
    first, *others = changing
    found: dict[str, list[PlotPoint]] = {}
    for row in rows:
        value, size = row[drawn], row["constants"]
        if value is None or not 0 < value < _LARGEST or abs(size[first]) > _LARGEST:
            continue
        name = ", ".join(f"{each} = {size[each]}" for each in others) or _DRAWN[drawn]
        said = ", ".join(f"{each} = {number}" for each, number in size.items())
        point = PlotPoint(
            float(size[first]), float(value), f"{said}: {value:,}", open=row["reason"] is not None
        )
        found.setdefault(name, []).append(point)
    for name, points in found.items():
        yield PlotSeries(name, tuple(sorted(points, key=lambda point: point.x)))
