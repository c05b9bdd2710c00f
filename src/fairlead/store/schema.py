"""The tables, and how a database is opened."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from fairlead.journal.files import private_directory

VERSION = 4
_BUSY_SECONDS = 30.0
_SETTINGS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "cache_size = -65536",
    "temp_store = MEMORY",
    "wal_autocheckpoint = 8000",
)

TABLES = """
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    inode INTEGER NOT NULL,
    mark BLOB NOT NULL,          -- the start of the file, since an inode is given again
    read INTEGER NOT NULL        -- bytes that are in the index
);
CREATE TABLE names (             -- every word that is filtered by, once
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE calls (             -- one row per call, folded
    id TEXT PRIMARY KEY,
    request INTEGER NOT NULL,
    ts INTEGER NOT NULL,         -- milliseconds since the epoch
    agent INTEGER NOT NULL,
    event INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    rule INTEGER NOT NULL,
    hook INTEGER NOT NULL,
    session INTEGER NOT NULL,
    root INTEGER NOT NULL,
    subagent INTEGER NOT NULL,
    degraded INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    canary INTEGER NOT NULL,     -- 1 for a call that `fairlead doctor` made
    would INTEGER NOT NULL,      -- what audit kept back; 0 for nothing
    would_rule INTEGER NOT NULL,
    pair INTEGER NOT NULL,       -- the same for all events of one call of a tool; 0 without a name
    after INTEGER NOT NULL,      -- 1 for what came after the tool ran, or did not
    us INTEGER NOT NULL,         -- microseconds from the event to the verdict
    segment INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    summary TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX calls_request ON calls (request);
CREATE INDEX calls_session ON calls (session, id);
CREATE INDEX calls_canary ON calls (id) WHERE canary = 1;
CREATE INDEX calls_would ON calls (id) WHERE would > 0;
CREATE INDEX calls_pair ON calls (pair, id) WHERE pair <> 0;
CREATE INDEX calls_stopped ON calls (id) WHERE decision >= 4;
CREATE TABLE observations (      -- lines that tell what observers said about a call
    request INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    canary INTEGER NOT NULL,
    PRIMARY KEY (request, segment, offset)
) WITHOUT ROWID;
CREATE TABLE agents (            -- when each agent was last seen
    agent INTEGER PRIMARY KEY,
    last INTEGER NOT NULL
);
CREATE TABLE days (              -- counts of calls per day, so that statistics need not read every call
    segment INTEGER NOT NULL,
    day INTEGER NOT NULL,
    canary INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    event INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    rule INTEGER NOT NULL,
    root INTEGER NOT NULL,
    n INTEGER NOT NULL,
    degraded INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY (segment, day, canary, agent, event, tool, decision, rule, root)
) WITHOUT ROWID;
CREATE TABLE hours (             -- the same per hour, for what is drawn over time
    segment INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    canary INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    after INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (segment, hour, canary, agent, after, decision)
) WITHOUT ROWID;
CREATE TABLE gaps (              -- lines that were lost before they were written, or cut short
    segment INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (segment, offset)
) WITHOUT ROWID;
CREATE TABLE hooks (             -- counts of what hooks said, per day
    segment INTEGER NOT NULL,
    day INTEGER NOT NULL,
    canary INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    hook INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    n INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY (segment, day, canary, agent, hook, decision)
) WITHOUT ROWID;
CREATE TABLE latency (           -- how long calls (hook is the empty name) and hooks took, per day
    segment INTEGER NOT NULL,
    day INTEGER NOT NULL,
    canary INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    hook INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (segment, day, canary, agent, hook, bucket)
) WITHOUT ROWID;
CREATE TABLE usage (             -- the last report of tokens per session
    session INTEGER PRIMARY KEY,
    ts INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    model INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    total INTEGER NOT NULL
);
"""


def open_index(path: str) -> sqlite3.Connection:
    """The index, made if it is not there, and made anew if it is of another version or no database at all."""
    private_directory(os.path.dirname(path))
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    try:
        return _ready(path)
    except sqlite3.OperationalError:
        raise  # busy, or a full disk: the index itself may be well
    except sqlite3.DatabaseError:
        for name in (path, f"{path}-wal", f"{path}-shm"):
            with suppress(FileNotFoundError):
                os.unlink(name)
        return _ready(path)


def _ready(path: str) -> sqlite3.Connection:
    connection = _connect(path)
    try:
        if _version(connection) != VERSION:
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) != VERSION:
                create(connection)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    os.chmod(path, 0o600)
    return connection


def open_to_read(path: str) -> sqlite3.Connection:
    connection = _connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def create(connection: sqlite3.Connection) -> None:
    """Empty tables in the place of whatever is there."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in tables:
        connection.execute(f'DROP TABLE "{name}"')
    for statement in TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute(f"PRAGMA application_id = {int.from_bytes(os.urandom(3)) + 1}")


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


def generation(connection: sqlite3.Connection) -> int:
    """Another number each time that the tables are made: then numbers stand for other names."""
    number: int = connection.execute("PRAGMA application_id").fetchone()[0]
    return number


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version
