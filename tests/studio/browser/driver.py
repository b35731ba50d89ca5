"""A studio that runs as a user starts it, and steps of a person in its page. Every wait has an end."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # it need not be installed, as long as no browser is driven
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

MOMENT: Final = 15_000
STATIC: Final = Path(__file__).parents[3] / "src/gnomon/interfaces/studio/static"


class RunningStudio:
    """The command, with the link that it has printed."""

    def __init__(self, path: Path | str | None, *more: str) -> None:
        given = [] if path is None else [str(path)]
        command = [sys.executable, "-m", "gnomon", "studio", *given, "--no-browser", *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        assert self.link.startswith("http://127.0.0.1:"), self.link

    @property
    def place(self) -> str:
        """The server without the token."""
        return self.link.partition("/?")[0]

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()


@contextmanager
def running_studio(path: Path | str | None, *more: str) -> Iterator[RunningStudio]:
    """Run the command as long as this lasts."""
    studio = RunningStudio(path, *(more or ("--no-store", "--port", "0")))
    try:
        yield studio
    finally:
        studio.stop()


class StudioPage:
    """A window with the studio in it, which must not complain and must not look for anything elsewhere."""

    def __init__(
        self,
        browser: Browser,
        studio: RunningStudio,
        *,
        dark: bool = False,
        size: tuple[int, int] = (1600, 1000),
        to: str = "",
    ) -> None:
        self.studio = studio
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",  # what fades in has too little contrast for a moment
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(MOMENT)
        self._watch(self.page)
        self.page.goto(studio.link)
        if to:
            self.page.goto(studio.place + to)

    def _watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._look)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _look(self, request: Request) -> None:
        # What a page makes itself (data:, blob:) is no request to anybody.
        if request.url.startswith(("http", "ws")) and not request.url.startswith(self.studio.place):
            self.elsewhere.append(request.url)

    def close(self) -> None:
        """End it; nothing may have gone wrong."""
        self.context.close()
        assert self.elsewhere == [], self.elsewhere
        assert self.errors == [], self.errors

    # Panes

    def pane(self, name: str) -> Locator:
        """Text, Verdicts, Run or Model."""
        return self.page.locator(f"#pane-{name.lower()}")

    @property
    def text(self) -> Locator:
        """The editor."""
        return self.pane("text").locator(".cm-content")

    def open_example(self, name: str) -> None:
        """Open a model of the gallery by its name."""
        self.page.goto(f"{self.studio.place}/?open={name}")
        self.wait_for_verdicts()

    def wait_for_verdicts(self) -> None:
        """Wait until all formulae are decided."""
        self.pane("verdicts").locator(".summary").wait_for()
        self.page.wait_for_function(
            "() => /expected/.test(document.querySelector('#pane-verdicts .summary')?.textContent ?? '')"
            " && !document.querySelector('.check-bar')"
        )

    def verdict(self, name: str) -> Locator:
        """The row of a formula."""
        named = self.page.locator(".verdict-name", has_text=re.compile(rf"^{re.escape(name)}$"))
        return self.pane("verdicts").locator("li.verdict", has=named)

    def play(self, name: str) -> None:
        """Open the player with what supports a verdict."""
        row = self.verdict(name).first
        row.locator("button.verdict-main").click()
        self.page.keyboard.press("Enter")
        self.pane("run").get_by_role("button", name="Close").wait_for()

    def type_at_end_of(self, line: str, words: str) -> None:
        """Put the cursor behind a line of the text, and type."""
        found = self.text.locator(".cm-line", has_text=line).first
        found.scroll_into_view_if_needed()
        found.click(position={"x": 20, "y": 8})  # a verdict at its end is a button
        self.page.keyboard.press("End")
        self.page.keyboard.type(words)

    def body(self) -> str:
        """All that can be read."""
        return self.page.inner_text("body")
