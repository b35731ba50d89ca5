"""Checks in an editor: verdicts beside formulae, fresh or stale, with progress, and ended with the editor."""

import asyncio
import glob
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.editor import Editor, Session, example, session, soon
from tests.pigeons import HARD, pigeons

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: With names and expectations in the lines, where MCMAS would not read them.
BITS = re.sub(
    r"--! (\w+)( expect \w+)?\n  (.*?);",
    r"\1 : \3\2;",
    example("bit_transmission.ispl"),
)
#: What takes longer than anybody waits for.
PIGEONS = pigeons(formulae=(HARD,))
UNIFORM = {"check": {"strategies": "uniform", "timeout": 300}}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Session]:
    async with session(panel=True) as found:
        yield found


async def _states(editor: Editor) -> dict[str, str]:
    return {each["label"]: each["state"] for each in await editor.ask("gnomon/formulae")}


async def test_every_formula_has_lenses_and_so_has_the_section(server: Session) -> None:
    editor = await server.open(BITS)
    lenses = await editor.lenses()
    titles = [lens.command.title for lens in lenses if lens.command]

    assert "▶ check all 8" == titles[0]
    assert 8 == titles.count("▶ check") == titles.count("explain")
    assert 2 == titles.count("uniform")
    assert lenses[0].range.start.line == editor.at("\nFormulae", 1).line


async def test_a_check_shows_verdicts_beside_the_formulae(server: Session) -> None:
    editor = await server.open(BITS)
    answer = await editor.command("gnomon.check", numbers=None)
    values = {each["label"]: each["verdict"]["value"] for each in answer["formulae"]}
    hints = await editor.hints()

    assert "18 reachable states" in hints
    assert "true" == values["sender_is_sure"]
    assert "false" == values["bit_arrives"]
    assert 3 == sum(hint.startswith("✓ true ·") for hint in hints)
    assert 5 == sum(hint.startswith("✓ false, as expected ·") for hint in hints)
    assert {"fresh"} == set((await _states(editor)).values())


async def test_verdicts_stand_above_where_a_client_shows_nothing_beside() -> None:
    async with session(kind="neovim@0.6") as server:
        editor = await server.open(BITS)
        await editor.command("gnomon.check", numbers=[1])
        titles = [lens.command.title for lens in await editor.lenses() if lens.command]

    assert any(title.startswith("✓ true ·") for title in titles)


async def test_one_formula_is_checked_by_its_number(server: Session) -> None:
    editor = await server.open(BITS)
    await editor.command("gnomon.check", numbers=[2])
    states = await _states(editor)

    assert ["receiver_is_sure"] == [label for label, state in states.items() if state == "fresh"]


async def test_a_hover_tells_the_last_verdict(server: Session) -> None:
    editor = await server.open(BITS)
    await editor.command("gnomon.check", numbers=[1])
    params = types.HoverParams(editor.document, editor.at("sender_is_sure", 2))
    found = await soon(editor.client.text_document_hover_async(params))

    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "✓ true" in found.contents.value


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-- ", "-- and another comment, "),
        ("\nFormulae", "\n\n\n-- more\nFormulae"),
        ("sender_is_sure :", "sender_knows :"),
        ("expect false", "expect true"),
        ("EF K(Receiver, acknowledged)", "EF K(Receiver, received)"),
    ],
    ids=["a comment", "blanks", "a name", "an expectation", "another formula"],
)
async def test_what_cannot_change_a_verdict_leaves_it_fresh(
    server: Session, old: str, new: str
) -> None:
    editor = await server.open(BITS)
    await editor.command("gnomon.check", numbers=[1])
    await editor.change(old, new)

    assert "fresh" == next(iter((await _states(editor)).values()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("bit : { zero, one }", "bit : { zero, one, two }"),
        ("AG (acknowledged ->", "EF (acknowledged ->"),
        ("received if", "received if false and"),
        ("got = nothing", "got = zero"),
    ],
)
async def test_what_can_change_a_verdict_makes_it_stale_and_undoing_fresh_again(
    server: Session, old: str, new: str
) -> None:
    assert old in BITS
    editor = await server.open(BITS)
    await editor.command("gnomon.check", numbers=[1])
    await editor.change(old, new)
    changed = (await _states(editor))["sender_is_sure"]
    hints = await editor.hints()
    await editor.change(new, old)
    undone = (await _states(editor))["sender_is_sure"]

    assert ("stale", "fresh") == (changed, undone)
    assert not any(hint.startswith("✓") for hint in hints)


