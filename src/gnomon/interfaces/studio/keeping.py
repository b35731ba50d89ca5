"""Answers that are kept on disk, so that what was answered once is there at once; a thread has the file."""

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.store import Store
from gnomon.campaign.wire import compressed, decompressed, packed, unpacked
from gnomon.checking.hints import caches
from gnomon.interfaces.studio.telling import tell
from gnomon.text.diagnostic import InputError
from gnomon.version import __version__

T = TypeVar("T")

#: Stories stand beside the evidence that they are made of.
_STORIES: Final = "stories"


class KeptAnswer(NamedTuple):
    """An answer, and the stories that were told with it, by the numbers of the formulae."""

    answer: JobAnswer
    stories: Mapping[str, Any]


def usual_place() -> Path | None:
    """Return where answers are kept unless somebody says otherwise: with what a program could do without."""
    try:
        return caches() / "gnomon" / "studio.store"
    except RuntimeError:
        return None  # nobody knows where this user is at home


class AnswerKeeper:
    """The store of the studio; where it cannot be used, nothing is kept, and nobody minds."""

    def __init__(self, path: Path | None) -> None:
        """Use this file, or none."""
        self._path = path
        self._store: Store | None = None
        self._thread = ThreadPoolExecutor(1, "gnomon store")

    @property
    def is_open(self) -> bool:
        """Return whether answers are kept."""
        return self._store is not None

    async def open(self) -> None:
        """Open the file, or say why that cannot be done."""
        await self._do(self._open)

    def _open(self) -> None:
        if self._path is None:
            return
        try:
            with suppress(OSError):
                os.makedirs(self._path.parent, mode=0o700, exist_ok=True)
            with suppress(OSError):
                # Whole models are in it, which are nobody else's business; SQLite makes the rest like it.
                os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            self._store = Store(self._path)
        except (InputError, OSError) as error:
            self._give_up(error)

    async def get(self, job: CampaignJob) -> KeptAnswer | None:
        """Return what was answered, where asking again could tell nothing new."""
        return await self._do(lambda: self._get(job))

    def _get(self, job: CampaignJob) -> KeptAnswer | None:
        if self._store is None:
            return None
        try:
            answer = self._store.get(job.key)
            if answer is None or not answer.decided:
                return None
            with self._store.told():
                row = self._store.connection.execute(
                    "SELECT body FROM attachments "
                    "WHERE digest = ? AND version = ? AND repetition = ? AND kind = ?",
                    (*_key(job), _STORIES),
                ).fetchone()
                stories = {} if row is None else unpacked(decompressed(row[0]))
        except InputError as error:
            self._give_up(error)
            return None
        return KeptAnswer(answer, stories)

    async def add(self, job: CampaignJob, answer: JobAnswer, stories: Mapping[str, Any]) -> None:
        """Keep an answer with its stories."""
        await self._do(lambda: self._add(job, answer, stories))

    def _add(self, job: CampaignJob, answer: JobAnswer, stories: Mapping[str, Any]) -> None:
        if self._store is None or answer.standing == "lost":
            return
        try:
            if self._store.add(job, answer) and stories:
                with self._store.writing() as connection:
                    connection.execute(
                        "INSERT OR REPLACE INTO attachments VALUES (?, ?, ?, ?, ?)",
                        (*_key(job), _STORIES, compressed(packed(stories))),
                    )
        except InputError as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        said = error.diagnostics[0].message if isinstance(error, InputError) else str(error)
        tell(f"{said}; answers are not kept")
        self._close()

    def _close(self) -> None:
        if self._store is not None:
            with suppress(InputError):
                self._store.close()
            self._store = None

    async def close(self) -> None:
        """Close the file; what was written is there."""
        await self._do(self._close)
        self._thread.shutdown()

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _key(job: CampaignJob) -> tuple[str, str, int]:
    return job.key.digest, __version__, job.key.repetition
