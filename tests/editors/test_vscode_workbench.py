"""The extension in the real workbench of VS Code, with the real language server, as a person meets it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.driver import Workbench
from tests.editors.relay import relay
from tests.editors.workbench import Served, serve
from tests.support import ROOT

if TYPE_CHECKING:  # it need not be installed
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

BITS = (ROOT / "examples" / "bit_transmission.ispl").read_text()
SMALL = """\
Agent Environment
  Vars:
    light : { red, green };
  end Vars
end Agent

Agent Driver
  Vars:
    moving : boolean;
  end Vars
  Actions = { go, wait };
  Protocol:
    Other : { go, wait };
  end Protocol
  Evolution:
    moving = true if Action = go;
  end Evolution
end Agent

Evaluation
  on_the_way if Driver.moving = true;
end Evaluation

InitStates
  Driver.moving = false and Environment.light = red;
end InitStates

Formulae
  can_go : EF on_the_way expect true;
  must_go : AF on_the_way expect true;
end Formulae
"""
WRONG = SMALL.replace("Other : { go, wait }", "Other : { go, wiat }")
#: One for each test, because what is typed is saved at once.
MODELS = {
    "agent.ispl": SMALL,
    "bits.ispl": BITS,
    "checked.ispl": SMALL,
    "drawn.ispl": SMALL,
    "evil.ispl": SMALL,
    "explained.pmas": SMALL,
    "followed.ispl": SMALL,
    "keys.ispl": SMALL,
    "mended.ispl": WRONG,
    "mistake.ispl": WRONG,
    "names.ispl": SMALL,
    "often.ispl": SMALL,
    "remarked.ispl": SMALL,
    "renamed.ispl": SMALL,
    "tested.ispl": SMALL,
}


@pytest.fixture(scope="module")
def workbench(
    browser: Browser,
    extension: Path,
    language_server: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Workbench]:
    pictures = tmp_path_factory.mktemp("pictures")
    with relay(language_server) as port:
        settings = {"gnomon.server.url": f"ws://127.0.0.1:{port}"}
        with serve(Served(MODELS, settings)) as address:
            page = browser.new_page(viewport={"width": 1500, "height": 950})
            yield Workbench(page, address, pictures)
            page.close()


@pytest.fixture(autouse=True)
def _a_picture_of_each(workbench: Workbench, request: pytest.FixtureRequest) -> Iterator[None]:
    workbench.tidy()
    yield
    workbench.picture(request.node.name)
    assert [] == workbench.complaints()


def test_words_names_and_comments_have_colours_of_their_own(workbench: Workbench) -> None:
    workbench.open("bits.ispl")

    colours = {
        word: workbench.colour(word)
        for word in ("-- The bit transmission protocol.", "Agent", "channel")
    }
    assert 3 == len(set(colours.values())), colours


def test_a_mistake_has_a_squiggle_and_an_entry_among_the_problems(workbench: Workbench) -> None:
    workbench.open("mistake.ispl")

    workbench.visible(".squiggly-error")
    workbench.run("View: Toggle Problems")
    problem = workbench.visible(".markers-panel .monaco-list-row", "wiat")
    assert "G0204" in problem.inner_text()


def test_a_mistake_is_mended_by_what_is_offered(workbench: Workbench) -> None:
    workbench.open("mended.ispl")
    workbench.visible(".squiggly-error")

    workbench.go("    Other : { go, w")
    workbench.press("Control+.")
    workbench.visible(".action-widget .monaco-list-row", "wait")
    workbench.press("Enter")

    workbench.shows("Other : { go, wait };")
    workbench.gone(".squiggly-error")


def test_completion_offers_a_snippet_of_an_agent(workbench: Workbench) -> None:
    workbench.open("agent.ispl")
    workbench.go("end Agent\n\nEvaluation", after="end Agent\n")

    workbench.type("\nagent")
    workbench.suggests("Agent …")
    workbench.press("Enter")
    workbench.type("Guard")

    workbench.shows("Agent Guard")
    workbench.shows(
        "Other : { go, wait };\n  end Protocol\n  Evolution:\n    state = true if Action = go;"
    )


def test_completion_offers_what_is_asked_often(workbench: Workbench) -> None:
    workbench.open("often.ispl")
    workbench.go("AF on_the_way expect true;")

    workbench.type("\nresponse")
    workbench.suggests("response", "Formula: response")
    workbench.press("Enter")

    workbench.shows("answered : AG (p -> AF q);")


def test_completion_offers_the_names_that_can_stand_there(workbench: Workbench) -> None:
    workbench.open("names.ispl")
    workbench.go("on_the_way if Driver.moving = true;")

    workbench.type("\nshining if Environment.")
    workbench.suggests("light")


def test_a_name_is_renamed_wherever_it_stands(workbench: Workbench) -> None:
    workbench.open("renamed.ispl")
    workbench.go("  on_the_way if", after="  on_")

    workbench.press("F2")
    workbench.visible(".rename-box input:focus")
    workbench.press("Control+a")
    workbench.type("driving")
    workbench.press("Enter")

    workbench.shows("driving if Driver.moving = true;")
    workbench.shows("can_go : EF driving expect true;")
    workbench.shows("must_go : AF driving expect true;")


def test_a_lens_checks_its_formula_and_the_verdict_stands_behind_it(workbench: Workbench) -> None:
    workbench.open("checked.ispl")
    workbench.go("  must_go")

    workbench.lens("Check").last.click()

    workbench.line_ends("must_go.*AF.*on_the_way", ".*false")


def test_the_panel_shows_why_and_calls_it_stale_once_the_text_has_changed(
    workbench: Workbench,
) -> None:
    workbench.open("explained.pmas")
    workbench.go("  must_go", after="  must_")

    workbench.run("Gnomon: Show Verdicts to the Side")
    panel = workbench.panel()
    panel.locator("#all").click()

    row = panel.locator("li", has_text="must_go")
    row.get_by_text("false, expected true").wait_for(timeout=20_000)
    assert "✗" == row.locator(".mark").inner_text()
    assert "✓" == panel.locator("li", has_text="can_go").locator(".mark").inner_text()
    page = workbench.page_of(panel)
    page.get_by_text("This run", exact=False).first.wait_for(timeout=20_000)
    workbench.picture("panel")
    assert not panel.locator("#note").is_visible()

    workbench.focus()
    workbench.go("Driver.moving = false", after="Driver.moving = ")
    workbench.type("true or Driver.moving = ")
    panel.get_by_text("Stale:", exact=False).wait_for(timeout=20_000)
    row.get_by_text("false, expected true · stale").wait_for(timeout=20_000)
    workbench.line_ends("must_go.*AF.*on_the_way", ".*was\\sfalse\\s\\(stale\\)")


def test_the_panel_follows_the_cursor(workbench: Workbench) -> None:
    workbench.open("followed.ispl")
    workbench.run("Gnomon: Show Verdicts to the Side")
    panel = workbench.panel()
    panel.locator("#all").click()
    panel.locator("li", has_text="can_go").get_by_text("true").wait_for(timeout=20_000)

    workbench.focus()
    workbench.go("  can_go", after="  can_")
    workbench.page_of(panel).locator("h1", has_text="can_go").wait_for(timeout=20_000)
    workbench.go("  must_go", after="  must_")
    workbench.page_of(panel).locator("h1", has_text="must_go").wait_for(timeout=20_000)

    panel.locator("li", has_text="can_go").locator("button").click()
    workbench.page_of(panel).locator("h1", has_text="can_go").wait_for(timeout=20_000)


def test_keys_that_are_pressed_on_a_page_are_keys_of_the_workbench(workbench: Workbench) -> None:
    workbench.open("keys.ispl")
    workbench.go("  must_go", after="  must_")
    workbench.run("Gnomon: Explain Verdict")
    panel = workbench.panel()
    workbench.page_of(panel).locator("h1", has_text="must_go").click()

    workbench.run("View: Focus First Editor Group")


def test_the_reachable_states_are_drawn(workbench: Workbench) -> None:
    workbench.open("drawn.ispl")

    workbench.run("Gnomon: Show Reachable States")

    page = workbench.page_of(workbench.panel())
    page.locator("svg").get_by_text("moving", exact=False).first.wait_for(timeout=20_000)


def test_the_example_needs_no_file_to_be_checked(workbench: Workbench) -> None:
    workbench.run("Gnomon: Open an Example")
    workbench.shows("-- The bit transmission protocol.")
    workbench.run("Gnomon: Check All Formulae")

    workbench.run("Gnomon: Show Verdicts to the Side")
    row = workbench.panel().locator("li", has_text="bit_arrives")
    row.get_by_text("false, as expected").wait_for(timeout=20_000)


def test_a_line_becomes_a_comment(workbench: Workbench) -> None:
    workbench.open("remarked.ispl")
    workbench.go("    light :")

    workbench.press("Control+/")

    workbench.shows("    -- light : { red, green };")


def test_nothing_that_a_page_says_runs(workbench: Workbench) -> None:
    workbench.open("evil.ispl")
    workbench.run("Gnomon: Show Verdicts to the Side")
    panel = workbench.panel()

    deed = "parent.document.title = 'evil'"
    evil = f'<script>{deed}</script><img src=x onerror="{deed}">'
    view: dict[str, object] = {
        "title": evil,
        "rows": [],
        "current": None,
        "page": evil,
        "note": evil,
        "offer": False,
    }
    panel.evaluate("view => window.postMessage(view)", view)
    panel.get_by_text("<script>", exact=False).first.wait_for(timeout=10_000)

    assert "evil" not in panel.evaluate("document.title")
    assert workbench.complained("Content Security Policy", "sandboxed")


def test_formulae_that_say_what_they_expect_are_tests(workbench: Workbench) -> None:
    workbench.open("tested.ispl")
    workbench.visible(".testing-run-glyph")

    workbench.run("Test: Run Tests in Current File")

    workbench.visible(".testing-run-glyph.codicon-testing-passed-icon")
    workbench.visible(".testing-run-glyph.codicon-testing-failed-icon")
    workbench.visible(".test-message-inline-content", "false, expected true")
