"""The store: answers by the digest of the question and the version that answered, in one file of SQLite.

Asking again costs nothing. An answer is there wholly or not at all, whoever is killed when; several processes
may write at once; and none is written twice: the first one stays.
"""

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from gnomon.campaign.answer import JobAnswer, Provenance
from gnomon.campaign.job import CampaignJob, JobKey
from gnomon.campaign.store_schema import VERSION, prepare, version_of
from gnomon.checking.question import Question
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source
from gnomon.version import __version__

#: So many seconds others may take to write before we give up.
_PATIENCE: Final = 60.0


@dataclass(frozen=True)
class CampaignRun:
    """One run of a campaign: what was typed, where and when, and how far it is."""

    id: str
    command: str
    version: str
    machine: str
    process: int
    name: str
    jobs: int
    started: float
    seen: float
    ended: float | None = None


@dataclass(frozen=True)
class StoredJob:
    """A job that a run has under way, by what is told of it."""

    run: str
    key: JobKey
    name: str
    place: str
    started: float


@dataclass(frozen=True)
class StoredAnswer:
    """An answer with the question it belongs to, and the run that asked it (None where that was no run)."""

    question: Question
    answer: JobAnswer
    run: CampaignRun | None
    finished: float


class Store:
    """A store that is open; use it in `with`, and in one thread."""

    def __init__(
        self, path: str | Path, *, must_exist: bool = False, read_only: bool = False
    ) -> None:
        """Open a store, or make one; raise `InputError` where the file is none, or cannot be used."""
        self.path: Final = Path(path)
        with self._told():
            mode = "ro" if read_only else "rw" if must_exist else "rwc"
            self._connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                uri=True,
                timeout=_PATIENCE,
                isolation_level=None,
            )
            found = version_of(self._connection)
            if found not in {0, VERSION}:
                what = "it is no store" if found is None else f"it is of version {found}"
                raise self._unusable(what, "give the store another name")
            if not read_only:
                prepare(self._connection)

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it; all that was written is there."""
        self._connection.close()

    # Answers

    def add(
        self, job: CampaignJob, answer: JobAnswer, run: str | None = None, *, instead: bool = False
    ) -> bool:
        """Keep an answer, wholly or not at all; return whether it is new.

        Of two answers to one job the first stays, unless the later one is to stand `instead` of it.
        """
        return self.add_all([(job, answer)], run, instead=instead) == 1

    def add_all(
        self,
        answers: Iterable[tuple[CampaignJob, JobAnswer]],
        run: str | None = None,
        *,
        instead: bool = False,
    ) -> int:
        """Keep several answers in one go; return how many of them are new."""
        with self._writing() as connection:
            return sum(
                _written(connection, job.question, answer, run, time.time(), instead=instead)
                for job, answer in answers
            )

    def get(self, key: JobKey, version: str = __version__) -> JobAnswer | None:
        """Return what a version has answered, with evidence and certificate; None where it has not yet."""
        with self._told():
            row = self._connection.execute(
                "SELECT standing, result, origin, reason FROM answers "
                "WHERE digest = ? AND version = ? AND repetition = ?",
                (key.digest, version, key.repetition),
            ).fetchone()
            if row is None:
                return None
            standing, result, origin, reason = row
            answer = JobAnswer(
                key, standing, json.loads(result), Provenance(**json.loads(origin)), reason=reason
            )
            return self._complete(answer)

    def standings(self, version: str = __version__) -> dict[JobKey, str]:
        """Return the standing of every job that a version has answered."""
        with self._told():
            rows = self._connection.execute(
                "SELECT digest, repetition, standing FROM answers WHERE version = ?", (version,)
            )
            return {JobKey(digest, repetition): standing for digest, repetition, standing in rows}

    def answers(self, version: str | None = None) -> Iterator[StoredAnswer]:
        """Yield all answers without their evidence, of one version or of all, the oldest first."""
        runs = {run.id: run for run in self.runs()}
        texts: dict[str, str] = {}
        with self._told():
            rows = self._connection.execute(
                "SELECT digest, version, repetition, run, standing, result, origin, reason, finished, "
                "text, asked FROM answers JOIN questions USING (digest) "
                "WHERE ?1 IS NULL OR version = ?1 ORDER BY finished, digest, repetition",
                (version,),
            )
            for digest, _, repetition, run, standing, result, origin, reason, *rest in rows:
                finished, text, asked = rest
                key = JobKey(digest, repetition)
                answer = JobAnswer(
                    key,
                    standing,
                    json.loads(result),
                    Provenance(**json.loads(origin)),
                    reason=reason,
                )
                if text not in texts:
                    texts[text] = self._text(text)
                question = Question.from_data({**json.loads(asked), "text": texts[text]})
                yield StoredAnswer(question, answer, runs.get(run), finished)

    def complete(self, stored: StoredAnswer) -> JobAnswer:
        """Return an answer with its evidence and its certificate."""
        with self._told():
            return self._complete(stored.answer)

    def forget(self, keys: Sequence[JobKey], version: str) -> int:
        """Forget answers of a version, and what only they needed; return how many there were."""
        with self._writing() as connection:
            found = 0
            where = "WHERE digest = ? AND version = ? AND repetition = ?"
            for key in keys:
                named = (key.digest, version, key.repetition)
                connection.execute(f"DELETE FROM attachments {where}", named)  # noqa: S608
                gone = connection.execute(f"DELETE FROM answers {where}", named)  # noqa: S608
                found += gone.rowcount
            connection.execute(
                "DELETE FROM questions WHERE digest NOT IN (SELECT digest FROM answers)"
            )
            connection.execute("DELETE FROM texts WHERE hash NOT IN (SELECT text FROM questions)")
        return found

    # Runs

    def begin(self, run: CampaignRun) -> None:
        """Note that a run has begun."""
        with self._writing() as connection:
            _note_run(connection, run)

    def beat(self, run: str, under_way: Sequence[StoredJob]) -> None:
        """Note that a run goes on, and what it has under way."""
        with self._writing() as connection:
            connection.execute("UPDATE runs SET seen = ? WHERE id = ?", (time.time(), run))
            self._note_under_way(connection, run, under_way)

    def end(self, run: str) -> None:
        """Note that a run has ended."""
        now = time.time()
        with self._writing() as connection:
            connection.execute("UPDATE runs SET seen = ?, ended = ? WHERE id = ?", (now, now, run))
            self._note_under_way(connection, run, ())

    def runs(self) -> list[CampaignRun]:
        """Return all runs, the oldest first."""
        with self._told():
            rows = self._connection.execute(
                "SELECT id, command, version, machine, process, name, jobs, started, seen, ended "
                "FROM runs ORDER BY started"
            )
            return [CampaignRun(*row) for row in rows]

    def counted(self) -> dict[str, dict[str, int]]:
        """Return how many answers each run has given, by their standings."""
        with self._told():
            rows = self._connection.execute(
                "SELECT run, standing, count(*) FROM answers "
                "WHERE run IS NOT NULL GROUP BY run, standing"
            )
            found: dict[str, dict[str, int]] = {}
            for run, standing, count in rows:
                found.setdefault(run, {})[standing] = count
            return found

    def under_way(self) -> list[StoredJob]:
        """Return what runs have under way, by what they last said."""
        with self._told():
            rows = self._connection.execute(
                "SELECT run, digest, repetition, name, place, started FROM under_way ORDER BY started"
            )
            return [
                StoredJob(run, JobKey(digest, repetition), *rest)
                for run, digest, repetition, *rest in rows
            ]

    # Other stores

    def merge(self, other: "Store") -> int:
        """Take over what another store has and this one has not; return how many answers that were."""
        with self._writing() as connection:
            for run in other.runs():
                _note_run(connection, run)
            return sum(
                _written(
                    connection,
                    each.question,
                    other.complete(each),
                    each.run.id if each.run else None,
                    each.finished,
                )
                for each in other.answers()
            )

    # What the others stand on

    @staticmethod
    def _note_under_way(
        connection: sqlite3.Connection, run: str, under_way: Sequence[StoredJob]
    ) -> None:
        connection.execute("DELETE FROM under_way WHERE run = ?", (run,))
        connection.executemany(
            "INSERT OR IGNORE INTO under_way VALUES (?, ?, ?, ?, ?, ?)",
            [(run, *each.key, each.name, each.place, each.started) for each in under_way],
        )

    def _text(self, hash_: str) -> str:
        (body,) = self._connection.execute(
            "SELECT body FROM texts WHERE hash = ?", (hash_,)
        ).fetchone()
        return zlib.decompress(body).decode()

    def _complete(self, answer: JobAnswer) -> JobAnswer:
        key = answer.key
        rows = self._connection.execute(
            "SELECT kind, body FROM attachments "
            "WHERE digest = ? AND version = ? AND repetition = ?",
            (key.digest, answer.origin.version, key.repetition),
        )
        found = {kind: json.loads(zlib.decompress(body)) for kind, body in rows}
        formulae = [dict(each) for each in answer.formulae]
        for place, evidence in found.get("evidence", {}).items():
            formulae[int(place)]["evidence"] = evidence
        result = {**answer.result, "formulae": formulae}
        return replace(answer, result=result, certificate=found.get("certificate"))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write all that is inside, or nothing."""
        with self._told():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk ends it by itself
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell in our words what SQLite cannot do with the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from error

    def _unusable(self, why: str, help_: str = "") -> InputError:
        source = Source(str(self.path), "")
        message = f"the store `{self.path}` cannot be used: {why}"
        return InputError((Diagnostic("G0901", message, source, help=help_),))


