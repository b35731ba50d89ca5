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
MOST_NAME: Final = 1_000
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


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
        if not path or len(path) > MOST_NAME or "\0" in path or "\\" in path:
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
        data = self._data(path)
        if data is None:
            raise RequestFailed("unable", f"`{path}` is not there")
        try:
            return ReadFile(data.decode("utf-8"), _version(data))
        except UnicodeDecodeError:
            raise RequestFailed("unable", f"`{path}` is no text in UTF-8") from None

    def version(self, path: str) -> str | None:
        """Return what tells the text of a file from others; None where it is gone, or cannot be read."""
        try:
            data = self._data(path)
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

    @contextmanager
    def _held(self, path: str) -> Iterator[tuple[int | None, str]]:
        """Have the folder of a file open, None where there is none, and its name there.

        No link is followed on the way: somebody may have put one there since the place was looked at.
        """
        *folders, name = os.path.relpath(self.place(path), self._root).split(os.sep)
        handles: list[int] = []
        try:
            handles.append(os.open(self._root, _FOLDER))
            for each in folders:
                handles.append(os.open(each, _FOLDER, dir_fd=handles[-1]))
            found: int | None = handles[-1]
        except FileNotFoundError:
            found = None
        except OSError as error:
            _close(handles)
            raise _unable(path, "reached", error) from None
        try:
            yield found, name
        finally:
            _close(handles)

    def _data(self, path: str) -> bytes | None:
        """Return what is in a file; None where it is not there."""
        with self._held(path) as (folder, name):
            return None if folder is None else _content(path, folder, name)

    def write(self, path: str, text: str, version: str | None) -> str:
        """Write a file that still is what was read, or is new where there is no version; return the new one.

        It is there whole or not at all.
        """
        with self._held(path) as (folder, name):
            if folder is None and version is None:
                raise RequestFailed(
                    "unable", f"`{path}` cannot be written: its folder is not there"
                )
            if folder is None:
                raise FileConflict(path, None)
            before = _content(path, folder, name)
            now = None if before is None else _version(before)
            if now != version:
                raise FileConflict(path, now)
            data = _like(before, text).encode("utf-8", "replace")
            if len(data) > MOST_BYTES:
                raise RequestFailed("limit", f"files are at most {MOST_BYTES:,} bytes long")
            try:
                with _prepared(folder, name, data) as temporary:
                    # Somebody else may have written in the meantime.
                    if (again := _content(path, folder, name)) != before:
                        raise FileConflict(path, None if again is None else _version(again))
                    _moved(folder, temporary, name, is_new=before is None)
            except FileExistsError:
                raise FileConflict(path, self.version(path)) from None
            except OSError as error:
                raise _unable(path, "written", error) from None
        return _version(data)


def _close(handles: list[int]) -> None:
    for each in handles:
        os.close(each)


def _unable(path: str, what: str, error: OSError) -> RequestFailed:
    why = (error.strerror or str(error)).lower()
    return RequestFailed("unable", f"`{path}` cannot be {what}: {why}")


def _content(path: str, folder: int, name: str) -> bytes | None:
    """Return what is in a file; what is no file may keep a reader waiting for ever, and is not opened."""
    try:
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unable(path, "read", error) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise RequestFailed("unable", f"`{path}` is no file")
    try:
        with open(handle, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _unable(path, "read", error) from None
    if len(data) > MOST_BYTES:
        raise RequestFailed("limit", f"`{path}` is longer than {MOST_BYTES:,} bytes")
    return data


@contextmanager
def _prepared(folder: int, name: str, data: bytes) -> Iterator[str]:
    """Write a file beside its place, with the permissions of the one there; gone unless it was moved."""
    mode = None
    with suppress(FileNotFoundError):
        # Not more than that: what others may do with it is theirs, and not that of a program.
        mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode) & 0o777
        if not os.access(name, os.W_OK, dir_fd=folder):
            raise PermissionError(0, "permission denied", name)
    # Not made of the name, which may be as long as names can be.
    temporary = f".gnomon-{os.urandom(8).hex()}.tmp"
    # Nobody may open it who may not open the file: what is written comes later.
    first = 0o666 if mode is None else mode
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(temporary, flags, first, dir_fd=folder)
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
            os.unlink(temporary, dir_fd=folder)


def _moved(folder: int, temporary: str, name: str, *, is_new: bool) -> None:
    """Put a file in its place: a new one takes nobody's, not even at the last moment."""
    if is_new:
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except FileExistsError:
            raise
        except OSError:  # not every disk has files of two names
            pass
        else:
            return
    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _like(before: bytes | None, text: str) -> str:
    """Return a text with the ends of lines that its file has; an editor may know one sort only."""
    if before is None or "\r" in text:
        return text
    ends = before.count(b"\n")
    return text.replace("\n", "\r\n") if ends and before.count(b"\r\n") == ends else text
