"""How long somebody waits in the studio: for the first view, for a verdict, for a picture, for a frame.

    .venv/bin/python benchmarks/studio.py

Needs Chromium, Playwright and the built page (`make web`). Times are those of this machine, idle or not: the
load is printed beside them.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
REPEATED = 5


def ring(agents: int, values: int) -> str:
    """Return a model with so many agents, of which one counts to so many values."""
    counter = (
        "Agent Environment\n"
        f"  Vars: n : 0..{values - 1}; end Vars\n"
        "  Actions = { up, jump, stay };\n"
        "  Protocol: Other : { up, jump, stay }; end Protocol\n"
        "  Evolution:\n"
        f"    n = n + 1 if Action = up and n < {values - 1};\n"
        f"    n = n + 7 if Action = jump and n < {values - 8};\n"
        f"    n = 0 if Action = up and n = {values - 1};\n"
        "  end Evolution\nend Agent\n"
    )
    watching = [
        f"Agent A{number}\n  Lobsvars = {{ n }};\n  Vars: seen : boolean; end Vars\n"
        "  Actions = { look };\n  Protocol: Other : { look }; end Protocol\n"
        "  Evolution: seen = true if seen = true; end Evolution\nend Agent\n"
        for number in range(1, agents)
    ]
    seen = " and ".join(f"A{number}.seen = false" for number in range(1, agents))
    return (
        counter
        + "".join(watching)
        + "Evaluation start if Environment.n = 0; end Evaluation\n"
        + f"InitStates Environment.n = 0 and {seen}; end InitStates\n"
        + "Formulae\n  AG EF start;\nend Formulae\n"
    )


@contextmanager
def studio(model: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "gnomon", "studio", str(model), "--no-browser", "--no-store"]
    process = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(20)


def first_view(browser: "Browser", link: str) -> tuple[float, "Page"]:
    """Return the seconds from following the link until the text can be read, in a new window."""
    page = browser.new_context(viewport={"width": 1600, "height": 1000}).new_page()
    started = time.perf_counter()
    page.goto(link, wait_until="commit")
    page.locator(".cm-line", has_text="Agent").first.wait_for()
    return time.perf_counter() - started, page


def to_a_verdict(page: "Page") -> float:
    """Return the seconds from the last key until a new formula has its verdict."""
    page.locator(".verdict-chip", has_text="true").first.wait_for()
    line = page.locator(".cm-line", has_text="end Formulae").first
    line.scroll_into_view_if_needed()
    line.click(position={"x": 5, "y": 8})
    page.keyboard.press("Home")
    number = page.locator("li.verdict").count()
    page.keyboard.type("  EF start")
    started = time.perf_counter()
    page.keyboard.type(";")
    page.locator("li.verdict").nth(number).locator(".verdict-chip", has_text="true").wait_for()
    return time.perf_counter() - started


FRAMES = """async () => {
  const frame = document.querySelector('#pane-model .pic-frame');
  const box = frame.getBoundingClientRect();
  const times = [];
  let last = performance.now();
  for (let i = 0; i < 90; i++) {
    const x = box.x + box.width / 2 + 60 * Math.sin(i / 9), y = box.y + box.height / 2;
    const deltaY = i % 30 < 15 ? -40 : 40, ctrlKey = i % 2 === 0;
    const how = { deltaY, ctrlKey, clientX: x, clientY: y, bubbles: true, cancelable: true };
    frame.dispatchEvent(new WheelEvent('wheel', how));
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times.slice(5);
}"""


def frames(page: "Page") -> tuple[float, float, float]:
    """Return the seconds until the states are drawn, and the median and the worst frame while zooming."""
    started = time.perf_counter()
    page.locator("#pane-model").get_by_role("tab", name="States").click()
    page.locator("#pane-model").get_by_label("How the states are folded").select_option("none")
    page.locator("#pane-model").get_by_label("The most boxes").select_option("400")
    page.wait_for_function(
        "() => document.querySelectorAll('#pane-model g[data-box]').length >= 400"
    )
    drawn = time.perf_counter() - started
    found = page.evaluate(FRAMES)
    return drawn, statistics.median(found), max(found)


def main() -> None:
    from playwright.sync_api import sync_playwright

    chromium = which("chromium") or which("google-chrome")
    if chromium is None:
        sys.exit("there is no chromium")
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        small, large = Path(folder, "small.ispl"), Path(folder, "large.ispl")
        small.write_text(ring(3, 20), encoding="utf-8")
        large.write_text(ring(40, 400), encoding="utf-8")
        with studio(small) as link:
            views, verdicts = [], []
            for _ in range(REPEATED):
                seconds, page = first_view(browser, link)
                views.append(seconds)
                verdicts.append(to_a_verdict(page))
                page.context.close()
        print(f"first view: median {statistics.median(views):.2f} s, worst {max(views):.2f} s")
        print(
            f"last key to verdict: median {statistics.median(verdicts):.2f} s, worst {max(verdicts):.2f} s"
        )
        with studio(large) as link:
            seconds, page = first_view(browser, link)
            drawn, median, worst = frames(page)
            print(
                f"40 agents, 400 states: first view {seconds:.2f} s, states drawn after {drawn:.2f} s, "
                f"frame median {median:.0f} ms, worst {worst:.0f} ms"
            )
        browser.close()


if __name__ == "__main__":
    main()
