"""A plot of points and lines as SVG, drawn by itself: two axes, series that differ in more than colour."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.results.render.markup import in_xml

Scale: TypeAlias = Literal["linear", "log"]

_WIDTH: Final = 640.0
_HEIGHT: Final = 380.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 16.0, 16.0, 48.0
_ROW: Final = 18.0
#: More series than that cannot be told apart; those that are left out are named.
MOST_SERIES: Final = 12
#: What tells series apart besides their colour, which a page may change: a mark and a dash.
_MARKS: Final = ("circle", "square", "triangle", "diamond", "cross", "plus")
_DASHES: Final = ("", "6 3", "2 3")


class PlotPoint(NamedTuple):
    """A point, what is said when somebody points at it, and whether it is a bound that was not reached."""

    x: float
    y: float
    said: str = ""
    open: bool = False


@dataclass(frozen=True)
class PlotSeries:
    """Points that belong together."""

    name: str
    points: tuple[PlotPoint, ...]
    line: bool = True


@dataclass(frozen=True)
class Axis:
    """An axis: what is on it, and its scale."""

    title: str
    scale: Scale = "linear"


@dataclass(frozen=True)
class Plot:
    """A plot with its title and a name for files."""

    name: str
    title: str
    x: Axis
    y: Axis
    series: tuple[PlotSeries, ...]
    #: A line on which both coordinates are the same.
    diagonal: bool = False


class _Range(NamedTuple):
    """Values between two bounds, laid out between two places on the page."""

    scale: Scale
    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        low, high = self._at(self.low), self._at(self.high)
        share = 0.5 if high == low else (self._at(max(value, self._least())) - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def _at(self, value: float) -> float:
        return math.log10(value) if self.scale == "log" else value

    def _least(self) -> float:
        return self.low if self.scale == "log" else -math.inf

    def ticks(self) -> list[float]:
        if self.scale == "log":
            first, last = math.floor(self._at(self.low)), math.ceil(self._at(self.high))
            apart = max(1, math.ceil((last - first) / 8))
            # Within two powers of ten, some values between them stand there, too.
            between = (1, 2, 5) if self.high < 100 * self.low else (1,)
            powers = [
                each * 10.0**power for power in range(first, last + 1, apart) for each in between
            ]
            return [each for each in powers if self.low <= each <= self.high]
        step = _round_step((self.high - self.low) / 6)
        return [
            step * place
            for place in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
        ]


def _round_step(rough: float) -> float:
    """Return the next of 1, 2, 5, 10, … that is not smaller."""
    if rough <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough)


def draw(plot: Plot) -> str:
    """Return a plot as an element for a page of HTML, or a document of its own."""
    shown = plot.series[:MOST_SERIES]
    points = [point for series in shown for point in series.points]
    if not points:
        return ""
    x = _range(plot.x, [point.x for point in points], _LEFT, _WIDTH - _RIGHT)
    y = _range(plot.y, [point.y for point in points], _HEIGHT - _BOTTOM, _TOP)
    if plot.diagonal:
        low, high = min(x.low, y.low), max(x.high, y.high)
        x, y = x._replace(low=low, high=high), y._replace(low=low, high=high)
    height = _HEIGHT + _ROW * (len(shown) + (len(plot.series) > len(shown)))
    body = [*_frame(plot, x, y), *(_diagonal(x, y) if plot.diagonal else ())]
    for place, series in enumerate(shown):
        body += _series(series, place, x, y)
        body += _legend(series.name, place)
    if len(plot.series) > len(shown):
        left = len(plot.series) - len(shown)
        top = _HEIGHT + _ROW * len(shown) + 10
        body.append(_text(_LEFT, top, f"and {left} more series, which are in the tables", "soft"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="{_WIDTH:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img">\n'
        f"<title>{in_xml(plot.title)}</title>\n{''.join(body)}</svg>\n"
    )


def _range(axis: Axis, values: Sequence[float], start: float, end: float) -> _Range:
    if axis.scale == "log":
        kept = [value for value in values if value > 0] or [1.0]
        low, high = 10.0 ** math.floor(math.log10(min(kept))), max(kept) * 1.2
        return _Range("log", low, max(high, low * 10), start, end)
    low, high = min(values), max(values)
    if low > 0 and low < high / 3:
        low = 0.0
    pad = (high - low) * 0.04 or 0.5
    return _Range("linear", low - (pad if low else 0), high + pad, start, end)


def _frame(plot: Plot, x: _Range, y: _Range) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    yield f'<path class="axis" d="M{_LEFT} {_TOP} V{bottom} H{right}"/>\n'
    for value in x.ticks():
        at = x.place(value)
        yield f'<path class="grid" d="M{at:.1f} {_TOP} V{bottom}"/>\n'
        yield _text(at, bottom + 16, tick_label(value), "tick", "middle")
    for value in y.ticks():
        at = y.place(value)
        yield f'<path class="grid" d="M{_LEFT} {at:.1f} H{right}"/>\n'
        yield _text(_LEFT - 6, at + 4, tick_label(value), "tick", "end")
    yield _text((_LEFT + right) / 2, bottom + 36, plot.x.title, "title", "middle")
    middle = (_TOP + bottom) / 2
    turned = f'transform="rotate(-90 14 {middle:.1f})"'
    yield _text(14, middle, plot.y.title, "title", "middle", turned)


def tick_label(value: float) -> str:
    """Return a number as it stands beside an axis."""
    if value and (abs(value) >= 10_000 or abs(value) < 0.001):
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{value:g}"


def _diagonal(x: _Range, y: _Range) -> Iterator[str]:
    start = f"M{x.place(x.low):.1f} {y.place(x.low):.1f}"
    yield f'<path class="diagonal" d="{start} L{x.place(x.high):.1f} {y.place(x.high):.1f}"/>\n'


def _series(series: PlotSeries, place: int, x: _Range, y: _Range) -> Iterator[str]:
    kind = f"series s{place % MOST_SERIES}"
    places = [(x.place(point.x), y.place(point.y)) for point in series.points]
    if series.line and len(places) > 1:
        line = " L".join(f"{left:.1f} {top:.1f}" for left, top in places)
        dash = _DASHES[place // len(_MARKS) % len(_DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        yield f'<path class="{kind} line" d="M{line}"{dashed}/>\n'
    for point, (left, top) in zip(series.points, places, strict=True):
        hollow = " open" if point.open else ""
        said = f"<title>{in_xml(point.said)}</title>" if point.said else ""
        yield f'<g class="{kind} mark{hollow}">{_mark(place, left, top)}{said}</g>\n'


def _mark(place: int, x: float, y: float) -> str:
    match _MARKS[place % len(_MARKS)]:
        case "circle":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
        case "square":
            return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"/>'
        case "triangle":
            return f'<path d="M{x:.1f} {y - 4:.1f} l4 7 h-8 z"/>'
        case "diamond":
            return f'<path d="M{x:.1f} {y - 4.5:.1f} l4.5 4.5 l-4.5 4.5 l-4.5 -4.5 z"/>'
        case "cross":
            return f'<path class="thin" d="M{x - 3:.1f} {y - 3:.1f} l6 6 m0 -6 l-6 6"/>'
        case _:
            return f'<path class="thin" d="M{x - 4:.1f} {y:.1f} h8 m-4 -4 v8"/>'


def _legend(name: str, place: int) -> Iterator[str]:
    top = _HEIGHT + _ROW * place + 6
    yield f'<g class="series s{place % MOST_SERIES} mark">{_mark(place, _LEFT, top)}</g>\n'
    yield _text(_LEFT + 12, top + 4, name, "legend")


def _text(x: float, y: float, text: str, style: str, anchor: str = "start", more: str = "") -> str:
    return (
        f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>'
        f"{in_xml(text)}</text>\n"
    )
