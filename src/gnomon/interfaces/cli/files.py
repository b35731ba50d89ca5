"""Files that appear whole or not at all, and never in the place of what is read."""

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

import click

from gnomon.interfaces.cli.screen import standard_output


class OutputFile:
    """A file that takes its name only once all of it is written.

    It is opened at once, so that a place that cannot be written to is reported before any work. `-`
    and files that are no ordinary ones (a terminal, a pipe) are written to directly. Until then it is a
    file of another name in the same folder, which is gone whatever happens.
    """

    def __init__(self, path: str) -> None:
        """Prepare to write to `path`."""
        self.path = path
        self._temporary: str | None = None
        self._handle: int | None = None
        # Whoever is forked off has the name of the file, too, and must leave it alone.
        self._process = os.getpid()
        if path == "-":
            return
        try:
            self._prepare()
        except (OSError, ValueError) as error:
            self._discard()
            raise _cannot_write(path, error) from error
        except BaseException:
            self._discard()
            raise

    def _prepare(self) -> None:
        before = _status(self.path)
        if before is not None and stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(0, "it is a directory", self.path)
        if before is not None and not stat.S_ISREG(before.st_mode):
            return
        self.target = os.path.realpath(self.path)
        if before is not None and not os.access(self.target, os.W_OK):
            raise PermissionError(0, "permission denied", self.path)
        # Not made of the name, which may be as long as names can be.
        name = f".gnomon-{os.urandom(8).hex()}.tmp"
        self._temporary = os.path.join(os.path.dirname(self.target), name)
        # A new file gets the permissions that new files get, one that is there keeps its own.
        self._handle = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        if before is not None:
            _become(self._handle, before)

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
        self._discard()

    def __del__(self) -> None:
        """Do the same where a signal came between making it and using it."""
        self._discard()

    def _discard(self) -> None:
        temporary, self._temporary = self._temporary, None
        handle, self._handle = self._handle, None
        if handle is not None:
            with suppress(OSError):
                os.close(handle)
        if temporary is not None and self._process == os.getpid():
            with suppress(OSError):
                os.unlink(temporary)

    def commit(self, content: str | bytes) -> None:
        """Write the whole text, or bytes that are none, and give the file its name."""
        if self.path == "-":
            if isinstance(content, bytes):
                standard_output().put_bytes(content)
            else:
                standard_output().put(content)
            return
        data = (
            content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        )
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
        except OSError as error:
            raise _cannot_write(self.path, error) from error
        finally:
            self._discard()


def write_whole(path: str, text: str) -> None:
    """Write a file that appears whole or not at all."""
    with OutputFile(path) as file:
        file.commit(text)


def keep_apart(inputs: Iterable[str | None], outputs: Mapping[str, str | None]) -> None:
    """Refuse outputs, each with the option that names it, that would replace an input or each other.

    A file is the same however it is called: by a link, by another path, or as standard input.
    """
    read = [(path, _identity(path)) for path in inputs if path is not None]
    taken: dict[tuple[int, int] | str, str] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        here = None if path == "-" else _identity(path)
        for name, there in read:
            if here is not None and here == there:
                called = "standard input" if name == "-" else f"`{name}`"
                raise click.UsageError(
                    f"{option} {path} would overwrite {called}, which is read: choose another name"
                )
        key = here or _place(path)
        if key is None:
            continue
        if key in taken:
            raise click.UsageError(
                f"{taken[key]} and {option} both write to `{path}`: choose two names"
            )
        taken[key] = option


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells an ordinary file from all others, whatever its name; None where there is none."""
    try:
        found = os.fstat(0) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _place(path: str) -> str | None:
    """Return where a new file would appear; None for a device, which takes what everybody writes."""
    if path == "-":
        return path
    try:
        return None if os.path.exists(path) else os.path.realpath(path)
    except (OSError, ValueError):
        return None


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


def _cannot_write(path: str, error: OSError | ValueError) -> click.ClickException:
    reason = getattr(error, "strerror", None) or str(error)
    return click.ClickException(f"cannot write `{path}`: {reason.lower()}")
