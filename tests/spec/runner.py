"""Runs the cases of `reader.py` against Gnomon, in the folder we are in."""

import difflib
import math
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

import gnomon
from gnomon.api import Answer, CheckResult, Model, OpenModel
from gnomon.checking.attempts import Engine
from gnomon.checking.question import Asked, Question, read
from gnomon.interfaces.cli import printer
from gnomon.interfaces.cli.main import main
from gnomon.text.diagnostic import Diagnostic, InputError
from tests.instances import contradictions
from tests.spec.reader import (
    Case,
    Claim,
    Command,
    read_cases,
    read_claims,
    read_commands,
    shown,
    write_commands,
)

SECONDS = re.compile(r"\d+\.\d+ m?s\b")
#: Time and memory of processes, in the last columns of a table.
TAKEN = re.compile(r"\d+\.\d+ s +[\d,]+ MB$", re.MULTILINE)
JSON_SECONDS = re.compile(r'("seconds": ?)[\d.e-]+')

#: What is said of a truth that says nothing.
NOTE = "vacuous:"
ENGINES = ("explicit", "bdd", "abstraction", "parameterised")
#: Codes of what is found out about a model while it is checked.
FOUND_BY_CHECKING = "G080"
#: Where the explicit engine gives a model up that may have no end.
MOST_STATES = 300


@dataclass(frozen=True, slots=True)
class Said:
    """What Gnomon says about a line: a verdict, or a diagnostic or a note with its message."""

    line: int
    what: str
    message: str = ""
    by: str = ""

    def __str__(self) -> str:
        return shown(self.line, self.by, self.what, self.message)

    def answers(self, claim: Claim) -> bool:
        populations_left_out = self.what.startswith(f"{claim.what} with ")
        return (
            (self.line, self.by) == (claim.line, claim.by)
            and (self.what == claim.what or populations_left_out)
            and claim.part in self.message
        )


Ask = Callable[[str, list[Claim]], list[Said]]


def ask_gnomon(program: str, claims: list[Claim]) -> list[Said]:
    """Return all that Gnomon says about a program; verdicts only where some, or errors of a run, are claimed.

    Only here and below the Python API is known.
    """
    verdicts = [claim for claim in claims if claim.is_verdict]
    found_by_checking = any(FOUND_BY_CHECKING in claim.what for claim in claims)
    try:
        asked = read(Question(program))
        said: list[Said] = []
        if any(claim.is_about_what_is_said for claim in claims):
            said = list(_said(program, asked))
        if asked.has_errors or not (verdicts or found_by_checking):
            return _diagnostics(asked.diagnostics) + said
        model = gnomon.load_text(program)
        result = gnomon.check(model, evidence=False)
    except InputError as error:
        return _diagnostics(error.diagnostics)
    places = [_end_of_formula(program, answer.line) for answer in result]
    # The formulae that one `for` line stands for have one claim between them.
    found = dict.fromkeys(_verdicts(model, result, places, verdicts))
    noted = any(claim.what == NOTE for claim in claims)
    told = [each for each in found if noted or each.what != NOTE]
    return _diagnostics(result.diagnostics) + said + told


def _said(program: str, asked: Asked) -> Iterator[Said]:
    """Yield the names of formulae, and what is expected of them; those of one `for` line only once."""
    found: dict[Said, None] = {}
    for _, formula in asked.items:
        line = _end_of_formula(program, formula.line)
        if formula.name:
            found[Said(line, f"named: {formula.name}")] = None
        if formula.expected:
            found[Said(line, f"expected: {formula.expected}")] = None
    yield from found


def _diagnostics(found: Iterable[Diagnostic]) -> list[Said]:
    return [Said(max(it.line, 1), f"{it.severity.value}: {it.code}", it.message) for it in found]


