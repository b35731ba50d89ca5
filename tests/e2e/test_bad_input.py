"""Bad input through the real command: a code and a place, status 2 (or 3 at a limit), and never for ever."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon as run_here
from tests.laws.watch import time_limit

COMMAND = [sys.executable, "-c", "from gnomon.interfaces.cli.main import run; run()"]
#: Seconds of the processor, not of the clock: the machine may be busy.
QUICK, HUGE = 10.0, 60.0
MEGABYTE = 2**20
MANY = 100_000

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="measures child processes")


class Outcome:
    """What a run left behind."""

    def __init__(self, status: int, out: bytes, err: bytes, seconds: float) -> None:
        self.status = status
        self.out = out.decode()
        self.err = err.decode()
        self.seconds = seconds

    @property
    def codes(self) -> list[str]:
        return re.findall(r"^error\[(G\d{4})\]", self.err, re.MULTILINE)


def gnomon(*arguments: str, given: bytes = b"", limit: float = QUICK) -> Outcome:
    """Run the command, and fail if it does not come back or blames itself."""
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        preexec_fn=lambda: resource.setrlimit(  # noqa: PLW1509 - no threads here
            resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2)
        ),
    ) as process:
        try:
            out, err = process.communicate(given, timeout=limit * 6)
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail(f"still running after {limit * 6} s")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    outcome = Outcome(process.returncode, out, err, seconds)
    if outcome.status in (-signal.SIGXCPU, -signal.SIGKILL):
        pytest.fail(f"used more than {limit} s of the processor")
    assert "Traceback" not in outcome.err
    assert "bug in gnomon" not in outcome.err, outcome.err[-500:]
    assert outcome.status in (0, 1, 2, 3), outcome.err[-500:]
    return outcome


def quickly(*arguments: str) -> Outcome:
    """Run the command in this process: for what takes no time at all."""
    with time_limit(QUICK, " ".join(arguments)):
        result = run_here(*arguments)
    outcome = Outcome(result.exit_code, result.stdout_bytes, result.stderr_bytes, 0)
    assert "Traceback" not in outcome.err
    assert "bug in gnomon" not in outcome.err, outcome.err[-500:]
    return outcome


def quick_check(text: str | bytes, folder: Path, *options: str) -> Outcome:
    """Check a text that is kept in a file, in this process."""
    path = folder / "bad.ispl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return quickly("check", str(path), *options)


def check(text: str | bytes, folder: Path, *options: str, limit: float = QUICK) -> Outcome:
    """Check a text that is kept in a file."""
    path = folder / "bad.ispl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return gnomon("check", str(path), *options, limit=limit)


def assert_refused(outcome: Outcome, *codes: str) -> None:
    assert outcome.status == 2, outcome.err[-500:]
    assert list(codes) == outcome.codes
    assert outcome.out == ""
    # What is wrong can be read: a novel would not be.
    assert len(outcome.err) < 4_000


def program(
    *,
    head: str = "",
    variables: str = "x : 0..3;",
    protocol: str = "Other : { a };",
    evolution: str = "x = x + 1 if x < 3;",
    evaluation: str = "top if P.x = 3;",
    initial: str = "P.x = 0;",
    formulae: str = "EF top;",
) -> str:
    return f"""{head}
Agent P
  Vars: {variables} end Vars
  Actions = {{ a }};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation {evaluation} end Evaluation
