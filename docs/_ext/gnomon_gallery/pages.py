"""The gallery: a page of cards, and a page for every model, made of `examples/gallery.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gnomon.checking.load import load as load_file
from gnomon.editing.analysis import Analysis, WrittenFormula
from gnomon.results.formula_reading import read_aloud
from gnomon_gallery.pictures import PAPERS

ROOT: Final = Path(__file__).parents[3]
EXAMPLES: Final = ROOT / "examples"
KINDS: Final = {
    "finite": "finite",
    "unbounded": "numbers without bounds",
    "parameterised": "any number of agents",
}
_STUDIO: Final = (
    "`gnomon studio examples/{}` opens it in [the studio](../how-to/studio.md): pictures, verdicts, "
    "and a walk through its states."
)
_WELCOME: Final = """\
{} models to read, run and change. Each page tells the story, asks the questions, gives the verdicts with
a picture of one of them, and has the program itself. The pictures are Gnomon's own, and the verdicts are
checked with every change.

Begin with [the bit transmission protocol](bit_transmission.md) for knowledge, with
[a guessing game](blind_guess.md) for strategies, or with
[the dining philosophers](dining_philosophers.md) for things that get stuck. What the signs in
formulae mean is told in [the primer](../primer.md)."""
_DOCS_PAGE: Final = re.compile(r"\bdocs/([\w/-]+\.md)")
_MADE: Final = "<!-- Made from examples/gallery.toml by docs/_ext/gnomon_gallery. -->\n\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the register."""

    given: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        """Return what the register says."""
        return self.given[key]

    @property
    def path(self) -> Path:
        """Return the file of the model."""
        return EXAMPLES / str(self["file"])

    @property
    def slug(self) -> str:
        """Return the name of its page."""
        return self.path.stem

    @property
    def kind(self) -> str:
        """Return what kind of model it is, in words."""
        return KINDS[self.given.get("kind", "finite")]


@dataclass(frozen=True, slots=True)
class Question:
    """A formula: its name, what its author says before and behind it, in words, as written, its verdict."""

    name: str
    remark: str
    aside: str
    words: str
    text: str
    verdict: str


def register() -> tuple[list[dict[str, str]], list[Entry]]:
    """Return the topics and the models."""
    told = tomllib.loads((EXAMPLES / "gallery.toml").read_text(encoding="utf-8"))
    return told["topic"], [Entry(each) for each in told["model"]]


# What a model says of itself


def story(text: str) -> list[str]:
    """Return the paragraphs of the comment that a program begins with; a drawing stays as it is.

    A sentence before all others is a title, and left out: the page has one.
    """
    paragraphs: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        said = line.removeprefix("--").removeprefix(" ").rstrip()
        if said:
            paragraphs[-1].append(said)
        else:
            paragraphs.append([])
    told = [_paragraph(lines) for lines in paragraphs if lines]
    is_titled = len(told) > 1 and told[0].endswith(".") and ". " not in told[0]
    return told[1:] if is_titled else told


def _paragraph(lines: list[str]) -> str:
    if any("   " in line or line.startswith("  ") for line in lines):
        return "\n".join(("```text", *lines, "```"))
    return _DOCS_PAGE.sub(r"[](../\1)", " ".join(lines))


def questions(path: Path) -> list[Question]:
    """Return what is asked of a model, in the order of the file."""
    analysis = Analysis(load_file(str(path)))
    lines = analysis.source.text.splitlines()
    return [_question(analysis, each, lines) for each in analysis.written]


def _question(analysis: Analysis, written: WrittenFormula, lines: list[str]) -> Question:
    span = written.line.span
    text = " ".join(analysis.source.text[span.start : span.end].split())
    first = analysis.source.line_of(written.span)
    remark: list[str] = []
    for line in reversed(lines[: first - 1]):
        said = line.strip()
        if not said.startswith("--"):
            break
        if not said.startswith("--!"):
            remark.insert(0, said.removeprefix("--").strip())
    behind = lines[analysis.source.location(written.span.end).line - 1].partition("  -- ")[2]
    aside = f"{behind[0].upper()}{behind[1:].rstrip('.')}." if behind else ""
    expected = written.line.annotation.expected or "true"
    words = read_aloud(written.line, analysis.source)
    return Question(written.name or "", " ".join(remark), aside, words, text, str(expected))


# Pages


