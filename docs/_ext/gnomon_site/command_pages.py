"""One page for every command, from what click knows of it: usage, options, statuses and examples."""

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Final

import click
from click.testing import CliRunner

from gnomon.interfaces.cli.main import COMMANDS, main
from gnomon_site.places import DOCS

FOLDER: Final = DOCS / "reference" / "commands"

_INDEX = """\
# Commands and options

What each command takes, from the program itself; the same as `gnomon COMMAND --help`.
[The command line](../command-line.md) explains what it means.

| Command | What it does |
|---|---|
{rows}

```{{toctree}}
:hidden:

{names}
```
"""


def command_pages() -> dict[str, str]:
    """Return the pages of the folder `reference/commands`."""
    pages = {f"{name}.md": command_page(name) for name in COMMANDS}
    rows = [f"| [`gnomon {name}`]({name}.md) | {said} |" for name, said in COMMANDS.items()]
    index = _INDEX.format(rows="\n".join(rows), names="\n".join(COMMANDS))
    return {"index.md": index, **pages}


def command_page(name: str) -> str:
    """Return the page of one command, with those below it."""
    context = click.Context(main, info_name="gnomon", **main.context_settings)
    command = main.get_command(context, name)
    assert command is not None
    inner = _inside(command, name, context)
    parts = [
        f"# gnomon {name}",
        *_described(command, inner, "##"),
        f"[What it means](../command-line.md#gnomon-{name}), with all that goes with it.",
    ]
    if isinstance(command, click.Group):
        for below in command.list_commands(inner):
            each = command.get_command(inner, below)
            assert each is not None
            parts.append(f"## gnomon {name} {below}")
            parts += _described(each, _inside(each, below, inner), "###")
    return "\n\n".join(parts) + "\n"


def _inside(command: click.Command, name: str, parent: click.Context) -> click.Context:
    """Return the context of a command, with its own settings: click remembers the options for help."""
    return click.Context(command, info_name=name, parent=parent, **command.context_settings)


def _described(command: click.Command, context: click.Context, level: str) -> Iterator[str]:
    """Yield what is said of one command, in parts."""
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"```text\n{' '.join(usage.split())}\n```"
    yield _prose(command.help or "")
    records = (each.get_help_record(context) for each in command.get_params(context))
    rows = [
        f"| `{_cell(head)}` | {_escaped(said)} |" for head, said in filter(None, records) if said
    ]
    if rows:
        yield "\n".join(["| Option | What it does |", "|---|---|", *rows])
    yield from _epilogue(command.epilog or "", level)
    words = context.command_path.split()[1:]
    text = CliRunner().invoke(main, [*words, "--help"]).output.rstrip()
    yield f":::{{dropdown}} `{context.command_path} --help`\n```text\n{text}\n```\n:::"


def _prose(text: str) -> str:
    paragraphs = cleandoc(text).replace("\b\n", "").split("\n\n")
    return "\n\n".join(_escaped(" ".join(each.split())) for each in paragraphs)


def _epilogue(text: str, level: str) -> Iterator[str]:
    """Yield what stands below the options: the statuses in a sentence, examples in a block."""
    for part in re.split(r"\n\s*\n", text.replace("\b\n", "\n").strip()):
        head, _, rest = part.strip().partition(":")
        if head in {"Example", "Examples"}:
            # What stands in brackets behind a command is a remark on it.
            lines = [line.strip() for line in rest.strip().splitlines()]
            yield f"{level} {head}"
            yield "```console\n" + "\n".join(f"$ {line}" for line in lines) + "\n```"
        elif head == "Exit status":
            yield f"{level} Exit status"
            yield _escaped(f"{' '.join(rest.split())}").strip()
        elif part.strip():
            yield _prose(part)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _escaped(text: str) -> str:
    """Return a text for Markdown, where stars and brackets mean nothing outside code."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        _cell(piece) if piece.startswith("`") else re.sub(r"([*_<\[$|])", r"\\\1", piece)
        for piece in pieces
    )
