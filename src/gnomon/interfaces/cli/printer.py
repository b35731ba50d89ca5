"""Prints what was found: on the screen as early as the format allows, or whole into a file."""

import time
from collections.abc import Iterable, Iterator

from gnomon.checking.verdict import Result, Verdict
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen
from gnomon.results.extent import FULL, Extent
from gnomon.results.formats import RESULTS, ResultStream, StreamedFormat
from gnomon.results.styled import Page, StyledText

#: The width of a file: it may be read anywhere.
_FILE = 100
#: So many seconds a verdict waits for those before it: what is over soon is read in the file's order.
PATIENCE = 0.5


class VerdictQueue:
    """Verdicts in the order of their formulae, unless that would keep somebody waiting."""

    def __init__(self, patience: float) -> None:
        """Let verdicts wait for so many seconds."""
        self._patience = patience
        self.start(())

    def start(self, numbers: Iterable[int]) -> None:
        """Wait for verdicts on these formulae."""
        self._numbers = list(numbers)
        self._places = {number: place for place, number in enumerate(self._numbers)}
        self._next = 0
        #: Those that wait, the first since longest, each with the time at which it came.
        self._held: dict[int, tuple[float, Verdict]] = {}
        self._gone: set[int] = set()

    def add(self, verdict: Verdict) -> None:
        """Take a verdict that was just told."""
        self._held[verdict.index] = (time.monotonic(), verdict)

    def has_due(self) -> bool:
        """Return whether it is some verdict's turn."""
        waiting = self._next < len(self._numbers) and self._numbers[self._next] in self._held
        return waiting or self._waited() >= self._patience

    def due(self, *, everything: bool = False) -> Iterator[Verdict]:
        """Yield those whose turn it is, and all where one has waited for too long."""
        while self._next < len(self._numbers):
            number = self._numbers[self._next]
            if number in self._held:
                yield self._held.pop(number)[1]
            elif number not in self._gone:
                break
            self._next += 1
        if everything or self._waited() >= self._patience:
            for number in sorted(self._held, key=self._places.__getitem__):
                self._gone.add(number)
                yield self._held.pop(number)[1]

    def _waited(self) -> float:
        """Return how long the first of those that wait has waited."""
        since = next((since for since, _ in self._held.values()), None)
        return -1.0 if since is None else time.monotonic() - since


class Printer:
    """Prints results in the format that was asked for, as early as the format allows."""

    def __init__(self, request: Request, screen: Screen, file: OutputFile | None) -> None:
        self.screen = screen
        self.file = file
        self.page = page_for(request, screen, file)
        self.format = RESULTS[request.format]
        self.stream: ResultStream | None = None
        self._told = 0
        if file is None and isinstance(self.format, StreamedFormat):
            self.stream = self.format.stream(self.page)
        patience = PATIENCE if request.format == "text" else 0.0
        self.queue = VerdictQueue(patience)

    def start(self, begun: Result) -> None:
        """Get ready for one model, of which nothing is decided yet."""
        self.queue.start(verdict.index for verdict in begun.verdicts)
        if self.stream is not None:
            put(self.stream.on_start(begun), self.screen)

    def verdict(self, verdict: Verdict) -> None:
        """Print one verdict where the format allows, and now or soon."""
        self.queue.add(verdict)
        self.print_due()

    def has_due(self) -> bool:
        """Return whether there is something to print."""
        return self.queue.has_due()

    def print_due(self, *, everything: bool = False) -> None:
        """Print the verdicts that have waited long enough, or all of them."""
        for verdict in self.queue.due(everything=everything):
            if self.stream is not None:
                put(self.stream.on_verdict(verdict), self.screen)

    def model(self, result: Result) -> None:
        """Print one model where the format allows."""
        self.print_due(everything=True)
        self._told += 1
        if self.stream is not None:
            put(self.stream.on_model(result), self.screen)

    def finish(self, results: list[Result], status: int) -> None:
        """Print what is left, or all of it into the file; the command ends with this status."""
        page = self.page._replace(status=status)
        if self.stream is None:
            put(self.format.render(results, page), self.screen, self.file)
            return
        for result in results[self._told :]:
            self.model(result)
        put(self.stream.on_end(results), self.screen)


def page_for(request: Request, screen: Screen, file: OutputFile | None) -> Page:
    """Return the page that a reader of the screen, or of the file, has."""
    width = screen.width if file is None else _FILE
    return Page(width, verbose=request.verbose, quiet=request.quiet, extent=extent_of(request))


def extent_of(request: Request) -> Extent:
    """Return how much of the evidence is wanted."""
    if request.full or request.verbose:
        return FULL
    return Extent(request.max_runs, request.max_lines, brief=request.brief)


def put(shown: StyledText | str, screen: Screen, file: OutputFile | None = None) -> None:
    """Print what people read, or what programs read, on the screen or into a file."""
    if file is not None:
        file.commit(shown.plain() if isinstance(shown, StyledText) else shown)
    elif isinstance(shown, StyledText):
        screen.write(shown)
    elif shown:
        screen.put(shown)
