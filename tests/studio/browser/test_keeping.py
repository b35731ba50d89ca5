"""Links, lost connections, several windows, files on disk, and pages that need no server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.studio.browser.driver import RunningStudio, StudioPage
from tests.studio.browser.test_workbench import COUNTER

pytestmark = pytest.mark.slow

Window = Callable[..., StudioPage]
OwnStudio = Callable[[str], RunningStudio]


def test_a_link_holds_the_whole_state(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=dining_cryptographers")
    page.wait_for_verdicts()
    field = page.page.get_by_role("group", name="Constants").get_by_label("n", exact=True)
    field.fill("4")
    field.press("Enter")
    page.pane("model").get_by_text("Cryptographer[4]").first.wait_for()
    run = page.pane("run")
    run.locator("button.move-take").first.click()
    run.get_by_text("step 1", exact=True).wait_for()
    page.page.wait_for_function("() => location.hash.length > 20")
    page.page.wait_for_timeout(800)  # the link follows a moment later
    link = page.page.evaluate("location.hash")
    other = window(studio, to=f"/{link}")
    other.pane("model").get_by_text("Cryptographer[4]").first.wait_for()
    other.pane("run").get_by_text("step 1", exact=True).wait_for()

    assert page.text.inner_text() == other.text.inner_text()


def test_a_lost_connection_comes_back(own_studio: OwnStudio, window: Window) -> None:
    page = window(own_studio(COUNTER))
    page.wait_for_verdicts()
    page.context.set_offline(True)
    page.page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    page.context.set_offline(False)
    page.type_at_end_of("AF full;", "\n  --! again\nAG EF full;")
    page.verdict("again").get_by_text("true").first.wait_for()


def test_two_windows_do_not_disturb_each_other(own_studio: OwnStudio, window: Window) -> None:
    studio = own_studio(COUNTER)
    one, two = window(studio), window(studio)
    one.wait_for_verdicts()
    two.wait_for_verdicts()
    one.type_at_end_of("AF full;", "\n  --! mine\nAG EF full;")
    two.type_at_end_of("AF full;", "\n  --! yours\nEG !full;")
    one.verdict("mine").get_by_text("true").first.wait_for()
    two.verdict("yours").get_by_text("true").first.wait_for()

    assert one.verdict("yours").count() == 0
    assert two.verdict("mine").count() == 0


def test_a_file_is_saved_when_told_and_never_overwritten_behind_ones_back(
    own_studio: OwnStudio, window: Window, tmp_path: Path
) -> None:
    page = window(own_studio(COUNTER))
    page.wait_for_verdicts()
    file = tmp_path / "mine.ispl"
    page.type_at_end_of("AF full;", " -- typed")
    page.page.get_by_label("not saved").wait_for()

    assert COUNTER == file.read_text(encoding="utf-8")
    page.page.keyboard.press("Control+s")
    page.page.get_by_label("not saved").wait_for(state="detached")

    assert "AF full; -- typed" in file.read_text(encoding="utf-8")
    page.type_at_end_of("AF full;", " and more")
    file.write_text(COUNTER + "-- by somebody else\n", encoding="utf-8")
    page.page.get_by_text(re.compile("changed on disk", re.IGNORECASE)).first.wait_for()
    page.page.keyboard.press("Control+s")
    page.page.locator("dialog[open]").wait_for()

    assert file.read_text(encoding="utf-8").endswith("-- by somebody else\n")


def test_a_session_is_kept_as_one_page(
    studio: RunningStudio, window: Window, tmp_path: Path
) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    page.page.get_by_role("button", name=re.compile("Share")).click()
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="Download the page").click()
    kept = tmp_path / "session.html"
    waiting.value.save_as(kept)
    alone = page.context.new_page()
    alone.goto(kept.as_uri())

    assert "sender_is_sure" in alone.inner_text("body")
    assert "Agent Sender" in alone.inner_text("body")


@pytest.mark.parametrize("format_", ["SVG", "PNG", "TikZ"])
def test_pictures_are_saved(studio: RunningStudio, window: Window, format_: str) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    model = page.pane("model")
    model.get_by_role("tab", name="States").click()
    model.locator("g[data-box]").first.wait_for()
    model.get_by_role("button", name=re.compile("Save")).click()
    with page.page.expect_download() as waiting:
        model.get_by_role("menuitem", name=re.compile(format_)).click()
    begins = {"SVG": b"<", "PNG": b"\x89PNG", "TikZ": b"\\"}[format_]

    assert (
        Path(waiting.value.path()).read_bytes().lstrip()[:8].startswith(begins) or format_ == "TikZ"
    )
    assert len(Path(waiting.value.path()).read_bytes()) > 1_000
