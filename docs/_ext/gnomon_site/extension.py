"""The extension of Sphinx: what is generated before pages are read, and mended in them."""

import posixpath
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from gnomon.interfaces.cli.main import COMMANDS
from gnomon.text.codes import CODES
from gnomon_site import (
    code_pages,
    command_pages,
    grammar_pages,
    mathml,
    outside,
    schema_pages,
)
from gnomon_site.code_links import link_codes
from gnomon_site.lexers import LEXERS
from gnomon_site.places import DOCS, write_pages


def generate(_app: Sphinx, _config: Config) -> None:
    """Write the pages that come from the code, before anything is read."""
    write_pages(outside.FOLDER, outside.project_pages())
    write_pages(code_pages.FOLDER, code_pages.code_pages())
    write_pages(command_pages.FOLDER, command_pages.command_pages())
    write_pages(grammar_pages.FOLDER, grammar_pages.grammar_pages())
    write_pages(schema_pages.FOLDER, schema_pages.schema_pages())


#: What pages that are also read elsewhere say about generated ones, behind a heading.
ADDED = {
    "reference/language": {"## Grammar": "[The same as diagrams](grammar/index.md)."},
    "reference/command-line": {
        "### JSON": "[All fields, with examples](schemas/index.md).",
        **{
            f"## gnomon {name}": f"[All options of `gnomon {name}`](commands/{name}.md)."
            for name in COMMANDS
        },
        "## gnomon explain": "[All options](commands/explain.md), and [all codes](codes/index.md).",
    },
    "reference/python": {"# Python": "[Every name, with its signature](api/index.md)."},
}


def add_links(name: str, text: str) -> str:
    """Return the text of a page with links to generated pages behind the headings that they belong to."""
    for heading, said in ADDED.get(name, {}).items():
        head, found, rest = text.partition(f"\n{heading}\n")
        text = f"{head}{found}\n{said}\n{rest}" if found else text
    return text


def mend_links(_app: Sphinx, name: str, source: list[str]) -> None:
    """Let links out of docs lead to pages of the site."""
    folder = (DOCS / name).parent
    source[0] = outside.relink(add_links(name, source[0]), folder, folder)


def link_page(
    _app: Sphinx, name: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Let codes in the text of a page lead to their pages."""
    if "body" in context:
        here = posixpath.dirname(name)
        prefix = posixpath.relpath("reference/codes", here or ".")
        own = posixpath.basename(name)
        context["body"] = link_codes(context["body"], CODES, f"{prefix}/", own)


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    for alias, lexer in LEXERS.items():
        app.add_lexer(alias, lexer)
    mathml.setup(app)
    app.connect("config-inited", generate)
    app.connect("source-read", mend_links)
    app.connect("html-page-context", link_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
