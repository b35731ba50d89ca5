"""Makes the pictures of the studio that the README and the guide show. Usage: make pictures."""  # noqa: INP001

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"


def show_states(page: Page) -> None:
    """Show all four views, the states as a picture, and play a counterexample about knowledge."""
    page.locator("#pane-model").get_by_role("tab", name="States").click()
    page.locator("#pane-model g[data-box]").first.wait_for()
    play(page, "sender_notices_arrival")


def show_game(page: Page) -> None:
    """Show a strategy that somebody plays against."""
    play(page, "ann_can_win")
    run = page.locator("#pane-run")
    run.get_by_role("button", name="Play against it").click()
    run.get_by_role("group", name="Your moves").get_by_role("button").first.click()
    page.keyboard.press("Alt+3")
    page.wait_for_timeout(500)
    page.keyboard.press("Alt+m")


def play(page: Page, name: str) -> None:
    """Open the player with what supports a verdict."""
    page.wait_for_function("() => !document.querySelector('.check-bar')")
    page.locator("li.verdict", has_text=name).locator("button.verdict-main").click()
    page.locator("li.verdict.is-chosen").get_by_role("button", name="Play").click()
    page.locator("#pane-run").get_by_role("button", name="Close").wait_for()


def picture(
    browser: Browser, link: str, name: str, model: str, do: Callable[[Page], None], scheme: str
) -> None:
    """Take one picture."""
    size = {"width": 1400, "height": 860}
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    page.goto(f"{link.partition('/?')[0]}/?open={model}")
    page.locator("li.verdict").first.wait_for()
    do(page)
    page.mouse.move(1, 1)
    page.wait_for_timeout(1_500)
    page.screenshot(path=PICTURES / f"studio-{name}.png")
    context.close()


def main() -> None:
    """Take all of them."""
    PICTURES.mkdir(exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "gnomon",
        "studio",
        "--no-browser",
        "--no-store",
        "--port",
        "0",
    ]
    studio = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    assert studio.stdout is not None
    link = studio.stdout.readline().strip()
    try:
        with sync_playwright() as playwright:
            chromium = which("chromium") or which("google-chrome")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            picture(browser, link, "light", "bit_transmission", show_states, "light")
            picture(browser, link, "dark", "nim", show_game, "dark")
            browser.close()
    finally:
        studio.terminate()
        studio.wait(20)


if __name__ == "__main__":
    main()