async def test_a_text_with_mistakes_has_no_fresh_verdict(server: Session) -> None:
    editor = await server.open(BITS)
    await editor.command("gnomon.check", numbers=None)
    await editor.change("Evaluation", "Evaluaton")

    assert "fresh" not in (await _states(editor)).values()


async def test_a_client_with_a_panel_hears_of_every_change(server: Session) -> None:
    editor = await server.open(BITS)
    await editor.command("gnomon.check", numbers=[1])
    heard = len(server.told)
    editor.replace(editor.text.index("zero, one"), editor.text.index("zero, one") + 4, "null")
    await editor.diagnostics()
    told = [each for each in server.told[heard:] if each["uri"] == editor.uri]

    assert told
    assert all(each["formulae"][0]["state"] == "stale" for each in told)


async def test_an_unexpected_verdict_is_told_at_the_formula_with_the_steps(
    server: Session,
) -> None:
    wrong = BITS.replace("K(Sender, received)) expect false", "K(Sender, received)) expect true")
    assert wrong != BITS
    editor = await server.open(wrong)
    await editor.command("gnomon.check", numbers=None)
    [said] = await editor.diagnostics()
    context = types.CodeActionContext([said])
    actions = await soon(
        editor.client.text_document_code_action_async(
            types.CodeActionParams(editor.document, said.range, context)
        )
    )
    [action] = [each for each in actions or () if isinstance(each, types.CodeAction)]

    assert "sender_notices_arrival is false, but true was expected" == said.message
    assert said.related_information is not None
    assert "step 1: Environment does both" == said.related_information[0].message
    assert "channel = both" in editor.words(said.related_information[0].location.range)
    assert action.edit is not None
    assert BITS == editor.applied_workspace(action.edit)


async def test_a_stale_verdict_is_no_longer_told_as_a_mistake(server: Session) -> None:
    wrong = BITS.replace("K(Sender, received)) expect false", "K(Sender, received)) expect true")
    editor = await server.open(wrong)
    await editor.command("gnomon.check", numbers=None)
    before = await editor.diagnostics()
    after = await editor.change("bit : { zero, one }", "bit : { zero, one, two }")

    assert ["verdict"] == [said.code for said in before]
    assert "verdict" not in [said.code for said in after]


async def test_an_explanation_is_a_page_and_a_story(server: Session) -> None:
    editor = await server.open(BITS)
    page = await editor.command("gnomon.explain", number=5)
    line = editor.at("sender_notices_arrival :").line
    again = await editor.ask("gnomon/explanation", position={"line": line, "character": 5})
    nothing = await editor.ask("gnomon/explanation", position={"line": 0, "character": 0})

    assert page["html"].startswith("<!DOCTYPE html>")
    assert "This run breaks" in page["text"]
    assert (5, "fresh", page["html"]) == (again["number"], again["state"], again["html"])
    assert nothing is None


async def test_a_stale_page_is_called_stale(server: Session) -> None:
    editor = await server.open(BITS)
    await editor.command("gnomon.explain", number=5)
    await editor.change("bit : { zero, one }", "bit : { zero, one, two }")
    line = editor.at("sender_notices_arrival :").line
    found = await editor.ask("gnomon/explanation", position={"line": line, "character": 5})

    assert "stale" == found["state"]


