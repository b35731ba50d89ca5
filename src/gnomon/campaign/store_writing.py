"""How answers and runs are written into the tables of a store."""

import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.stored import CampaignRun
from gnomon.campaign.wire import compressed, packed
from gnomon.checking.question import Question

#: What was decided stays, whoever comes later; what is open stays unless it is decided.
_KEEP_THE_BETTER: Final = """
INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (digest, version, repetition) DO UPDATE SET
    run = excluded.run, standing = excluded.standing, result = excluded.result,
    provenance = excluded.provenance, reason = excluded.reason, finished = excluded.finished
WHERE CASE excluded.standing WHEN 'lost' THEN 0 WHEN 'open' THEN 1 ELSE 2 END
    > CASE answers.standing WHEN 'lost' THEN 0 WHEN 'open' THEN 1 ELSE 2 END
"""


def as_text(words: str) -> str:
    """Return words that a table can hold: bytes of names that are no UTF-8 are shown by their numbers."""
    return words.encode("utf-8", "backslashreplace").decode()


def write_answer(
    connection: sqlite3.Connection,
    question: Question,
    answer: JobAnswer,
    run: str | None,
    finished: float,
) -> bool:
    """Write one answer, if there is none yet or only a weaker one; return whether that is so."""
    key, version = answer.key, answer.provenance.version
    asked = question.to_data()
    text = asked.pop("text")
    hash_ = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    connection.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (hash_, compressed(text)))
    connection.execute(
        "INSERT OR IGNORE INTO questions VALUES (?, ?, ?)", (key.digest, hash_, packed(asked))
    )
    bare = answer.without_evidence()
    done = connection.execute(
        _KEEP_THE_BETTER,
        (
            key.digest,
            version,
            key.repetition,
            run,
            answer.standing,
            packed(bare.result),
            packed(answer.provenance.to_data()),
            as_text(answer.reason),
            finished,
        ),
    )
    if done.rowcount == 0:
        return False
    connection.execute(
        "DELETE FROM attachments WHERE digest = ? AND version = ? AND repetition = ?",
        (key.digest, version, key.repetition),
    )
    for kind, body in _attachments(answer):
        connection.execute(
            "INSERT INTO attachments VALUES (?, ?, ?, ?, ?)",
            (key.digest, version, key.repetition, kind, compressed(packed(body))),
        )
    return True


def _attachments(answer: JobAnswer) -> Iterator[tuple[str, Any]]:
    evidence = dict(answer.evidence())
    if evidence:
        yield "evidence", evidence
    if answer.certificate is not None:
        yield "certificate", answer.certificate


def note_run(connection: sqlite3.Connection, run: CampaignRun) -> None:
    """Write that there is a run, unless that is known."""
    connection.execute(
        "INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.id,
            as_text(run.command),
            run.version,
            as_text(run.machine),
            run.process,
            as_text(run.name),
            run.jobs,
            run.started,
            run.seen,
            run.ended,
        ),
    )
