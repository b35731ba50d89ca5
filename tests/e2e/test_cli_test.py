"""`gnomon test`: models held to what they expect, many at once, whatever happens to one of them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from gnomon.checking import batch
from gnomon.checking.load import Loaded
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.supervise import work_here
from tests.e2e.cli import gnomon
from tests.e2e.process import COMMAND, PATIENCE, program
from tests.unit.checking.test_pool import descendants, is_working, parent
from tests.unit.checking.test_process import ENDLESS
from tests.unit.results.sarif_shape import check_sarif

LIGHT = """\
Agent Light
  Vars: on : boolean; end Vars
  Actions = {{ press, rest }};
  Protocol: Other : {{ press, rest }}; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
Evaluation on if Light.on; end Evaluation
InitStates Light.on = false; end InitStates
Formulae
{formulae}
end Formulae
"""
GOOD = "may : EF on; stays : AG !on expect false;"
BAD = "may : EF on; stays : AG !on;"


def light(formulae: str = GOOD) -> str:
    """Return a model with these formulae about a light that may be switched on."""
    return LIGHT.format(formulae=formulae)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with two models in two folders."""
    monkeypatch.chdir(tmp_path)
    for name in ("models", "models/more"):
        (tmp_path / name).mkdir()
    (tmp_path / "models/good.ispl").write_text(light())
    (tmp_path / "models/more/bad.ispl").write_text(light(BAD))
    return tmp_path


def test(*arguments: str) -> Result:
    """Run the command, one model at a time unless something else is said."""
    return gnomon("test", *arguments)


test.__test__ = False  # type: ignore[attr-defined]


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d\d s", "T s", re.sub(r", \d+ at once", "", text))


# What is tested


def test_all_models_below_a_folder_are_held_to_what_they_expect() -> None:
    result = test("models")

    assert 1 == result.exit_code
    assert "models/good.ispl ..  " in result.stdout
    assert "models/more/bad.ispl .F  " in result.stdout
    assert "FAILED models/more/bad.ispl::stays - false, expected true" in result.stdout
    assert "= 1 failed, 3 passed in " in result.stdout
    assert "" == result.stderr


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["models"], ["models/good.ispl", "models/more/bad.ispl"]),
        (["models/"], ["models/good.ispl", "models/more/bad.ispl"]),
        (["models/more", "models"], ["models/more/bad.ispl", "models/good.ispl"]),
        (["models/good.ispl", "./models/good.ispl"], ["models/good.ispl"]),
        (["."], ["models/good.ispl", "models/more/bad.ispl"]),
    ],
)
def test_every_model_is_tested_once_in_the_order_of_its_path(
    paths: list[str], names: list[str]
) -> None:
    result = test(*paths)

    assert names == re.findall(r"^(\S+\.ispl) ", result.stdout, re.MULTILINE)


def test_hidden_folders_and_links_that_lead_back_are_left_out(folder: Path) -> None:
    (folder / "models/.hidden").mkdir()
    (folder / "models/.hidden/x.ispl").write_text("no model")
    (folder / "models/.draft.ispl").write_text("no model")
    (folder / "models/notes.txt").write_text("no model")
    (folder / "models/dangling.ispl").symlink_to("nowhere")
    (folder / "models/folder.ispl").mkdir()
    (folder / "models/loop").symlink_to(folder / "models", target_is_directory=True)

    assert "collected 2 models" in test("models").stdout


def test_a_link_to_a_folder_elsewhere_is_followed(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere/other.ispl").write_text(light())
    (folder / "models/link").symlink_to(folder / "elsewhere", target_is_directory=True)

    assert "models/link/other.ispl .." in test("models").stdout


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("nowhere", "there is no file and no folder `nowhere`"),
        ("empty", "there is no model below `empty`"),
        ("models::safe", "`models` is a folder"),
        ("nowhere.ispl::safe", "there is no file and no folder `nowhere.ispl`"),
        ("-", "`-` has none"),
        ("", "there is no file and no folder ``"),
    ],
)
def test_a_path_without_models_is_a_mistake(folder: Path, path: str, word: str) -> None:
    (folder / "empty").mkdir()
    result = test("models", path)

    assert 2 == result.exit_code
    assert word in result.stderr
    assert "" == result.stdout


