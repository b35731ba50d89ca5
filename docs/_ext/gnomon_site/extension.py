"""The extension of Sphinx: what is generated before pages are read, and mended in them."""

from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from gnomon_site.lexers import LEXERS
from gnomon_site.outside import FOLDER, project_pages, relink
from gnomon_site.places import DOCS, write_pages


def generate(_app: Sphinx, _config: Config) -> None:
    """Write the pages that come from the code, before anything is read."""
    write_pages(FOLDER, project_pages())


def mend_links(_app: Sphinx, name: str, source: list[str]) -> None:
    """Let links out of docs lead to pages of the site."""
    folder = (DOCS / name).parent
    source[0] = relink(source[0], folder, folder)


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    for alias, lexer in LEXERS.items():
        app.add_lexer(alias, lexer)
    app.connect("config-inited", generate)
    app.connect("source-read", mend_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
