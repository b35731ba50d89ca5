"""One line on a terminal that says what is being done."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from gnomon.interfaces.cli.screen import width_of
from gnomon.model.budget import Details, no_details
from gnomon.results.styled import visible

#: Redrawn at most ten times a second, and not at all for what is over at once.
_PAUSE = 0.1
_PATIENCE = 0.4
_CLEAR = "\r\x1b[K"


class ProgressLine:
    """The phase and its count, redrawn in place and gone at the end."""

    __slots__ = ("_due", "_model", "_shown", "_started", "stream")

    def __init__(self, stream: TextIO | None = None) -> None:
        """Draw on a stream, standard error unless another is given."""
        self.stream = sys.stderr if stream is None else stream
        self._started = time.monotonic()
        self._due = self._started + _PATIENCE
        self._shown = False
        self._model = ""

    def start(self, model: str, already: float = 0.0) -> None:
        """Begin with another model, or go on with one that has taken so many seconds already."""
        self.clear()
        self._model = model
        self._started = time.monotonic() - already
        self._due = self._started + _PATIENCE

    def reading(self) -> None:
        """Show that the model is being read; called now and then."""
        self.report("", "reading", 0, no_details)

    def report(self, task: str, phase: str, amount: int, details: Details) -> None:
        """Show a task, its phase and how far that has come; called very often."""
        if not self._is_due():
            return
        now = time.monotonic()
        count = f"{amount:,}" if amount else ""
        done = " ".join(word for word in (phase, count) if word)
        parts = (task, done, details(), f"{now - self._started:.0f} s")
        line = f"{self._model}: {' · '.join(part for part in parts if part)}"
        self._show(line)

    def bar(self, line: Callable[[int], str]) -> None:
        """Show a line made for so many columns; called very often."""
        if self._is_due():
            self._show(line(width_of(self.stream) - 1))

    def _is_due(self) -> bool:
        now = time.monotonic()
        if now < self._due:
            return False
        self._due = now + _PAUSE
        return True

    def _show(self, line: str) -> None:
        self._draw(f"{_CLEAR}{visible(line, '')[: width_of(self.stream) - 1]}")
        self._shown = True

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            self._draw(_CLEAR)
            self._shown = False

    def _draw(self, line: str) -> None:
        """Write, if that can be done: nothing depends on it."""
        encoding = getattr(self.stream, "encoding", None) or "utf-8"
        with suppress(
            OSError, ValueError, RuntimeError
        ):  # it may come in the middle of another word
            self.stream.write(line.encode(encoding, "backslashreplace").decode(encoding))
            self.stream.flush()
