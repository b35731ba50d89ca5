"""The store: answers by the digest of the question and the version that answered, in one file of SQLite.

Asking again costs nothing. An answer is there wholly or not at all, whoever is killed when; several processes
may write at once; and none is written twice: the first one stays.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gnomon.campaign.answer import JobAnswer, Provenance
from gnomon.campaign.job import CampaignJob, JobKey
from gnomon.campaign.store_file import StoreFile
from gnomon.campaign.store_writing import as_text, note_run, write_answer
from gnomon.campaign.stored import CampaignRun, MergeCount, StoredAnswer, StoredJob, StoredKey
from gnomon.campaign.wire import decompressed, unpacked
from gnomon.checking.question import Question
from gnomon.text.diagnostic import InputError
from gnomon.version import __version__


class Store(StoreFile):
    """A store that is open; use it in `with`, and in one thread."""

    # Answers

    def add(self, job: CampaignJob, answer: JobAnswer, run: str | None = None) -> bool:
        """Keep an answer, wholly or not at all; return whether it is new.

        Of two answers to one job the first stays, unless it is open and the later one decided, or it is lost.
        """
        return self.add_all([(job, answer)], run) == 1

    def add_all(
        self, answers: Iterable[tuple[CampaignJob, JobAnswer]], run: str | None = None
    ) -> int:
        """Keep several answers in one go; return how many of them are new."""
        with self.writing() as connection:
            return sum(
                write_answer(connection, job.question, answer, run, time.time())
                for job, answer in answers
            )

    def get(self, key: JobKey, version: str = __version__) -> JobAnswer | None:
        """Return what a version has answered, with evidence and certificate; None where it has not yet."""
        with self.told():
            row = self.connection.execute(
                "SELECT standing, result, provenance, reason FROM answers "
                "WHERE digest = ? AND version = ? AND repetition = ?",
                (key.digest, version, key.repetition),
            ).fetchone()
            if row is None:
                return None
            standing, result, provenance, reason = row
            answer = JobAnswer(
                key,
                standing,
                unpacked(result),
                Provenance(**unpacked(provenance)),
                reason=reason,
            )
            return self._complete(answer)

    def question(self, digest: str) -> Question:
        """Return a question that was answered."""
        with self.told():
            row = self.connection.execute(
                "SELECT text, asked FROM questions WHERE digest = ?", (digest,)
            ).fetchone()
            if row is None:
                raise KeyError(digest)
            return self._question(row[1], self._text(row[0]))

    def standings(self, version: str | None = __version__) -> dict[JobKey, str]:
        """Return the standing of every job that a version, or any, has answered."""
        with self.told():
            rows = self.connection.execute(
                "SELECT digest, repetition, standing FROM answers WHERE ?1 IS NULL OR version = ?1",
                (version,),
            )
            return {JobKey(digest, repetition): standing for digest, repetition, standing in rows}

    def taken(self) -> dict[str, float]:
        """Return the seconds that questions took when they were last answered, by their digests."""
        with self.told():
            rows = self.connection.execute(
                "SELECT digest, provenance FROM answers ORDER BY finished"
            )
            return {digest: float(unpacked(came)["seconds"]) for digest, came in rows}

    def answers(self, version: str | None = None) -> Iterator[StoredAnswer]:
        """Yield all answers without their evidence, of one version or of all, the oldest first."""
        runs = {run.id: run for run in self.runs()}
        texts: dict[str, str] = {}
        with self.told():
            rows = self.connection.execute(
                "SELECT digest, version, repetition, run, standing, result, provenance, reason, finished, "
                "text, asked FROM answers JOIN questions USING (digest) "
                "WHERE ?1 IS NULL OR version = ?1 ORDER BY finished, digest, repetition",
                (version,),
            )
            for digest, _, repetition, run, standing, result, provenance, reason, *rest in rows:
                finished, text, asked = rest
                key = JobKey(digest, repetition)
                answer = JobAnswer(
                    key,
                    standing,
                    unpacked(result),
                    Provenance(**unpacked(provenance)),
                    reason=reason,
                )
                if text not in texts:
                    texts[text] = self._text(text)
                question = self._question(asked, texts[text])
                yield StoredAnswer(question, answer, runs.get(run), finished)

    def complete(self, stored: StoredAnswer) -> JobAnswer:
        """Return an answer with its evidence and its certificate."""
        with self.told():
            return self._complete(stored.answer)

    def forget(self, keys: Sequence[JobKey], version: str) -> int:
        """Forget answers of a version, and what only they needed; return how many there were."""
        with self.writing() as connection:
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
        with self.writing() as connection:
            note_run(connection, run)

    def beat(self, run: str, under_way: Sequence[StoredJob]) -> None:
        """Note that a run goes on, and what it has under way."""
        with self.writing() as connection:
            connection.execute("UPDATE runs SET seen = ? WHERE id = ?", (time.time(), run))
            self._note_under_way(connection, run, under_way)

    def end(self, run: str) -> None:
        """Note that a run has ended."""
        now = time.time()
        with self.writing() as connection:
            connection.execute("UPDATE runs SET seen = ?, ended = ? WHERE id = ?", (now, now, run))
            self._note_under_way(connection, run, ())

    def runs(self) -> list[CampaignRun]:
        """Return all runs, the oldest first."""
        with self.told():
            rows = self.connection.execute(
                "SELECT id, command, version, machine, process, name, jobs, started, seen, ended "
                "FROM runs ORDER BY started"
            )
            return [CampaignRun(*row) for row in rows]

    def counted(self) -> dict[str, dict[str, int]]:
        """Return how many answers each run has given, by their standings."""
        with self.told():
            rows = self.connection.execute(
                "SELECT run, standing, count(*) FROM answers "
                "WHERE run IS NOT NULL GROUP BY run, standing"
            )
            found: dict[str, dict[str, int]] = {}
            for run, standing, count in rows:
                found.setdefault(run, {})[standing] = count
            return found

    def under_way(self) -> list[StoredJob]:
        """Return what runs have under way, by what they last said."""
        with self.told():
            rows = self.connection.execute(
                "SELECT run, digest, repetition, name, place, started FROM under_way ORDER BY started"
            )
            return [
                StoredJob(run, JobKey(digest, repetition), *rest)
                for run, digest, repetition, *rest in rows
            ]

    def problems(self) -> Iterator[str]:
        """Read everything, and yield what is damaged."""
        with self.told():
            for (said,) in self.connection.execute("PRAGMA integrity_check"):
                if said != "ok":
                    yield said
            for key, version, _, _ in self.stored_keys():
                try:
                    self.get(key, version)
                    self.question(key.digest)
                except InputError:
                    yield f"answer {key.digest[:12]}, repetition {key.repetition}: unreadable"

    # Other stores

    def merge(self, other: "Store") -> MergeCount:
        """Take over what another store has and this one has not, as far as that can be read."""
        taken = unreadable = 0
        runs = other.runs()
        known = {run.id for run in runs}
        with self.writing() as connection:
            for run in runs:
                note_run(connection, run)
            for key, version, run_id, finished in other.stored_keys():
                try:
                    question, answer = other.question(key.digest), other.get(key, version)
                except InputError:
                    unreadable += 1
                    continue
                run_of_it = run_id if run_id in known else None
                if answer is not None:
                    taken += write_answer(connection, question, answer, run_of_it, finished)
        return MergeCount(taken, unreadable)

    def stored_keys(self) -> list[StoredKey]:
        """Return what tells all answers apart, of every version."""
        with self.told():
            rows = self.connection.execute(
                "SELECT digest, repetition, version, run, finished FROM answers ORDER BY finished"
            )
            return [
                StoredKey(JobKey(digest, repetition), *rest) for digest, repetition, *rest in rows
            ]

    # What the others stand on

    @staticmethod
    def _note_under_way(
        connection: sqlite3.Connection, run: str, under_way: Sequence[StoredJob]
    ) -> None:
        connection.execute("DELETE FROM under_way WHERE run = ?", (run,))
        connection.executemany(
            "INSERT OR IGNORE INTO under_way VALUES (?, ?, ?, ?, ?, ?)",
            [
                (run, *each.key, as_text(each.name), as_text(each.place), each.started)
                for each in under_way
            ],
        )

    def _question(self, asked: str, text: str) -> Question:
        try:
            return Question.from_data({**unpacked(asked), "text": text})
        except InputError as error:
            why = "it has questions of another version of gnomon, or is damaged"
            raise self.unusable(f"{why}: {error.diagnostics[0].message}") from error

    def _text(self, hash_: str) -> str:
        (body,) = self.connection.execute(
            "SELECT body FROM texts WHERE hash = ?", (hash_,)
        ).fetchone()
        return decompressed(body)

    def _complete(self, answer: JobAnswer) -> JobAnswer:
        key = answer.key
        rows = self.connection.execute(
            "SELECT kind, body FROM attachments "
            "WHERE digest = ? AND version = ? AND repetition = ?",
            (key.digest, answer.provenance.version, key.repetition),
        )
        found = {kind: unpacked(decompressed(body)) for kind, body in rows}
        formulae = [dict(each) for each in answer.formulae]
        for place, evidence in found.get("evidence", {}).items():
            formulae[int(place)]["evidence"] = evidence
        result = {**answer.result, "formulae": formulae}
        return replace(answer, result=result, certificate=found.get("certificate"))
