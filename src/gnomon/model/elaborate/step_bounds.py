"""The bounds of operators of time: numbers of steps."""

from gnomon.language import syntax
from gnomon.model.windows import MOST_STEPS
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.numbers import show_integer


def checked_bounds(bounds: syntax.Bounds, diagnostics: Diagnostics) -> tuple[int, int]:
    """Return the first and the last step, which are numbers by now; report those that make no sense."""
    assert isinstance(bounds.low, syntax.Number)
    assert isinstance(bounds.high, syntax.Number)
    low, high = bounds.low.value, bounds.high.value
    if not 0 <= low <= high:
        shown = f"from {show_integer(low)} to {show_integer(high)}"
        raise diagnostics.fail(
            "G0609",
            f"there are no steps {shown}",
            bounds.span,
            help="bounds are numbers from 0 on, the smaller one first",
        )
    if high > MOST_STEPS:
        raise diagnostics.fail(
            "G0610",
            f"more than {MOST_STEPS:,} steps are not counted",
            bounds.span,
            help="without bounds, as many steps count as there are",
        )
    return low, high
