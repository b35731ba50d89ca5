import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.e2e.cli import FALSE, TRUE, gnomon, model
from tests.e2e.test_cli_check import robots
from tests.support import EXAMPLES
from tests.unit.results.samples import MODEL
from tests.unit.results.schemas import validate

__all__ = ["model", "robots"]

BITS = str(EXAMPLES / "bit_transmission.ispl")
KNOWS = "AG(received -> K(Sender, received))"
DRAWN = ("dot", "mermaid", "svg", "tikz", "itf")


def test_knowledge_that_fails_is_told(snapshot: SnapshotAssertion) -> None:
    result = gnomon("explain-verdict", BITS, "--only", "5")

    assert (result.exit_code, result.stderr) == (0, "")  # as expected
    assert result.stdout == snapshot


def test_a_formula_of_time_and_knowledge_is_told(snapshot: SnapshotAssertion) -> None:
    formula = "AG (acknowledged -> AX K(Receiver, acknowledged))"
    result = gnomon("explain-verdict", BITS, "--formula", formula)

    assert result.exit_code == 1
    assert result.stdout == snapshot


def test_the_first_formula_with_a_story_is_chosen() -> None:
    result = gnomon("explain-verdict", BITS)

    assert result.stdout.startswith(
        "sender_notices_arrival: AG (received -> K(Sender, received))\n"
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--formula", TRUE], 0),
        (["--formula", FALSE], 1),
        (["--only", "1"], 0),
        (["--only", "2"], 1),
        (["--engine", "explicit", "--max-states", "3"], 3),
        (["--formula", "AF"], 2),
        (["--formula", "zork"], 2),
        (["--only", "9"], 2),
        (["--only", "1", "--formula", TRUE], 2),
        (["--engine", "oracle"], 2),
        (["--uniform-group", "both"], 2),
        (["--agents", "Zork"], 2),
        (["--agents", "Sender,,Receiver"], 2),
        (["--hide-action", "zork"], 2),
        (["--limit", "0"], 2),
        (["--run", "1"], 2),
        (["--only", "3", "--format", "itf", "--run", "9"], 2),
        (["-o", "no/such/folder/out.txt"], 2),
    ],
)
def test_the_status_says_how_it_came_out(model: str, arguments: list[str], status: int) -> None:
    result = gnomon("explain-verdict", model, *arguments)

    assert result.exit_code == status
    assert status != 2 or (result.stderr and not result.stdout)


@pytest.mark.parametrize("form", ["text", "json", "html", *DRAWN])
def test_every_format_goes_to_a_file(model: str, form: str) -> None:
    arguments = ["explain-verdict", model, "--formula", KNOWS, "--format", form]
    printed = gnomon(*arguments)
    written = gnomon(*arguments, "-o", "out")
    text = Path("out").read_text(encoding="utf-8")

    assert (printed.exit_code, written.exit_code, written.stdout) == (1, 1, "")
    assert "Sender" in printed.stdout
    assert "Sender" in text
    assert form not in {"dot", "mermaid", "svg", "itf"} or text == printed.stdout


def test_a_picture_is_well_formed(model: str) -> None:
    text = gnomon("explain-verdict", model, "--only", "3", "--format", "svg").stdout

    assert "same for Sender" in "".join(ET.fromstring(text).itertext())


def test_json_is_as_published(model: str) -> None:
    text = gnomon("explain-verdict", model, "--only", "3", "--format", "json").stdout
    [formula] = validate("check", text)["formulae"]

    assert formula["index"] == 3
    assert any("Sender does not know received" in sentence for sentence in formula["story"])


def test_a_trace_is_one_run_and_others_can_be_chosen(model: str) -> None:
    formula = "AG (acknowledged -> AX K(Receiver, acknowledged))"
    arguments = ["explain-verdict", model, "--formula", formula, "--format", "itf"]
    first, second = gnomon(*arguments), gnomon(*arguments, "--run", "2")

    assert first.stderr == "run 1 of 2: --run N chooses another\n"
    assert second.stderr == ""
    assert len(json.loads(first.stdout)["states"]) == 3
    assert "run 2 of 2" in json.loads(second.stdout)["#meta"]["description"]


