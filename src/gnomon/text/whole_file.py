"""A file that appears whole or not at all."""

import errno
import os
import stat
from contextlib import suppress


class WholeFile:
    """A file that takes its name only once all of it is written.

    It is opened at once, so that a place that cannot be written to is an `OSError` before any work. Files
    that are no ordinary ones (a terminal, a pipe) are written to directly. Until `commit` it is a file of
    another name in the same folder, which `discard` removes.
    """

    def __init__(self, path: str) -> None:
        """Prepare to write to `path`."""
        self.path = path
        self._temporary: str | None = None
        self._handle: int | None = None
        # Whoever is forked off has the name of the file, too, and must leave it alone.
        self._process = os.getpid()
        try:
            self._prepare()
        except BaseException:
            self.discard()
            raise

    def _prepare(self) -> None:
        before = _status(self.path)
        if before is not None and stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(0, "it is a directory", self.path)
        if before is not None and not stat.S_ISREG(before.st_mode):
            return
        if not self.path:  # which would be the folder we are in
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)
        self.target: str = os.path.realpath(self.path)
        if before is not None and not os.access(self.target, os.W_OK):
            raise PermissionError(0, "permission denied", self.path)
        # Not made of the name, which may be as long as names can be.
        name = f".gnomon-{os.urandom(8).hex()}.tmp"
        self._temporary = os.path.join(os.path.dirname(self.target), name)
        # A new file gets the permissions that new files get, one that is there keeps its own.
        try:
            self._handle = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except OSError as error:
            # Nobody knows the other name.
            raise type(error)(error.errno, error.strerror, self.path) from None
        if before is not None:
            _become(self._handle, before)

    def __del__(self) -> None:
        """Leave nothing behind where a signal came between making it and using it."""
        self.discard()

    def discard(self) -> None:
        """Remove what was not committed."""
        temporary, self._temporary = self._temporary, None
        handle, self._handle = self._handle, None
        if handle is not None:
            with suppress(OSError):
                os.close(handle)
        if temporary is not None and self._process == os.getpid():
            with suppress(OSError):
                os.unlink(temporary)

    def commit(self, data: bytes) -> None:
        """Write all of it and give the file its name."""
        try:
            if self._handle is None or self._temporary is None:
                with open(self.path, "wb") as file:
                    file.write(data)
                return
            with open(self._handle, "wb", closefd=False) as file:
                file.write(data)
            os.fsync(self._handle)
            os.replace(self._temporary, self.target)
            self._temporary = None
        finally:
            self.discard()


def _status(path: str) -> os.stat_result | None:
    """Return what the file is; None where there is none yet."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _become(handle: int, before: os.stat_result) -> None:
    """Give a new file the owner, where we may, and the permissions of the one it is to replace."""
    now = os.fstat(handle)
    if hasattr(os, "fchown") and (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(OSError):
            os.fchown(handle, before.st_uid, before.st_gid)
    if hasattr(os, "fchmod"):
        with suppress(OSError):
            os.fchmod(handle, stat.S_IMODE(before.st_mode))
