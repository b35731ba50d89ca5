"""Prints results in one of the formats; each format's module is imported only when it is used."""

from gnomon.checking.verdict import Result, Verdict
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.request import Format, Request
from gnomon.interfaces.cli.screen import Screen
from gnomon.model.system import System
from gnomon.results.render.text import Page


class Printer:
    """Prints results in the format that was asked for, as early as the format allows."""

    def __init__(self, request: Request, screen: Screen, file: OutputFile | None) -> None:
        self.request = request
        self.screen = screen
        self.file = file
        width = screen.width if file is None else 100
        self.page = Page(width, verbose=request.verbose, quiet=request.quiet)

    def verdict(self, model: str, verdict: Verdict, system: System | None) -> None:
        """Print one verdict where the format has a line for each."""
        if self.request.format == "jsonl" and self.file is None:
            from gnomon.results.render.jsonl import verdict_line

            self.screen.put(verdict_line(model, verdict, system))

    def model(self, result: Result) -> None:
        """Print one model where the format allows."""
        if self.file is not None:
            return
        if self.request.format == "text":
            from gnomon.results.render.text import render_model

            self.screen.write(render_model(result, self.page))
        elif self.request.format == "jsonl":
            from gnomon.results.render.jsonl import model_line

            self.screen.put(model_line(result))

    def finish(self, results: list[Result]) -> None:
        """Print what is left, or all of it into the file."""
        if self.file is not None:
            self.file.commit(rendered(self.request.format, results, self.page))
        elif self.request.format == "text" and not self.request.quiet:
            from gnomon.results.render.text import summary

            self.screen.write(summary(results))
        elif self.request.format in {"json", "sarif", "junit"}:
            self.screen.put(rendered(self.request.format, results, self.page))


def rendered(form: Format, results: list[Result], page: Page) -> str:
    """Return all results in one format."""
    match form:
        case "text":
            from gnomon.results.render import text

            return text.render(results, page).plain()
        case "json":
            from gnomon.results.render import json

            return json.render(results)
        case "jsonl":
            from gnomon.results.render import jsonl

            return jsonl.render(results)
        case "sarif":
            from gnomon.results.render import sarif

            return sarif.render(results)
        case "junit":
            from gnomon.results.render import junit

            return junit.render(results)