def test_a_folder_that_cannot_be_read_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    look = os.listdir

    def refused(path: str) -> list[str]:
        if path == "models/more":
            raise PermissionError(13, "Permission denied", path)
        return look(path)

    monkeypatch.setattr(os, "listdir", refused)  # some users may read everything
    result = test("models")

    assert 2 == result.exit_code
    assert "cannot look into `models/more`: permission denied" in result.stderr


def test_a_model_without_formulae_is_nothing_to_test(folder: Path) -> None:
    text = light("").replace("Formulae\n\nend Formulae\n", "")
    (folder / "none.ispl").write_text(text)

    assert 2 == test("none.ispl").exit_code
    assert "no formula was tested" in test("none.ispl").stdout
    assert 0 == test("none.ispl", "models/good.ispl").exit_code


def test_names_may_be_odd(folder: Path) -> None:
    names = [
        "a b  c.ispl",
        "it's.ispl",
        "[1].ispl",
        "ü.ispl",
        "x::y.ispl",
        "\x1b[2J.ispl",
        "a\nb.ispl",
    ]
    (folder / "odd").mkdir()
    for name in names:
        (folder / "odd" / name).write_text(light(BAD))
    result = test("odd")

    assert f"collected {len(names)} models" in result.stdout
    assert "FAILED odd/a b  c.ispl::stays" in result.stdout
    assert "FAILED odd/x::y.ispl::stays" in result.stdout
    assert "explain-verdict 'odd/a b  c.ispl' --only stays" in result.stdout
    assert "\x1b" not in result.stdout
    assert "odd/a\\x0ab.ispl .F" in result.stdout
    assert 0 == test("odd/x::y.ispl::may").exit_code
    assert f"{len(names)} failed, {len(names)} passed" in result.stdout


def test_there_may_be_very_many(folder: Path) -> None:
    (folder / "many").mkdir()
    for number in range(25):
        (folder / f"many/{number:02}.ispl").write_text(light())
    result = test("many", "-j", "2")

    assert 0 == result.exit_code
    assert "50 passed" in result.stdout
    assert [f"{number:02}" for number in range(25)] == re.findall(r"many/(\d\d)", result.stdout)


# Which formulae


@pytest.mark.parametrize(
    ("arguments", "passed", "failed", "status"),
    [
        (["models", "-k", "may"], 2, 0, 0),
        (["models", "-k", "STAYS"], 1, 1, 1),
        (["models", "-k", "stays and not bad"], 1, 0, 0),
        (["models", "-k", "good or (bad and may)"], 3, 0, 0),
        (["models", "-k", "more/bad.ispl::stays"], 0, 1, 1),
        (["models/good.ispl::stays"], 1, 0, 0),
        (["models/good.ispl::2"], 1, 0, 0),
        (["models/good.ispl::may", "models/good.ispl::stays"], 2, 0, 0),
        (["models/good.ispl::may", "models/good.ispl"], 2, 0, 0),
        (["models/good.ispl", "models/good.ispl::may"], 2, 0, 0),
        (["models/good.ispl::may", "models/more", "-k", "may"], 2, 0, 0),
    ],
)
def test_formulae_are_chosen_by_their_names(
    arguments: list[str], passed: int, failed: int, status: int
) -> None:
    result = test(*arguments)
    words = [f"{failed} failed"] * bool(failed) + [f"{passed} passed"] * bool(passed)

    assert status == result.exit_code
    assert f" {', '.join(words)}" in result.stdout.splitlines()[-1]


def test_what_is_left_out_is_counted() -> None:
    assert "2 passed, 2 deselected in" in test("models", "-k", "may").stdout
    assert "2 passed, 2 deselected in" in test("models", "-k", "good").stdout
    assert "bad.ispl" not in test("models", "-k", "good").stdout
    assert "deselected" not in test("models/good.ispl::may").stdout


