"""One page for every JSON schema: its fields in tables, an example that Gnomon wrote, and the file itself."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from gnomon.campaign.answer import JobAnswer, Provenance
from gnomon.campaign.job import CampaignJob
from gnomon.checking.question import Question
from gnomon.version import __version__
from gnomon_site.places import DOCS, ROOT
from gnomon_site.samples import LIGHT, run_command

FOLDER: Final = DOCS / "reference" / "schemas"
SCHEMAS: Final = ROOT / "src" / "gnomon" / "results" / "schema"

#: Commands that print what a schema describes.
COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "certificate": "gnomon check light.ispl --certificate - -o verdicts.txt",
        "check": "gnomon check light.ispl --json --evidence",
        "coverage": "gnomon show light.ispl --coverage --json",
        "graph": "gnomon show light.ispl --graph json",
        "show": "gnomon show light.ispl --json",
        "simulate": "gnomon simulate light.ispl --random 2 --seed 7 --json",
        "who": "gnomon who light.ispl 'F lit' --format json",
    }
)

_INDEX = """\
# JSON schemas

What Gnomon writes as JSON has a shape that is [kept](../../decisions/0009-promises.md), and a schema for
each (JSON Schema, draft 2020-12), which comes with the package in `gnomon/results/schema`.
Programs may rely on every field that is described here.

| Schema | What it describes |
|---|---|
{rows}

The examples are about a light that can be switched on and off, `light.ispl`; the times in them are made up:

```ispl
{light}```

```{{toctree}}
:hidden:

{names}
```
"""


def schema_pages() -> dict[str, str]:
    """Return the pages of the folder `reference/schemas`."""
    schemas = {path.stem: _read(path) for path in sorted(SCHEMAS.glob("*.json"))}
    rows = [f"| [{name}]({name}.md) | {_text(data['title'])} |" for name, data in schemas.items()]
    index = _INDEX.format(light=LIGHT, rows="\n".join(rows), names="\n".join(schemas))
    return {
        "index.md": index,
        **{f"{name}.md": schema_page(name, data) for name, data in schemas.items()},
    }


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def schema_page(name: str, data: Mapping[str, Any]) -> str:
    """Return the page of one schema."""
    file = f"../../../src/gnomon/results/schema/{name}.json"
    parts = [
        f"# {name}.json",
        f"{_text(data['title'])}. {_text(data.get('description', ''))}".strip(),
    ]
    parts.append(f"{{download}}`The schema as a file <{file}>`")
    parts.append("## Fields")
    if "properties" in data:
        parts.append(_table(data))
    else:
        parts.append(f"The whole is {_type(data)}.")
    for title, definition in data.get("$defs", {}).items():
        parts += [f"({name}-{title})=\n### {title}", *_definition(definition)]
    parts += ["## Example", *_example(name)]
    return "\n\n".join(parts) + "\n"


def _definition(data: Mapping[str, Any]) -> Iterator[str]:
    if "description" in data:
        yield _sentence(data["description"])
    several = data.get("oneOf", data.get("anyOf", ()))
    if not several and _inner(data):
        yield _table(_inner(data))
    else:
        yield f"It is {_type(data)}."
        for number, choice in enumerate(several, 1):
            if "properties" in choice:
                yield f"**{number}.** {_sentence(choice.get('description', ''))}".strip()
                yield _table(choice)


def _table(data: Mapping[str, Any]) -> str:
    rows = [f"| `{name}` | {type_} | {said} |" for name, type_, said in _rows(data, "")]
    return "\n".join(["| Field | Type | What it is |", "|---|---|---|", *rows])


def _rows(data: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str, str]]:
    """Yield a row a field, with the fields of objects that are described in place."""
    required = set(data.get("required", ()))
    for name, field in data.get("properties", {}).items():
        said = _sentence(field.get("description", ""))
        if name not in required:
            said = f"{said} May be missing.".strip()
        yield f"{prefix}{name}", _type(field), said
        yield from _rows(_inner(field), f"{prefix}{name}{'[]' if field.get('items') else ''}.")


def _inner(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object that a field is, perhaps, or whose list it is, where that is described in place."""
    if "properties" in data:
        return data
    places = [data.get("items"), *data.get("oneOf", ()), *data.get("anyOf", ())]
    return next((_inner(each) for each in places if isinstance(each, Mapping) and _inner(each)), {})