async def test_uniform_strategies_are_another_question(server: Session) -> None:
    editor = await server.open(example("blind_guess.ispl"))
    perfect = await editor.command("gnomon.check", numbers=[1])
    uniform = await editor.command("gnomon.check", numbers=[1], strategies="uniform")
    values = [each["formulae"][0]["verdict"]["strategies"] for each in (perfect, uniform)]

    assert ["perfect", "uniform"] == values


async def test_the_simulator_begins_where_the_run_ends(server: Session, tmp_path: Path) -> None:
    file = tmp_path / "bits.ispl"
    file.write_text(BITS, encoding="utf-8")
    editor = await server.open(BITS, uri=file.as_uri())
    before = await editor.command("gnomon.simulate", number=5)
    await editor.command("gnomon.check", numbers=[5])
    after = await editor.command("gnomon.simulate", number=5)

    assert "simulate" in before["command"]
    assert ["--after", "5"] == after["command"][-2:]


async def test_the_simulator_wants_the_file_as_it_is_in_the_editor(
    server: Session, tmp_path: Path
) -> None:
    file = tmp_path / "bits.ispl"
    file.write_text(BITS, encoding="utf-8")
    editor = await server.open(BITS + "\n-- not saved\n", uri=file.as_uri())

    with pytest.raises(JsonRpcException, match="save the text first"):
        await editor.command("gnomon.simulate", number=5)


async def test_another_reading_of_strategies_makes_verdicts_on_coalitions_stale() -> None:
    async with session(panel=True) as server:
        editor = await server.open(BITS)
        await editor.command("gnomon.check", numbers=None)
        await editor.command("gnomon.check", numbers=[7], strategies="uniform")
        changed = {"gnomon": {"check": {"strategies": "uniform-subjective"}}}
        params = types.DidChangeConfigurationParams(changed)
        server.client.workspace_did_change_configuration(params)
        states = await _states(editor)
        hints = await editor.hints()

    assert ("stale", "fresh") == (states["channel_can_force"], states["bit_arrives"])
    assert "fresh" == states["pair_can_force"]
    assert any(hint.startswith("✓ false, as expected, uniform") for hint in hints)


async def test_reachable_states_are_drawn(server: Session) -> None:
    editor = await server.open(BITS)
    page = await editor.command("gnomon.graph")

    assert "<svg" in page["html"]


@pytest.mark.parametrize(
    "arguments", [{"numbers": "all"}, {"numbers": [1.5]}, {"strategies": "magic"}, {"uri": 3}]
)
async def test_commands_refuse_what_they_cannot_use(
    server: Session, arguments: dict[str, Any]
) -> None:
    editor = await server.open(BITS)

    with pytest.raises(JsonRpcException):
        await editor.command("gnomon.check", **arguments)


async def test_a_text_with_mistakes_is_not_checked_and_says_why(server: Session) -> None:
    editor = await server.open(BITS.replace("Evaluation", "Evaluaton"))
    server.client.messages.clear()
    await editor.command("gnomon.check", numbers=None)

    assert any("nothing can be checked" in each.message for each in server.client.messages)


def _children(pid: int) -> list[int]:
    """Return all processes below one."""
    found = []
    waiting = [pid]
    while waiting:
        for listed in glob.glob(f"/proc/{waiting.pop()}/task/*/children"):
            try:
                with open(listed, encoding="ascii") as file:
                    below = [int(word) for word in file.read().split()]
            except OSError:
                continue
            found += below
            waiting += below
    return found


async def _until(condition: Any, seconds: float = 30.0) -> bool:
    for _ in range(int(seconds * 50)):
        if condition():
            return True
        await asyncio.sleep(0.02)
    return False


async def _begun(server: Session) -> None:
    """Wait until a check reports its progress."""
    assert await _until(lambda: any(server.client.progress_reports.values()))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
