"""How much of the journal the index has read."""

from __future__ import annotations

import os
from contextlib import suppress

from fairlead.journal.reader import segment_paths
from fairlead.store.reader import IndexReader

_A_MOMENT = 1 << 20
"""Bytes that are always about to be read while agents work."""


def share_read(reader: IndexReader) -> float:
    """1.0 when there is no more left than comes in while one looks."""
    there = 0
    for path in segment_paths(reader.journal):
        with suppress(FileNotFoundError):
            there += os.stat(path).st_size
    read = int(reader.connection.execute("SELECT total(read) FROM segments").fetchone()[0])
    return 1.0 if there - read <= _A_MOMENT else read / there
