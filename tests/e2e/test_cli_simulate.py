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
