"""The documentation says what is so: programs load, examples run, options, codes and links exist."""

import doctest
import os
import re
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gnomon.checking.load import load_text
from gnomon.interfaces.cli.lazy_group import module_name
from gnomon.interfaces.cli.main import COMMANDS, main
from gnomon.language import agents, expressions, parse, syntax
from gnomon.language.lexer import KEYWORDS
from gnomon.text.codes import CODES
from tests.spec.reader import read_cases
from tests.spec.runner import run_case
from tests.support import EXAMPLES, ROOT

DOCS = ROOT / "docs"
OTHERS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "changelog.d/README.md")
#: Pages that a build of the site has left there, which git does not see.
GENERATED = [
    ROOT / line.strip("/")
    for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    if line.startswith("/docs/")
]
WRITTEN = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not any(page.is_relative_to(place) for place in GENERATED)
]
PAGES = [*(ROOT / name for name in OTHERS), *WRITTEN]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]

#: Pages whose console blocks are run; each page in one folder, from its first block to its last.
WITH_CONSOLE = [
    ROOT / "README.md",
    DOCS / "index.md",
    DOCS / "primer.md",
    DOCS / "tutorials" / "first-steps.md",
    DOCS / "tutorials" / "agents-with-approval.md",
    DOCS / "tutorials" / "card-game.md",
    DOCS / "tutorials" / "swarm.md",
    DOCS / "tutorials" / "unbounded.md",
    DOCS / "how-to" / "from-mcmas.md",
    DOCS / "how-to" / "strategies.md",
    DOCS / "how-to" / "unbounded.md",
    DOCS / "how-to" / "any-number.md",
    DOCS / "how-to" / "pipelines.md",
    DOCS / "how-to" / "processes.md",
    DOCS / "how-to" / "campaigns.md",
    DOCS / "how-to" / "who.md",
    DOCS / "how-to" / "counterexamples.md",
    DOCS / "how-to" / "families.md",
    DOCS / "how-to" / "smaller-models.md",
    DOCS / "how-to" / "figures.md",
    DOCS / "how-to" / "proofs.md",
    DOCS / "how-to" / "engines.md",
    DOCS / "background" / "explicit-and-symbolic.md",
    DOCS / "background" / "knowledge.md",
    DOCS / "background" / "strategies.md",
    DOCS / "background" / "numbers-without-bounds.md",
    DOCS / "background" / "any-number-of-agents.md",
    DOCS / "background" / "evidence-and-proofs.md",
    DOCS / "background" / "why-not.md",
    DOCS / "reference" / "command-line.md",
]

BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def without_blocks(text: str) -> str:
    return BLOCK.sub("", text)


def blocks(text: str, language: str) -> list[str]:
    return [block["text"] for block in BLOCK.finditer(text) if language in block["info"].split()]


