"""Files that appear whole or not at all."""

import os
import stat
import sys
from types import TracebackType
from typing import Self

import click


class OutputFile:
    """A file that takes its name only once all of it is written.

    It is opened at once, so that a place that cannot be written to is reported before any work. `-`
    and files that are no ordinary ones (a terminal, a pipe) are written to directly.
    """

    def __init__(self, path: str) -> None:
        """Prepare to write to `path`."""
        self.path = path
        self.target = os.path.realpath(path)
        self.temporary: str | None = None
        if path == "-" or _is_special(self.target):
            return
        folder, name = os.path.split(self.target)
        self.temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            self._handle = os.open(self.temporary, flags, _mode(self.target))
        except OSError as error:
            self.temporary = None
            raise _cannot_write(path, error) from error

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what was not committed."""
        if self.temporary is not None:
            os.close(self._handle)
            os.unlink(self.temporary)
            self.temporary = None

    def commit(self, text: str) -> None:
        """Write the whole text and give the file its name."""
        if self.path == "-":
            sys.stdout.write(text)
            return
        try:
            if self.temporary is None:
                with open(self.target, "w", encoding="utf-8", newline="") as file:
                    file.write(text)
                return
            with os.fdopen(self._handle, "w", encoding="utf-8", newline="") as file:
                temporary, self.temporary = self.temporary, None
                file.write(text)
            os.replace(temporary, self.target)
        except OSError as error:
            raise _cannot_write(self.path, error) from error


def write_whole(path: str, text: str) -> None:
    """Write a file that appears whole or not at all."""
    with OutputFile(path) as file:
        file.commit(text)


def _is_special(path: str) -> bool:
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _mode(path: str) -> int:
    """Return the permissions the file has, or those that new files get."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return 0o666


def _cannot_write(path: str, error: OSError) -> click.ClickException:
    return click.ClickException(f"cannot write `{path}`: {(error.strerror or str(error)).lower()}")
