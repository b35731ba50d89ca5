"""Results as JSON lines: one object a formula as soon as it is decided, then one a model."""

from gnomon.checking.verdict import Result, Verdict
from gnomon.model.system import System
from gnomon.results.data import of_result, of_verdict
from gnomon.results.render.json import compact


def render(results: list[Result]) -> str:
    """Return all lines of all results."""
    return "".join(
        "".join(verdict_line(result.model, verdict, result.system) for verdict in result)
        + model_line(result)
        for result in results
    )


def verdict_line(model: str, verdict: Verdict, system: System | None) -> str:
    """Return the line of one formula."""
    return _line({"type": "formula", "model": model, **of_verdict(verdict, system)})


def model_line(result: Result) -> str:
    """Return the line that closes a model: all but its formulae, and how many there were."""
    whole = of_result(result)
    whole["formulae"] = len(result)
    return _line({"type": "model", **whole})


def _line(value: object) -> str:
    return compact(value) + "\n"
