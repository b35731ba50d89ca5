from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.e2e.cli import gnomon, model
from tests.unit.results.samples import MODEL
from tests.unit.results.schemas import validate

__all__ = ["model"]


def test_a_walk_through_a_pipe(model: str, snapshot: SnapshotAssertion) -> None:
    result = gnomon("simulate", model, given="1\nundo\n3\nhistory\ntrace\n")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == snapshot


def test_a_mistake_in_a_pipe_is_said_and_the_walk_goes_on(model: str) -> None:
    result = gnomon("simulate", model, given="7\n1\nquit\n2\n")

    assert result.exit_code == 0
    assert result.stderr == "there is no move 7: there are 3\n"
    assert result.stdout.count("step in") == 1


def test_a_script_is_followed(model: str) -> None:
    Path("walk.txt").write_text("# to the receiver\n1\n\neval received\n", encoding="utf-8")
    result = gnomon("simulate", model, "--script", "walk.txt")

    assert result.exit_code == 0
    assert result.stdout.endswith("true\n")


def test_a_mistake_in_a_script_names_its_line(model: str) -> None:
    Path("walk.txt").write_text("1\nundoo\n2\n", encoding="utf-8")
    result = gnomon("simulate", model, "--script", "walk.txt")

    assert result.exit_code == 2
    assert "walk.txt:2: there is no command `undoo`" in result.stderr


def test_a_script_that_cannot_be_read_is_bad_usage(model: str) -> None:
    assert gnomon("simulate", model, "--script", "gone.txt").exit_code == 2


def test_a_random_walk_repeats_with_its_seed(model: str) -> None:
    runs = [gnomon("simulate", model, "--random", "9", "--seed", "4").stdout for _ in range(2)]

    assert runs[0] == runs[1]
    assert runs[0].startswith("seed 4\n")


def test_a_run_in_json_is_as_published(model: str) -> None:
    result = gnomon("simulate", model, "--random", "5", "--seed", "1", "--json")
    value = validate("simulate", result.stdout)

    assert len(value["run"]["steps"]) == 6
    assert value["seed"] == 1


def test_a_run_goes_to_a_file(model: str) -> None:
    result = gnomon("simulate", model, "--random", "2", "--json", "-o", "run.json")

    assert (result.exit_code, result.stdout) == (0, "")
    validate("simulate", Path("run.json").read_text(encoding="utf-8"))


def test_the_model_and_the_commands_cannot_share_standard_input() -> None:
    assert gnomon("simulate", "-", given=MODEL).exit_code == 2
    assert gnomon("simulate", "-", "--random", "1", given=MODEL).exit_code == 0


def test_a_deadlock_ends_a_random_walk(model: str) -> None:
    stuck = MODEL.replace("channel = up or channel = down: {work, fail};", "channel = up: {fail};")
    Path(model).write_text(stuck, encoding="utf-8")
    result = gnomon("simulate", model, "--random", "5")

    assert result.exit_code == 0
    assert "a deadlock after 1 of 5 steps" in result.stdout


FAIR = """\
Semantics = Interleaved;
Agent P
  Vars: x : boolean = false; end Vars
  Actions = { go, wait };
  Protocol: Other : { go, wait }; end Protocol
  Evolution: x = true if Action = go; x = false if Action = wait; end Evolution
end Agent
Evaluation x if P.x = true; end Evaluation
Fairness %s; end Fairness
Formulae AF x; end Formulae
"""


def test_where_nothing_is_fair_a_formula_is_undefined(model: str) -> None:
    Path(model).write_text(FAIR % "false", encoding="utf-8")
    result = gnomon("simulate", model, given="eval AF x\n")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("undefined  no fair run goes through this state\n")


def test_what_cannot_be_asked_is_said_once_and_the_walk_goes_on(model: str) -> None:
    Path(model).write_text(FAIR % "P.Action = go", encoding="utf-8")
    result = gnomon("simulate", model, given="eval <P>F x\neval AF x\n")

    assert result.exit_code == 0
    assert result.stderr.count("error[G0821]") == 1
    assert result.stdout.endswith("true  decided in the whole model\n")