InitStates {initial} end InitStates
Formulae {formulae} end Formulae
"""


FAMILY = program(
    head="Constants n = 2; end Constants",
    variables="x[i : 1..n] : 0..3;",
    evolution="for i : 1..n: x[i] = x[i] + 1 if x[i] < 3; end for",
    evaluation="top[i : 1..n] if P.x[i] = 3;",
    initial="forall i : 1..n (P.x[i] = 0);",
    formulae="EF top[1];",
)


def test_the_programs_that_these_tests_spoil_are_good(tmp_path: Path) -> None:
    assert check(program(), tmp_path).status == 0
    assert check(FAMILY, tmp_path).status == 0


# Files


def test_a_missing_file(tmp_path: Path) -> None:
    assert_refused(gnomon("check", str(tmp_path / "none.ispl")), "G0001")


def test_a_folder(tmp_path: Path) -> None:
    refused = gnomon("check", str(tmp_path))

    assert_refused(refused, "G0001")
    assert "`gnomon test` takes folders" in refused.err


def test_a_name_no_file_can_have() -> None:
    assert_refused(gnomon("check", "x" * 300), "G0001")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.ispl"
    path.write_text(program())
    path.chmod(0)
    assert_refused(gnomon("check", str(path)), "G0001")


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n", "-- nothing\n-- here", "\ufeff", "\f\v"])
def test_a_file_that_says_nothing(text: str, tmp_path: Path) -> None:
    assert_refused(quick_check(text, tmp_path), "G0112", "G0113")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), id="picture"),
        pytest.param(program().encode("utf-16"), id="utf-16"),
        pytest.param(program().encode("utf-16-le"), id="utf-16 without mark"),
        pytest.param(program().encode("utf-32"), id="utf-32"),
        pytest.param(program(head="-- é").encode("latin-1"), id="latin-1"),
        pytest.param(program().encode() + b"\0", id="zero byte"),
        pytest.param(b"\xff", id="one byte"),
        pytest.param(b"-- \xed\xa0\x80", id="surrogate"),
    ],
)
def test_a_file_that_is_no_text(content: bytes, tmp_path: Path) -> None:
    assert_refused(quick_check(content, tmp_path), "G0002")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    assert_refused(check(b" " * (33 * MEGABYTE), tmp_path), "G0003")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufeff" + program(), id="byte order mark"),
        pytest.param(program().replace("\n", "\r\n"), id="DOS line ends"),
        pytest.param(program().replace("\n", "\r"), id="line ends of old Macs"),
        pytest.param(program(head="-- a comment").replace("\n", "\r"), id="old Mac with a comment"),
        pytest.param(program().replace(" ", "\t"), id="tabs"),
        pytest.param(program().replace(" ", "\f"), id="form feeds"),
        pytest.param(program().rstrip(), id="no line end at the end"),
        pytest.param(program(head="-- ∀ é \U0001f600"), id="any character in comments"),
    ],
)
def test_odd_but_good_files(text: str, tmp_path: Path) -> None:
    assert quick_check(text, tmp_path).status == 0


def test_standard_input_can_be_bad_too() -> None:
    assert_refused(gnomon("check", "-", given=b"\xff"), "G0002")
    assert_refused(gnomon("check", "-", given=b""), "G0112", "G0113")


def test_one_bad_file_of_two_stops_both(tmp_path: Path) -> None:
    good = tmp_path / "good.ispl"
    good.write_text(program())
    assert_refused(gnomon("check", str(good), str(tmp_path / "none.ispl")), "G0001")


# Deep and long programs


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(program(formulae="(" * MANY + "top" + ")" * MANY + ";"), id="("),
        pytest.param(program(formulae="!" * MANY + "top;"), id="!"),
        pytest.param(program(formulae=" -> ".join(["top"] * MANY) + ";"), id="->"),
        pytest.param(program(formulae="AG " * MANY + "top;"), id="AG"),
        pytest.param(program(formulae="K(P, " * MANY + "top" + ")" * MANY + ";"), id="K("),
        pytest.param(program(formulae="<P>X " * MANY + "top;"), id="<P>X"),
        pytest.param(program(formulae="A(top U " * MANY + "top" + ")" * MANY + ";"), id="A(U"),
        pytest.param(program(formulae="LTL " + "X " * MANY + "top;"), id="X"),
        pytest.param(program(formulae="LTL " + " U ".join(["top"] * MANY) + ";"), id="U"),
        pytest.param(program(formulae="forall i : 1..1 (" * MANY + ";"), id="forall"),
        pytest.param(
            program(evaluation="top if " + "(" * MANY + "P.x = 1;"), id="( in a condition"
        ),
        pytest.param(
            program(evaluation="top if " + "!" * MANY + "P.x = 1;"), id="! in a condition"
        ),
        pytest.param(program(evaluation="top if " + "- " * MANY + "P.x = 1;"), id="minus"),
        pytest.param(program(evaluation="top if " + "~" * MANY + "P.x = 1;"), id="~"),
        pytest.param(
            program(evaluation="top if " + " -> ".join(["P.x = 1"] * MANY) + ";"), id="-> condition"
        ),
        pytest.param(
            program(evaluation="top if " + " * ".join(["P.x"] * MANY) + " = 1;"), id="products"
        ),
        pytest.param(
            program(evaluation="top if " + " | ".join(["P.x"] * MANY) + " = 1;"), id="bits"
        ),
        pytest.param(program(evolution="(" * MANY + "x = 1 if x = 2;"), id="( before assignments"),
        pytest.param(program(variables="x[" * MANY + " : 0..1;"), id="indices"),
        pytest.param(program(evaluation="for i : 1..1: " * MANY), id="for"),
    ],
)
def test_deep_nesting_is_refused(text: str, tmp_path: Path) -> None:
    outcome = check(text, tmp_path, "--timeout", "3")

    assert outcome.status in (2, 3)
    assert outcome.status == 3 or outcome.codes
    assert len(outcome.err) < 20_000


@pytest.mark.parametrize("depth", [150, 240])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("evolution=x = 1 if !(x = 1);", id="not in a guard"),
        pytest.param("protocol=!(x = 1) : { a }; Other : { a };", id="not in a protocol"),
        pytest.param("evolution=x = 1 if - x < 2;", id="minus"),
        pytest.param("evaluation=top if !(P.x = 3);", id="not in a proposition"),
        pytest.param("initial=!(P.x = 0);", id="not in the initial states"),
        pytest.param("formulae=! top;", id="not in a formula"),
        pytest.param("formulae=EX top;", id="EX"),
        pytest.param("formulae=LTL X top;", id="X"),
    ],
)
def test_all_that_is_not_refused_as_too_deep_can_be_checked(
    text: str, depth: int, tmp_path: Path
) -> None:
    section, line = text.split("=", 1)
    mark = re.search(r"!|- |EX |X ", line)
    assert mark is not None
    even = depth // 2 * 2
    deep = (
        line[: mark.start()] + mark.group() * even + line[mark.start() :].removeprefix(mark.group())
    )
    outcome = check(program(**{section: deep}), tmp_path, "--timeout", "3", "--evidence")

    assert outcome.status in (0, 1, 2, 3)
    assert outcome.status != 2 or outcome.codes == ["G0106"]


@pytest.mark.parametrize("count", [500, MANY // 10])
@pytest.mark.parametrize("operator", ["*", "|"])
def test_long_chains_of_operators_are_read_or_refused(
    operator: str, count: int, tmp_path: Path
) -> None:
    chain = f" {operator} ".join(["x"] * count)
    outcome = check(program(evolution=f"x = 1 if {chain} < 3;"), tmp_path, "--timeout", "3")

    assert outcome.status in (0, 1, 2, 3)
    assert outcome.status != 2 or outcome.codes


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(program(evolution=f"x = 1 if {' + '.join(['x'] * MANY)} < 3;"), id="sum"),
        pytest.param(program(evolution=f"x = 1 if {' and '.join(['x < 3'] * MANY)};"), id="guard"),
        pytest.param(program(formulae=f"{' and '.join(['top'] * MANY)};"), id="and"),
        pytest.param(program(formulae=f"EF ({' or '.join(['top'] * MANY)});"), id="or"),
        pytest.param(program(initial=f"{' and '.join(['P.x = 0'] * MANY)};"), id="initial and"),
        pytest.param(program(initial=f"{' or '.join(['P.x = 0'] * MANY)};"), id="initial or"),
        pytest.param(
            program(formulae="CTL* A (" + " and ".join(["F top"] * 3000) + ");"), id="CTL* and"
        ),
        pytest.param(program(formulae="EF top;" * 2000), id="formulae"),
        pytest.param(
            program(
                evaluation="".join(f"top{n} if P.x = 3;" for n in range(MANY // 4))
                + "top if P.x = 3;"
            ),
            id="propositions",
        ),
    ],
)
@pytest.mark.slow
def test_long_lists_are_read(text: str, tmp_path: Path) -> None:
    outcome = check(text, tmp_path, "--timeout", "3", "--quiet", limit=20)

    assert outcome.status in (0, 1, 3)


ENUMERATION = ", ".join(f"v{number}" for number in range(MANY))


def test_an_enumeration_of_a_hundred_thousand_values(tmp_path: Path) -> None:
    text = program(
        variables=f"x : {{ {ENUMERATION} }};",
        evolution="x = v1 if x = v0;",
        evaluation="top if P.x = v1;",
        initial="P.x = v0;",
    )
    assert check(text, tmp_path, "--timeout", "60").status == 0


def test_a_typing_mistake_in_a_large_enumeration_is_told_in_a_few_lines(tmp_path: Path) -> None:
    text = program(
        variables=f"x : {{ {ENUMERATION} }};",
        evolution="x = v1 if x = v0;",
        evaluation="top if P.x = w1;",
        initial="P.x = v0;",
    )
    assert_refused(check(text, tmp_path), "G0302")


def test_a_long_name_is_told_in_a_few_lines(tmp_path: Path) -> None:
    assert_refused(quick_check(program(formulae="a" * 50_000 + ";"), tmp_path), "G0601")
    assert_refused(quick_check(program(initial=f"{'a' * 50_000}.x = 1;"), tmp_path), "G0203")
    assert_refused(
        quick_check(program(evolution=f"{'a' * 50_000} = 1 if x = 1;"), tmp_path), "G0202"
    )


def test_many_unknown_names_among_many_known_ones_are_told_in_time(tmp_path: Path) -> None:
    known = "".join(f"top{number} if P.x = 3;" for number in range(3000))
    unknown = "".join(f"tpo{number};" for number in range(300))
    outcome = check(program(evaluation=known, formulae=unknown), tmp_path)

    assert outcome.status == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param(
            program(initial=" and ".join(["P.x = 0"] * 900_000) + ";"), (0, 3), id="tokens"
        ),
        pytest.param(program(formulae="a" * 10 * MEGABYTE + ";"), (2,), id="identifier"),
        pytest.param("Agent " + "a" * 10 * MEGABYTE, (2,), id="agent"),
        pytest.param("(" * 10 * MEGABYTE, (2, 3), id="brackets"),
        pytest.param(
            program(formulae="(" * 10 * MEGABYTE + ";"), (2, 3), id="brackets in a formula"
        ),
        pytest.param("-- " + "x" * 10 * MEGABYTE, (2,), id="comment"),
        pytest.param(program(initial="P.x = " + "9" * 10 * MEGABYTE + ";"), (2,), id="number"),
    ],
)
def test_ten_megabytes_on_one_line(text: str, status: tuple[int, ...], tmp_path: Path) -> None:
    outcome = check(text, tmp_path, "--timeout", "20", limit=HUGE)

    assert outcome.status in status
    assert len(outcome.err) < 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(program(formulae="; " * 200_000), id="semicolons"),
        pytest.param(program(formulae="é " * 200_000), id="unknown characters"),
        pytest.param(program(formulae="nothing; " * 100_000), id="unknown propositions"),
        pytest.param("Agent\n" * 100_000, id="sections on many lines"),
        pytest.param("( " + "Agent " * 200_000, id="sections on one line"),
    ],
)
def test_a_hundred_thousand_mistakes_are_told_in_time_and_not_all_of_them(
    text: str, tmp_path: Path
) -> None:
    outcome = check(text, tmp_path)

    assert outcome.status == 2
    assert len(outcome.err) < 200_000


@pytest.mark.slow
def test_a_long_line_is_formatted_in_time(tmp_path: Path) -> None:
    path = tmp_path / "long.ispl"
    path.write_text(program(initial=" and ".join(["P.x = 0"] * MANY) + ";"))

    assert gnomon("fmt", str(path), limit=20).status == 0


# Numbers


BIG = "99999999999999999999"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param(program(variables=f"x : 0..{BIG};"), (0, 3), id="pinned"),
        pytest.param(program(variables=f"x : -{BIG}..{BIG};"), (0, 3), id="pinned, both signs"),
        pytest.param(program(variables=f"x : {BIG[:-1]}0..{BIG};", initial=f"P.x = {BIG};",
                             evolution=f"x = x - 1 if x = {BIG};", evaluation=f"top if P.x = {BIG};"),
                     (0, 3), id="pinned at the top"),
        pytest.param(program(variables=f"x : 0..{BIG};", initial="1 = 1;"), (1,), id="free"),
        pytest.param(program(variables=f"x : 0..{BIG};", initial="P.x > 5;"), (1,), id="half free"),
        pytest.param(program(variables=f"x : 0..{BIG};", initial="P.x < 3;"), (0, 3), id="few"),
        pytest.param(program(variables=f"x : 0..{BIG};", initial="P.x = P.x;"), (1,), id="itself"),
        pytest.param(program(variables=f"x : 0..{BIG}; y : 0..{BIG};", initial="P.x = P.y;"), (1,),
                     id="two free"),
        pytest.param(program(variables="x : 0..3;" + "".join(f"y{n} : 0..1000000;" for n in range(8))),
                     (0,), id="many free"),
        pytest.param(program(variables="x : 0..3;" + "".join(f"y{n} : boolean;" for n in range(60))),
                     (0,), id="sixty Booleans free"),
        pytest.param(program(variables="x : int;", initial="1 = 1;"), (1,), id="int free"),
        pytest.param(program(variables="x : int;", initial="P.x > 0;"), (1,), id="int half free"),
        pytest.param(program(variables="x : int;", evolution="x = x + 1 if true;",
                             formulae="AG P.x >= 0;"), (0,), id="int counts"),
        pytest.param(program(variables="x : int;", initial="P.x = 2;", evolution="x = x * x if true;",
                             formulae="AG P.x >= 0;"), (0,), id="int squares"),
        pytest.param(program(variables="x : int;", initial=f"P.x = {'9' * 4000};",
                             evolution=f"x = x * {'9' * 4000} if x < {'9' * 4000} + 1;",
                             formulae="AG P.x < 0;"), (1, 3), id="values of thousands of digits"),
        pytest.param(program(variables=f"x : 0..{'9' * 4000};"), (0, 3), id="bound of 4000 digits"),
    ],
)  # fmt: skip
def test_huge_ranges_end_in_time(text: str, status: tuple[int, ...], tmp_path: Path) -> None:
    start = time.monotonic()
    outcome = check(text, tmp_path, "--timeout", "3", "--memory", "2000", "--evidence")

    assert outcome.status in status
    if outcome.status == 3:
        assert "unknown: " in outcome.out or "undefined: " in outcome.out
    assert time.monotonic() - start < 60


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param(program(variables="x : 3..0;"), ["G0308"], id="empty range"),
        pytest.param(program(initial="P.x = " + "9" * 4001 + ";"), ["G0107"], id="4001 digits"),
        pytest.param(program(variables="x : 0..;"), ["G0102"], id="half a range"),
        pytest.param(program(variables="x : { };"), ["G0102"], id="no values"),
        pytest.param(program(variables="X : 0..3;"), ["G0104"], id="formula word"),
        pytest.param(program(variables="true : 0..3;"), ["G0102"], id="true"),
        pytest.param(program().replace("{ a }", "{ K }"), ["G0104"], id="action"),
        pytest.param(
            program(evaluation="AG if P.x = 3; top if P.x = 3;"), ["G0104"], id="proposition"
        ),
    ],
)
def test_bad_ranges_and_names(text: str, codes: list[str], tmp_path: Path) -> None:
    assert_refused(quick_check(text, tmp_path), *codes)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(f"Constants c = {'9' * 4000}; d = c * c; end Constants", id="8000 digits"),
        pytest.param(
            "Constants c0 = 9; "
            + "".join(f"c{n + 1} = c{n} * c{n};" for n in range(40))
            + " end Constants",
            id="forty squares",
        ),
    ],
)
@pytest.mark.parametrize("bounds", ["0..{}", "{}..0", "0..3; y[{}] : 0..3"])
def test_constants_may_be_of_any_size(head: str, bounds: str, tmp_path: Path) -> None:
    last = "d" if "d =" in head else "c40"
    text = program(head=head, variables=f"x : {bounds.format(last)};")
    outcome = check(text, tmp_path, "--timeout", "3")

    assert outcome.status in (0, 2, 3)
    assert outcome.status != 2 or outcome.codes


@pytest.mark.parametrize("word", ["Agent", "Vars", "end", "if", "Other", "Environment", "and"])
def test_a_variable_with_the_name_of_a_section_is_refused(word: str, tmp_path: Path) -> None:
    outcome = quick_check(program(variables=f"{word} : 0..3;"), tmp_path)

    assert outcome.status == 2
    assert outcome.codes


# Everything twice


def test_everything_twice_is_told_in_one_go(tmp_path: Path) -> None:
    twice = """
    Semantics = MA;
    Semantics = MA;
    Agent P
      Vars: x : 0..1; x : boolean; y : { a, a }; end Vars
      Actions = { a, a };
      Protocol: Other : { a }; Other : { a }; end Protocol
      Evolution: x = 1 and x = 0 if x = 0; end Evolution
    end Agent
    Agent P Vars: z : 0..1; end Vars Actions = { a }; Protocol: Other : { a }; end Protocol end Agent
    Evaluation top if P.x = 1; top if P.x = 0; end Evaluation
    InitStates P.x = 0; P.x = 1; end InitStates
    Groups g = { P, P }; g = { P }; end Groups
    Formulae EF top; end Formulae
    Formulae EF top; end Formulae
    """
    outcome = quick_check(twice, tmp_path)

    assert_refused(outcome, "G0108", "G0311", "G0110", "G0108")


# Options


@pytest.mark.parametrize(
    "options",
    [
        ["--only", "99"],
        ["--only", "0"],
        ["--only", "-1"],
        ["--only", "x"],
        ["--set", "n=abc"],
        ["--set", "n"],
        ["--set", "=3"],
        ["--set", "n=1e3"],
        ["--set", "n=" + "9" * 5000],
        ["--set", "m=3"],
        ["--set", "x=3"],
        ["--no-such-option"],
        ["--timeout", "0"],
        ["--timeout", "-1"],
        ["--timeout", "soon"],
        ["--memory", "0"],
        ["--engine", "none"],
        ["--format", "xml"],
        ["--json", "--format", "junit"],
        ["--formula", "AG"],
        ["--formula", ""],
        ["--formula", "nothing"],
        ["--formula", "top[1]; top[1]"],
        ["--formula", "(" * MANY],
        ["--formula", "top[1]", "--only", "1"],
        ["--quiet", "--verbose"],
        ["--strategies", "none"],
        ["--uniform-group", "g"],
    ],
    ids=lambda options: " ".join(options)[:30],
)
def test_bad_options(options: list[str], tmp_path: Path) -> None:
    outcome = quick_check(FAMILY, tmp_path, *options)

    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.strip()


@pytest.mark.parametrize(
    ("size", "status"), [("1", (0,)), ("0", (2,)), ("-1", (2,)), ("-" + BIG, (2,)), (BIG, (2,))]
)
def test_a_family_of_any_size_has_an_answer(
    size: str, status: tuple[int, ...], tmp_path: Path
) -> None:
    outcome = check(FAMILY, tmp_path, "--set", f"n={size}")

    assert outcome.status in status
    assert outcome.status != 2 or outcome.codes


@pytest.mark.parametrize(
    "constants",
    [
        "n = n;",
        "n = m; m = 2;",
        "n = m; m = n;",
        "n = 1 / 0;",
        "n = 1 div 0;",
        "n = 3 / 2;",
        "n = true;",
    ],
)
def test_constants_that_have_no_value(constants: str, tmp_path: Path) -> None:
    outcome = quick_check(FAMILY.replace("n = 2;", constants), tmp_path)

    assert outcome.status == 2
    assert set(outcome.codes) <= {"G0503", "G0504"}
    assert len(outcome.codes) == 1


@pytest.mark.parametrize(
    "evaluation",
    [
        pytest.param("for i : 1..1000000: for j : 1..1000000: p[i, j] if P.x = 1; end for end for",
                     id="nested"),
        pytest.param("for i : 1..1000: p[i] if (sum j : 1..999999 (1)) = 1; end for", id="sums"),
        pytest.param("p[i : 1..1000000, j : 1..1000000] if P.x = 1;", id="two ranges"),
        pytest.param(f"p[i : 1..{BIG}] if P.x = 1;", id="one range"),
        pytest.param(f"p if (sum i : -{BIG}..{BIG} (1)) = 1;", id="sum"),
        pytest.param(f"for i : 1..{BIG} where i < 0: p[i] if P.x = 1; end for", id="nowhere"),
    ],
)  # fmt: skip
def test_a_family_that_is_too_large(evaluation: str, tmp_path: Path) -> None:
    outcome = check(program(evaluation=evaluation + " top if P.x = 3;"), tmp_path)

    assert_refused(outcome, "G0505")


@pytest.mark.slow
def test_a_small_file_of_long_lines_in_large_families_is_refused(tmp_path: Path) -> None:
    line = " or ".join(["P.x = i"] * 2000)
    text = program(
        evaluation=f"for i : 1..600, j : 1..600: q[i, j] if {line}; end for top if P.x = 3;"
    )
    outcome = check(text, tmp_path, limit=HUGE)

    assert len(text) < 25_000
    assert_refused(outcome, "G0505")
    assert "more than 3,000,000 parts (about 2,200,000,000)" in outcome.err


def test_many_thousand_mistakes_are_counted_and_fifty_shown(tmp_path: Path) -> None:
    known = "".join(f"top{number} if P.x = 3;" for number in range(20_000))
    unknown = "".join(f"tap{number};" for number in range(20_000))
    outcome = check(program(evaluation=known, formulae=unknown), tmp_path, limit=HUGE)

    assert outcome.status == 2
    assert outcome.codes == ["G0601"] * 50 + ["G0114"]
    assert "and 19,950 more mistakes which are not shown" in outcome.err


# Output files


def test_output_into_a_missing_folder(tmp_path: Path) -> None:
    target = tmp_path / "none" / "out.json"
    outcome = quick_check(program(), tmp_path, "--json", "-o", str(target))

    assert outcome.status == 2
    assert outcome.out == ""
    assert not target.parent.exists()


def test_output_to_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    target.mkdir()
    outcome = quick_check(program(), tmp_path, "--json", "-o", str(target))

    assert outcome.status == 2
    assert outcome.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.ispl", "folder"]


@pytest.mark.parametrize("text", ["", "\x00", program(initial="P.y = 0;"), "Agent", "(" * MANY])
@pytest.mark.parametrize("command", ["check", "show", "fmt"])
def test_an_error_leaves_files_as_they_were(command: str, text: str, tmp_path: Path) -> None:
    target, model = tmp_path / "out.txt", tmp_path / "bad.ispl"
    target.write_text("before")
    model.write_text(text)
    options = [] if command == "fmt" else ["-o", str(target)]
    outcome = quickly(command, str(model), *options)

    if command == "fmt" and outcome.status == 0:
        # It is well formed, only its names are not known.
        assert text in ("", program(initial="P.y = 0;"))
        return
    assert outcome.status == 2
    assert target.read_text() == "before"
    assert model.read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.ispl", "out.txt"]
