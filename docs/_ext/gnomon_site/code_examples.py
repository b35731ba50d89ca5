"""Programs and commands that bring each diagnostic code about, with what Gnomon really says."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import gnomon
from gnomon.checking.question import Question, read
from gnomon.results.render.diagnostic import render
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon_site.places import DOCS, ROOT
from gnomon_site.samples import LIGHT, run_command
from tests.spec.reader import CLAIM, COMMENT, read_cases, read_claims

#: Where to look for programs, in this order: the first that has a code is its example.
SPECS: Final = ("diagnostics.md", "*.md")
_FOUND_BY_CHECKING = ("G0407", "G0416", "G08")
_MENTIONED = re.compile(r"\[(G\d{4})\]")


def _light(*changes: tuple[str, str]) -> dict[str, bytes]:
    """Return the file of a program that is the one above with some pieces replaced."""
    text = LIGHT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {"light.ispl": text.encode()}


_GROUP = ("\nFormulae\n", "\nGroups\n  g = { Light };\nend Groups\n\nFormulae\n")
_PRESSED = ("\nFormulae\n", "\nFairness\n  Light.Action = press;\nend Fairness\n\nFormulae\n")

#: Commands for codes that no program brings about by itself; the files that they want are beside them.
COMMANDS: Final[Mapping[str, tuple[str, Mapping[str, bytes]]]] = MappingProxyType(
    {
        "G0001": ("gnomon check nowhere.ispl", {}),
        "G0002": ("gnomon check picture.ispl", {"picture.ispl": b"\x89PNG\r\n\x1a\n\x00\x00"}),
        "G0501": ("gnomon check light.ispl --set m=10", {}),
        "G0606": ("gnomon check light.ispl --predicate 'AG lit'", {}),
        "G0812": (
            "gnomon check light.ispl --engine abstraction",
            _light(
                ("boolean", "int"),
                ("!on", "on * on - on + 1"),
                ("true", "3"),
                ("false", "0"),
                ("Other", "on <> 7"),
            ),
        ),
        "G0821": (
            "gnomon check light.ispl",
            _light(
                ("Constants n = 3;", "Semantics = Interleaved;"),
                _GROUP,
                _PRESSED,
                ("EF lit", "<g>F lit"),
            ),
        ),
        "G0822": ("gnomon check light.ispl --parallel", _light(("EF lit", "K(Light, lit)"))),
        "G0901": ("gnomon store list notes.txt", {"notes.txt": b"no store at all\n"}),
        "G0905": ("gnomon who light.ispl 'EF lit'", {}),
    }
)
#: Codes without an example, and why there is none.
WITHOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "G0003": "It takes a file of more than 32 MB.",
        "G0004": "It takes a model that is large, or a limit that is small.",
        "G0114": "It takes more than fifty mistakes.",
        "G0309": "A bound with a name that is no constant is G0503, which is told first.",
        "G0415": "It takes more than fifty warnings.",
        "G0816": "It takes a call from Python.",
        "G0817": "It takes a model that was built in Python.",
        "G0903": "It takes a cluster.",
        "G0904": "It depends on what is installed.",
    }
)


@dataclass(frozen=True, slots=True)
class CodeExample:
    """A program with the lines that matter, and what is said of it, perhaps by a command."""

    said: str
    program: str = ""
    lines: tuple[int, ...] = ()


def code_examples(wanted: frozenset[str]) -> dict[str, CodeExample]:
    """Return an example for each of the codes that has one."""
    found: dict[str, CodeExample] = {}
    for code, program in _programs():
        if code in wanted and code not in found:
            example = _of_program(code, program)
            if example:
                found[code] = example
    for code, console in _consoles():
        if code in wanted and code not in found:
            found[code] = CodeExample(console)
    for code in sorted(wanted & COMMANDS.keys() - found.keys()):
        found[code] = _of_command(*COMMANDS[code])
        assert f"[{code}]" in found[code].said, found[code].said
    return found


def _programs() -> Iterator[tuple[str, str]]:
    """Yield the programs of the specifications with each code that they claim."""
    for pattern in SPECS:
        for path in sorted((ROOT / "tests" / "spec").glob(pattern)):
            for case in read_cases(path):
                for block in case.blocks:
                    if block.language == "ispl":
                        claims = [claim.what for claim in read_claims(block.text)]
                        codes = [what[-5:] for what in claims if re.search(r"G\d{4}$", what)]
                        yield from ((code, block.text) for code in codes)


def _consoles() -> Iterator[tuple[str, str]]:
    """Yield the dialogues of specifications and pages with each code that is said in them."""
    for path in [*sorted((ROOT / "tests" / "spec").glob("*.md")), *sorted(DOCS.glob("*/*.md"))]:
        for block in re.findall(
            r"^```console\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ):
            for dialogue in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
                yield from ((code, dialogue) for code in _MENTIONED.findall(dialogue))


def without_claims(program: str) -> str:
    r"""Return a program of a specification without what its comments claim of its lines.

    >>> without_claims('  x = 1;  -- error: G0201 "x"\n  y = 2;  -- a remark\n')
    '  x = 1;\n  y = 2;  -- a remark\n'
    """
    lines = []
    for line in program.splitlines():
        comment = COMMENT.search(line)
        rest = comment["text"].strip() if comment else ""
        claimed = bool(rest)
        while claim := CLAIM.match(rest):
            rest = rest[claim.end() :]
        if comment and claimed and not rest.strip():
            line = line[: comment.start()].rstrip()  # noqa: PLW2901 - the line as it is shown
        lines.append(f"{line}\n")
    return "".join(lines)


def _of_program(code: str, program: str) -> CodeExample | None:
    shown = without_claims(program)
    said = [item for item in _diagnostics(code, shown) if item.code == code]
    if not said:
        return None
    lines = tuple(sorted({item.line for item in said if item.line}))
    return CodeExample(render(said[:2]).plain().strip("\n"), shown, lines)


def _diagnostics(code: str, program: str) -> tuple[Diagnostic, ...]:
    asked = read(Question(program, name="model.ispl"))
    if asked.has_errors or not code.startswith(_FOUND_BY_CHECKING):
        return asked.diagnostics
    try:
        return gnomon.check(
            gnomon.load_text(program, name="model.ispl"), evidence=False
        ).diagnostics
    except InputError as error:
        return error.diagnostics


def _of_command(words: str, files: Mapping[str, bytes]) -> CodeExample:
    status_of, output = run_command(words, files)
    status = f"exit status: {status_of}\n" if status_of else ""
    program = files.get("light.ispl", b"").decode()
    return CodeExample(f"$ {words}\n{output.rstrip()}\n{status}", program)
