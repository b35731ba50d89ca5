"""Pages as files that every editor can open: the stories of codes, and why verdicts are so.

They are in a folder of this server's own, and gone when it ends.
"""

import contextlib
import os
import shutil
import tempfile

from pygls.uris import from_fs_path

from gnomon.editing.hover import code_story
from gnomon.text.addresses import code_address


class PageFiles:
    """Writes the pages that are linked to."""

    def __init__(self) -> None:
        """Write nothing before it is wanted."""
        self._folder: str | None = None
        self._codes: dict[str, str | None] = {}
        self._shown = 0

    def address(self, code: str) -> str | None:
        """Return where the page of a code is: on the site, or in a file; None where none can be written."""
        if (address := code_address(code)) is not None:
            return address
        if code not in self._codes:
            self._codes[code] = self._write(f"{code}.md", f"# {code}\n\n{code_story(code)}\n")
        return self._codes[code]

    def keep(self, html: str) -> str | None:
        """Return where a page is that is to be shown; None where no file can be written."""
        self._shown += 1
        return self._write(f"page-{self._shown % 20}.html", html)

    def _write(self, name: str, text: str) -> str | None:
        try:
            if self._folder is None:
                self._folder = tempfile.mkdtemp(prefix="gnomon-pages-")
            path = os.path.join(self._folder, name)
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
        except OSError:
            return None
        address: str | None = from_fs_path(path)
        return address

    def close(self) -> None:
        """Remove what was written."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self._folder)
            self._folder = None
