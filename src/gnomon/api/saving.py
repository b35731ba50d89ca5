"""Pictures as files, in the format that the ending of their name says."""

import os
from pathlib import PurePath

from gnomon.text.whole_file import WholeFile

#: How each ending is drawn, by the name of a picture's method.
_WAYS = {
    ".svg": "svg",
    ".dot": "dot",
    ".gv": "dot",
    ".tex": "tikz",
    ".tikz": "tikz",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
}
#: What others make of SVG.
_CONVERTED = {".png", ".pdf", ".ps", ".eps"}


class SavedPicture:
    """A picture that can be written to a file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, which appears whole or not at all; one of the name is replaced.

        The ending says the format: `.svg`, `.dot`, `.tex` or `.tikz`, `.mmd` or `.mermaid`.

        >>> import gnomon, os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     gnomon.load("examples/tickets.ispl").graph().save(f"{folder}/tickets.svg")
        ...     os.listdir(folder)
        ['tickets.svg']
        """
        way = _way(os.fspath(path))
        file = WholeFile(os.fspath(path))
        try:
            file.commit(f"{getattr(self, way)().rstrip()}\n".encode())
        finally:
            file.discard()


def _way(path: str) -> str:
    """Return how a file of this name is drawn, or say how else one comes to it."""
    ending = PurePath(path).suffix.lower()
    if ending in _WAYS:
        return _WAYS[ending]
    said = f", and {f'`{ending}`' if ending else 'no ending'} is none of them"
    if ending in _CONVERTED:
        other = PurePath(path).with_suffix(".svg").name
        said = f": save `{other}`, and convert it with a browser or with "
        said += f"`rsvg-convert -f {ending[1:]} -o {PurePath(path).name} {other}`"
    msg = f"a picture is saved as {', '.join(_WAYS)}{said}"
    raise ValueError(msg)
