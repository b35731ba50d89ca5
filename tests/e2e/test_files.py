"""What must never happen to a user's files."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.cli import FALSE, TRUE, gnomon, model
from tests.e2e.process import COMMAND, PATIENCE, program
from tests.unit.results.samples import MODEL

__all__ = ["model"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files have other rules there")


def listing() -> set[str]:
    """Return the names in the folder, those that are hidden included."""
    return set(os.listdir())


@pytest.mark.parametrize(
    "command",
    [
        ["show"],
        ["show", "--graph", "dot"],
        ["simulate", "--random", "1"],
        ["explain-verdict", "--formula", TRUE],
        ["export", "--agents", "2"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["bits.ispl", "./bits.ispl", "hard.ispl", "soft.ispl"])
def test_no_output_overwrites_the_model(model: str, command: list[str], name: str) -> None:
    os.link(model, "hard.ispl")
    os.symlink(model, "soft.ispl")
    result = gnomon(command[0], model, *command[1:], "-o", name)

    assert result.exit_code == 2
    assert f"-o {name} would overwrite `{model}`" in result.stderr
    assert Path(model).read_text(encoding="utf-8") == MODEL


@pytest.mark.parametrize("option", ["-o", "--certificate"])
def test_no_output_of_a_check_overwrites_any_model(model: str, option: str) -> None:
    Path("other.ispl").write_text(MODEL, encoding="utf-8")
    result = gnomon("check", "other.ispl", model, option, f"./{model}")

    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option} ./{model} would overwrite `{model}`" in result.stderr
    assert Path(model).read_text(encoding="utf-8") == MODEL


def test_two_outputs_have_two_names(model: str) -> None:
    result = gnomon("check", model, "-o", "out", "--certificate", "./out")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "-o and --certificate both write to `./out`" in result.stderr
    assert {model} == listing()


def test_no_output_overwrites_standard_input(model: str) -> None:
    with open(model, "rb") as file:
        result = subprocess.run(
            [*COMMAND, "show", "-", "-o", model],
            stdin=file,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    assert result.returncode == 2
    assert f"-o {model} would overwrite standard input" in result.stderr
    assert Path(model).read_text(encoding="utf-8") == MODEL


def test_no_output_overwrites_the_script(model: str) -> None:
    Path("walk.txt").write_text("1\n", encoding="utf-8")
    result = gnomon("simulate", model, "--script", "walk.txt", "-o", "walk.txt")

    assert result.exit_code == 2
    assert Path("walk.txt").read_text(encoding="utf-8") == "1\n"


@pytest.mark.parametrize("target", ["bits.ispl", "walk.txt"])
def test_a_script_saves_over_nothing_unless_it_is_told_to(model: str, target: str) -> None:
    Path("walk.txt").write_text("mine\n", encoding="utf-8")
    before = Path(target).read_text(encoding="utf-8")
    Path("script.txt").write_text(f"save {target}\n", encoding="utf-8")
    result = gnomon("simulate", model, "--script", "script.txt")

    assert result.exit_code == 2
    assert f"script.txt:1: {'save bits.ispl would' if target == model else '`walk.txt` is'}" in (
        result.stderr
    )
    assert Path(target).read_text(encoding="utf-8") == before


def test_save_with_force_replaces_a_file_but_not_the_model(model: str) -> None:
    Path("walk.txt").write_text("mine\n", encoding="utf-8")
    Path("script.txt").write_text(f"save! walk.txt\nsave! {model}\n", encoding="utf-8")
    result = gnomon("simulate", model, "--script", "script.txt")

    assert Path("walk.txt").read_text(encoding="utf-8").startswith("# gnomon simulate")
    assert (result.exit_code, Path(model).read_text(encoding="utf-8")) == (2, MODEL)


@pytest.mark.parametrize(
    "name", ["a" * 255, "." + "b" * 200, "-", "new\nline", "\x1b[2J", "é" * 127]
)
def test_a_file_may_have_any_name_that_files_have(model: str, name: str) -> None:
    result = gnomon("show", model, "-o", f"./{name}")

    assert (result.exit_code, result.stderr) == (0, "")
    assert {model, name} == listing()


@pytest.mark.parametrize("name", ["a" * 256, ".", "no/where", "\ud800"])
def test_a_name_that_no_file_can_have_is_reported_before_any_work(model: str, name: str) -> None:
    result = gnomon("show", model, "-o", name)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: cannot write `" in result.stderr
    assert {model} == listing()


def test_a_full_disk_leaves_the_old_file_and_no_other(model: str) -> None:
    import resource

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    Path("out.txt").write_text("old", encoding="utf-8")
    result = program("show", model, "-o", "out.txt", preexec_fn=no_space)

    assert result.returncode == 2
    assert result.stderr.decode() == "Error: cannot write `out.txt`: file too large\n"
    assert Path("out.txt").read_text(encoding="utf-8") == "old"
    assert {model, "out.txt"} == listing()


@pytest.mark.parametrize(
    ("number", "status", "word"),
    [
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 143, "terminated"),
        (signal.SIGINT, 130, "interrupted"),
    ],
)
def test_whoever_is_ended_leaves_nothing_behind(
    model: str, number: signal.Signals, status: int, word: str
) -> None:
    os.mkfifo("pipe")
    process = subprocess.Popen(
        [*COMMAND, "explain-verdict", "pipe", "-o", "out.txt"],
        stderr=subprocess.PIPE,
        text=True,
    )
    with process, open("pipe", "wb"):  # opening it waits until it is read from
        assert any(name.startswith(".gnomon-") for name in listing())
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, said.split()) == (status, [word])
    assert {model, "pipe"} == listing()


def test_a_file_that_must_not_be_written_is_not_replaced(model: str) -> None:
    Path("out.txt").write_text("mine", encoding="utf-8")
    Path("out.txt").chmod(0o444)
    if os.access("out.txt", os.W_OK):
        pytest.skip("nothing is forbidden to this user")
    result = gnomon("show", model, "-o", "out.txt")

    assert result.exit_code == 2
    assert Path("out.txt").read_text(encoding="utf-8") == "mine"


def test_a_pipe_is_written_to_by_its_name(model: str) -> None:
    result = program("show", model, "-o", "/dev/stdout")

    assert result.returncode == 0
    assert result.stdout.decode().startswith(model)


def test_the_result_of_a_formula_survives_a_name_that_is_no_text(model: str) -> None:
    odd = b"a\xff.ispl"
    Path(os.fsdecode(odd)).write_text(MODEL, encoding="utf-8")
    result = program("explain-verdict", odd, "--formula", FALSE, "-o", "out.txt")

    assert (result.returncode, result.stderr) == (1, b"")
    assert "AF received is false" in Path("out.txt").read_text(encoding="utf-8")