async def test_a_check_reports_progress_and_can_be_cancelled_while_one_types() -> None:
    async with session(settings=UNIFORM, own_process=True) as server:
        editor = await server.open(PIGEONS)
        asked = asyncio.ensure_future(editor.command("gnomon.check", numbers=None))
        await _begun(server)
        said = await editor.change("Agent Environment", "-- a comment\nAgent Environment")
        running = await _states(editor)
        ended = await editor.command("gnomon.cancel")
        answer = await soon(asked)

    assert () == tuple(each for each in said if each.severity == types.DiagnosticSeverity.Error)
    assert "running" in running.values()
    assert 1 == ended
    assert {"none"} == {each["state"] for each in answer["formulae"]}


async def test_a_check_is_cancelled_from_the_progress_that_is_shown() -> None:
    async with session(settings=UNIFORM) as server:
        editor = await server.open(PIGEONS)
        asked = asyncio.ensure_future(editor.command("gnomon.check", numbers=None))
        await _begun(server)
        [token] = server.client.progress_reports
        cancelling = types.WorkDoneProgressCancelParams(token)
        server.client.window_work_done_progress_cancel(cancelling)
        answer = await soon(asked)

    assert {"none"} == {each["state"] for each in answer["formulae"]}


async def test_a_request_that_is_cancelled_ends_its_check() -> None:
    async with session(settings=UNIFORM) as server:
        editor = await server.open(PIGEONS)
        protocol: Any = server.client.protocol
        params = types.ExecuteCommandParams("gnomon.check", [{"uri": editor.uri, "numbers": None}])
        asked = protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="mine")
        await _begun(server)
        server.client.cancel_request(types.CancelParams("mine"))
        with pytest.raises(JsonRpcException):
            await soon(asyncio.wrap_future(asked))
        states = await _states(editor)

    assert {"none"} == set(states.values())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
@pytest.mark.parametrize("how", ["killed", "left"])
async def test_no_process_is_left_when_the_editor_is_gone(how: str) -> None:
    async with session(settings=UNIFORM, own_process=True) as server:
        editor = await server.open(PIGEONS)
        asked = asyncio.ensure_future(editor.command("gnomon.check", numbers=None))
        await _begun(server)
        process: Any = server.client._server
        # The prepared process, the one of the job, and the one that does the work.
        assert await _until(lambda: len(_children(process.pid)) >= 3)
        below = _children(process.pid)
        if how == "killed":
            os.kill(process.pid, signal.SIGKILL)
        else:
            process.stdin.close()
        asked.cancel()
        gone = await _until(
            lambda: not any(_is_alive(pid) for pid in (*below, process.pid)), seconds=30
        )

        assert gone


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_what_is_saved_is_checked_if_the_user_wants_that() -> None:
    async with session(settings={"check": {"onSave": True}}) as server:
        editor = await server.open(BITS)
        saved = types.DidSaveTextDocumentParams(editor.document)
        await asyncio.sleep(0.2)
        server.client.text_document_did_save(saved)
        for _ in range(200):
            if set((await _states(editor)).values()) == {"fresh"}:
                break
            await asyncio.sleep(0.05)
        states = await _states(editor)

    assert {"fresh"} == set(states.values())


async def test_settings_that_mean_nothing_are_told_and_the_rest_counts() -> None:
    wrong = {
        "check": {"engine": "steam", "timeout": -1, "onSave": "yes", "timeot": 3},
        "hints": False,
        "path": "theirs",
    }
    async with session(settings=wrong) as server:
        editor = await server.open(BITS)
        for _ in range(100):
            if len(server.client.messages) >= 4:
                break
            await asyncio.sleep(0.02)
        told = [each.message for each in server.client.messages]
        hints = await editor.hints()

    assert 4 == len(told)
    assert any("'steam'" in each and "bdd" in each for each in told)
    assert any("timeout=-1" in each for each in told)
    assert any("neither true nor false" in each for each in told)
    assert any("did you mean timeout?" in each for each in told)
    assert [] == hints