@pytest.mark.parametrize("given", [["Sender,Receiver"], ["Sender", "--agents", "Receiver"]])
def test_agents_can_be_left_out(model: str, given: list[str]) -> None:
    result = gnomon("explain-verdict", model, "--only", "3", "--agents", *given)

    assert "Environment" not in result.stdout
    assert "Receiver.got becomes zero" in result.stdout


def test_names_with_commas_in_brackets_are_names(tmp_path: Path) -> None:
    path = tmp_path / "cards.ispl"
    path.write_text((EXAMPLES / "card_game.ispl").read_text(encoding="utf-8"), encoding="utf-8")
    result = gnomon(
        "explain-verdict", str(path), "--only", "5", "--agents", "Player[1],Player[1,2]"
    )

    assert "--agents Player[1,2]: no such agent; did you mean" in result.stderr


def test_a_wrong_agent_gets_a_suggestion(model: str) -> None:
    result = gnomon("explain-verdict", model, "--agents", "Sendr")

    assert "--agents Sendr: no such agent; did you mean `Sender`?" in result.stderr


def test_no_evidence_is_said_and_why(model: str) -> None:
    result = gnomon("explain-verdict", model, "--formula", TRUE)

    assert (result.exit_code, result.stderr) == (0, "")
    assert "There is no evidence to tell a story about: it is true of every run" in result.stdout
    assert "There is evidence for a false formula" in result.stdout


@pytest.mark.parametrize("form", DRAWN)
def test_nothing_to_draw_draws_nothing(model: str, form: str) -> None:
    result = gnomon("explain-verdict", model, "--formula", TRUE, "--format", form, "-o", "out")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("nothing to draw: AG(acknowledged")
    assert not Path("out").exists()


def test_a_limit_is_the_reason(model: str) -> None:
    arguments = ["--only", "1", "--engine", "explicit", "--max-states", "3"]
    result = gnomon("explain-verdict", model, *arguments)

    assert result.exit_code == 3
    assert "There is no evidence: it was not decided" in result.stdout


def test_a_model_without_formulae_is_told_so(model: str) -> None:
    text = Path(model).read_text(encoding="utf-8")
    start, end = text.index("Formulae\n") + len("Formulae\n"), text.index("end Formulae")
    Path("none.ispl").write_text(text[:start] + text[end:], encoding="utf-8")
    result = gnomon("explain-verdict", "none.ispl")

    assert result.exit_code == 2


def test_a_run_of_some_of_any_number_of_agents_is_told(robots: str) -> None:
    result = gnomon("explain-verdict", robots)

    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith("AG !pair is false\n")
    assert "2 Robot can reach a state where" in result.stdout
    assert "Robot1.room becomes cellar" in " ".join(result.stdout.split())
    assert "Robot3" not in result.stdout


def test_what_one_of_any_number_of_agents_does_not_know_is_told(robots: str) -> None:
    result = gnomon("explain-verdict", robots, "--only", "4")
    itf = gnomon("explain-verdict", robots, "--only", "4", "--format", "itf", "--run", "2")

    assert result.exit_code == 1
    assert "Robot1 does not know" in result.stdout
    assert "Environment.lamp (false here, true there)" in " ".join(result.stdout.split())
    assert json.loads(itf.stdout)["states"][-1]["Environment.lamp"] is True


@pytest.mark.parametrize("form", ["text", "json", "html", *DRAWN])
def test_every_format_knows_any_number_of_agents(robots: str, form: str) -> None:
    arguments = ["explain-verdict", robots, "--only", "1", "--format", form]
    printed = gnomon(*arguments)
    written = gnomon(*arguments, "-o", "out")
    text = Path("out").read_text(encoding="utf-8")

    assert (printed.exit_code, written.exit_code, written.stdout) == (1, 1, "")
    assert "Robot2" in printed.stdout
    assert "Robot2" in text


