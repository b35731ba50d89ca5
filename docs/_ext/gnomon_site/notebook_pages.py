"""Notebooks of the examples as pages: copied without their outputs, and run where the site is built."""

import json
from typing import Any, Final

from gnomon_site.outside import relink
from gnomon_site.places import DOCS, ROOT

FOLDER: Final = DOCS / "tutorials" / "notebooks"
NOTEBOOKS: Final = ROOT / "examples" / "notebooks"

_INDEX: Final = """\
# Notebooks

The tutorials in Python, for JupyterLab and VS Code. They are in `examples/notebooks` of the checkout;
what is shown here came out when this site was built.

{rows}

```{{toctree}}
:hidden:

{names}
```
"""
#: Notebooks are written to be run where they are kept.
_THERE: Final = "import os\n\nos.chdir({folder!r})"


def notebook_pages() -> dict[str, str]:
    """Return the pages of the folder `tutorials/notebooks`."""
    found = {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }
    names = [name.removesuffix(".ipynb") for name in found]
    rows = [f"- [{title(found[f'{name}.ipynb'])}]({name}.ipynb)" for name in names]
    index = _INDEX.format(rows="\n".join(rows), names="\n".join(names))
    return {"index.md": index, **{name: prepared(notebook) for name, notebook in found.items()}}


def title(notebook: dict[str, Any]) -> str:
    """Return the first heading of a notebook."""
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and text.startswith("# "):
            return text.partition("\n")[0].removeprefix("# ")
    return "A notebook"


def prepared(notebook: dict[str, Any]) -> str:
    """Return a notebook as it is run here: in the folder where it is kept, by a cell that nobody sees."""
    first: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "where-it-is-kept",
        "metadata": {"tags": ["remove-cell"]},
        "outputs": [],
        "source": _THERE.format(folder=str(NOTEBOOKS)),
    }
    cells = [first, *map(_moved, notebook["cells"])]
    return json.dumps({**notebook, "cells": cells}, indent=1, ensure_ascii=False)


def _moved(cell: dict[str, Any]) -> dict[str, Any]:
    """Return a cell whose links lead to the pages of the site."""
    if cell["cell_type"] != "markdown":
        return cell
    return {**cell, "source": relink("".join(cell["source"]), NOTEBOOKS, FOLDER)}
