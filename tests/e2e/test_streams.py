"""Whatever the streams, the names and the environment are: results are whole, and terminals are safe."""

import csv
import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.e2e.cli import FALSE
from tests.e2e.process import COMMAND, program, shell
from tests.e2e.test_cli_export import ROOMS
from tests.unit.results.samples import MODEL

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams are files there")

#: A file name that is no text, acts on terminals, and turns the order of letters round.
NASTY = b"a\xff\x1b[2J\x07\xc2\x9b31m\r" + "\u202egnp\u2066.ispl".encode()
#: What a terminal obeys, or half a character.
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bits.ispl").write_text(MODEL, encoding="utf-8")


def named(name: bytes, text: str = MODEL) -> bytes:
    """Return the path of a model of that name."""
    Path(os.fsdecode(name)).write_text(text, encoding="utf-8")
    return b"./" + name


@pytest.mark.parametrize("arguments", [["show", "bits.ispl"], ["show", "bits.ispl", "--json"]])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(
            '"$@" > /dev/full',
            "no space left on device",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device"),
        ),
        ('"$@" >&-', "it is closed"),
    ],
)
def test_a_result_that_cannot_be_written_is_an_error(
    arguments: list[str], line: str, reason: str
) -> None:
    result = shell(line, arguments)

    assert result.returncode == 2
    assert result.stderr.decode() == f"Error: cannot write to standard output: {reason}\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("form", [[], ["--graph", "svg"]], ids=["words", "document"])
def test_half_a_result_is_an_error(unbuffered: str, form: list[str]) -> None:
    import resource

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    with open("out", "wb") as file:
        result = program(
            "show",
            "bits.ispl",
            *form,
            environment={"PYTHONUNBUFFERED": unbuffered},
            stdout=file,
            preexec_fn=no_space,
        )

    assert result.returncode == 2
    assert result.stderr.decode() == "Error: cannot write to standard output: file too large\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a small pipe")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_stream_that_does_not_wait_gets_everything(unbuffered: str) -> None:
    import fcntl

    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    with subprocess.Popen(
        [*COMMAND, "show", "bits.ispl", "--graph", "json"],
        stdout=writing,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        os.close(writing)
        with open(reading, "rb") as file:
            data = file.read()

    assert process.returncode == 0
    assert len(json.loads(data)["nodes"]) == 20


def test_a_closed_standard_output_does_not_matter_to_a_file() -> None:
    assert shell('"$@" >&-', ["show", "bits.ispl", "-o", "out.txt"]).returncode == 0
    assert Path("out.txt").read_text(encoding="utf-8").startswith("bits.ispl")


@pytest.mark.parametrize("arguments", [["show", "-"], ["simulate", "bits.ispl"]])
def test_a_closed_standard_input_is_an_error(arguments: list[str]) -> None:
    result = shell('"$@" <&-', arguments)

    assert result.returncode == 2
    assert result.stderr.decode() == "gnomon: standard input is closed\n"


@pytest.mark.parametrize("line", ['"$@" 2>&-', '"$@" 2>/dev/full'])
def test_what_cannot_be_said_on_standard_error_is_left_unsaid(line: str) -> None:
    assert shell(line, ["show", "gone.ispl"]).returncode == 2
    result = shell(line, ["show", "bits.ispl", "--graph", "dot", "--limit", "2"])
    assert result.returncode == 0
    assert b"digraph" in result.stdout


def test_a_reader_that_leaves_is_no_verdict() -> None:
    line = '{ "$@"; echo $? >&2; } | true'
    result = shell(line, ["show", "bits.ispl", "--graph", "svg"])

    assert result.stderr.decode() in {"141\n", "0\n"}  # all of it may fit into the pipe
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "sarif", "junit"])
def test_a_model_may_have_any_name(form: str) -> None:
    asked = ["--formula", FALSE, "--evidence", "--format", form]
    path = named(NASTY)
    printed = program("check", path, *asked)
    written = program("check", path, *asked, "-o", "out")

    assert (1, 1) == (printed.returncode, written.returncode)
    for data in (printed.stdout, Path("out").read_bytes()):
        text = data.decode().replace("\r\n", "\n")  # how lines of CSV end
        assert ACTS.search(text) is None
        match form:
            case "csv":
                assert len(list(csv.DictReader(StringIO(text)))) == 1
            case "json" | "sarif":
                json.loads(text)
            case "jsonl":
                assert [json.loads(line)["type"] for line in text.splitlines()] == [
                    "formula",
                    "model",
                ]
            case "junit":
                ET.fromstring(text)