def anchor(title: str) -> str:
    """Return the name that a heading gets in the addresses of pages."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


PROGRAMS = [
    (f"{name}-{number}", program)
    for name, page in zip(IDS, PAGES, strict=True)
    for number, program in enumerate(blocks(read(page), "ispl"), 1)
]


@pytest.mark.parametrize(
    "program", [text for _, text in PROGRAMS], ids=[name for name, _ in PROGRAMS]
)
def test_every_program_loads_without_errors(program: str) -> None:
    loaded = load_text(program)

    assert [] == [f"{item.line}: {item.message}" for item in loaded.diagnostics if item.is_error]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_code_exists(page: Path) -> None:
    mentioned = set(re.findall(r"\bG\d{4}\b", read(page)))

    assert set() == mentioned - set(CODES)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    dead = []
    for link in LINK.finditer(without_blocks(read(page))):
        target, _, fragment = link["target"].partition("#")
        if "://" in target:
            continue
        other = (page.parent / target).resolve() if target else page
        titles = HEADING.findall(without_blocks(read(other))) if other.suffix == ".md" else []
        if not other.exists() or (fragment and fragment not in map(anchor, titles)):
            dead.append(link["target"])

    assert [] == dead


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_no_page_speaks_of_a_particular_machine(page: Path) -> None:
    assert [] == re.findall(r"(?<![\w.])/(?:work|home|tmp|usr|opt|root)\b\S*", read(page))


# The command line


def section(command: str) -> str:
    text = read(DOCS / "reference" / "command-line.md")
    start = text.index(f"\n## gnomon {command}\n")
    end = text.find("\n## ", start + 1)
    return text[start : end if end > 0 else None]


def documented_options(command: str) -> set[str]:
    """Return the options in the first column of the tables of a section."""
    rows = [line for line in without_blocks(section(command)).splitlines() if line[:3] == "| `"]
    firsts = [re.split(r"(?<!\\)\|", row)[1] for row in rows]
    return {option for first in firsts for option in OPTION.findall(first)}


def commands_below(name: str) -> dict[tuple[str, ...], click.Command]:
    """Return a command, and those below it where it is a group."""
    command = import_module(f"gnomon.interfaces.cli.{module_name(name)}").command
    found: dict[tuple[str, ...], click.Command] = {(name,): command}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            each = command.get_command(context, below)
            assert each is not None
            found[name, below] = each
    return found


def real_options(command: str) -> set[str]:
    """Return the options that the help page explains, and those of the commands below."""
    pages = [
        CliRunner().invoke(main, [*words, "--help"]).output for words in commands_below(command)
    ]
    listed = [line for page in pages for line in page.splitlines() if re.match(r"  -", line)]
    heads = [re.split(r"\s{2,}", line.strip())[0] for line in listed]
    return {option for head in heads for option in OPTION.findall(head)}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_a_command_are_those_of_its_help(command: str) -> None:
    assert real_options(command) == documented_options(command)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_hides_no_option(command: str) -> None:
    parameters = [item for each in commands_below(command).values() for item in each.params]
    declared = {name for item in parameters for name in (*item.opts, *item.secondary_opts)}

    assert {name for name in declared if name.startswith("-")} <= real_options(command)


@pytest.mark.parametrize(
    "page", WITH_CONSOLE, ids=[str(page.relative_to(ROOT)) for page in WITH_CONSOLE]
)
def test_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    update = os.environ.get("GNOMON_UPDATE_SPECS") == "1"

    wrong = [problem for case in read_cases(page) for problem in run_case(case, update=update)]

    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


# Python


def test_the_examples_in_python_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("matplotlib", "networkx", "pandas"):
        pytest.importorskip(library)
    monkeypatch.chdir(ROOT)

    result = doctest.testfile(
        str(DOCS / "reference" / "python.md"),
        module_relative=False,
        optionflags=doctest.ELLIPSIS,
        encoding="utf-8",
    )

    assert result.attempted > 20
    assert result.failed == 0


def test_the_examples_in_python_of_the_guides_run() -> None:
    found = [
        doctest.testfile(str(page), module_relative=False, encoding="utf-8")
        for page in DOCS.glob("how-to/*.md")
    ]

    assert sum(each.attempted for each in found) > 10
    assert sum(each.failed for each in found) == 0


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    [program] = blocks(read(ROOT / "README.md"), "python")
    *before, last = program.strip().splitlines()
    names: dict[str, object] = {}
    exec("\n".join(before), names)

    assert "<svg" in eval(last, names)._repr_svg_()


# The language


def grammar() -> str:
    [text] = blocks(read(DOCS / "reference" / "language.md"), "ebnf")
    return text


CONTEXTUAL = {
    *parse._READERS,
    *agents._AGENT_READERS,
    *expressions._WORDS,
    *expressions._QUANTIFIERS,
    *syntax.FUNCTIONS,
    *"Interleaved all for int one some where expect undefined allow deny then else W R with".split(),
}


@pytest.mark.parametrize("word", sorted(KEYWORDS | CONTEXTUAL))
def test_the_grammar_has_every_word(word: str) -> None:
    assert f'"{word}"' in grammar()


@pytest.mark.parametrize("operator", sorted(expressions._BINDING))
def test_the_grammar_has_every_operator(operator: str) -> None:
    assert f'"{operator}"' in grammar()


def test_the_grammar_has_no_word_that_the_parser_does_not_know() -> None:
    quoted = set(re.findall(r'"([A-Za-z]+\*?)"', grammar()))

    assert set() == quoted - KEYWORDS - CONTEXTUAL


def test_every_rule_of_the_grammar_is_defined_and_used() -> None:
    text = re.sub(r'"[^"]*"|\(\*.*?\*\)', " ", grammar(), flags=re.DOTALL)
    defined = set(re.findall(r"^(\w+)\s*(?:\([^)]*\)\s*)?=", text, re.MULTILINE))
    used = set(
        re.findall(r"\w+", re.sub(r"^\w+\s*(?:\([^)]*\)\s*)?=", "", text, flags=re.MULTILINE))
    )

    assert {"letter", "digit", "L", "f"} == used - defined
    assert {"program", "remark"} == defined - used


def test_every_reserved_word_is_listed() -> None:
    prose = without_blocks(read(DOCS / "reference" / "language.md"))

    assert [] == [word for word in sorted(KEYWORDS | CONTEXTUAL) if f"`{word}`" not in prose]


def test_every_decision_is_listed() -> None:
    pages = sorted(path.name for path in (DOCS / "decisions").glob("[0-9]*.md"))
    index = read(DOCS / "decisions" / "README.md")

    assert pages == re.findall(r"\((\d{4}-[a-z-]+\.md)\)", index)