def test_choosing_nothing_is_a_mistake() -> None:
    result = test("models", "-k", "window")

    assert 2 == result.exit_code
    assert "no formula was tested, 4 deselected in" in result.stdout


def test_an_expression_that_cannot_be_read_is_a_mistake() -> None:
    result = test("models", "-k", "may or")

    assert 2 == result.exit_code
    assert "something missing behind `or`" in result.stderr


def test_a_name_that_no_formula_has_is_a_mistake() -> None:
    result = test("models/good.ispl::must")

    assert 2 == result.exit_code
    assert "no formula of `models/good.ispl` is named `must`" in result.stdout
    assert "its names: may, stays" in result.stdout


def test_a_name_without_its_indices_means_all_of_them(folder: Path) -> None:
    (folder / "family.ispl").write_text(
        light("for i : 1..3: may[i] : EF on; end for other : AG !on;")
    )

    assert "= 3 passed in" in test("family.ispl::may").stdout
    assert "= 3 passed in" in test("family.ispl::m*[*]").stdout
    assert "= 1 passed in" in test("family.ispl::may[2]").stdout


# How they come out


def test_every_letter_has_its_place(folder: Path) -> None:
    (folder / "models/late.ispl").write_text(ENDLESS.replace("AG !bad", "open : AG !bad"))
    (folder / "models/broken.ispl").write_text(light("may : EF off;"))
    result = test("models", "--engine", "explicit", "--max-states", "5")

    assert 2 == result.exit_code
    assert re.findall(r"^models/(\S+) ([.FE?]+) ", result.stdout, re.MULTILINE) == [
        ("broken.ispl", "E"),
        ("good.ispl", ".."),
        ("late.ispl", "?"),
        ("more/bad.ispl", ".F"),
    ]
    assert "UNDECIDED models/late.ispl::open - unknown, expected true: " in result.stdout
    assert "ERROR models/broken.ispl - " in result.stdout
    assert "1 failed, 3 passed, 1 undecided, 1 error in" in result.stdout


@pytest.mark.parametrize(
    ("formulae", "status"),
    [
        ("EF on;", 0),
        ("AG on expect false;", 0),
        ("EF on expect false;", 1),
        ("AG on;", 1),
        ("EF on expect undefined;", 1),
        ("EF off;", 2),
        ("", 2),
    ],
)
def test_the_status_goes_by_what_is_expected(folder: Path, formulae: str, status: int) -> None:
    (folder / "model.ispl").write_text(light(formulae))

    assert status == test("model.ispl").exit_code


def test_what_is_not_decided_is_no_failure(folder: Path) -> None:
    (folder / "late.ispl").write_text(ENDLESS)
    result = test("late.ispl", "models/good.ispl", "--timeout", "1")

    assert 3 == result.exit_code
    assert "the time limit of 1 s was reached" in result.stdout
    assert "explain-verdict" not in result.stdout


def test_all_can_be_expected_to_be_true() -> None:
    result = test("models/good.ispl", "--expect", "true")

    assert 1 == result.exit_code
    assert "FAILED models/good.ispl::stays - false, expected true" in result.stdout


def test_the_reading_of_coalitions_is_part_of_the_way_to_see_why(folder: Path) -> None:
    (folder / "model.ispl").write_text(light("<Light>G on;"))
    result = test("model.ispl", "--strategies", "uniform")

    assert "model.ispl:10: false, expected true (strategies: uniform)" in result.stdout
    assert "some initial state Light has no strategy" in " ".join(result.stdout.split())
    assert "explain-verdict model.ispl --only 1 --strategies uniform" in result.stdout


def test_a_file_that_is_no_text_is_broken(folder: Path) -> None:
    (folder / "models/zero.ispl").write_bytes(b"\0\1\2")
    result = test("models/zero.ispl", "models/good.ispl")

    assert 2 == result.exit_code
    assert "zero.ispl E" in result.stdout
    assert "2 passed, 1 error in" in result.stdout