def test_a_name_in_json_is_the_name_of_the_file() -> None:
    path = named(b"a\xff\xc2\x9b.ispl")
    value: Any = json.loads(program("show", path, "--json").stdout)

    assert os.fsencode(value["model"]) == path


@pytest.mark.parametrize(
    "arguments",
    [
        ["show"],
        ["show", "--graph", "svg", "--limit", "2"],
        ["simulate", "--random", "2"],
        ["simulate", "--random", "2", "--json"],
        ["simulate", "--script", "bits.ispl"],
        ["explain-verdict", "--formula", FALSE],
        ["explain-verdict", "--formula", FALSE, "--format", "html"],
        ["explain-verdict", "--formula", FALSE, "--format", "itf"],
        ["export", "--agents", "2"],
        ["verify-certificate", "bits.ispl"],
    ],
    ids=" ".join,
)
def test_no_name_reaches_the_terminal_as_a_command(arguments: list[str]) -> None:
    result = program(arguments[0], named(NASTY), *arguments[1:])

    assert result.returncode in {0, 1, 2}
    assert ACTS.search((result.stdout + result.stderr).decode()) is None


@pytest.mark.parametrize(
    "arguments",
    [["export", "--agents", "2"], ["export", "--agents", "unbounded"], ["show"], ["show", "-o"]],
    ids=" ".join,
)
def test_no_name_of_a_model_with_templates_does(arguments: list[str]) -> None:
    path = named(NASTY, ROOMS)
    file = ["out"] if arguments[-1] == "-o" else []
    result = program(arguments[0], path, *arguments[1:], *file)

    assert result.returncode == 0
    text = (Path("out").read_bytes() if file else result.stdout + result.stderr).decode()
    assert r"a\xff\x1b[2J\x07\x9b31m\x0d\u202egnp\u2066.ispl" in text
    assert ACTS.search(text) is None


def test_no_name_of_a_missing_file_does_either() -> None:
    result = program("show", b"./" + NASTY)

    assert result.returncode == 2
    assert ACTS.search(result.stderr.decode()) is None


def test_no_comment_and_no_formula_reaches_the_terminal_as_a_command() -> None:
    spoilt = "-- \x1b[31m \u202e\nAgent \u202eA \x1b]0;title\x07 end -- \x9b2J"
    Path("bad.ispl").write_text(spoilt, encoding="utf-8")
    broken = program("show", "bad.ispl")
    asked = program("check", "bits.ispl", "--formula", "AG \x1b[2J\u202e p")
    walked = program("simulate", "bits.ispl", given="\x1b[2J\u202e\nwhere \x9b=1\n".encode())

    for result in (broken, asked, walked):
        assert result.stderr
        assert ACTS.search(result.stderr.decode()) is None


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16"])
def test_what_programs_read_is_utf_8_whatever_the_terminal_shows(encoding: str) -> None:
    path = named("✓é.ispl".encode())
    value: Any = json.loads(
        program("show", path, "--json", environment={"PYTHONIOENCODING": encoding}).stdout.decode()
    )

    assert value["model"] == "./✓é.ispl"


def test_what_people_read_suits_the_terminal() -> None:
    result = program(
        "check", "bits.ispl", "--formula", FALSE, environment={"PYTHONIOENCODING": "ascii"}
    )

    assert "x 1  AF received" in result.stdout.decode("ascii")


@pytest.mark.parametrize("columns", ["9" * 5000, "0", "-1", "²", "99999999999"])
def test_any_width_may_be_asked_for(columns: str) -> None:
    result = program("show", "bits.ispl", environment={"COLUMNS": columns})

    assert (result.returncode, result.stderr) == (0, b"")


def test_colours_are_the_only_escapes() -> None:
    path = named(b"a\x1b[5m.ispl")
    result = program("show", path, environment={"NO_COLOR": "", "FORCE_COLOR": "1"})
    text = result.stdout.decode()

    assert "\x1b[1m./a\\x1b[5m.ispl\x1b[0m" in text
    assert ACTS.search(re.sub(r"\x1b\[[0-9;]*m", "", text)) is None
