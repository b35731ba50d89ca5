"""Open a model, change it, see what is wrong with it and what holds."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.studio.browser.driver import RunningStudio, StudioPage

pytestmark = pytest.mark.slow

COUNTER = """\
Agent Environment
  Vars: n : 0..3; end Vars
  Actions = { up, stay };
  Protocol: Other : { up, stay }; end Protocol
  Evolution: n = n + 1 if Action = up and n < 3; end Evolution
end Agent

Agent Watcher
  Lobsvars = { n };
  Vars: awake : boolean; end Vars
  Actions = { watch };
  Protocol: Other : { watch }; end Protocol
  Evolution: awake = true if Environment.Action = up; end Evolution
end Agent

Evaluation
  full if Environment.n = 3;
end Evaluation

InitStates Environment.n = 0 and Watcher.awake = false; end InitStates

Formulae
  --! can_fill
  EF full;
  --! must_fill expect false
  AF full;
end Formulae
"""

Window = Callable[..., StudioPage]
OwnStudio = Callable[[str], RunningStudio]


def test_a_model_is_shown_in_four_views(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()

    assert "Agent Sender" in page.text.inner_text()
    assert "sender_is_sure" in page.pane("verdicts").inner_text()
    assert "acknowledged" in page.pane("run").inner_text()
    assert {"Environment", "Sender", "Receiver"} <= set(page.pane("model").inner_text().split())


def test_a_mistake_is_marked_and_mended(own_studio: OwnStudio, window: Window) -> None:
    page = window(own_studio(COUNTER))
    page.wait_for_verdicts()
    page.type_at_end_of("AF full;", " AG emtpy;")
    page.page.locator(".cm-lintRange-error").first.wait_for()
    page.page.locator(".cm-lintRange-error").first.hover()

    assert "emtpy" in page.page.locator(".cm-tooltip").inner_text()
    for _ in " AG emtpy;":
        page.page.keyboard.press("Backspace")
    page.page.locator(".cm-lintRange-error").wait_for(state="detached")


def test_verdicts_follow_what_is_typed(own_studio: OwnStudio, window: Window) -> None:
    page = window(own_studio(COUNTER))
    page.verdict("can_fill").get_by_text("true").first.wait_for()
    page.type_at_end_of("AF full;", "\n  --! again\nAG EF full;")
    page.verdict("again").get_by_text("true").first.wait_for()

    assert "false" in page.verdict("must_fill").inner_text()


def test_a_formula_of_ones_own_is_decided(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    field = page.pane("verdicts").get_by_label("A formula of your own")
    field.fill("EF (received and !K(Sender, received))")
    field.press("Enter")
    own = page.verdict("your own")
    own.get_by_text("true").first.wait_for()

    assert "EF (received" in own.inner_text()


def test_a_mistake_in_a_formula_of_ones_own_is_told_there(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    field = page.pane("verdicts").get_by_label("A formula of your own")
    field.fill("AG recieved")
    field.press("Enter")
    page.pane("verdicts").get_by_text(re.compile("there is no proposition .?recieved")).wait_for()


def test_selecting_an_agent_a_formula_or_a_line_shows_everywhere(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    page.text.get_by_text("send_zero, send_one, wait").click()
    page.pane("model").locator("article.is-selected", has_text="Sender").wait_for()
    page.text.press("Control+End")
    page.verdict("channel_can_force").locator("button.verdict-main").click()
    page.pane("text").locator(".cm-line", has_text="<channel>F acknowledged").wait_for()

    assert page.pane("verdicts").locator("li.is-chosen").count() == 1


def test_constants_of_a_family_are_set_on_the_page(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=dining_cryptographers")
    page.wait_for_verdicts()
    field = page.page.get_by_role("group", name="Constants").get_by_label("n", exact=True)
    field.fill("4")
    field.press("Enter")
    page.pane("model").get_by_text("Cryptographer[4]").first.wait_for()


def test_a_constant_that_makes_no_sense_makes_verdicts_old_and_can_be_mended(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=dining_cryptographers")
    page.wait_for_verdicts()
    fields = page.page.get_by_role("group", name="Constants")
    fields.get_by_label("n", exact=True).fill("-1")
    page.pane("verdicts").get_by_text("of the text before").wait_for()
    page.page.wait_for_timeout(800)  # the link follows a moment later
    page.page.reload()
    fields.get_by_label("n", exact=True).fill("3")
    page.wait_for_verdicts()

    assert page.page.get_by_text("of the text before").count() == 0


def test_the_model_itself_is_checked_when_that_is_wanted(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    page.page.get_by_label("as I type").uncheck()
    page.pane("verdicts").get_by_label("deadlock").check()
    page.page.get_by_role("button", name=re.compile("^Check")).first.click()
    page.pane("verdicts").locator(".is-sanity").get_by_text("none", exact=True).wait_for()


def test_renaming_and_formatting_go_through_the_language_server(
    own_studio: OwnStudio, window: Window
) -> None:
    page = window(own_studio(COUNTER.replace("n : 0..3;", "n   :   0..3;")))
    page.wait_for_verdicts()
    page.text.get_by_text("full if Environment").click()
    page.page.keyboard.press("Home")
    page.page.keyboard.press("F2")
    field = page.page.locator(".cm-panel input, .cm-dialog input").first
    field.fill("brimming")
    field.press("Enter")
    page.text.get_by_text("AF brimming;").wait_for()
    page.page.keyboard.press("Shift+Alt+F")
    page.text.get_by_text("n : 0..3;").first.wait_for()
