"""Pages that are kept elsewhere in the tree, and links that lead out of docs."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from gnomon_site.places import DOCS, ROOT

#: Files outside docs that are pages of the site, by the names that they have there.
OUTSIDE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CONTRIBUTING.md": "contributing",
        "CHANGELOG.md": "changelog",
        "SECURITY.md": "security",
        "changelog.d/README.md": "changelog-fragments",
        "tests/spec/README.md": "specifications-that-run",
        "editors/vscode/README.md": "vscode",
    }
)
FOLDER: Final = DOCS / "project"

_INDEX = """\
# The project

How Gnomon is made, what has changed, and how to report a mistake that matters for security.
It is free software under the Apache License 2.0.

```{{toctree}}
:maxdepth: 1

{names}
```
"""
_FENCED = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"(?P<head>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^)\s]+)\)")


def project_pages() -> dict[str, str]:
    """Return the pages of the folder `project`: those from outside docs, and their index."""
    pages = {"index.md": _INDEX.format(names="\n".join(OUTSIDE.values()))}
    for source, name in OUTSIDE.items():
        path = ROOT / source
        text = path.read_text(encoding="utf-8")
        pages[f"{name}.md"] = relink(text, path.parent, FOLDER)
    return pages


def relink(text: str, here: Path, there: Path) -> str:
    """Return a text of the folder `here` for the folder `there`, with links that lead to pages of the site.

    A link to a folder, of which the site has no page, becomes its words. Blocks of code stay as they are.
    """
    pieces = []
    end = 0
    for block in _FENCED.finditer(text):
        pieces += [_relinked(text[end : block.start()], here, there), block[0]]
        end = block.end()
    return "".join([*pieces, _relinked(text[end:], here, there)])


def _relinked(text: str, here: Path, there: Path) -> str:
    def replaced(link: re.Match[str]) -> str:
        target, mark, anchor = link["target"].partition("#")
        if not target or target.startswith("/") or re.match(r"[a-z]+:", target):
            return link[0]
        path = Path(os.path.normpath(here / target))
        if path.is_dir():
            return link["head"].strip("[]")
        address = _address(path, there)
        return link[0] if address is None else f"{link['head']}({address}{mark}{anchor})"

    return _LINK.sub(replaced, text)


def _address(path: Path, there: Path) -> str | None:
    """Return how a page below `there` names a file, or nothing where that is no file of ours."""
    if not path.is_relative_to(ROOT):
        return None
    inside = path.relative_to(ROOT).as_posix()
    if inside in OUTSIDE:
        path = FOLDER / f"{OUTSIDE[inside]}.md"
    elif inside.startswith("examples/notebooks/"):
        path = DOCS / "tutorials" / "notebooks" / path.name
    elif inside == "README.md":
        path = DOCS / "index.md"
    return Path(os.path.relpath(path, there)).as_posix()