def test_warnings_are_listed_and_do_not_fail(folder: Path) -> None:
    (folder / "model.ispl").write_text(light("--! odd remark\n  may : EF on;"))
    result = test("model.ispl")

    assert 0 == result.exit_code
    assert "= warnings summary =" in result.stdout
    assert "model.ispl:10:1: G0417: this comment" in result.stdout
    assert "1 passed, 1 warning in" in result.stdout


def test_warnings_fail_where_they_may_not_be(folder: Path) -> None:
    (folder / "model.ispl").write_text(light("--! odd remark\n  may : EF on;"))

    for option in (["--deny", "G0417"], ["--strict"]):
        result = test("model.ispl", *option)

        assert 2 == result.exit_code
        assert "model.ispl E" in result.stdout
        assert "this warning is an error by" in result.stdout
    assert "= 1 passed in" in test("model.ispl", "--allow", "G0417").stdout
    assert 2 == test("model.ispl", "--allow", "G9999").exit_code


def test_a_model_without_an_initial_state_is_broken(folder: Path) -> None:
    text = light().replace("Light.on = false;", "Light.on = false and Light.on = true;")
    (folder / "model.ispl").write_text(text)
    result = test("model.ispl")

    assert 2 == result.exit_code
    assert "ERROR model.ispl - no state satisfies `InitStates`" in result.stdout


@pytest.mark.parametrize(
    ("step", "fairness", "why"),
    [
        ("!on", "on and !on;", "no reachable state satisfies `on and !on`"),
        ("true", "on; !on;", "each constraint can be met, but no run meets all of them"),
    ],
)
def test_a_model_without_a_fair_start_says_why(
    folder: Path, step: str, fairness: str, why: str
) -> None:
    text = light().replace("Formulae", f"Fairness {fairness} end Fairness\nFormulae", 1)
    (folder / "model.ispl").write_text(text.replace("on = !on", f"on = {step}"))
    result = test("model.ispl")

    assert 2 == result.exit_code
    assert "ERROR model.ispl - no initial state has a fair path" in result.stdout
    assert f"= {why}" in result.stdout


HOLLOW = "AG (on and !on -> AF on);"


def test_truths_that_say_nothing_are_told_and_fail_where_they_may_not_be(folder: Path) -> None:
    (folder / "model.ispl").write_text(light(HOLLOW))
    result, strict = test("model.ispl"), test("model.ispl", "--strict")

    assert (0, 1) == (result.exit_code, strict.exit_code)
    assert "model.ispl::1: vacuous: " in result.stdout
    assert "1 passed, 1 warning in" in result.stdout
    assert "FAILED model.ispl::1 - true, but vacuous: " in strict.stdout


# What is printed


def test_more_and_less_is_printed_as_wanted() -> None:
    quiet, verbose = test("models", "-q"), test("models", "-v")

    assert [
        "FAILED models/more/bad.ispl::stays - false, expected true",
        "1 failed, 3 passed in T s",
    ] == timeless(quiet.stdout).splitlines()
    assert "models/good.ispl::stays PASSED " in verbose.stdout
    assert "models/more/bad.ispl::stays FAILED " in verbose.stdout
    assert 2 == test("models", "-q", "-v").exit_code


def test_no_line_is_wider_than_the_page(folder: Path) -> None:
    (folder / "many.ispl").write_text(light("EF on; " * 300))
    for line in test("many.ispl", "models").stdout.splitlines():
        assert len(line) <= 80 or "explain-verdict" in line


def test_the_slowest_are_listed() -> None:
    one, every = test("models", "--durations", "1"), test("models", "--durations", "0")

    assert "= slowest 1 durations =" in one.stdout
    assert 1 == len(re.findall(r"^\d\.\d\d s  ", one.stdout, re.MULTILINE))
    assert 4 == len(re.findall(r"^\d\.\d\d s  ", every.stdout, re.MULTILINE))


