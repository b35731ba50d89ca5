"""Plots for papers."""

import re

from gnomon.campaign.report.plot import Axis, Plot, PlotPoint, PlotSeries
from gnomon.campaign.report.plot_tikz import draw_tikz


def plot(*series: PlotSeries) -> Plot:
    return Plot("p", "seconds & n_1", Axis("n_1"), Axis("seconds", "log"), series)


def test_every_point_is_there_with_its_coordinates() -> None:
    points = (PlotPoint(1, 0.125), PlotPoint(2, 1e-3), PlotPoint(3, 12345678901.0))
    text = draw_tikz(plot(PlotSeries("a", points)))
    found = re.findall(r"\(([^,()]+),([^,()]+)\)", text.partition("coordinates")[2])

    assert [(point.x, point.y) for point in points] == [(float(x), float(y)) for x, y in found]


def test_names_are_text() -> None:
    text = draw_tikz(plot(PlotSeries(r"\input{secret} $ % _", (PlotPoint(1, 1),))))

    assert r"\input" not in text
    assert "n_1" not in text.replace(r"n\_1", "")


def test_environments_are_closed_and_go_by_the_scales() -> None:
    text = draw_tikz(plot(PlotSeries("a", (PlotPoint(1, 1, open=True),))))

    assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1]
    assert "semilogyaxis" in text
    assert "mark=o" in text
