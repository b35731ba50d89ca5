"""The tables of a store, and how a file becomes one.

Write-ahead mode: readers and writers do not wait for each other, several processes may write in turn, and a
process that dies in the middle of writing leaves the store as it was before. What is long and of the same
kind again and again (texts of models, evidence, certificates) stands in tables of its own, compressed.
"""

import sqlite3
from typing import Final

#: What tells a store from other files of SQLite ("Gnom" in ASCII), and the version of its tables.
APPLICATION: Final = 0x476E6F6D
VERSION: Final = 1

TABLES: Final = """
CREATE TABLE texts (
    hash TEXT PRIMARY KEY,
    body BLOB NOT NULL                -- the text of a model, compressed
) WITHOUT ROWID;

CREATE TABLE questions (
    digest TEXT PRIMARY KEY,
    text TEXT NOT NULL REFERENCES texts (hash),
    asked TEXT NOT NULL               -- the rest of the question, as JSON
) WITHOUT ROWID;

CREATE TABLE runs (
    id TEXT PRIMARY KEY,              -- the same in every store that the run is merged into
    command TEXT NOT NULL,            -- what was typed
    version TEXT NOT NULL,
    machine TEXT NOT NULL,
    process INTEGER NOT NULL,
    name TEXT NOT NULL,               -- of the campaign
    jobs INTEGER NOT NULL,            -- how many it has, those that were answered before included
    started REAL NOT NULL,            -- seconds since 1970, like the others
    seen REAL NOT NULL,               -- when it was last heard of
    ended REAL
) WITHOUT ROWID;

CREATE TABLE answers (
    digest TEXT NOT NULL REFERENCES questions (digest),
    version TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    run TEXT REFERENCES runs (id),
    standing TEXT NOT NULL,
    result TEXT NOT NULL,             -- the published JSON without evidence
    provenance TEXT NOT NULL,             -- JSON
    reason TEXT NOT NULL,
    finished REAL NOT NULL,
    PRIMARY KEY (digest, version, repetition)
) WITHOUT ROWID;

CREATE TABLE attachments (
    digest TEXT NOT NULL,
    version TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    kind TEXT NOT NULL,               -- 'evidence' or 'certificate'
    body BLOB NOT NULL,               -- JSON, compressed
    PRIMARY KEY (digest, version, repetition, kind)
) WITHOUT ROWID;

CREATE TABLE under_way (
    run TEXT NOT NULL REFERENCES runs (id),
    digest TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    name TEXT NOT NULL,
    place TEXT NOT NULL,
    started REAL NOT NULL,
    PRIMARY KEY (run, digest, repetition)
) WITHOUT ROWID;
"""


def prepare(connection: sqlite3.Connection) -> None:
    """Make a store of an empty file; leave one that is a store of this version as it is."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # with WAL, no process can damage it by dying
    connection.execute("PRAGMA foreign_keys = ON")
    if version_of(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")  # two processes may be at this point
    if version_of(connection) != VERSION:
        for statement in TABLES.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def version_of(connection: sqlite3.Connection) -> int | None:
    """Return the version of a store, 0 of an empty file, None of what is no store."""
    if connection.in_transaction:
        return _version_of(connection)
    connection.execute("BEGIN")  # somebody else may be making a store of it: all is of one moment
    try:
        return _version_of(connection)
    finally:
        connection.execute("COMMIT")


def _version_of(connection: sqlite3.Connection) -> int | None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION:
        return int(version)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return 0 if tables == 0 and version == 0 else None
