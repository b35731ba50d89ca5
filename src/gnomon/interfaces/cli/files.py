"""Files that appear whole or not at all, and never in the place of what is read."""

import os
import stat
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

import click

from gnomon.interfaces.cli.screen import standard_output
from gnomon.text.whole_file import WholeFile


class OutputFile:
    """A file that takes its name only once all of it is written.

    It is opened at once, so that a place that cannot be written to is reported before any work. `-` is
    standard output.
    """

    def __init__(self, path: str) -> None:
        """Prepare to write to `path`."""
        self.path = path
        self._file: WholeFile | None = None
        if path == "-":
            return
        try:
            self._file = WholeFile(path)
        except (OSError, ValueError) as error:
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
        if self._file is not None:
            self._file.discard()

    def commit(self, content: str | bytes) -> None:
        """Write the whole text, or bytes that are none, and give the file its name."""
        if self._file is None:
            if isinstance(content, bytes):
                standard_output().put_bytes(content)
            else:
                standard_output().put(content)
            return
        data = (
            content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        )
        try:
            self._file.commit(data)
        except OSError as error:
            raise _cannot_write(self.path, error) from error


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


def _cannot_write(path: str, error: OSError | ValueError) -> click.ClickException:
    reason = getattr(error, "strerror", None) or str(error)
    return click.ClickException(f"cannot write `{path}`: {reason.lower()}")
