"""Markdown to test cases: a heading starts a case, fenced blocks are its steps."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

HEADING = re.compile(r"#{1,6}\s+(?P<title>.+?)\s*#*$")
FENCE = re.compile(r"(?P<ticks>`{3,}|~{3,})\s*(?P<info>[^`]*)$")
POPULATION = r"(?:nobody|\d+ \w+)"
#: The smallest populations, where the number of agents is open: `false with 2 Sheep and 1 Wolf or 3 Sheep`.
PARAMETERS = r"\w+ = \d+(?:, \w+ = \d+)*"
VERDICT = (
    r"(?:true|false|undefined|unknown|refused)\b"
    rf"(?: with (?:{PARAMETERS}|{POPULATION}(?: (?:and|or) {POPULATION})*))?"
)
#: A reading of coalitions, `uniform-model(group)` among them, or an engine that does not say what others do.
BY = (
    r"perfect|uniform-subjective|uniform-model(?:\(\w+\))?|uniform"
    r"|explicit|bdd|abstraction|parameterised"
)
DIAGNOSTIC = r"(?:error|warning): G\d{4}|vacuous:"
#: What the program says about a formula.
SAID = r"named: \w+(?:\[[-\d,]+\])?|expected: (?:true|false|undefined)"
PART = r'(?:\s+"(?P<part>[^"]*)")?'
CLAIM = re.compile(
    rf"\s*(?:(?:(?P<by>{BY}): ?)?(?P<what>{VERDICT})|(?P<said>{DIAGNOSTIC}|{SAID}){PART})"
)
COMMENT = re.compile(r"--(?!.*--)(?P<text>.*)$")
STATUS = re.compile(r"exit status: (?P<status>\d+)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its options, its text, and the line its text starts on."""

    language: str
    file: str | None
    text: str
    line: int

    @property
    def length(self) -> int:
        return self.text.count("\n")


@dataclass(frozen=True, slots=True)
class Case:
    """The blocks below one heading."""

    id: str
    path: Path
    blocks: tuple[Block, ...]

    @property
    def has_console(self) -> bool:
        return any(block.language == "console" for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a comment says about its line: a verdict, or a diagnostic or note with a part of its message.

    A verdict is `by` every engine in the reading "perfect" unless a reading or an engine is named.
    """

    line: int
    what: str
    part: str = ""
    by: str = ""

    def __str__(self) -> str:
        return shown(self.line, self.by, self.what, self.part)

    @property
    def is_verdict(self) -> bool:
        return ":" not in self.what

    @property
    def is_about_what_is_said(self) -> bool:
        return self.what.startswith(("named: ", "expected: "))


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a console block, with what it prints and its exit status."""

    text: str
    output: str
    status: int


def shown(line: int, by: str, what: str, part: str) -> str:
    """Return a claim, or what is said instead, for a message."""
    return f"line {line}: " + (f"{by}: " if by else "") + what + (f' "{part}"' if part else "")


def read_cases(path: Path) -> list[Case]:
    """Return the cases of one Markdown file; headings without a step give none."""
    groups: list[tuple[str, list[Block]]] = [(path.stem, [])]
    lines = path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        if fence := FENCE.match(lines[number]):
            end = _end_of_fence(lines, number, fence["ticks"], path)
            if block := _block(fence["info"].split(), lines[number + 1 : end], number + 2):
                groups[-1][1].append(block)
            number = end
        elif heading := HEADING.match(lines[number]):
            groups.append((heading["title"], []))
        number += 1
    return _named(path, groups)


def read_claims(program: str) -> list[Claim]:
    """Return what the comments of a program claim; one on a line of its own is about every formula."""
    claims: list[Claim] = []
    throughout: list[Claim] = []
    for number, line in enumerate(program.splitlines(), start=1):
        comment = COMMENT.search(line)
        rest = comment["text"].strip() if comment else ""
        found = []
        while claim := CLAIM.match(rest):
            by = (claim["by"] or "").replace("perfect", "")
            found.append(Claim(number, claim["what"] or claim["said"], claim["part"] or "", by))
            rest = rest[claim.end() :]
        if rest.strip():
            continue  # It is prose that happens to start like a claim.
        if line.startswith("--"):
            throughout += found
        else:
            claims += found
    lines = dict.fromkeys(claim.line for claim in claims if claim.is_verdict)
    return claims + [replace(claim, line=number) for claim in throughout for number in lines]


def read_commands(console: str) -> list[Command]:
    """Return the commands of a console block with what is expected of each."""
    chunks = re.split(r"^\$ ", console, flags=re.MULTILINE)
    if chunks[0].strip() or len(chunks) == 1:
        raise ValueError("a console block starts with a line `$ gnomon ...`")
    commands = []
    for chunk in chunks[1:]:
        text, *output = chunk.splitlines()
        status = STATUS.fullmatch(output[-1]) if output else None
        if status:
            output.pop()
        printed = "".join(f"{line}\n" for line in output)
        commands.append(Command(text, printed, int(status["status"]) if status else 0))
    return commands


def write_commands(commands: list[Command]) -> str:
    """Return the text of a console block; the inverse of `read_commands`."""
    return "".join(
        f"$ {command.text}\n{command.output}"
        + (f"exit status: {command.status}\n" if command.status else "")
        for command in commands
    )


def slug(title: str) -> str:
    """Return a title as a name for the command line."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "case"


def _end_of_fence(lines: list[str], start: int, ticks: str, path: Path) -> int:
    for number in range(start + 1, len(lines)):
        line = lines[number].rstrip()
        if line.startswith(ticks) and not line.strip(ticks[0]):
            return number
    raise ValueError(f"{path.name}:{start + 1}: this block has no end")


def _block(info: list[str], body: list[str], line: int) -> Block | None:
    language = info[0] if info and "=" not in info[0] else ""
    options = dict(word.split("=", 1) for word in info if "=" in word)
    file = options.get("file", "model.ispl" if language == "ispl" else None)
    if file is None and language != "console":
        return None
    return Block(language, file, "".join(f"{text}\n" for text in body), line)


def _named(path: Path, groups: list[tuple[str, list[Block]]]) -> list[Case]:
    cases = []
    seen: Counter[str] = Counter()
    for title, blocks in groups:
        name = f"{path.stem}:{slug(title)}"
        if blocks:
            seen[name] += 1
            number = f"-{seen[name]}" if seen[name] > 1 else ""
            cases.append(Case(name + number, path, tuple(blocks)))
    return cases
