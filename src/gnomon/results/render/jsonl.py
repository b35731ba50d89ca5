"""Results as JSON lines: one object a formula as soon as it is decided, then one a model.

Of a model that cannot be checked there is the line of the model, with what is wrong.
"""

from gnomon.checking.verdict import Result, Verdict
from gnomon.results.data import of_result, of_verdict
from gnomon.results.render.json import compact
from gnomon.results.styled import Page


def render(results: list[Result], page: Page = Page()) -> str:
    """Return all lines of all results."""
    return "".join(
        "".join(on_verdict(result, verdict) for verdict in result) + on_model(result, page)
        for result in results
    )


def on_verdict(about: Result, verdict: Verdict) -> str:
    """Return the line of one formula, with what tells its model from others."""
    head = {"type": "formula", "model": about.model, "constants": dict(about.constants)}
    return _line({**head, **of_verdict(verdict, about.system)})


def on_model(result: Result, _page: Page) -> str:
    """Return the line that closes a model: all but its formulae, and how many there were."""
    whole = of_result(result)
    whole["formulae"] = len(result)
    return _line({"type": "model", **whole})


def stream(page: Page) -> "LineStream":
    """Return what prints results line by line."""
    return LineStream(page)


class LineStream:
    """The same lines, one by one."""

    def __init__(self, page: Page) -> None:
        """Print on this page."""
        self._page = page
        self._about: Result | None = None

    def on_start(self, begun: Result) -> str:
        """Get ready for a model."""
        self._about = begun
        return ""

    def on_verdict(self, verdict: Verdict) -> str:
        """Return the line of one formula."""
        assert self._about is not None  # verdicts come after the start of their model
        return on_verdict(self._about, verdict)

    def on_model(self, result: Result) -> str:
        """Return the line that closes a model."""
        return on_model(result, self._page)

    def on_end(self, _results: list[Result]) -> str:
        """Return nothing: every line has been printed."""
        return ""


def _line(value: object) -> str:
    return compact(value) + "\n"