def _written(
    connection: sqlite3.Connection,
    question: Question,
    answer: JobAnswer,
    run: str | None,
    finished: float,
    *,
    instead: bool = False,
) -> bool:
    """Write one answer, if it is new; return whether it is."""
    key, version = answer.key, answer.origin.version
    asked = question.to_data()
    text = asked.pop("text").encode()
    hash_ = hashlib.sha256(text).hexdigest()
    connection.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (hash_, zlib.compress(text)))
    connection.execute(
        "INSERT OR IGNORE INTO questions VALUES (?, ?, ?)", (key.digest, hash_, _packed(asked))
    )
    bare = answer.without_evidence()
    change = "REPLACE" if instead else "INSERT OR IGNORE"
    done = connection.execute(
        f"{change} INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key.digest,
            version,
            key.repetition,
            run,
            answer.standing,
            _packed(bare.result),
            _packed(answer.origin.to_data()),
            answer.reason,
            finished,
        ),
    )
    if done.rowcount == 0:
        return False
    for kind, body in _attachments(answer):
        connection.execute(
            "REPLACE INTO attachments VALUES (?, ?, ?, ?, ?)",
            (key.digest, version, key.repetition, kind, zlib.compress(_packed(body).encode())),
        )
    return True


def _attachments(answer: JobAnswer) -> Iterator[tuple[str, Any]]:
    evidence = dict(answer.evidence())
    if evidence:
        yield "evidence", evidence
    if answer.certificate is not None:
        yield "certificate", answer.certificate


def _note_run(connection: sqlite3.Connection, run: CampaignRun) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.id,
            run.command,
            run.version,
            run.machine,
            run.process,
            run.name,
            run.jobs,
            run.started,
            run.seen,
            run.ended,
        ),
    )


def _packed(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
