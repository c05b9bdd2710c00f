"""How much of the past is kept: whole segments go, oldest first, by age or when there is too much."""

from __future__ import annotations

import os

from fairlead.journal.rotation import full_segments
from fairlead.model.value import Value
from fairlead.store.schema import open_index

_PARTS = ("calls", "observations", "days", "hours", "gaps", "hooks", "latency", "usage")


class Retention(Value):
    """None keeps everything. The segment that is being written always stays."""

    seconds: float | None = None
    bytes: int | None = None


def expired(journal: str, retention: Retention, now: float) -> list[str]:
    """The names of the segments that are too old (by their last line) or too much, oldest first."""
    names = full_segments(journal)
    found = [os.stat(os.path.join(journal, name)) for name in names]
    old = 0
    if retention.seconds is not None:
        while old < len(names) and found[old].st_mtime < now - retention.seconds:
            old += 1
    if retention.bytes is not None:
        kept = sum(info.st_size for info in found[old:])
        while old < len(names) and kept > retention.bytes:
            kept -= found[old].st_size
            old += 1
    return names[:old]


def expire(index: str, journal: str, retention: Retention, now: float) -> list[str]:
    """Removes them from the index, then from the disk: a crash in between is mended by the next run."""
    names = expired(journal, retention, now)
    connection = open_index(index)
    try:
        for name in names:
            connection.execute("BEGIN IMMEDIATE")
            inode = os.stat(os.path.join(journal, name)).st_ino
            known = connection.execute("SELECT id FROM segments WHERE inode = ?", (inode,)).fetchall()
            for (segment,) in known:
                for table in _PARTS:
                    connection.execute(f"DELETE FROM {table} WHERE segment = ?", (segment,))
                connection.execute("DELETE FROM segments WHERE id = ?", (segment,))
            connection.execute("DELETE FROM agents WHERE agent NOT IN (SELECT agent FROM days)")
            os.unlink(os.path.join(journal, name))
            connection.execute("COMMIT")
    finally:
        connection.close()
    return names
