"""Pictures of the gallery, made by Gnomon, on light and on dark paper."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import gnomon
from gnomon.api.models import Model, OpenModel
from gnomon.checking.load import load_text
from gnomon.results.render import diagram_svg
from gnomon.results.render.svg_pieces import document
from gnomon.results.render.svg_theme import style_sheet
from gnomon.workbench.bench import BenchModel
from gnomon.workbench.reads import reads_diagram

#: Both papers, by the ends of the names of their files.
PAPERS: Final = ("light", "dark")
#: A picture of states or of a strategy has no more boxes than these.
_MOST_STATES: Final = 60
_COLOUR: Final = re.compile(r"--(?P<name>\w+): (?P<value>#\w+);")


def drawn(path: Path, wanted: Mapping[str, Any]) -> str:
    """Return the picture of a model that an entry of the register asks for, as SVG on light paper."""
    show = wanted["show"]
    constants = wanted.get("set", {})
    text = path.read_text(encoding="utf-8")
    if show == "agents":
        loaded = load_text(text, path.name, constants)
        diagram = reads_diagram(BenchModel("", loaded, loaded.system))
        return document(path.stem, [diagram_svg.draw(diagram)])
    model = gnomon.load_text(text, path.name, **constants)
    if show == "who":
        asked = model.who_knows if wanted.get("knows") else model.who
        return asked(wanted["ask"]).svg()
    if show == "states":
        return _states(model, wanted)
    return _evidence(model, wanted)


def _states(model: Model, wanted: Mapping[str, Any]) -> str:
    if isinstance(model, OpenModel):
        model = model.with_agents(**wanted["number"])
    return model.graph(
        _MOST_STATES,
        agents=wanted.get("agents"),
        knowledge=wanted.get("knowledge", ()),
        full_states=wanted.get("full_states", False),
        hide=wanted.get("hide", ()),
    ).svg()


def _evidence(model: Model, wanted: Mapping[str, Any]) -> str:
    ask = wanted["ask"]
    chosen = {key: wanted[key] for key in ("strategies", "starts") if key in wanted}
    if any(ask == each.name for each in model.specifications):
        answer = model.check(only=ask, **chosen)[ask]
    else:
        answer = next(iter(model.check(ask, **chosen)))
    if answer.evidence is None:
        msg = f"{model.name}: there is no evidence for {ask}"
        raise ValueError(msg)
    return answer.evidence.graph(
        *wanted.get("agents", ()),
        line_numbers=False,
        full_states=wanted.get("full_states", False),
        hide=wanted.get("hide", ()),
    ).svg()


def on_dark(picture: str) -> str:
    """Return a picture on light paper with the colours of dark paper."""
    light, dark = style_sheet("page").split("@media", 1)
    shades = {each["name"]: each["value"] for each in _COLOUR.finditer(dark)}
    sheet = style_sheet("paper")
    darker = sheet
    for each in _COLOUR.finditer(light):
        darker = darker.replace(f": {each['value']};", f": {shades[each['name']]};")
    # Letters on the marks of classes stay dark: these are light on both papers.
    darker = darker.replace(
        f".chip {{ fill: {shades['ink']};", f".chip {{ fill: {_light_ink(light)};"
    )
    return picture.replace(sheet, darker)


def _light_ink(light: str) -> str:
    return next(each["value"] for each in _COLOUR.finditer(light) if each["name"] == "ink")


def size_of(picture: str) -> tuple[int, int]:
    """Return how wide and how high a picture is."""
    width, height = re.findall(r'(?:width|height)="(\d+)', picture)[:2]
    return int(width), int(height)


def digest(path: Path, wanted: Mapping[str, Any]) -> str:
    """Return what tells a picture from others: the model, what is wanted, and what draws it."""
    found = hashlib.sha256(path.read_bytes() + json.dumps(wanted, sort_keys=True).encode())
    for source in _sources():
        found.update(source.read_bytes())
    return found.hexdigest()


def _sources() -> Iterator[Path]:
    package = Path(gnomon.__file__).parent
    for folder in ("results/drawing", "results/render"):
        yield from sorted((package / folder).rglob("*.py"))
    yield Path(__file__)
