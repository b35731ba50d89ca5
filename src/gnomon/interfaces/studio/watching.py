"""Files that a page has read, looked at every now and then: whoever else changes one is noticed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gnomon.interfaces.studio.folder import StudioFolder

#: How often files are looked at, in seconds, and how many of them: those that were read last.
_PAUSE: Final = 0.5
_MOST: Final = 100


@dataclass
class _WatchedFile:
    version: str | None
    stamp: tuple[int, ...] | None


class FolderWatch:
    """Looks at files for one page."""

    def __init__(self, folder: StudioFolder, changed: Callable[[str, str | None], None]) -> None:
        """Call `changed` with the path of a file and its new version, None where it is gone."""
        self._folder = folder
        self._changed = changed
        self._files: dict[str, _WatchedFile] = {}

    def note(self, path: str, version: str) -> None:
        """Know which version of a file the page has."""
        self._files.pop(path, None)
        # Whatever its time says, it is compared once: it may have changed right after it was read.
        self._files[path] = _WatchedFile(version, None)
        while len(self._files) > _MOST:
            del self._files[next(iter(self._files))]

    async def run(self) -> None:
        """Look at all of them for ever."""
        while True:
            await asyncio.sleep(_PAUSE)
            if self._files:
                await asyncio.to_thread(self._look)

    def _look(self) -> None:
        for path, known in list(self._files.items()):
            stamp = self._folder.stamp(path)
            if stamp == known.stamp and stamp is not None:
                continue
            if stamp is None and known.version is None:
                continue
            version = self._folder.version(path)
            known.stamp = stamp
            if version != known.version and self._files.get(path) is known:
                known.version = version
                self._changed(path, version)