@pytest.mark.parametrize("stop", [["-x"], ["--maxfail", "1"]])
def test_after_the_first_that_fails_there_are_no_more(folder: Path, stop: list[str]) -> None:
    (folder / "models/a.ispl").write_text(light(BAD))
    result = test("models", *stop)

    assert 1 == result.exit_code
    assert "good.ispl" not in result.stdout
    assert "stopping after 1 failure: 1 of 3 models were tested" in result.stdout


def test_more_failures_can_be_waited_for(folder: Path) -> None:
    (folder / "models/a.ispl").write_text(light(BAD))

    assert "stopping" in test("models", "--maxfail", "2").stdout
    assert "stopping" not in test("models", "--maxfail", "3").stdout


def test_a_report_for_machines_has_every_formula(folder: Path) -> None:
    (folder / "models/broken.ispl").write_text("no model")
    result = test("models", "--junit", "report.xml", "-k", "may or broken")
    suites = ET.parse(folder / "report.xml").getroot()

    assert 2 == result.exit_code
    assert ["models/broken.ispl", "models/good.ispl", "models/more/bad.ispl"] == [
        suite.get("name") for suite in suites
    ]
    assert ["1", "0", "0"] == [suite.get("errors") for suite in suites]


def test_code_scanning_gets_what_is_not_as_expected() -> None:
    result = test("models", "--sarif", "report.sarif", "--junit", "report.xml")
    run = check_sarif(json.loads(Path("report.sarif").read_text()), findings=True)

    assert 1 == result.exit_code
    assert ["models/more/bad.ispl"] == [
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for each in run["results"]
    ]
    assert {"executionSuccessful": True, "exitCode": 1} == run["invocations"][0]
    assert Path("report.xml").exists()


def test_two_reports_are_two_files() -> None:
    result = test("models", "--sarif", "report", "--junit", "report")

    assert 2 == result.exit_code
    assert "both write to `report`" in result.stderr


def test_a_report_does_not_overwrite_a_model() -> None:
    result = test("models", "--junit", "models/good.ispl")

    assert 2 == result.exit_code
    assert "would overwrite" in result.stderr


def test_a_report_does_not_mix_with_the_summary() -> None:
    result = test("models", "--junit", "-")

    assert 2 == result.exit_code
    assert "--junit needs a file" in result.stderr


def test_before_a_fault_of_ours_is_told_there_is_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(question: Question, loaded: Loaded) -> Asked:
        if "bad" in question.name:
            raise RuntimeError("odd")
        return read(question, loaded)

    monkeypatch.setattr(batch, "read", faulty)
    with work_here():
        result = test("models", "--junit", "report.xml")

    assert 4 == result.exit_code
    assert "a fault of gnomon's: 1 of 2 models were tested" in result.stdout
    assert "= 2 passed in" in result.stdout
    assert "this is a bug in gnomon" in result.stderr
    assert "good.ispl" in Path("report.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--uniform-group", "g"], "goes with --strategies uniform-model"),
        (["--jobs", "0"], "0"),
        (["--timeout", "0"], "0"),
        (["--engine", "magic"], "no engine `magic`"),
    ],
)
def test_options_that_cannot_be_are_refused(arguments: list[str], word: str) -> None:
    result = test("models", *arguments)

    assert 2 == result.exit_code
    assert word in result.stderr
    assert "" == result.stdout


# Many at once


def test_many_at_once_say_the_same_as_one_after_the_other(folder: Path) -> None:
    for number in range(5):
        (folder / f"models/{number}.ispl").write_text(light(BAD if number % 3 else GOOD))
    (folder / "models/2.ispl").write_text("no model")
    alone, together = test("models", "-j", "1"), test("models", "-j", "4")

    assert alone.exit_code == together.exit_code == 2
    assert timeless(alone.stdout) == timeless(together.stdout)


def test_a_file_that_nobody_writes_to_ends_with_its_time(folder: Path) -> None:
    os.mkfifo(folder / "pipe.ispl")
    done = program("test", "pipe.ispl", "--timeout", "0.5")

    assert 3 == done.returncode
    assert b"pipe.ispl ?" in done.stdout
    assert b"it did not end after" in done.stdout


