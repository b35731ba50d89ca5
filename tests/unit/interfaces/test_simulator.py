import json
from pathlib import Path

import pytest

from gnomon.checking.load import load_text
from gnomon.interfaces.cli.simulator_commands import COMMANDS, HELP, SimulatorSession
from gnomon.results.model_walk import WalkError
from gnomon.results.render.walk_page import render_alike
from tests.unit.results import samples
from tests.unit.results.schemas import validate


@pytest.fixture
def session() -> SimulatorSession:
    session = SimulatorSession("bits.ispl", load_text(samples.MODEL, "bits.ispl"), seed=1)
    session.begin()
    return session


def said(session: SimulatorSession, *commands: str) -> str:
    """Do all commands and return what the last one says."""
    return [session.do(command).plain() for command in commands][-1]


def test_moves_are_numbered_and_grouped(session: SimulatorSession) -> None:
    text = said(session, "moves")

    assert text.splitlines()[1:] == [
        "  1  work         send    idle      Receiver.got = zero",
        "  2  ″            ″       ″         Receiver.got = one",
        "  3  fail         send    idle      Environment.channel = down",
    ]


def test_comments_and_blank_lines_do_nothing(session: SimulatorSession) -> None:
    assert said(session, "# a remark", "   ") == ""
    assert session.walk.at == 0


def test_a_filter_narrows_the_moves_and_keeps_their_numbers(session: SimulatorSession) -> None:
    assert [
        line.split()[0] for line in said(session, "where Environment=fail").splitlines()[1:]
    ] == ["3"]
    assert "1  work" in said(session, "where Receiver.got=zero")
    assert "none of 3 moves" in said(session, "where Environment=fail Receiver.got=one")
    assert "3  fail" in said(session, "where")


def test_a_proposition_is_evaluated_here(session: SimulatorSession) -> None:
    assert said(session, "eval received") == "false\n"
    assert said(session, "1", "eval received and !acknowledged") == "true\n"


def test_time_and_knowledge_are_decided_in_the_whole_model(session: SimulatorSession) -> None:
    assert said(session, "1", "eval K(Sender, received)").startswith("false")
    assert said(session, "eval EF acknowledged").startswith("true")
    assert said(session, "eval AX received").startswith("true")


def test_states_that_look_the_same_are_listed(session: SimulatorSession) -> None:
    text = said(session, "1", "know Sender")

    assert text.startswith("to Sender, 5 other states reachable look like this one")
    assert "state 0  Receiver.got = nothing" in text


def test_one_state_looks_and_several_look(session: SimulatorSession) -> None:
    states = [visit.state for visit in session.walk.visits]

    one = render_alike(session.walk, "Sender", states, 1, complete=True).plain()
    assert one.startswith("to Sender, 1 other state reachable looks like this one; it differs in:")


def test_random_steps_repeat_with_the_same_seed() -> None:
    runs = []
    for _ in range(2):
        session = SimulatorSession("m", load_text(samples.MODEL), seed=5)
        session.begin()
        session.do("random 8")
        runs.append(session.walk.run())

    assert runs[0] == runs[1]
    assert len(runs[0].steps) == 9


def test_a_saved_script_leads_to_the_same_state(session: SimulatorSession, tmp_path: Path) -> None:
    said(session, "init 2", "random 3", "undo", f"save {tmp_path}/walk.txt")
    again = SimulatorSession("bits.ispl", session.loaded, seed=None)
    again.begin()
    for line in (tmp_path / "walk.txt").read_text().splitlines():
        again.do(line)

    assert again.walk.run() == session.walk.run()


def test_a_run_is_saved_as_json(session: SimulatorSession, tmp_path: Path) -> None:
    said(session, "1", f"save {tmp_path}/run.json")
    value = json.loads((tmp_path / "run.json").read_text())

    assert len(value["run"]["steps"]) == 2
    assert value["seed"] is None
    validate("simulate", session.as_json())


def test_the_history_is_a_tree(session: SimulatorSession) -> None:
    text = said(session, "1", "goto 0", "3", "history")

    assert [line.split(":")[0].strip() for line in text.splitlines() if ":" in line] == [
        "0  initial",
        "1  work, send, idle",
        "▸     2  from 0, fail, send, idle",
    ]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("9", "there is no move 9: there are 3"),
        ("undo", "nothing to undo"),
        ("undoo", "did you mean `undo`?"),
        ("xyzzy", "`help` lists them"),
        ("goto", "goto K"),
        ("goto 7", "was not visited"),
        ("init 9", "no initial state 9"),
        ("undo 3", "nothing is expected"),
        ("where Sender", "Agent=action"),
        ("where Nobody=x", "no agent"),
        ("eval", "eval what"),
        ("eval zork", "G0601"),
        ("know Nobody", "There are: Environment, Sender, Receiver"),
        ("save", "save where"),
        ("save /no/such/folder/x", "cannot write"),
    ],
)
def test_what_cannot_be_done_is_said(session: SimulatorSession, command: str, message: str) -> None:
    with pytest.raises(WalkError) as caught:
        session.do(command)

    assert message in str(caught.value)
    assert session.walk.at == 0


def test_help_names_every_command() -> None:
    for name in COMMANDS:
        if len(name) > 1 and name != "exit":
            assert name in HELP


def test_many_moves_come_in_pages() -> None:
    model = samples.MODEL.replace("channel : {up, down};", "channel : {up, down}; n : 0..50;")
    lines = "".join(f"n = {value} if n = 0;\n" for value in range(1, 51))
    model = model.replace("    channel = up if Action = work;", lines)
    model = model.replace(
        "Environment.channel = up and Sender.ack",
        "Environment.n = 0 and Environment.channel = up and Sender.ack",
    )
    session = SimulatorSession("m", load_text(model), seed=1)
    session.begin()

    assert "more: `more` lists them" in said(session, "moves")
    assert said(session, "more").splitlines()[1].split()[0] == "21"
    assert (
        said(session, "more", "more", "more", "more", "more", "more", "more", "more", "more")
        == "there are no more\n"
    )
