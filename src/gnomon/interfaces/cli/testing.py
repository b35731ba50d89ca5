"""The work behind `gnomon test`: have the models tested, print as results come in, and return the status."""

import os
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import fields
from typing import Any

import click

from gnomon.checking.batch import CaseResult, ModelCase, Outcome, outcomes, run_cases
from gnomon.checking.cores import usable_cores
from gnomon.checking.keyword_expression import BadSelection, Selection, selection
from gnomon.checking.options import Options
from gnomon.interfaces.cli.checking import progress_on
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.screen import ReaderGone, Screen, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.results.render import test_report
from gnomon.results.styled import Page
from gnomon.text.diagnostic import InputError
from gnomon.text.ending import Terminated


def selected(expression: str) -> Selection:
    """Return what an expression of `-k` means."""
    try:
        return selection(expression)
    except BadSelection as error:
        raise click.UsageError(f"-k '{expression[:200]}' cannot be read: {error}") from error


def options_of(given: dict[str, Any]) -> Options:
    """Return how to check: those of the options on the command line that are about that."""
    known = {field.name for field in fields(Options)}
    if given["uniform_group"] and given["strategies"] != "uniform-model":
        raise click.UsageError("--uniform-group goes with --strategies uniform-model")
    try:
        return Options(**{name: value for name, value in given.items() if name in known})
    except InputError as error:
        raise click.UsageError(error.diagnostics[0].message) from error


class Trial:
    """Models under test."""

    def __init__(
        self,
        cases: list[ModelCase],
        options: Options,
        screen: Screen,
        reports: Mapping[str, OutputFile],
        given: dict[str, Any],
    ) -> None:
        """Test these models; results go to the screen, and to the reports that are wanted, by formats."""
        self._cases = cases
        self._options = options
        self._screen = screen
        self._reports = reports
        self._most = 1 if given["exitfirst"] else given["maxfail"]
        self._durations = given["durations"]
        self._at_once = min(given["jobs"] or usable_cores(), len(cases))
        self._page = Page(screen.width, verbose=given["verbose"], quiet=given["quiet"])
        self._errors = standard_error(no_color=given["no_color"])
        self._progress = progress_on(self._errors, wanted=given["progress"])
        self._tested: list[CaseResult] = []

    def run(self) -> int:
        """Test them and return the status; whatever happens, what was found by then is told."""
        started = time.monotonic()
        stopped, status = "", None
        self._screen.write(test_report.header(len(self._cases), self._at_once, self._page))
        if self._progress is not None:
            self._progress.start("testing")
        try:
            stopped = self._test()
        except KeyboardInterrupt:
            stopped, status = self._early("interrupted"), Status.INTERRUPTED
        except Terminated:
            stopped, status = self._early("terminated"), Status.TERMINATED
        except (ReaderGone, click.ClickException, OSError):
            raise  # there is nobody left to tell
        except Exception:
            self._finish(time.monotonic() - started, self._early("a fault of gnomon's"), Status.BUG)
            raise
        self._finish(time.monotonic() - started, stopped, status)
        return self._status() if status is None else status

    def _test(self) -> str:
        """Test until all is done or enough has failed; return why it ended early."""
        failed = 0
        with closing(run_cases(self._cases, self._options, self._at_once, self._look)) as found:
            for tested in found:
                self._tested.append(tested)
                if self._progress is not None:
                    self._progress.clear()
                percent = 100 * len(self._tested) // len(self._cases)
                self._screen.write(test_report.model(tested, percent, self._page))
                failed += sum(each is not Outcome.PASSED for each in outcomes(tested.result))
                if self._most is not None and failed >= self._most:
                    return self._early(f"stopping after {failed} failure{'s' * (failed > 1)}")
        return ""

    def _early(self, why: str) -> str:
        return f"{why}: {len(self._tested)} of {len(self._cases)} models were tested"

    def _look(self, done: int, under_way: tuple[int, ...]) -> None:
        if self._progress is not None:
            names = ", ".join(os.path.basename(self._cases[place].path) for place in under_way)
            self._progress.report(f"{done} of {len(self._cases)} models", "", 0, lambda: names)

    def _finish(self, seconds: float, stopped: str, status: int | None = None) -> None:
        if self._progress is not None:
            self._progress.clear()
        reading = self._options.strategies
        options = "" if reading == "perfect" else f" --strategies {reading}"
        if self._options.uniform_group:
            options += f" --uniform-group {self._options.uniform_group}"
        summary = test_report.Summary(self._tested, seconds, self._durations, options, stopped)
        self._screen.write(test_report.end(summary, self._page))
        results = [each.result for each in self._tested if any(outcomes(each.result))]
        if "junit" in self._reports:
            from gnomon.results.render import junit

            self._reports["junit"].commit(junit.render(results))
        if "sarif" in self._reports:
            from gnomon.results.render import sarif

            found = self._status() if status is None else status
            self._reports["sarif"].commit(sarif.render_findings(results, Page(status=found)))

    def _status(self) -> int:
        found = {each for tested in self._tested for each in outcomes(tested.result)}
        if Outcome.ERROR in found or not found:
            return Status.BAD_INPUT
        if Outcome.FAILED in found:
            return Status.REFUTED
        return Status.OPEN if Outcome.UNDECIDED in found else Status.DONE