def _type(data: Any) -> str:
    """Return in words what a value may be."""
    if not isinstance(data, Mapping) or not data:
        return "anything"
    if "$ref" in data:
        return _link(data["$ref"])
    if "const" in data:
        return _values([data["const"]])
    if "enum" in data:
        return _values(data["enum"])
    for several in ("oneOf", "anyOf"):
        if several in data:
            return " or ".join(dict.fromkeys(map(_type, data[several])))
    types = data.get("type", "object" if "properties" in data else "anything")
    words = [_one_type(each, data) for each in (types if isinstance(types, list) else [types])]
    return " or ".join(words) + _limits(data)


def _one_type(name: str, data: Mapping[str, Any]) -> str:
    if name == "array":
        if "prefixItems" in data:
            return f"a list of {', '.join(map(_type, data['prefixItems']))}"
        return f"a list: {_type(data['items'])}" if data.get("items") else "a list"
    if name == "object" and isinstance(data.get("additionalProperties"), Mapping):
        return f"an object whose values are {_type(data['additionalProperties'])}"
    return {"null": "`null`", "object": "an object"}.get(name, name)


def _limits(data: Mapping[str, Any]) -> str:
    words = [
        f"{text} {data[key]}"
        for key, text in (
            ("minimum", "at least"),
            ("exclusiveMinimum", "more than"),
            ("maximum", "at most"),
        )
        if key in data
    ]
    return f", {', '.join(words)}" if words else ""


def _values(values: list[Any]) -> str:
    return ", ".join(f"`{json.dumps(value, ensure_ascii=False)}`" for value in values)


def _link(reference: str) -> str:
    """Return a link to what `file.json#/$defs/name` refers to."""
    file, _, inside = reference.partition("#")
    name = inside.rpartition("/")[2]
    page = Path(file).stem
    if not name:
        return f"[{page}]({page}.md)" if page else "the same again"
    return f"[{name}]({page}.md#{name})" if page else f"[{name}](#{name})"


def _text(text: str) -> str:
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        piece.replace("|", "\\|")
        if piece.startswith("`")
        else re.sub(r"([*_<\[$|])", r"\\\1", piece)
        for piece in pieces
    )


def _sentence(text: str) -> str:
    said = _text(text)
    return said[:1].upper() + said[1:] + ("" if not said or said.endswith((".", "!", "?")) else ".")


def _example(name: str) -> Iterator[str]:
    """Yield what Gnomon writes for a light that can be switched on and off."""
    if name in COMMANDS:
        yield f"`{COMMANDS[name]}` on [a small program](index.md#json-schemas) prints:"
    text = example(name)
    yield f"```json\n{text}\n```"


def example(name: str) -> str:
    """Return an example of what a schema describes; times and machines in it are made up."""
    question = Question(LIGHT, name="light.ispl")
    if name == "question":
        return _pretty(question.to_data())
    if name == "job":
        return _pretty(CampaignJob(question).to_data())
    if name == "answer":
        return _pretty(_answer())
    _, text = run_command(COMMANDS[name])
    return _pretty(json.loads(text))


def _answer() -> dict[str, Any]:
    _, text = run_command(COMMANDS["check"])
    made_up = Provenance(
        __version__,
        "workshop",
        "Linux",
        "x86_64, 2 cores",
        "3.13.1",
        "2026-01-05T09:30:00+00:00",
        0,
        0,
        0,
        0,
    )
    job = CampaignJob(Question(LIGHT, name="light.ispl"))
    return JobAnswer(job.key, "expected", json.loads(text), made_up).to_data()


def _pretty(data: Any) -> str:
    text = json.dumps(data, indent=2, ensure_ascii=False)
    return re.sub(r'("(?:seconds|cpu|memory)": )[\d.e-]+', r"\g<1>0.012", text)
