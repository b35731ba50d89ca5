"""The plots of a report: time and memory against size, how many are decided in time, one against another."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from gnomon.campaign.report.measured import CheckSetup, Measured, MeasuredJob
from gnomon.campaign.report.plot import Axis, Plot, PlotPoint, PlotSeries

#: No clock is more exact than that.
_LEAST: Final = 0.001
#: A page with more pairs than that is no report.
_MOST_PAIRS: Final = 6


def plots(found: Measured) -> Iterator[Plot]:
    """Yield the plots that have something to show."""
    yield from _against_size(found)
    yield from _cactus(found)
    yield from _scatters(found)


def _against_size(found: Measured) -> Iterator[Plot]:
    for model in sorted({job.sized.model for job in found.jobs}):
        jobs = [job for job in found.jobs if job.sized.model == model]
        for constant in _varying(jobs):
            for measure, title in (("seconds", "time (s)"), ("memory", "memory (MB)")):
                series = tuple(_sizes(jobs, constant, measure))
                axis = Axis(title, "log" if measure == "seconds" else "linear")
                name = f"{measure}-{constant}-{model}"
                yield Plot(name, f"{title} of {model}", Axis(constant), axis, series)


def _varying(jobs: list[MeasuredJob]) -> list[str]:
    """Return the constants that have several values."""
    values: defaultdict[str, set[int]] = defaultdict(set)
    for job in jobs:
        for name, value in job.sized.constants:
            values[name].add(value)
    return [name for name, found in values.items() if len(found) > 1]


def _sizes(jobs: list[MeasuredJob], constant: str, measure: str) -> Iterator[PlotSeries]:
    """Yield a series for each configuration, and for each choice of the other constants that vary."""
    varying = set(_varying(jobs)) - {constant}
    grouped: defaultdict[tuple[CheckSetup, str], list[PlotPoint]] = defaultdict(list)
    for job in jobs:
        worth = dict(job.sized.constants)
        if constant not in worth:
            continue
        others = ", ".join(f"{name}={worth[name]}" for name in sorted(varying & set(worth)))
        value = max(getattr(job, measure), _LEAST)
        said = f"{job.sized.label}, {job.configuration.label}: {value:.3f}"
        point = PlotPoint(float(worth[constant]), value, said, open=not job.solved)
        grouped[job.configuration, others].append(point)
    for (configuration, others), points in sorted(grouped.items()):
        name = " ".join(part for part in (configuration.label, others) if part)
        yield PlotSeries(name, tuple(sorted(points)))


def _cactus(found: Measured) -> Iterator[Plot]:
    """Yield how many models each configuration decides, each within a time."""
    if len(found.jobs) < 2:
        return
    series = []
    for configuration in found.configurations:
        jobs = [job for job in found.jobs if job.configuration == configuration and job.solved]
        points = [
            PlotPoint(place, max(job.seconds, _LEAST), f"{job.sized.model} {job.sized.label}")
            for place, job in enumerate(sorted(jobs, key=lambda job: job.seconds), 1)
        ]
        series.append(PlotSeries(f"{configuration.label}: {len(points)} decided", tuple(points)))
    x, y = Axis("models decided"), Axis("time of each (s)", "log")
    yield Plot("cactus", "How many are decided, each within a time", x, y, tuple(series))


def _scatters(found: Measured) -> Iterator[Plot]:
    """Yield plots of one configuration against another, a point a model."""
    by: defaultdict[CheckSetup, dict[object, MeasuredJob]] = defaultdict(dict)
    for job in found.jobs:
        by[job.configuration][job.sized] = job
    for one, two in list(combinations(found.configurations, 2))[:_MOST_PAIRS]:
        points = tuple(
            PlotPoint(
                max(job.seconds, _LEAST),
                max(by[two][sized].seconds, _LEAST),
                f"{job.sized.model} {job.sized.label}",
                open=not (job.solved and by[two][sized].solved),
            )
            for sized, job in by[one].items()
            if sized in by[two]
        )
        if points:
            title = f"{one.label} against {two.label}"
            x, y = Axis(f"{one.label} (s)", "log"), Axis(f"{two.label} (s)", "log")
            series = (PlotSeries("a model each; hollow: not decided by both", points, line=False),)
            yield Plot(f"scatter-{one.label}-{two.label}", title, x, y, series, diagonal=True)
