"""The register of output formats: for all that can be shown, the names of its formats and their modules.

A new format is a module in `render` with the function that its protocol below asks for, and one line here.
A module is imported when its format is used for the first time: nobody waits for the others.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from gnomon.checking.verdict import Result, Verdict
    from gnomon.model.budget import Budget
    from gnomon.results.graph import PartOfGraph, StateGraph
    from gnomon.results.groups import WhoReport
    from gnomon.results.render.evidence.view import VerdictView
    from gnomon.results.styled import Page, StyledText

FormatModule = TypeVar("FormatModule")


class ResultsFormat(Protocol):
    """Shows all that `gnomon check` found; what programs read is `str`, what people read is `StyledText`."""

    def render(self, results: "list[Result]", page: "Page", /) -> "StyledText | str":
        """Return the whole document."""


@runtime_checkable
class StreamedFormat(Protocol):
    """A format of results that can also be printed piece by piece, as they are found."""

    def stream(self, page: "Page", /) -> "ResultStream":
        """Return what prints them."""


class ResultStream(Protocol):
    """Prints models one after the other: each begins, has verdicts in any order, and ends."""

    def on_start(self, begun: "Result", /) -> "StyledText | str":
        """Return what is printed before anything is decided; the verdicts in `begun` are all open."""

    def on_verdict(self, verdict: "Verdict", /) -> "StyledText | str":
        """Return what is printed as soon as a formula is decided."""

    def on_model(self, result: "Result", /) -> "StyledText | str":
        """Return what is printed once a model is done."""

    def on_end(self, results: "list[Result]", /) -> "StyledText | str":
        """Return what is printed once all models are done."""


class VerdictFormat(Protocol):
    """Explains one verdict by its evidence."""

    def explain(self, view: "VerdictView", /) -> "StyledText | str":
        """Return the whole document; raise `NothingToDraw` where it needs runs and there are none."""


class GraphFormat(Protocol):
    """Draws reachable states."""

    def render(self, graph: "StateGraph", budget: "Budget", /) -> str:
        """Return the picture; raise `LimitReached` where the budget ends before it is drawn."""


@runtime_checkable
class PartialGraphFormat(Protocol):
    """A format of graphs that can also show some of the states, where there is no time for all."""

    def render_part(self, graph: "StateGraph", budget: "Budget", /) -> "PartOfGraph":
        """Return the picture of as many states as the budget allows."""


class WhoFormat(Protocol):
    """Shows which groups can or know something."""

    def render(self, report: "WhoReport", page: "Page", /) -> "StyledText | str":
        """Return the whole document."""


class Register(Mapping[str, FormatModule]):
    """Formats by name, in the order in which help pages list them; to look one up imports its module."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        """Know the module of each format by its name inside `render`."""
        self._modules = modules

    def __getitem__(self, name: str) -> FormatModule:
        """Return the module of a format."""
        module: Any = import_module(f"gnomon.results.render.{self._modules[name]}")
        found: FormatModule = module
        return found

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._modules)

    def __len__(self) -> int:
        """Return how many formats there are."""
        return len(self._modules)


#: `gnomon check --format`.
RESULTS: Final = Register[ResultsFormat](
    {
        "text": "text",
        "json": "json",
        "jsonl": "jsonl",
        "csv": "csv",
        "sarif": "sarif",
        "junit": "junit",
    }
)

#: `gnomon explain-verdict --format`.
VERDICTS: Final = Register[VerdictFormat](
    {
        "text": "evidence.text",
        "json": "evidence.json",
        "dot": "evidence.dot",
        "mermaid": "evidence.mermaid",
        "svg": "evidence.svg",
        "tikz": "evidence.tikz",
        "itf": "evidence.itf",
        "html": "evidence.html",
    }
)

#: `gnomon show --graph`.
GRAPHS: Final = Register[GraphFormat](
    {
        "dot": "graph.dot",
        "mermaid": "graph.mermaid",
        "json": "graph.json",
        "svg": "graph.svg",
        "tikz": "graph.tikz",
    }
)

#: `gnomon who --format`.
WHO: Final = Register[WhoFormat](
    {
        "text": "who.text",
        "json": "who.json",
        "svg": "who.svg",
        "dot": "who.dot",
        "tikz": "who.tikz",
        "mermaid": "who.mermaid",
    }
)
