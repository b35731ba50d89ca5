"""How answers and runs are written into the tables of a store."""

import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Any

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.stored import CampaignRun
from gnomon.campaign.wire import compressed, packed
from gnomon.checking.question import Question


def write_answer(
    connection: sqlite3.Connection,
    question: Question,
    answer: JobAnswer,
    run: str | None,
    finished: float,
    *,
    instead: bool = False,
) -> bool:
    """Write one answer, if it is new; return whether it is."""
    key, version = answer.key, answer.provenance.version
    asked = question.to_data()
    text = asked.pop("text")
    hash_ = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    connection.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (hash_, compressed(text)))
    connection.execute(
        "INSERT OR IGNORE INTO questions VALUES (?, ?, ?)", (key.digest, hash_, packed(asked))
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
            packed(bare.result),
            packed(answer.provenance.to_data()),
            answer.reason,
            finished,
        ),
    )
    if done.rowcount == 0:
        return False
    for kind, body in _attachments(answer):
        connection.execute(
            "REPLACE INTO attachments VALUES (?, ?, ?, ?, ?)",
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
