"""A model full of markup is text everywhere, and everybody can use the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browsing import missing
from tests.studio.browser.driver import RunningStudio, StudioPage
from tests.support import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Dialog

pytestmark = pytest.mark.slow

Window = Callable[..., StudioPage]
OwnStudio = Callable[[str], RunningStudio]

SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
HOSTILE = f"""\
-- {SCRIPT}
Agent Environment
  Vars: n : 0..3; end Vars
  Actions = {{ up, stay }};
  Protocol: Other : {{ up, stay }}; end Protocol
  Evolution: n = n + 1 if Action = up and n < 3; end Evolution
end Agent

Agent Watcher -- {SCRIPT}
  Lobsvars = {{ n }};
  Vars: awake : boolean; end Vars
  Actions = {{ watch }};
  Protocol: Other : {{ watch }}; end Protocol
  Evolution: awake = true if Environment.Action = up; end Evolution
end Agent

Evaluation
  full if Environment.n = 3; -- {SCRIPT}
end Evaluation

InitStates Environment.n = 0 and Watcher.awake = false; end InitStates

Formulae
  --! can_fill
  EF full; -- {SCRIPT}
  AF full;
  AG {SCRIPT};
end Formulae
"""


def test_markup_in_a_model_is_text(own_studio: OwnStudio, window: Window) -> None:
    page = window(own_studio(HOSTILE))
    asked: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.page.on("dialog", dismiss)
    page.page.locator(".cm-lintRange-error").first.wait_for()
    page.page.locator(".cm-lintRange-error").first.hover()
    page.page.locator(".cm-tooltip").first.wait_for()
    field = page.text.locator(".cm-line", has_text="full if").first
    field.hover(position={"x": 20, "y": 8})
    page.page.wait_for_timeout(800)

    assert not asked
    assert page.page.locator("img[src=x]").count() == 0
    assert page.page.locator("body script").count() == 1  # our own


def axe_findings(page: StudioPage) -> list[dict[str, Any]]:
    script = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        missing("axe-core: run `npm ci` in web")
    page.page.evaluate(script.read_text(encoding="utf-8"))
    found = page.page.evaluate(
        "async () => (await axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']})).violations"
        ".filter(each => ['serious', 'critical'].includes(each.impact))"
        ".map(each => ({id: each.id, at: each.nodes.slice(0, 3).map(node => node.html)}))"
    )
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(studio: RunningStudio, window: Window, dark: bool) -> None:
    page = window(studio, to="/?open=bit_transmission", dark=dark)
    page.wait_for_verdicts()

    assert axe_findings(page) == []
    page.pane("model").get_by_role("tab", name="States").click()
    page.pane("model").locator("g[data-box]").first.wait_for()
    page.play("sender_notices_arrival")

    assert axe_findings(page) == []
    for name in ("Gallery", "Who can?", "Share", "Help: keys and signs"):
        page.page.get_by_role("button", name=name, exact=True).first.click()
        page.page.locator("dialog[open]").wait_for()

        assert axe_findings(page) == [], name
        page.page.keyboard.press("Escape")
        page.page.locator("dialog[open]").wait_for(state="detached")


def test_verdicts_are_told_to_those_who_listen(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    field = page.pane("verdicts").get_by_label("A formula of your own")
    field.fill("EF received")
    field.press("Enter")
    page.page.wait_for_function(
        "() => /true/.test(document.querySelector('#announcements')?.textContent ?? '')"
    )


def test_half_a_screen_is_enough(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission", size=(720, 900))
    for name in ("Verdicts", "Run", "Model", "Text"):
        page.page.get_by_role("tab", name=re.compile(f"^{name}")).first.click()
        page.pane(name).wait_for()
        wide = page.page.evaluate("document.documentElement.scrollWidth")

        assert wide <= 720


def test_panes_are_reached_by_keys(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    for number, name in enumerate(("text", "verdicts", "run", "model"), 1):
        page.page.keyboard.press(f"Alt+{number}")
        page.page.wait_for_function(
            f"() => document.activeElement?.closest('.pane')?.id === 'pane-{name}'"
        )


def test_the_folder_of_the_page_has_no_address_of_elsewhere() -> None:
    static = ROOT / "src/gnomon/interfaces/studio/static"
    if not (static / "app.js").is_file():
        missing("page of the studio: run `make web`")
    page = Path(static / "index.html").read_text(encoding="utf-8")

    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