def _verdicts(
    model: Model, result: CheckResult, places: list[int], claims: list[Claim]
) -> Iterator[Said]:
    """Yield the verdicts on all formulae, and in other readings those on formulae that claim one."""
    for reading in sorted({""} | {claim.by for claim in claims if claim.by not in ENGINES}):
        asked = {claim.line for claim in claims if claim.by == reading}
        numbers = [n for n, line in enumerate(places, 1) if not reading or line in asked]
        options = _options(reading)
        answers = result if not reading else gnomon.check(model, **options, only=numbers)
        for number, answer in zip(numbers, answers, strict=True):
            line = places[number - 1]
            yield Said(line, _verdict(answer), by=reading)
            if answer.verdict.vacuous and not reading:
                yield Said(line, NOTE, answer.verdict.vacuous)
            if isinstance(model, OpenModel) and answer.numbers:
                for problem in contradictions(model.open, number, answer.numbers):
                    yield Said(line, f"but {problem}", by="explicit")
        decided = dict(zip(numbers, answers, strict=True))
        for engine in _engines(model, options["strategies"]):
            # What cells have said by default takes long, and they would only say it again.
            known = engine == "abstraction"
            others = {n: it for n, it in decided.items() if not (known and it.engine == engine)}
            for number, found in _asked_again(model, engine, options, list(others)):
                yield from _differing(
                    model, engine, found, others[number], places[number - 1], reading
                )


def _options(reading: str) -> dict[str, Any]:
    strategies, _, group = reading.rstrip(")").partition("(")
    return {
        "evidence": False,
        "strategies": strategies or "perfect",
        "uniform_group": group or None,
    }


def _asked_again(
    model: Model, engine: Engine, options: dict[str, Any], numbers: list[int]
) -> Iterator[tuple[int, Answer | None]]:
    """Yield what one engine says of some formulae; None of one that it refuses."""
    if not numbers:
        return
    # Only the explicit engine is limited: it may be asked for states without end.
    limit = MOST_STATES if engine == "explicit" else None
    try:
        found = gnomon.check(model, **options, only=numbers, engine=engine, max_states=limit)
    except InputError:
        if len(numbers) == 1:
            yield numbers[0], None
            return
        for number in numbers:  # some are refused, and perhaps not all
            yield from _asked_again(model, engine, options, [number])
    else:
        yield from zip(numbers, found, strict=True)


def _differing(
    model: Model, engine: Engine, found: Answer | None, answer: Answer, line: int, reading: str
) -> Iterator[Said]:
    """Yield what an engine says of a formula where that is not what is said by default."""
    verdict = "refused"
    if found is not None:
        verdict, note = _verdict(found), found.verdict.vacuous
        # Cells may not be able to tell, nor those who do not know.
        silent = not note and (engine == "abstraction" or verdict != _verdict(answer))
        if note != answer.verdict.vacuous and not silent and not reading:
            yield Said(line, NOTE, note, engine)
    endless = engine == "explicit" and model.kind == "unbounded" and verdict == "unknown"
    if verdict != _verdict(answer) and not endless:
        yield Said(line, verdict, by=engine)


def _engines(model: Model, strategies: str) -> tuple[Engine, ...]:
    """Return the engines that have to decide a formula."""
    if model.kind == "parameterised":
        return ("parameterised",)
    listed = model.kind == "unbounded" or strategies == "uniform-model"
    known: tuple[Engine, ...] = ("explicit",) if listed else ("explicit", "bdd")
    return (*known, "abstraction")


def _verdict(answer: Answer) -> str:
    """Return a verdict, with the smallest populations where they are known."""
    if answer.numbers is None or not answer.numbers.exact:
        return str(answer.value)
    if answer.numbers.parameters:
        found = ", ".join(f"{name} = {value}" for name, value in answer.numbers.parameters.items())
        return f"{answer.value} with {found}"
    populations = [
        " and ".join(f"{many} {template}" for template, many in population.items() if many)
        for population in answer.numbers.populations
    ]
    return f"{answer.value} with {' or '.join(each or 'nobody' for each in populations)}"


def _end_of_formula(program: str, line: int) -> int:
    """Return the line on which the formula that starts on `line` ends."""
    lines = program.splitlines()
    while ";" not in lines[line - 1].split("--")[0]:
        line += 1
    return line


def broken_claims(program: str, ask: Ask = ask_gnomon) -> list[str]:
    """Return one line for each claim that is not met and each thing said that is not claimed."""
    claims = read_claims(program)
    unclaimed = ask(program, claims)
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
    runner = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}, catch_exceptions=False)
    # Which formula is decided first is a matter of time: pages show them in the order of the file.
    with patch.object(printer, "PATIENCE", math.inf):
        result = runner.invoke(main, arguments, input=given, prog_name="gnomon")
    return Command(command, normal(result.output if both else result.stdout), result.exit_code)


def normal(text: str) -> str:
    """Return the text without what differs from run to run, ending with a whole line."""
    text = JSON_SECONDS.sub(r"\1…", SECONDS.sub("… s", TAKEN.sub("… s  … MB", text)))
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
