"""One page for every diagnostic code, from the register, and an index by hundred."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from gnomon.editing.fixes.offered import FIXERS
from gnomon.text.codes import CODES, Code
from gnomon_site.code_examples import WITHOUT, CodeExample, code_examples
from gnomon_site.places import DOCS

FOLDER: Final = DOCS / "reference" / "codes"

#: What the codes of each hundred are about.
HUNDREDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "G00": "Files",
        "G01": "Syntax",
        "G02": "Names",
        "G03": "Types and bounds",
        "G04": "Legal but suspicious programs",
        "G05": "Constants and families",
        "G06": "Formulae",
        "G07": "Open numbers of agents",
        "G08": "What a run found out",
        "G09": "Campaigns and questions about groups",
    }
)

_INDEX = """\
# Diagnostic codes

Whatever Gnomon says about a program, a question or a file has a code, and a code never changes its meaning.
There are {number}: {errors} are errors and stop the work, {warnings} are warnings and do not.
`gnomon explain G0206` tells the same stories in the terminal.
[What becomes of warnings](../command-line.md#warnings-that-fail) can be said by code, with `--allow` and
`--deny` or by a remark in the program.

{tables}

```{{toctree}}
:hidden:

{names}
```
"""


def code_pages() -> dict[str, str]:
    """Return the pages of the folder `reference/codes`."""
    examples = code_examples(frozenset(CODES))
    pages = {f"{code}.md": code_page(code, CODES[code], examples.get(code)) for code in CODES}
    return {"index.md": _index(), **pages}


def code_page(code: str, entry: Code, example: CodeExample | None) -> str:
    """Return the page of one code: what it means, the story, and an example with what is said of it."""
    parts = [f"# {code}: {entry.title}", _kind(code, entry), _story(entry.story)]
    if example:
        parts += ["## An example", *_shown(example)]
    elif code in WITHOUT:
        parts += ["## An example", f"None is shown here. {WITHOUT[code]}"]
    parts += ["## Near it", _neighbours(code)]
    return "\n\n".join(parts) + "\n"


def _kind(code: str, entry: Code) -> str:
    words = [f"{{bdg-{_BADGES[entry.severity]}}}`{entry.severity}`"]
    if entry.allowable:
        words.append(
            f"`--allow {code}`, or `--! allow {code}` in the program, says that it is welcome; "
            f"`--deny {code}` makes it an error."
            if entry.severity == "warning"
            else f"`--allow {code}`, or `--! allow {code}` in the program, says that it is welcome."
        )
    if code in FIXERS:
        words.append("Editors and the studio offer to mend it.")
    return " ".join(words)


_BADGES: Final = MappingProxyType({"error": "danger", "warning": "warning"})


def _story(story: str) -> str:
    """Return a story as Markdown: indented lines are an example and keep their shape."""
    lines: list[str] = []
    inside = False
    for line in story.strip("\n").splitlines():
        indented = line.startswith((" ", "\t"))
        if indented != inside:
            lines += ["", "```ispl-part"] if indented else ["```", ""]
            inside = indented
        lines.append(line if indented else _plain(line))
    return "\n".join([*lines, "```"] if inside else lines)


def _plain(line: str) -> str:
    """Return a line whose stars and brackets outside code mean nothing to Markdown."""
    pieces = re.split(r"(`[^`]*`)", line)
    return "".join(
        piece if piece.startswith("`") else re.sub(r"([*_<\[$])", r"\\\1", piece)
        for piece in pieces
    )


def _shown(example: CodeExample) -> Iterator[str]:
    dialogue = example.said.startswith("$ ")
    if example.program:
        marked = ",".join(map(str, example.lines))
        # Some programs have signs that are no ISPL: that is what is shown.
        options = ":force:\n" + (f":emphasize-lines: {marked}\n" if marked else "") + "\n"
        yield _block("{code-block} ispl", options + example.program.rstrip("\n"))
        if not dialogue:
            yield "Gnomon says:"
    yield _block("console" if dialogue else "text", example.said)


def _block(language: str, text: str) -> str:
    return f"````{language}\n{text.rstrip(chr(10))}\n````"


def _neighbours(code: str) -> str:
    same = [other for other in sorted(CODES) if other[:3] == code[:3]]
    place = same.index(code)
    near = [other for other in same[max(0, place - 2) : place + 3] if other != code]
    rows = [f"- [{other}]({other}.md): {_plain(CODES[other].title)}" for other in near]
    all_of = f"- [All codes](index.md#{_anchor(HUNDREDS[code[:3]])}) about the same"
    return "\n".join([*rows, all_of])


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _index() -> str:
    tables = []
    for hundred, title in HUNDREDS.items():
        rows = [
            f"| [{code}]({code}.md) | {entry.severity} | {_plain(entry.title)} |"
            for code, entry in sorted(CODES.items())
            if code.startswith(hundred)
        ]
        tables.append("\n".join([f"## {title}", "", "| Code | | What |", "|---|---|---|", *rows]))
    errors = sum(entry.severity == "error" for entry in CODES.values())
    return _INDEX.format(
        number=len(CODES),
        errors=errors,
        warnings=len(CODES) - errors,
        tables="\n\n".join(tables),
        names="\n".join(sorted(CODES)),
    )


def page_of(code: str) -> Path:
    """Return where the page of a code is in a built site."""
    return Path("reference") / "codes" / f"{code}.html"
