"""Runs the cases of `reader.py` against Gnomon, in the folder we are in."""

import difflib
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from click.testing import CliRunner

from gnomon.checking.question import Question, read
from gnomon.interfaces.cli.main import main
from gnomon.text.diagnostic import InputError
from tests.spec.reader import (
    Case,
    Claim,
    Command,
    read_cases,
    read_claims,
    read_commands,
    write_commands,
)

SECONDS = re.compile(r"\d+\.\d+ m?s\b")
JSON_SECONDS = re.compile(r'("seconds": ?)[\d.e-]+')


@dataclass(frozen=True, slots=True)
class Said:
    """What Gnomon says about a line: a verdict, or a diagnostic with its message."""

    line: int
    what: str
    message: str = ""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}" + (f' "{self.message}"' if self.message else "")

    def answers(self, claim: Claim) -> bool:
        return (self.line, self.what) == (claim.line, claim.what) and claim.part in self.message


Ask = Callable[[str, bool], list[Said]]


def ask_gnomon(program: str, verdicts: bool) -> list[Said]:
    """Return all that Gnomon says about a program; only this function knows the Python API."""
    try:
        asked = read(Question(program))
        result = asked.check() if verdicts and not asked.has_errors else None
    except InputError as error:
        diagnostics = error.diagnostics
        answers: list[Said] = []
    else:
        diagnostics = result.diagnostics if result else asked.diagnostics
        answers = [
            Said(_end_of_formula(program, answer.line), str(answer.value))
            for answer in result or ()
        ]
    # The formulae that one `for` line stands for have one claim between them.
    return [
        Said(max(item.line, 1), f"{item.severity.value}: {item.code}", item.message)
        for item in diagnostics
    ] + list(dict.fromkeys(answers))


def _end_of_formula(program: str, line: int) -> int:
    """Return the line on which the formula that starts on `line` ends."""
    lines = program.splitlines()
    while ";" not in lines[line - 1].split("--")[0]:
        line += 1
    return line


def broken_claims(program: str, ask: Ask = ask_gnomon) -> list[str]:
    """Return one line for each claim that is not met and each thing said that is not claimed."""
    claims = read_claims(program)
    unclaimed = ask(program, any(claim.is_verdict for claim in claims))
    missing = []
    # The most particular claims choose first.
    for claim in sorted(claims, key=lambda claim: -len(claim.part)):
        answer = next((said for said in unclaimed if said.answers(claim)), None)
        if answer:
            unclaimed.remove(answer)
        else:
            missing.append(claim)
    return [f"claimed but not so: {claim}" for claim in sorted(missing, key=lambda it: it.line)] + [
        f"so but not claimed: {said}" for said in sorted(unclaimed, key=lambda it: it.line)
    ]


def run_command(command: str) -> Command:
    """Run one line of a console block and return it with what it printed, times made equal."""
    program, *arguments = shlex.split(command)
    if program == "cat" and len(arguments) == 1:
        return Command(command, normal(Path(arguments[0]).read_text(encoding="utf-8")), 0)
    if program != "gnomon":
        raise ValueError(f"only `gnomon ...` and `cat FILE` can be run here, not `{command}`")
    both = arguments[-1:] == ["2>&1"]
    if both:
        arguments.pop()
    given = ""
    if arguments[-2:-1] == ["<"]:
        given = Path(arguments.pop()).read_text(encoding="utf-8")
        arguments.pop()
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}, catch_exceptions=False).invoke(
        main, arguments, input=given, prog_name="gnomon"
    )
    return Command(command, normal(result.output if both else result.stdout), result.exit_code)


def normal(text: str) -> str:
    """Return the text without what differs from run to run, ending with a whole line."""
    text = JSON_SECONDS.sub(r"\1…", SECONDS.sub("… s", text))
    return text if not text or text.endswith("\n") else text + "\n"


def run_case(case: Case, *, update: bool) -> list[str]:
    """Run the steps of one case; return what is wrong; `update` rewrites its console blocks."""
    wrong = []
    changes: dict[int, str] = {}
    for number, block in enumerate(case.blocks):
        place = f"{case.path.name}:{block.line}"
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        if block.language == "ispl" and (read_claims(block.text) or not case.has_console):
            wrong += [f"{place}: {problem}" for problem in broken_claims(block.text)]
        elif block.language == "console":
            wanted = [replace(it, output=normal(it.output)) for it in read_commands(block.text)]
            actual = [run_command(command.text) for command in wanted]
            if actual != wanted:
                changes[number] = write_commands(actual)
                if not update:
                    wrong.append(f"{place}: prints something else\n{_difference(wanted, actual)}")
    if update and changes:
        rewrite(case, changes)
    return wrong


def rewrite(case: Case, changes: dict[int, str]) -> None:
    """Put new text into some blocks of a case, whose lines may have moved since it was read."""
    blocks = next(it for it in read_cases(case.path) if it.id == case.id).blocks
    lines = case.path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number in sorted(changes, reverse=True):
        start = blocks[number].line - 1
        lines[start : start + blocks[number].length] = [changes[number]]
    case.path.write_text("".join(lines), encoding="utf-8")


def _difference(wanted: list[Command], actual: list[Command]) -> str:
    return "".join(
        difflib.unified_diff(
            write_commands(wanted).splitlines(keepends=True),
            write_commands(actual).splitlines(keepends=True),
            "specified",
            "printed",
        )
    )
