"""How far a check is, where somebody waits for it in a notebook: one line that goes away at the end."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final, Self

from gnomon.api.asking import must_be_one_of
from gnomon.checking.options import Options
from gnomon.model.budget import Details, Report, no_details

#: What is over sooner shows nothing.
_PATIENCE: Final = 1.5
#: Every line is a message to the page.
_PAUSE: Final = 0.5
_NUMBERS = count(1)


def kernel_shell() -> Any:
    """Return IPython's shell where a notebook runs, None elsewhere; nothing is imported for that."""
    ipython = sys.modules.get("IPython")
    find = getattr(ipython, "get_ipython", None)
    shell = None if find is None else find()
    return shell if hasattr(shell, "kernel") else None


class CheckWatch:
    """Shows what is being done once it takes long, and nothing any more once it is left.

    In notebooks it is shown unless somebody says no, elsewhere where somebody says yes: on standard error.
    """

    def __init__(
        self, name: str, of: int = 0, what: str = "formulae", *, wanted: bool | None = None
    ) -> None:
        """Watch the check of a model by that name, `of` so many things."""
        must_be_one_of("progress", wanted, (True, False, None))
        self._shell: Any = None if wanted is False else kernel_shell()
        self._is_shown = self._shell is not None or wanted is True
        self._name = name
        self._what = what
        self.of = of
        self.done: int = 0
        self._last: tuple[str, str, int, Details] = ("", "", 0, no_details)
        self._started = time.monotonic()
        self._due = self._started + _PATIENCE
        self._display = ""
        self._drawn = 0

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take it away."""
        if self._display:
            self._publish({"text/plain": "", "text/html": ""})
        if self._drawn:
            _write("\r" + " " * self._drawn + "\r")
            self._drawn = 0

    def hears(self, report: Report | None) -> Report | None:
        """Return who is told of progress: this, and whoever was given."""
        Options(report=report)  # which refuses what is no function
        if not self._is_shown:
            return report

        def both(task: str, phase: str, amount: int, details: Details) -> None:
            if report is not None:
                report(task, phase, amount, details)
            self._told(task, phase, amount, details)

        return both

    @property
    def counts(self) -> Callable[[object], None] | None:
        """Return who is told of each verdict, None where nothing is shown."""
        return self.count if self._is_shown else None

    @property
    def meanwhile(self) -> Callable[[], None] | None:
        """Return who is called now and then, None where nothing is shown."""
        return self.look if self._is_shown else None

    def count(self, _: object = None) -> None:
        """Count one of them."""
        self.done += 1
        self.look()

    def look(self) -> None:
        """Draw the line where it is time for it; called very often."""
        if self._is_shown and time.monotonic() >= self._due:
            self._draw()

    def _told(self, task: str, phase: str, amount: int, details: Details) -> None:
        self._last = (task, phase, amount, details)
        self.look()

    def _words(self) -> str:
        done = f"{self.done} of {self.of} {self._what}" if self.of else ""
        seconds = f"{time.monotonic() - self._started:.0f} s"
        task, phase, amount, details = self._last
        parts = [done, task, f"{phase} {amount:,}" if amount else phase, details(), seconds]
        return f"{self._name}: {' · '.join(part for part in parts if part)}"

    def _draw(self) -> None:
        self._due = time.monotonic() + _PAUSE
        if self._shell is None:
            line = self._words()[:100]
            _write(f"\r{line}{' ' * (self._drawn - len(line))}")
            self._drawn = max(self._drawn, len(line))
            return
        from gnomon.results.render.notebook import progress

        words = self._words()
        self._publish(
            {"text/plain": words, "text/html": progress.render(words, self.done, self.of)}
        )

    def _publish(self, data: dict[str, str]) -> None:
        is_new = not self._display
        self._display = self._display or f"gnomon-progress-{next(_NUMBERS)}-{id(self)}"
        transient = {"display_id": self._display}
        with suppress(Exception):  # shells differ, and no check fails for want of a line
            self._shell.display_pub.publish(data=data, transient=transient, update=not is_new)


def _write(text: str) -> None:
    """Write to standard error, where there is one: it may be closed, or full."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()