def page(entry: Entry, topic: Mapping[str, str], neighbours: list[Entry]) -> str:
    """Return the page of a model."""
    text = entry.path.read_text(encoding="utf-8")
    command = f"$ gnomon check examples/{entry['file']} --evidence"
    commands = dict.fromkeys([command, f"$ {entry['try']}"])
    parts = [
        f"# {entry['title']}",
        f"{{.gallery-facts}}\n[{topic['title']}](index.md#{anchor(topic['title'])}) · {entry.kind} · "
        + " · ".join(entry["tags"]),
        *story(text),
        f":::{{admonition}} What it teaches\n:class: tip\n{entry['teaches']}\n:::",
        *_picture(entry, text),
        "## What is asked",
        "Each formula in everyday words, and as it is written; [the primer](../primer.md) has the signs.",
        _table(questions(entry.path)),
        "## To try",
        "```console\n" + "\n".join(commands) + "\n```",
        _STUDIO.format(entry["file"]),
        "## The model",
        f"```{{literalinclude}} ../../examples/{entry['file']}\n:language: ispl\n:linenos:\n```",
        "## Where it comes from",
        entry["origin"],
        "## Related",
        *_related(entry, neighbours),
    ]
    return _MADE + "\n\n".join(parts) + "\n"


def _picture(entry: Entry, text: str) -> Iterator[str]:
    """Return the picture with its caption, and the question it answers."""
    wanted = entry["picture"]
    yield "::::{container} gallery-frame\n" + "\n".join(_images(entry)) + "\n::::"
    ask = wanted.get("ask", "")
    named = f"\n  {ask} :" in text or f"--! {ask}\n" in text or f"--! {ask} expect" in text
    if wanted["show"] == "evidence" and not named:
        asked = f" It answers the question `{ask}`."
    elif wanted["show"] == "evidence":
        asked = f" It is why `{ask}`, below, has its verdict."
    else:
        asked = ""
    yield f"{{.gallery-caption}}\n{wanted['caption']}{asked}"


def _images(entry: Entry) -> Iterator[str]:
    said = entry["picture"]["caption"].replace("\n", " ")
    for paper in PAPERS:
        yield f":::{{image}} pictures/{entry.slug}-{paper}.svg\n:alt: {said}\n:class: only-{paper}\n:::"


def _table(asked: list[Question]) -> str:
    rows = [
        "::::{list-table}\n:header-rows: 1\n:widths: 14 86\n:class: gallery-questions\n",
        "* - Verdict\n  - Question",
    ]
    for each in asked:
        mark = {"true": "✓ true", "false": "✗ false"}.get(each.verdict, each.verdict)
        if each.remark:
            rows.append(f"* -\n  - {{.gallery-remark}}\n    {each.remark}")
        said = [f"**{each.name}**" if each.name else "", each.aside, each.words]
        cell = "\n\n    ".join(part for part in said if part)
        rows.append(f"* - {{.verdict-{each.verdict}}}\n    {mark}\n  - {cell}\n\n    `{each.text}`")
    return "\n".join([*rows, "::::"])


def _related(entry: Entry, neighbours: list[Entry]) -> Iterator[str]:
    for name in entry.given.get("see", []):
        yield f"- [](../{name})"
    for each in neighbours:
        if each.slug != entry.slug:
            yield f"- [{each['title']}]({each.slug}.md)"


def anchor(title: str) -> str:
    """Return the name that a heading gets in the addresses of pages."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def index(topics: list[dict[str, str]], entries: list[Entry]) -> str:
    """Return the page of all cards."""
    parts = [
        "# Gallery",
        _WELCOME.format(len(entries)),
    ]
    for topic in topics:
        of_topic = [each for each in entries if each["topic"] == topic["name"]]
        cards = "\n\n".join(map(_card, of_topic))
        parts += [
            f"## {topic['title']}",
            topic["about"],
            f"::::::{{grid}} 1 2 2 3\n:gutter: 3\n\n{cards}\n\n::::::",
            "```{toctree}\n:hidden:\n\n" + "\n".join(each.slug for each in of_topic) + "\n```",
        ]
    return _MADE + "\n\n".join(parts) + "\n"


def _card(entry: Entry) -> str:
    images = "\n".join(_images(entry))
    return (
        f":::::{{grid-item-card}} {entry['title']}\n:link: {entry.slug}\n:link-type: doc\n"
        f":class-card: gallery-card\n\n::::{{container}} gallery-thumb\n{images}\n::::\n"
        f"{entry['teaches']}\n\n:::{{card-footer}}\n{entry.kind}\n:::\n:::::"
    )