def test_what_is_told_of_any_number_of_agents_can_be_read_by_machines(robots: str) -> None:
    def shown(form: str) -> str:
        return gnomon("explain-verdict", robots, "--only", "1", "--format", form).stdout

    value = validate("check", shown("json"))
    [formula] = value["formulae"]

    assert (value["kind"], formula["agents"]["smallest"]) == ("parameterised", [{"Robot": 2}])
    assert any("Robot2.room becomes cellar" in sentence for sentence in formula["story"])
    assert ET.fromstring(shown("svg")).tag.endswith("svg")
    assert json.loads(shown("itf"))["states"][-1]["Robot2.room"] == "cellar"
    assert shown("dot").startswith("digraph")


def test_agents_are_those_of_the_evidence(robots: str) -> None:
    some = gnomon("explain-verdict", robots, "--only", "1", "--agents", "Robot2")
    none = gnomon("explain-verdict", robots, "--only", "1", "--agents", "Robot3")

    assert "Robot2.room" in some.stdout
    assert "Robot1.room" not in some.stdout
    assert (none.exit_code, none.stdout) == (2, "")
    assert "--agents Robot3: no such agent" in none.stderr


def test_what_holds_for_any_number_of_agents_has_no_story(robots: str) -> None:
    told = gnomon("explain-verdict", robots, "--only", "2")
    drawn = gnomon("explain-verdict", robots, "--only", "2", "--format", "dot")

    assert (told.exit_code, drawn.exit_code, drawn.stdout) == (0, 0, "")
    assert "It is so for any number of agents, and no run shows that." in told.stdout
    assert drawn.stderr.startswith("nothing to draw: AG (Robot.room = cellar")


@pytest.mark.parametrize(
    "arguments",
    [["--engine", "bdd"], ["--formula", "EF zork"], ["--only", "9"]],
)
def test_mistakes_about_any_number_of_agents_are_diagnosed(
    robots: str, arguments: list[str]
) -> None:
    result = gnomon("explain-verdict", robots, *arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_mistakes_in_the_model_are_diagnosed(model: str) -> None:
    text = Path(model).read_text(encoding="utf-8")
    Path("bad.ispl").write_text(text.replace("got = nothing: {idle}", "got = nothing: {zork}"))
    result = gnomon("explain-verdict", "bad.ispl")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[G" in result.stderr


def test_a_model_may_come_from_standard_input() -> None:
    result = gnomon("explain-verdict", "-", "--format", "json", given=MODEL)

    assert (result.exit_code, json.loads(result.stdout)["model"]) == (1, "<stdin>")


def test_pictures_leave_out_what_is_not_wanted(model: str) -> None:
    arguments = ["explain-verdict", model, "--formula", KNOWS, "--format", "tikz"]
    whole = gnomon(*arguments).stdout
    bare = gnomon(*arguments, "--no-line-numbers", "--hide-action", "Sender.send").stdout
    full = gnomon(*arguments, "--full-states").stdout

    assert "{line " in whole.replace(r"\\", "{")
    assert "Sender: send" in whole
    assert "{line " not in bare.replace(r"\\", "{").replace("={line width", "")
    assert "Sender: send" not in bare
    assert full.count("ack = false") > whole.count("ack = false")


@pytest.mark.parametrize("form", ["dot", "mermaid", "svg", "tikz", "html"])
def test_a_strategy_has_a_picture_which_may_be_cut(form: str) -> None:
    guess = str(EXAMPLES / "blind_guess.ispl")
    result = gnomon("explain-verdict", guess, "can_win", "--format", form, "--limit", "2")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "cut after 2 states: there are more" in result.stdout
