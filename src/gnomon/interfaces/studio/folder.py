"""The folder that is open: models below it are read and written, and nothing else is."""

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from gnomon.workbench.failure import RequestFailed, bad_request

ENDINGS: Final = (".ispl", ".pmas")
#: Larger files are no models that anybody could look at.
MOST_BYTES: Final = 8 * 2**20
#: So many files are listed, of so many folders, within so many seconds.
_MOST_FILES: Final = 2_000
_MOST_FOLDERS: Final = 5_000
_PATIENCE: Final = 2.0
_MOST_NAME: Final = 1_000


class FileConflict(RequestFailed):
    """A file is not what it was when it was read; the version is that of now, None where it is gone."""

    def __init__(self, path: str, version: str | None) -> None:
        """Say what it is now."""
        what = "is there already, or has changed" if version else "is not there any more"
        super().__init__("conflict", f"`{path}` {what}: nothing was written")
        self.version = version

    def to_data(self) -> dict[str, Any]:
        """Return it as an answer has it."""
        said = super().to_data()
        said["data"]["version"] = self.version
        return said


class ReadFile(NamedTuple):
    """A text, and what tells it from others."""

    text: str
    version: str


class StudioFolder:
    """A folder, and the file that the command named, which may be called as it likes."""

    def __init__(self, folder: str, opened: str | None = None) -> None:
        """Open a folder, and one of its files."""
        self._root: Final = os.path.realpath(folder)
        self.name: Final = os.path.basename(self._root) or self._root
        self.opened: Final = opened

    def place(self, path: str) -> str:
        """Return where a file is; raise `RequestFailed` where it is not below the folder, or no model."""
        parts = path.split("/")
        if not path or len(path) > _MOST_NAME or "\0" in path or "\\" in path:
            raise bad_request("`path` is the name of a file")
        if any(part in ("", ".", "..") for part in parts):
            raise bad_request("a path leads down from the folder, without detours")
        try:
            path.encode(errors="strict")
            real = os.path.realpath(os.path.join(self._root, *parts))
        except (OSError, ValueError):
            raise bad_request("`path` is the name of a file") from None
        inside = os.path.relpath(real, self._root).split(os.sep)
        if os.path.commonpath([real, self._root]) != self._root or ".." in inside:
            raise RequestFailed("unable", f"`{path}` is not in the folder that is open")
        if any(part.startswith(".") for part in (*parts, *inside)):
            raise RequestFailed("unable", f"`{path}` is hidden: it stays so")
        if path != self.opened and not (path.endswith(ENDINGS) and real.endswith(ENDINGS)):
            raise RequestFailed(
                "unable", f"`{path}` is no model: these end in {' or '.join(ENDINGS)}"
            )
        return real

    def files(self) -> tuple[list[dict[str, Any]], bool]:
        """Return the models below the folder, and whether there may be more."""
        found: list[dict[str, Any]] = []
        for item in self._walk():
            if item is None or len(found) >= _MOST_FILES:
                return found, True
            found.append(item)
        return sorted(found, key=lambda each: str(each["path"])), False

    def _walk(self) -> Iterator[dict[str, Any] | None]:
        """Yield models, and None where there is no time for all."""
        began = time.monotonic()
        for folders, (place, inside, names) in enumerate(os.walk(self._root)):
            if folders > _MOST_FOLDERS or time.monotonic() - began > _PATIENCE:
                yield None
                return
            inside[:] = sorted(
                name for name in inside if not name.startswith(".") and name != "node_modules"
            )
            for name in sorted(names):
                path = os.path.relpath(os.path.join(place, name), self._root).replace(os.sep, "/")
                if path == self.opened or name.endswith(ENDINGS):
                    size = self._size(path)
                    if size is not None:
                        yield {"path": path, "bytes": size}

    def _size(self, path: str) -> int | None:
        try:
            found = os.stat(self.place(path))
        except (OSError, RequestFailed):
            return None
        fits = stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
        return found.st_size if fits else None

    def read(self, path: str) -> ReadFile:
        """Return what a file says."""
        data = self._data(path, self.place(path))
        if data is None:
            raise RequestFailed("unable", f"`{path}` is not there")
        try:
            return ReadFile(data.decode("utf-8"), _version(data))
        except UnicodeDecodeError:
            raise RequestFailed("unable", f"`{path}` is no text in UTF-8") from None

    def version(self, path: str) -> str | None:
        """Return what tells the text of a file from others; None where it is gone, or cannot be read."""
        try:
            data = self._data(path, self.place(path))
        except RequestFailed:
            return None
        return None if data is None else _version(data)

    def stamp(self, path: str) -> tuple[int, ...] | None:
        """Return what changes whenever a file does, and costs little."""
        try:
            found = os.stat(self.place(path))
        except (OSError, RequestFailed):
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino)

    @staticmethod
    def _data(path: str, place: str) -> bytes | None:
        """Return what is in a file; what is no file may keep a reader waiting for ever, and is not opened."""
        try:
            handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise RequestFailed("unable", f"`{path}` cannot be read: {why}") from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise RequestFailed("unable", f"`{path}` is no file")
        with open(handle, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise RequestFailed("limit", f"`{path}` is longer than {MOST_BYTES:,} bytes")
        return data

    def write(self, path: str, text: str, version: str | None) -> str:
        """Write a file that still is what was read, or is new where there is no version; return the new one.

        It is there whole or not at all.
        """
        place = self.place(path)
        before = self._data(path, place)
        now = None if before is None else _version(before)
        if now != version:
            raise FileConflict(path, now)
        data = _like(before, text).encode("utf-8", "replace")
        if len(data) > MOST_BYTES:
            raise RequestFailed("limit", f"files are at most {MOST_BYTES:,} bytes long")
        try:
            with _prepared(place, data) as temporary:
                # Somebody else may have written in the meantime.
                if (again := self._data(path, place)) != before:
                    raise FileConflict(path, None if again is None else _version(again))
                os.replace(temporary, place)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise RequestFailed("unable", f"`{path}` cannot be written: {why}") from None
        return _version(data)


@contextmanager
def _prepared(place: str, data: bytes) -> Iterator[str]:
    """Write a file beside its place, with the permissions of the one there; gone unless it was moved."""
    mode = None
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(os.stat(place).st_mode)
        if not os.access(place, os.W_OK):
            raise PermissionError(0, "permission denied", place)
    # Not made of the name, which may be as long as names can be.
    temporary = os.path.join(os.path.dirname(place), f".gnomon-{os.urandom(8).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(handle, "wb") as file:
            if mode is not None:
                os.fchmod(handle, mode)
            file.write(data)
            file.flush()
            os.fsync(handle)
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _like(before: bytes | None, text: str) -> str:
    """Return a text with the ends of lines that its file has; an editor may know one sort only."""
    if before is None or "\r" in text:
        return text
    ends = before.count(b"\n")
    return text.replace("\n", "\r\n") if ends and before.count(b"\r\n") == ends else text
