"""Sweeps as plots, by matplotlib or Altair, whichever is there."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from os import PathLike, fspath
from typing import Any, Final, Literal, TypeAlias, get_args

from gnomon.api.conversions import needed
from gnomon.results.sweep import changing_constants

#: What a sweep can be plotted by, and who draws it.
PlottedFigure: TypeAlias = Literal["seconds", "states"]
PlotLibrary: TypeAlias = Literal["matplotlib", "altair"]

_WORDS: Final = {"seconds": "seconds", "states": "reachable states"}
#: Larger numbers are no places on a picture.
_LARGEST: Final = 1e300


class SweepPlot:
    """A plot of a sweep, which shows itself in a notebook.

    >>> import gnomon
    >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..4"}, only=1)
    >>> plot = table.plot("states", library="matplotlib")
    >>> plot
    <plot of reachable states by n, by matplotlib>
    >>> plot.figure.axes[0].get_xlabel(), plot.title, plot.library
    ('n', 'reachable states by n', 'matplotlib')
    """

    def __init__(self, figure: Any, library: PlotLibrary, title: str) -> None:
        """Show a figure of matplotlib's or a chart of Altair's."""
        #: The figure or chart itself, to change and to put beside others.
        self.figure = figure
        #: Who has drawn it.
        self.library: PlotLibrary = library
        #: What it shows.
        self.title = title

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file; the ending says in which format, such as `.svg` or `.png`.

        >>> import gnomon, os, tempfile
        >>> plot = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..4"}, only=1).plot("states")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     plot.save(f"{folder}/plot.svg")
        ...     os.listdir(folder)
        ['plot.svg']
        """
        if self.library == "matplotlib":
            self.figure.savefig(fspath(path))
        else:
            self.figure.save(fspath(path))

    def __repr__(self) -> str:
        """Show what it is."""
        return f"<plot of {self.title}, by {self.library}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        if self.library == "altair":
            found = self.figure._repr_mimebundle_()
            return dict(found[0] if isinstance(found, tuple) else found)
        written = BytesIO()
        self.figure.savefig(written, format="svg", metadata={"Date": None})
        return {"image/svg+xml": written.getvalue().decode(), "text/plain": repr(self)}


def plot_sweep(
    rows: Sequence[Mapping[str, Any]], figure: PlottedFigure, library: PlotLibrary | None
) -> SweepPlot:
    """Return a plot of rows that have `constants`, `seconds` and `states`."""
    if figure not in get_args(PlottedFigure):
        msg = f"{figure!r} cannot be plotted: there are {', '.join(get_args(PlottedFigure))}"
        raise ValueError(msg)
    if library is not None and library not in get_args(PlotLibrary):
        msg = f"{library!r} draws no plots here: there are {', '.join(get_args(PlotLibrary))}"
        raise ValueError(msg)
    changing = changing_constants(rows)
    if not changing:
        msg = "there is nothing to plot: no constant has two values"
        raise ValueError(msg)
    chosen = library or next((each for each in get_args(PlotLibrary) if find_spec(each)), None)
    title = f"{_WORDS[figure]} by {changing[0]}"
    if chosen is None:
        msg = "a plot needs matplotlib or Altair: pip install 'gnomon[analysis]'; `to_rows()` needs nothing"
        raise ImportError(msg)
    points = [*_points(rows, figure, changing)]
    draw = _by_matplotlib if chosen == "matplotlib" else _by_altair
    return SweepPlot(draw(points, changing[0], _WORDS[figure]), chosen, title)


def _points(
    rows: Sequence[Mapping[str, Any]], figure: str, changing: Sequence[str]
) -> Iterator[tuple[int, float, str]]:
    """Yield the places of a plot, each with the line that it belongs to."""
    first, *others = changing
    for row in rows:
        size, value = row["constants"], row[figure]
        if value is not None and 0 < value < _LARGEST and abs(size[first]) < _LARGEST:
            yield size[first], value, ", ".join(f"{name} = {size[name]}" for name in others)


def _by_matplotlib(points: Sequence[tuple[int, float, str]], x: str, y: str) -> Any:
    # Not by pyplot: that would keep every figure, and show it twice in a notebook.
    figures = needed("matplotlib.figure", "a plot", "`to_rows()`")
    ticks = needed("matplotlib.ticker", "a plot", "`to_rows()`")
    figure = figures.Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    for line in dict.fromkeys(name for _, _, name in points):
        own = sorted((size, value) for size, value, name in points if name == line)
        axes.plot(*zip(*own, strict=True), marker="o", label=line)
    axes.set(xlabel=x, ylabel=y, yscale="log")
    axes.xaxis.set_major_locator(ticks.MaxNLocator(integer=True))
    axes.grid(visible=True, alpha=0.3)
    if any(line for _, _, line in points):
        axes.legend()
    return figure


def _by_altair(points: Sequence[tuple[int, float, str]], x: str, y: str) -> Any:
    altair = needed("altair", "a plot", "`to_rows()`")
    data = altair.Data(
        values=[{"x": size, "y": value, "line": name} for size, value, name in points]
    )
    encoded = {
        "x": altair.X("x:Q", title=x, axis=altair.Axis(tickMinStep=1)),
        "y": altair.Y("y:Q", title=y, scale=altair.Scale(type="log")),
    }
    if any(line for _, _, line in points):
        encoded["color"] = altair.Color("line:N", title=None)
    return altair.Chart(data).mark_line(point=True).encode(**encoded)
