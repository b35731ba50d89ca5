"""Walk, fork, ask, and play what a check has found."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.studio.browser.driver import RunningStudio, StudioPage

pytestmark = pytest.mark.slow

Window = Callable[..., StudioPage]


def steps_done(page: StudioPage) -> int:
    words = page.pane("run").locator(".sim-step").inner_text()
    return int(words.split()[1])


def test_a_walk_goes_on_back_and_forks(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    run = page.pane("run")
    run.locator("button.move-take").first.click()
    run.get_by_text("step 1", exact=True).wait_for()
    run.locator("button.move-take").nth(1).click()
    run.get_by_text("step 2", exact=True).wait_for()
    run.get_by_role("button", name="Back", exact=True).click()
    run.get_by_text("step 1", exact=True).wait_for()
    run.locator("button.move-take").nth(2).click()
    run.get_by_text("step 2", exact=True).wait_for()
    run.get_by_role("tab", name=re.compile("The way")).click()

    assert "4 states visited" in (run.locator(".trail").get_attribute("aria-label") or "")


def test_a_random_walk_takes_steps(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=muddy_children")
    page.pane("run").get_by_role("button", name=re.compile("Random")).click()
    page.page.wait_for_function(
        "() => !/step 0$/.test(document.querySelector('.sim-step')?.textContent ?? 'step 0')"
    )

    assert steps_done(page) > 0


def test_moves_narrow_as_one_chooses_and_types(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    run = page.pane("run")
    run.get_by_text("4 moves").wait_for()
    run.get_by_role("group", name="Actions by agent").get_by_role("button", name="forward").click()
    run.get_by_text(re.compile("^1 .*move")).wait_for()
    run.get_by_role("button", name="Choose nothing").click()
    run.get_by_text("4 moves").wait_for()
    run.get_by_label("Filter moves").fill("backward")
    run.get_by_text(re.compile("^1 .*move")).wait_for()


def test_a_formula_is_evaluated_here_with_why(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    run = page.pane("run")
    run.locator("button.move-take").first.click()
    run.get_by_role("tab", name="Formulae").click()
    run.get_by_label("Formula", exact=True).fill("K(Sender, received)")
    run.get_by_role("button", name="Is it true here?").click()
    run.get_by_label("K(Sender, received) is false").wait_for()
    run.get_by_role("button", name="Why?").click()
    run.get_by_text("looks the same").first.wait_for()


def test_one_is_taken_to_a_state_where_something_holds(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=bit_transmission")
    run = page.pane("run")
    run.get_by_role("tab", name="Formulae").click()
    run.get_by_label("Formula", exact=True).fill("acknowledged")
    run.get_by_role("button", name="Take me there").first.click()
    page.page.wait_for_function(
        "() => /acknowledged/.test(document.querySelector('#pane-run .holding, #pane-run .sim-holds,"
        " #pane-run')?.textContent ?? '') && !/step 0$/.test("
        "document.querySelector('.sim-step')?.textContent ?? 'step 0')"
    )

    assert steps_done(page) >= 2


def test_what_agents_consider_possible_is_listed(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    run = page.pane("run")
    run.get_by_role("tab", name="Who knows").click()
    run.get_by_role("region", name="Receiver").wait_for()

    assert run.locator("section.alike-agent").count() >= 2


def test_a_counterexample_is_played_and_forked(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    page.play("sender_notices_arrival")
    run = page.pane("run")
    run.get_by_text(re.compile("looks the same to Sender")).first.wait_for()
    run.get_by_label("State of the run").press("End")
    run.get_by_role("button", name="Walk on from here").click()
    run.get_by_text("step 1", exact=True).wait_for()
    run.locator("button.move-take").first.click()
    run.get_by_text("step 2", exact=True).wait_for()


def test_what_was_walked_stays_when_a_run_is_taken_over(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    run = page.pane("run")
    run.locator("button.move-take").nth(1).click()
    run.get_by_text("step 1", exact=True).wait_for()
    run.locator("button.move-take").nth(1).click()
    run.get_by_text("step 2", exact=True).wait_for()
    page.play("sender_notices_arrival")
    run.get_by_label("State of the run").press("End")
    run.get_by_role("button", name="Walk on").click()
    run.get_by_text("step 1", exact=True).wait_for()

    assert "4 states visited" in (run.locator(".trail").get_attribute("aria-label") or "")


def test_a_lasso_goes_round(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    page.play("bit_arrives")
    page.pane("run").get_by_text(re.compile("for ever")).first.wait_for()


def test_agents_are_projected_out_of_a_run(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    page.play("sender_notices_arrival")
    run = page.pane("run")

    assert (
        "Receiver"
        in run.locator(".film, [aria-label='The run, state by state']").first.inner_text()
    )
    run.get_by_role("button", name="Agents", exact=True).click()
    run.get_by_role("group", name="Agents that are shown").get_by_label("Receiver").uncheck()
    page.page.wait_for_function(
        "() => !/Receiver/.test(document.querySelector(\"[aria-label='The run, state by state']\")"
        "?.textContent ?? 'Receiver')"
    )


def test_states_are_folded_by_what_is_chosen(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=bit_transmission")
    page.wait_for_verdicts()
    model = page.pane("model")
    model.get_by_role("tab", name="States").click()
    model.get_by_text("18 states").wait_for()
    boxes = model.locator("g[data-box]")
    boxes.first.wait_for()

    assert boxes.count() == 18
    model.get_by_label("How the states are folded").select_option("agents")
    page.page.wait_for_function(
        "() => { const n = document.querySelectorAll('#pane-model g[data-box]').length;"
        " return n > 0 && n < 18; }"
    )


def test_one_plays_against_a_strategy_and_loses(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=nim")
    page.wait_for_verdicts()
    page.play("ann_can_win")
    run = page.pane("run")
    run.get_by_role("button", name=re.compile("Play against it|Try it yourself")).first.click()
    mine = run.get_by_role("group", name="Your moves").get_by_role("button")
    mine.first.wait_for()
    for _ in range(12):
        if not mine.count():
            break
        mine.first.click()
        page.page.wait_for_timeout(250)
    run.locator(".game-standing.is-yes, .game-standing.is-no").wait_for()

    assert run.locator(".game-standing.is-yes").count() == 1


def test_a_coalition_that_cannot_win_sees_the_answer_that_beats_it(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=nim")
    page.wait_for_verdicts()
    page.play("bob_can_win")
    run = page.pane("run")
    run.get_by_role("button", name="Try it yourself").first.click()
    mine = run.get_by_role("group", name="Your moves").get_by_role("button")
    mine.first.wait_for()
    for played in range(12):
        mine.last.click()
        run.get_by_text(f"Round {played + 2}", exact=True).wait_for()

    assert run.locator(".game-standing.is-yes").count() == 0
