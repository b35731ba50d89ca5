"""Programs with parameters that are not decided: which line is in the way, and why."""

from collections.abc import Iterator

from gnomon.engines.parameterised.thresholds.automaton import OutsideFragment
from gnomon.engines.parameterised.thresholds.decide import ThresholdProgram
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source


def outside_fragment(system: OpenSystem, source: Source, budget: Budget) -> Iterator[Diagnostic]:
    """Yield why a program is none of those that are decided, where that is soon found."""
    try:
        ThresholdProgram(system, budget)
    except OutsideFragment as outside:
        yield as_diagnostic(outside, source)
    except LimitReached:
        return


def as_diagnostic(outside: OutsideFragment, source: Source) -> Diagnostic:
    """Return what is said of a program that is not decided."""
    span = source.line_span(outside.line) if outside.line else None
    return Diagnostic("G0725", outside.message, source, span, help=outside.help)
