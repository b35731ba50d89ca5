"""The file of a store: opened, written wholly or not at all, and explained where it cannot be used."""

import os
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from gnomon.campaign.store_schema import VERSION, prepare, version_of
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

#: So many seconds others may take to write before we give up.
_PATIENCE: Final = 60.0
#: So many of them pass inside SQLite, where nobody hears Ctrl-C.
_MOMENT: Final = 0.5
_PAUSE: Final = 0.01
#: What to do with a store that is damaged.
_DAMAGED: Final = "`gnomon store merge NEW OLD` takes over what can still be read"


def _explained(error: sqlite3.Error) -> tuple[str, str]:
    """Return what SQLite says in the words of somebody who has not asked for a database, and what to do."""
    said = str(error)
    known = {
        "unable to open database file": ("it is not there, or may not be opened", ""),
        "attempt to write a readonly database": ("it may only be read", "give it another name"),
        "database or disk is full": ("the disk is full", "make room and do the same again"),
        "database is locked": ("others have been writing to it for a minute", "do the same again"),
        "file is not a database": ("it is no store", "give the store another name"),
        "database disk image is malformed": ("it is damaged", _DAMAGED),
    }
    if said.startswith("Could not decode"):
        return "it is damaged", _DAMAGED
    return known.get(said, (said, ""))


class StoreFile:
    """A file that is open; use it in `with`, and in one thread."""

    def __init__(
        self, path: str | Path, *, must_exist: bool = False, read_only: bool = False
    ) -> None:
        """Open a store, or make one; raise `InputError` where the file is none, or cannot be used."""
        self.path: Final = Path(path)
        if "\0" in str(path):
            raise self.unusable("no file can have such a name")
        with self.told():
            self.connection = self._open(read_only=read_only, must_exist=must_exist)
            try:
                self._make_ready(read_only=read_only)
            except BaseException:
                self.close()
                raise

    def _make_ready(self, *, read_only: bool) -> None:
        """See to it that the file is a store; others may be at the same, and SQLite does not always wait."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self._make_store(read_only=read_only)
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                time.sleep(_PAUSE)
            else:
                return

    def _make_store(self, *, read_only: bool) -> None:
        if read_only:
            self.connection.execute("PRAGMA query_only = ON")
        found = version_of(self.connection)
        if found != VERSION and (read_only or found != 0):
            what = "it is no store" if not found else f"it is of version {found}"
            raise self.unusable(what, "give the store another name")
        if not read_only:
            prepare(self.connection)

    def _open(self, *, read_only: bool, must_exist: bool) -> sqlite3.Connection:
        mode = "rw" if must_exist or read_only else "rwc"
        # Whoever may write tidies up when the last one closes it, even after reading only.
        if read_only and not (
            os.access(self.path, os.W_OK) and os.access(self.path.absolute().parent, os.W_OK)
        ):
            mode = "ro"
        where = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(where, uri=True, timeout=_MOMENT, isolation_level=None)

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it; all that was written is there."""
        self.connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write all that is inside, or nothing."""
        with self.told():
            self._begin()
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:  # a full disk ends it by itself
                    self.connection.execute("ROLLBACK")
                raise

    def _begin(self) -> None:
        """Wait until nobody else writes; whoever wants to interrupt us is heard in between."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self.connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
            else:
                return

    @contextmanager
    def told(self) -> Iterator[None]:
        """Tell in our words what SQLite cannot do with the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise self.unusable(*_explained(error)) from error
        except (zlib.error, UnicodeError, ValueError, KeyError, TypeError) as error:
            # What this program has written can be read; somebody else has changed it.
            raise self.unusable("it is damaged", _DAMAGED) from error

    def unusable(self, why: str, help_: str = "") -> InputError:
        """Return what is raised where the file cannot be used."""
        source = Source(str(self.path), "")
        message = f"the store `{self.path}` cannot be used: {why}"
        return InputError((Diagnostic("G0901", message, source, help=help_),))
