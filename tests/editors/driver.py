"""Steps of a person in the workbench. Every wait has an end."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # it need not be installed, as long as no browser is driven
    from playwright.sync_api import ConsoleMessage, Frame, Locator, Page

MOMENT: Final = 20_000
START: Final = 60_000
#: What is missing on purpose: translations, and settings of the folder.
_HARMLESS: Final = re.compile(r"Failed to load resource|package\.nls\.json")


class Workbench:
    """A page with the workbench in it."""

    def __init__(self, page: Page, address: str, pictures: Path) -> None:
        self._page = page
        self._pictures = pictures
        self._errors: list[str] = []
        page.set_default_timeout(MOMENT)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.goto(address)
        page.locator(".explorer-folders-view .monaco-list-row").first.wait_for(timeout=START)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not _HARMLESS.search(message.text):
            self._errors.append(message.text)

    def complaints(self) -> list[str]:
        """Return what the browser complained of since it was asked last."""
        errors, self._errors = self._errors, []
        return errors

    def complained(self, *words: str) -> bool:
        """Return whether the browser complained of all of this, and forget it."""
        heard = "\n".join(self.complaints())
        return all(word in heard for word in words)

    def picture(self, name: str) -> None:
        """Keep a picture of what is to be seen."""
        self._page.screenshot(path=self._pictures / f"{name}.png")

    def tidy(self) -> None:
        """Close whatever is open, without keeping changes."""
        self.press("Escape")
        self.run("View: Close All Editors")
        if self._page.locator(".part.panel").is_visible():
            self.press("Control+j")
        dialog = self._page.get_by_role("button", name="Don't Save")
        tabs = self._page.locator(".tabs-container .tab")
        end = time.monotonic() + MOMENT / 1000
        while tabs.count() > 0 and time.monotonic() < end:
            if dialog.is_visible():
                dialog.click()
            self._page.wait_for_timeout(100)
        assert 0 == tabs.count()

    def run(self, title: str) -> None:
        """Run a command by its name."""
        self._page.keyboard.press("F1")
        field = self._page.locator(".quick-input-widget input[aria-controls]")
        field.wait_for()
        field.fill(f">{title}")
        self._page.locator(".quick-input-list .monaco-list-row", has_text=title).first.wait_for()
        self._page.keyboard.press("Enter")
        field.wait_for(state="hidden")

    def open(self, name: str) -> None:
        """Open a model and wait until its text is there."""
        label = self._page.locator(".label-name", has_text=re.compile(rf"^{re.escape(name)}$"))
        self._page.locator(".explorer-folders-view .monaco-list-row", has=label).dblclick()
        self._page.locator(f".tab.active[data-resource-name='{name}']").wait_for()
        self._page.locator(".editor-instance .view-line").first.wait_for()
        self.focus()

    def focus(self) -> None:
        """Put the cursor into the editor."""
        self.run("View: Focus First Editor Group")

    def press(self, keys: str) -> None:
        """Press keys."""
        self._page.keyboard.press(keys)

    def type(self, text: str) -> None:
        """Type a text as a person would, so that what is offered while typing is offered."""
        self._page.keyboard.type(text, delay=20)

    def _lines(self) -> list[tuple[int, str]]:
        """Return the lines of the editor that are to be seen, with their numbers."""
        found: list[tuple[int, str]] = self._page.evaluate(
            """() => {
              const editor = document.querySelector(".editor-instance");
              if (editor === null) return [];
              const top = (piece) => parseFloat(piece.closest("[style*=top]").style.top);
              const numbers = [...editor.querySelectorAll(".margin-view-overlays .line-numbers")];
              const number = new Map(numbers.map((piece) => [top(piece), parseInt(piece.textContent)]));
              const lines = [...editor.querySelectorAll(".view-lines .view-line")];
              return lines.map((line) => [number.get(top(line)) ?? 0, line.textContent]);
            }"""
        )
        return sorted((number, text.replace("\xa0", " ")) for number, text in found)

    def text(self) -> str:
        """Return what is to be seen in the editor."""
        return "\n".join(text for _, text in self._lines())

    def shows(self, text: str) -> None:
        """Wait until a text is to be seen in the editor."""
        end = time.monotonic() + MOMENT / 1000
        while text not in self.text():
            assert time.monotonic() < end, f"no {text!r} in:\n{self.text()}"
            self._page.wait_for_timeout(50)

    def go(self, text: str, after: str | None = None) -> None:
        """Put the cursor behind a text that is to be seen, or behind the beginning of it."""
        self.shows(text)
        lines = self._lines()
        whole = "\n".join(line for _, line in lines)
        before = whole[: whole.index(text) + len(text if after is None else after)]
        line, column = lines[before.count("\n")][0], len(before.rpartition("\n")[2]) + 1
        self.press("Control+g")
        field = self._page.locator(".quick-input-widget input[aria-controls]")
        field.wait_for()
        field.fill(f":{line}:{column}")
        self._page.keyboard.press("Enter")
        field.wait_for(state="hidden")

    def visible(self, selector: str, text: str | None = None) -> Locator:
        """Wait until something is to be seen, and return it."""
        found = self._page.locator(selector, has_text=text).first
        found.wait_for()
        return found

    def gone(self, selector: str) -> None:
        """Wait until something is no longer there."""
        self._page.locator(selector).first.wait_for(state="detached")

    def colour(self, text: str) -> str:
        """Return the colour of a word of the editor, once it has one."""
        pieces = self._page.locator(".editor-instance .view-line span span")
        pattern = re.compile(
            rf"^{re.escape(text).replace(' ', chr(92) + 's')}".replace("\\\\s", "\\s")
        )
        word = pieces.filter(has_text=pattern).first
        word.wait_for()
        colour: str = word.evaluate("word => getComputedStyle(word).color")
        return colour

    def suggests(self, label: str, detail: str = "") -> None:
        """Wait until a completion is offered, and choose it."""
        widget = self._page.locator(".suggest-widget.visible")
        row = widget.locator(".monaco-list-row", has_text=label).filter(has_text=detail).first
        row.wait_for()
        end = time.monotonic() + MOMENT / 1000
        while "focused" not in (row.get_attribute("class") or ""):
            assert time.monotonic() < end, f"{label} cannot be chosen"
            self.press("ArrowDown")
            self._page.wait_for_timeout(100)

    def lens(self, text: str) -> Locator:
        """Return the lenses with a text, once there is one."""
        found = self._page.locator(
            ".codelens-decoration a", has_text=re.compile(text, re.IGNORECASE)
        )
        found.last.wait_for()
        return found

    def line_ends(self, start: str, end: str) -> None:
        """Wait until a line that starts like this has something like that behind it."""
        pattern = re.compile(rf"^\s*{start}.*;\s*{end}")
        self._page.locator(".editor-instance .view-line", has_text=pattern).first.wait_for()

    def panel(self) -> Frame:
        """Return the frame of the panel, once it is there."""
        end = time.monotonic() + MOMENT / 1000
        while time.monotonic() < end:
            for frame in self._page.frames:
                if "workbench.localhost" in frame.url and frame.locator("#rows").count() > 0:
                    return frame
            self._page.wait_for_timeout(100)
        raise AssertionError("there is no panel")

    def page_of(self, panel: Frame) -> Frame:
        """Return the frame of the page in the panel."""
        frame = panel.locator("#page").element_handle().content_frame()
        assert frame is not None
        return frame
