"""The extension of Sphinx: writes the gallery before pages are read, and only what has changed."""

import json
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from gnomon_gallery.pages import Entry, index, page, register
from gnomon_gallery.pictures import PAPERS, digest, drawn, on_dark
from gnomon_site.places import write_page

_LOGGER: Final = logging.getLogger(__name__)


def make(app: Sphinx, _config: Config) -> None:
    """Write all pages and pictures that are not there yet, or are others now."""
    folder = Path(app.srcdir) / "gallery"
    topics, entries = register()
    wanted = {"index.md": index(topics, entries)}
    by_name = {topic["name"]: topic for topic in topics}
    for entry in entries:
        neighbours = [each for each in entries if each["topic"] == entry["topic"]]
        wanted[f"{entry.slug}.md"] = page(entry, by_name[entry["topic"]], neighbours)
    folder.mkdir(exist_ok=True)
    for name, text in wanted.items():
        write_page(folder / name, text)
    for old in set(folder.glob("*.md")) - {folder / name for name in wanted}:
        old.unlink()
    make_pictures(folder / "pictures", entries)


def make_pictures(folder: Path, entries: list[Entry]) -> None:
    """Draw what has changed since it was drawn."""
    folder.mkdir(exist_ok=True)
    notes = folder / "digests.json"
    known = json.loads(notes.read_text(encoding="utf-8")) if notes.is_file() else {}
    for entry in entries:
        now = digest(entry.path, entry["picture"])
        files = [folder / f"{entry.slug}-{paper}.svg" for paper in PAPERS]
        if known.get(entry.slug) == now and all(each.is_file() for each in files):
            continue
        _LOGGER.info("drawing %s", entry.slug)
        light = drawn(entry.path, entry["picture"])
        for path, picture in zip(files, (light, on_dark(light)), strict=True):
            write_page(path, picture)
        known[entry.slug] = now
    slugs = {entry.slug for entry in entries}
    write_page(notes, json.dumps({slug: known[slug] for slug in sorted(slugs)}, indent=1))
    names = {f"{slug}-{paper}.svg" for slug in slugs for paper in PAPERS}
    for old in folder.glob("*.svg"):
        if old.name not in names:
            old.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Take part in the build."""
    app.connect("config-inited", make)
    app.add_css_file("gallery.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