Running = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    """Return what starts the command on models of which one takes for ever, and waits until it is at it."""
    (folder / "models/late.ispl").write_text(ENDLESS)
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> "subprocess.Popen[bytes]":
        output = folder / "output"
        with output.open("wb") as stdout, (folder / "errors").open("wb") as stderr:
            process = subprocess.Popen(
                [*COMMAND, "test", "models", *arguments],
                stdout=stdout,
                stderr=stderr,
                env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"},
            )
        started.append(process)
        wait_for(lambda: b"good.ispl" in output.read_bytes())
        wait_for(lambda: deciding(process.pid))
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        wait_for_the_end(process.pid)


#: The processes that were seen to work for each of them.
below: dict[int, set[int]] = {}


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def wait_for_the_end(pid: int) -> None:
    """Wait until all that ever worked for a program is gone."""
    wait_for(lambda: not any(map(is_working, below[pid])))


def deciding(pid: int) -> int | None:
    """Return the process that decides: its parent works on the model, and that one's parent starts them."""
    found = descendants(pid)
    below.setdefault(pid, set()).update(found)
    return next((each for each in found if parent(parent(each)) in found), None)


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, str]:
    """Wait for a program and return its status and what it wrote."""
    return process.wait(timeout=PATIENCE), Path("output").read_text()


@pytest.mark.parametrize(
    ("number", "status", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["INT", "TERM"],
)
def test_what_was_done_before_a_signal_is_told(
    running: Running, number: int, status: int, word: str
) -> None:
    process = running("-j", "1", "--junit", "report.xml")
    process.send_signal(number)
    returned, out = ended(process)

    assert status == returned
    assert b"" == Path("errors").read_bytes()
    assert f"{word}: 1 of 3 models were tested" in out
    assert out.splitlines()[-1].strip("=").startswith(" 2 passed in ")
    assert 'name="models/good.ispl"' in Path("report.xml").read_text()


def test_what_waits_for_its_turn_to_be_told_is_told_all_the_same(running: Running) -> None:
    process = running("-j", "2", "--progress")
    wait_for(lambda: b"2 of 3 models" in Path("errors").read_bytes())
    process.send_signal(signal.SIGINT)
    status, out = ended(process)

    assert 130 == status
    assert "models/more/bad.ispl .F" in out
    assert "interrupted: 2 of 3 models were tested" in out
    assert "= 1 failed, 3 passed in " in out.splitlines()[-1]


@pytest.mark.parametrize("victim", ["decider", "worker"])
def test_a_process_that_is_killed_is_told_and_takes_nothing_with_it(
    running: Running, victim: str
) -> None:
    process = running("-j", "1")
    decider = deciding(process.pid)
    assert decider is not None
    killed = decider if victim == "decider" else parent(decider)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    status, out = ended(process)

    assert 1 == status
    assert "models/late.ispl ?" in out
    assert "its process was killed" in " ".join(out.split())
    assert "= 1 failed, 3 passed, 1 undecided in " in out.splitlines()[-1]


def test_when_the_command_is_killed_nobody_is_left_behind(running: Running) -> None:
    process = running("-j", "2")
    process.kill()
    process.wait()

    wait_for_the_end(process.pid)


def test_on_a_terminal_it_tells_of_its_progress() -> None:
    pty = pytest.importorskip("pty")
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "test", "models"],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            data = os.read(mine, 4096)
        except OSError:
            break
        if not data:
            break
        written += data
    os.close(mine)

    assert 1 == process.wait(timeout=PATIENCE)
    assert b"\x1b[32m.\x1b[0m" in written
    assert b"\x1b[1;31mF\x1b[0m" in written


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_a_report_that_cannot_be_written_is_said() -> None:
    result = test("models", "--junit", "nowhere/report.xml")

    assert 2 == result.exit_code
    assert "cannot write `nowhere/report.xml`" in result.stderr
