"""The extension of Sphinx: what is generated before pages are read, and mended in them."""

import posixpath
from hashlib import sha256
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import find_pending_xref_condition

from gnomon.interfaces.cli.main import COMMANDS
from gnomon.text.codes import CODES
from gnomon_site import (
    api_pages,
    code_pages,
    command_pages,
    grammar_pages,
    mathml,
    notebook_pages,
    outside,
    schema_pages,
)
from gnomon_site.captions import caption_files
from gnomon_site.code_links import link_codes
from gnomon_site.lexers import LEXERS
from gnomon_site.places import DOCS, write_pages


def generate(_app: Sphinx, _config: Config) -> None:
    """Write the pages that come from the code, before anything is read."""
    write_pages(api_pages.FOLDER, api_pages.api_pages())
    write_pages(outside.FOLDER, outside.project_pages())
    write_pages(code_pages.FOLDER, code_pages.code_pages())
    write_pages(command_pages.FOLDER, command_pages.command_pages())
    write_pages(grammar_pages.FOLDER, grammar_pages.grammar_pages())
    write_pages(notebook_pages.FOLDER, notebook_pages.notebook_pages())
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
    "reference/python": {
        "# The Python interface": "[Every name, with its signature](api/index.md)."
    },
}


def add_links(name: str, text: str) -> str:
    """Return the text of a page with links to generated pages behind the headings that they belong to."""
    for heading, said in ADDED.get(name, {}).items():
        head, found, rest = f"\n{text}".partition(f"\n{heading}\n")
        text = f"{head}{found}\n{said}\n{rest}".removeprefix("\n") if found else text
    return text


def mend_links(_app: Sphinx, name: str, source: list[str]) -> None:
    """Let links out of docs lead to pages of the site, and programs have the names of their files."""
    folder = (DOCS / name).parent
    source[0] = caption_files(outside.relink(add_links(name, source[0]), folder, folder))


def link_page(
    _app: Sphinx, name: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Let codes in the text of a page lead to their pages."""
    if "body" in context:
        here = posixpath.dirname(name)
        prefix = posixpath.relpath("reference/codes", here or ".")
        own = posixpath.basename(name)
        context["body"] = link_codes(context["body"], CODES, f"{prefix}/", own)


_LINKED = api_pages.linked_names()
_PATHS = api_pages.public_paths()


def mend_docstring(
    _app: Sphinx, _what: str, _name: str, _thing: object, _options: object, lines: list[str]
) -> None:
    """Let docstrings be read as they are written."""
    lines[:] = api_pages.as_restructured_text(lines, _LINKED)


def find_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    """Return the link to a class by the name it is public under; what has no page stays plain text."""
    if node.get("refdomain") != "py":
        return None
    target = str(node.get("reftarget", ""))
    if (path := _public(target)) and path != target:
        python = env.domains["py"]
        return python.resolve_xref(env, node["refdoc"], app.builder, "obj", path, node, content)
    short = find_pending_xref_condition(node, "resolved")
    shown = short.children[0] if short is not None and short.children else content
    if address := api_pages.python_address(target):
        return nodes.reference("", "", shown, internal=False, refuri=address)
    # Names of types that stand for others, type variables, and what other libraries have.
    return shown if node.get("reftype") == "class" else None


def _public(target: str) -> str | None:
    if target in _PATHS:
        return _PATHS[target]
    ends = [public for path, public in _PATHS.items() if path.endswith(f".{target}")]
    return ends[0] if len(ends) == 1 else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    for alias, lexer in LEXERS.items():
        app.add_lexer(alias, lexer)
    mathml.setup(app)
    app.connect("config-inited", generate)
    app.connect("autodoc-process-docstring", mend_docstring)
    app.connect("missing-reference", find_name)
    app.connect("source-read", mend_links)
    app.connect("html-page-context", link_page)
    return {
        "env_version": _edition(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _edition() -> int:
    """Return a number that changes with this extension: pages are read again when it does."""
    digest = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return int(digest.hexdigest()[:8], 16)
